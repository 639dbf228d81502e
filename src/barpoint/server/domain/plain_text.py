"""Texts of several lines that people write."""

from __future__ import annotations


def clean_lines(text: str) -> str:
    """A text as stored: line breaks stay, other characters that nobody sees go, and blanks at both ends."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(character for character in lines if character.isprintable() or character == "\n").strip()
