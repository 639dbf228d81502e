"""A match as a line in a list: the opponent, the game, the score, and whose move it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from barpoint.game import in_digits
from barpoint.language import _, date, ngettext, number, pgettext, time
from barpoint.server.domain.agreement_form import describe_agreement
from barpoint.server.domain.matches import SeatKind
from barpoint.server.domain.seat_names import shown_name
from barpoint.server.domain.time_control import DAY, HOUR, MINUTE, in_days
from barpoint.server.domain.titles import variant_title
from barpoint.server.storage.lobby import ListedMatch, waits_for

NO_RATINGS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in a list, for one viewer.

    names, bots: where the viewer plays, their own first. mine: it waits for them. between: two games, until somebody
    begins the next one. open: for a friend.
    by_hand: played at a real board. removable: the viewer may give it up. day, ending: on which it ended, and how in a
    word or two for the viewer; "" before. event, due_at, due: the tournament or ladder in which it waits for its beginning, and
    until when one must be at the board. rating: of both players, by the analysis, in the order of the names; "" without one. standings: ratings of
    both in the game's pool, as text. picture: address of the board as it stands; "" for none. left: the time that the viewer has left,
    where there are days for a turn; "" elsewhere, and while it does not wait for them.
    """

    id: str
    title: str
    terms: str
    names: tuple[str, str]
    bots: tuple[bool, bool]
    score: str
    mine: bool
    between: bool
    open: bool
    over: bool
    by_hand: bool
    removable: bool
    day: str
    ending: str
    event: str
    due_at: int | None
    due: str
    rating: str
    standings: tuple[str, str] = ("", "")
    picture: str = ""
    left: str = ""


def match_summary(
    going: ListedMatch,
    viewer: str | None = None,
    rated: Mapping[str, tuple[float, float]] = NO_RATINGS,
    now: int | None = None,
) -> MatchSummary:
    """The summary of a match; a viewer who plays comes first. rated: PR by match, of both seats. now: for the time that is left."""
    seat = going.guests.index(viewer) if viewer in going.guests and viewer is not None else 0
    mine = viewer is not None and viewer in going.guests
    called = [
        shown_name(name, person=kind == SeatKind.GUEST) for name, kind in zip(going.names, going.kinds, strict=True)
    ]
    names = (called[seat], called[1 - seat])
    score = f"{in_digits(going.score[seat])} : {in_digits(going.score[1 - seat])}"
    by_hand = going.agreement.terms.manual
    won = None if going.winner is None or not mine or by_hand else going.winner == seat
    waits = viewer is not None and waits_for(going, viewer)
    ends = going.deadline_at if waits and in_days(going.agreement.time_control) else None
    return MatchSummary(
        id=going.id,
        title=variant_title(going.agreement.rules),
        terms=describe_agreement(going.agreement),
        names=names,
        bots=(going.bots[seat], going.bots[1 - seat]),
        score=score,
        mine=waits,
        between=not (going.over or going.event) and going.to_act is None and SeatKind.OPEN.value not in going.kinds,
        open=SeatKind.OPEN.value in going.kinds and not going.over,
        over=going.over,
        by_hand=by_hand,
        day=date(going.at) if going.over else "",
        ending=_ending(going.last, won) if going.over else "",
        event=going.event,
        due_at=going.due_at,
        due="" if going.due_at is None else time(going.due_at),
        rating=""
        if going.id not in rated
        else rating_of_both(rated[going.id], (called[0], called[1]), seat if mine and not by_hand else None),
        removable=mine and not going.over and (going.bots[1 - seat] or going.kinds[1 - seat] != SeatKind.GUEST),
        left="" if ends is None or now is None else left_text(ends - now),
    )


def left_text(ms: int) -> str:
    """A time that is left, in its largest whole units: days from two on, then hours, then minutes."""
    if ms >= 2 * DAY:
        return ngettext("%(num)s day left", "%(num)s days left", ms // DAY)
    if ms >= HOUR:
        return ngettext("%(num)s hour left", "%(num)s hours left", ms // HOUR)
    return ngettext("%(num)s minute left", "%(num)s minutes left", max(0, ms // MINUTE))


def rating_of_both(both: tuple[float, float], names: tuple[str, str], seat: int | None) -> str:
    """The PR of both players as text. seat: the reader's, None where they did not play."""
    if seat is not None:
        return _("Your PR %(own)s, theirs %(theirs)s", own=number(both[seat], 1), theirs=number(both[1 - seat], 1))
    first, second = number(both[0], 1), number(both[1], 1)
    return _("PR: %(one)s %(first)s, %(other)s %(second)s", one=names[0], first=first, other=names[1], second=second)


def _ending(last: str, won: bool | None) -> str:
    """How a match ended. last: kind of its last event; won: None for spectators."""
    match last, won:
        case "timeout", True:
            return pgettext("match", "won on time")
        case "timeout", False:
            return pgettext("match", "lost on time")
        case "timeout", None:
            return pgettext("match", "decided on time")
        case "claim", True:
            return pgettext("match", "won, the opponent left")
        case "claim", False:
            return pgettext("match", "lost by leaving")
        case _, True:
            return pgettext("match", "won")
        case _, False:
            return pgettext("match", "lost")
        case _:
            return pgettext("match", "over")
