"""Propositions: games for money that all begin in positions somebody has set up (RULES 4.14)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

import barpoint as bp
from barpoint import dice
from barpoint.driver import next_event
from barpoint.error import ArgumentError, FormatError, IllegalEvent, PositionError, StakesError
from barpoint.game import Accept, Next, Phase, Resign
from barpoint.game.event import counts_of
from barpoint.match import Match, MatchTerms, Proposition, StartingPosition, read_log, write_log
from barpoint.record import Book, match_digest
from barpoint.record.file import format_book, parse_book
from tests.support.games import AnythingAllowed, place

DOUBLED = StartingPosition.of(place({6: 3, 5: 2}, {4: 3, 3: 1}), player=1, cube=2, owner=0)
"""Player 1 has doubled and is to roll, player 0 has taken."""


def begun(proposition: Proposition, **terms: object) -> Match:
    return Match.start(terms=msgspec.convert({"length": 0, "proposition": proposition, **terms}, MatchTerms))


def finished(match: Match, games: int | None = None) -> Match:
    players, numbers = (AnythingAllowed(1), AnythingAllowed(2)), dice.seeded(3)
    while not match.over and (games is None or len(match.finished) < games):
        match = match.apply(next_event(match, players, numbers))
    return match


def given_up(match: Match, games: int) -> list[Match]:
    """The match at the beginning of each of so many games, each of them won by player 0, who has it given up."""
    found = [match]
    for _ in range(games - 1):
        for event in (Resign(1, 1), Accept(0), Next()):
            match = match.apply(event)
        found.append(match)
    return found


def test_every_game_begins_in_the_position_and_the_players_change_sides() -> None:
    games = [match.game for match in given_up(begun(Proposition.of(DOUBLED)), 4)]
    assert [(game.phase, game.actor, game.cube.owner) for game in games] == [
        (Phase.TO_ROLL, 1, 0), (Phase.TO_ROLL, 0, 1), (Phase.TO_ROLL, 1, 0), (Phase.TO_ROLL, 0, 1)
    ]  # fmt: skip
    assert {(game.position, game.cube.value) for game in games} == {(DOUBLED.position, 2)}
    assert Proposition.of(DOUBLED).sides_change


def test_the_players_can_keep_their_sides() -> None:
    proposition = Proposition.of(DOUBLED, sides_change=False)
    assert [match.game.actor for match in given_up(begun(proposition), 3)] == [1, 1, 1]
    assert not proposition.sides_change


def test_of_two_plays_the_games_begin_in_turn_after_that_of_player_0_and_that_of_player_1() -> None:
    first, second = replace(DOUBLED, cube=1, owner=None), StartingPosition.of(place({6: 4}, {5: 4}))
    games = [match.game for match in given_up(begun(Proposition((first, second))), 3)]
    assert [(game.actor, game.position) for game in games] == [
        (1, first.position), (0, second.position), (1, first.position)
    ]  # fmt: skip


@pytest.mark.parametrize(("spot", "before"), [(1, (1, 0)), (-3, (0, 3)), (0, (0, 0))])
def test_a_game_gives_the_spot_whoever_wins_it(spot: int, before: tuple[int, int]) -> None:
    """The player who has taken gets a point a game, which a pass would have saved them."""
    first = finished(begun(Proposition.of(DOUBLED, spot=spot)), games=1)
    won = [0, 0]
    assert first.finished[0].result.winner is not None
    won[first.finished[0].result.winner] = first.finished[0].result.points
    assert first.score == (won[0] + before[0], won[1] + before[1])
    second = finished(first, games=2)
    gained = [after - was for after, was in zip(second.score, first.score, strict=True)]
    gained[second.finished[1].result.winner or 0] -= second.finished[1].result.points
    assert tuple(gained) == before[::-1], "in the other seats the other player gets it"


def test_it_ends_after_its_games_without_a_winner_and_counts_the_points() -> None:
    match = finished(begun(Proposition.of(DOUBLED, games=6, spot=1)))
    assert (len(match.finished), match.over, match.winner) == (6, True, None)
    assert sum(match.score) == sum(game.result.points + 1 for game in match.finished)
    with pytest.raises(IllegalEvent, match="the match is over"):
        match.apply(Next())


def test_without_a_number_of_games_the_players_end_it_between_games() -> None:
    match = finished(begun(Proposition.of(DOUBLED)), games=3)
    assert [item.kind for item in match.legal_events()] == ["next", "abort"]


@pytest.mark.parametrize("suffix", [".json", ".mat", ".txt", ".sgf"])
@pytest.mark.parametrize("name", ["backgammon", "roll-over", "duodecagammon"])
def test_files_carry_it(suffix: str, name: str) -> None:
    start = Match.start(rules=name, terms=MatchTerms(0, proposition=Proposition.of(DOUBLED, games=4, spot=1)))
    book = Book(finished(start), ("Ann", "Ben"))
    found = parse_book(format_book(book, suffix), suffix, strict=True).match
    assert (found.terms, found.score, len(found.events)) == (
        book.match.terms,
        book.match.score,
        len(book.match.events),
    )
    with pytest.raises(FormatError, match=r"no place in \.xg"):
        format_book(book, ".xg")


def test_a_log_there_and_back_is_the_match_and_can_be_analysed() -> None:
    match = finished(begun(Proposition.of(replace(DOUBLED, faces=(3, 1)), games=2)))
    assert read_log(write_log(match), audit=True) == match
    report = bp.analyse(match, plies=0)
    assert report.complete
    assert report.decisions[0].event == 1, "the play of the roll that was set up"


def test_what_is_played_for_is_part_of_which_match_it_is() -> None:
    players = "Ann", "Ben"
    plain, spotted = (finished(begun(Proposition.of(DOUBLED, games=2, spot=spot))) for spot in (0, 1))
    once = Match.start(terms=MatchTerms(0, begins_at=DOUBLED))
    assert len({match_digest(match, players) for match in (plain, spotted, once)}) == 3


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        ({"length": 5}, "played for money"),
        ({"begins_at": DOUBLED}, "no other position"),
        ({"proposition": Proposition((DOUBLED, replace(DOUBLED, faces=(2, 1))))}, "in all positions"),
        ({"proposition": Proposition((replace(DOUBLED, cube=3),))}, "a cube of 3"),
        ({"proposition": Proposition((DOUBLED, replace(DOUBLED, tokens=(1, 0))))}, "tokens"),
    ],
)
def test_terms_that_contradict_it_are_refused(terms: dict[str, object], why: str) -> None:
    with pytest.raises(StakesError, match=why):
        Match.start(terms=MatchTerms(**{"length": 0, "proposition": Proposition.of(DOUBLED), **terms}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Proposition.of(DOUBLED, games=-1), "games: Expected `int` >= 0"),
        (lambda: Proposition.of(DOUBLED, games=5000), "games: Expected `int` <= 1000"),
        (lambda: Proposition.of(DOUBLED, spot=0.5), "spot: Expected `int`"),  # type: ignore[arg-type]
        (lambda: Proposition(()), "positions: Expected `array` of length >= 1"),
        (lambda: StartingPosition.of(DOUBLED.position, owner=2), "owner: Expected `int` <= 1"),
        (lambda: MatchTerms(2.5), "length: Expected `int`"),  # type: ignore[arg-type]
        (lambda: MatchTerms("7"), "length: Expected `int`"),  # type: ignore[arg-type]
        (lambda: MatchTerms(first_score=(1,)), "first_score: Expected `array` of length 2"),  # type: ignore[arg-type]
    ],
)
def test_a_value_that_no_file_could_hold_is_refused_when_it_is_made(make: Callable[[], object], why: str) -> None:
    with pytest.raises(StakesError, match=why):
        make()


def test_another_kind_of_argument_is_named() -> None:
    with pytest.raises(ArgumentError, match="position is"):
        StartingPosition.of("4HPwATDgc/ABMA")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="position is"):
        Proposition.of(DOUBLED.position)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="length, crawford beside terms"):
        Match.start(length=3, terms=MatchTerms(5), crawford=False)


def test_games_that_take_turns_have_none() -> None:
    with pytest.raises(StakesError, match="take turns"):
        Match.start(rules="tavli", terms=MatchTerms(0, proposition=Proposition.of(DOUBLED)))


@pytest.mark.parametrize(
    "wrong",
    [{"positions": []}, {"games": -1}, {"games": 1001}, {"spot": 65}, {"spot": 0.5}, {"positions": [{"counts": 3}]}],
)
def test_a_log_that_says_nonsense_is_refused(wrong: dict[str, object]) -> None:
    log = msgspec.json.decode(write_log(begun(Proposition.of(DOUBLED))))
    log["terms"]["proposition"] |= wrong
    with pytest.raises(FormatError):
        read_log(msgspec.json.encode(log))


def test_a_position_that_the_rules_do_not_allow_is_refused_before_the_first_game() -> None:
    heavy = StartingPosition(counts_of(place({6: 16}, {6: 3}, 16)))
    with pytest.raises(PositionError):
        begun(Proposition((DOUBLED, heavy)))
