"""What one viewer may see and do in a chouette: the board of one game, and the list of all."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from barpoint.chouette import BOX, MAX_PLAYERS, TEAM, Chouette, ChouetteTerms, has_room, may, settleable
from barpoint.chouette.agent import match_of
from barpoint.chouette.allowed import for_box
from barpoint.chouette.state import ANSWERS
from barpoint.game import Game, kind_of
from barpoint.game.event import MoveMade
from barpoint.language import N_, _
from barpoint.rules import Rules
from barpoint.server.domain.chouettes import DECISIONS, ChouetteHeader, ChouetteSeat, ListedChouette, seeds_of
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.seat_names import shown_name
from barpoint.server.domain.titles import variant_title
from barpoint.server.protocol.board_view import AllowedShown, BoardView, Last, ScoreShown
from barpoint.server.protocol.chouette_text import ChouetteTold, line, resignation_text
from barpoint.server.protocol.chouettes import (
    ChouetteAllowed,
    ChouetteSeatShown,
    ChouetteShown,
    ChouetteState,
    SettlementShown,
)
from barpoint.server.protocol.match_text import EventTold, Names
from barpoint.server.protocol.match_view import BoardScene, may_shown, side_of, view
from barpoint.server.protocol.matches import PROTOCOL

OFF_BOARD: Final = frozenset({"order", "leave", "waive", "ask"})
"""Actions that do not appear on the board."""

PER_CUBE: Final = frozenset({"double", "take", "pass", "beaver", "raccoon", "accept", "reject"})
"""What the box may do with each player separately."""

CONSULTING: Final = {
    "free": "",
    "in_game": N_("consulting once the cube is turned"),
    "none": N_("no consulting"),
}


@dataclass(frozen=True, slots=True)
class ChouetteScene:
    """What a view of a chouette is made of.

    seats: by the players' numbers. told: every event, with the data to describe it. made: the moves tried; roll_seq: the event that made
    their roll; version: theirs. deadline_at: when whoever is waited for is out of time, ms since 1970.
    """

    header: ChouetteHeader
    seats: tuple[ChouetteSeat, ...]
    chouette: Chouette
    told: Sequence[ChouetteTold]
    made: tuple[MoveMade, ...]
    roll_seq: int
    version: int
    deadline_at: int | None

    def name(self, player: int) -> str:
        """What a player is called."""
        return self.seats[player].shown_name if player < len(self.seats) else _("Player %(number)s", number=player + 1)

    def short_name(self, player: int) -> str:
        """What a player is called at the board and in the list of moves."""
        return self.seats[player].short_name if player < len(self.seats) else self.name(player)


def describe_chouette(rules: Rules, terms: ChouetteTerms, decision_ms: int) -> str:
    """One line about a chouette, such as "A cube each, Jacoby rule, 3 minutes a decision"."""
    words = [_("no cube")]
    if terms.cube and rules.cube:
        words = [_("one cube for the team") if terms.one_cube else _("a cube each")]
        words += [_("Jacoby rule")] if terms.jacoby else []
        words += [_("beavers")] if terms.beavers else []
        words += [_("automatic doubles")] if terms.automatic_doubles else []
        words += [_("half of the cubes taken")] if terms.half_taken else []
    words += [_(CONSULTING[terms.consulting.value])]
    words += [_("%(time)s a decision", time=_(name)) for name, decision in DECISIONS.items() if decision == decision_ms]
    text = ", ".join(filter(None, words))
    return text[0].upper() + text[1:]


def listed_chouettes(
    found: Sequence[ListedChouette], viewer: Guest | None, waiting: Container[str] = ()
) -> list[dict[str, Any]]:
    """Chouettes as lists show them; those in which the viewer plays come first. waiting: ids of those that wait for them."""
    shown = [
        {
            "id": one.id,
            "title": variant_title(one.rules),
            "terms": describe_chouette(one.rules, one.terms, one.decision_ms),
            "names": tuple(
                shown_name(name, person=guest is not None) for name, guest in zip(one.names, one.guests, strict=True)
            ),
            "own": viewer is not None and viewer.id in one.guests,
            "mine": one.id in waiting,
            "free": MAX_PLAYERS - len(one.names),
            "games": one.games,
        }
        for one in found
    ]
    return sorted(shown, key=lambda one: not one["own"])


def chouette_state(scene: ChouetteScene, player: int | None, after: int | None, now: int) -> ChouetteState:
    """Everything about a chouette that one viewer may see, with the events after one; None for those of this game."""
    chouette = scene.chouette
    facing = facing_of(chouette, player)
    start = chouette.first if after is None else after
    return ChouetteState(
        protocol=PROTOCOL,
        chouette=_fixed(scene),
        player=player,
        facing=facing,
        seq=len(chouette.events),
        roll_seq=scene.roll_seq,
        version=scene.version,
        playing=chouette.playing,
        over=chouette.over,
        games=len(chouette.finished),
        box=chouette.box,
        captain=_captain(chouette),
        places=tuple(_place(scene, one) for one in chouette.present),
        waits_for=chouette.waits_for,
        may=_beside(chouette, player),
        view=board_view(scene, player, facing),
        log=tuple(line(told, scene.short_name) for told in scene.told[max(0, start) :]),
        may_chat=player is not None and chouette.may_consult(player),
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
        commitment=seeds_of(header, scene.chouette, 0).commitment,
        seed=header.server_seed.hex() if scene.chouette.over else None,
    )


def _captain(chouette: Chouette) -> int | None:
    if chouette.playing:
        return chouette.captain
    return chouette.line[1] if chouette.ordered and len(chouette.line) > 1 else None


def facing_of(chouette: Chouette, player: int | None) -> int | None:
    """Which game against the box a viewer sees: their own while it runs, one waiting for the box, or the captain's."""
    if not chouette.pairs or chouette.captain is None:
        return None
    if player is not None and (chouette.still_in(player) or not chouette.playing) and chouette.pair(player) is not None:
        return player
    if chouette.playing and player == chouette.line[0]:
        return next((pair.player for pair in chouette.running if _asks_box(pair.game)), chouette.captain)
    return chouette.captain


def _asks_box(game: Game) -> bool:
    return game.actor == BOX and game.phase in ANSWERS


def _box_shown(chouette: Chouette) -> int:
    """The box of the game on the board, or of the last one."""
    return chouette.line[0] if chouette.playing or not chouette.finished else chouette.finished[-1].line[0]


def board_view(scene: ChouetteScene, player: int | None, facing: int | None) -> BoardView:
    """The board of one game, from the side of the viewer, with the actions that they may take there."""
    chouette = scene.chouette
    pair = chouette.pair(facing) if facing is not None else None
    if pair is None or facing is None or chouette.captain is None:
        empty = BoardScene(match_of(chouette, chouette.board), None, (), False)
        return view(empty, Names((_("Box"), _("Team"))))
    game, box = pair.game, _box_shown(chouette)
    mover = facing if game.phase in ANSWERS or game.over else chouette.captain
    near = TEAM if player is not None and chouette.pair(player) is not None else BOX
    names = Names((scene.short_name(box), scene.short_name(mover)), near if player in (box, mover) else None)
    board = BoardScene(match_of(chouette, game), _last_told(scene, game), scene.made, chouette.playing)
    shown = view(board, names, near)
    points = (chouette.ledger[box], chouette.ledger[mover])
    awaited = {side_of(seat, near) for seat, one in enumerate((box, mover)) if one in chouette.waits_for}
    return msgspec.structs.replace(
        shown,
        to_act=shown.to_act if shown.to_act in awaited else None,  # else others are asked first, whether they double
        allowed=_on_the_board(chouette, player, facing) if player is not None else (),
        score=ScoreShown(points[near], points[1 - near], 0, crawford=False),
        last=_in_words(scene, game, shown.last),
    )


def _told_of(scene: ChouetteScene, game: Game) -> ChouetteTold | None:
    """The newest event of a game."""
    kind = kind_of(game.last) if game.last is not None else ""
    return next((told for told in reversed(scene.told) if told.kind == kind), None)


def _last_told(scene: ChouetteScene, game: Game) -> EventTold | None:
    told = _told_of(scene, game)
    return None if told is None or game.last is None else EventTold(told.seq, told.at, told.game, game.last, told.faces)


def _in_words(scene: ChouetteScene, game: Game, last: Last | None) -> Last | None:
    told = _told_of(scene, game)
    if last is None or told is None:
        return last
    return msgspec.structs.replace(last, text=line(told, scene.short_name).text)


def _on_the_board(chouette: Chouette, player: int, facing: int) -> tuple[AllowedShown, ...]:
    """What the viewer may do on their board; the box answers one player at a time there, and doubles everybody."""
    found = []
    for item in may(chouette, player):
        kind = item.what.kind
        if kind in OFF_BOARD:
            continue
        if not item.to or kind in ("double", "resign"):
            found.append(may_shown(item.what))
        elif facing in item.to:
            alone = None if chouette.terms.one_cube else for_box(chouette, facing, kind)
            found.append(may_shown(alone or item.what))
    return tuple(found)


def _beside(chouette: Chouette, player: int | None) -> tuple[ChouetteAllowed, ...]:
    """What the viewer may do outside the board."""
    if player is None:
        return (ChouetteAllowed("join"),) if has_room(chouette) else ()
    found = [ChouetteAllowed(item.what.kind) for item in may(chouette, player) if item.what.kind in OFF_BOARD]
    for item in may(chouette, player):
        if item.what.kind in PER_CUBE and item.to and not chouette.terms.one_cube:
            found.append(ChouetteAllowed(item.what.kind, item.to, item.what.value))
    if chouette.playing:
        members = chouette.line[1:] if player == chouette.line[0] else (player,)
        settled = tuple(member for member in members if settleable(chouette, member))
        found += [ChouetteAllowed("settle", settled)] if settled else []
        offered = tuple(one.member for one in chouette.offers if one.player == player)
        found += [ChouetteAllowed("withdraw", offered)] if offered else []
    return tuple(found)


def _place(scene: ChouetteScene, player: int) -> ChouetteSeatShown:
    chouette, place = scene.chouette, scene.seats[player]
    pair = chouette.pair(player)
    cube = pair.game.cube if pair is not None and pair.game.cube_in_play else None
    offers = (SettlementShown(one.player, one.points) for one in chouette.offers if one.member == player)
    return ChouetteSeatShown(
        player=player,
        name=place.shown_name,
        bot=place.level is not None or place.marked,
        role=_role(chouette, player),
        state=_state(chouette, player),
        points=chouette.ledger[player],
        leaving=player in chouette.leaving,
        asks=player in chouette.asks,
        cube=cube.value if cube is not None else 0,
        owner=None if cube is None or cube.owner is None else ("box", "player")[cube.owner],
        offered=cube.offered if cube is not None else 0,
        won=_won(chouette, player),
        seed=next((given.text for given in chouette.seeds if given.player == player), None),
        settle=tuple(offers),
        resigned=_resigned(scene, player),
    )


def _resigned(scene: ChouetteScene, player: int) -> str:
    """What is accepted with the resignation that is pending in a player's game; "" without one."""
    pair = scene.chouette.pair(player)
    if pair is None or not scene.chouette.playing:
        return ""
    return resignation_text(pair.game, scene.short_name(scene.chouette.line[0]), scene.short_name(player))


def _role(chouette: Chouette, player: int) -> str:
    if player in chouette.joining:
        return "waiting"
    if not chouette.ordered:
        return "team"
    return "box" if player == chouette.line[0] else "captain" if player == _captain(chouette) else "team"


def _state(chouette: Chouette, player: int) -> str:
    if not chouette.playing or player in chouette.joining:
        return ""
    if player in chouette.must_answer:
        return "answer"
    if player in chouette.waits_for:
        return "ask" if player in chouette.undecided else "act"
    return "in" if player == chouette.line[0] or chouette.still_in(player) else "out"


def _won(chouette: Chouette, player: int) -> float | None:
    """What a player has won in the game on the board, or in the last one."""
    results = {pair.player: pair.game.result for pair in chouette.pairs if pair.game.result is not None}
    won = {
        one: result.points * (0, -1, 1)[0 if result.winner is None else 1 + result.winner]
        for one, result in results.items()
    }
    if chouette.pairs and player == _box_shown(chouette):
        return -sum(won.values()) if won else None
    return won.get(player)
