"""A person at the terminal: asks, explains errors, and returns the event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from barpoint.cli.advice import advise
from barpoint.cli.screen import Screen, faces_text
from barpoint.cli.typed import read_command, read_moves
from barpoint.engine import Engine, OutcomeProbabilities
from barpoint.error import BarpointError, IllegalMove
from barpoint.game import (
    Accept,
    Allowed,
    Beaver,
    Correct,
    Double,
    Event,
    Game,
    Keep,
    Object,
    Opening,
    Pass,
    Phase,
    PlayMade,
    Raccoon,
    Reject,
    Resign,
    Roll,
    Rollover,
    Take,
    Void,
)
from barpoint.game.manual import hand_moves_of
from barpoint.language import N_, _
from barpoint.match import Match
from barpoint.moves import Turn, legal_plays, parse_faces, parse_play
from barpoint.number_text import number_in

_PLAIN: Final[dict[str, Callable[[int], Event]]] = {
    "double": Double,
    "take": Take,
    "pass": Pass,
    "beaver": Beaver,
    "raccoon": Raccoon,
    "keep": Keep,
    "accept": Accept,
    "reject": Reject,
    "object": Object,
}
_SHOWN: Final = {
    "roll": "roll (Enter)",
    "rollover": "roll-over",
    "play": "moves such as 8/5 6/5",
    "correct": "moves such as 8/5 6/5",
}
_MAX_PLAYS: Final = 60

HELP: Final = """\
Moves      8/5 6/5, 13/7(2), bar/20, 6/off. A part may be typed first and the
           rest later; undo takes the last move back, Enter (or done) ends the
           turn, plays lists every legal play.
Dice       roll (or Enter)
Cube       double, take, pass, beaver, raccoon
Tokens     roll-over spends a token to reroll: your own roll while you play it, or
           the one just played against you before you roll. keep lets the last
           roll stand.
Resigning  resign, resign gammon, resign backgammon; accept, reject
Real dice  type the roll, such as 63; void means roll again (cocked dice);
           object demands a legal play of the other side
Else       hint, board, score, record, help, quit. With --save the match is saved
           after every move, and continues from there the next time."""


_SURE: Final = (N_("Resign a single game? [y/N]"), N_("Resign a gammon? [y/N]"), N_("Resign a backgammon? [y/N]"))


class Quit(Exception):
    """The player wants to stop."""


class Human:
    """One player, or both, typing at this terminal."""

    def __init__(self, screen: Screen, engine: Engine[OutcomeProbabilities] | None = None) -> None:
        self.screen = screen
        self.engine = engine

    def event(self, match: Match, player: int) -> Event | None:
        """What `player` does now; None to skip an option."""
        game = match.game
        self.screen.draw(match, player)
        if game.phase in (Phase.TO_PLAY, Phase.TO_CORRECT) and game.actor == player:
            return _Playing(self, match, player).event()
        while True:
            text = self._ask(f"{self.name(player)}: {self._offers(match, player)}?")
            done = self.command(match, player, text)
            if isinstance(done, Event):
                return done
            if done == "moves" and (rolled := self._rolled(match, player, text)):
                return rolled
            if done == "done":
                if game.actor != player:
                    return None
                if game.phase in (Phase.TO_ROLL, Phase.MUST_REROLL):
                    return Roll(player)
                self.screen.say(_("Please type one of these words."))
            elif done is not None:
                self.screen.say(_("No moves now; type one of these words, or help."))

    def name(self, player: int) -> str:
        """The name in prompts."""
        return self.screen.names.players[player]

    def ask_faces(self, match: Match) -> Event:
        """Real dice, typed in: of the start, or of the player to roll."""
        game, opening = match.game, match.game.phase is Phase.OPENING
        starts = _(
            "Dice for the start, %(first)s then %(second)s, such as 5 2:", first=self.name(0), second=self.name(1)
        )
        while True:
            text = self._ask(starts if opening else _("%(player)s rolls (such as 63):", player=self.name(game.player)))
            said = read_command(text)
            try:
                if said and said[0] in _ABOUT:
                    _ABOUT[said[0]](self, match, game.player)
                elif opening:
                    return Opening(_two_faces(text, match.game.rules.dice.sides))
                else:
                    return Roll(game.player, parse_faces(match.game.rules.dice.rows, text))
            except BarpointError as error:
                self.screen.say(error.translated())

    def _rolled(self, match: Match, player: int, text: str) -> Event | None:
        """Real dice typed where the player may roll."""
        waiting = match.game.phase in (Phase.TO_ROLL, Phase.MUST_REROLL) and match.game.actor == player
        if not (match.terms.manual and waiting):
            return None
        try:
            return Roll(player, parse_faces(match.game.rules.dice.rows, text))
        except BarpointError:
            return None

    def _ask(self, prompt: str) -> str:
        try:
            return self.screen.ask(prompt)
        except (EOFError, KeyboardInterrupt, UnicodeDecodeError):
            raise Quit from None

    def _offers(self, match: Match, player: int) -> str:
        offers = []
        for item in match.legal_events():
            if item.player != player or item.kind == "resign":
                continue
            word = _SHOWN.get(item.kind, item.kind)
            if item.kind == "rollover":
                word += f" ({'-'.join(map(str, item.faces))})"
            elif item.value:
                word += f" to {item.value}"
            offers.append(word)
        return ", ".join(offers) or _("Enter to go on")

    def command(self, match: Match, player: int, text: str) -> Event | str | None:
        """The event a command stands for; "moves" when the text is no command; a word that the caller handles."""
        said = read_command(text)
        if said is None:
            return "moves"
        command, rest = said
        if command in ("done", "undo", "plays"):
            return command
        if command in _ABOUT:
            _ABOUT[command](self, match, player)
            return None
        return self._allowed_event(match, player, command, rest)

    def _allowed_event(self, match: Match, player: int, command: str, rest: str) -> Event | None:
        found = next((a for a in match.legal_events() if a.kind == command and a.player == player), None)
        if found is None:
            self.screen.say(
                _(
                    "You cannot %(command)s now. Possible: %(offers)s.",
                    command=_SHOWN.get(command, command),
                    offers=self._offers(match, player),
                )
            )
            return None
        match command:
            case "roll":
                return Roll(player)
            case "rollover":
                return Rollover(player, found.roll_id)
            case "void":
                reason = "cocked" if rest not in ("premature", "on_checker") else rest
                return Void(player, found.roll_id, reason)  # type: ignore[arg-type]
            case "resign":
                return self._resign(player, rest, found)
            case _:
                return _PLAIN[command](player)

    def _resign(self, player: int, rest: str, found: Allowed) -> Event | None:
        levels = {"": 1, "1": 1, "single": 1, "2": 2, "gammon": 2, "3": 3, "backgammon": 3}
        level = levels.get(rest, 0)
        if level not in found.levels:
            words = ", ".join(("single", "gammon", "backgammon")[level - 1] for level in found.levels)
            self.screen.say(_("You may resign: %(words)s.", words=words))
            return None
        sure = self._ask(_(_SURE[level - 1]))
        return Resign(player, level) if sure.strip().lower() in ("y", "yes") else None

    def _show_board(self, match: Match, player: int) -> None:
        self.screen.draw(match, player)

    def _show_score(self, match: Match, player: int) -> None:
        self.screen.say(self.screen.score(match))
        pips = [match.game.side(each).pips for each in (player, 1 - player)]
        near, far = self.name(player), self.name(1 - player)
        self.screen.say(_("Pips: %(near)s %(own)s, %(far)s %(other)s", near=near, own=pips[0], far=far, other=pips[1]))

    def _show_record(self, match: Match, _player: int) -> None:
        self.screen.record(match)

    def _show_help(self, _match: Match, _player: int) -> None:
        self.screen.say(HELP)

    def _show_hint(self, match: Match, player: int) -> None:
        if self.engine is None:
            self.screen.say(_("No hint: there is no net for this game."))
            return
        try:
            lines = advise(self.engine.of_game(match.game.rules), match, player)
        except BarpointError as error:
            lines = [_("No hint: %(error)s", error=error.translated())]
        for line in lines:
            self.screen.say(line)

    def _quit(self, _match: Match, _player: int) -> None:
        raise Quit


_ABOUT: Final = {
    "board": Human._show_board,
    "score": Human._show_score,
    "record": Human._show_record,
    "help": Human._show_help,
    "hint": Human._show_hint,
    "quit": Human._quit,
}


class _Playing:
    """A roll being played: moves are tried, taken back, and finished."""

    def __init__(self, human: Human, match: Match, player: int) -> None:
        self.human = human
        self.screen = human.screen
        self.match = match
        self.player = player
        self.turn = Turn(match.game.rules, match.game.position, _open_faces(match.game))

    def event(self) -> Event:
        """The finished play, or whatever else the player does instead."""
        while True:
            text = self.human._ask(self._prompt())
            done = self.human.command(self.match, self.player, text)
            if isinstance(done, Event):
                return done
            try:
                made = self._act(done, text)
            except BarpointError as error:
                self.screen.say(error.translated())
                continue
            if made is not None:
                return self._made(made)

    def _act(self, done: str | None, text: str) -> tuple[tuple[int, int, int], ...] | None:
        """The moves of the finished play, or None while it is not finished."""
        match done:
            case "done":
                if self.turn.may_commit:
                    return self.turn.play().moves
                self.screen.say(_("Not finished: %(why)s.", why=self.turn.why_not))
            case "undo":
                self._undo()
            case "plays":
                self._list()
            case "moves":
                return self._try(text)
        return None

    def _prompt(self) -> str:
        name, faces = self.human.name(self.player), faces_text(self.match.game.rules, self.turn.faces)
        if not self.turn.made and self.turn.may_commit and not self.turn.next_moves():
            calls = [item.kind for item in self.match.legal_events() if item.player == self.player]
            other = ", or roll-over" if "rollover" in calls else ""
            return f"{name} {faces}: no legal play; Enter to go on{other}:"
        if self.turn.made:
            made = " ".join(f"{a}/{b}" for a, b, _ in self.turn.made).replace("25/", "bar/").replace("26/", "hand/")
            end = _("Enter to finish, undo") if self.turn.may_commit else _("go on, undo")
            return f"{name} {faces}: {made} ({end}):"
        return f"{name} {faces}:"

    def _undo(self) -> None:
        if not self.turn.made:
            self.screen.say(_("Nothing to take back."))
            return
        self.turn = self.turn.undo(self.turn.undo_sources()[-1])
        self.screen.draw(self.match, self.player, self.turn.position)

    def _list(self) -> None:
        plays = legal_plays(self.match.game.rules, self.match.game.position, self.turn.faces)
        for play in plays[:_MAX_PLAYS]:
            self.screen.say(f"  {play}")
        if len(plays) > _MAX_PLAYS:
            self.screen.say(f"  and {len(plays) - _MAX_PLAYS} more")

    def _try(self, text: str) -> tuple[tuple[int, int, int], ...] | None:
        """The whole play when the text is one; else the moves are added to those tried."""
        steps = read_moves(text)
        if not self.turn.made:
            try:
                return parse_play(self.match.game.rules, self.turn.start, self.turn.faces, text).moves
            except IllegalMove as error:
                refused = error
        try:
            turn = self.turn
            for source, target in steps:
                turn = turn.move(source, target)
        except IllegalMove as error:
            if self.match.terms.manual and self.match.game.phase is Phase.TO_PLAY:
                return self._insist(steps, error)
            raise refused if not self.turn.made and len(steps) > 1 else error from None
        self.turn = turn
        self.screen.draw(self.match, self.player, turn.position)
        return None

    def _insist(self, steps: list[tuple[int, int]], error: IllegalMove) -> tuple[tuple[int, int, int], ...] | None:
        """Manual mode: hands can make what the rules forbid."""
        self.screen.say(error.translated())
        sure = self.human._ask(_("This is against the rules. Play it all the same? [y/N]"))
        if sure.strip().lower() not in ("y", "yes"):
            return None
        return (*self.turn.made, *hand_moves_of(steps))

    def _made(self, moves: tuple[tuple[int, int, int], ...]) -> Event:
        kind = Correct if self.match.game.phase is Phase.TO_CORRECT else PlayMade
        return kind(self.player, moves)


def _open_faces(game: Game) -> tuple[int, ...]:
    assert game.faces
    return game.faces


def _two_faces(text: str, sides: int) -> tuple[int, int]:
    digits = text.replace("-", " ").replace(",", " ").split()
    if len(digits) == 1 and len(digits[0]) == 2 and sides < 10:
        digits = list(digits[0])
    faces = [number_in(digit, 1, sides) for digit in digits]
    if len(faces) == 2 and faces[0] and faces[1]:
        return faces[0], faces[1]
    raise IllegalMove("two numbers from 1 to %(sides)s, such as 5 2", sides=sides)
