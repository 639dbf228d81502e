"""The log of a match as JSON: its rules by name, its terms and its events; everything else is rebuilt from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, cast

import msgspec

from barpoint.error import (
    FormatError,
    IllegalEvent,
    PositionError,
    StakesError,
    UnknownVariant,
    VariantsClash,
)
from barpoint.game.event import Correct, Event, Next, PlayMade, position_of
from barpoint.match.match import Match
from barpoint.match.terms import MatchTerms
from barpoint.moves import check_position
from barpoint.rules import RULES_VERSION, Rules
from barpoint.variants import rules_of_game, variant

UNREPLAYABLE: Final = (UnknownVariant, VariantsClash, IllegalEvent, PositionError, StakesError)
"""The errors of rules, terms and events that are no game together."""


class MatchLog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a match's log. notes: comments and analyses, which `record/log_notes.py` reads."""

    rules: str
    rules_version: int
    terms: MatchTerms
    events: tuple[Event, ...]
    format: Literal["barpoint-match"] = "barpoint-match"
    version: Literal[1] = 1
    notes: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def write_log(match: Match, notes: bytes = b"") -> bytes:
    """The match as JSON, UTF-8; FormatError for rules that no name gives again. notes: JSON to go with it."""
    log = MatchLog(name_of(match.rules), RULES_VERSION, match.terms, match.events)
    return msgspec.json.encode(msgspec.structs.replace(log, notes=msgspec.Raw(notes)) if notes else log)


def log_of_payloads(rules: Rules, terms: MatchTerms, payloads: Iterable[str]) -> bytes:
    """The same of a match whose events are JSON already, without replaying it."""
    events = cast(tuple[Event, ...], tuple(msgspec.Raw(payload) for payload in payloads))
    return msgspec.json.encode(MatchLog(name_of(rules), RULES_VERSION, terms, events))


def name_of(rules: Rules) -> str:
    """The name that gives these rules again; FormatError."""
    try:
        named = variant(rules.name)
    except (UnknownVariant, VariantsClash):
        named = None
    if named != rules:
        raise FormatError("the rules %(name)r have no name by which they could be read again", name=rules.name)
    return rules.name


def read_log(text: bytes | str, *, audit: bool = False) -> Match:
    """Parses the log of a match; with `audit`, checks every play against today's rules.

    Without it plays are taken at their word, but for the positions they led to, which the rules must allow.
    FormatError for anything else.
    """
    try:
        log = msgspec.json.decode(text, type=MatchLog)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError("no log of a match: %(error)s", error=error) from None
    if log.rules_version > RULES_VERSION:
        raise FormatError(
            "rules version %(found)s; this program knows up to %(latest)s",
            found=log.rules_version,
            latest=RULES_VERSION,
        )
    try:
        rules = variant(log.rules)
        _check_positions(rules, log.events)
        return Match.fold(rules, log.terms, log.events, audit=audit)
    except UNREPLAYABLE as error:
        raise FormatError("the log cannot be replayed: %(error)s", error=error) from None


def _check_positions(rules: Rules, events: tuple[Event, ...]) -> None:
    """FormatError for a play that keeps a position which the rules of its game do not allow."""
    game, finished = rules_of_game(rules), 0
    for index, event in enumerate(events):
        if isinstance(event, Next):
            finished += 1
            game = rules_of_game(rules, finished)
        else:
            check_kept_position(game, event, index)


def check_kept_position(rules: Rules, event: object, index: int) -> None:
    """FormatError for a play that keeps a position which these rules do not allow. index: of the event in its log."""
    if isinstance(event, PlayMade | Correct) and event.position is not None:
        try:
            check_position(rules, position_of(event.position))
        except PositionError as error:
            raise FormatError(
                "event %(index)s: the position after this play: %(error)s", index=index, error=error
            ) from None
