"""All bots available here: our own, and other engines if they are installed."""

from __future__ import annotations

from barpoint.error import UnsupportedRules
from barpoint.rules import Rules
from barpoint.server.bots.barpoint import EngineOpponents
from barpoint.server.bots.bgsage import Sage, has_sage
from barpoint.server.bots.gnubg import Gnubg, find_gnubg
from barpoint.server.bots.opponents import BotPlayer, LevelShown, Opponents


class SeatedOpponents:
    """Several engines as one; the first engine that has a level of that name plays it."""

    def __init__(self, *engines: Opponents) -> None:
        self._engines = engines

    @property
    def levels(self) -> tuple[LevelShown, ...]:
        """The levels of every engine."""
        return tuple(level for engine in self._engines for level in engine.levels)

    def levels_for(self, rules: Rules) -> tuple[LevelShown, ...]:
        """The levels of those engines that know the game."""
        return tuple(level for engine in self._engines for level in engine.levels_for(rules))

    def covers(self, rules: Rules) -> bool:
        """Whether any of them knows the game."""
        return any(engine.covers(rules) for engine in self._engines)

    def player(self, rules: Rules, level: str) -> BotPlayer:
        """The bot of a level; UnsupportedRules if no engine here has it."""
        for engine in self._engines:
            if any(shown.name == level for shown in engine.levels):
                return engine.player(rules, level)
        raise UnsupportedRules("no engine of this machine is called %(level)r", level=level)

    def close(self) -> None:
        """Ends the processes of all engines."""
        for engine in self._engines:
            engine.close()


def installed() -> SeatedOpponents:
    """Our own bots, and gnubg and bgsage if they are installed."""
    engines: list[Opponents] = [EngineOpponents()]
    if program := find_gnubg():
        engines.append(Gnubg(program))
    if has_sage():
        engines.append(Sage())
    return SeatedOpponents(*engines)
