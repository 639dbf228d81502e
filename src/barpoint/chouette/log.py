"""The log of a chouette as JSON: its rules by name, its terms and its events; everything else is rebuilt from it."""

from __future__ import annotations

from typing import Literal

import msgspec

from barpoint.chouette.event import Act, ChouetteEvent
from barpoint.chouette.state import Chouette
from barpoint.chouette.terms import ChouetteTerms
from barpoint.error import FormatError
from barpoint.match.log import UNREPLAYABLE, check_kept_position, name_of
from barpoint.rules import RULES_VERSION
from barpoint.variants import variant


class ChouetteLog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a chouette's log."""

    rules: str
    rules_version: int
    terms: ChouetteTerms
    events: tuple[ChouetteEvent, ...]
    format: Literal["barpoint-chouette"] = "barpoint-chouette"
    version: Literal[1] = 1


def write_log(chouette: Chouette) -> bytes:
    """The chouette as JSON, UTF-8; FormatError for rules that no name gives again."""
    return msgspec.json.encode(ChouetteLog(name_of(chouette.rules), RULES_VERSION, chouette.terms, chouette.events))


def read_log(text: bytes | str, *, audit: bool = False) -> Chouette:
    """Parses the log of a chouette; with `audit`, checks every play against today's rules.

    FormatError for anything else.
    """
    try:
        log = msgspec.json.decode(text, type=ChouetteLog)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError("no log of a chouette: %(error)s", error=error) from None
    if log.rules_version > RULES_VERSION:
        raise FormatError(
            "rules version %(found)s; this program knows up to %(latest)s",
            found=log.rules_version,
            latest=RULES_VERSION,
        )
    try:
        rules = variant(log.rules)
        for index, event in enumerate(log.events):
            check_kept_position(rules, event.event if isinstance(event, Act) else event, index)
        return Chouette.fold(rules, log.terms, log.events, audit=audit)
    except UNREPLAYABLE as error:
        raise FormatError("the log cannot be replayed: %(error)s", error=error) from None
