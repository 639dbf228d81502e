"""Messages about clubs and their ladders in the bot API."""

from __future__ import annotations

from msgspec import Struct

from barpoint.server.api.messages import Person
from barpoint.server.api.tournament_messages import TournamentListing


class ClubMessage(Struct, frozen=True):
    """A club. joining: open, request or invitation. members: how many. role: of the token's owner, asked included; or null."""

    id: str
    name: str
    text: str
    joining: str
    members: int
    role: str | None


class ClubList(Struct, frozen=True):
    """Clubs, one's own first."""

    clubs: tuple[ClubMessage, ...]


class ClubMemberMessage(Struct, frozen=True):
    """A member of a club. role: owner, director or member. since: ms since 1970."""

    id: str
    name: str
    role: str
    since: int


class SeasonLineMessage(Struct, frozen=True):
    """A player in the table of a season. missed: matches lost because they did not come or had left."""

    id: str
    name: str
    rank: int
    points: int
    won: int
    lost: int
    missed: int


class ClubNoticeMessage(Struct, frozen=True):
    """A notice of a club. by: the name of who wrote it. at: ms since 1970."""

    id: int
    by: str
    text: str
    at: int


class LadderListing(Struct, frozen=True):
    """A ladder in a list. players: how many stand on it."""

    id: str
    name: str
    variant: str
    players: int


class ClubShown(Struct, frozen=True):
    """A club with its members and the table of its present season. tournaments: those that the token's owner may see.

    seasons: the names of all, the present one first. asking: who has asked to join, for those who run the club.
    notices: the latest first, for those who may read them.
    """

    club: ClubMessage
    people: tuple[ClubMemberMessage, ...]
    season: str
    table: tuple[SeasonLineMessage, ...]
    tournaments: tuple[TournamentListing, ...]
    ladders: tuple[LadderListing, ...]
    seasons: tuple[str, ...]
    asking: tuple[ClubMemberMessage, ...]
    notices: tuple[ClubNoticeMessage, ...]


class SeasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The season to begin."""

    name: str


class LadderBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A ladder to open. reach: how many places above one may challenge. days: to begin a match in."""

    name: str
    variant: str = "backgammon"
    length: int = 5
    cube: bool = True
    time_control: str = "Normal"
    rated: bool = False
    reach: int = 2
    days: int = 7


class LadderChallengeMessage(Struct, frozen=True):
    """A challenge on a ladder. outcome: taken, kept or lapsed; null while it is open. begun: its match is played here. Times in ms since 1970."""

    match: str
    challenger: Person
    other: Person
    at: int
    due_at: int
    outcome: str | None
    begun: bool


class LadderResultBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a challenge at a real board. match: that of the challenge. winner: id or name."""

    match: str
    winner: str


class LadderMatch(Struct, frozen=True):
    """The match of a challenge on a ladder, by its id. It waits for both players."""

    match: str


class LadderShown(Struct, frozen=True):
    """A ladder. people: from the top. challenges: open ones first, then the latest. reach, play_ms: as announced."""

    id: str
    club: str
    name: str
    variant: str
    length: int
    time_control: str
    rated: bool
    reach: int
    play_ms: int
    closed: bool
    people: tuple[Person, ...]
    challenges: tuple[LadderChallengeMessage, ...]
