"""A match on a board in a notebook, played by hand against a bot or for both sides."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import anywidget
import msgspec
import traitlets

from barpoint import dice as dice_streams
from barpoint.board import Position
from barpoint.driver import Player, check_player, next_event
from barpoint.error import ArgumentError, BarpointError, check_kind
from barpoint.game import Event, Next
from barpoint.game.event import MoveMade
from barpoint.match import Match
from barpoint.match.situation import Situation, match_at
from barpoint.moves import Turn
from barpoint.notebook.one_script import one_script
from barpoint.server.protocol.board_view import Labels
from barpoint.server.protocol.match_text import EventTold, Names, tell
from barpoint.server.protocol.match_view import BoardScene, view
from barpoint.server.protocol.matches import AnyAction, event_of

_PACKAGE: Final = Path(__file__).parents[1]

_SCHEMES: Final = """
:is([data-jp-theme-light="true"], .vscode-light) bg-board { color-scheme: light; }
:is([data-jp-theme-light="false"], .vscode-dark) bg-board { color-scheme: dark; }
bg-board { --bg-max-height: 46rem; }
"""
"""The scheme of the notebook instead of the system's, and a height that leaves its cells in view."""


def _style() -> str:
    """The style of the board, with its colours on the board alone and not on the whole notebook."""
    palette = (_PACKAGE / "data" / "look" / "palette.css").read_text(encoding="utf-8").replace(":root", "bg-board")
    board = (_PACKAGE / "server" / "web" / "static" / "board" / "theme.css").read_text(encoding="utf-8")
    return palette + board + _SCHEMES


class _PersonNeeded(Exception):
    """The match waits for the person at the board."""


class _Person:
    """Plays what is done on the board; `done` is what has not been played yet."""

    def __init__(self) -> None:
        self.done: Event | None = None

    def event(self, match: Match, player: int) -> Event | None:
        """What was done on the board; None where the game does not wait for this player."""
        if match.game.actor != player and self.done is None:
            return None
        if self.done is None:
            raise _PersonNeeded
        done, self.done = self.done, None
        return done


class Board(anywidget.AnyWidget):
    """A match that is played in the notebook. The last expression of a cell shows it; every cell that shows it stays alike.

    match: the match as it stands; `observe(callback, "match")` hears of every event, and a match assigned to it is shown.
    options: how the board looks, as docs/board.md lists them: `board.options = {"flip": True}`.
    """

    _esm = one_script(Path(__file__).with_name("widget.js"))
    _css = _style()

    match = traitlets.Instance(Match)
    view = traitlets.Unicode().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        start: Match | Situation | Position | str | None = None,
        opponent: Player | None = None,
        *,
        near: int | None = None,
        names: tuple[str, str] | None = None,
        dice: Iterator[int] | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        """Begins with the match, or from the situation (of `parse_id`, say) or position of backgammon, the side to act
        at the bottom and for money, or with a match of these rules to 7 points.

        opponent: a bot for the far side; None where both sides are played by hand. near: the player at the bottom;
        0, or in a situation whoever is to act. names: of player 0 and 1, "Player 1" and "Player 2" or "Bot" where none
        are given; who plays a bot is "You". dice: as `dice.seeded` gives them; random ones by default. ArgumentError
        for anything else.
        """
        if start is None or isinstance(start, str):
            start = Match.start(rules=start or "backgammon")
        check_kind("start", start, Match, Situation, Position)
        if isinstance(start, Position):
            start = Situation(start)
        if opponent is not None:
            check_player(opponent)
        if near not in (None, 0, 1):
            raise ArgumentError("near is %(near)s; allowed: 0, 1", near=near)
        if near is None:
            near = start.actor if isinstance(start, Situation) else 0
        self._person = _Person()
        self._opponent = opponent or self._person
        self._near, self._names = near, names or ("Player 1", "Bot" if opponent else "Player 2")
        self._dice = dice or dice_streams.seeded(secrets.randbits(63))
        self._made: tuple[MoveMade, ...] = ()
        self._last: EventTold | None = None
        super().__init__(match=match_at(start) if isinstance(start, Situation) else start, options={**(options or {})})
        self.on_msg(self._heard)
        self._play_on()

    @traitlets.observe("match")
    def _changed(self, change: Any) -> None:
        """Shows another match, or the next state of this one."""
        before, now = change.old, change.new
        self._made, self._last = (), None
        if isinstance(before, Match) and len(now.events) == len(before.events) + 1:
            event = now.events[-1]
            self._last = tell(before.game, event, len(now.events), 0, len(now.finished) + 1)
        self._show()

    def _show(self) -> None:
        """Sends the view of the match as it stands."""
        scene = BoardScene(self.match, self._last, self._made, playing=True)
        shown = view(scene, Names(self._names, self._seat), self._near)
        if self._opponent is self._person:  # nobody is "You" where both sides are
            labels = Labels(self._names[self._near], self._names[1 - self._near])
            shown = msgspec.structs.replace(shown, labels=labels)
        self.view = msgspec.json.encode(shown).decode()

    @property
    def _seat(self) -> int:
        """The player for whom the person at the board acts now."""
        actor = self.match.game.actor
        return actor if self._opponent is self._person and actor is not None else self._near

    def _heard(self, _: object, message: dict[str, Any], buffers: object) -> None:
        """Takes what was done or tried on the board; what the rules do not allow changes nothing."""
        try:
            if "tried" in message:
                game, made = self.match.game, msgspec.convert(message["tried"], tuple[MoveMade, ...])
                self._made = Turn(game.rules, game.position, game.faces, made).made
                self._show()
                return
            self._do(msgspec.convert(message.get("done"), AnyAction))
        except (msgspec.ValidationError, BarpointError):
            self._made = ()
            self._show()
            return
        self._play_on()

    def _do(self, action: AnyAction) -> None:
        """Plays what the person does."""
        event = event_of(action, self._seat)
        if isinstance(event, Next) or self.match.game.actor != self._seat:
            self.match = self.match.apply(event)
            return
        self._person.done = event
        try:
            self._step()
        finally:
            self._person.done = None

    def _step(self) -> None:
        """The next event: a roll, or what the person or the bot does."""
        players = (self._person, self._opponent) if self._near == 0 else (self._opponent, self._person)
        self.match = self.match.apply(next_event(self.match, players, self._dice))

    def _play_on(self) -> None:
        """Rolls and lets the bot act until the match waits for a person."""
        with suppress(_PersonNeeded):
            while not self.match.game.over:
                self._step()
