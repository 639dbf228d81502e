"""What the director of a tournament can choose among on its page: results to correct, byes for latecomers, names, late entries."""

from __future__ import annotations

from dataclasses import dataclass

from barpoint.language import _
from barpoint.server.domain.tournament_events import Form, TournamentStage, is_walk_in
from barpoint.server.domain.tournament_matches import TournamentMatch
from barpoint.server.domain.tournament_plans import RANGES
from barpoint.server.live.tournament_direction import corrections, open_byes, to_take_back
from barpoint.server.live.tournament_step import name_of
from barpoint.server.storage.tournaments import TournamentRecord
from barpoint.server.web.tournament_choices import Choices


@dataclass(frozen=True, slots=True)
class DirectorDesk:
    """What a director can do now beyond what every page shows.

    correctable: decided matches, the latest first, with who may have won, None for nobody. fixed: there are some whose winner
    stays because of a later match. byes: of the first round, for a latecomer: the match, and who has it. walk_ins: id and
    name. late: until when players may enter a running Swiss tournament: what is offered. by_name: they may enter others. taken_back:
    matches whose result, or what is being played of them, may be taken back, the latest first: number and words.
    """

    correctable: tuple[tuple[TournamentMatch, tuple[str | None, ...]], ...] = ()
    fixed: bool = False
    byes: tuple[tuple[int, str], ...] = ()
    walk_ins: tuple[tuple[str, str], ...] = ()
    late: tuple[tuple[str, str], ...] = ()
    by_name: bool = False
    taken_back: tuple[tuple[int, str], ...] = ()


def desk_of(known: TournamentRecord) -> DirectorDesk:
    """The desk of a tournament."""
    now = known.now
    if now.stage is TournamentStage.CANCELLED:
        return DirectorDesk()
    found = corrections(known)[::-1]
    by_name = (known.club is not None or now.plan.boards) and not now.plan.fee
    return DirectorDesk(
        tuple((game, winners) for game, winners in found if winners),
        any(set(winners) <= {game.winner} for game, winners in found)
        and not (now.stage is TournamentStage.OVER and now.plan.fee),
        tuple((number, name_of(known, player)) for number, player in open_byes(known)) if by_name else (),
        tuple((player, name_of(known, player)) for player in now.entrants if is_walk_in(player)),
        tuple(_late(known)),
        by_name,
        tuple((game.number, match_text(known, game)) for game in to_take_back(known)[::-1]),
    )


def match_text(known: TournamentRecord, game: TournamentMatch) -> str:
    """Who plays a match, and how it ended."""
    first, second = (name_of(known, player or "") for player in game.players)
    both = _("%(first)s against %(second)s", first=first, second=second)
    if game.how is None:
        ended = _("being played")
    else:
        ended = _("%(player)s wins", player=name_of(known, game.winner)) if game.winner else _("both lose")
    return f"{both}: {ended}"


def _late(known: TournamentRecord) -> Choices:
    """Until which round players may enter, of what is still possible; [] where nothing is left to choose."""
    now, (_lowest, highest) = known.now, RANGES["late"]
    if now.plan.form is not Form.SWISS or now.stage is not TournamentStage.RUNNING:
        return []
    rounds = range(len(now.pairings), min(highest, now.rounds - 1) + 1)
    return (
        [("0", _("none")), *((str(count), _("until round %(count)s is over", count=count)) for count in rounds)]
        if rounds
        else []
    )
