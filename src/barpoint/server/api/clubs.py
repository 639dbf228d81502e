"""Clubs in the bot API: the list, one with its members and season table, joining, leaving and running it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection
from starlette.responses import Response

from barpoint.server.api import club_messages, messages
from barpoint.server.api.requests import Call, RequestRefused, answer_with, guarded
from barpoint.server.api.tournaments import tournament_shown
from barpoint.server.domain.clubs import Club, ClubMember, ClubNotice, ClubRole, SeasonLine, season_table
from barpoint.server.domain.ladders import LadderPlan
from barpoint.server.domain.tournament_events import TournamentStage
from barpoint.server.storage import club_notices as notice_storage
from barpoint.server.storage import clubs as club_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import ladders as ladder_storage
from barpoint.server.storage import tournament_lists
from barpoint.server.storage.tournament_lists import ListedTournament

LISTED: Final = 200
CHANGES: Final = ("admit", "refuse", "member", "director", "owner", "remove")
"""What is done with a person of a club."""
STAGES: Final = (TournamentStage.OPEN, TournamentStage.RUNNING, TournamentStage.OVER)


def _shown(club: Club, members: int, role: ClubRole | None) -> club_messages.ClubMessage:
    return club_messages.ClubMessage(
        club.id, club.name, club.text, club.joining.value, members, role.value if role else None
    )


@guarded(None)
async def clubs(call: Call) -> Response:
    """Every club that is not closed."""
    found = await call.services.store.read(club_storage.clubs_listed, call.person.id, LISTED)
    return answer_with(club_messages.ClubList(tuple(_shown(one.club, one.members, one.role) for one in found)))


@guarded(None)
async def club(call: Call) -> Response:
    """A club: its members, the table of its present season, its tournaments, its notices."""
    known = await call.services.clubs.known(call.request.path_params["club"])
    season, public = known.seasons[0], not known.belongs(call.person)

    def work(
        connection: Connection,
    ) -> tuple[tuple[SeasonLine, ...], list[ListedTournament], list[tuple[str, LadderPlan, int]], list[ClubNotice]]:
        counts = club_storage.season_counts(connection, known.club.id, season)
        held = tournament_lists.listed(connection, STAGES, LISTED, public=public, club=known.club.id)
        notices = notice_storage.notices_of(connection, known.club.id) if known.reads_notices(call.person) else []
        return season_table(counts), held, ladder_storage.ladders_of(connection, known.club.id), notices

    table, held, ladders, notices = await call.services.store.read(work)
    return answer_with(
        club_messages.ClubShown(
            _shown(known.club, len(known.members), known.role_of(call.person)),
            _people(known.members),
            season.name,
            tuple(
                club_messages.SeasonLineMessage(
                    line.count.person.id,
                    line.count.person.name,
                    line.rank,
                    line.count.points,
                    line.count.won,
                    line.count.lost,
                    line.count.missed,
                )
                for line in table
            ),
            tuple(tournament_shown(one.id, one.plan, one.stage, one.players) for one in held),
            tuple(club_messages.LadderListing(one, plan.name, plan.variant, players) for one, plan, players in ladders),
            tuple(one.name for one in known.seasons),
            _people(known.asking) if known.directs(call.person) else (),
            tuple(club_messages.ClubNoticeMessage(one.id, one.by.name, one.text, one.at) for one in notices),
        )
    )


def _people(members: Iterable[ClubMember]) -> tuple[club_messages.ClubMemberMessage, ...]:
    return tuple(
        club_messages.ClubMemberMessage(one.person.id, one.person.name, one.role.value, one.at) for one in members
    )


@guarded("challenge")
async def change_person(call: Call) -> Response:
    """Admits or refuses who has asked to join, changes what a member is, or removes them; for who runs the club."""
    path, clubs = call.request.path_params, call.services.clubs
    club_id, change = path["club"], path["club_change"]
    person = await call.services.store.read(guest_storage.find_person, path["person"])
    if person is None or change not in CHANGES:
        raise RequestRefused(404, "unknown", f"no such person, or {change[:20]!r}; allowed: {', '.join(CHANGES)}")
    if change in ("admit", "refuse"):
        await clubs.answer(club_id, call.person, person.id, change == "admit")
    else:
        await clubs.set_role(club_id, call.person, person.id, None if change == "remove" else ClubRole(change))
    return answer_with(messages.DoneMessage())


@guarded("challenge")
async def begin_season(call: Call) -> Response:
    """Begins the next season of a club, which ends the present one."""
    body = await call.body(club_messages.SeasonBody)
    await call.services.clubs.begin_season(call.request.path_params["club"], call.person, body.name)
    return answer_with(messages.DoneMessage())


@guarded("challenge")
async def join_club(call: Call) -> Response:
    """Joins a club, or asks to, or leaves it."""
    action, club_id = call.request.path_params["club_action"], call.request.path_params["club"]
    if action == "join":
        await call.services.clubs.join(club_id, call.person)
    elif action == "leave":
        await call.services.clubs.leave(club_id, call.person)
    else:
        raise RequestRefused(404, "unknown", f"{action[:20]!r}; allowed: join, leave")
    return answer_with(messages.DoneMessage())
