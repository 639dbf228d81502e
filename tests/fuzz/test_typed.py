"""Whatever is typed at the terminal is done, or refused in words; the match goes on."""

import io
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from barpoint import dice
from barpoint.cli.human import Human, Quit
from barpoint.cli.screen import Screen
from barpoint.cli.typed import WORDS, read_command, read_moves
from barpoint.driver import next_event
from barpoint.error import FormatError, IllegalEvent, RollError
from barpoint.match import Match
from barpoint.moves import parse_faces
from barpoint.server.protocol.match_text import Names
from barpoint.variants import variant

SPELLINGS = sorted(spelling for spellings in WORDS.values() for spelling in spellings if spelling not in ("hint",))
PLAYS = st.sampled_from(
    ("8/5 6/5", "24/18", "13/7(2)", "bar/20*", "6/off", "hand/24", "25/0", "1/9", "6/off(9)", "/", "8/")
)
TYPED = st.one_of(
    st.sampled_from(SPELLINGS), PLAYS, st.text(max_size=30), st.sampled_from(("31", "66", "resign gammon", "y"))
)
NAMES = st.sampled_from(("backgammon", "roll-over", "duodecagammon", "acey-deucey", "plakoto", "cancelgammon"))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_command(text)
    for read in (read_moves, lambda typed: parse_faces(variant().dice.rows, typed)):
        try:
            read(text)
        except (FormatError, RollError):
            continue


@given(NAMES, st.lists(TYPED, max_size=40), st.booleans())
def test_nothing_typed_breaks_a_match(name: str, typed: list[str], manual: bool) -> None:
    left = iter(typed)
    screen = Screen(Console(file=io.StringIO(), width=80), Names(("Anna", "Ben")))
    human = Human(screen)
    match = Match.start(length=0, rules=name, manual=manual, beavers=2)

    def ask(_: Screen, prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    with patch.object(Screen, "ask", ask):
        try:
            while not match.over:
                try:
                    after = match.apply(next_event(match, (human, human), dice.seeded(len(match.events))))
                except IllegalEvent:
                    continue
                screen.happened(match, after)
                match = after
        except Quit:
            pass
    assert Match.fold(match.rules, match.terms, match.events).game == match.game
