"""The table of a season of a club."""

from barpoint.server.domain.clubs import SeasonCount, season_table
from barpoint.server.domain.guests import Guest


def counted(name: str, won: int, lost: int, missed: int = 0) -> SeasonCount:
    return SeasonCount(Guest(name, name, registered=True), won, lost, missed)


def test_a_season_counts_three_points_for_a_match_won_and_one_for_a_match_played() -> None:
    table = season_table([counted("Ann", 1, 0), counted("Ben", 0, 4), counted("Cem", 1, 1), counted("Dan", 0, 0, 3)])
    assert [(line.rank, line.count.person.name, line.count.points) for line in table] == [
        (1, "Cem", 4),
        (2, "Ben", 4),
        (3, "Ann", 3),
        (4, "Dan", 0),
    ], "of those with equal points, who won more is ahead"


def test_players_who_are_equal_in_a_season_share_the_rank() -> None:
    table = season_table([counted("Ben", 1, 0), counted("Ann", 1, 0), counted("Cem", 1, 0, 1)])
    assert [(line.rank, line.count.person.name) for line in table] == [(1, "Ann"), (1, "Ben"), (3, "Cem")]
