"""Statistics of a player as text, with a plot of their rating over time, and as a table of matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from barpoint.analysis.statistics import RECENT, MatchPoint, Statistics, StatisticsLine
from barpoint.analysis.theme_text import theme_title
from barpoint.analysis.words import SCORE_WORDS, WORDS
from barpoint.csv_text import csv_text
from barpoint.language import N_, _, ngettext, number, percent

HEIGHT: Final = 8
WIDTH: Final = 72
"""Lines and columns of the plot."""

SHOWN: Final = 8
"""Opponents, lengths and months that are listed; the others are counted."""

MEASURED: Final = ("rating", "moving_rating", "luck")
COLUMNS: Final = ("played_on", "opponent", "length", "won", *MEASURED)
"""Columns of the table of matches, and those of them that are numbers with three places."""

HEADINGS: Final = (
    ("group", N_("By kind of decision")),
    ("stage", N_("By stage of the game")),
    ("score", N_("By score")),
    ("opponent", N_("By opponent")),
    ("length", N_("By length of the match")),
    ("variant", N_("By game")),
    ("month", N_("By month")),
)


def format_statistics(found: Statistics) -> str:
    """The statistics in lines of at most about 100 characters."""
    return "\n".join(_lines(found)) + "\n"


def format_course(found: Statistics) -> str:
    """The matches as comma-separated values, the oldest first."""
    return csv_text(COLUMNS, map(_cells, found.course), exact=MEASURED)


def _cells(one: MatchPoint) -> tuple[object, ...]:
    won = None if one.won is None else int(one.won)
    return one.played_on, one.opponent, one.length, won, f"{one.rating:.3f}", f"{one.moving:.3f}", f"{one.luck:.3f}"


def name_of(key: str, name: str) -> str:
    """What a line is called among those of its kind."""
    match key:
        case "length":
            return ngettext("%(num)s point", "%(num)s points", int(name)) if int(name) else _("money")
        case "group" | "kind" | "stage":
            return _(WORDS[name])
        case "score":
            return _(SCORE_WORDS[name]) if name else _("unknown")
        case "month" | "opponent":
            return name or _("unknown")
        case _:
            return name


def _lines(found: Statistics) -> Iterator[str]:
    yield " / ".join(found.names) or _("nobody")
    results = _("%(won)s won, %(lost)s lost", won=found.won, lost=found.lost)
    depth = _("analysed at %(plies)s-ply", plies=found.plies)
    matches = ngettext("%(num)s match", "%(num)s matches", found.matches)
    yield f"{matches}, {results}; {depth}"
    yield ""
    yield _row(_("performance rating"), found.total)
    yield _row(_("opponents"), found.opponents)
    if found.matches:
        yield _("luck a match %(luck)s", luck=number(found.luck / found.matches, 3, sign=True))
    yield from _plot(found.course)
    if found.weaknesses:
        yield from ("", _("What costs most"))
    for part in found.weaknesses:
        name = f"{_(WORDS[part.kind])}, {_(WORDS[part.stage])}"
        of_all = _("%(share)s of what was lost", share=percent(part.share))
        others = _("opponents %(rating)s", rating=number(part.others, 2))
        yield f"  {name:<24}{number(part.rating, 2):>8}  {of_all}, {others}"
    if found.themes:
        yield from ("", _("By theme of the mistake"))
    for theme in found.themes[:SHOWN]:
        count = ngettext("%(num)s mistake", "%(num)s mistakes", theme.mistakes)
        of_all = _("%(share)s of what was lost", share=percent(theme.share))
        yield f"  {_cut(theme_title(theme.name)):<24}{count:>12}, {of_all}"
    if found.cube_errors:
        yield from ("", _("Errors with the cube"))
    for error in found.cube_errors:
        count = ngettext("%(num)s mistake", "%(num)s mistakes", error.mistakes)
        lost = ngettext(
            "%(loss)s lost in %(num)s decision",
            "%(loss)s lost in %(num)s decisions",
            error.decisions,
            loss=number(error.loss, 3),
        )
        yield f"  {theme_title(error.name):<24}{count:>12}, {lost}"
    for key, heading in HEADINGS:
        lines = found.by[key]
        if len(lines) > 1:
            yield from ("", _(heading))
            yield from (_row(f"  {_cut(name_of(key, line.name))}", line) for line in lines[:SHOWN])
            if len(lines) > SHOWN:
                yield "  " + _("and %(count)s more", count=len(lines) - SHOWN)


def _row(name: str, line: StatisticsLine) -> str:
    rating = f"{number(line.rating, 2):>8} ± {number(line.margin, 2):<6}"
    counts = ngettext("%(num)s decision", "%(num)s decisions", line.decisions)
    errors = ngettext("%(num)s error", "%(num)s errors", line.errors)
    blunders = ngettext("%(num)s blunder", "%(num)s blunders", line.blunders)
    return f"{name:<24}{rating} {counts}, {errors}, {blunders}".rstrip()


def _cut(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:19]}…"


def _plot(course: Sequence[MatchPoint]) -> Iterator[str]:
    """The moving rating over the matches, drawn with blocks."""
    if len(course) < 3:
        return
    columns = min(WIDTH, len(course))
    values = [course[(column + 1) * len(course) // columns - 1].moving for column in range(columns)]
    top = max(*values, 0.01)
    days = [one.played_on for one in course if one.played_on]
    yield ""
    yield _("Rating over %(count)s matches at a time", count=min(len(course), RECENT))
    for level in range(HEIGHT, 0, -1):
        edge = number(top * level / HEIGHT, 1)
        yield f"{edge:>7} ┤{''.join(_block(value / top * HEIGHT - (level - 1)) for value in values)}".rstrip()
    if days:
        yield f"{'':9}{days[0]:<{max(columns - 10, 11)}}{days[-1]}"


def _block(height: float) -> str:
    """One cell of a bar; height: in cells, from the cell's floor."""
    return " ▁▂▃▄▅▆▇█"[max(0, min(8, round(8 * height)))]
