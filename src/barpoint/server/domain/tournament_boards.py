"""At which board of a hall each match of a tournament is played."""

from __future__ import annotations

from dataclasses import replace

from barpoint.server.domain import bracket
from barpoint.server.domain.bracket import NOBODY, From
from barpoint.server.domain.swiss import BYE
from barpoint.server.domain.tournament_events import Form
from barpoint.server.domain.tournament_matches import TournamentState, before_bracket


def board_numbers(now: TournamentState) -> dict[int, int]:
    """The board of each match that is not a bye, from 1, by the match's number; {} in a league, whose players choose when they play.

    They follow from the pairings alone, so that none changes while a round is played. In a round they count from its first
    match. In a bracket, where rounds overlap, a match takes the board of one that its players come from, the lower of
    two, so that two open matches never have the same.
    """
    found: dict[int, int] = {}
    if now.plan.form is Form.LEAGUE:
        return found
    first = 0
    for pairing in now.pairings:
        playing = [index for index, both in enumerate(pairing.pairs) if BYE not in both]
        found |= {first + index: board for board, index in enumerate(playing, 1)}
        first += len(pairing.pairs)
    return found | _in_bracket(now) if now.plan.form.eliminating and now.seeds else found


def _in_bracket(now: TournamentState) -> dict[int, int]:
    found: dict[int, int] = {}
    late = list(now.latecomers.items())
    for count in range(len(late) + 1):  # one after the other, so that who comes late renumbers nothing
        tree = replace(now, latecomers=dict(late[:count])).bracket
        at_first = bracket.places(tree, {})  # results leave more places empty, which renumbers nothing
        for node in tree.nodes:
            if NOBODY in at_first[node.number] or node.number in found:
                continue
            before = (found.get(source.number) for source in node.sources if source.kind is From.WINNER)
            unused = max(found.values(), default=0) + 1
            found[node.number] = min((board for board in before if board), default=unused)
    return {before_bracket(now) + number: board for number, board in found.items()}
