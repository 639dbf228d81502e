"""Names that the server gives: in the language of whoever reads, and those of people as they are."""

import pytest

from barpoint.engine import levels
from barpoint.language import in_language
from barpoint.server.bots.opponents import LevelShown
from barpoint.server.domain.guests import new_guest
from barpoint.server.domain.seat_names import (
    A_FRIEND,
    BOTS,
    FORMER,
    bot_name,
    level_name,
    numbered_name,
    person_name,
    short_name,
    shown_name,
)


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
        ("Guest 1234", "Guest 1234", "Gast 1234"),
        ("Take", "Take", "Take"),
    ],
)
def test_a_name_that_the_server_gives_is_read_in_every_language(name: str, english: str, german: str) -> None:
    assert shown_name(name, person=False) == english
    with in_language("de"):
        assert shown_name(name, person=False) == german


@pytest.mark.parametrize(
    ("name", "german"),
    [
        (new_guest().name.split()[0] + " 1234", "Gast 1234"),
        (FORMER, "Ehemaliges Mitglied"),
        ("Barpoint Beginner", "Barpoint Beginner"),
        ("Guest of honour", "Guest of honour"),
    ],
)
def test_a_name_that_a_person_has_given_is_the_same_in_every_language(name: str, german: str) -> None:
    assert person_name(name) == shown_name(name, person=True) == name
    with in_language("de"):
        assert person_name(name) == shown_name(name, person=True) == german


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Bot 2 (Verein, PR 8)", "Bot 2"),
        ("GNU Backgammon 1 (2-ply)", "GNU Backgammon 1"),
        ("Barpoint Neuling", "Barpoint Neuling"),
    ],
)
def test_one_of_several_bots_is_called_by_its_number_beside_the_list_of_levels(name: str, short: str) -> None:
    assert numbered_name(name) == short


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Barpoint Neuling", "Bot Neuling"),
        ("Barpoint Verein, PR 8", "Bot PR 8"),
        ("GNU Backgammon 2-ply", "gnubg 2-ply"),
        ("Anna", "Anna"),
        ("Barpointer", "Barpointer"),
    ],
)
def test_a_bot_is_called_bot_and_its_level_where_there_is_little_room(name: str, short: str) -> None:
    assert short_name(name) == short


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("Barpoint Novice", "Novice"),
        ("Barpoint Club, PR 8", "PR 8"),
        ("Barpoint Novice 2", "Novice 2"),
        ("GNU Backgammon Expert", "gnubg Expert"),
    ],
)
def test_beside_a_mark_a_bot_is_called_by_what_tells_it_from_the_others(name: str, level: str) -> None:
    assert level_name(name) == level
