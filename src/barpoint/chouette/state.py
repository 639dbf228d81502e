"""A chouette: a value that events turn into the next value.

The box plays a separate game against every player of the team, and all these games share one board: rolls and plays
happen in each of them, cube actions in one alone. So the rules of rolls, plays, cubes, tokens and payments are those of
`game`, and nothing of them is repeated here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from barpoint.chouette.event import ChouetteEvent
from barpoint.chouette.terms import ChouetteTerms, Consulting
from barpoint.error import IllegalEvent
from barpoint.game import Game, Phase, Result
from barpoint.game.allowed import doubling_barred
from barpoint.rules import Rules
from barpoint.variants import variant

BOX: Final = 0
TEAM: Final = 1
"""The sides of every game."""

MIN_PLAYERS: Final = 3
"""Players for the first game; later ones may be played by two."""

MAX_PLAYERS: Final = 8
"""Players in the chouette at once."""

ANSWERS: Final = (Phase.DOUBLED, Phase.RESIGNED)
"""Phases in which a single game waits for an answer and the board stands still."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The game between the box and one player of the team."""

    player: int
    game: Game


@dataclass(frozen=True, slots=True)
class Proposal:
    """A settlement that one side of a game has offered: points for the box."""

    player: int
    member: int
    points: float


@dataclass(frozen=True, slots=True)
class GivenSeed:
    """A text that a player has given for the dice. game: the first one it is used in, counted from 1; 0 with the order."""

    player: int
    text: str
    game: int


@dataclass(frozen=True, slots=True)
class FinishedChouetteGame:
    """A game of the chouette that is over.

    first: index of its first event. line: as it was played, box first. captain: at its end. heir: who became the box by
    it, None when the box stayed. results: of each game against the box. ledger: after it.
    """

    first: int
    line: tuple[int, ...]
    captain: int
    heir: int | None
    results: tuple[tuple[int, Result], ...]
    ledger: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chouette:
    """A chouette as its events have left it.

    events: all of them, completed by what the games wrote into them. first: index of the running game's first event.
    line: who plays, box first, then the captain, then the others as they follow. joining: who plays from the next
    game on. leaving: who does not.
    ledger: points of every player who has ever joined; they sum to zero. ordered: the first order was rolled for.
    pairs: the games of the team's players in the running game, or in the last one; those that are over too.
    playing: a game is running. captain: who rolls and moves for the team. tried: earlier captains of this game
    who did not beat the box. heir: who has beaten the box, and becomes it.
    asks: who wants to be asked before the team rolls. waived: who does not double this turn. offered, taken: by whom
    the box was doubled this turn, and whose doubles it took.
    seeds: what players have given for the dice.
    apply, replay: as the functions of chouette/apply.py, which the package binds to the class.
    finished: the games that are over. board: the last one's, between two games. over: nothing more can happen.
    """

    rules: Rules
    terms: ChouetteTerms
    board: Game
    events: tuple[ChouetteEvent, ...] = ()
    first: int = 0
    line: tuple[int, ...] = ()
    joining: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    ledger: tuple[float, ...] = ()
    ordered: bool = False
    pairs: tuple[Pair, ...] = ()
    playing: bool = False
    captain: int | None = None
    tried: tuple[int, ...] = ()
    heir: int | None = None
    asks: frozenset[int] = frozenset()
    waived: frozenset[int] = frozenset()
    offered: frozenset[int] = frozenset()
    taken: frozenset[int] = frozenset()
    proposals: tuple[Proposal, ...] = ()
    seeds: tuple[GivenSeed, ...] = ()
    finished: tuple[FinishedChouetteGame, ...] = ()
    over: bool = False

    apply: ClassVar[Callable[[Chouette, ChouetteEvent], Chouette]]
    replay: ClassVar[Callable[[Chouette, ChouetteEvent], Chouette]]

    @classmethod
    def start(cls, rules: Rules | str = "backgammon", terms: ChouetteTerms | None = None) -> Chouette:
        """A chouette that nobody has joined yet."""
        rules = variant(rules) if isinstance(rules, str) else rules
        terms = terms or ChouetteTerms()
        return cls(rules, terms, Game.start(rules, terms.stakes()))

    @classmethod
    def fold(
        cls, rules: Rules, terms: ChouetteTerms, events: Iterable[ChouetteEvent], *, audit: bool = False
    ) -> Chouette:
        """The chouette that these events lead to; plays are taken as recorded, or with `audit` checked against the rules.

        IllegalEvent names the event by its index.
        """
        chouette = cls.start(rules, terms)
        for index, event in enumerate(events):
            try:
                chouette = chouette.apply(event) if audit else chouette.replay(event)
            except IllegalEvent as error:
                raise IllegalEvent(f"event {index}: {error}") from None
        return chouette

    @property
    def box(self) -> int | None:
        """The player who plays alone, or will in the next game; None before the first order."""
        return self.line[0] if self.ordered and self.line else None

    @property
    def present(self) -> tuple[int, ...]:
        """Every player in the chouette, those in line first."""
        return (*self.line, *self.joining)

    @property
    def running(self) -> tuple[Pair, ...]:
        """The games that are not over, in the order of the line."""
        return tuple(pair for pair in self.pairs if not pair.game.over)

    def pair(self, player: int) -> Pair | None:
        """The game of a player of the team, over or not; None for the box and for those who do not play."""
        return next((pair for pair in self.pairs if pair.player == player), None)

    def seeds_of(self, game: int) -> tuple[str, ...]:
        """The texts that go into the dice of a game, in the order given; game 0 is the first order."""
        return tuple(given.text for given in self.seeds if given.game <= game)

    def still_in(self, player: int) -> bool:
        """Whether the player's game against the box is not over."""
        return any(pair.player == player for pair in self.running)

    def in_game(self, player: int) -> bool:
        """Whether the player's cube has been turned and accepted, and their game is not over."""
        return any(pair.player == player and pair.game.cube.owner is not None for pair in self.running)

    def may_double(self, player: int) -> bool:
        """Whether a player of the team may double the box now."""
        pair = self.pair(player)
        if pair is None or (self.terms.one_cube and player != self.captain):
            return False
        return not pair.game.over and not doubling_barred(pair.game, TEAM)

    @property
    def must_answer(self) -> tuple[int, ...]:
        """Who has to answer a double, a beaver, a raccoon or a resignation."""
        assert not self.playing or self.line
        found = [
            self.line[0] if pair.game.actor == BOX else pair.player
            for pair in self.running
            if pair.game.phase in ANSWERS
        ]
        return tuple(dict.fromkeys(found))

    @property
    def undecided(self) -> tuple[int, ...]:
        """Players of the team who want to be asked, may double now, and have not declined."""
        return tuple(
            pair.player
            for pair in self.running
            if pair.player in self.asks - self.waived and pair.player != self.captain and self.may_double(pair.player)
        )

    @property
    def waits_for(self) -> tuple[int, ...]:
        """Everybody who has to do something before the game goes on; () between games and before the start of one."""
        if not self.playing:
            return ()
        if self.must_answer:
            return self.must_answer
        actor = self.board.actor
        if actor is None:
            return ()
        if actor == BOX:
            return (self.line[0],)
        assert self.captain is not None
        return self.undecided or (self.captain,)

    def may_consult(self, player: int) -> bool:
        """Whether the player may discuss the team's play while it has a roll to play (rulings 4.13)."""
        to_play = self.playing and self.board.player == TEAM and bool(self.board.faces)
        if not to_play or player in (self.captain, self.line[0]):
            return True
        match self.terms.consulting:
            case Consulting.FREE:
                return player in self.line
            case Consulting.IN_GAME:
                return self.in_game(player)
            case Consulting.NONE:
                return False
