"""The words of analyses in the reader's language: groups, kinds and stages of decisions, and their options."""

from __future__ import annotations

from typing import Final

from barpoint.language import N_, _, pgettext

WORDS: Final = {
    "plays": N_("plays"),
    "cube": N_("cube"),
    "calls": N_("calls"),
    "resignations": N_("resignations"),
    "opening": N_("opening"),
    "blitz": N_("blitz"),
    "prime": N_("prime"),
    "back game": N_("back game"),
    "holding game": N_("holding game"),
    "contact": N_("contact"),
    "race": N_("race"),
    "bear-off": N_("bear-off"),
    "play": N_("play"),
    "double": N_("double"),
    "no double": N_("no double"),
    "take": N_("take"),
    "pass": N_("pass"),
    "beaver": N_("beaver"),
    "raccoon": N_("raccoon"),
    "call": N_("call"),
    "keep": N_("keep"),
    "resign": N_("resign"),
    "accept": N_("accept"),
    "reject": N_("reject"),
}
"""Groups, kinds and stages in words."""


CHOICES: Final = {
    "Double": N_("Double"),
    "No double": N_("No double"),
    "Take": N_("Take"),
    "Beaver": N_("Beaver"),
    "Raccoon": N_("Raccoon"),
    "Roll over": N_("Roll over"),
    "Let it stand": N_("Let it stand"),
    "Accept": N_("Accept"),
    "Reject": N_("Reject"),
    "Play on": N_("Play on"),
    "Resign": N_("Resign"),
}
"""Options of decisions that are no plays."""


def choice_text(text: str) -> str:
    """An option of a decision in words; a play in notation."""
    if text == "Pass":
        return pgettext("cube", "Pass")
    return _(CHOICES[text]) if text in CHOICES else text
