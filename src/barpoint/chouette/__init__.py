"""Chouettes: one player (the box) against a team, one board, a cube for each player, ledger and rotation."""

from barpoint.chouette.allowed import May, can_begin, check_offer, has_room, may, settleable
from barpoint.chouette.apply import apply, replay
from barpoint.chouette.event import (
    Act,
    Ask,
    ChouetteEvent,
    Join,
    Leave,
    Order,
    Propose,
    Seed,
    Waive,
    Withdraw,
    event_from_dict,
    event_to_dict,
    kind_of,
)
from barpoint.chouette.log import read_log, write_log
from barpoint.chouette.state import BOX, MAX_PLAYERS, MIN_PLAYERS, TEAM, Chouette, FinishedChouetteGame, GivenSeed, Pair
from barpoint.chouette.terms import ChouetteTerms, Consulting

__all__ = [
    "BOX",
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "TEAM",
    "Act",
    "Ask",
    "Chouette",
    "ChouetteEvent",
    "ChouetteTerms",
    "Consulting",
    "FinishedChouetteGame",
    "GivenSeed",
    "Join",
    "Leave",
    "May",
    "Order",
    "Pair",
    "Propose",
    "Seed",
    "Waive",
    "Withdraw",
    "can_begin",
    "check_offer",
    "event_from_dict",
    "event_to_dict",
    "has_room",
    "kind_of",
    "may",
    "read_log",
    "settleable",
    "write_log",
]

# `state` cannot import the steps of its events, so the package binds them to Chouette here.
Chouette.apply = apply
Chouette.replay = replay
