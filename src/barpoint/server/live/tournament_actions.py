"""What players and directors do with a tournament, by name: the same for pages and programs."""

from __future__ import annotations

from msgspec import UNSET

from barpoint.error import BarpointError
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.tournament_actions import FINAL_ACTIONS, ActionKind, TournamentAction
from barpoint.server.domain.tournament_events import TournamentStage
from barpoint.server.live.tournament_step import SentCommand
from barpoint.server.live.tournaments import Tournaments
from barpoint.server.storage.tournaments import TournamentRecord


class NotSure(BarpointError):
    """An action cannot be undone, and was not said to be meant."""


def is_final(known: TournamentRecord, by: Guest, kind: str) -> bool:
    """Whether an action of theirs cannot be undone; before the start, and in an arena, who leaves may come back."""
    if kind == "leave":
        return known.now.stage is TournamentStage.RUNNING and not known.now.plan.form.continuous
    return kind in FINAL_ACTIONS and known.results_entered_by(by)


async def act(
    tournaments: Tournaments,
    tournament_id: str,
    by: Guest,
    kind: ActionKind,
    said: TournamentAction,
    *,
    program: bool = False,
) -> int:
    """Executes an action by its name; returns the number of its event.

    program: they use the API. NotSure, StaleCommand, and what the action itself refuses.
    """
    if not said.sure and is_final(await tournaments.known(tournament_id), by, kind):
        raise NotSure("this cannot be undone; allowed: to send it again with sure")
    sent = SentCommand(said.id, said.seq)
    match kind:
        case "join":
            return await tournaments.join(tournament_id, by, program, sent=sent)
        case "leave":
            return await tournaments.leave(tournament_id, by, sent=sent)
        case "report":
            return await tournaments.report(tournament_id, by, *said.result, sent, score=said.score)
        case "play-here":
            return await tournaments.play_here(tournament_id, by, said.match, sent=sent)
        case "ask-bye" | "play-on":
            return await tournaments.ask_bye(tournament_id, by, wanted=kind == "ask-bye", sent=sent)
        case "give-bye":
            return await tournaments.give_bye(tournament_id, by, said.player, given=said.given, sent=sent)
        case "begin":
            return await tournaments.begin(tournament_id, by, sent=sent)
        case "extend":
            return await tournaments.extend(tournament_id, by, said.minutes, sent=sent)
        case "cancel":
            return await tournaments.cancel(tournament_id, by, said.reason, sent=sent)
        case "remove":
            return await tournaments.remove(tournament_id, by, said.player, sent=sent)
        case "seat":
            return await tournaments.seat_bot(tournament_id, by, said.level, sent=sent)
        case "enter":
            enter = tournaments.enter_walk_in if said.walk_in else tournaments.enter
            return await enter(tournament_id, by, said.name, sent, bye=None if said.game is UNSET else said.match)
        case "rename":
            return await tournaments.rename(tournament_id, by, said.player, said.name, sent)
        case "late":
            return await tournaments.change_late(tournament_id, by, said.rounds, sent)
        case "at-board":
            return await tournaments.to_real_board(tournament_id, by, said.match, sent)
        case "decide" | "correct":
            corrects = kind == "correct"
            return await tournaments.decide(tournament_id, by, *said.result, sent, score=said.score, corrects=corrects)
        case "take-back":
            return await tournaments.take_back(tournament_id, by, said.match, sent)
        case "name-helper":
            return await tournaments.name_helper(tournament_id, by, said.name, sent)
        case "drop-helper":
            return await tournaments.drop_helper(tournament_id, by, said.player, sent)
        case "pair-again":
            return await tournaments.pair_again(tournament_id, by, sent=sent)
