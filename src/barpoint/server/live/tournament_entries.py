"""Who enters a tournament or leaves it, and why somebody does not: players by themselves, bots, and whom the director enters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as changed

from barpoint.language import SOURCE, _, in_language
from barpoint.server.bots.opponents import Opponents, find_level
from barpoint.server.domain.guests import Guest, clean_name
from barpoint.server.domain.limits import MAX_GUEST_NAME
from barpoint.server.domain.names import look
from barpoint.server.domain.tournament_events import (
    BOT,
    WALK_IN,
    HelperNamed,
    Joined,
    Left,
    Renamed,
    TournamentError,
    is_walk_in,
)
from barpoint.server.live.push import Pusher
from barpoint.server.live.tournament_direction import latecomer
from barpoint.server.live.tournament_step import name_of
from barpoint.server.storage.tournament_entries import EntryCandidate
from barpoint.server.storage.tournaments import TournamentRecord
from barpoint.variants import variant


@dataclass(frozen=True, slots=True)
class WantedEntry:
    """A name that a director has written. found: who owns the account of that name; of_account: it is one's, or looks so."""

    name: str
    found: EntryCandidate | None
    of_account: bool


def own_entry(known: TournamentRecord, by: Guest, program: bool) -> Joined:
    """Somebody enters by themselves. program: they use the bot API. TournamentError."""
    plan = known.now.plan
    if (plan.rated or plan.fee) and not by.registered:
        raise TournamentError("this tournament is rated or has an entry fee; log in to enter")
    if (program or by.bot) and not plan.bots:
        raise TournamentError("bots may not enter this tournament")
    return Joined(by.id)


def departure(known: TournamentRecord, by: Guest, *, for_good: bool) -> Left:
    """Somebody leaves; for_good: as in `Tournaments.leave`. TournamentError while they play, unless that match is adjourned."""
    continuous = known.now.plan.form.continuous
    playing = any(by.id in bout.seats and bout.seq and not (bout.over or bout.adjourned) for bout in known.bouts)
    if playing and not for_good and not continuous:
        raise TournamentError("your match has begun; play it, or resign it first")
    return Left(by.id, removed=for_good and continuous)


def bot_entry(known: TournamentRecord, opponents: Opponents, level: str) -> Joined:
    """A bot of this server enters; TournamentError, FormatError if no bot of that level plays this."""
    plan = known.now.plan
    if not plan.bots or plan.fee:
        raise TournamentError("bots may not enter this tournament")
    found = find_level(opponents, variant(plan.variant), level)
    number = 1
    while f"{BOT}{found.name}:{number}" in known.now.entrants:
        number += 1
    name = found.bot if number == 1 else f"{found.bot} {number}"
    return Joined(f"{BOT}{found.name}:{number}", name)


def account_entry(known: TournamentRecord, found: EntryCandidate | None, name: str) -> Joined:
    """The director enters the owner of an account. found: who owns the one of that name. TournamentError."""
    if known.club is None:
        raise TournamentError(
            "this is no tournament of a club; allowed: directors enter others in those of their clubs, and else everybody "
            "enters by themselves"
        )
    _require_no_fee(known)
    if found is None and known.now.plan.boards:
        raise TournamentError(
            "no account is called %(name)r; allowed: the name of a registered player, and with the tick “they have no "
            "account” that of anybody",
            name=name,
        )
    if found is None:
        raise TournamentError(
            "no account is called %(name)r; allowed: the name of a registered player, because only tournaments at real "
            "boards take players without an account",
            name=name,
        )
    player = found.person
    if found.banned:
        raise TournamentError(
            "the account %(name)s is banned; allowed: players whose account is open", name=player.name
        )
    if player.id in known.now.away and not known.now.may_return(player.id):
        raise TournamentError(
            "%(name)s has left this tournament, and who has left does not come back", name=player.name
        )
    if player.id in known.now.entrants and not known.now.may_return(player.id):
        raise TournamentError("%(name)s has entered already", name=player.name)
    if found.apart:
        raise TournamentError(
            "you two do not play each other; allowed: that %(name)s enters without you", name=player.name
        )
    if not found.admitted:
        raise TournamentError(
            "%(name)s is no member of %(club)s; allowed in this tournament: its members",
            name=player.name,
            club=known.club.name if known.club else "",
        )
    if player.bot and not known.now.plan.bots:
        raise TournamentError("bots may not enter this tournament")
    return Joined(player.id)


def helper_named(known: TournamentRecord, found: EntryCandidate | None, name: str) -> HelperNamed:
    """The director names the owner of an account who may enter results. found: who owns the one of that name. TournamentError."""
    if found is None or found.person.bot or found.banned:
        raise TournamentError("no account is called %(name)r; allowed: the name of a registered player", name=name)
    person = found.person
    if known.results_entered_by(person):
        raise TournamentError("%(name)s enters results already", name=person.name)
    if not found.admitted:
        raise TournamentError(
            "%(name)s is no member of %(club)s; allowed in this tournament: its members",
            name=person.name,
            club=known.club.name if known.club else "",
        )
    return HelperNamed(person.id)


def walk_in_entry(known: TournamentRecord, name: str, *, of_account: bool) -> Joined:
    """The director enters somebody by name alone. of_account: the name is that of an account, or looks so. TournamentError."""
    _require_no_fee(known)
    if not known.now.plan.boards:
        raise TournamentError(
            "this tournament is not played at real boards; allowed: players with an account, who play here"
        )
    called = _free_name(known, name, of_account=of_account)
    number = 1 + sum(is_walk_in(player) for player in known.now.given_names)
    return Joined(f"{WALK_IN}{number}", called)


def renamed(known: TournamentRecord, player: str, name: str, *, of_account: bool) -> Renamed:
    """The director gives a player without an account another name; of_account: as in `walk_in_entry`. TournamentError."""
    called = _free_name(known, name, of_account=of_account, besides=player)
    return Renamed(player, called, name_of(known, player))


def with_bye(known: TournamentRecord, joined: Joined, bye: int | None) -> Joined:
    """An entry, in the bye of a match of the first round if one is chosen; TournamentError."""
    return joined if bye is None else latecomer(known, changed(joined, game=bye))


def _free_name(known: TournamentRecord, name: str, *, of_account: bool, besides: str = "") -> str:
    """A name for a player without an account, as it is shown; TournamentError unless nobody has it. besides: who may have it."""
    called = clean_name(name)
    if called is None:
        raise TournamentError("no name; allowed: 1 to %(most)s characters", most=MAX_GUEST_NAME)
    if of_account:
        raise TournamentError(
            "%(name)r is the name of an account, or looks so; allowed: to enter that account, or to add a surname",
            name=called,
        )
    if look(called) in {look(name_of(known, player)) for player in known.now.entrants if player != besides}:
        raise TournamentError("somebody called %(name)r has entered already; allowed: to add a surname", name=called)
    return called


def refusals(known: TournamentRecord, wanted: Sequence[WantedEntry], *, walk_in: bool) -> list[TournamentError]:
    """Why a director cannot enter all of these, one after the other: an error for each of them who is refused.

    walk_in: all of them are without an account.
    """
    free = known.now.plan.max_players - len(known.now.entrants)
    if len(wanted) > max(free, 1):
        return [
            TournamentError(
                "%(count)s names; allowed: %(free)s, as many as places are free", count=len(wanted), free=free
            )
        ]
    refused, written = list[TournamentError](), set[str]()
    for one in wanted:
        try:
            if len(one.name) > MAX_GUEST_NAME:
                raise TournamentError(
                    "%(name)r has %(count)s characters; allowed: 1 to %(most)s, one name a line",
                    name=one.name[: 2 * MAX_GUEST_NAME],
                    count=len(one.name),
                    most=MAX_GUEST_NAME,
                )
            if look(one.name) in written:
                raise TournamentError("%(name)r stands there twice; allowed: each player once", name=one.name)
            written.add(look(one.name))
            if walk_in:
                joined = walk_in_entry(known, one.name, of_account=one.of_account)
            else:
                joined = account_entry(known, one.found, one.name)
            known = replace(known, now=known.now.apply(joined))
        except TournamentError as error:
            refused.append(error)
    return refused


def _require_no_fee(known: TournamentRecord) -> None:
    """Raises TournamentError where only players themselves enter, because they pay."""
    if known.now.plan.fee:
        raise TournamentError(
            "an entry fee of %(fee)s tickets; allowed: directors enter others where there is none, and else everybody "
            "enters and pays by themselves",
            fee=known.now.plan.fee,
        )


def tell_entered(pusher: Pusher, known: TournamentRecord, found: EntryCandidate, by: Guest) -> None:
    """Tells somebody by push that a director has entered them."""
    with in_language(found.language or SOURCE):
        text = _("%(director)s has entered you in %(name)s.", director=by.name, name=known.now.plan.name)
        pusher.tell(found.person.id, _("You play in a tournament"), text, f"/tournament/{known.id}", known.id)
