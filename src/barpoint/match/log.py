"""The log of a match as JSON: its rules by name, its terms and its events; everything else is rebuilt from it."""

from __future__ import annotations

from typing import Literal

import msgspec

from barpoint.error import FormatError, IllegalEvent, UnknownVariant, VariantsClash
from barpoint.game.event import Event
from barpoint.match.match import Match
from barpoint.match.terms import MatchTerms
from barpoint.rules import RULES_VERSION
from barpoint.variants import variant


class MatchLog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a match's log."""

    rules: str
    rules_version: int
    terms: MatchTerms
    events: tuple[Event, ...]
    format: Literal["barpoint-match"] = "barpoint-match"
    version: Literal[1] = 1


def write_log(match: Match) -> bytes:
    """The match as JSON, UTF-8."""
    return msgspec.json.encode(MatchLog(match.rules.name, RULES_VERSION, match.terms, match.events))


def read_log(text: bytes | str, *, audit: bool = False) -> Match:
    """Parses the log of a match; with `audit`, checks every play against today's rules.

    FormatError for anything else.
    """
    try:
        log = msgspec.json.decode(text, type=MatchLog)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"no log of a match: {error}") from None
    if log.rules_version > RULES_VERSION:
        raise FormatError(f"rules version {log.rules_version}; this program knows up to {RULES_VERSION}")
    try:
        return Match.fold(variant(log.rules), log.terms, log.events, audit=audit)
    except (UnknownVariant, VariantsClash, IllegalEvent) as error:
        raise FormatError(f"the log cannot be replayed: {error}") from None
