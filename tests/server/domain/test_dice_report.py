"""The report of a match's dice: complete, correct, and refused at the first roll that differs."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from barpoint.dice import THREE_DICE, TWO_DICE, DiceRow, roll_one, twelve_sided
from barpoint.error import FormatError
from barpoint.game import Abort, Accept, Next, Opening, Phase, Resign
from barpoint.game import Roll as RollMade
from barpoint.game.event import counts_of
from barpoint.match import Match, MatchTerms, Proposition, StartingPosition
from barpoint.server.domain.dice import SeededDice, Seeds, commitment_of, made_seed, numbers
from barpoint.server.domain.dice_report import (
    Checked,
    DiceRefused,
    DiceReport,
    DiceSecret,
    RollReported,
    check,
    read_report,
    report_of,
    write_report,
)
from barpoint.variants import variant
from tests.support.scripted_bots import ChanceBot

SEEDS = Seeds("abcdefghjkmn", bytes(range(32)), ("client a", "client b"))
COMMITMENTS = (commitment_of("client a"), commitment_of("client b"))


def played(
    name: str = "backgammon", seeds: Seeds = SEEDS, length: int = 2, bot: int = 3, start: Match | None = None
) -> Match:
    """A whole match between bots with random legal actions, with dice as on the server."""
    match, dice, player = start or Match.start(length, name), SeededDice(), ChanceBot(bot)
    attempt = 0
    while not match.over:
        game = match.game
        number = len(match.finished) + 1
        if game.phase is Phase.OPENING:
            attempt += 1
            match = match.apply(Opening(dice.opening(seeds, number, attempt, match.rules.dice.sides)))
            continue
        attempt = 0
        event = player.event(match, game.actor if game.actor is not None else 0)
        if isinstance(event, RollMade):
            event = RollMade(game.player, dice.roll(seeds, number, game.roll_id + 1, match.rules.dice.rows))
        match = match.apply(event)
    return match


@pytest.fixture(scope="module")
def report() -> DiceReport:
    return report_of(SEEDS, played("roll-over", length=5), COMMITMENTS)


GAMES = [
    "backgammon", "roll-over", "duodecagammon", "acey-deucey", "roll-over+duodecagammon", "plakoto", "tavli", "tabula"
]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_the_report_of_a_match_has_every_roll_and_checks(name: str) -> None:
    match = played(name)
    report = report_of(SEEDS, match, COMMITMENTS)
    made = [event for event in match.events if isinstance(event, Opening | RollMade)]
    assert [shown.faces for shown in report.rolls] == [event.faces for event in made]
    assert [shown.player for shown in report.rolls] == [getattr(event, "player", None) for event in made]
    assert read_report(write_report(report)) == report
    opening_rolls = sum(isinstance(event, Opening) for event in made)
    rerolled = sum(event.__class__.__name__ == "Rollover" for event in match.events)
    assert check(report) == Checked(len(match.finished), len(made) - opening_rolls, opening_rolls, rerolled)


def test_where_the_winner_starts_a_game_begins_with_its_first_roll_and_none_can_be_hidden() -> None:
    report = report_of(SEEDS, played("tavli", length=4), COMMITMENTS)
    first = next(index for index, made in enumerate(report.rolls) if made.game == 2)
    assert (report.rolls[first].domain, report.rolls[first].number) == ("bgdice/1", 1)
    with pytest.raises(DiceRefused, match="stands where game 2, roll 1 is due"):
        check(replace(report, rolls=(*report.rolls[:first], *report.rolls[first + 1 :])))
    with pytest.raises(DiceRefused, match="stands where game 2, opening roll 1 is due"):
        check(replace(report, winner_starts=False))


def test_where_the_winner_starts_a_first_game_given_up_before_its_first_roll_leaves_no_gap() -> None:
    begins_at = StartingPosition(counts_of(variant("tavli").start))
    start = Match.start(rules="tavli", terms=MatchTerms(3, begins_at=begins_at))
    for event in (Resign(1, 1), Accept(0), Next()):
        start = start.apply(event)
    report = report_of(SEEDS, played(start=start), COMMITMENTS)
    assert (report.rolls[0].game, report.rolls[0].domain, report.rolls[0].number) == (2, "bgdice/1", 1)
    check(report)
    with pytest.raises(DiceRefused, match="stands where game 2, roll 1 is due"):
        check(replace(report, rolls=report.rolls[1:]))


@pytest.mark.parametrize("faces", [(), (5, 3)], ids=["to roll", "to play"])
@pytest.mark.parametrize("name", ["backgammon", "roll-over", "tavli"])
def test_a_match_from_a_position_begins_with_its_first_roll_and_none_can_be_hidden(
    name: str, faces: tuple[int, ...]
) -> None:
    rules = variant(name)
    begins_at = StartingPosition(counts_of(rules.start), faces=faces)
    report = report_of(
        SEEDS, played(start=Match.start(rules=rules, terms=MatchTerms(2, begins_at=begins_at))), COMMITMENTS
    )
    first = report.rolls[0]
    assert (first.domain, first.number, report.first_roll) == ("bgdice/1", 2 if faces else 1, 2 if faces else 1)
    assert check(read_report(write_report(report))).rolls > 5
    with pytest.raises(DiceRefused, match="is due"):
        check(replace(report, rolls=report.rolls[1:]))
    with pytest.raises(DiceRefused, match="is due"):
        check(replace(report, first_roll=0))


@pytest.mark.parametrize("faces", [(), (5, 3)], ids=["to roll", "to play"])
def test_every_game_of_a_proposition_begins_with_its_first_roll_and_none_can_be_hidden(faces: tuple[int, ...]) -> None:
    proposition = Proposition.of(StartingPosition(counts_of(variant("backgammon").start), faces=faces), games=3)
    start = Match.start(terms=MatchTerms(0, proposition=proposition))
    report = report_of(SEEDS, played(start=start), COMMITMENTS)
    number = 2 if faces else 1
    firsts = [next(made for made in report.rolls if made.game == game) for game in (1, 2, 3)]
    assert [(made.domain, made.number) for made in firsts] == [("bgdice/1", number)] * 3
    assert check(read_report(write_report(report))).games == 3
    for hidden in firsts:
        with pytest.raises(DiceRefused, match=f"stands where game {hidden.game}, roll {number} is due"):
            check(replace(report, rolls=tuple(made for made in report.rolls if made != hidden)))
    with pytest.raises(DiceRefused, match="game 2, opening roll 1 is due"):
        check(replace(report, every_game=False))


def test_a_game_of_a_proposition_that_ends_before_its_first_roll_leaves_no_gap() -> None:
    proposition = Proposition.of(StartingPosition(counts_of(variant("backgammon").start)), games=3)
    start = Match.start(terms=MatchTerms(0, proposition=proposition))
    for event in (Resign(1, 1), Accept(0), Next()):
        start = start.apply(event)
    report = report_of(SEEDS, played(start=start), COMMITMENTS)
    assert (report.rolls[0].game, report.rolls[0].number) == (2, 1)
    check(report)


def test_rerolled_rolls_stay_and_the_roll_again_has_the_next_number(report: DiceReport) -> None:
    """RC-17, RC-20."""
    index = next(i for i, made in enumerate(report.rolls) if made.rerolled)
    old, new = report.rolls[index : index + 2]
    assert new.game == old.game
    assert old.player in (None, new.player)
    assert new.number == (2 if old.player is None else old.number + 1)


def test_a_report_says_who_made_the_seeds_of_the_players(report: DiceReport) -> None:
    """A server-made seed is published as such."""
    assert report.seeds_by == ("player", "player")
    made = made_seed(SEEDS.server, SEEDS.match_id, 1)
    mixed = report_of(replace_seed(made), Match.start(1).apply(Abort()), (COMMITMENTS[0], None))
    assert mixed.seeds_by == ("player", "server")
    assert check(mixed) == Checked(0, 0, 0, 0)


def replace_seed(second: str) -> Seeds:
    return Seeds(SEEDS.match_id, SEEDS.server, ("client a", second))


@pytest.mark.parametrize(
    ("second", "commitments", "said"),
    [
        ("client b", (COMMITMENTS[0], None), "seed of player 1 is said to be the server's"),
        ("client b", (COMMITMENTS[0], COMMITMENTS[0]), "seed of player 1 has the SHA-256"),
        ("client c", COMMITMENTS, "not the one committed to before"),
    ],
)
def test_a_seed_that_was_not_fixed_before_is_refused(
    second: str, commitments: tuple[str | None, str | None], said: str
) -> None:
    """Neither a player nor the server can choose a seed after seeing the other's."""
    seeds = replace_seed(second)
    with pytest.raises(DiceRefused, match=said) as refused:
        check(report_of(seeds, played(seeds=seeds), commitments))
    assert refused.value.index is None


def test_no_report_gives_a_seed_away_before_the_match_is_over() -> None:
    match = Match.start(1).apply(Opening((6, 1)))
    with pytest.raises(DiceSecret, match="not over"):
        report_of(SEEDS, match)
    assert report_of(SEEDS, Match.start(1).apply(Abort())).rolls == ()


def test_known_answers() -> None:
    """Rolls of these seeds when the format was fixed; the seed is the bytes 0 to 31."""
    expected = [
        RollReported(1, "bgdice/1/opening", 1, 0, None, (5, 6), False),
        RollReported(1, "bgdice/1", 2, 0, 1, (4, 1), False),
        RollReported(1, "bgdice/1", 3, 0, 0, (3, 2), False),
        RollReported(1, "bgdice/1", 4, 0, 1, (6, 4), False),
        RollReported(1, "bgdice/1", 5, 0, 0, (4, 1), False),
    ]
    report = by_hand(expected)
    assert check(report) == Checked(games=1, rolls=4, opening_rolls=1, rerolled=0)


def by_hand(rolls: list[RollReported], seeds: Seeds = SEEDS) -> DiceReport:
    """A report of plain backgammon with these rolls."""
    return DiceReport(
        "bgdice/1",
        seeds.match_id,
        "2d6",
        True,
        seeds.commitment,
        seeds.server.hex(),
        seeds.clients,
        ("player", "player"),
        COMMITMENTS,
        tuple(rolls),
    )


Change = Callable[[DiceReport], DiceReport]


def _at(index: int, **fields: object) -> Change:
    def change(report: DiceReport) -> DiceReport:
        rolls = list(report.rolls)
        rolls[index] = replace(rolls[index], **fields)
        return replace(report, rolls=tuple(rolls))

    return change


def _without(index: int) -> Change:
    return lambda report: replace(report, rolls=(*report.rolls[:index], *report.rolls[index + 1 :]))


def _other(faces: tuple[int, ...]) -> tuple[int, ...]:
    return (6, 6) if faces != (6, 6) else (5, 5)


@pytest.mark.parametrize("index", [1, 5, 20, -1])
def test_changed_faces_are_refused_at_that_roll(report: DiceReport, index: int) -> None:
    index %= len(report.rolls)
    changed = _at(index, faces=_other(report.rolls[index].faces))(report)
    with pytest.raises(DiceRefused, match="the seeds give") as refused:
        check(changed)
    assert refused.value.index == index


def test_of_several_changes_the_first_is_named(report: DiceReport) -> None:
    changed = report
    for index in (18, 12, 15):
        changed = _at(index, faces=_other(report.rolls[index].faces))(changed)
    with pytest.raises(DiceRefused) as refused:
        check(changed)
    assert refused.value.index == 12


@pytest.mark.parametrize(
    ("change", "index", "said"),
    [
        (_without(0), 0, "stands where game 1, opening roll 1 is due"),
        (_without(7), 7, "is due"),
        (_at(3, number=9), 3, "roll 9 stands where"),
        (_at(3, game=2), 3, "is due"),
        (_at(3, counter=1), 3, "it comes from block 0"),
        (_at(4, faces=()), 4, "shows nothing"),
        (lambda report: replace(report, rolls=(*report.rolls[:6], *report.rolls[5:])), 6, "is due"),
        (lambda report: replace(report, opening_played=False), 1, "is due"),
    ],
)
def test_a_roll_left_out_moved_or_repeated_is_refused(
    report: DiceReport, change: Change, index: int, said: str
) -> None:
    with pytest.raises(DiceRefused, match=said) as refused:
        check(change(report))
    assert refused.value.index == index


def test_another_server_seed_does_not_fit_the_commitment(report: DiceReport) -> None:
    with pytest.raises(DiceRefused, match="not the one published") as refused:
        check(replace(report, server_seed="00" * 32))
    assert refused.value.index is None


@pytest.mark.parametrize(
    "change",
    [
        lambda report: replace(report, match="another"),
        lambda report: replace(report, client_seeds=report.client_seeds[::-1]),
        lambda report: replace(report, client_seeds=("client a", "client c")),
        lambda report: replace(report, dice="1d12"),
        lambda report: replace(report, server_seed="00" * 32, commitment=hashlib.sha256(bytes(32)).hexdigest()),
    ],
)
def test_rolls_depend_on_everything_that_was_agreed(report: DiceReport, change: Change) -> None:
    with pytest.raises(DiceRefused) as refused:
        check(change(report))
    assert refused.value.index in (0, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "bgdice/2"},
        {"server_seed": "ab"},
        {"commitment": "A" * 64},
        {"client_seeds": ["a|b", "c"]},
        {"client_seeds": ["only one"]},
        {"match": ""},
        {"seeds_by": ["server", "nobody"]},
        {"client_commitments": ["0", None]},
        {"dice": "4d6"},
        {"rolls": [{"game": 0}]},
        {"surprise": 1},
    ],
)
def test_what_is_not_a_report_is_refused_by_its_form(report: DiceReport, change: dict[str, object]) -> None:
    fields = msgspec.to_builtins(report) | change
    with pytest.raises(FormatError, match="not a report"):
        read_report(msgspec.json.encode(fields))


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff\xfe", b"null", b'{"format":"bgdice/1"}'])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match="not a report"):
        read_report(data)


def test_the_commitment_alone_tells_nothing_of_the_rolls() -> None:
    """Public data before the end predict no roll: match, client seeds, and the commitment as the key."""
    guessed = Seeds(SEEDS.match_id, bytes.fromhex(SEEDS.commitment), SEEDS.clients)
    dice = SeededDice()
    real = [dice.roll(SEEDS, 1, number, TWO_DICE) for number in range(1, 41)]
    assert [dice.roll(guessed, 1, number, TWO_DICE) for number in range(1, 41)] != real


def _chi_square(seen: Counter[tuple[int, ...]], wanted: dict[tuple[int, ...], float]) -> float:
    return sum((seen[faces] - hoped) ** 2 / hoped for faces, hoped in wanted.items())


@pytest.mark.deep
@pytest.mark.parametrize(
    ("rows", "limit"), [(TWO_DICE, 65.4), (twelve_sided(), 48.6), (THREE_DICE, 120.3)], ids=["2d6", "1d12", "3d6"]
)
def test_a_million_rolls_are_as_they_should_be(rows: tuple[DiceRow, ...], limit: float) -> None:
    """Chi-square with a fixed seed: 20, 11 and 55 degrees of freedom, limits at one in a million."""
    rolls = 1_000_000
    dice = SeededDice()
    seen = Counter(dice.roll(SEEDS, 1, number, rows) for number in range(1, rolls + 1))
    total = sum(row.weight for row in rows)
    assert _chi_square(seen, {row.faces: rolls * row.weight / total for row in rows}) < limit


@pytest.mark.deep
def test_a_million_opening_rolls_are_fair_to_both() -> None:
    """35 degrees of freedom, limit at one in a million; every pair of faces, so the starting player too."""
    opening_rolls = 1_000_000
    seen: Counter[tuple[int, ...]] = Counter()
    for attempt in range(1, opening_rolls + 1):
        stream = numbers(SEEDS, "bgdice/1/opening", 1, attempt)
        seen[roll_one(6, next(stream)), roll_one(6, next(stream))] += 1
    assert _chi_square(seen, {(a, b): opening_rolls / 36 for a in range(1, 7) for b in range(1, 7)}) < 90.4
