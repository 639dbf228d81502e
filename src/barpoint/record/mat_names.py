"""The line with the names and the score above each game of match text: "Anna : 3    Ben : 0"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from barpoint.record.mat_writer import line_name

FACTS: Final = ("Player 1", "Player 2")
"""The facts in front of a match that give the names in full."""

RATINGS: Final = tuple(f"{fact} Elo" for fact in FACTS)
"""The facts that hold the ratings of the players."""

_RATED = re.compile(r"(.*\S),\s*([0-9]{3,4}(?:\.[0-9]{1,2})?)", re.ASCII)
_SCORE = re.compile(r":\s*(\d{1,18})(?!\S)", re.ASCII)

NamesAndScores = tuple[tuple[str, str], tuple[int, int]]


def names_and_scores(line: str, facts: Mapping[str, str]) -> NamesAndScores | None:
    """The names, in full where the facts give them, and the scores; None for another line.

    A name may hold colons. A name that the line leaves out is "".
    """
    text = line.strip()
    found = _as_the_facts_say(text, facts) or _as_it_stands(text) or _as_it_stands(re.sub(r"\s", " ", text))
    if found is None:
        return None
    first, second = (_in_full(name, facts.get(fact)) for name, fact in zip(found[0], FACTS, strict=True))
    return (first, second), found[1]


def ratings_apart(names: tuple[str, str], facts: Mapping[str, str]) -> tuple[tuple[str, str], dict[str, str]]:
    """The names, and the facts with the ratings that some programs write behind them: "Anna,1780".

    Both have one, or commas with numbers belong to the names; so do those that the facts give.
    """
    found = [_RATED.fullmatch(name) for name in names]
    if not (found[0] and found[1]) or any(facts.get(fact) in names for fact in FACTS):
        return names, dict(facts)
    rated = {fact: one[2] for fact, one in zip(RATINGS, found, strict=True) if one}
    return (found[0][1], found[1][1]), rated | dict(facts)


def _as_the_facts_say(text: str, facts: Mapping[str, str]) -> NamesAndScores | None:
    """The names that the facts give, with their colons, and the scores, where the line shows just these."""
    if not facts.keys() >= set(FACTS):
        return None
    first, second = (facts[fact] for fact in FACTS)
    shown = rf"{re.escape(first)} : ([0-9]{{1,18}})\s+{re.escape(second)} : ([0-9]{{1,18}})"
    found = re.fullmatch(shown, text)
    return found and ((first, second), (int(found[1]), int(found[2])))


def _as_it_stands(text: str) -> NamesAndScores | None:
    """The names and scores between the first and the last colon before a number. Takes time linear in the line."""
    scores = list(_SCORE.finditer(text))
    if len(scores) < 2 or scores[-1].end() != len(text):
        return None
    left, right = scores[0], scores[-1]
    names = text[: left.start()].strip(), text[left.end() : right.start()].strip()
    return names, (int(left[1]), int(right[1]))


def _in_full(name: str, fact: str | None) -> str:
    """The name of the fact where the line spells that one without its colons."""
    return fact if fact is not None and line_name(fact) == name else name
