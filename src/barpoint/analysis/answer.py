"""What another option would have lost; a play that a report did not rank is judged in a process of its own.

`python -m barpoint.analysis.answer PLIES` reads a `Question` as JSON and writes the decision as if this play had been made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct, structs

from barpoint.analysis.findings import Decision, mark_of
from barpoint.analysis.judge import SAME, Judge
from barpoint.analysis.lesson import taught_at
from barpoint.engine import Engine
from barpoint.error import BarpointError, IllegalMove
from barpoint.game import Correct, PlayMade
from barpoint.game.event import MoveMade, counts_of
from barpoint.match import Match, read_log
from barpoint.moves import find_play
from barpoint.priority import lower_priority

BEHIND: Final = 5
"""Added to the niceness of the starting process: higher priority than an analysis, lower than play."""


CUBE_ACTIONS: Final = {
    "no double": ("No double", True),
    "double/take": ("Double", True),
    "double/pass": ("Double", False),
    "too good": ("No double", False),
}
"""What can be right of a double, and what it is made of: an option of the decision, and whether the other side takes."""


class Question(Struct, frozen=True):
    """Asks to judge another play. log: of the match. event: the number of the play that was made, from 1."""

    log: msgspec.Raw
    event: int
    moves: Annotated[tuple[MoveMade, ...], Meta(max_length=64)]


def before(match: Match, event: int) -> Match:
    """The match as it stood before one of its events, which are counted from 1."""
    return Match.fold(match.rules, match.terms, match.events[: event - 1])


def states_before(match: Match, events: Iterable[int]) -> dict[int, Match]:
    """The match as it stood before each of some of its events, by their numbers; the match is replayed once."""
    wanted = {*events}
    return {number: then for number, (then, _event) in enumerate(match.history(), 1) if number in wanted}


def played(match: Match, event: int, moves: tuple[MoveMade, ...]) -> tuple[Match, PlayMade]:
    """The match before an event, and the play of these moves instead; IllegalMove says what is allowed."""
    made = match.events[event - 1]
    if not isinstance(made, PlayMade | Correct):
        raise IllegalMove("event %(event)s is no play", event=event)
    then = before(match, event)
    play = find_play(then.game.rules, then.game.position, then.game.faces, moves)
    return then, PlayMade(made.player, play.moves, position=counts_of(play.result), again=play.again)


def chosen(match: Match, decision: Decision, moves: tuple[MoveMade, ...]) -> Decision | None:
    """The decision as if these moves had been made, with its lesson; None where the report has not ranked their play.

    IllegalMove says what is allowed.
    """
    then, made = played(match, decision.event, moves)
    found = (index for index, option in enumerate(decision.options) if option.position == made.position)
    at = next(found, None)
    if at is None:
        return None
    other = structs.replace(_otherwise(decision, at), lesson="", themes=())
    return taught_at(then, other) if other.loss else other


def choices_of(decision: Decision) -> tuple[str, ...]:
    """What can be answered to a decision that is no play: its options; of a double also what the other side should do."""
    return tuple(CUBE_ACTIONS) if _asks_action(decision) else tuple(option.text for option in decision.options)


def with_choice(decision: Decision, choice: str) -> tuple[Decision, str]:
    """The decision as if one of its choices had been made, and the right one.

    A wrong answer of the other side to a double loses the difference between take and pass.
    """
    texts = [option.text for option in decision.options]
    if decision.cube is None or not _asks_action(decision):
        return _otherwise(decision, texts.index(choice)), decision.best.text
    cube, right = decision.cube, decision.cube.action.replace("double/beaver", "double/take")
    done, takes = CUBE_ACTIONS[choice]
    besides = 0.0 if takes == CUBE_ACTIONS[right][1] else abs(cube.double_take - cube.double_pass)
    return _otherwise(decision, texts.index(done), besides), right


def _asks_action(decision: Decision) -> bool:
    return decision.cube is not None and decision.kind in ("double", "no double")


def _otherwise(decision: Decision, at: int, besides: float = 0.0) -> Decision:
    """The decision as if another option had been taken; besides: what is lost by what was to follow."""
    option = decision.options[at]
    loss = round(option.loss + besides, 5)
    loss = loss if loss >= SAME else 0.0
    cost = decision.best.value - option.value if loss and not besides else 0.0
    return structs.replace(decision, chosen=at, loss=loss, cost=round(cost, 6), mark=mark_of(loss))


def judged(match: Match, event: int, moves: tuple[MoveMade, ...], plies: int) -> Decision:
    """The decision as if these moves had been made, searched to this depth; IllegalMove."""
    then, made = played(match, event, moves)
    rules = then.game.rules
    decisions, _ = Judge(Engine(rules, plies=plies), Engine(rules)).play(then, made, event)
    found = next(one for one in decisions if one.kind == "play")
    return taught_at(then, found) if found.loss and not found.lesson else found


def main() -> int:
    """Answer the question on standard input; 2 when it cannot be answered."""
    lower_priority(BEHIND)
    try:
        question = msgspec.json.decode(sys.stdin.buffer.read(), type=Question)
        found = judged(read_log(bytes(question.log)), question.event, question.moves, int(sys.argv[1]))
    except (BarpointError, msgspec.DecodeError) as error:
        print(error, file=sys.stderr)
        return 2
    sys.stdout.buffer.write(msgspec.json.encode(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
