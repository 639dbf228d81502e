"""A position of the analysis board played again and again, for money: the side, the double or the play that is better wins points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from barpoint.error import FormatError
from barpoint.match import MatchTerms, Proposition
from barpoint.match.proposition import MAX_GAMES, MAX_SPOT
from barpoint.moves import parse_play
from barpoint.server.domain.analysis_board import BoardSetup, BoardSide, starting_position, terms_from
from barpoint.server.domain.board_steps import after_double, after_play, check_playable

GAMES_OFFERED: Final = (10, 20, 50, 100)
"""Numbers of games that the page offers."""

PlayWritten = Annotated[str, Meta(max_length=200)]


class PropositionAsked(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a board is played again and again.

    about: "position"; "take", after the player to act has doubled, where whoever has taken gets what a pass would have cost; or
        "plays", where both sides make a play of the roll and see who gets on better after it.
    plays: for "plays", yours and the other side's, in notation.
    games: how many; 0 until you stop. sides_change: the players change sides after each game; after plays they always do.
    spot: for "position", points that a game gives to the player who is not to act, whoever wins it.
    """

    about: Literal["position", "take", "plays"] = "position"
    plays: tuple[PlayWritten, PlayWritten] | None = None
    games: Annotated[int, Meta(ge=0, le=MAX_GAMES)] = 0
    sides_change: bool = True
    spot: Annotated[int, Meta(ge=-MAX_SPOT, le=MAX_SPOT)] = 0


def read_proposition(form: Mapping[str, str]) -> PropositionAsked | None:
    """The proposition that the fields of a form describe, None for a game that is played once; FormatError.

    again: "1" for a proposition. about, your-play, their-play, games, change, spot: as in `PropositionAsked`.
    """
    if form.get("again") != "1":
        return None
    about = form.get("about") or "position"
    found: dict[str, object] = {"about": about, "games": form.get("games") or 0}
    if about == "plays":
        found["plays"] = form.get("your-play", ""), form.get("their-play", "")
    else:
        found["sides_change"] = "change" in form
    if about == "position":
        found["spot"] = form.get("spot") or 0
    try:
        return msgspec.convert(found, PropositionAsked, strict=False)
    except msgspec.ValidationError as error:
        raise FormatError("a proposition: %(error)s", error=error) from None


def proposition_terms(setup: BoardSetup, asked: PropositionAsked, you: BoardSide) -> MatchTerms:
    """The terms of a session on this board, with near as player 0; FormatError, StakesError or IllegalMove."""
    _check_together(asked)
    if asked.about == "plays":
        proposition = _of_plays(setup, asked, you)
    else:
        begins = after_double(setup) if asked.about == "take" else setup
        spot = setup.cube if asked.about == "take" else asked.spot
        proposition = Proposition.of(
            starting_position(begins), sides_change=asked.sides_change, games=asked.games, spot=spot
        )
    return msgspec.structs.replace(terms_from(setup), begins_at=None, proposition=proposition)


def _check_together(asked: PropositionAsked) -> None:
    """FormatError for fields that say nothing of what is asked."""
    unmeant = {
        "plays": asked.plays is not None and asked.about != "plays",
        "spot": asked.spot != 0 and asked.about != "position",
        "sides_change": not asked.sides_change and asked.about == "plays",
    }
    if found := [name for name, wrong in unmeant.items() if wrong]:
        raise FormatError(
            "a proposition about %(about)r has no %(fields)s of its own", about=asked.about, fields=", ".join(found)
        )


def _of_plays(setup: BoardSetup, asked: PropositionAsked, you: BoardSide) -> Proposition:
    check_playable(setup)
    if asked.plays is None:
        raise FormatError("play against play needs two plays of the roll on the board")
    yours, theirs = (
        starting_position(after_play(setup, parse_play(setup.rules, setup.of_actor, setup.faces, text)))
        for text in asked.plays
    )
    if yours == theirs:
        raise FormatError("play against play needs two plays that lead to different positions")
    games = (yours, theirs.other_seats()) if setup.turn == you else (yours.other_seats(), theirs)
    return Proposition(games, asked.games, plays=asked.plays if you == "near" else asked.plays[::-1])
