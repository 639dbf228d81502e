"""The games of a chouette as matches of the box against one player."""

import pytest

from barpoint.chouette import Chouette, ChouetteTerms
from barpoint.chouette.pair_match import pair_matches
from tests.support.chouettes import begun, crowd


@pytest.mark.parametrize(
    ("rules", "terms", "seed"),
    [
        ("backgammon", ChouetteTerms(jacoby=True, beavers=3, automatic_doubles=1), 1),
        ("hypergammon", ChouetteTerms(one_cube=True), 2),
        ("roll-over", ChouetteTerms(), 3),
    ],
)
def test_each_finished_game_is_a_match_with_the_result_of_the_chouette(
    rules: str, terms: ChouetteTerms, seed: int
) -> None:
    chouette = list(crowd(Chouette.start(rules, terms), seed, 3, wild=0.03))[-1]
    found = list(pair_matches(chouette))
    expected = [
        (number, game.line[0], player, result)
        for number, game in enumerate(chouette.finished, 1)
        for player, result in game.results
    ]
    assert [(one.game, one.box, one.player, one.match.finished[0].result) for one in found] == expected
    assert found


def test_a_game_that_is_not_finished_is_no_match() -> None:
    assert list(pair_matches(begun())) == []
