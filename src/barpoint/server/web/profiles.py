"""The page of a player: ratings with their history, dice statistics with expected values, recent matches."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from barpoint.error import BarpointError
from barpoint.language import _, date, ngettext, number
from barpoint.server.domain.titles import variant_title
from barpoint.server.domain.tournament_events import TournamentStage
from barpoint.server.services import person_of, service_of
from barpoint.server.storage import accounts as account_storage
from barpoint.server.storage import guests as guest_storage
from barpoint.server.storage import lobby as lobby_storage
from barpoint.server.storage import players as player_storage
from barpoint.server.storage import results as result_storage
from barpoint.server.storage import tournament_lists
from barpoint.server.storage.lobby import ListedMatch
from barpoint.server.storage.results import RatingChange, RatingStanding
from barpoint.server.storage.tournament_lists import ListedTournament
from barpoint.server.study.statistics import match_ratings
from barpoint.server.web.match_summary import match_summary
from barpoint.server.web.plots import Axes, picture
from barpoint.server.web.rendering import render
from barpoint.server.web.tournament_form import ticket
from barpoint.variants import variant

RECENT: Final = 9
MAX_BETWEEN: Final = 1000
"""Matches between two people that their record counts."""

MAX_ROLLED: Final = 1000
"""Matches whose dice are counted, the latest."""

MAX_DATED: Final = 250
"""Points of a rating's line that say their day."""

PLAYED: Final = (TournamentStage.OPEN, TournamentStage.RUNNING, TournamentStage.OVER)
BAND: Final = 2.0
"""Standard deviations of the expected range: about one value in twenty lies outside by chance."""


@dataclass(frozen=True, slots=True)
class Luck:
    """How often something was rolled. chance: probability per try."""

    what: str
    count: int
    tries: int
    chance: float

    @property
    def share(self) -> float:
        """The observed share."""
        return self.count / self.tries

    @property
    def band(self) -> float:
        """Half the width of the expected range."""
        return BAND * math.sqrt(self.chance * (1 - self.chance) / self.tries)

    @property
    def usual(self) -> bool:
        """Whether the share lies in the expected range."""
        return abs(self.share - self.chance) <= self.band


def luck_of(rolls: Mapping[tuple[int, ...], int]) -> list[tuple[str, list[Luck]]]:
    """Observed and expected rolls, for each kind of dice used."""
    found = []
    pairs = {faces: times for faces, times in rolls.items() if len(faces) == 2}
    triples = {faces: times for faces, times in rolls.items() if len(faces) == 3}
    single = {faces[0]: times for faces, times in rolls.items() if len(faces) == 1}
    if tries := sum(pairs.values()):
        doubles = sum(times for (first, second), times in pairs.items() if first == second)
        lines = [Luck(_("doubles"), doubles, tries, 1 / 6), *_faces_of(pairs.items(), 2 * tries)]
        found.append((ngettext("Two dice, %(num)s roll", "Two dice, %(num)s rolls", tries), lines))
    if tries := sum(triples.values()):
        lines = list(_faces_of(triples.items(), 3 * tries))
        found.append((ngettext("Three dice, %(num)s roll", "Three dice, %(num)s rolls", tries), lines))
    if tries := sum(single.values()):
        lines = [Luck(f"{face}", single.get(face, 0), tries, 1 / 12) for face in range(12, 0, -1)]
        found.append(
            (ngettext("The twelve-sided die, %(num)s roll", "The twelve-sided die, %(num)s rolls", tries), lines)
        )
    return found


def _faces_of(rolls: Collection[tuple[tuple[int, ...], int]], dice: int) -> Iterator[Luck]:
    """How often each face came in so many dice of six sides."""
    for face in range(6, 0, -1):
        count = sum(times * faces.count(face) for faces, times in rolls)
        yield Luck(_("dice that show %(face)s", face=face), count, dice, 1 / 6)


def plot(changes: Sequence[RatingChange], title: str) -> str:
    """The ratings after each match as an SVG line; it contains only numbers, dates and the title of a game."""
    values = [changes[0].before, *(change.after for change in changes)]
    low, high = math.floor(min(values) / 25) * 25, math.ceil(max(values) / 25) * 25
    high = high if high > low else low + 25
    step = 25 * 2 ** max(0, math.ceil(math.log2((high - low) / 125)))  # five lines at most

    axes = Axes(len(values), low, high, below=34)
    days = [date(changes[0].at), *(date(change.at) for change in changes)]
    said = ngettext(
        "%(title)s: from %(first)s to %(last)s in %(num)s match",
        "%(title)s: from %(first)s to %(last)s in %(num)s matches",
        len(changes),
        title=title,
        first=number(values[0], 0),
        last=number(values[-1], 0),
    )
    line = f'<polyline points="{axes.points(values)}"/>'
    shown = range(0, len(values) - 1, math.ceil(len(values) / MAX_DATED))
    dots = "".join(axes.dot(index, values[index], 2, f"{days[index]}: {number(values[index], 0)}") for index in shown)
    last = axes.dot(len(values) - 1, values[-1], 4, f"{days[-1]}: {number(values[-1], 0)}")
    return picture(
        said,
        axes.grid(step),
        line,
        dots,
        last,
        axes.labels({0: days[0]} | ({len(values) - 1: days[-1]} if days[-1] != days[0] else {})),
    )


@dataclass(frozen=True, slots=True)
class ProfileRating:
    """A rating as the page shows it. won, lost: rated matches. picture: SVG."""

    title: str
    standing: RatingStanding
    won: int
    lost: int
    picture: str


def pool_title(pool: str) -> str:
    """The title of the game of a rating pool."""
    try:
        return variant_title(variant(pool))
    except BarpointError:
        return _("A game of an earlier catalogue")


def _shown(pool: str, standing: RatingStanding, changes: Sequence[RatingChange]) -> ProfileRating:
    title = pool_title(pool)
    won = sum(change.won for change in changes)
    return ProfileRating(title, standing, won, len(changes) - won, plot(changes, title) if changes else "")


@dataclass(frozen=True, slots=True)
class Record:
    """How a viewer has fared against the player. last: the day of their latest match."""

    won: int
    lost: int
    last: str


def record_of(played: Sequence[ListedMatch], viewer: str) -> Record | None:
    """The record of a viewer in these matches, the latest first; None without any."""
    if not played:
        return None
    won = sum(one.winner is not None and one.guests[one.winner] == viewer for one in played)
    return Record(won, len(played) - won, date(played[0].at))


@dataclass(frozen=True, slots=True)
class Profile:
    """What everybody may see of a player. rolls: how often they rolled what. bot: a program plays for them."""

    ratings: list[ProfileRating]
    finished: list[ListedMatch]
    rolls: dict[tuple[int, ...], int]
    bot: bool
    tournaments: list[ListedTournament]


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What a player is to a viewer. between: their matches against each other, the latest first."""

    friend: bool
    blocked: bool
    between: list[ListedMatch]


def _profile(connection: Connection, account_id: str) -> Profile:
    person = guest_storage.get_guest(connection, account_id)
    ratings = [
        _shown(pool, standing, result_storage.changes(connection, account_id, pool))
        for pool, standing in result_storage.standings(connection, account_id).items()
    ]
    return Profile(
        sorted(ratings, key=lambda shown: -shown.standing.matches),
        lobby_storage.matches_finished(connection, account_id, RECENT, public=True),
        result_storage.roll_counts(connection, account_id, MAX_ROLLED),
        person is not None and person.bot,
        tournament_lists.listed(connection, PLAYED, RECENT, of=account_id),
    )


def _acquaintance(connection: Connection, viewer_id: str, account_id: str) -> Acquaintance:
    return Acquaintance(
        player_storage.is_friend(connection, viewer_id, account_id),
        any(one.id == account_id for one in lobby_storage.blocked_by(connection, viewer_id)),
        lobby_storage.matches_between(connection, viewer_id, account_id, MAX_BETWEEN),
    )


async def profile_page(request: Request) -> Response:
    """The public profile of a player."""
    services, viewer = service_of(request), await person_of(request)
    name = request.path_params["name"].replace("\0", "")
    account = await services.store.read(account_storage.find_account, name)
    if account is None:
        raise HTTPException(404)
    shown = await services.store.read(_profile, account.id)
    own = viewer is not None and viewer.id == account.id
    known = None if viewer is None or own else await services.store.read(_acquaintance, viewer.id, account.id)
    rated = await match_ratings(services.store, [one.id for one in shown.finished])
    return render(
        request,
        "profile.html",
        name=account.name,
        bot=shown.bot,
        closed=account.banned_at is not None,
        since=date(account.created_at),
        administrator=account.administrator,
        own=own,
        viewer=viewer,
        friend=known is not None and known.friend,
        blocked=known is not None and known.blocked,
        record=record_of(known.between, viewer.id) if known and viewer else None,
        ratings=shown.ratings,
        luck=luck_of(shown.rolls),
        finished=[match_summary(going, account.id, rated) for going in shown.finished],
        tournaments=[ticket(one) for one in shown.tournaments],
    )


ROUTES: Final = (Route("/player/{name}", profile_page),)
