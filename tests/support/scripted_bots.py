"""Predictable bots and dice for the tests of the server."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from barpoint.dice import DiceRow as Row
from barpoint.game import Event, Next, event_from_dict
from barpoint.match import Match
from barpoint.moves import legal_plays
from barpoint.rules import Rules
from barpoint.server.bots.opponents import LevelShown
from barpoint.server.domain.dice import SeededDice, Seeds


class ChanceBot:
    """Takes any legal action; never resigns, and sometimes doubles."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)

    def event(self, match: Match, player: int, /) -> Event:
        """A legal event of this player, who must act."""
        game = match.game
        kinds = [allowed for allowed in match.legal_events() if allowed.player in (player, None)]
        kinds = [a for a in kinds if a.kind not in ("resign", "settle", "abort", "opening")]
        assert kinds, f"nothing to do in {game.phase}"
        chosen = self._random.choice(kinds)
        if chosen.kind == "double" and self._random.random() < 0.8:
            chosen = next(a for a in kinds if a.kind == "roll")
        if chosen.kind == "play":
            plays = legal_plays(game.rules, game.position, game.faces)
            return event_from_dict({"kind": "play", "player": player, "moves": self._random.choice(plays).moves})
        if chosen.kind == "rollover":
            return event_from_dict({"kind": "rollover", "player": player, "throw": chosen.roll_id})
        if chosen.kind == "next":
            return Next()
        return event_from_dict({"kind": chosen.kind, "player": player})


class ChanceBots:
    """Bots of one level, which play every game but the excluded ones."""

    levels = (LevelShown("easy", "Easy", "Anything legal."), LevelShown("chance", "Chance", "Anything legal, too."))

    def __init__(self, uncovered: Iterable[str] = ("plakoto", "fevga")) -> None:
        self._uncovered = set(uncovered)

    def covers(self, rules: Rules) -> bool:
        """Whether the rules contain no excluded part."""
        return not self._uncovered & set(rules.name.split("+"))

    def levels_for(self, rules: Rules) -> tuple[LevelShown, ...]:
        """Its levels, for the games it plays."""
        return self.levels if self.covers(rules) else ()

    def close(self) -> None:
        """Needs no other process."""

    def player(self, rules: Rules, level: str) -> ChanceBot:
        """A bot."""
        return ChanceBot(len(level))


class ScriptedDice:
    """Rolls as scripted, then from the seeds.

    openings: (player 0's die, player 1's die) in order. rolls: faces in order, over all games.
    """

    def __init__(self, openings: Iterable[tuple[int, int]] = (), rolls: Iterable[tuple[int, ...]] = ()) -> None:
        self._openings, self._rolls = list(openings), list(rolls)
        self._seeded = SeededDice()

    def opening(self, seeds: Seeds, game: int, attempt: int, sides: int) -> tuple[int, int]:
        """The next opening of the script."""
        return self._openings.pop(0) if self._openings else self._seeded.opening(seeds, game, attempt, sides)

    def roll(self, seeds: Seeds, game: int, number: int, rows: tuple[Row, ...]) -> tuple[int, ...]:
        """The next roll of the script."""
        if self._rolls:
            return tuple(sorted(self._rolls.pop(0), reverse=True))
        return self._seeded.roll(seeds, game, number, rows)


class RepeatedDice(SeededDice):
    """The n-th match that rolls has the dice of the n-th one in every other run: the seeds of the server do not count."""

    def __init__(self) -> None:
        self._matches = list[str]()

    def _known(self, seeds: Seeds) -> Seeds:
        if seeds.match_id not in self._matches:
            self._matches.append(seeds.match_id)
        return Seeds(str(self._matches.index(seeds.match_id)), bytes(32), ("", ""))

    def opening(self, seeds: Seeds, game: int, attempt: int, sides: int) -> tuple[int, int]:
        """One die per player."""
        return super().opening(self._known(seeds), game, attempt, sides)

    def roll(self, seeds: Seeds, game: int, number: int, rows: tuple[Row, ...]) -> tuple[int, ...]:
        """The faces, highest first."""
        return super().roll(self._known(seeds), game, number, rows)
