"""What another answer would have lost: a double is asked about with the answer of the other side, judged by what both lose."""

from __future__ import annotations

import pytest

from barpoint.analysis.answer import choices_of, with_choice
from barpoint.analysis.findings import CubeEquities, Decision, DecisionOption


def decision(kind: str, options: dict[str, float], cube: CubeEquities | None = None) -> Decision:
    """A decision between options of these losses."""
    shown = [DecisionOption(text, -loss, loss, -loss / 2) for text, loss in options.items()]
    ordered = tuple(sorted(shown, key=lambda one: one.loss))
    return Decision(1, 1, 0, kind, "", 0, ordered, loss=0, cost=0, counted=True, cube=cube)


def of_double(kind: str, action: str, equities: tuple[float, float, float]) -> Decision:
    stay, take, refused = equities
    double = min(take, refused)
    best = max(stay, double)
    cube = CubeEquities(stay, take, refused, action, win=0.6, take=0.2, double=0.7, cash=0.8, too_good=0.9)
    return decision(kind, {"No double": best - stay, "Double": best - double}, cube)


@pytest.mark.parametrize("kind", ["double", "no double"])
@pytest.mark.parametrize(
    ("action", "equities", "losses"),
    [
        ("double/take", (0.5, 0.7, 1.0), (0.2, 0.0, 0.3, 0.5)),
        ("double/pass", (0.8, 1.2, 1.0), (0.4, 0.2, 0.0, 0.2)),
        ("no double", (0.4, 0.3, 1.0), (0.0, 0.1, 0.8, 0.7)),
        ("too good", (1.1, 1.4, 1.0), (0.4, 0.5, 0.1, 0.0)),
    ],
)
def test_a_double_is_asked_with_the_answer_to_it(
    kind: str, action: str, equities: tuple[float, float, float], losses: tuple[float, ...]
) -> None:
    asked = of_double(kind, action, equities)
    assert choices_of(asked) == ("no double", "double/take", "double/pass", "too good")
    found = {choice: with_choice(asked, choice) for choice in choices_of(asked)}
    assert [other.loss for other, _ in found.values()] == pytest.approx(losses)
    assert {best for _, best in found.values()} == {action}
    assert found[action][0].mark == ""
    assert all(other.mark == "blunder" for other, _ in found.values() if other.loss >= 0.08)


def test_after_a_double_that_is_beavered_a_take_is_right() -> None:
    asked = of_double("double", "double/beaver", (-0.1, -0.3, 1.0))
    assert [with_choice(asked, choice)[1] for choice in choices_of(asked)] == ["double/take"] * 4
    assert with_choice(asked, "double/take")[0].loss == pytest.approx(0.2)


def test_any_other_decision_is_between_its_options() -> None:
    asked = decision("take", {"Take": 0.0, "Pass": 0.2})
    assert choices_of(asked) == ("Take", "Pass")
    right, best = with_choice(asked, "Take")
    assert (right.made.text, right.loss, right.cost, best) == ("Take", 0, 0, "Take")
    wrong, best = with_choice(asked, "Pass")
    assert (wrong.made.text, wrong.loss, wrong.cost, wrong.mark, best) == ("Pass", 0.2, 0.1, "blunder", "Take")


def test_what_loses_less_than_a_thousandth_is_as_good() -> None:
    other, _ = with_choice(decision("take", {"Take": 0.0, "Pass": 0.0009}), "Pass")
    assert (other.loss, other.cost, other.mark) == (0, 0, "")
