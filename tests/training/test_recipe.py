"""The recipes of the published nets, and how they get into nets.toml."""

from dataclasses import replace

import pytest

from barpoint.train import Recipe
from training.publish import replaced
from training.recipe import RECIPES


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_recipes_mix_rules_that_differ_in_their_start_alone(recipe: Recipe) -> None:
    main = recipe.rules
    assert sum(share for _, share in recipe.starts) == pytest.approx(1)
    for rules, _ in recipe.rules_of_starts():
        assert replace(rules, name=main.name, setup=main.setup) == main


def test_publishing_changes_one_entry_of_the_table() -> None:
    text = '[[net]]\nname = "a"\nfile = "1"\ncheckers = [1, 5]\nlimits = [[1, 2]]\nrecipe = ""\n\n[[net]]\nname = "b"\nfile = "2"\nrecipe = ""\n'
    assert replaced(text, "b", "file", "3") == text.replace('"2"', '"3"')
    assert replaced(text, "a", "recipe", "x") == text.replace('recipe = ""', 'recipe = "x"', 1)
    with pytest.raises(ValueError, match="no entry c"):
        replaced(text, "c", "file", "3")
