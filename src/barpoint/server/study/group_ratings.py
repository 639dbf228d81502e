"""Performance ratings of the people of a club, or of somebody and their friends, over the analysed matches among them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from barpoint.analysis.summary import Losses, added
from barpoint.server.domain.guests import Guest
from barpoint.server.storage import statistics as statistics_storage
from barpoint.server.storage.store import Store
from barpoint.server.study.statistics import AnalysedMatches, PlayerLosses


@dataclass(frozen=True, slots=True)
class GroupRating:
    """Somebody's losses: all decisions together, plays of the checkers and actions with the cube. matches: how many count."""

    person: Guest
    matches: int
    total: Losses
    plays: Losses
    cube: Losses


@dataclass(frozen=True, slots=True)
class GroupRatings:
    """The ratings of a group, in no order. plies: the search depth of each match that counts."""

    ratings: tuple[GroupRating, ...]
    plies: tuple[int, ...]


async def group_ratings(
    store: Store, analysed: AnalysedMatches, people: Sequence[Guest], viewer: str, since: int, until: int | None
) -> GroupRatings:
    """The ratings of those who have decided something in analysed matches among these people, and do not hide them.

    viewer: matches that they may not see do not count. since, until: when matches began, ms since 1970; the end is not included.
    """
    ids = [one.id for one in people]
    found = await store.read(statistics_storage.analysed_among, ids, viewer, since, until)
    hiding = await store.read(statistics_storage.hiding, ids)
    losses = await analysed.losses([one.key for one in found])
    counting = [one for one in found if one.key in losses]
    of_person: dict[str, list[PlayerLosses]] = defaultdict(list)
    for one in counting:
        for person_id, player in zip(one.players, losses[one.key], strict=True):
            if player.total.decisions:
                of_person[person_id].append(player)
    shown = (one for one in people if one.id in of_person and one.id not in hiding)
    return GroupRatings(
        tuple(_rating(one, of_person[one.id]) for one in shown), tuple(one.key.plies for one in counting)
    )


def _rating(person: Guest, matches: Sequence[PlayerLosses]) -> GroupRating:
    return GroupRating(
        person,
        len(matches),
        added(one.total for one in matches),
        added(one.plays for one in matches),
        added(one.cube for one in matches),
    )
