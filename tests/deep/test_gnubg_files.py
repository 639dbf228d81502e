"""What GNU Backgammon writes is read, and it reads our SGF: dozens of matches with cubes, gammons, money, resignations.

The program runs as a process of its own, and plays its matches itself.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from barpoint import dice
from barpoint.driver import play_match
from barpoint.game import Double, PlayMade
from barpoint.match import Match
from barpoint.record import Book, read_match, write_match
from tests.cli.test_external import gnubg
from tests.support.games import AnythingAllowed
from tests.support.machine import PATIENCE_S

pytestmark = pytest.mark.deep

OWN_MATCHES = [(length, seed) for length in (1, 3, 5, 7) for seed in range(6)]
SESSIONS = range(8)
"""Money sessions of three games each."""

WRITTEN = [
    (name, length, seed) for name in ("backgammon", "nackgammon") for length in (0, 1, 3, 5) for seed in range(6)
]

MAX_POINTS = 48
"""Of a game that it is given: GNU Backgammon 1.07 ends itself when it loads a cube above 4096."""

SETTINGS = [
    *(
        f"set player {player} {setting}"
        for player in (0, 1)
        for setting in (
            "gnubg",
            "chequerplay evaluation plies 0",
            "cubedecision evaluation plies 0",
            "chequerplay evaluation noise 0.3",
            "cubedecision evaluation noise 0.3",
        )
    ),
    "set display off",
    "set confirm new off",
    "set confirm save off",
    "set automatic roll on",
    "set automatic crawford on",
    "set rng mersenne",
]


def run(*commands: str) -> str:
    done = subprocess.run(
        [gnubg(), "-t", "-q", "-r"],
        input="".join(f"{command}\n" for command in commands),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 20,
        check=False,
    )
    return done.stdout + done.stderr


def save(folder: Path, name: str) -> list[str]:
    return [f"save match {folder / name}.sgf", f"export match mat {folder / name}.mat"]


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of matches that the program has played against itself."""
    folder = tmp_path_factory.mktemp("theirs")
    commands = [*SETTINGS, "set automatic game on"]
    for length, seed in OWN_MATCHES:
        commands += [f"set seed {100 * length + seed}", f"new match {length}", *save(folder, f"match-{length}-{seed}")]
    commands.append("set automatic game off")
    for seed in SESSIONS:
        commands += [f"set seed {seed}", "new session", "new game", "new game", *save(folder, f"session-{seed}")]
    said = run(*commands)
    assert len(list(folder.iterdir())) == 2 * (len(OWN_MATCHES) + len(SESSIONS)), said
    return folder


def way(match: Match) -> list[object]:
    """Positions after plays, doubles, and what every game paid.

    Plays without a move are left out: the program makes one of a roll with which somebody gave up.
    """
    kept = [
        event for event in match.events if isinstance(event, Double) or (isinstance(event, PlayMade) and event.moves)
    ]
    course = [event.position if isinstance(event, PlayMade) else "double" for event in kept]
    return [course, [(one.result.winner, one.result.points) for one in match.finished]]


def test_matches_that_the_program_played_are_read_alike_from_both_formats(theirs: Path) -> None:
    found: Counter[str] = Counter()
    for path in sorted(theirs.glob("*.sgf")):
        tree, text = read_match(path), read_match(path.with_suffix(".mat"))
        assert way(tree.match) == way(text.match), path.name
        assert (tree.oddities, text.oddities) == ((), ()), path.name
        assert tree.match.over == path.name.startswith("match")
        for game in tree.match.finished:
            found[game.result.how] += 1
            found[f"level {game.result.level}"] += 1
        found["money"] += tree.match.terms.money
        found["cubes"] += any(isinstance(event, Double) for event in tree.match.events)
    assert min(found[kind] for kind in ("play", "pass", "resign", "level 2", "money", "cubes")) > 2, found


def ours(name: str, length: int, seed: int) -> Match:
    """A match of players who do anything, resign and double often, ended after a game; with cubes that the program knows."""
    while True:
        players = AnythingAllowed(seed, 0.15), AnythingAllowed(seed + 1, 0.15)
        states = play_match(Match.start(length, name), *players, dice=dice.seeded(seed))
        between: Iterator[Match] = (state for state in states if state.game.over)
        match = list(islice(between, 4))[-1]
        if all(game.result.points <= MAX_POINTS for game in match.finished):
            return match
        seed += 100


@pytest.fixture(scope="module")
def ours_read(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Match, Path]]:
    """What we have written, and what the program has saved after loading it."""
    folder = tmp_path_factory.mktemp("ours")
    found, commands = [], ["set confirm new off", "set confirm save off"]
    for name, length, seed in WRITTEN:
        match, stem = ours(name, length, seed), f"{name}-{length}-{seed}"
        here, there = folder / f"{stem}.sgf", folder / f"{stem}-again.sgf"
        write_match(Book(match, ("Anna", "Ben")), here)
        commands += [f"load match {here}", f"save match {there}"]
        found.append((stem, match, there))
    said = run(*commands)
    assert all(there.exists() for _, _, there in found), said
    return found


def test_the_program_reads_the_trees_that_we_write(ours_read: list[tuple[str, Match, Path]]) -> None:
    ends: Counter[str] = Counter()
    for name, match, there in ours_read:
        back = read_match(there)
        assert back.players == ("Anna", "Ben"), name
        assert way(back.match) == way(match), name
        assert back.match.score == match.score, name
        for game in match.finished:
            ends[game.result.how] += 1
    assert min(ends[how] for how in ("play", "pass", "resign")) > 5, ends


def test_the_program_reads_the_match_text_that_we_write(tmp_path: Path) -> None:
    commands, written = ["set confirm new off"], []
    for length, seed in [(length, seed) for length in (1, 3) for seed in range(6)]:
        match, here = ours("backgammon", length, seed), tmp_path / f"{length}-{seed}.mat"
        write_match(match, here)
        commands += [f"import mat {here}", f"export match mat {here.with_suffix('.txt')}"]
        written.append((match, here.with_suffix(".txt")))
    said = run(*commands)
    ends: Counter[str] = Counter()
    for match, there in written:
        assert there.exists(), said
        back = read_match(there).match
        assert back.score == match.score, there.name
        plays = [sum(isinstance(event, PlayMade) for event in one.events) for one in (match, back)]
        assert plays[1] - plays[0] in (0, 1), f"{there.name}: it plays what is forced before a resignation"
        for game in match.finished:
            ends[f"{game.result.how} {game.result.winner}"] += 1
    assert min(ends[f"pass {winner}"] for winner in (0, 1)) > 1, ends
