"""A language in which every text of the catalogue stands in brackets: text outside them is in no catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from gettext import NullTranslations
from typing import Final

import msgspec
import pytest

from barpoint import language
from barpoint.language import SOURCE, catalogue, languages
from barpoint.server.web import language as web_language
from barpoint.server.web import rules as rules_pages
from barpoint.variants import variants

NAMES: Final = {
    "Barpoint", "Guest", "Anna", "Ben", *languages().values(), "Crawford", "Jacoby", "UTC", "SVG", "PNG", "JSON", "PR", "XGID", "OGID",
    "GNU", "FIBS", "SHA", "JavaScript", "HeadlessChrome", "Chrome", "Linux", "python", "httpx", "Enter", "Club", "night", "Swiss",
    "ND", "TG", "Two", "lives", "ended", "odd", "mat", "Openings", "Bot", "Easy", "Chance", "easy", "chance",
    *(word for header in variants() for word in re.findall(r"[^\W\d_]+", header.title)),
}  # fmt: skip
"""Names of people, programs, formats, rules, games and cube actions in a matrix, which are the same in every language, and those that tests give."""

BOTS: Final = ("Anything legal.", "Anything legal, too.")
"""What the bots of the tests say about themselves."""

NOTATION: Final = re.compile(
    r"\b(?:bar|hand|\d+)(?:\*?/(?:off|bar|\d+))+[*()\d]*"  # plays
    r"|(?:https?:/)?/[\w./?=&%:#-]+|\b[\w-]+\.(?:mat|sgf|xg|json|bgf|zip|bgm)\b"  # addresses and files
    r"|\b\d{1,2}\. [A-ZÄ][a-zä]+\.?"  # dates, as the language writes them
    r"|\bMember [a-z]{2}\b|\bA{60}\b|\b[\w-]{0,40}\d[\w-]{7,}|\b[\w:+/=-]*:[\w:+/=-]{9,}|\b[\w+/]{14}(?::[\w+/]{12})?|\bN\d\b|\bR\d\b"  # names, ids, digests
)

BRACKETS: Final = "⟦⟧"
UNSEEN: Final = "\ufe00\ufe01"
"""Brackets without width: variation selectors, which are printable, as names and texts have to be."""

MARKED: Final = re.compile(f"[{BRACKETS[0]}{UNSEEN[0]}][^{BRACKETS}{UNSEEN}]*[{BRACKETS[1]}{UNSEEN[1]}]")


class Marked(NullTranslations):
    """A language in which every text of the German catalogue stands in brackets, and no other text.

    words: the language of what stands in them.
    """

    def __init__(self, words: NullTranslations, brackets: str = BRACKETS) -> None:
        super().__init__()
        self.words, self.brackets = words, brackets

    def gettext(self, message: str) -> str:
        return _in(self.brackets, self.words.gettext(message)) if catalogue("de").get(message) else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        if catalogue("de").get((msgid1, msgid2)):
            return _in(self.brackets, self.words.ngettext(msgid1, msgid2, n))
        return msgid1 if n == 1 else msgid2

    def pgettext(self, context: str, message: str) -> str:
        found = catalogue("de").get(message, context)
        return _in(self.brackets, self.words.pgettext(context, message)) if found else message


def _in(brackets: str, text: object) -> str:
    return f"{brackets[0]}{text}{brackets[1]}"


def mark_german(monkeypatch: pytest.MonkeyPatch, *, unseen: bool = False) -> Iterator[None]:
    """Makes German this language for a while: on pages, in scripts, and in translated pages of rules.

    unseen: pages look as they do in German, and the brackets are not seen; otherwise they have English words in brackets.
    """
    plain, html, scripts = language._translations, rules_pages._html, web_language.script_texts
    marked = Marked(plain("de"), UNSEEN) if unseen else Marked(NullTranslations())
    brackets = marked.brackets

    def page_html(text: str) -> str:
        shown = html(text)
        if "(translates " not in text:
            return shown
        return re.sub(r">([^<\n]*[A-Za-z][^<]*)<", lambda found: f">{_in(brackets, found[1])}<", shown)

    def script_texts(code: str) -> tuple[bytes, str]:
        texts, name = scripts(code)
        found = msgspec.json.decode(texts)
        return msgspec.json.encode({key: _marked(brackets, value) for key, value in found.items()}), f"marked{name}"

    monkeypatch.setattr(language, "_translations", lambda code: plain(code) if code == SOURCE else marked)
    monkeypatch.setattr(rules_pages, "_html", page_html)
    monkeypatch.setattr(web_language, "script_texts", script_texts)
    rules_pages._chapter.cache_clear()
    scripts.cache_clear()
    yield
    rules_pages._chapter.cache_clear()
    scripts.cache_clear()


def _marked(brackets: str, value: object) -> object:
    """A text of a script in brackets, in each of its forms."""
    if isinstance(value, dict):
        return {form: _marked(brackets, text) for form, text in value.items()}
    return value if str(value).startswith(brackets[0]) else _in(brackets, value)


def without_marked(text: str) -> str:
    """What is left of a text, or of a whole page, without what stands in brackets."""
    while (shorter := MARKED.sub("", text)) != text:
        text = shorter
    return text


def foreign(text: str) -> bool:
    """Whether a text has words that are in no catalogue, are no names and belong to no notation."""
    rest = NOTATION.sub(" ", without_marked(text))
    for said in BOTS:
        rest = rest.replace(said, "")
    return bool(set(re.findall(r"[^\W\d_]{2,}", rest)) - NAMES)
