"""Statistics of a variant in words: in the reader's language, and about what was measured."""

from dataclasses import replace

from barpoint.analysis.variant_statistics import section, statistics_of
from barpoint.language import in_language


def test_a_variant_comes_before_its_combinations() -> None:
    assert [known.name for known in statistics_of("duodecagammon")] == ["duodecagammon", "roll-over+duodecagammon"]
    assert [known.name for known in statistics_of("roll-over+duodecagammon")] == ["roll-over+duodecagammon"]
    assert statistics_of("duodecagammon+plakoto") == []


def test_statistics_are_told_in_the_language_that_holds_now() -> None:
    (known,) = statistics_of("nackgammon")
    with in_language("de"):
        text = section(known)
    assert "| Wurf | Bester Zug |" in text
    assert f"{known.openings[0].equity:+.3f}".replace(".", ",") in text
    assert "Best play" not in text


def test_only_variants_with_tokens_say_what_a_token_is_worth() -> None:
    assert "only the opponent has a token: -" in section(statistics_of("roll-over")[0])
    assert "token" not in section(statistics_of("backgammon")[0])


def test_values_of_a_database_are_called_exact() -> None:
    known = statistics_of("hypergammon")[0]
    assert "They are exact." in section(replace(known, net=None))
    assert "They are exact." not in section(replace(known, net="0123456789ab"))
