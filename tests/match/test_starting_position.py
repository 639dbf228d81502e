"""Matches whose first game begins in a position that was set up: play, log, files, analysis."""

from __future__ import annotations

import msgspec
import pytest

import barpoint as bp
from barpoint import dice
from barpoint.driver import next_event
from barpoint.error import FormatError, IllegalEvent, PositionError, StakesError
from barpoint.game import Next, Phase, Roll
from barpoint.game.event import counts_of
from barpoint.match import Match, MatchTerms, read_log, write_log
from barpoint.match.starting_position import StartingPosition
from barpoint.record import Book, parse_xg
from barpoint.record.file import format_book, parse_book
from tests.support.games import AnythingAllowed, kinds, place

RACE = counts_of(place({6: 3, 5: 2}, {4: 3, 3: 1}))


def terms(length: int = 5, score: tuple[int, int] = (0, 0), **begins: object) -> MatchTerms:
    begun = msgspec.convert({"counts": RACE, **begins}, StartingPosition)
    return MatchTerms(length=length, first_score=score, begins_at=begun)


def finished(first: MatchTerms, name: str = "backgammon") -> Match:
    match, players, numbers = (
        Match.start(rules=name, terms=first),
        (AnythingAllowed(1), AnythingAllowed(2)),
        dice.seeded(3),
    )
    while not match.over:
        match = match.apply(next_event(match, players, numbers))
    return match


def test_the_first_game_begins_there_and_the_next_one_as_ever() -> None:
    match = Match.start(terms=terms(player=1, faces=(6, 5), cube=2, owner=1))
    game = match.game
    assert (game.phase, game.actor, game.faces, game.cube.value, game.cube.owner) == (Phase.TO_PLAY, 1, (6, 5), 2, 1)
    match = finished(terms(player=1, faces=(6, 5), cube=2, owner=1))
    assert match.finished[0].result.points >= 2, "the cube that was set up counts"
    following = match.events.index(Next())
    assert Match.fold(match.rules, match.terms, match.events[: following + 1]).game.phase is Phase.OPENING


def test_before_the_roll_the_player_may_double() -> None:
    match = Match.start(terms=terms())
    assert {"roll", "double"} <= kinds(match, 0)
    assert "double" not in kinds(Match.start(terms=terms(owner=1, cube=2)), 0)


def test_the_crawford_game_is_what_was_set_up() -> None:
    crawford = Match.start(terms=terms(score=(4, 2), crawford=True))
    assert crawford.crawford
    assert not crawford.game.cube_in_play
    after = Match.start(terms=terms(score=(4, 2)))
    assert after.after_crawford
    assert after.game.cube_in_play
    assert not finished(terms(score=(4, 2))).crawford, "there is one Crawford game in a match"


@pytest.mark.parametrize("suffix", [".json", ".mat", ".txt", ".sgf"])
@pytest.mark.parametrize("name", ["backgammon", "roll-over"])
def test_files_carry_the_position(suffix: str, name: str) -> None:
    match = finished(terms(player=1, faces=(6, 5)), name)
    found = parse_book(format_book(Book(match, ("Ann", "Ben")), suffix), suffix, strict=True).match
    assert found.terms == match.terms
    assert (found.score, len(found.events)) == (match.score, len(match.events))


def test_files_for_other_programs_hold_the_position() -> None:
    match = finished(terms())
    assert '; [BeginsAt "XGID=' in format_book(Book(match), ".mat").decode()
    assert "GN[Begins at XGID=" in format_book(Book(match), ".sgf").decode()
    assert parse_xg(format_book(Book(match), ".xg")).match.terms.begins_at == match.terms.begins_at


def test_a_log_there_and_back_is_the_match_and_can_be_analysed() -> None:
    match = finished(terms(faces=(3, 1)))
    assert read_log(write_log(match), audit=True) == match
    report = bp.analyse(match, plies=0)
    assert report.complete
    assert report.decisions[0].event == 1, "the play of the roll that was set up"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"counts": counts_of(place({6: 16}, {6: 3}, 16))}, PositionError),
        ({"counts": counts_of(place({}, {6: 3}))}, StakesError),
        ({"faces": (7, 1)}, IllegalEvent),
        ({"cube": 3}, StakesError),
        ({"tokens": (1, 0)}, StakesError),
    ],
)
def test_what_cannot_be_is_refused_also_in_a_log(wrong: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        Match.start(terms=terms(**wrong))
    good = write_log(Match.start(terms=terms()).apply(Roll(0, (2, 1))))
    bad = msgspec.json.decode(good)
    bad["terms"]["begins_at"] |= msgspec.to_builtins(wrong)
    with pytest.raises(FormatError):
        read_log(msgspec.json.encode(bad))
