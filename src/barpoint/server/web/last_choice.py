"""What somebody chose to play last, kept in cookies: of the first page, which starts it again with one press, and of challenges to people."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import Response

from barpoint.error import BarpointError
from barpoint.language import _
from barpoint.number_text import number_in
from barpoint.rules import Rules
from barpoint.server.bots.opponents import LevelShown, Opponents, starting_level
from barpoint.server.domain.agreement_form import describe_agreement, read_agreement
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.time_control import in_days
from barpoint.server.domain.titles import variant_title
from barpoint.server.web.requests import YEAR_S, set_cookie
from barpoint.server.web.variants import OPTION, name_from
from barpoint.variants import variant

COOKIE: Final = "barpoint_choice"
PEOPLE_COOKIE: Final = "barpoint_people"
MAX_COOKIE: Final = 1500
"""Characters of a cookie; a longer choice is not kept."""

KEPT: Final = (
    "variant", "opponent", "level", "length", "time_control", "cube", "crawford", "jacoby", "beavers",
    "automatic_doubles", "rated", "tutor",
)  # fmt: skip
"""Fields of the form that are kept, besides options; an entry fee is paid only by who asks for it again."""

NEWCOMER: Final = (("variant", "backgammon"), ("opponent", "bot"), ("length", "3"), ("cube", "1"), ("crawford", "1"))


@dataclass(frozen=True, slots=True)
class LastChoice:
    """What the form of the first page is filled with. fields: (name, value) as a form sends them. line: in words.
    known: not a newcomer's. named: the address asks for this game.
    """

    fields: tuple[tuple[str, str], ...]
    rules: Rules
    level: LevelShown | None
    line: str
    known: bool
    named: bool = False

    def get(self, name: str, default: str = "") -> str:
        """The last value of a field."""
        return dict(self.fields).get(name, default)

    def has(self, name: str) -> bool:
        """Whether a box is ticked."""
        return name in dict(self.fields)


def choice_of(request: Request, opponents: Opponents, *, registered: bool) -> LastChoice:
    """The last choice of this browser, changed by ?variant=, ?opponent= and ?level=; that of a newcomer without one."""
    kept = tuple(parse_qsl(request.cookies.get(COOKIE, "")[:MAX_COOKIE], keep_blank_values=False))
    asked = [
        (key, value) for key, value in request.query_params.multi_items() if key in ("variant", "opponent", "level")
    ]
    named = any(key == "variant" for key, _value in asked)
    candidates = [(_with(kept, asked), True, named), (kept, True, False)] if kept else []
    for fields, known, is_named in (*candidates, (_with(NEWCOMER, asked), False, named)):
        with suppress(BarpointError):
            return replace(_read(fields, opponents, registered=registered, known=known), named=is_named)
    return _read(NEWCOMER, opponents, registered=registered, known=False)


def newcomer_fields(opponents: Opponents) -> tuple[tuple[str, str], ...]:
    """What a newcomer plays, as a form sends it."""
    return _read(NEWCOMER, opponents, registered=False, known=False).fields


def _with(fields: tuple[tuple[str, str], ...], asked: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Fields in which those that the address asks for replace the kept ones; another game has no options yet, and a bot
    asked for instead of a person has no clock of days.
    """
    names = {key for key, _ in asked}
    to_bot = ("opponent", "bot") in asked and ("opponent", "bot") not in fields
    kept = [
        (key, value)
        for key, value in fields
        if key not in names
        and not ("variant" in names and key.startswith(OPTION))
        and not (to_bot and key == "time_control" and in_days(value))
    ]
    return (*kept, *asked)


def _read(fields: tuple[tuple[str, str], ...], opponents: Opponents, *, registered: bool, known: bool) -> LastChoice:
    """A choice that can be played; FormatError, UnknownVariant, VariantsClash otherwise."""
    said = dict(fields)
    rules = variant(name_from(fields))
    if not registered:
        said.pop("rated", None)
    offered = opponents.levels_for(rules)
    opponent = said.get("opponent", "bot")
    if opponent == "bot" and not offered:
        opponent = "friend"
    level = starting_level(offered, said.get("level"))
    agreement = read_agreement(
        {**said, "variant": rules.name}, registered=registered and opponent in ("friend", "lobby")
    )
    against = {
        "bot": _("against a bot: %(level)s", level=_(level.title) if level else ""),
        "friend": _("with a friend, by a link"),
        "lobby": _("with anybody in the lobby"),
        "board": _("at a real board"),
    }[opponent if opponent in ("bot", "friend", "lobby", "board") else "bot"]
    chosen = [(key, value) for key, value in fields if key in said and key not in ("opponent", "level")]
    chosen.append(("opponent", opponent))
    if level is not None:
        chosen.append(("level", level.name))
    line = _(
        "%(game)s %(against)s; %(terms)s.",
        game=variant_title(rules),
        against=against,
        terms=describe_agreement(agreement),
    )
    return LastChoice(tuple(chosen), rules, level, line, known)


@dataclass(frozen=True, slots=True)
class ChallengeChoice:
    """What the forms for challenges to people are filled with."""

    variant: str = "backgammon"
    length: int = 3
    time_control: str = "Normal"
    rated: bool = True


def challenge_choice_of(request: Request) -> ChallengeChoice:
    """The last challenge of this browser; that of a newcomer without one. What is not offered any more selects nothing."""
    kept = dict(parse_qsl(request.cookies.get(PEOPLE_COOKIE, "")[:MAX_COOKIE]))
    if not kept:
        return ChallengeChoice()
    length = number_in(kept.get("length", ""), 0, 999)
    return ChallengeChoice(
        kept.get("variant", "backgammon"),
        3 if length is None else length,
        kept.get("time_control", "Normal"),
        "rated" in kept,
    )


def keep_challenge(request: Request, response: Response, fields: list[tuple[str, str]], person: Guest | None) -> None:
    """Keeps the challenge of a form; whoever has no account has not chosen whether matches are rated."""
    chosen = person is not None and person.registered
    _keep(request, response, PEOPLE_COOKIE, fields if chosen else [*fields, ("rated", "1")])


def keep_choice(request: Request, response: Response, fields: list[tuple[str, str]]) -> None:
    """Keeps what the form of the first page has chosen in this browser."""
    _keep(request, response, COOKIE, fields)


def _keep(request: Request, response: Response, cookie: str, fields: list[tuple[str, str]]) -> None:
    text = urlencode([(key, value) for key, value in fields if value and (key in KEPT or key.startswith(OPTION))])
    if len(text) <= MAX_COOKIE:
        set_cookie(request, response, cookie, text, YEAR_S)
