"""What one viewer may see and do in a chouette: the board of one game, and the list of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from barpoint.chouette import BOX, MAX_PLAYERS, TEAM, Chouette, ChouetteTerms, has_room, may, settleable
from barpoint.chouette.agent import match_of
from barpoint.chouette.allowed import for_box
from barpoint.chouette.state import ANSWERS
from barpoint.game import Game, kind_of
from barpoint.game.event import MoveMade
from barpoint.rules import Rules
from barpoint.server.domain.chouettes import DECISIONS, ChouetteHeader, ChouetteSeat, ListedChouette, seeds_of
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.titles import variant_title
from barpoint.server.protocol.chouette_text import ChouetteLine
from barpoint.server.protocol.chouettes import (
    ChouetteAllowed,
    ChouetteSeatShown,
    ChouetteShown,
    ChouetteState,
    SettlementShown,
)
from barpoint.server.protocol.match_text import EventTold, Names
from barpoint.server.protocol.match_view import AllowedShown, BoardScene, BoardView, Last, ScoreShown, may_shown, view
from barpoint.server.protocol.matches import PROTOCOL

BESIDE: Final = frozenset({"order", "leave", "waive", "ask"})
"""Actions that do not appear on the board."""

PER_CUBE: Final = frozenset({"double", "take", "pass", "beaver", "raccoon", "accept", "reject"})
"""What the box may do with each player separately."""

CONSULTING: Final = {"free": "", "in_game": "consulting once the cube is turned", "none": "no consulting"}


@dataclass(frozen=True, slots=True)
class ChouetteScene:
    """What a view of a chouette is made of.

    seats: by the players' numbers. lines: every event in words. made: the moves tried; roll_seq: the event that made
    their roll; version: theirs. deadline_at: when whoever is waited for is out of time, ms since 1970.
    """

    header: ChouetteHeader
    seats: tuple[ChouetteSeat, ...]
    table: Chouette
    lines: Sequence[ChouetteLine]
    made: tuple[MoveMade, ...]
    roll_seq: int
    version: int
    deadline_at: int | None

    def name(self, player: int) -> str:
        """What a player is called."""
        return self.seats[player].name if player < len(self.seats) else f"Player {player + 1}"


def describe_chouette(rules: Rules, terms: ChouetteTerms, decision_ms: int) -> str:
    """One line about a chouette, such as "A cube each, Jacoby rule, 3 minutes a decision"."""
    words = ["no cube"]
    if terms.cube and rules.cube:
        words = ["one cube for the team" if terms.one_cube else "a cube each"]
        words += ["Jacoby rule"] if terms.jacoby else []
        words += ["beavers"] if terms.beavers else []
        words += ["automatic doubles"] if terms.automatic_doubles else []
        words += ["half of the cubes taken"] if terms.half_taken else []
    words += [CONSULTING[terms.consulting.value]]
    words += [f"{name} a decision" for name, decision in DECISIONS.items() if decision == decision_ms]
    text = ", ".join(filter(None, words))
    return text[0].upper() + text[1:]


def listed_chouettes(found: list[ListedChouette], viewer: Guest | None) -> list[dict[str, Any]]:
    """Chouettes as lists show them; those in which the viewer plays come first."""
    shown = [
        {
            "id": one.id,
            "title": variant_title(one.rules),
            "terms": describe_chouette(one.rules, one.terms, one.decision_ms),
            "names": one.names,
            "own": viewer is not None and viewer.id in one.guests,
            "free": MAX_PLAYERS - len(one.names),
            "games": one.games,
        }
        for one in found
    ]
    return sorted(shown, key=lambda one: not one["own"])


def chouette_state(scene: ChouetteScene, player: int | None, after: int | None, now: int) -> ChouetteState:
    """Everything about a chouette that one viewer may see, with the events after one; None for those of this game."""
    table = scene.table
    facing = facing_of(table, player)
    start = table.first if after is None else after
    return ChouetteState(
        protocol=PROTOCOL,
        table=_fixed(scene),
        player=player,
        facing=facing,
        seq=len(table.events),
        roll_seq=scene.roll_seq,
        version=scene.version,
        playing=table.playing,
        over=table.over,
        games=len(table.finished),
        box=table.box,
        captain=_captain(table),
        places=tuple(_place(scene, one) for one in table.present),
        waits_for=table.waits_for,
        may=_beside(table, player),
        view=board_view(scene, player, facing),
        log=tuple(scene.lines[max(0, start) :]),
        talk=player is not None and table.may_consult(player),
        due_ms=None if scene.deadline_at is None else max(0, scene.deadline_at - now),
    )


def _fixed(scene: ChouetteScene) -> ChouetteShown:
    header = scene.header
    return ChouetteShown(
        id=header.id,
        variant=header.rules.name,
        title=variant_title(header.rules),
        terms=describe_chouette(header.rules, header.terms, header.decision_ms),
        one_cube=header.terms.one_cube,
        consulting=header.terms.consulting.value,
        decision_ms=header.decision_ms,
        commitment=seeds_of(header, scene.table, 0).commitment,
        seed=header.server_seed.hex() if scene.table.over else None,
    )


def _captain(table: Chouette) -> int | None:
    if table.playing:
        return table.captain
    return table.line[1] if table.ordered and len(table.line) > 1 else None


def facing_of(table: Chouette, player: int | None) -> int | None:
    """Which game against the box a viewer sees: their own while it runs, one waiting for the box, or the captain's."""
    if not table.pairs or table.captain is None:
        return None
    if player is not None and (table.still_in(player) or not table.playing) and table.pair(player) is not None:
        return player
    if table.playing and player == table.line[0]:
        return next((pair.player for pair in table.running if _asks_box(pair.game)), table.captain)
    return table.captain


def _asks_box(game: Game) -> bool:
    return game.actor == BOX and game.phase in ANSWERS


def _box_shown(table: Chouette) -> int:
    """The box of the game on the board, or of the last one."""
    return table.line[0] if table.playing or not table.finished else table.finished[-1].line[0]


def board_view(scene: ChouetteScene, player: int | None, facing: int | None) -> BoardView:
    """The board of one game, from the side of the viewer, with the actions that they may take there."""
    table = scene.table
    pair = table.pair(facing) if facing is not None else None
    if pair is None or facing is None or table.captain is None:
        empty = BoardScene(match_of(table, table.board), None, (), False)
        return view(empty, Names(("Box", "Team")))
    game, box = pair.game, _box_shown(table)
    mover = facing if game.phase in ANSWERS or game.over else table.captain
    near = TEAM if player is not None and table.pair(player) is not None else BOX
    names = Names((scene.name(box), scene.name(mover)), near if player in (box, mover) else None)
    board = BoardScene(match_of(table, game), _last_told(scene, game), scene.made, table.playing)
    shown = view(board, names, near)
    points = (table.ledger[box], table.ledger[mover])
    return msgspec.structs.replace(
        shown,
        allowed=_on_the_board(table, player, facing) if player is not None else (),
        score=ScoreShown(points[near], points[1 - near], 0, crawford=False),
        last=_in_words(scene, game, shown.last),
    )


def _line_of(scene: ChouetteScene, game: Game) -> ChouetteLine | None:
    """The line about the newest event of a game."""
    kind = kind_of(game.last) if game.last is not None else ""
    return next((line for line in reversed(scene.lines) if line.kind == kind), None)


def _last_told(scene: ChouetteScene, game: Game) -> EventTold | None:
    line = _line_of(scene, game)
    return None if line is None or game.last is None else EventTold(line.seq, line.at, line.game, game.last, line.faces)


def _in_words(scene: ChouetteScene, game: Game, last: Last | None) -> Last | None:
    line = _line_of(scene, game)
    return last if last is None or line is None else msgspec.structs.replace(last, text=line.text)


def _on_the_board(table: Chouette, player: int, facing: int) -> tuple[AllowedShown, ...]:
    """What the viewer may do on their board; the box answers one player at a time there, and doubles everybody."""
    found = []
    for item in may(table, player):
        kind = item.what.kind
        if kind in BESIDE:
            continue
        if not item.to or kind in ("double", "resign"):
            found.append(may_shown(item.what))
        elif facing in item.to:
            alone = None if table.terms.one_cube else for_box(table, facing, kind)
            found.append(may_shown(alone or item.what))
    return tuple(found)


def _beside(table: Chouette, player: int | None) -> tuple[ChouetteAllowed, ...]:
    """What the viewer may do outside the board."""
    if player is None:
        return (ChouetteAllowed("join"),) if has_room(table) else ()
    found = [ChouetteAllowed(item.what.kind) for item in may(table, player) if item.what.kind in BESIDE]
    for item in may(table, player):
        if item.what.kind in PER_CUBE and item.to and not table.terms.one_cube:
            found.append(ChouetteAllowed(item.what.kind, item.to, item.what.value))
    if table.playing:
        members = table.line[1:] if player == table.line[0] else (player,)
        settled = tuple(member for member in members if settleable(table, member))
        found += [ChouetteAllowed("settle", settled)] if settled else []
    return tuple(found)


def _place(scene: ChouetteScene, player: int) -> ChouetteSeatShown:
    table, place = scene.table, scene.seats[player]
    pair = table.pair(player)
    cube = pair.game.cube if pair is not None and pair.game.cube_in_play else None
    offers = (SettlementShown(one.player, one.points) for one in table.proposals if one.member == player)
    return ChouetteSeatShown(
        player=player,
        name=place.name,
        bot=place.level is not None or place.marked,
        role=_role(table, player),
        state=_state(table, player),
        points=table.ledger[player],
        leaving=player in table.leaving,
        asks=player in table.asks,
        cube=cube.value if cube is not None else 0,
        owner=None if cube is None or cube.owner is None else ("box", "player")[cube.owner],
        offered=cube.offered if cube is not None else 0,
        won=_won(table, player),
        seed=next((given.text for given in table.seeds if given.player == player), None),
        settle=tuple(offers),
    )


def _role(table: Chouette, player: int) -> str:
    if player in table.joining:
        return "waiting"
    if not table.ordered:
        return "team"
    return "box" if player == table.line[0] else "captain" if player == _captain(table) else "team"


def _state(table: Chouette, player: int) -> str:
    if not table.playing or player in table.joining:
        return ""
    if player in table.must_answer:
        return "answer"
    if player in table.waits_for:
        return "ask" if player in table.undecided else "act"
    return "in" if player == table.line[0] or table.still_in(player) else "out"


def _won(table: Chouette, player: int) -> float | None:
    """What a player has won in the game on the board, or in the last one."""
    results = {pair.player: pair.game.result for pair in table.pairs if pair.game.result is not None}
    won = {
        one: result.points * (0, -1, 1)[0 if result.winner is None else 1 + result.winner]
        for one, result in results.items()
    }
    if table.pairs and player == _box_shown(table):
        return -sum(won.values()) if won else None
    return won.get(player)
