"""The bots of this package."""

from __future__ import annotations

from barpoint.language import _
from barpoint.rules import Rules
from barpoint.server.bots.opponents import NEWCOMER_PR, BotPlayer, LevelShown


class EngineOpponents:
    """The bots of this package."""

    def __init__(self) -> None:
        from barpoint import engine  # imported here, since it loads the nets, which only a server with bots needs

        self._engine = engine
        self._players: dict[tuple[str, str], BotPlayer] = {}

    @property
    def levels(self) -> tuple[LevelShown, ...]:
        """Strengths to choose from, weakest first."""
        return tuple(
            LevelShown(
                level.name,
                level.title,
                level.line if level.pr < NEWCOMER_PR else _(level.about),
                pr=level.pr,
                slow=level.rollout,
                people=level.people,
            )
            for level in self._engine.levels()
        )

    def covers(self, rules: Rules) -> bool:
        """Whether a net covers these rules."""
        return self._engine.covers(rules)

    def levels_for(self, rules: Rules) -> tuple[LevelShown, ...]:
        """All strengths if a net covers the rules."""
        return self.levels if self.covers(rules) else ()

    def close(self) -> None:
        """Does nothing: no process to end."""

    def player(self, rules: Rules, level: str) -> BotPlayer:
        """The bot of a level for these rules; UnsupportedRules."""
        key = (rules.name, level)
        if key not in self._players:
            self._players[key] = self._engine.Bot(rules, level)
        return self._players[key]
