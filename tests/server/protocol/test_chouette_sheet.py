"""The score sheet of a chouette: points, the results of every game with their reasons, and what remains to be paid."""

from __future__ import annotations

from barpoint.chouette import Act, Chouette, Leave
from barpoint.game import Abort, Next, Opening, Timeout
from barpoint.language import in_language
from barpoint.server.domain.chouettes import ChouetteHeader, ChouetteSeat
from barpoint.server.protocol.chouette_sheet import ScoreSheet, score_sheet, sheet_text
from barpoint.server.protocol.chouette_text import line, tell
from barpoint.server.protocol.chouette_view import ChouetteScene
from tests.support.chouettes import begun, box_wins, double, drop, take

PLAYERS = ("Anna", "Ben", "Kim", "Lea")
MINUTE = 60_000


def scene_of(chouette: Chouette) -> ChouetteScene:
    """A chouette whose events came a minute apart, from 1 January 1970, 0:01, on."""
    told, now = [], Chouette.start(chouette.rules, chouette.terms)
    for seq, event in enumerate(chouette.events, 1):
        before, now = now, now.replay(event)
        told.append(tell(before, now, event, seq, seq * MINUTE, len(before.finished) + 1))
    header = ChouetteHeader("abc", chouette.rules, chouette.terms, 1, bytes(32), 0, 3 * MINUTE, listed=True)
    seats = tuple(ChouetteSeat(number, name, guest=name) for number, name in enumerate(PLAYERS))
    return ChouetteScene(header, seats, chouette, told, (), 0, 0, None)


def sheet_of(chouette: Chouette) -> ScoreSheet:
    return score_sheet(scene_of(chouette))


def one_game() -> Chouette:
    """Anna, the box, takes Ben's double, passes Kim's, and is then resigned to by Lea and Ben."""
    return box_wins(drop(take(double(begun(4), 1, 2), 0, to=(1,)), 0, to=(2,)))


def test_the_sheet_has_everybodys_points_and_each_result_with_its_reason_and_cube() -> None:
    sheet = sheet_of(one_game())
    assert [(one.name, one.points, one.games) for one in sheet.players] == [
        ("Anna", 2, 1),
        ("Kim", 1, 1),
        ("Lea", -1, 1),
        ("Ben", -2, 1),
    ]
    (game,) = sheet.games
    assert (game.number, game.box, game.captain) == (1, "Anna", "Ben")
    assert [(one.text, one.how) for one in game.results] == [
        ("Kim wins 1 point from Anna", "Anna passed, cube at 1"),
        ("Anna wins 2 points from Ben", "Ben resigned, single game, cube at 2"),
        ("Anna wins 1 point from Lea", "Lea resigned, single game, cube at 1"),
    ]


def test_the_sheet_stays_when_everybody_has_left() -> None:
    before, empty = one_game(), one_game()
    for player in range(4):
        empty = empty.apply(Leave(player))
    assert empty.over
    left = sheet_of(empty)
    assert (left.players, left.games, left.payments) == (
        sheet_of(before).players,
        sheet_of(before).games,
        sheet_of(before).payments,
    )


def test_what_every_two_players_owe_is_added_up_over_all_games() -> None:
    chouette = one_game().apply(Act(Next())).apply(Act(Opening((6, 5))))
    chouette = chouette.apply(Act(Timeout(0), 0))  # the box loses three games, a point each
    sheet = sheet_of(chouette)
    assert {one.how for one in sheet.games[1].results} == {"Anna ran out of time, cube at 1"}
    assert set(sheet.payments) == {"Ben owes Anna 1 point", "Anna owes Kim 2 points"}
    assert sum(one.points for one in sheet.players) == 0


def test_a_chouette_without_a_game_has_an_empty_sheet() -> None:
    sheet = sheet_of(Chouette.start())
    assert (sheet.games, sheet.payments, sheet.players) == ((), (), ())


def test_the_sheet_is_a_text_in_the_readers_language() -> None:
    chouette = one_game()
    said = sheet_text(sheet_of(chouette))
    assert "1 January 1970, times in UTC" in said
    assert "Game 1: box Anna" in said
    assert "Ben owes Anna 2 points" in said
    assert "Anna       +2  1 game\n" in said
    with in_language("de"):
        assert "Spiel 1" in sheet_text(sheet_of(chouette))
        assert "Ben schuldet Anna 2 Punkte" in sheet_text(sheet_of(chouette))


def test_a_chouette_that_the_server_closes_is_not_said_to_have_had_a_game_voided() -> None:
    chouette = one_game()
    closing = Act(Abort(voided=True))
    told = tell(chouette, chouette.apply(closing), closing, 99, 0, 1)
    assert line(told, PLAYERS.__getitem__).text == "The chouette is closed"
