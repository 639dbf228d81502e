"""Decisions of a library for elsewhere: as values for programs, as a table, as a page, as a deck for Anki."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import Final

from msgspec import Struct, structs

from barpoint.analysis.answer import states_before
from barpoint.analysis.findings import Decision
from barpoint.analysis.theme_text import theme_sentence, theme_title
from barpoint.analysis.words import WORDS, choice_text, play_question
from barpoint.csv_text import csv_text
from barpoint.draw import svg
from barpoint.draw.palette import PAGE
from barpoint.game.event import MoveMade
from barpoint.language import N_, _, language, number
from barpoint.match import Match, read_log
from barpoint.record import format_position
from barpoint.server.storage.store import Store
from barpoint.server.study.analyses import log_of
from barpoint.server.study.anki_deck import AnkiCard, format_deck
from barpoint.server.study.library import FoundDecision

DECK = "Barpoint"

RESIGN_QUESTIONS: Final = (
    N_("Do you resign?"),
    N_("Do you resign a single game?"),
    N_("Do you resign a gammon?"),
    N_("Do you resign a backgammon?"),
)
RESIGNED_QUESTIONS: Final = (
    N_("The other side resigns. What do you answer?"),
    N_("The other side resigns a single game. What do you answer?"),
    N_("The other side resigns a gammon. What do you answer?"),
    N_("The other side resigns a backgammon. What do you answer?"),
)
"""What is asked about a resignation, and about its answer, by what is resigned."""


class LibraryDecision(Struct, frozen=True):
    """A decision. match: the path of its match. event, game, player, kind, stage, mark, loss: as in a report.

    position: its ID, seen by whoever decides. away: points to go of whoever decides and the other side, () for money.
    luck: of the roll that was played, None elsewhere. moves: of the better play. replay, board: links. pips: how far the
    position is from the one asked about.
    """

    match: str
    event: int
    game: int
    player: int
    names: tuple[str, str]
    played_on: str
    variant: str
    kind: str
    stage: str
    theme: str
    mark: str
    loss: float
    luck: float | None
    away: tuple[int, ...]
    faces: tuple[int, ...]
    position: str
    made: str
    best: str
    moves: tuple[MoveMade, ...]
    replay: str
    board: str
    pips: int


def decision_shown(one: FoundDecision) -> LibraryDecision:
    """A decision as programs get it."""
    decision, match, row = one.decision, one.of.match, one.row
    return LibraryDecision(
        match=one.of.path,
        event=decision.event,
        game=decision.game,
        player=decision.player,
        names=match.names,
        played_on=match.played_on,
        variant=one.variant,
        kind=decision.kind,
        stage=decision.stage,
        theme=decision.themes[0].name if decision.themes else "",
        mark=decision.mark,
        loss=decision.loss,
        luck=None if row["luck"] != row["luck"] else round(float(row["luck"]), 5),
        away=tuple(int(away) for away in row["away"] if away),
        faces=decision.faces,
        position=format_position(one.position),
        made=decision.made.text,
        best=decision.best.text,
        moves=decision.best.moves,
        replay=one.replay,
        board=one.board,
        pips=one.pips,
    )


@dataclass(frozen=True, slots=True)
class StudyCard:
    """A decision as a question with its answer. key: the same for the same decision. picture: an SVG; answer: HTML."""

    key: str
    picture: str
    question: str
    answer: str
    tags: tuple[str, ...]


def format_table(found: Sequence[FoundDecision]) -> str:
    """The decisions as comma-separated values, with a line of names."""
    columns = [name for name in LibraryDecision.__struct_fields__ if name not in ("moves", "pips")]
    return csv_text(columns, (_cells(one, columns) for one in found), exact=("position",))


def _cells(one: FoundDecision, columns: Sequence[str]) -> list[object]:
    values = structs.asdict(decision_shown(one)) | {"names": " - ".join(one.of.match.names)}
    values |= {name: "-".join(map(str, values[name])) for name in ("away", "faces")}
    return [values[name] for name in columns]


async def cards_of(store: Store, found: Sequence[FoundDecision], address: str) -> list[StudyCard]:
    """The decisions as cards, in order; without those whose match was deleted. address: of the server, for links."""
    by_match: dict[str, list[int]] = defaultdict(list)
    for index, one in enumerate(found):
        by_match[one.of.path].append(index)
    cards: dict[int, StudyCard] = {}
    for indices in by_match.values():
        log = await store.read(log_of, found[indices[0]].of.finished.key)
        cards |= await asyncio.to_thread(_cards, log, found, indices, address)
    return [cards[index] for index in sorted(cards)]


def _cards(log: bytes, found: Sequence[FoundDecision], indices: list[int], address: str) -> dict[int, StudyCard]:
    states = states_before(read_log(log), (found[index].decision.event for index in indices))
    return {index: _card(states[found[index].decision.event], found[index], address) for index in indices}


def _card(state: Match, one: FoundDecision, address: str) -> StudyCard:
    decision, names = one.decision, one.of.match.names
    near = state.game.player == decision.player
    own, other = names[decision.player], names[1 - decision.player]
    said = f"{one.of.path} {decision.event} {decision.kind} {decision.player}"
    return StudyCard(
        key=sha256(said.encode()).hexdigest()[:20],
        picture=svg(state, near_to_act=near, labels=(own or _("You"), other or _("Opponent"))),
        question=f"{escape(_question(decision))} {escape(_score(one))}",
        answer="".join(_answer(one, address)),
        tags=tuple(tag.replace(" ", "-") for tag in (decision.stage, *(theme.name for theme in decision.themes[:1]))),
    )


def _question(decision: Decision) -> str:
    """What is asked, in one sentence."""
    match decision.kind:
        case "play":
            return play_question(decision.faces)
        case "double" | "no double":
            return _("Do you double?")
        case "take" | "pass" | "beaver" | "raccoon":
            return _("You are offered the cube. What do you answer?")
        case "call" | "keep":
            return _("Does this roll stand, or is it rolled again?")
        case "resign":
            return _(RESIGN_QUESTIONS[decision.level])
        case _:
            return _(RESIGNED_QUESTIONS[decision.level])


def _score(one: FoundDecision) -> str:
    own, other = (int(away) for away in one.row["away"])
    return _("Money game.") if not own else _("Points to go: %(own)s, the other side %(other)s.", own=own, other=other)


def _answer(one: FoundDecision, address: str) -> Iterator[str]:
    decision = one.decision
    yield "<table>"
    for index, option in enumerate(decision.options):
        made = ' class="made"' if index == decision.chosen else ""
        loss = number(-option.loss, 3, sign=True) if option.loss else ""
        equity = number(option.equity, 3, sign=True)
        yield f"<tr{made}><td>{escape(choice_text(option.text, decision.level))}</td><td>{equity}</td><td>{loss}</td></tr>"
    yield "</table>"
    for theme in decision.themes:
        yield f"<p><b>{escape(theme_title(theme.name))}.</b> {escape(theme_sentence(theme))}</p>"
    about = (_(WORDS[decision.stage]), *one.of.match.names, one.of.match.played_on)
    yield f"<p>{escape(' · '.join(text for text in about if text))}</p>"
    links = ((address + one.replay, _("Replay")), (address + one.board, _("Analysis board")))
    shown = (f'<a href="{escape(link)}">{escape(title)}</a>' for link, title in links)
    yield f"<p>{' · '.join(shown)}</p>"


def format_anki(cards: Sequence[StudyCard], now_ms: int) -> bytes:
    """A deck for Anki (.apkg) with a picture on each card."""
    pictures = {f"barpoint-{card.key}.svg": card.picture.encode() for card in cards}
    made = [
        AnkiCard(card.key, f'<img src="barpoint-{card.key}.svg"><p>{card.question}</p>', card.answer, card.tags)
        for card in cards
    ]
    return format_deck(DECK, made, pictures, now_ms)


_STYLE = (
    f":root{{--page:{PAGE['page']};--text:{PAGE['text']};--line:{PAGE['line']}}}"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:var(--text);background:var(--page)}"
    "article{border-top:1px solid var(--line);padding:1rem 0;break-inside:avoid}svg{max-width:26rem;width:100%;height:auto;display:block}"
    "table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0}.made{font-weight:700}"
)


def format_page(cards: Sequence[StudyCard]) -> str:
    """A page of its own with all cards, to read or print."""
    title = escape(_("Decisions"))
    parts = "".join(
        f"<article><h2>{number}</h2>{card.picture}<p>{card.question}</p>{card.answer}</article>"
        for number, card in enumerate(cards, start=1)
    )
    return (
        f'<!doctype html>\n<html lang="{language()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>{parts}</body></html>\n"
    )
