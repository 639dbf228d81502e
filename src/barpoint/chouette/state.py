"""A chouette: a value that events turn into the next value.

The box plays a separate game against every player of the team, and all these games share one board: rolls and plays
happen in each of them, cube actions in one alone. `game` therefore provides the rules of rolls, plays, cubes, tokens
and payments; this module adds none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from barpoint.chouette.event import ChouetteEvent
from barpoint.chouette.terms import ChouetteTerms, Consulting
from barpoint.error import IllegalEvent, StakesError
from barpoint.game import Game, Phase, Result
from barpoint.game.allowed import doubling_barred
from barpoint.rules import Rules
from barpoint.variants import rules_of

BOX: Final = 0
TEAM: Final = 1
"""The sides of every game."""

MIN_PLAYERS: Final = 3
"""Minimum players of the first game; later ones need two."""

MAX_PLAYERS: Final = 8
"""Maximum players in the chouette at once."""

ANSWERS: Final = (Phase.DOUBLED, Phase.RESIGNED)
"""Phases in which a single game waits for an answer and the board waits with it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The game between the box and one player of the team."""

    player: int
    game: Game


@dataclass(frozen=True, slots=True)
class Proposal:
    """A settlement that one side of a game has offered: points for the box. game: as it was then."""

    player: int
    member: int
    points: float
    game: Game


@dataclass(frozen=True, slots=True)
class GivenSeed:
    """A seed text that a player has given for the dice. game: the first one that uses it, counted from 1; 0 with the
    order.
    """

    player: int
    text: str
    game: int


@dataclass(frozen=True, slots=True)
class FinishedChouetteGame:
    """A finished game of the chouette.

    first: index of its first event. line: as it was played, box first. captain: at its end. heir: who became the box
    through it, None when the box stayed. results: of each game against the box. ledger: after it.
    """

    first: int
    line: tuple[int, ...]
    captain: int
    heir: int | None
    results: tuple[tuple[int, Result], ...]
    ledger: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chouette:
    """The state of a chouette after its events.

    events: all of them, completed with what the games added to them. first: index of the running game's first event.
    line: the players, box first, then the captain, then the others in order. joining: players who play from the next
    game on. leaving: players who do not.
    ledger: points of every player who has ever joined; they sum to zero. ordered: the rolls for the first order are
    made.
    pairs: the games of the team's players in the running game, or in the last one; finished ones too.
    playing: a game is running. captain: who rolls and moves for the team. tried: earlier captains of this game
    who did not beat the box. heir: who has beaten the box, and becomes it.
    asks: players who want to be asked before the team rolls. waived: players who do not double this turn. offered,
    taken: players who doubled the box this turn, and those whose doubles it took. proposals: settlements offered in games
    that run, also those that hold no longer.
    seeds: seed texts of the players for the dice.
    apply, replay: as the functions of chouette/apply.py, which the package binds to the class.
    finished: the finished games. board: the last one's, between two games. over: no event is possible any more.
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
        rules = rules_of(rules)
        terms = terms or ChouetteTerms()
        if rules.sequence.games:
            raise StakesError("%(name)s: a chouette plays one game, without others in turn", name=rules.name)
        return cls(rules, terms, Game.start(rules, terms.stakes()))

    @classmethod
    def fold(
        cls, rules: Rules, terms: ChouetteTerms, events: Iterable[ChouetteEvent], *, audit: bool = False
    ) -> Chouette:
        """The chouette after these events; plays are taken as recorded, or with `audit` checked against the rules.

        IllegalEvent names the event by its index.
        """
        chouette = cls.start(rules, terms)
        for index, event in enumerate(events):
            try:
                chouette = chouette.apply(event) if audit else chouette.replay(event)
            except IllegalEvent as error:
                raise IllegalEvent("event %(index)s: %(error)s", index=index, error=error) from None
        return chouette

    @property
    def box(self) -> int | None:
        """The box, now or in the next game; None before the first order."""
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
        """The seed texts for the dice of a game, in the order given; game 0 is the first order."""
        return tuple(given.text for given in self.seeds if given.game <= game)

    def still_in(self, player: int) -> bool:
        """Whether the player's game against the box is not over."""
        return any(pair.player == player for pair in self.running)

    def in_game(self, player: int) -> bool:
        """Whether the player's cube has been turned and accepted, and their game is not over."""
        return any(pair.player == player and pair.game.cube.owner is not None for pair in self.running)

    @property
    def cube_waits(self) -> bool:
        """Whether the team's one cube stays as it is until somebody has answered: it turns in all games or in none."""
        return self.terms.one_cube and bool(self.must_answer)

    @property
    def offers(self) -> tuple[Proposal, ...]:
        """The settlements that can be accepted: each holds for the position and the cube at which it was offered."""
        return tuple(one for one in self.proposals if self._holds(one)) if self.playing else ()

    def _holds(self, offer: Proposal) -> bool:
        pair = self.pair(offer.member)
        return pair is not None and not pair.game.over and _settled_at(pair.game) == _settled_at(offer.game)

    def may_double(self, player: int) -> bool:
        """Whether a player of the team may double the box now."""
        pair = self.pair(player)
        if pair is None or self.cube_waits or (self.terms.one_cube and player != self.captain):
            return False
        return not pair.game.over and not doubling_barred(pair.game, TEAM)

    @property
    def must_answer(self) -> tuple[int, ...]:
        """The players who have to answer a double, a beaver, a raccoon or a resignation."""
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
        """The players who must act before the game goes on; () between games and before the start of one."""
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


def _settled_at(game: Game) -> tuple[object, ...]:
    """What a settlement is worth in a game: every roll, play and cube action changes it, and no resignation does."""
    return game.roll_id, game.position, game.player, game.tokens, game.cube
