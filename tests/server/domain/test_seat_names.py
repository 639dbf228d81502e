"""Names that the server gives: in the language of whoever reads, and those of people as they are."""

import pytest

from barpoint.engine import levels
from barpoint.language import in_language
from barpoint.server.bots.opponents import LevelShown
from barpoint.server.domain.seat_names import A_FRIEND, BOTS, bot_name, shown_name


def test_every_level_of_ours_has_a_name_to_translate() -> None:
    assert tuple(LevelShown(level.name, level.title, "").bot for level in levels()) == BOTS


@pytest.mark.parametrize(
    ("name", "english", "german"),
    [
        (A_FRIEND, "A friend", "Ein Freund"),
        ("Barpoint World class", "Barpoint World class", "Barpoint Weltklasse"),
        (bot_name("Bot", 2, "Casual player"), "Bot 2 (Casual player)", "Bot 2 (Gelegenheitsspieler)"),
        (bot_name("gnubg", 1, "2-ply"), "gnubg 1 (2-ply)", "gnubg 1 (2-ply)"),
        ("gnubg 2-ply", "gnubg 2-ply", "gnubg 2-ply"),
        ("Player 2", "Player 2", "Spieler 2"),
        ("Take", "Take", "Take"),
    ],
)
def test_a_name_that_the_server_gives_is_read_in_every_language(name: str, english: str, german: str) -> None:
    assert shown_name(name, person=False) == english
    with in_language("de"):
        assert shown_name(name, person=False) == german
        assert shown_name(name, person=True) == name
