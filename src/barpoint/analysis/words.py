"""The words of analyses in the reader's language: groups, kinds and stages of decisions, and their options."""

from __future__ import annotations

from collections.abc import Sequence
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

SCORE_WORDS: Final[dict[str, str]] = {
    "money": N_("money"),
    "level": N_("level score"),
    "ahead": N_("ahead"),
    "behind": N_("behind"),
    "2-away": N_("one side 2-away"),
    "crawford": N_("Crawford game"),
    "post-crawford": N_("post-Crawford"),
    "dmp": N_("double match point"),
}
"""Kinds of scores in words (`score_kinds.SCORE_KINDS`)."""


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

CUBE_ROWS: Final = (N_("No double"), N_("Double, take"), N_("Double, pass"))
"""What has an equity in a cube decision. They also name the choices of rollouts."""

CUBE_LINES: Final = (N_("no double"), N_("double, take"), N_("double, pass"))
"""The same in lines for a terminal."""

CUBE_CHOICES: Final = {
    "no double": CUBE_ROWS[0],
    "double/take": CUBE_ROWS[1],
    "double/pass": CUBE_ROWS[2],
    "too good": N_("Too good to double"),
}
"""Cube actions to choose from, without beavers."""

CUBE_ACTIONS: Final = {
    "no double": N_("No double, take"),
    "double/take": CUBE_ROWS[1],
    "double/pass": CUBE_ROWS[2],
    "double/beaver": N_("Double, beaver"),
    "too good": N_("Too good to double, pass"),
}
"""What is right of a double and of its answer."""

CUBE_TERMS: Final = {
    "no double": CUBE_LINES[0],
    "double/take": N_("double/take"),
    "double/pass": N_("double/pass"),
    "double/beaver": N_("double/beaver"),
    "too good": N_("too good"),
}
"""The same in lines for a terminal."""

RESIGNED: Final = {
    "Resign": (N_("Resign a single game"), N_("Resign a gammon"), N_("Resign a backgammon")),
    "Accept": (N_("Accept a single game"), N_("Accept a gammon"), N_("Accept a backgammon")),
    "resign": (N_("resign a single game"), N_("resign a gammon"), N_("resign a backgammon")),
    "accept": (N_("accept a single game"), N_("accept a gammon"), N_("accept a backgammon")),
    "reject": (N_("reject a single game"), N_("reject a gammon"), N_("reject a backgammon")),
}
"""The same options and kinds of decisions, where it is known what is resigned."""


def play_question(faces: Sequence[int]) -> str:
    """What is asked of a roll."""
    return _("How do you play %(roll)s?", roll="-".join(map(str, faces)))


def choice_text(text: str, level: int = 0) -> str:
    """An option of a decision in words; a play in notation. level: what is resigned, as in `Decision`."""
    if text == "Pass":
        return pgettext("cube", "Pass")
    if level and text in RESIGNED:
        return _(RESIGNED[text][level - 1])
    return _(CHOICES[text]) if text in CHOICES else text


def kind_text(kind: str, level: int = 0) -> str:
    """A kind of decision in words. level: what is resigned, as in `Decision`."""
    return _(RESIGNED[kind][level - 1]) if level and kind in RESIGNED else _(WORDS[kind])
