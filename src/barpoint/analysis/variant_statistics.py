"""Statistics of a variant, measured by training.knowledge: openings, chances, tokens, lengths; told in Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from barpoint.document import rules_folder
from barpoint.language import N_, _, number, percent, pgettext
from barpoint.variants import variant, variants

TOKENS: Final = {
    "1 1": N_("Equity on roll in the starting position when both sides have their token: %(equity)s."),
    "1 0": N_("Equity on roll in the starting position when only the player on roll has a token: %(equity)s."),
    "0 1": N_("Equity on roll in the starting position when only the opponent has a token: %(equity)s."),
    "0 0": N_("Equity on roll in the starting position when both tokens are used: %(equity)s."),
}
"""What is said of the tokens left, "own other"."""


@dataclass(frozen=True, slots=True)
class OpeningEntry:
    """A roll that may open the game. loss: of the next best play, None when there is only one."""

    faces: tuple[int, ...]
    weight: int
    play: str
    equity: float
    second: str | None
    loss: float | None


@dataclass(frozen=True, slots=True)
class VariantStatistics:
    """Everything measured about a variant.

    net: None when a whole-game database gave the values, so that all but the length is exact (`barpoint build`).
    first_roll: points of the player who starts, before the roll is known. on_roll: the probabilities of that player
    when any roll is possible.
    tokens: points of the player on roll at the start by "own other" tokens left. window: winning probabilities at which
    the other side may take, one doubles, cashes, is too good. rolls: mean rolls of a game and its error.
    """

    name: str
    net: str | None
    plies: int
    openings: tuple[OpeningEntry, ...]
    first_roll: float
    on_roll: dict[str, float]
    tokens: dict[str, float]
    window: dict[str, float]
    rolls: tuple[float, float] | None


def statistics_of(name: str) -> list[VariantStatistics]:
    """The statistics of a variant, then of its combinations with others."""
    folder, parts = rules_folder() / "statistics", set(name.split("+"))
    files = sorted(folder.glob("*.json"), key=lambda file: (file.stem.count("+"), file.stem))
    return [
        msgspec.json.decode(file.read_bytes(), type=VariantStatistics)
        for file in files
        if parts <= set(file.stem.split("+"))
    ]


def section(known: VariantStatistics, source: str = "") -> str:
    """The statistics in Markdown, a section of the rules page. source: where equities are from, if not simply the bot."""
    titles = {entry.name: entry.title for entry in variants()}
    title = " + ".join(titles[part] for part in known.name.split("+"))
    if not source and known.net is None:
        source = _("Equities are in points per game without a cube. They are exact.")
    source = source or _("Equities are in points per game without a cube, as the bot judges them.")
    facts = "".join(f"- {fact}\n" for fact in _facts(known))
    heading = _("Engine statistics: %(title)s", title=title)
    return f"## {heading}\n{source}\n\n{facts}\n{_table(known)}"


def _facts(known: VariantStatistics) -> list[str]:
    """The numbers about the whole game, a sentence each."""
    equity = _equity(known.first_roll)
    if known.tokens:
        facts = [
            _("The starting player has an equity of %(equity)s, if the opening roll is not rerolled.", equity=equity)
        ]
    else:
        facts = [_("The starting player has an equity of %(equity)s.", equity=equity)]
    if known.window:
        take, cash = percent(known.window["take"]), percent(known.window["cash"])
        if variant(known.name).scoring.levels == 1:
            facts.append(_("The take point is %(take)s and the cash point %(cash)s.", take=take, cash=cash))
        else:
            chances = known.on_roll
            gammons = number(100 * (chances["win_gammon"] + chances["lose_gammon"]), 0)
            back = number(100 * (chances["win_backgammon"] + chances["lose_backgammon"]), 1)
            facts += [
                _(
                    "%(gammons)s of 100 games end in a gammon or backgammon, %(back)s in a backgammon.",
                    gammons=gammons,
                    back=back,
                ),
                _(
                    "With the gammon rate of the starting position, the take point is %(take)s and the cash point %(cash)s.",
                    take=take,
                    cash=cash,
                ),
            ]
    if known.rolls:
        mean, error = (number(value, 1) for value in known.rolls)
        facts.append(_("A game has %(mean)s ± %(error)s rolls on average.", mean=mean, error=error))
    return facts + [_(TOKENS[key], equity=_equity(known.tokens[key])) for key in TOKENS if known.tokens]


def _table(known: VariantStatistics) -> str:
    """Each roll that may open the game, with its best and second-best play."""
    heads = (pgettext("column", "Roll"), _("Best play"), _("Equity"), _("Second-best play"), _("Loss"))
    nothing = _("none")
    rows = [f"| {' | '.join(heads)} |", "|---|---|---|---|---|"]
    for each in known.openings:
        second = f"{each.second} | {number(each.loss, 3)}" if each.loss is not None else f"{nothing} | "
        rows.append(f"| {'-'.join(map(str, each.faces))} | {each.play} | {_equity(each.equity)} | {second} |")
    return "\n".join(rows) + "\n"


def _equity(value: float) -> str:
    return number(value, 3, sign=True)
