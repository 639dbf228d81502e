"""Writes decks for Anki (.apkg): a zip of an SQLite collection and the pictures of its cards.

The collection has the schema 11, which every Anki since 2.0 imports (docs/decisions/0010-anki-decks.md).
"""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha1
from typing import Any, Final

from barpoint.draw.palette import PAGE

MODEL: Final = 1_763_800_000_001
"""The number of our kind of note: always the same, so that Anki knows it again."""

FIELDS: Final = ("Question", "Answer")
SEPARATOR: Final = "\x1f"

SCHEMA: Final = """
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
  ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text NOT NULL,
  models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
  usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL,
  flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
  mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer NOT NULL,
  ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL,
  odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
  ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL, type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
"""

STYLE: Final = (
    f".card {{ font: 18px/1.45 system-ui, sans-serif; color: {PAGE['text']}; background: {PAGE['page']}; }}"
    " img { display: block; width: 100%; max-width: 34rem; height: auto; margin: 0 auto .6rem; }"
    " table { border-collapse: collapse; } td { padding: .1rem .8rem .1rem 0; } .made { font-weight: 700; }"
)


@dataclass(frozen=True, slots=True)
class AnkiCard:
    """A card. guid: the same card has always the same, so that it is not imported twice. question, answer: as HTML.

    tags: without spaces.
    """

    guid: str
    question: str
    answer: str
    tags: tuple[str, ...] = ()


def format_deck(name: str, cards: Sequence[AnkiCard], pictures: Mapping[str, bytes], now_ms: int) -> bytes:
    """A deck as .apkg. name: of the deck. pictures: by the file names that cards use."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("collection.anki2", _collection(name, cards, now_ms))
        pack.writestr("media", json.dumps({str(number): file for number, file in enumerate(pictures)}))
        for number, data in enumerate(pictures.values()):
            pack.writestr(str(number), data)
    return buffer.getvalue()


def _collection(name: str, cards: Sequence[AnkiCard], now_ms: int) -> bytes:
    deck, now_s = _number_of(name), now_ms // 1000
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        settings: tuple[Any, ...] = (
            _CONF,
            {str(MODEL): _model(deck, now_s)},
            _decks(deck, name, now_s),
            {"1": _OPTIONS},
            {},
        )
        values = (1, now_s, now_ms, now_ms, 11, 0, 0, 0, *map(json.dumps, settings))
        connection.execute(f"INSERT INTO col VALUES ({_places(13)})", values)
        for due, card in enumerate(cards, start=1):
            note = now_ms + due
            fields = SEPARATOR.join((card.question, card.answer))
            checksum = int(sha1(card.question.encode()).hexdigest()[:8], 16)
            tags = f" {' '.join(card.tags)} " if card.tags else ""
            values = (note, card.guid, MODEL, now_s, -1, tags, fields, card.question, checksum, 0, "")
            connection.execute(f"INSERT INTO notes VALUES ({_places(11)})", values)
            new = (note, note, deck, 0, now_s, -1, 0, 0, due, *(0,) * 8, "")
            connection.execute(f"INSERT INTO cards VALUES ({_places(18)})", new)
        connection.commit()
        return connection.serialize()


def _places(count: int) -> str:
    return ", ".join("?" * count)


def _number_of(name: str) -> int:
    """The number of a deck: a deck of this name has always the same."""
    return MODEL + 1 + int(sha1(name.encode()).hexdigest()[:8], 16)


def _model(deck: int, now_s: int) -> dict[str, Any]:
    template = {"name": "Card 1", "ord": 0, "qfmt": "{{Question}}", "afmt": "{{FrontSide}}<hr id=answer>{{Answer}}"}
    empty = {"bqfmt": "", "bafmt": "", "did": None, "bfont": "", "bsize": 0}
    look = {"font": "Arial", "media": [], "rtl": False, "size": 20, "sticky": False}
    return {
        "id": MODEL,
        "name": "Barpoint",
        "type": 0,
        "mod": now_s,
        "usn": -1,
        "sortf": 0,
        "did": deck,
        "tmpls": [template | empty],
        "flds": [{"name": field, "ord": number} | look for number, field in enumerate(FIELDS)],
        "css": STYLE,
        "latexPre": "",
        "latexPost": "",
        "latexsvg": False,
        "req": [[0, "all", [0]]],
        "tags": [],
        "vers": [],
    }


def _decks(deck: int, name: str, now_s: int) -> dict[str, Any]:
    days = {"newToday": [0, 0], "revToday": [0, 0], "lrnToday": [0, 0], "timeToday": [0, 0]}
    plain = {
        "mod": now_s,
        "usn": -1,
        "desc": "",
        "dyn": 0,
        "conf": 1,
        "collapsed": False,
        "extendNew": 0,
        "extendRev": 0,
    }
    return {str(one): {"id": one, "name": title, **plain, **days} for one, title in ((1, "Default"), (deck, name))}


_CONF: Final = {
    "activeDecks": [1],
    "curDeck": 1,
    "newSpread": 0,
    "collapseTime": 1200,
    "timeLim": 0,
    "estTimes": True,
    "dueCounts": True,
    "curModel": str(MODEL),
    "nextPos": 1,
    "sortType": "noteFld",
    "sortBackwards": False,
    "addToCur": True,
}

_OPTIONS: Final = {
    "id": 1,
    "name": "Default",
    "mod": 0,
    "usn": 0,
    "maxTaken": 60,
    "autoplay": True,
    "timer": 0,
    "replayq": True,
    "dyn": False,
    "new": {"bury": True, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 7], "order": 1, "perDay": 20},
    "lapse": {"delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0},
    "rev": {"bury": True, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1, "perDay": 100},
}
