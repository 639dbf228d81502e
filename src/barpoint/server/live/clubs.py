"""Clubs: founding one, joining and leaving it, roles, seasons, notices. Each command is one transaction on the whole club."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import Connection

from barpoint.error import BarpointError
from barpoint.server.domain.clubs import Admission, Club, ClubRecord, ClubRefused, ClubRole, EventKind
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.limits import (
    MAX_CLUB_NAME,
    MAX_CLUB_TEXT,
    MAX_NOTICE_TEXT,
    MAX_NOTICES,
    MAX_SEASON_NAME,
    MIN_CLUB_NAME,
)
from barpoint.server.domain.plain_text import clean_lines
from barpoint.server.live.match_transactions import new_id
from barpoint.server.live.matches import TimeSource
from barpoint.server.storage import club_notices as notice_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage.store import Store

MAX_OWNED: Final = 3
"""Maximum open clubs that one person owns."""

MAX_MEMBERS: Final = 1000
"""Maximum people in a club, those who have asked included."""

Also = Callable[[Connection, str], None]
"""Writes more about a new event, given its id, in the transaction that creates it."""


class UnknownClub(BarpointError):
    """No club has this id."""


class NotClubDirector(BarpointError):
    """Only the owners of a club, its directors or an administrator can do this."""


@dataclass(frozen=True, slots=True)
class ClubPlan:
    """What an owner may change."""

    name: str
    text: str
    joining: Admission
    results_shown: bool = False


class Clubs:
    """All clubs of a server."""

    def __init__(self, store: Store, clock: TimeSource) -> None:
        self._store, self._clock = store, clock

    async def known(self, club_id: str) -> ClubRecord:
        """A club; UnknownClub."""
        return await self._store.read(_found, club_id)

    async def found(self, by: Guest, plan: ClubPlan, season: str) -> str:
        """Founds a club that somebody owns; returns its id. ClubRefused."""
        if not by.registered:
            raise ClubRefused("clubs are founded by players with an account; log in first")
        now = self._clock()
        club = Club(
            new_id(),
            plan.name,
            plan.text,
            plan.joining,
            secrets.token_urlsafe(12),
            now,
            results_shown=plan.results_shown,
        )
        named = clean(season, MAX_SEASON_NAME, 1, "season")

        def work(connection: Connection) -> None:
            if club_storage.owned_by(connection, by.id) >= MAX_OWNED:
                raise ClubRefused("you own %(limit)s clubs; close one first", limit=MAX_OWNED)
            club_storage.put_club(connection, club, by.id, named)

        await self._store.write(work)
        return club.id

    async def join(self, club_id: str, by: Guest, invitation: str | None = None) -> bool:
        """Joins a club, or asks to; returns whether they are a member now. invitation: of its link. ClubRefused."""
        now = self._clock()

        def work(connection: Connection) -> bool:
            known = _locked(connection, club_id)
            if not by.registered:
                raise ClubRefused("members of a club have an account; log in first")
            role, joining = known.role_of(by), known.club.joining
            if role not in (None, ClubRole.ASKED):
                return True
            if known.club.closed_at is not None:
                raise ClubRefused("this club is closed")
            if known.keeps_out(by):
                raise ClubRefused("you were removed from this club and cannot join again; ask its owner")
            invited = invitation is not None and secrets.compare_digest(
                invitation.encode(), known.club.invitation.encode()
            )
            if not invited and joining is Admission.INVITATION:
                raise ClubRefused("this club is joined by its link only; ask a member for it")
            if role is None and len(known.people) >= MAX_MEMBERS:
                raise ClubRefused("this club has %(limit)s members, which is all it may have", limit=MAX_MEMBERS)
            at_once = invited or joining is Admission.OPEN
            if at_once or role is None:
                as_what = ClubRole.MEMBER if at_once else ClubRole.ASKED
                club_storage.set_role(connection, club_id, by.id, as_what, now)
            return at_once

        return await self._store.write(work)

    async def leave(self, club_id: str, by: Guest) -> None:
        """Leaves a club, or takes back a request; ClubRefused for its only owner."""

        def change(connection: Connection, known: ClubRecord) -> None:
            if known.role_of(by) is ClubRole.OWNER and len(known.owners) == 1:
                raise ClubRefused("you are the only owner; make another member an owner, or close the club")
            club_storage.remove_member(connection, club_id, by.id)

        await self._change(club_id, lambda known: known.role_of(by) is not None, change)

    # ---------------------------------------------------------------- commands of directors

    async def answer(self, club_id: str, by: Guest, person_id: str, admitted: bool) -> None:
        """Admits or refuses somebody who has asked to join; NotClubDirector, ClubRefused."""
        now = self._clock()

        def change(connection: Connection, known: ClubRecord) -> None:
            if person_id not in {one.person.id for one in known.asking}:
                raise ClubRefused("nobody of that name has asked to join")
            if admitted:
                club_storage.set_role(connection, club_id, person_id, ClubRole.MEMBER, now)
            else:
                club_storage.remove_member(connection, club_id, person_id)

        await self._change(club_id, lambda known: known.directs(by), change)

    async def begin_season(self, club_id: str, by: Guest, name: str) -> None:
        """Begins the next season, which ends the present one; NotClubDirector, ClubRefused."""
        now, named = self._clock(), clean(name, MAX_SEASON_NAME, 1, "season")

        def change(connection: Connection, known: ClubRecord) -> None:
            club_storage.put_season(connection, club_id, known.seasons[0].number + 1, named, now)

        await self._change(club_id, lambda known: known.directs(by), change)

    async def post_notice(self, club_id: str, by: Guest, text: str) -> None:
        """Puts a notice up on the club's page; the same text as in the latest notice of theirs changes nothing.

        NotClubDirector, ClubRefused.
        """
        now, written = self._clock(), clean_notice(text)

        def change(connection: Connection, known: ClubRecord) -> None:
            if known.club.closed_at is not None:
                raise ClubRefused("this club is closed")
            up = notice_storage.notices_of(connection, club_id)
            if up and (up[0].by.id, up[0].text) == (by.id, written):
                return
            if len(up) >= MAX_NOTICES:
                raise ClubRefused(
                    "%(count)s notices are up; allowed: %(limit)s, so remove one first",
                    count=len(up),
                    limit=MAX_NOTICES,
                )
            notice_storage.put_notice(connection, club_id, by.id, written, now)

        await self._change(club_id, lambda known: known.directs(by), change)

    async def remove_notice(self, club_id: str, by: Guest, notice_id: int) -> None:
        """Takes a notice down, whoever of those who run the club wrote it; NotClubDirector, ClubRefused."""

        def change(connection: Connection, _known: ClubRecord) -> None:
            if not notice_storage.drop_notice(connection, club_id, notice_id):
                raise ClubRefused("this notice is not up any more")

        await self._change(club_id, lambda known: known.directs(by), change)

    # ---------------------------------------------------------------- commands of owners

    async def edit(self, club_id: str, by: Guest, plan: ClubPlan) -> None:
        """Changes name, text and how people join; NotClubDirector."""
        values = {**asdict(plan), "joining": plan.joining.value}
        await self._change(
            club_id,
            lambda known: known.owns(by),
            lambda connection, _: club_storage.change_club(connection, club_id, **values),
        )

    async def renew_link(self, club_id: str, by: Guest) -> None:
        """Makes a new invitation link; the old one stops working. NotClubDirector."""
        fresh = secrets.token_urlsafe(12)
        await self._change(
            club_id,
            lambda known: known.owns(by),
            lambda connection, _: club_storage.change_club(connection, club_id, invitation=fresh),
        )

    async def set_role(self, club_id: str, by: Guest, person_id: str, role: ClubRole | None) -> None:
        """Changes what a member is; None removes them. NotClubDirector, ClubRefused for the only owner."""

        def change(connection: Connection, known: ClubRecord) -> None:
            member = next((one for one in known.members if one.person.id == person_id), None)
            if member is None or role is ClubRole.ASKED:
                raise ClubRefused("nobody of that name is a member")
            if member.role is ClubRole.OWNER and role is not ClubRole.OWNER and len(known.owners) == 1:
                raise ClubRefused("a club keeps an owner; make another member an owner first")
            if role is None:
                club_storage.remove_member(connection, club_id, person_id)
            else:
                club_storage.set_role(connection, club_id, person_id, role, member.at)

        await self._change(club_id, lambda known: known.owns(by), change)

    async def keep_out(self, club_id: str, by: Guest, person_id: str) -> None:
        """Removes a member who cannot join again, by the link neither. NotClubDirector, ClubRefused for owners."""
        now = self._clock()

        def change(connection: Connection, known: ClubRecord) -> None:
            member = next((one for one in known.people if one.person.id == person_id), None)
            if member is None:
                raise ClubRefused("nobody of that name is a member")
            if member.role is ClubRole.OWNER:
                raise ClubRefused("an owner is not kept out; make them a member first")
            club_storage.keep_out(connection, club_id, person_id, now)

        await self._change(club_id, lambda known: known.owns(by), change)

    async def let_in(self, club_id: str, by: Guest, person_id: str) -> None:
        """Lets somebody who was kept out join again. NotClubDirector."""
        await self._change(
            club_id,
            lambda known: known.owns(by),
            lambda connection, _: club_storage.let_in(connection, club_id, person_id),
        )

    async def close(self, club_id: str, by: Guest) -> None:
        """Closes a club: it leaves the list, and nobody joins it any more. NotClubDirector."""
        now = self._clock()
        await self._change(
            club_id,
            lambda known: known.owns(by),
            lambda connection, _: club_storage.change_club(connection, club_id, closed_at=now),
        )

    async def _change(
        self,
        club_id: str,
        allowed: Callable[[ClubRecord], bool],
        change: Callable[[Connection, ClubRecord], None],
    ) -> None:
        def work(connection: Connection) -> None:
            known = _locked(connection, club_id)
            if not allowed(known):
                raise NotClubDirector("only who runs the club, or an administrator, can do this")
            change(connection, known)

        await self._store.write(work)

    # ---------------------------------------------------------------- events

    async def event(self, club_id: str, by: Guest, kind: EventKind, private: bool) -> Also:
        """What to write with a new event of the club; ClubRefused for whoever may not make one.

        Members make chouettes and matches, directors tournaments.
        """
        known, now = await self.known(club_id), self._clock()
        if known.club.closed_at is not None:
            raise ClubRefused("this club is closed")
        if not (known.directs(by) if kind is EventKind.TOURNAMENT else known.belongs(by)):
            raise ClubRefused("this is for members of the club; its tournaments are announced by its directors")
        return lambda connection, event_id: club_storage.put_event(connection, club_id, event_id, kind, private, now)


def _locked(connection: Connection, club_id: str) -> ClubRecord:
    """A club that no other process changes before this transaction ends; UnknownClub."""
    club_storage.lock_club(connection, club_id)
    return _found(connection, club_id)


def _found(connection: Connection, club_id: str) -> ClubRecord:
    known = club_storage.get_club(connection, club_id)
    if known is None:
        raise UnknownClub("no club is called %(club_id)r", club_id=club_id[:20])
    return known


def read_club(form: Mapping[str, str]) -> ClubPlan:
    """The club that a form describes; ClubRefused."""
    name, text, joining = (form.get(field, "") for field in ("name", "text", "joining"))
    try:
        how = Admission(joining)
    except ValueError:
        raise ClubRefused(
            "joining: %(found)r; allowed: %(allowed)s", found=joining[:20], allowed=", ".join(Admission)
        ) from None
    written = clean_lines(text)
    shown = "results_shown" in form
    return ClubPlan(clean(name, MAX_CLUB_NAME, MIN_CLUB_NAME, "name"), written[:MAX_CLUB_TEXT], how, shown)


def clean_notice(text: str) -> str:
    """A notice as stored; ClubRefused if it is empty or too long."""
    written = clean_lines(text)
    if not 1 <= len(written) <= MAX_NOTICE_TEXT:
        raise ClubRefused(
            "a notice of %(count)s characters; allowed: 1 to %(most)s", count=len(written), most=MAX_NOTICE_TEXT
        )
    return written


def clean(text: str, most: int, least: int, field: str) -> str:
    """A short text without line breaks and other letters that nobody sees; ClubRefused if it is too short."""
    cleaned = re.sub(r"\s+", " ", "".join(letter for letter in text if letter.isprintable())).strip()[:most].strip()
    if len(cleaned) < least:
        raise ClubRefused(
            "%(field)s: %(found)r; allowed: %(least)s to %(most)s characters",
            field=field,
            found=cleaned,
            least=least,
            most=most,
        )
    return cleaned
