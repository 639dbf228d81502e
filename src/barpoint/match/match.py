"""A match or a money session: a sequence of games, as a value that events turn into the next value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import NoneType
from typing import ClassVar, Unpack

from msgspec import Struct
from msgspec.structs import replace

from barpoint.error import ArgumentError, IllegalEvent, StakesError, check_kind, check_names, check_seat, whole_number
from barpoint.game import Abort, Allowed, Event, Game, Next, Phase, Result, Stakes, in_digits
from barpoint.game.event import Claim, Settle, Timeout
from barpoint.game.event_check import checked
from barpoint.match.terms import MatchOptions, MatchTerms, match_terms_of
from barpoint.moves import Play
from barpoint.rules import Rules
from barpoint.variants import rules_of, rules_of_game


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game of the match.

    first: index of its first event in the match. crawford: it was the Crawford game. score: after it.
    """

    result: Result
    first: int
    crawford: bool
    score: tuple[float, float]


def _begun(rules: Rules, terms: MatchTerms, stakes: Stakes, number: int = 0, starter: int | None = None) -> Game:
    """A game as it begins; number: how many were finished before it."""
    of_game, begins = rules_of_game(rules, number), terms.begins(number)
    return Game.start(of_game, stakes, starter) if begins is None else begins.game(of_game, stakes)


class Match(Struct, frozen=True, gc=False):
    """A match between players 0 and 1, after its events. `Match.start` begins one and `apply` goes on; the constructor takes a state as
    it is, without a check.

    rules: of the match; those of the running game, which differ where games take turns, are the game's.
    events: all of them, completed with what the games added to them. first: index of the running game's first event.
    score: points of player 0 and 1, surplus points included. finished: the finished games.
    crawford: the running game is the Crawford game.
    over: no event is possible any more. winner: of the match; None while it runs, for a session, a proposition too, and
    when it was aborted.
    """

    rules: Rules
    terms: MatchTerms
    game: Game
    events: tuple[Event, ...] = ()
    first: int = 0
    score: tuple[float, float] = (0, 0)
    finished: tuple[FinishedGame, ...] = ()
    crawford: bool = False
    over: bool = False
    winner: int | None = None

    _repr_svg_: ClassVar[Callable[[Match], str | None]]
    _text_: ClassVar[Callable[[Match], str]]
    """A picture of the running game for notebooks, and the same in letters, bound by `draw`."""

    def __repr__(self) -> str:
        length = f"to {self.length}" if self.length else "for money"
        score = "-".join(map(in_digits, self.score))
        return f"<Match of {self.rules.name} {length}, score {score}, {len(self.events)} events>"

    def __str__(self) -> str:
        return self._text_()

    @classmethod
    def start(
        cls,
        length: int | None = None,
        rules: Rules | str = "backgammon",
        *,
        terms: MatchTerms | None = None,
        **options: Unpack[MatchOptions],
    ) -> Match:
        """A new match to `length` points, 7 if not given; 0 is a money session. Options as in `MatchTerms`, or `terms` with everything.

        ArgumentError for both, and for an option of another name; StakesError when they contradict each other; PositionError and IllegalEvent for a position to begin in that these
        rules do not allow.
        """
        rules = rules_of(rules)
        check_kind("terms", terms, MatchTerms, NoneType)
        check_names(options, MatchTerms.__struct_fields__)
        if terms is None:
            terms = match_terms_of({**({} if length is None else {"length": length}), **options})
        elif length is not None or options:
            given = ", ".join([*(() if length is None else ("length",)), *options])
            raise ArgumentError("%(given)s beside terms; terms say everything", given=given)
        crawford = terms.crawford and not terms.money and terms.length - 1 in terms.first_score and terms.length > 1
        if terms.begins_at is not None:
            crawford = crawford and terms.begins_at.crawford
        stakes = terms.stakes(crawford, after_crawford=False)
        if terms.proposition is not None:
            if rules.sequence.games:
                raise StakesError("a proposition is of one game; in %(name)s games take turns", name=rules.name)
            for position in terms.proposition.positions:
                position.game(rules, stakes)
        return cls(rules, terms, _begun(rules, terms, stakes), score=terms.first_score, crawford=crawford)

    @classmethod
    def fold(cls, rules: Rules | str, terms: MatchTerms, events: Iterable[Event], *, audit: bool = False) -> Match:
        """The match after these events; plays are taken as recorded, or with `audit` checked against the rules.

        IllegalEvent names the event by its index.
        """
        match = cls.start(rules=rules, terms=terms)
        done: list[Event] = []  # kept apart, since a match copies its events with each that is added
        for index, event in enumerate(events):
            try:
                match = match.apply(event) if audit else match.replay(event)
            except IllegalEvent as error:
                raise IllegalEvent("event %(index)s: %(error)s", index=index, error=error) from None
            done += match.events
            match = replace(match, events=(), first=len(done) if isinstance(event, Next) else match.first)
        return replace(match, events=tuple(done))

    def apply(self, event: Event) -> Match:
        """The match after the event; IllegalEvent says what was found and what is allowed."""
        return self._after(event, recorded=False)

    def play(self, play: Play | str) -> Match:
        """The match after a play of the roll, or after the one that a text such as "8/5 6/5" means; errors as `Game.play`."""
        return self.apply(self.game.event_of(play))

    def replay(self, event: Event) -> Match:
        """As `apply`, but trusts a play that records its resulting position."""
        return self._after(event, recorded=True)

    def history(self) -> Iterator[tuple[Match, Event]]:
        """Every event in order, each with the match before it. Each is replayed once, so a match of n events takes n steps."""
        before = Match.start(rules=self.rules, terms=self.terms)
        for event in self.events:
            yield before, event
            before = before.replay(event)

    def before(self, event: int) -> Match:
        """The match before its event of this number, from 1, as `Decision.event` counts them; ArgumentError for another number."""
        if not 1 <= (number := whole_number("event", event)) <= len(self.events):
            raise ArgumentError(
                "event %(event)s of a match; this one has 1 to %(count)s", event=number, count=len(self.events)
            )
        return Match.fold(self.rules, self.terms, self.events[: number - 1])

    def undo(self) -> Match:
        """The match before its last event; ArgumentError when there is none."""
        if not self.events:
            raise ArgumentError("nothing has happened in this match yet that could be undone")
        return Match.fold(self.rules, self.terms, self.events[:-1])

    def _after(self, event: Event, recorded: bool) -> Match:
        if isinstance(event, Settle) and self.terms.transcript and self.game.over and self.finished:
            return self._corrected(event)
        if self.over:
            raise IllegalEvent("the match is over; nothing is allowed")
        if isinstance(event, Abort):
            event = checked(event)
        if isinstance(event, Abort) and event.voided:
            return replace(self, events=(*self.events, event), over=True)
        if isinstance(event, Next):
            return self._next(event)
        if self.game.over:
            if isinstance(event, Abort) and self.terms.money:  # the players may end a session between games
                return replace(self, events=(*self.events, event), over=True)
            raise IllegalEvent(
                "the game is over; allowed now: %(allowed)s",
                allowed=", ".join(item.kind for item in self.legal_events()),
            )
        if isinstance(event, Abort) and self.finished:
            raise IllegalEvent("abort: games of this match were already played")
        forfeits = isinstance(event, Timeout | Claim) and self.game.phase is not Phase.PROVISIONAL_END
        game = self.game.replay(event) if recorded else self.game.apply(event)
        assert game.last is not None
        match = replace(self, game=game, events=(*self.events, game.last))
        return match._scored(game.result, forfeits) if game.result is not None else match

    def _corrected(self, event: Settle) -> Match:
        """A transcript gives the game that has just ended other points than the board."""
        score = self.finished[-2].score if len(self.finished) > 1 else self.terms.first_score
        game = self.game.apply(event)
        assert game.result is not None
        match = replace(
            self,
            game=game,
            events=(*self.events, game.last or event),
            score=score,
            finished=self.finished[:-1],
            over=False,
            winner=None,
        )
        return match._scored(game.result, forfeits=False)

    def _next(self, event: Next) -> Match:
        if not self.game.over:
            raise IllegalEvent("next: the game is not over; it waits for %(phase)s", phase=self.game.phase)
        crawford = self.terms.crawford and not self._crawford_was_played and 1 in self._needs()
        stakes = self.terms.stakes(crawford, after_crawford=self._crawford_was_played)
        events = (*self.events, event)
        starter = self.game.result.winner if self.game.result and self.rules.sequence.winner_starts else None
        game = _begun(self.rules, self.terms, stakes, len(self.finished), starter)
        return replace(self, game=game, events=events, first=len(events), crawford=crawford)

    def _scored(self, result: Result, forfeits: bool) -> Match:
        if result.how == "abort":
            return replace(self, over=True)
        score, proposition = self.score, self.terms.proposition
        if forfeits and not self.terms.money:  # time and absence lose the match, not points
            done = FinishedGame(result, self.first, self.crawford, score)
            return replace(self, finished=(*self.finished, done), over=True, winner=result.winner)
        if result.winner is not None:
            gained = [score[0], score[1]]
            gained[result.winner] += result.points
            score = (gained[0], gained[1])
        if proposition is not None:
            spots = proposition.spots(len(self.finished))
            score = score[0] + spots[0], score[1] + spots[1]
        done = FinishedGame(result, self.first, self.crawford, score)
        won = not self.terms.money and max(score) >= self.terms.length
        return replace(
            self,
            score=score,
            finished=(*self.finished, done),
            over=won or (proposition is not None and proposition.over(len(self.finished) + 1)),
            winner=result.winner if won else None,
        )

    def legal_events(self) -> tuple[Allowed, ...]:
        """Everything that may happen now except a time-out and a claim, which depend on the clock."""
        if self.over:
            return ()
        if self.game.over:
            return (Allowed("next"), Allowed("abort")) if self.terms.money else (Allowed("next"),)
        found = self.game.legal_events()
        return tuple(item for item in found if item.kind != "abort") if self.finished else found

    def _needs(self) -> tuple[float, float]:
        return self.terms.length - self.score[0], self.terms.length - self.score[1]

    def away(self, player: int) -> float:
        """Points the player still needs to win the match; 0 once they have them, and in a session. OptionError as for a game."""
        check_seat("player", player)
        return max(0, self._needs()[player])

    def cube_is_dead(self, player: int) -> bool:
        """Whether a single game at the present stake wins the player the match, so that a double gains them nothing."""
        check_seat("player", player)
        return not self.terms.money and self.game.cube.value >= self._needs()[player]

    @property
    def length(self) -> int:
        """Points that win the match; 0 for a money session."""
        return self.terms.length

    @property
    def _crawford_was_played(self) -> bool:
        if self.terms.money:
            return False
        begun = self.terms.begins_at
        before = begun is not None and not begun.crawford and self.terms.length - 1 in self.terms.first_score
        return before or any(game.crawford for game in self.finished)

    @property
    def after_crawford(self) -> bool:
        """Whether a player needs one point and the running game is not the Crawford game."""
        return not self.terms.money and not self.crawford and 1 in self._needs()

    def balance(self, player: int) -> float:
        """The player's balance in a money session, in units of its stake; negative for a loss."""
        check_seat("player", player)
        return (self.score[player] - self.score[1 - player]) * self.terms.stake
