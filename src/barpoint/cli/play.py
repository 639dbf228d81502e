"""`barpoint play`: a match in a terminal, against the bot or between two people."""

from __future__ import annotations

import os
import random
import secrets
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from barpoint import dice
from barpoint.cli.human import Human, Quit
from barpoint.cli.screen import Screen
from barpoint.driver import Player, next_event
from barpoint.engine import Bot, Engine, covers, levels
from barpoint.engine.level import level
from barpoint.error import BarpointError, IllegalEvent, StoreError
from barpoint.game import Event, Opening, Phase, Roll
from barpoint.language import N_, _
from barpoint.match import Match, read_log, write_log
from barpoint.match.terms import MatchTerms
from barpoint.rules import Rules
from barpoint.server.protocol.match_text import Names
from barpoint.variants import variant, variants

MAX_LENGTH: Final = 99
USUAL_LEVEL: Final = "pr-8"
"""The level of those who press Enter when they are asked: a good player of a club."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Play in this terminal, against the bot or with two people."))(play)


def play(
    game: Annotated[str, typer.Option("--variant", "-v", help=N_('A name such as "roll-over+nackgammon".'))] = "",
    length: int = typer.Option(
        -1, "--length", "-n", help=N_("Points of the match; 0 plays for money."), show_default=False
    ),
    level_name: Annotated[str, typer.Option("--level", "-l", help=N_("How well the bot plays."))] = "",
    two: Annotated[bool, typer.Option("--two", help=N_("Two people at this terminal."))] = False,
    manual: Annotated[
        bool, typer.Option("--manual", help=N_("Real dice, typed in; illegal plays are possible."))
    ] = False,
    names: Annotated[str, typer.Option("--names", help=N_('Of both players, such as "Anna,Ben".'))] = "",
    save: Annotated[
        Path | None, typer.Option("--save", help=N_("Save the match in this file; an existing one continues."))
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help=N_("Dice from a seed, the same every time."))] = None,
    jacoby: Annotated[bool, typer.Option("--jacoby", help=N_("Money: gammons count only after a double."))] = False,
    beavers: Annotated[int, typer.Option("--beavers", help=N_("Money: beavers and raccoons after one double."))] = 0,
) -> None:
    """Play until the match is over or the player leaves."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    try:
        match = _match(console, save, game, length, jacoby, beavers, manual)
        session = _session(console, match, level_name, two, names)
        numbers = _numbers(match, seed)
        _run(session, match, numbers, save)
    except (Quit, KeyboardInterrupt):
        console.print()
        console.print(_("The match is saved in %(save)s.", save=save) if save else _("Goodbye."))


class _Session:
    """Who plays, and what they see."""

    def __init__(self, screen: Screen, players: tuple[Player, Player], human: Human, bot_seat: int | None) -> None:
        self.screen, self.players, self.human, self.bot_seat = screen, players, human, bot_seat


def _match(
    console: Console, save: Path | None, game: str, length: int, jacoby: bool, beavers: int, manual: bool
) -> Match:
    """The match in the file, or a new one; asks for missing options when run in a terminal."""
    if save is not None and save.exists():
        match = read_log(save.read_bytes())
        console.print(_("Continuing the match in %(save)s.", save=save))
        return match
    asked = sys.stdin.isatty()
    rules = variant(game) if game else _ask_variant(console) if asked else variant("backgammon")
    if length < 0:
        length = _ask_length(console) if asked else 3
    if length > MAX_LENGTH:
        raise BarpointError(
            "a match to %(length)s points; at most %(max_length)s", length=length, max_length=MAX_LENGTH
        )
    return Match.start(rules=rules, terms=MatchTerms(length, jacoby=jacoby, beavers=beavers, manual=manual))


def _ask_variant(console: Console) -> Rules:
    for number, entry in enumerate(variants(), start=1):
        _offer(console, number, entry.title, _(entry.line))
    while True:
        text = _ask(console, _("Which game, by number or name? [1]")).strip() or "1"
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(variants()):
            return variant(variants()[int(text) - 1].name)
        try:
            return variant(text)
        except BarpointError as error:
            console.print(error.translated())


def _offer(console: Console, number: int, name: str, line: str) -> None:
    """One numbered choice, its explanation wrapped beneath itself."""
    wrapped = textwrap.wrap(line, max(console.width - 25, 30))
    for index, part in enumerate(wrapped):
        console.print(f"{number:3}  {name:<18} {part}" if index == 0 else " " * 24 + part)


def _ask_length(console: Console) -> int:
    while True:
        text = _ask(console, _("Points of the match, 0 for money? [3]")).strip() or "3"
        if text.isascii() and text.isdigit() and int(text) <= MAX_LENGTH:
            return int(text)
        console.print(_("A number from %(least)s to %(most)s.", least=0, most=MAX_LENGTH))


def _ask(console: Console, prompt: str) -> str:
    try:
        return console.input(prompt + " ", markup=False)
    except (EOFError, KeyboardInterrupt, UnicodeDecodeError):
        raise Quit from None


def _session(console: Console, match: Match, level_name: str, two: bool, names: str) -> _Session:
    called = [name.strip()[:20] for name in names.split(",") if name.strip()]
    known = covers(match.rules)
    if not known and not two:
        console.print(_("There is no net for %(game)s: two people play.", game=match.rules.name))
    bot = Bot(match.rules, _level(console, level_name), seed=secrets.randbits(32)) if known and not two else None
    others = ("You", "Barpoint") if bot else ("First", "Second")
    first, second = (*called, *others[len(called) :])[:2]
    screen = Screen(console, Names((first, second), you=0 if first == "You" else None))
    human = Human(screen, Engine(match.rules) if known else None)
    players: tuple[Player, Player] = (human, bot or human)
    if match.terms.manual:
        players = (_RealDice(players[0], human), _RealDice(players[1], human))
    return _Session(screen, players, human, 1 if bot else None)


def _level(console: Console, name: str) -> str:
    """The level asked for; UnknownVariant for one that is not there."""
    if name or not sys.stdin.isatty():
        return level(name or "strong").name
    for number, each in enumerate(levels(), start=1):
        _offer(console, number, each.name, each.line)
    usual = next(number for number, each in enumerate(levels(), start=1) if each.name == USUAL_LEVEL)
    while True:
        text = _ask(console, _("How well should the bot play? [%(number)s]", number=usual)).strip() or str(usual)
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(levels()):
            return levels()[int(text) - 1].name
        if any(text == each.name for each in levels()):
            return text
        console.print(_("A number from %(least)s to %(most)s.", least=1, most=len(levels())))


def _numbers(match: Match, seed: int | None) -> Iterator[int]:
    """Numbers for the dice; a seeded stream continues where a saved match stopped."""
    if seed is None:
        system = random.SystemRandom()
        while True:
            yield system.randrange(252)
    stream = dice.seeded(seed)
    for event in match.events:
        for _number in range(2 if isinstance(event, Opening) else isinstance(event, Roll)):
            next(stream)
    yield from stream


def _run(session: _Session, match: Match, numbers: Iterator[int], save: Path | None) -> None:
    _keep(match, save)
    while not match.over:
        event = _next(session, match, numbers)
        try:
            after = match.apply(event)
        except IllegalEvent as error:
            if session.bot_seat is not None and getattr(event, "player", None) == session.bot_seat:
                raise  # it would do the same again
            session.screen.say(error.translated())
            continue
        _keep(after, save)
        session.screen.happened(match, after)
        match = after


def _next(session: _Session, match: Match, numbers: Iterator[int]) -> Event:
    if match.game.over:
        session.human._ask(_("Enter for the next game, quit to stop:"))
    if match.terms.manual and match.game.phase is Phase.OPENING:
        return session.human.ask_faces(match)
    return next_event(match, session.players, numbers)


class _RealDice:
    """A player whose rolls are typed in."""

    def __init__(self, player: Player, human: Human) -> None:
        self.player, self.human = player, human

    def event(self, match: Match, player: int) -> Event | None:
        """What the player does, rolls with their faces."""
        event = self.player.event(match, player)
        return self.human.ask_faces(match) if isinstance(event, Roll) and not event.faces else event


def _keep(match: Match, save: Path | None) -> None:
    """Write the log beside its file and put it in place, so that a crash leaves the old or the new one."""
    if save is None:
        return
    beside = save.with_name(save.name + ".new")
    try:
        beside.write_bytes(write_log(match))
        os.replace(beside, save)
    except OSError as error:
        raise StoreError(
            "the match cannot be saved in %(save)s: %(strerror)s", save=save, strerror=error.strerror
        ) from None
