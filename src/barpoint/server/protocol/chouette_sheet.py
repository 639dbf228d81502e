"""The score sheet of a chouette: everybody's points, the results of each game, and who owes whom how much."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from barpoint.language import N_, _, date, ngettext, number, time
from barpoint.server.domain.titles import variant_title
from barpoint.server.protocol.chouette_text import ChouetteTold, NameOf, PairEnded, result_of_pair
from barpoint.server.protocol.chouette_view import ChouetteScene, describe_chouette
from barpoint.server.protocol.match_text import points_text

LEVELS: Final = {"single": N_("single game"), "gammon": N_("gammon"), "backgammon": N_("backgammon")}
REASONS: Final = {
    "pass": N_("%(player)s passed"),
    "resign": N_("%(player)s resigned"),
    "timeout": N_("%(player)s ran out of time"),
    "settle": N_("settled"),
}
"""How a game ended, apart from being played to its end. player: who has lost it."""


@dataclass(frozen=True, slots=True)
class SheetPlayer:
    """A player's line. points: in sum. games: those the player took part in, as the box or in the team."""

    name: str
    bot: bool
    points: float
    games: int


@dataclass(frozen=True, slots=True)
class SheetResult:
    """A result between the box and one player. text: who won what from whom. how: by what it ended. at: a day and time."""

    text: str
    how: str
    at: str


@dataclass(frozen=True, slots=True)
class SheetGame:
    """A game of the chouette. number: counted from 1. captain: at its end; "" where the game did not end."""

    number: int
    box: str
    captain: str
    results: tuple[SheetResult, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The whole sheet, in the language that holds now.

    days: of the first and the latest event. Times are in UTC. players: by points, the highest first. payments: what remains between
    every two players after all games, as sentences.
    """

    title: str
    terms: str
    days: str
    players: tuple[SheetPlayer, ...]
    games: tuple[SheetGame, ...]
    payments: tuple[str, ...]


def score_sheet(scene: ChouetteScene) -> ScoreSheet:
    """The score sheet of a chouette, running or closed."""
    header, ended = scene.header, [told for told in scene.told if told.ended]
    return ScoreSheet(
        title=variant_title(header.rules),
        terms=describe_chouette(header.rules, header.terms, header.decision_ms),
        days=" – ".join(
            dict.fromkeys(map(date, (header.created_at, scene.told[-1].at if scene.told else header.created_at)))
        ),
        players=tuple(_players(scene, ended)),
        games=tuple(_game(scene, number, list(told)) for number, told in groupby(ended, lambda one: one.game)),
        payments=tuple(_payments(ended, scene.name)),
    )


def _players(scene: ChouetteScene, ended: list[ChouetteTold]) -> Iterator[SheetPlayer]:
    took_part = {
        (told.game, player) for told in ended for player in (told.line[0], *(one.player for one in told.ended))
    }
    games = Counter(player for _game, player in took_part)
    ledger = scene.chouette.ledger
    for player in sorted(range(len(ledger)), key=lambda one: (-ledger[one], one)):
        seat = scene.seats[player]
        bot = seat.level is not None or seat.marked
        yield SheetPlayer(scene.name(player), bot, ledger[player], games[player])


def _game(scene: ChouetteScene, number: int, ended: list[ChouetteTold]) -> SheetGame:
    finished = scene.chouette.finished
    captain = scene.name(finished[number - 1].captain) if number <= len(finished) else ""
    results = tuple(
        SheetResult(result_of_pair(told, one, scene.name), _how(told, one, scene.name), time(told.at))
        for told in ended
        for one in told.ended
    )
    return SheetGame(number, scene.name(ended[0].line[0]), captain, results)


def _how(told: ChouetteTold, ended: PairEnded, name: NameOf) -> str:
    """By what a game ended: "Kim resigned, gammon, cube at 2"."""
    words = []
    if ended.how in REASONS:
        words.append(_(REASONS[ended.how], player=name(ended.player if ended.points > 0 else told.line[0])))
    if ended.level in LEVELS and ended.how in ("play", "resign"):
        words.append(_(LEVELS[ended.level]))
    if ended.cube:
        words.append(_("cube at %(value)s", value=ended.cube))
    return ", ".join(words)


def _payments(ended: list[ChouetteTold], name: NameOf) -> Iterator[str]:
    owed: defaultdict[tuple[int, int], float] = defaultdict(float)
    for told in ended:
        for one in told.ended:
            first, second = sorted((told.line[0], one.player))
            owed[first, second] += one.points if told.line[0] == first else -one.points
    for (first, second), points in sorted(owed.items(), key=lambda item: (-abs(item[1]), item[0])):
        if points:
            payer, payee = (second, first) if points > 0 else (first, second)
            said = points_text(abs(points))
            yield _("%(payer)s owes %(payee)s %(points)s", payer=name(payer), payee=name(payee), points=said)


def sheet_text(sheet: ScoreSheet) -> str:
    """The sheet as plain text, for a file."""
    lines = [
        _("Chouette, %(title)s", title=sheet.title),
        sheet.terms,
        _("%(days)s, times in UTC", days=sheet.days),
        "",
    ]
    wide = max((len(player.name) for player in sheet.players), default=0)
    for player in sheet.players:
        games = ngettext("%(num)s game", "%(num)s games", player.games)
        lines.append(f"{player.name:{wide}}  {number(player.points, sign=True):>7}  {games}")
    for game in sheet.games:
        lines += ["", _("Game %(number)s: box %(box)s", number=game.number, box=game.box)]
        if game.captain:
            lines.append("  " + _("captain at the end: %(captain)s", captain=game.captain))
        lines += [f"  {one.at}  {one.text}" + (f" ({one.how})" if one.how else "") for one in game.results]
    if sheet.payments:
        lines += ["", _("In sum"), *(f"  {payment}" for payment in sheet.payments)]
    return "\n".join(lines) + "\n"
