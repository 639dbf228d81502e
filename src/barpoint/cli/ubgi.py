"""`barpoint engine --ubgi`: answers positions by UBGI, the Universal Backgammon Interface (docs/protocol.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version

import typer

from barpoint.cli.external import match_of
from barpoint.engine import Bot
from barpoint.error import BarpointError
from barpoint.game import Beaver, Cube, Double, Event, Game, Pass, PlayMade, Raccoon, Roll, Take
from barpoint.match import Match, MatchTerms
from barpoint.match.situation import Offer, Situation
from barpoint.moves import find_play
from barpoint.moves.notation import point_name
from barpoint.record import parse_xgid
from barpoint.record.fibs_board import MAX_LINE_LENGTH, parse_board
from barpoint.variants import variant


def replies(lines: Iterable[str], level: str, time_ms: float | None = None) -> Iterator[str]:
    """The lines that answer these, in order; it ends after `quit`.

    time_ms: the budget of each decision, in which it searches deeper than the level.
    """
    bot: Bot | None = None
    for line in lines:
        said = line.strip()[:MAX_LINE_LENGTH]
        if said == "quit":
            return
        if said == "ubgi":
            bot = Bot("backgammon", level, time_ms=time_ms)
            yield from (
                "id name Barpoint",
                "id author Barpoint contributors",
                f"id version {version('barpoint')}",
                "readyok",
            )
        elif said == "stop":
            continue
        elif bot is None or not said:
            yield "sorry"
        else:
            yield _reply(bot, said)


def _reply(bot: Bot, said: str) -> str:
    try:
        if said.startswith("board:"):
            match, player = match_of(parse_board(said)), 0
        else:
            situation = parse_xgid(said)
            match, player = _match_at(situation), situation.actor
        event = bot.event(match, player)
    except BarpointError as error:
        typer.echo(error.translated(), err=True)  # the interface has no word for a reason
        return "sorry"
    return "sorry" if event is None else _words(match.game, event)


def _match_at(situation: Situation) -> Match:
    """The match of a situation; errors of the family for what cannot be."""
    rules = variant("backgammon")
    money = situation.length == 0
    terms = MatchTerms(
        situation.length, jacoby=money and situation.jacoby, beavers=3 if money and situation.beavers else 0
    )
    game = Game.at(
        rules,
        situation.position,
        situation.player,
        stakes=terms.stakes(situation.crawford, after_crawford=False),
        faces=situation.dice,
        cube=Cube(situation.cube, situation.owner),
    )
    if situation.offer is not Offer.NONE:
        game = game.apply(Double(situation.player))
    if situation.offer in (Offer.BEAVER, Offer.RACCOON):
        game = game.apply(Beaver(1 - situation.player))
    if situation.offer is Offer.RACCOON:
        game = game.apply(Raccoon(situation.player))
    first, second = (float(points) for points in situation.score)
    return Match(rules, terms, game, score=(first, second), crawford=situation.crawford)


def _words(game: Game, event: Event) -> str:
    match event:
        case PlayMade(_, moves):
            play = find_play(game.rules, game.position, game.faces, moves)
            return " ".join(f"{point_name(source)}/{point_name(target)}" for source, target, _ in play.moves)
        case Roll():
            return "roll"
        case Double():
            return "double"
        case Take():
            return "take"
        case Pass():
            return "drop"
        case _:  # a beaver, for which the interface has no word
            return "take"
