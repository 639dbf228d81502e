"""A match on a terminal: the board with its side notes, and lines that describe events."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.text import Text

from barpoint.board import Position, Side
from barpoint.draw import board
from barpoint.game import Event, Game, Next, Roll, in_digits
from barpoint.language import N_, _
from barpoint.match import Match
from barpoint.rules import Rules
from barpoint.server.domain.titles import variant_title
from barpoint.server.protocol.match_text import Names, result_text, sentence, tell

LETTERS: Final = ("X", "O")
ROUND: Final = ("●", "○")
_STYLES: Final = {"near": "bold yellow", "far": "bold cyan", "frame": "dim", "number": "dim", "": ""}


def faces_text(rules: Rules, faces: tuple[int, ...]) -> str:
    """The roll, with the splits of a twelve-sided die."""
    shown = "-".join(map(str, faces))
    if len(faces) > 1:
        return shown
    row = next(row for row in rules.dice.rows if row.faces == faces)
    return f"{shown} = " + " or ".join("+".join(map(str, option)) for option in row.stages[0])


class Screen:
    """Writes to a console; colours and round checkers only where it is a terminal that has them."""

    def __init__(self, console: Console, names: Names) -> None:
        self.console = console
        self.names = names
        self.fancy = console.is_terminal and not console.legacy_windows and console.encoding.startswith("utf")
        self.letters = ROUND if self.fancy else LETTERS

    def say(self, line: str = "", style: str = "") -> None:
        """One line of words."""
        self.console.print(Text(line, style), soft_wrap=True)

    def ask(self, prompt: str) -> str:
        """What is typed after a prompt; EOFError at the end of the input."""
        return self.console.input(Text(prompt + " ", "bold"))

    def draw(self, match: Match, near: int, position: Position | None = None) -> None:
        """The board with `near` at the bottom; position: shown instead of the game's, seen by player `near`."""
        game = match.game
        shown = position or game.seen_by(near)
        lines = board(
            shown,
            meeting=game.rules.movement.meeting,
            letters=self.letters,
            middle=_middle(game, near),
            beside=self._beside(match, near, shown),
        )
        self.say()
        for row, line in enumerate(lines):
            text = Text()
            for span in line:
                framed = self.fancy and span.style in ("frame", "number")
                text.append(_with_lines(span.text, row) if framed else span.text, _STYLES[span.style])
            self.console.print(text, soft_wrap=True)

    def happened(self, before: Match, after: Match) -> None:
        """The newest event in words, and how the game or the match ended by it."""
        event = after.events[-1]
        if not isinstance(event, Roll | Next):
            self.say(self._sentence(before.game, event))
        elif isinstance(event, Next) and after.rules.sequence.games:
            self.say(variant_title(after.game.rules), "bold")
        result = after.game.result
        if result is not None and not before.game.over:
            self.say(result_text(after.game, result, self.names), "bold")
            self.say(self.score(after))
        if after.winner is not None:
            self.say(self.names.said(after.winner, N_("You win the match."), N_("%(player)s wins the match.")), "bold")

    def _sentence(self, before: Game, event: Event) -> str:
        told = tell(before, event, 0, 0, 0)
        said = sentence(told, self.names)
        if told.kind in ("play", "correct") and told.by is not None:
            faces = "-".join(map(str, told.faces))
            illegal = "  (not legal)" if getattr(event, "illegal", False) else ""
            return f"{self.names.of(told.by)} {faces}: {said}{illegal}"
        return said + "."

    def record(self, match: Match) -> None:
        """The events of the running game."""
        game = Match.fold(match.rules, match.terms, match.events[: match.first]).game
        for event in match.events[match.first :]:
            if not isinstance(event, Roll | Next):
                self.say(f"  {self._sentence(game, event)}")
            game = game.replay(event)

    def score(self, match: Match) -> str:
        """The score in words."""
        points = (
            f"{self.names.players[0]} {in_digits(match.score[0])}, {self.names.players[1]} {in_digits(match.score[1])}"
        )
        if match.terms.money:
            return _("Points: %(points)s", points=points)
        if match.crawford and not match.game.over:
            return _("Score: %(points)s, match to %(length)s, Crawford game", points=points, length=match.length)
        return _("Score: %(points)s, match to %(length)s", points=points, length=match.length)

    def _beside(self, match: Match, near: int, shown: Position) -> list[str]:
        words = [""] * 13
        far = 1 - near
        top = self._about(match, far, shown.them, self.letters[1])
        bottom = self._about(match, near, shown.us, self.letters[0])
        words[: len(top)] = top
        words[13 - len(bottom) :] = reversed(bottom)
        cube = match.game.cube
        if match.game.cube_in_play and cube.owner is None:
            words[6] = f"cube {cube.value}"
        return words

    def _about(self, match: Match, player: int, side: Side, letter: str) -> list[str]:
        """What belongs to a player, the most important first."""
        game = match.game
        score = f"{in_digits(match.score[player])}" + (f" of {match.length}" if match.length else "")
        words = [f"{letter} {self.names.players[player][:14]}"[:19], f"{score}   pips {side.pips}"]
        if side.points[0] or side.hand:
            words.append(f"off {side.points[0]}" + (f"  hand {side.hand}" if side.hand else ""))
        if game.tokens[player]:
            words.append("roll-over" + (f" x{game.tokens[player]}" if game.tokens[player] > 1 else " token"))
        if game.cube_in_play and game.cube.owner == player:
            words.append(f"cube {game.cube.value}")
        return words


def _with_lines(text: str, row: int) -> str:
    """A piece of the frame in drawn lines; row 0 is its upper, row 12 its lower edge."""
    text = text.replace("|", "│").replace("-", "─")
    if "+" not in text:
        return text
    left, middle, right = "┌┬┐" if row == 0 else "└┴┘"
    inner = text.strip().strip("+").replace("+", middle)
    return f" {left}{inner}{right}"


def _middle(game: Game, near: int) -> tuple[str, str]:
    """The dice between the rows, at the roller's right hand."""
    shown = " ".join(f"[{face}]" for face in game.faces)
    return ("", shown) if game.player == near else (shown, "")
