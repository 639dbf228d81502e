"""Chouettes: one player against a team that has one board and a cube each, with ledger and rotation."""

from barpoint.chouette.allowed import May, can_begin, has_room, may, settleable
from barpoint.chouette.event import (
    Act,
    Ask,
    Event,
    Join,
    Leave,
    Order,
    Propose,
    Seed,
    Waive,
    event_from_dict,
    event_to_dict,
    kind_of,
)
from barpoint.chouette.log import read_log, write_log
from barpoint.chouette.table import BOX, FEWEST, MOST, TEAM, Chouette, Finished, Given, Pair
from barpoint.chouette.terms import Consulting, Terms, terms_of

__all__ = [
    "BOX",
    "FEWEST",
    "MOST",
    "TEAM",
    "Act",
    "Ask",
    "Chouette",
    "Consulting",
    "Event",
    "Finished",
    "Given",
    "Join",
    "Leave",
    "May",
    "Order",
    "Pair",
    "Propose",
    "Seed",
    "Terms",
    "Waive",
    "can_begin",
    "event_from_dict",
    "event_to_dict",
    "has_room",
    "kind_of",
    "may",
    "read_log",
    "settleable",
    "terms_of",
    "write_log",
]
