"""Turns what a file says, action by action, into a match; what does not follow the rules is noted and kept.

The readers of all formats use it. What the rules do not allow makes the match a transcript (`MatchTerms.transcript`):
there an illegal play stands, and a game pays what the file says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from barpoint.error import BarpointError, FormatError
from barpoint.game import (
    Accept,
    Double,
    Event,
    Game,
    Keep,
    Next,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Resign,
    Roll,
    Settle,
    Take,
    in_digits,
)
from barpoint.game.event import MoveMade
from barpoint.game.manual import carry
from barpoint.language import Said
from barpoint.match import Match
from barpoint.match.starting_position import StartingPosition
from barpoint.moves import Play, legal_plays, play_to
from barpoint.record.oddity import WHOLE_FILE, Oddities, Place
from barpoint.rules import FirstRoll

MAX_EVENTS: Final = 30_000
"""Maximum events of a match in a file of another program; a match to 25 points has about 3,000."""

VARIATIONS: Final = ("backgammon", "nackgammon", "hypergammon", "longgammon")
"""The variants that files of other programs hold, in the order in which eXtreme Gammon numbers them."""

RAISES: Final = 2
"""Maximum beavers and raccoons after one double in files of other programs."""

LEFT_OUT: Final = Said("left out")
NOBODY_WON: Final = Said("a new game begins, and nobody has won the one before")
REST_LEFT_OUT: Final = Said("the rest of this game is left out, but for its result")


class Transcriber:
    """Builds a match. place: where the file is being read; readers set it before each action.

    openings: dice of the opening roll that the file gives. lost: the rest of the game cannot be followed.
    conceded: (player, level) of a resignation whose points the file may still give. rolled_at: where the last roll stands.
    """

    def __init__(self, match: Match, oddities: Oddities) -> None:
        self.match = match
        self.oddities = oddities
        self.place: Place = WHOLE_FILE
        self.openings: list[tuple[int, int]] = []
        self.lost = False
        self.conceded: tuple[int, int] | None = None
        self.rolled_at: Place = WHOLE_FILE

    # -- games

    def begin_game(self, score: tuple[int, int] | None) -> None:
        """The next game begins, at this score; None when the file does not say it."""
        match = self.match
        if not match.events:
            if score is not None and score != match.score:
                self._first_score(score)
            return
        if not match.game.over:
            self._end_unfinished(score)
        if self.match.game.over:
            self._check_score(score)
            self.match = self.match.apply(Next())
        self.openings, self.lost, self.conceded = [], False, None

    def _first_score(self, score: tuple[int, int]) -> None:
        terms = self.match.terms
        if terms.length and max(score) >= terms.length:
            self.odd(
                Said(
                    "score %(score)s in a match to %(length)s",
                    {"score": f"{score[0]}-{score[1]}", "length": terms.length},
                ),
                Said("read as 0-0"),
            )
            return
        self.odd(_other_score(score, (0, 0)), Said("taken as the score at the beginning"))
        terms = msgspec.structs.replace(terms, first_score=score)
        self.match = Match.start(rules=self.match.rules, terms=terms)

    def begin_at(self, position: StartingPosition) -> None:
        """The match begins in this position."""
        terms = msgspec.structs.replace(self.match.terms, begins_at=position)
        self.match = Match.start(rules=self.match.rules, terms=terms)

    def begin_after_crawford(self) -> None:
        """The first game of a record that begins with a player one point away is not the Crawford game."""
        if self.match.crawford and not self.match.finished:
            terms = msgspec.structs.replace(self.match.terms, crawford=False)
            self.match = Match.fold(self.match.rules, terms, self.match.events)

    def _end_unfinished(self, score: tuple[int, int] | None) -> None:
        """A game without a result: what the next score says, or what was conceded, or no points."""
        if self.conceded is not None:
            self.end()
            return
        gained = None if score is None else _gain(self.match.score, score)
        if gained:
            self.odd(NOBODY_WON, Said("it pays what the next score shows"))
            self._settle(gained)
        elif _nothing_rolled(self.match.game) and not self.lost:
            self.odd(Said("a game in which nothing was rolled"), Said("it is left out"))
        else:
            self.odd(NOBODY_WON, Said("it counts no points"))
            self._settle(0)

    def _check_score(self, score: tuple[int, int] | None) -> None:
        """The score that the file gives between games; a match that goes on was not won by the game before."""
        match = self.match
        if score is None or score == match.score:
            if match.over:
                self.odd(Said("a game after the end of the match"), Said("the game before counts no points"))
                self._settle(0)
            return
        said = _other_score(score, match.score)
        if match.over:
            before = match.finished[-2].score if len(match.finished) > 1 else match.terms.first_score
            gained = _gain(before, score)
            paid = Said("the game before pays what the score shows")
            self.odd(said, paid if gained else Said("the game before counts no points"))
            self._settle(gained or 0)
            return
        self.odd(said, Said("the games before are believed"))

    def end(self) -> None:
        """The end of a game, or of the file: applies a resignation whose points are not given."""
        if self.conceded is not None and not self.match.game.over:
            player, level = self.conceded
            self.conceded = None
            if self._resign(player, level):
                return
            self.won(1 - player, self.match.game.cube.value * level)

    # -- rolls and plays

    def roll(self, player: int, faces: tuple[int, ...]) -> None:
        """The player rolls; the first roll of a game also tells the opening roll."""
        if self.lost:
            return
        game = self.match.game
        if game.position.us.owed and player == game.player and sorted(faces) == sorted(game.faces):
            return  # it follows without being rolled
        if self.match.game.phase is Phase.TO_PLAY and self.match.game.roll_id:
            self._pass_over(player)
        self.rolled_at = self.place
        if self.match.game.phase is Phase.DOUBLED:
            self.odd(Said("a double without an answer"), Said("taken, because the game goes on"))
            self.act(Take(self.match.game.actor or 0))
        if self.match.game.phase is Phase.OPENING and self._open(player, faces):
            return
        if not self.lost and not self.act(Roll(player, faces), REST_LEFT_OUT):
            self.lost = True

    def _open(self, player: int, faces: tuple[int, ...]) -> bool:
        """The opening roll, as the file gives it or as this first roll implies it; whether it is the roll to play."""
        first = self.match.game.rules.opening.first_roll
        for dice in self.openings:
            self.act(Opening(dice))
        self.openings = []
        if self.match.game.phase is Phase.OPENING:
            high, low = (2, 1) if first is FirstRoll.AGAIN else (max(faces), min(faces))
            if first is FirstRoll.OWN_NUMBER:
                low = 1 if high > 1 else 2
            if high == low:
                self.odd(
                    Said("the first roll is %(faces)s", {"faces": f"{high}-{low}"}),
                    Said("the game is read as if its player had won the opening roll"),
                )
                self.match = self._as_transcript()
                high, low = (2, 1)
                ok = self.act(Opening((high, low) if player == 0 else (low, high)), REST_LEFT_OUT)
                self.lost = True
                return ok
            if not self.act(Opening((high, low) if player == 0 else (low, high)), REST_LEFT_OUT):
                self.lost = True
        elif self.match.game.phase is Phase.TO_PLAY and self.match.game.player != player:
            self.odd(Said("the other player has won the start"), REST_LEFT_OUT)
            self.lost = True
        return self.match.game.phase is Phase.TO_PLAY

    def _pass_over(self, player: int) -> None:
        """The roll that waits was never played, and the game goes on."""
        game = self.match.game
        if game.player == player:
            self.odd(Said("a second roll of the same player before the first was played"), REST_LEFT_OUT)
            self.lost = True
            return
        here, self.place = self.place, self.rolled_at
        faces = "-".join(map(str, game.faces))
        self.illegal((), Said("the roll %(faces)s was not played, although it could be", {"faces": faces}))
        self.place = here

    def play(self, player: int, find: Callable[[], Play], moves: Iterable[MoveMade]) -> None:
        """The play of the roll. find: gives the legal play that the file means; moves: what the file shows."""
        game = self.match.game
        if self.lost or game.phase is not Phase.TO_PLAY:
            return
        try:
            found = find()
        except BarpointError as error:
            self.illegal(tuple(moves), error.said)
            return
        self.act(PlayMade(player, found.moves))

    def illegal(self, moves: tuple[MoveMade, ...], why: Said) -> None:
        """A play against the rules: it stands, and the match goes on from the position it led to."""
        game = self.match.game
        try:
            position = carry(game.rules, game.position, moves)
        except BarpointError as error:
            self.odd(
                why, Said("it cannot be made (%(error)s): %(assumed)s", {"error": error.said, "assumed": REST_LEFT_OUT})
            )
            self.lost = True
            return
        legal = next(
            (play for play in legal_plays(game.rules, game.position, game.faces) if play.result == position), None
        )
        if legal is not None:
            self.odd(why, Said("read as %(play)s", {"play": str(legal)}))
            self.act(PlayMade(game.player, legal.moves))
            return
        if not (game.stakes.manual or (game.stakes.transcript and self.oddities.strict)):
            self.odd(why, Said("kept as an illegal play"))
            self.match = self._as_transcript()
        self.act(PlayMade(game.player, moves))

    # -- cube and results

    def cube(self, event: Event, value: int | None = None, expected: int = 0) -> None:
        """A double or its answer. value: the cube that the file shows for it; None when it shows none."""
        if self.lost:
            return
        if value is not None and expected and value != expected:
            self.odd(
                Said("a cube of %(value)s; it would be %(expected)s", {"value": value, "expected": expected}),
                Said("read as %(play)s", {"play": str(expected)}),
            )
        if self.match.game.phase is Phase.TO_PLAY and self.match.game.roll_id and event.__class__ is not Pass:
            self._pass_over(self.match.game.player ^ 1)
        if isinstance(event, Double):
            self.begin_after_crawford()
        self.act(event)

    def concede(self, player: int, level: int = 1) -> None:
        """The player gives up; the points may follow."""
        if self.match.game.over:
            return
        self.conceded = (player, level)

    def won(self, player: int, points: float) -> None:
        """The running game has ended, and this player wins so many points."""
        self.conceded = None
        game = self.match.game
        if game.phase is Phase.PROVISIONAL_END:
            self.act(Keep(1 - game.player))
        elif game.phase is Phase.DOUBLED:
            self.act(Pass(1 - player))
        elif not game.over and not (self.lost and not self.oddities.strict):
            self._concession(player, points)
        result = self.match.game.result
        right = result is not None and result.winner == player and (result.points == points or self.match.over)
        if not right and not (result is not None and result.winner is None and points == 0):
            nothing = result is None and game.phase is Phase.OPENING
            values: dict[str, int | float | str | Said] = {
                "player": player + 1,
                "points": in_digits(points),
                "shown": Said("no result") if nothing else _shown(self.match),
            }
            found = Said("player %(player)s wins %(points)s points; by the moves it is %(shown)s", values)
            if points == 1:
                found = Said("player %(player)s wins %(points)s point; by the moves it is %(shown)s", values)
            self.odd(found, Said("the game pays so much"))
            self._settle(points if player == 0 else -points)

    def _concession(self, winner: int, points: float) -> None:
        """A resignation that pays so much; in a match also one that pays more than the winner needs."""
        for item in self.match.legal_events():
            if item.kind != "resign" or item.player == winner:
                continue
            needed = 0 if self.match.terms.money else self.match.away(winner)
            for level, pays in zip(item.levels, item.points, strict=True):
                if pays == points or (points == needed and pays > points):
                    self._resign(1 - winner, level)
                    return
        if self.match.terms.money and self.match.game.phase is not Phase.OPENING:
            self.act(Settle(points if winner == 0 else -points))

    def _resign(self, player: int, level: int) -> bool:
        try:
            self.match = self.match.apply(Resign(player, level)).apply(Accept(1 - player))
        except BarpointError:
            return False
        return True

    def _settle(self, points: float) -> None:
        self.match = self._as_transcript()
        self.act(Settle(points))

    # -- the match

    def act(self, event: Event, assumed: Said = LEFT_OUT) -> bool:
        """Applies an event; whether it was possible. FormatError when there are too many."""
        if len(self.match.events) >= MAX_EVENTS:
            raise FormatError("more than %(max_events)s events in one match", max_events=MAX_EVENTS)
        try:
            self.match = self.match.apply(event)
        except BarpointError as error:
            self.odd(error.said, assumed)
            return False
        return True

    def odd(self, found: Said, assumed: Said) -> None:
        """Notes what is odd at this place."""
        self.oddities.add(found, assumed, self.place)

    def _as_transcript(self) -> Match:
        match = self.match
        if match.terms.transcript:
            return match
        terms = msgspec.structs.replace(match.terms, transcript=True)
        return Match.fold(match.rules, terms, match.events)


def _nothing_rolled(game: Game) -> bool:
    return (
        game.turn_number <= 1
        and not game.roll_id
        and not game.opening_dice
        and game.phase in (Phase.OPENING, Phase.TO_ROLL)
    )


def usual_play(game: Game, found: Play, told: Callable[[Play], bool]) -> Play:
    """The play with the same result that the rules list, if the file may mean it too; else the one found.

    told: whether what the file shows tells a play.
    """
    usual = play_to(game.rules, game.position, game.faces, found.result, found.again)
    return usual if usual and usual.moves != found.moves and told(usual) else found


def _gain(before: tuple[float, float], after: tuple[int, int]) -> float:
    """Points of the game between two scores, negative for player 1; 0 when both or nobody gained, or one lost."""
    first, second = after[0] - before[0], after[1] - before[1]
    if first > 0 == second:
        return first
    return -second if second > 0 == first else 0


def _shown(match: Match) -> Said:
    result = match.game.result
    if result is None:
        return Said("not over")
    if result.winner is None:
        return Said("a draw")
    return Said("player %(player)s by %(points)s", {"player": result.winner + 1, "points": in_digits(result.points)})


def _other_score(score: tuple[int, int], before: tuple[float, float]) -> Said:
    """The score that a file gives, where the games before it make another one."""
    return Said(
        "score %(score)s; the games before make it %(before)s",
        {"score": f"{score[0]}-{score[1]}", "before": f"{in_digits(before[0])}-{in_digits(before[1])}"},
    )


def points_in(text: str) -> float:
    """Points from their digits; whole ones exactly."""
    return float(text) if "." in text else int(text)
