"""Whole numbers as people and programs write them: digits and nothing else."""

from __future__ import annotations


def number_in(text: str, least: int, most: int) -> int | None:
    """The whole number in a text of the digits 0 to 9 alone, at most as many as `most` has; None unless it is within these limits.

    Unlike `int`, it takes neither signs, spaces, underscores nor digits of other scripts, and no length of text is an error.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
        return None
    number = int(text)
    return number if least <= number <= most else None
