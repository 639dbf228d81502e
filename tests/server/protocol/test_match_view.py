"""The view for each viewer: own side near, only own rights, the turn as a graph."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import msgspec
import pytest
from msgspec import UNSET, structs

from barpoint.dice import seeded
from barpoint.driver import next_event
from barpoint.game import (
    Abort,
    Accept,
    Double,
    Event,
    Next,
    Opening,
    Pass,
    PlayMade,
    Resign,
    Roll,
    Rollover,
    Take,
)
from barpoint.game.event import MoveMade
from barpoint.match import Match
from barpoint.moves import legal_plays
from barpoint.server.domain.real_board import Nodes
from barpoint.server.protocol.board_view import BoardView, OpeningRollShown, TurnShown
from barpoint.server.protocol.match_text import EventTold, Names, sentence, tell
from barpoint.server.protocol.match_view import BoardScene, line, view
from barpoint.variants import variant
from tests.support.games import session_with_highest_cube
from tests.support.scripted_bots import ChanceBot

NAMES = ("Anna", "Ben")


def seen(match: Match, seat: int | None, made: tuple[MoveMade, ...] = (), playing: bool = True) -> BoardView:
    """The match for a viewer, with its last event."""
    last = None
    if match.events:
        before = Match.fold(match.rules, match.terms, match.events[:-1])
        last = tell(before.game, match.events[-1], len(match.events), 0, 1)
    return view(BoardScene(match, last, made, playing), Names(NAMES, seat))


def after(events: Iterable[Event], name: str = "backgammon", length: int = 3, **options: bool) -> Match:
    match = Match.start(length, name, **options)
    for event in events:
        match = match.apply(event)
    return match


OPENED = (Opening((6, 5)),)
PLAYED = (*OPENED, PlayMade(0, ((24, 18, 6), (18, 13, 5))))


def test_each_player_is_near_to_themselves_and_player_0_to_a_spectator() -> None:
    match = after(PLAYED)
    first, second, watching = (seen(match, seat) for seat in (0, 1, None))
    assert first.near.points[24] == 1
    assert second.near.points[24] == 2
    assert second.far == first.near == watching.near
    assert (first.to_act, second.to_act) == ("far", "near")
    assert (first.labels.near, first.labels.far) == ("You", "Ben")
    assert (watching.labels.near, watching.labels.far) == ("Anna", "Ben")
    assert (second.pips.near, second.pips.far) == (167, 156)


def test_the_highest_cube_is_told_exactly() -> None:
    told = msgspec.json.decode(msgspec.json.encode(seen(session_with_highest_cube(), 1)))
    assert told["cube"]["value"] == 2**62
    resign = next(item for item in told["allowed"] if item["kind"] == "resign")
    assert resign["points"] == [2**62, 2 * 2**62, 3 * 2**62]


@pytest.mark.parametrize(("length", "levels"), [(1, (1,)), (2, (1, 2)), (3, (1, 2, 3)), (7, (1, 2, 3))])
def test_no_more_is_resigned_than_wins_the_match(length: int, levels: tuple[int, ...]) -> None:
    resign = next(may for may in seen(after(PLAYED, length=length), 1).allowed if may.kind == "resign")
    assert (resign.levels, resign.points) == (levels, levels)


@pytest.mark.parametrize(("length", "dead"), [(2, True), (3, False), (0, False)])
def test_a_double_that_gains_nothing_is_marked_and_not_forbidden(length: int, dead: bool) -> None:
    """D-12."""
    match = after([*PLAYED, Double(1), Take(0), Roll(1, (3, 1)), PlayMade(1, ((8, 5, 3), (6, 5, 1)))], length=length)
    double = next(may for may in seen(match, 0).allowed if may.kind == "double")
    assert (double.reason == "dead") is dead
    assert match.cube_is_dead(0) is dead


def test_leaving_before_the_first_roll_is_marked_where_it_loses_the_match() -> None:
    match = Match.start(3)
    for loses, reason in ((False, UNSET), (True, "loses")):
        (leave,) = view(BoardScene(match, None, (), True, loses), Names(NAMES, 1)).allowed
        assert (leave.kind, leave.reason) == ("abort", reason)


def test_only_the_viewers_own_rights_are_told() -> None:
    match = after(PLAYED)
    assert [may.kind for may in seen(match, 1).allowed] == ["roll", "double", "resign"]
    assert [may.kind for may in seen(match, 0).allowed] == ["resign"]
    assert seen(match, None).allowed == ()


def test_nobody_may_do_anything_before_both_are_there() -> None:
    waiting = seen(Match.start(3), 0, playing=False)
    assert waiting.allowed == ()
    assert waiting.to_act is None
    assert waiting.turn is None


def test_nobody_is_to_act_in_a_match_that_was_ended_early() -> None:
    ended = seen(after([*PLAYED, Abort(voided=True)]), 0)
    assert ended.to_act is None
    assert ended.turn is None
    assert ended.allowed == ()


def told(turn: TurnShown) -> Nodes:
    """The graph of a turn as a client reads it."""
    return msgspec.json.decode(msgspec.json.encode(turn.nodes), type=Nodes)


def as_read(shown: BoardView) -> BoardView:
    """A view with the graph as a client reads it."""
    if shown.turn is None:
        return shown
    return structs.replace(shown, turn=structs.replace(shown.turn, nodes=told(shown.turn)))


def test_the_graph_of_the_turn_goes_to_its_player_and_the_path_to_everybody() -> None:
    match = after(OPENED)
    made = ((24, 18, 6),)
    mine, their = seen(match, 0, made).turn, seen(match, 1, made).turn
    assert mine is not None
    assert their is not None
    assert len(told(mine)) > 5
    assert told(their) == ((False, ((24, 18, 6, 0, 1),)), (False, ()))
    assert mine.made == their.made == made


def test_a_pending_resignation_shows_the_dice_and_allows_no_moves() -> None:
    match = after((*OPENED, Resign(1, 1)))
    shown = seen(match, 0)
    assert shown.dice is not None
    assert shown.dice.faces == (6, 5)
    assert [may.kind for may in shown.allowed] == ["accept", "reject"]
    assert shown.turn is not None
    assert told(shown.turn) == ((False, ()),)


def test_dice_are_told_with_the_ways_to_use_them() -> None:
    plain = seen(after((Opening((3, 1)),)), 0).dice
    assert plain is not None
    assert (plain.kind, plain.of, plain.alternatives) == ("2d6", "near", ((3, 1),))
    twelve = seen(after((Opening((9, 4)), Roll(0, (9,))), "duodecagammon"), 1).dice
    assert twelve is not None
    assert (twelve.kind, twelve.of) == ("1d12", "far")
    assert twelve.alternatives == ((6, 3), (5, 4), (3, 3, 3))
    double = seen(after((*PLAYED, Roll(1, (4, 4)))), 1).dice
    assert double is not None
    assert double.alternatives == ((4, 4, 4, 4),)


def test_the_second_stage_of_a_roll_has_its_own_ways() -> None:
    match = after((Opening((6, 5)), Roll(0, (2, 1))), "acey-deucey")
    first = seen(match, 0)
    assert first.dice is not None
    assert first.dice.alternatives == ((2, 1),)
    made: tuple[MoveMade, ...] = ()
    node = 0
    assert first.turn is not None
    while node != -1:
        edge = told(first.turn)[node][1][0]
        made, node = (*made, edge[:3]), edge[4]
    second = seen(match, 0, made)
    assert second.dice is not None
    assert ((6, 6, 6, 6)) in second.dice.alternatives
    assert second.turn is not None
    assert len(told(second.turn)) > len(told(first.turn))


def test_the_opening_roll_is_shown_until_the_first_turn_is_over() -> None:
    assert seen(after((Opening((9, 4)),), "duodecagammon"), 1).opening_roll == OpeningRollShown("1d12", 4, 9)
    assert seen(after((Opening((5, 4)),), "duodecagammon"), 1).opening_roll == OpeningRollShown("1d12", 4, 5)
    assert seen(after(OPENED), 0).opening_roll == OpeningRollShown("2d6", 6, 5)
    assert seen(after(PLAYED), 0).opening_roll is None


def test_an_offered_cube_is_told_with_who_offers_it() -> None:
    match = after((*PLAYED, Double(1)))
    cube = seen(match, 0).cube
    assert cube is not None
    assert cube.offered is not None
    assert (cube.value, cube.offered.by, cube.offered.value) == (1, "far", 2)
    take, give_up = seen(match, 0).allowed
    assert (take.kind, take.value, take.points) == ("take", 2, UNSET)
    assert (give_up.kind, give_up.value, give_up.points) == ("pass", UNSET, (1,))
    taken = seen(match.apply(Take(0)), 0).cube
    assert taken is not None
    assert (taken.value, taken.owner, taken.offered) == (2, "near", None)


def test_a_game_without_cube_shows_none() -> None:
    assert seen(after(OPENED, length=1), 0).cube is None
    assert seen(after(OPENED, cube=False), 0).cube is None


def test_a_call_names_the_roll_it_would_reroll() -> None:
    match = after(PLAYED, "roll-over")
    call = next(may for may in seen(match, 1).allowed if may.kind == "rollover")
    assert (call.roll, call.on, call.faces) == (1, "other", (6, 5))
    rerolled = seen(match.apply(Rollover(1, 1)), 0)
    assert rerolled.tokens is not None
    assert (rerolled.tokens.near, rerolled.tokens.far) == (1, 0)
    assert rerolled.last is not None
    assert rerolled.last.text == "Ben rolls over your 6-5"
    assert rerolled.dice is None


@pytest.mark.parametrize(
    ("seat", "said"),
    [
        (0, "Ben passes. You win: 1 point"),
        (1, "You pass. Anna wins: 1 point"),
        (None, "Ben passes. Anna wins: 1 point"),
    ],
)
def test_results_are_said_to_whom_they_concern(seat: int | None, said: str) -> None:
    match = after((*PLAYED, Roll(1, (2, 1)), PlayMade(1, ((13, 11, 2), (6, 5, 1))), Double(0), Pass(1)))
    result = seen(match, seat).result
    assert result is not None
    assert (result.how, result.points) == (said, 1)
    assert result.winner == ("far" if seat == 1 else "near")


def test_the_end_of_a_match_is_said_with_its_score_and_no_game_is_the_crawford_game_after_it() -> None:
    resigned = (Resign(1, 1), Accept(0))
    first = after((*PLAYED, *resigned), length=2)
    shown = seen(first, 0)
    assert shown.result is not None
    assert shown.result.match is UNSET
    last = after((*PLAYED, *resigned, Next(), *PLAYED), length=2)
    assert seen(last, 0).score.crawford
    lost = seen(last.apply(Resign(1, 2)).apply(Accept(0)), 1)
    assert lost.result is not None
    assert (
        lost.result.match
        == "You resign. Anna wins a gammon: 2 points. Anna wins the match 3\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}0"
    )
    assert not lost.score.crawford
    for event in resigned:
        last = last.apply(event)
    won = seen(last, 0).result
    assert won is not None
    assert won.match == "Ben resigns. You win the match 2\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}0"


def test_gammons_resigned_are_worth_the_cube() -> None:
    match = after((*PLAYED, Double(1), Take(0), Resign(0, 2), Accept(1)), length=0)
    result = seen(match, 1).result
    assert result is not None
    assert (result.kind, result.points, result.how) == ("gammon", 4, "Anna resigns. You win a gammon: 4 points")
    assert [may.kind for may in seen(match, 0).allowed] == ["next", "abort"]
    assert seen(match.apply(Next()), 0).result is None


def test_sentences_agree_with_who_reads_them() -> None:
    match = after((*PLAYED, Double(1)))
    told = tell(after(PLAYED).game, match.events[-1], 3, 0, 1)
    assert [sentence(told, Names(NAMES, seat)) for seat in (0, 1, None)] == [
        "Ben doubles to 2",
        "You double to 2",
        "Ben doubles to 2",
    ]
    shown = line(told, Names(NAMES), match.rules)
    assert (shown.seq, shown.by, shown.kind) == (3, 1, "double")


def test_the_line_that_begins_a_game_names_it_where_games_take_turns() -> None:
    told = [
        EventTold(1, 0, 1, Opening((6, 5))),
        EventTold(2, 0, 1, Roll(0, (3, 1))),
        EventTold(9, 0, 2, Next()),
        EventTold(20, 0, 4, Next()),
    ]
    titles = [line(one, Names(NAMES), variant("tavli")).title for one in told]
    assert titles == ["Portes", UNSET, "Plakoto", "Portes"]
    assert all(line(one, Names(NAMES), variant("portes")).title is UNSET for one in told)


@pytest.mark.parametrize(
    ("faces", "you", "text"),
    [
        ((6, 5), 0, "Opening roll: You 6, B 5"),
        ((6, 5), None, "Opening roll: A 6, B 5"),
        ((4, 4), 1, "Opening roll: A 4, You 4, a tie"),
    ],
)
def test_the_opening_roll_is_called_so_since_it_looks_like_a_score(
    faces: tuple[int, int], you: int | None, text: str
) -> None:
    shown = line(EventTold(1, 0, 1, Opening(faces)), Names(("A", "B"), you), variant("backgammon"))
    assert shown.text == text


def test_a_name_written_from_right_to_left_keeps_its_own_number_in_the_opening_roll() -> None:
    shown = line(EventTold(1, 0, 1, Opening((6, 5))), Names(("\u05d3\u05e0\u05d4", "B"), 1), variant("backgammon"))
    assert shown.text == "Opening roll: \u2068\u05d3\u05e0\u05d4\u2069 6, You 5"


def test_a_double_that_was_chosen_is_named_in_its_play() -> None:
    """A 2-1 of Acey-Deucey is followed by a double of the roller's choice."""
    before = after((Opening((6, 5)), Roll(0, (2, 1))), "acey-deucey")
    entering = ((26, 23, 2), (26, 24, 1))
    fours = ((26, 21, 4), (26, 21, 4), (26, 21, 4), (26, 21, 4))
    told = tell(before.game, PlayMade(0, (*entering, *fours)), 3, 0, 1)
    assert sentence(told, Names(NAMES)) == "hand/24 hand/23 hand/21(4) (chose 4-4)"
    plain = tell(after(OPENED).game, PlayMade(0, ((24, 18, 6), (18, 13, 5))), 3, 0, 1)
    assert sentence(plain, Names(NAMES)) == "24/13"


GAMES = (
    "backgammon",
    "roll-over+duodecagammon",
    "cancelgammon+nackgammon",
    "acey-deucey",
    "dutch",
    "plakoto",
    "fevga",
    "portes",
    "tapa",
    "narde",
    "misere",
    "roll-over+hypergammon",
)


@pytest.mark.parametrize("name", GAMES)
def test_every_moment_of_a_random_match_has_views_that_agree(name: str) -> None:
    """Both sides see the same checkers, only the player to move gets the graph, and every view can be serialized."""
    random = Random(name)
    dice = seeded(7)
    bots = ChanceBot(1), ChanceBot(2)
    match = Match.start(3, name)
    for _ in range(120):
        if match.over:
            break
        match = match.apply(next_event(match, bots, dice))
        made: tuple[MoveMade, ...] = ()
        if match.game.faces:
            play = random.choice(legal_plays(match.rules, match.game.position, match.game.faces))
            made = play.moves[: random.randrange(len(play.moves) + 1)]
        views = [seen_quickly(match, seat, made) for seat in (0, 1, None)]
        assert views[0].near == views[1].far
        assert views[0].far == views[1].near == views[2].far
        for shown in views[:2]:
            mine = any(may.kind == "play" for may in shown.allowed)
            if shown.turn is not None:
                assert mine or len(told(shown.turn)) == len(made) + 1
            assert all(may.kind not in ("opening", "settle") for may in shown.allowed)
            assert all(may.kind != "abort" or match.game.over or not match.game.roll_id for may in shown.allowed)
        assert views[2].allowed == ()
        assert msgspec.json.decode(msgspec.json.encode(views[0]), type=BoardView) == as_read(views[0])


def seen_quickly(match: Match, seat: int | None, made: tuple[MoveMade, ...]) -> BoardView:
    return view(BoardScene(match, None, made, True), Names(NAMES, seat))
