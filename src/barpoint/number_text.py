"""Whole numbers as people and programs write them: digits and nothing else."""

from __future__ import annotations


def number_in(text: str, least: int, most: int) -> int | None:
    """The whole number in a text of the digits 0 to 9 alone; None unless it is within these limits.

    Unlike `int`, it takes neither signs, spaces, underscores nor digits of other scripts, and no length of text is an error.
    """
    if not (text.isascii() and text.isdecimal()):
        return None
    digits = text.lstrip("0") or "0"
    return number if len(digits) <= len(str(most)) and least <= (number := int(digits)) <= most else None
