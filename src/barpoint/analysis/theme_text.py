"""Themes in words: a title, and a sentence with its figures; each theme has its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from barpoint.analysis.findings import MistakeTheme
from barpoint.language import N_, _, number, percent

TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "missed-hit": (
        N_("Missed hit"),
        N_("The better play hits (points: %(points)s); pips that the other side loses: %(pips)s."),
    ),
    "needless-hit": (
        N_("Needless hit"),
        N_(
            "The hit on point %(points)s costs more than it gains: equity %(made_equity)s with it, %(best_equity)s without."
        ),
    ),
    "tempo": (
        N_("Tempo"),
        N_(
            "A hit at home, on point %(points)s, takes half the other roll away: %(dances)s of %(rolls)s rolls stay on the bar."
        ),
    ),
    "missed-anchor": (
        N_("Missed anchor"),
        N_("The better play makes an anchor on point %(point)s."),
    ),
    "broken-anchor": (
        N_("Broken anchor"),
        N_(
            "Giving up the anchor on point %(point)s leaves no safe place to land: %(made_shots)s of %(rolls)s rolls hit instead of %(best_shots)s."
        ),
    ),
    "missed-point": (
        N_("Missed point"),
        N_("The better play makes point %(point)s."),
    ),
    "broken-point": (
        N_("Broken point"),
        N_("This play gives up point %(point)s, which the better play holds."),
    ),
    "timing": (
        N_("Timing"),
        N_("%(behind)s pips behind and waiting for a shot, the board must hold; point %(point)s is broken too early."),
    ),
    "contact-lost": (
        N_("Contact given up"),
        N_("This play gives up the last chance to hit: %(made_share)s of games are won instead of %(best_share)s."),
    ),
    "escape": (
        N_("Back checkers"),
        N_("Pips that the checkers behind move: %(best_pips)s in the better play, %(made_pips)s in this one."),
    ),
    "wrong-slot": (
        N_("Loose slot"),
        N_(
            "A single checker on point %(point)s is not worth the risk: %(made_shots)s of %(rolls)s rolls hit instead of %(best_shots)s."
        ),
    ),
    "missed-slot": (
        N_("Missed slot"),
        N_(
            "A single checker on point %(point)s is worth the risk of %(best_shots)s of %(rolls)s rolls: if it is not hit, it makes the point."
        ),
    ),
    "blot-left": (
        N_("Too bold"),
        N_("%(made_shots)s of %(rolls)s rolls hit after this play, %(best_shots)s after the better one."),
    ),
    "too-safe": (
        N_("Too safe"),
        N_(
            "Safety costs too much here: the better play lets %(best_shots)s of %(rolls)s rolls hit, this one %(made_shots)s."
        ),
    ),
    "clearance": (
        N_("Clearing from the rear"),
        N_("The better play clears point %(point)s, the rearmost, as long as it can; this one leaves it for later."),
    ),
    "buried": (
        N_("Buried checkers"),
        N_(
            "Checkers out of play on the ace and deuce points: %(made_count)s after this play, %(best_count)s after the better one."
        ),
    ),
    "builders": (
        N_("Builders"),
        N_(
            "After the better play %(best_rolls)s of %(rolls)s rolls make a good point next, after this one %(made_rolls)s."
        ),
    ),
    "race": (
        N_("Race"),
        N_(
            "The better play bears off %(best_off)s and leaves %(best_out)s outside; this one %(made_off)s and %(made_out)s."
        ),
    ),
    "bear-in": (
        N_("Bearing in"),
        N_("Pips until all checkers are home: %(best_pips)s after the better play, %(made_pips)s after this one."),
    ),
    "gammon-wins": (
        N_("Gammons won"),
        N_("The better play wins a gammon in %(best_share)s of games, this one in %(made_share)s."),
    ),
    "gammon-losses": (
        N_("Gammons lost"),
        N_("This play loses a gammon in %(made_share)s of games, the better one in %(best_share)s."),
    ),
    "backgammon-wins": (
        N_("Backgammons won"),
        N_("The better play wins a backgammon in %(best_share)s of games, this one in %(made_share)s."),
    ),
    "backgammon-losses": (
        N_("Backgammons lost"),
        N_("This play loses a backgammon in %(made_share)s of games, the better one in %(best_share)s."),
    ),
    "plain": (
        N_("Judgement"),
        N_("Equity %(best_equity)s instead of %(made_equity)s; no single feature of the board explains it."),
    ),
    "missed-double": (
        N_("Missed double"),
        N_("A double is right from %(double_share)s of games won, and %(win_share)s are won here."),
    ),
    "market-loser": (
        N_("Market lost"),
        N_("The other side passes from %(cash_share)s; with %(win_share)s the market is lost, or as good as lost."),
    ),
    "free-double": (
        N_("Nothing to lose"),
        N_("The other side needs one point, so that a double costs nothing; %(away)s points are needed here."),
    ),
    "premature-double": (
        N_("Premature double"),
        N_("A double is right from %(double_share)s of games won; only %(win_share)s are won here."),
    ),
    "too-good": (
        N_("Too good to double"),
        N_("Playing on for the gammon has equity %(on_equity)s, a pass only %(pass_equity)s."),
    ),
    "wrong-take": (
        N_("Wrong take"),
        N_("The side that answers wins %(win_share)s of games and needs %(take_share)s to take."),
    ),
    "wrong-pass": (
        N_("Wrong pass"),
        N_("%(win_share)s of games are won after a take, and %(take_share)s would be enough."),
    ),
    "gammon-danger": (
        N_("Gammon danger"),
        N_(
            "The side that doubles wins a gammon in %(gammon_share)s of games: more wins than usual are needed to take."
        ),
    ),
    "missed-beaver": (
        N_("Missed beaver"),
        N_("A beaver has equity %(best_equity)s, a plain take %(made_equity)s."),
    ),
    "wrong-beaver": (
        N_("Wrong beaver"),
        N_("A plain take has equity %(best_equity)s, with the beaver %(made_equity)s."),
    ),
    "wrong-raise": (
        N_("Wrong answer"),
        N_("The right answer to the raised cube has equity %(best_equity)s, this one %(made_equity)s."),
    ),
    "reroll-spent": (
        N_("Token wasted"),
        N_("The roll as it stood has equity %(best_equity)s, a new one %(made_equity)s."),
    ),
    "reroll-kept": (
        N_("Token kept too long"),
        N_("A new roll has equity %(best_equity)s, the one that stands %(made_equity)s."),
    ),
    "resigned-early": (
        N_("Resigned too early"),
        N_("Playing on has equity %(best_equity)s, the resignation %(made_equity)s."),
    ),
    "resignation-taken": (
        N_("Accepted too little"),
        N_("Playing on for more has equity %(best_equity)s, the resignation gives %(made_equity)s."),
    ),
    "resignation-refused": (
        N_("Refused a good resignation"),
        N_("The resignation gives %(best_equity)s, playing on has equity %(made_equity)s."),
    ),
}
"""Title and sentence of each theme, in English; points are those of the player whose mistake it is."""


def theme_words() -> dict[str, tuple[str, str]]:
    """Title and sentence of each theme in the reader's language, the places of the sentences not filled in."""
    return {name: (_(title), _(sentence)) for name, (title, sentence) in TEXTS.items()}


def theme_title(name: str) -> str:
    """A theme in one or two words, in the reader's language."""
    return _(TEXTS[name][0])


def theme_sentence(theme: MistakeTheme) -> str:
    """What it says of this mistake, in the reader's language."""
    return _(TEXTS[theme.name][1], **{key: figure_text(key, value) for key, value in theme.figures.items()})


def figure_text(key: str, value: float | str) -> str:
    """A figure as its sentence has it: chances in percent, equities with their sign."""
    if isinstance(value, str):
        return value
    if key.endswith("_share"):
        return percent(value, 1)
    return number(value, 3, sign=True) if key.endswith("_equity") else str(round(value))
