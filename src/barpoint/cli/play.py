"""`barpoint play`: a match in a terminal, against the bot or between two people."""

from __future__ import annotations

import random
import secrets
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from barpoint import dice
from barpoint.cli.human import Human, Quit
from barpoint.cli.match_sources import show_oddities
from barpoint.cli.position import NetOption
from barpoint.cli.rules_option import RulesOption, chosen_rules
from barpoint.cli.saved_match import check_asked, check_kept, keep, saved_book
from barpoint.cli.screen import Screen
from barpoint.cli.typed import read_command
from barpoint.driver import Player, next_event
from barpoint.engine import Bot, Engine, covers, levels, use_net
from barpoint.engine.level import level
from barpoint.error import BarpointError, FormatError, IllegalEvent
from barpoint.game import Event, Opening, Phase, Roll, in_digits
from barpoint.language import N_, _
from barpoint.match import Match
from barpoint.match.terms import MatchTerms
from barpoint.number_text import number_in
from barpoint.record import Book
from barpoint.record.book import DEFAULT_NAMES
from barpoint.rules import Rules
from barpoint.server.domain.agreement_form import MAX_BEAVERS
from barpoint.server.protocol.match_text import Names
from barpoint.variants import variant, variants

MAX_LENGTH: Final = 99
USUAL_LEVEL: Final = "pr-8"
"""The level of those who press Enter when they are asked: a good player of a club."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=N_("Play in this terminal, against the bot or with two people."))(play)


def play(
    game: RulesOption = "",
    length: Annotated[
        int | None, typer.Option("--length", "-n", help=N_("Points of the match; 0 plays for money."))
    ] = None,
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
    beavers: Annotated[
        int | None,
        typer.Option("--beavers", min=0, max=MAX_BEAVERS, help=N_("Money: beavers and raccoons after one double.")),
    ] = None,
    net: NetOption = None,
) -> None:
    """Play until the match is over or the player leaves."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    try:
        called = _called(names)
        rules = chosen_rules(game) if game else None
        book = _book(console, save, rules, length, jacoby, beavers, manual)
        if book.match.over:
            return
        if net is not None:
            use_net(book.match.rules, net)
        session = _session(console, book, level_name, two, called)
        _run(session, _numbers(book.match, seed), save)
    except (Quit, KeyboardInterrupt):
        console.print()
        kept = save is not None and save.exists()
        console.print(_("The match is saved in %(save)s.", save=save) if kept else _("Goodbye."))


class _Session:
    """Who plays what, and what they see. book: the match as it begins or goes on."""

    def __init__(
        self, book: Book, screen: Screen, players: tuple[Player, Player], human: Human, bot_seat: int | None
    ) -> None:
        self.book, self.screen, self.players, self.human, self.bot_seat = book, screen, players, human, bot_seat


def _called(names: str) -> tuple[str, str]:
    """What --names calls the two players; "" for one it leaves out."""
    called = [name.strip()[:20] for name in names.split(",")]
    if len(called) > 2:
        raise FormatError("%(count)s names; a match has two players", count=len(called))
    return called[0], called[1] if len(called) == 2 else ""


def _book(
    console: Console,
    save: Path | None,
    rules: Rules | None,
    length: int | None,
    jacoby: bool,
    beavers: int | None,
    manual: bool,
) -> Book:
    """The match in the file, or a new one; asks for missing options when run in a terminal."""
    if save is not None:
        check_kept(save)
    if save is not None and save.exists():
        book = saved_book(save)
        check_asked(save, book.match, rules, length, jacoby, beavers, manual)
        show_oddities(str(save), book)
        if book.match.over:
            first, second = map(in_digits, book.match.score)
            over = _("The match in %(save)s is over, %(first)s to %(second)s.", save=save, first=first, second=second)
            console.print(over + " " + _("Give another file to play a new one."))
        else:
            console.print(_("Continuing the match in %(save)s.", save=save))
        return book
    asked = sys.stdin.isatty()
    if rules is None:
        rules = _ask_variant(console) if asked else variant("backgammon")
    if length is None:
        length = _ask_length(console) if asked else 3
    if length > MAX_LENGTH:
        raise BarpointError(
            "a match to %(length)s points; at most %(max_length)s", length=length, max_length=MAX_LENGTH
        )
    terms = MatchTerms(length, jacoby=jacoby, beavers=beavers or 0, manual=manual)
    return Book(Match.start(rules=rules, terms=terms))


def _ask_variant(console: Console) -> Rules:
    for number, entry in enumerate(variants(), start=1):
        _offer(console, number, entry.title, _(entry.line))
    while True:
        text = _ask(console, _("Which game, by number or name? [1]")).strip() or "1"
        if chosen := number_in(text, 1, len(variants())):
            return variant(variants()[chosen - 1].name)
        try:
            return chosen_rules(text)
        except BarpointError as error:
            console.print(error.translated())
        except OSError as error:
            console.print(f"{text}: {error.strerror}")


def _offer(console: Console, number: int, name: str, line: str) -> None:
    """One numbered choice, its explanation wrapped beneath itself."""
    wrapped = textwrap.wrap(line, max(console.width - 25, 30))
    for index, part in enumerate(wrapped):
        console.print(f"{number:3}  {name:<18} {part}" if index == 0 else " " * 24 + part)


def _ask_length(console: Console) -> int:
    while True:
        text = _ask(console, _("Points of the match, 0 for money? [3]")).strip() or "3"
        if (length := number_in(text, 0, MAX_LENGTH)) is not None:
            return length
        console.print(_("A number from %(least)s to %(most)s.", least=0, most=MAX_LENGTH))


def _ask(console: Console, prompt: str) -> str:
    try:
        text = console.input(prompt + " ", markup=False)
    except (EOFError, KeyboardInterrupt, UnicodeDecodeError):
        raise Quit from None
    if (said := read_command(text)) and said[0] == "quit":
        raise Quit
    return text


def _session(console: Console, book: Book, level_name: str, two: bool, called: tuple[str, str]) -> _Session:
    match = book.match
    known = covers(match.rules)
    if not known and not two:
        console.print(
            _(
                "There is no net for %(game)s: two people play. barpoint train makes one, and --net takes it.",
                game=match.rules.name,
            )
        )
    bot = Bot(match.rules, _level(console, level_name), seed=secrets.randbits(32)) if known and not two else None
    names = (called[0] or book.players[0], called[1] or book.players[1])
    if bot and names[1] == DEFAULT_NAMES[1]:
        names = (names[0], "Barpoint")
    book = replace(book, players=names)
    others = ("You", "Barpoint") if bot else ("First", "Second")
    first, second = (
        other if name == unnamed else _printable(name)
        for name, unnamed, other in zip(book.players, DEFAULT_NAMES, others, strict=True)
    )
    screen = Screen(console, Names((first, second), you=0 if first == "You" else None))
    human = Human(screen, Engine(match.rules) if known else None)
    players: tuple[Player, Player] = (human, bot or human)
    if match.terms.manual:
        players = (_RealDice(players[0], human), _RealDice(players[1], human))
    return _Session(book, screen, players, human, 1 if bot else None)


def _printable(name: str) -> str:
    """A name from a file as a terminal may show it."""
    return "".join(character if character.isprintable() else " " for character in name)[:20]


def _level(console: Console, name: str) -> str:
    """The level asked for; OptionError for one that is not there."""
    if name or not sys.stdin.isatty():
        return level(name or "strong").name
    for number, each in enumerate(levels(), start=1):
        _offer(console, number, each.name, each.line)
    usual = next(number for number, each in enumerate(levels(), start=1) if each.name == USUAL_LEVEL)
    while True:
        text = _ask(console, _("How well should the bot play? [%(number)s]", number=usual)).strip() or str(usual)
        if chosen := number_in(text, 1, len(levels())):
            return levels()[chosen - 1].name
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


def _run(session: _Session, numbers: Iterator[int], save: Path | None) -> None:
    book = session.book
    if save is not None and not save.exists():
        keep(book, save)
    while not book.match.over:
        match = book.match
        event = _next(session, match, numbers)
        try:
            after = match.apply(event)
        except IllegalEvent as error:
            if session.bot_seat is not None and getattr(event, "player", None) == session.bot_seat:
                raise  # it would do the same again
            session.screen.say(error.translated())
            continue
        book = replace(book, match=after)
        if save is not None:
            keep(book, save)
        session.screen.happened(match, after)


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
