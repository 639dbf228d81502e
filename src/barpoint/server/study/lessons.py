"""Lessons: positions on a board where a move is asked for, tried by hand, and answered by the rules."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from msgspec import UNSET, Struct, structs

from barpoint.board import HAND, OFF, Position, Side
from barpoint.error import BarpointError, IllegalMove
from barpoint.game import Opening, Phase, Result
from barpoint.game.event import MoveMade
from barpoint.game.manual import carry
from barpoint.game.phase import RollRecord
from barpoint.language import N_, _
from barpoint.match import Match, MatchTerms
from barpoint.match.terms import match_terms_of
from barpoint.moves import Turn, find_play, legal_plays, parse_play
from barpoint.rules import Rules
from barpoint.server.domain.real_board import free_moves, hand_path
from barpoint.server.protocol.board_view import AllowedShown, BoardView, TurnShown
from barpoint.server.protocol.match_text import Names
from barpoint.server.protocol.match_view import BoardScene, view
from barpoint.variants import variant

FOLDER: Final = Path(__file__).parents[2] / "data" / "learn"

ANSWERS: Final = frozenset({"take", "pass", "beaver"})
"""What is asked for where the other side has doubled."""

EFFECTS: Final = {"hit": 1, "pin": 2}

NO_EFFECT: Final = {
    "hit": N_("Legal, but it makes no hit. Try again."),
    "pin": N_("Legal, but it makes no pin. Try again."),
}


MONEY: Final = MatchTerms(length=0)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position with what is said and asked about it.

    page: the page it belongs to; after: the heading below which its picture stands, "" for none.
    position: seen by the player who learns. dice: () where nothing has been rolled. event: what is asked for, where that
    is no play. theirs: the other side rolled the dice, and has played them.
    accept: the plays that are right, in notation; every legal play where it is empty. wants: a hit or a pin, "" for neither.
    free: checkers may go anywhere, and the answer says whether the play is legal. arrows: a play shown in the picture.
    cube: shown in the picture; 0 for none. On a board it is 1 unless said. owner: whose it is, "us" or "them", "" while in
    the middle. terms: of the match it is from; a money session unless said.
    """

    id: str
    page: str
    title: str
    text: str
    ask: str
    right: str
    rules: Rules
    position: Position
    after: str = ""
    dice: tuple[int, ...] = ()
    event: str = ""
    theirs: bool = False
    accept: tuple[str, ...] = ()
    wants: str = ""
    free: bool = False
    arrows: str = ""
    cube: int = 0
    owner: str = ""
    terms: MatchTerms = MONEY


class LessonAnswer(Struct, frozen=True):
    """What is said about a play. legal: by the rules. right: what was asked for. text: a sentence or two."""

    legal: bool
    right: bool
    text: str


@lru_cache(maxsize=1)
def lessons() -> dict[str, Lesson]:
    """Every lesson by its id, in the order of the files."""
    found: dict[str, Lesson] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["lesson"]:
            lesson = _lesson({"page": file.stem.replace("_", "-"), **entry})
            assert lesson.id not in found, f"two lessons are called {lesson.id}"
            found[lesson.id] = lesson
    return found


def lessons_of(page: str) -> tuple[Lesson, ...]:
    """The lessons of a page, in order."""
    return tuple(lesson for lesson in lessons().values() if lesson.page == page)


def _lesson(entry: dict[str, Any]) -> Lesson:
    rules = variant(entry.pop("game", "backgammon"))
    own, other = entry.pop("us", None), entry.pop("them", None)
    start = rules.start
    position = Position(_side(rules, own, start.us), _side(rules, other, start.them))
    texts = {name: entry.pop(name, "") for name in ("title", "text", "ask", "right")}
    dice, accept = tuple(entry.pop("dice", ())), tuple(entry.pop("accept", ()))
    terms = match_terms_of({"length": 0, **entry.pop("terms", {})})
    return Lesson(**texts, rules=rules, position=position, dice=dice, accept=accept, terms=terms, **entry)


def _side(rules: Rules, text: str | None, start: Side) -> Side:
    """A side written as "24:2 13:5 26:1 15:p": counts by point, 25 the bar, 26 the hand, p a single pinned checker."""
    if text is None:
        return start
    counts, pinned = {}, 0
    for part in text.split():
        point, _, count = part.partition(":")
        pinned |= (count == "p") << int(point)
        counts[int(point)] = 1 if count == "p" else int(count)
    hand = counts.pop(HAND, 0)
    counts.setdefault(OFF, rules.checkers - sum(counts.values()) - hand)
    return Side.of(counts, hand, pinned)


def board_of(lesson: Lesson, moves: tuple[MoveMade, ...] = ()) -> BoardView:
    """The board of a lesson after the moves tried; IllegalMove where they may not be made, PositionError where they cannot."""
    match = _match(lesson)
    names = Names((_("You"), _("Opponent")), 0)
    if not lesson.dice or lesson.theirs:
        shown = view(BoardScene(match, None, (), playing=True), names, 0)
        return structs.replace(shown, allowed=tuple(may for may in shown.allowed if may.kind != "resign"))
    if lesson.free:
        turn = _free_turn(lesson, moves)
    else:
        turn = TurnShown(Turn(lesson.rules, lesson.position, lesson.dice, moves).graph.nodes, moves)
    shown = view(BoardScene(match, None, (), playing=True), names, 0)
    rerolls = tuple(may for may in shown.allowed if may.kind == "rollover")
    return structs.replace(shown, turn=turn, allowed=(AllowedShown("play"), *rerolls), to_act="near", roll=UNSET)


def _match(lesson: Lesson) -> Match:
    """A match in which the first player has the position of the lesson, and the roll or the decision."""
    match = Match.fold(lesson.rules, lesson.terms, (Opening((2, 1)),))
    game = structs.replace(match.game, position=lesson.position, player=0, turn_number=3, roll_count=0, last_roll=None)
    if lesson.cube or lesson.owner:
        owner = {"us": 0, "them": 1}.get(lesson.owner)
        game = structs.replace(
            game, cube=structs.replace(game.cube, value=lesson.cube or 1, owner=owner, turned=owner is not None)
        )
    if lesson.theirs:
        record = RollRecord(id=3, player=1, turn=2, count=1, faces=lesson.dice, before=lesson.position.flip())
        game = structs.replace(game, phase=Phase.TO_ROLL, last_roll=record, roll_id=3, rerollable_id=3)
        if lesson.position.them.points[OFF] == lesson.rules.checkers:
            ended = Result(winner=1, points=game.cube.value, level=1, how="play")
            game = structs.replace(
                game, phase=Phase.PROVISIONAL_END, player=1, position=lesson.position.flip(), ended=ended
            )
    elif lesson.dice:
        record = RollRecord(id=3, player=0, turn=3, count=1, faces=lesson.dice, before=lesson.position)
        game = structs.replace(game, phase=Phase.TO_PLAY, last_roll=record, roll_id=3, roll_count=1)
    elif lesson.event in ANSWERS:
        cube = structs.replace(game.cube, offered=2 * game.cube.value, turned=True)
        game = structs.replace(game, phase=Phase.DOUBLED, player=1, position=lesson.position.flip(), cube=cube)
    else:
        game = structs.replace(game, phase=Phase.TO_ROLL)
    return structs.replace(match, game=game)


def _free_turn(lesson: Lesson, made: tuple[MoveMade, ...]) -> TurnShown:
    rules, position = lesson.rules, lesson.position
    try:
        nodes = Turn(rules, position, lesson.dice, made).graph.nodes
    except IllegalMove:
        nodes = hand_path(rules, position, made)
    return TurnShown(nodes, made, free_moves(rules, position, made))


def answer_play(lesson: Lesson, moves: tuple[MoveMade, ...]) -> LessonAnswer:
    """What the rules say about a play, and whether it is what was asked for."""
    try:
        play = find_play(lesson.rules, lesson.position, lesson.dice, moves)
    except BarpointError as error:
        return LessonAnswer(legal=False, right=False, text=_why_illegal(lesson, moves, error))
    if lesson.wants and EFFECTS[lesson.wants] not in play.effects:
        return LessonAnswer(legal=True, right=False, text=_(NO_EFFECT[lesson.wants]))
    if lesson.accept:
        wanted = {parse_play(lesson.rules, lesson.position, lesson.dice, text).result for text in lesson.accept}
        if play.result not in wanted:
            return LessonAnswer(
                legal=True,
                right=False,
                text=_(
                    "%(play)s is legal, but something else is asked for. Try again.", play=str(play) or _("No play")
                ),
            )
    return LessonAnswer(
        legal=True,
        right=True,
        text=_("Right: %(answer)s", answer=_(lesson.right))
        if lesson.accept or lesson.wants
        else _("Legal. %(answer)s", answer=_(lesson.right)),
    )


def _why_illegal(lesson: Lesson, moves: tuple[MoveMade, ...], error: BarpointError) -> str:
    """Why a play is not legal, with a legal one."""
    example = legal_plays(lesson.rules, lesson.position, lesson.dice)[0]
    instead = _("Legal is %(play)s, for example.", play=example) if example.moves else _("Nothing can be played.")
    try:
        Turn(lesson.rules, lesson.position, lesson.dice, moves)
    except IllegalMove:
        try:
            carry(lesson.rules, lesson.position, moves)
        except BarpointError:
            return _("Not legal: %(why)s.", why=error.translated())
        dice = "-".join(map(str, lesson.dice))
        return _("Not a legal play of %(dice)s. %(instead)s", dice=dice, instead=instead)
    return _("Not finished: more of the roll can be played. %(instead)s", instead=instead)


def answer_event(lesson: Lesson, kind: str) -> LessonAnswer:
    """Whether an action is the one that was asked for."""
    right = kind == lesson.event
    return LessonAnswer(
        legal=True,
        right=right,
        text=_("Right: %(answer)s", answer=_(lesson.right)) if right else _("Something else is asked for. Try again."),
    )
