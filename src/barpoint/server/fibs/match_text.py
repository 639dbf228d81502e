"""Events of a match in the exact words of FIBS, which its clients parse to the comma."""

from __future__ import annotations

from barpoint.game import event as game_event
from barpoint.game import in_digits
from barpoint.game.event import Event
from barpoint.match import Match
from barpoint.server.fibs.automatic import request
from barpoint.server.fibs.board import Viewer, board_lines
from barpoint.server.fibs.notation import moves_text
from barpoint.server.fibs.preferences import Preferences
from barpoint.server.protocol.match_text import points_text

JOIN_NEXT = "Type 'join' if you want to play the next game, type 'leave' if you don't."


def length_text(length: int) -> str:
    """ "3 point match", "unlimited match"."""
    return f"{length} point match" if length else "unlimited match"


def an(length: int) -> str:
    """ "a 3 point match", "an unlimited match"."""
    return ("a " if length else "an ") + length_text(length)


def event_lines(before: Match, event: Event, after: Match, viewer: Viewer, preferences: Preferences) -> list[str]:
    """The lines a viewer receives for an event that led from one state of a match to the next."""
    lines = _happened(before, event, after, viewer, preferences)
    if after.game.over and not before.game.over:
        lines += _game_over(after, viewer)
    return lines


def _happened(before: Match, event: Event, after: Match, viewer: Viewer, preferences: Preferences) -> list[str]:
    match event:
        case game_event.Opening():
            return _opening(before, event, after, viewer, preferences)
        case game_event.Roll(player):
            first, second = (*event.faces, 0)[:2]
            who = "You roll" if viewer.is_you(player) else f"{viewer.name(player)} rolls"
            lines = [f"{who} {first} and {second}."]
            lines += board_lines(after, viewer) if preferences.moreboards else []
            return lines + (request(after, player, preferences) if viewer.is_you(player) else [])
        case game_event.PlayMade(player, moves):
            return _played(player, moves, after, viewer, preferences)
        case game_event.Timeout(player):
            return [f"** {viewer.name(player)} {'have' if viewer.is_you(player) else 'has'} run out of time."]
        case game_event.Claim(player):
            loser = 1 - player
            return [f"** {viewer.name(loser)} {'have' if viewer.is_you(loser) else 'has'} left, which loses the match."]
        case game_event.Abort(voided):
            return ["** An administrator has voided the match." if voided else "** The match is not played."]
        case game_event.Settle(points):
            return [f"** The game is settled at {points_text(abs(points))}."]
        case _:
            return _answered(before, event, after, viewer)


def _opening(
    before: Match, event: game_event.Opening, after: Match, viewer: Viewer, preferences: Preferences
) -> list[str]:
    us, them = viewer.seat, 1 - viewer.seat
    lines = [] if len(before.events) > before.first else [f"Starting a new game with {viewer.names[them]}."]
    lines.append(f"{viewer.name(us)} rolled {event.faces[us]}, {viewer.name(them)} rolled {event.faces[them]}")
    if event.faces[0] == event.faces[1]:
        doubled = after.game.cube.value > before.game.cube.value
        return lines + ([f"The number on the doubling cube is now {after.game.cube.value}"] if doubled else [])
    starter = after.game.player
    move = "It's your turn to move." if viewer.is_you(starter) else f"{viewer.names[starter]} makes the first move."
    lines += [move, *board_lines(after, viewer)]
    only = request(after, starter, preferences) if viewer.is_you(starter) else []
    return lines + [line for line in only if not line.startswith("Please move")]  # "your turn to move" already says it


def _played(
    player: int, moves: tuple[game_event.MoveMade, ...], after: Match, viewer: Viewer, preferences: Preferences
) -> list[str]:
    lines = []
    if not viewer.is_you(player):
        name = viewer.names[player]
        lines = [f"{name} moves {moves_text(moves, player)} ." if moves else f"{name} can't move."]
    if after.game.over:
        return lines
    if preferences.autoboard:
        lines += board_lines(after, viewer)
    return lines + (request(after, viewer.seat, preferences) if viewer.playing else [])


def _answered(before: Match, event: Event, after: Match, viewer: Viewer) -> list[str]:
    """The lines for doubles and resignations, and their answers."""
    player = getattr(event, "player", None)
    if player is None:
        return []
    you, other = viewer.is_you(player), viewer.names[1 - player]
    name, asked = viewer.names[player], viewer.is_you(1 - player)
    cube, result = after.game.cube, after.game.result
    won = points_text(result.points) if result else ""
    gets = "You win" if asked else f"{other} wins"
    match event:
        case game_event.Double():
            if you:
                return [f"You double. Please wait for {other} to {_answers(after, player)}."]
            return [f"{name} doubles." + (f" Type {_answers(after, player, quoted=True)}." if asked else "")]
        case game_event.Beaver() | game_event.Raccoon():
            if you:
                taken = f"You accept the double to {cube.offered // 2} and redouble."
                return [taken, f"Please wait for {other} to {_answers(after, player)}."]
            if asked:
                return [f"{name} redoubles to {cube.offered}. Type {_answers(after, player, quoted=True)}."]
            return [f"{name} redoubles."]
        case game_event.Take():
            what = "redouble" if before.game.cube.raises else "double"
            if viewer.playing:
                return [f"{'You accept' if you else f'{name} accepts'} the {what}. The cube shows {cube.value}."]
            return [f"{name} accepts the {what}."]
        case game_event.Pass():
            return [f"{'You give' if you else f'{name} gives'} up. {gets} {won}."]
        case game_event.Resign(_, level):
            points = points_text(level * cube.value)
            if you:
                return [f"You want to resign. {other} will win {points}."]
            asks = " Type 'accept' or 'reject'." if asked else ""
            return [f"{name} wants to resign. {'You' if asked else other} will win {points}.{asks}"]
        case game_event.Accept():
            return [f"You accept and win {won}." if you else f"{name} accepts and wins {won}."]
        case game_event.Reject():
            return [f"{'You reject' if you else f'{name} rejects'}. The game continues."]
        case _:
            return []


def _answers(match: Match, by: int, quoted: bool = False) -> str:
    """The possible answers to a double: "accept or reject", with 'redouble' where the terms allow beavers."""
    kinds = {item.kind for item in match.game.legal_events() if item.player == 1 - by}
    words = ["accept", "reject"] + (["redouble"] if kinds & {"beaver", "raccoon"} else [])
    words = [f"'{word}'" for word in words] if quoted else words
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _game_over(match: Match, viewer: Viewer) -> list[str]:
    """The lines at the end of a game, and of the match."""
    result = match.game.result
    lines = []
    if result is not None and result.winner is not None and result.how == "play":
        points = points_text(result.points)
        if viewer.is_you(result.winner):
            lines.append(f"You win the game and get {points}. Congratulations!")
        else:
            sorry = " Sorry." if viewer.playing else ""
            lines.append(f"{viewer.names[result.winner]} wins the game and gets {points}.{sorry}")
    if match.over:
        return lines + match_over(match, viewer)
    lines.append(score_line(match, viewer))
    return [*lines, JOIN_NEXT] if viewer.playing else lines


def score_line(match: Match, viewer: Viewer) -> str:
    """ "score in 3 point match: mine-1 theirs-0", the viewer's own name first."""
    score = " ".join(f"{viewer.names[seat]}-{in_digits(match.score[seat])}" for seat in (viewer.seat, 1 - viewer.seat))
    return f"score in {length_text(match.length)}: {score}"


def match_over(match: Match, viewer: Viewer) -> list[str]:
    """The line for the winner of the match; empty while there is none."""
    if match.winner is None or not match.length:
        return []
    won, lost = match.score[match.winner], match.score[1 - match.winner]
    who = "You win" if viewer.is_you(match.winner) else f"{viewer.names[match.winner]} wins"
    return [f"{who} the {length_text(match.length)} {in_digits(won)}-{in_digits(lost)} ."]


def resumed_lines(match: Match, viewer: Viewer, preferences: Preferences) -> list[str]:
    """The state of a resumed match: whose turn, the score, the board and the request."""
    game = match.game
    turn = [] if game.actor is None else [f"turn: {viewer.names[game.actor]}."]
    length = f"match length: {match.length}" if match.length else "unlimited matchlength"
    points = [
        f"points for {viewer.names[seat]}: {in_digits(match.score[seat])}" for seat in (viewer.seat, 1 - viewer.seat)
    ]
    lines = [*turn, length, *points]
    if game.over:
        return [*lines, JOIN_NEXT] if viewer.playing else lines
    if not match.events or game.actor is None:
        return lines
    return [*lines, *board_lines(match, viewer), *(_pending(match, viewer, preferences) if viewer.playing else [])]


def _pending(match: Match, viewer: Viewer, preferences: Preferences) -> list[str]:
    """The request to a player in the middle of a game."""
    game, seat = match.game, viewer.seat
    if game.actor != seat:
        return []
    other = viewer.names[1 - seat]
    if game.resigning is not None:
        points = points_text(game.resigning[1] * game.cube.value)
        return [f"{other} wants to resign. You will win {points}. Type 'accept' or 'reject'."]
    if game.cube.offered:
        return [f"{other} doubles. Type {_answers(match, 1 - seat, quoted=True)}."]
    return request(match, seat, preferences)
