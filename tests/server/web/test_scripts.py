"""What scripts of pages import, as their files say it."""

from __future__ import annotations

from barpoint.analysis.findings import LUCKY, VERY_LUCKY, luck_mark
from barpoint.server.web.scripts import EVERYWHERE, STATIC, imports_of


def test_imports_of_imports_are_found_once_and_what_the_head_names_is_left_out() -> None:
    found = imports_of('<script type="module" src="/static/match/page.js"></script>')
    assert {"/static/board/board.js", "/static/board/turn.js", "/static/session/session.js"} <= set(found)
    assert len(found) == len(set(found))
    assert not {"/static/match/page.js", EVERYWHERE} & set(found)


def test_every_import_of_every_script_leads_to_a_file() -> None:
    entries = [path.relative_to(STATIC) for path in STATIC.rglob("*.js")]
    for path in imports_of("".join(f'<script type="module" src="/static/{entry}"></script>' for entry in entries)):
        assert (STATIC / path.removeprefix("/static/")).is_file(), path
    assert len(entries) > 50


def test_every_mark_of_the_luck_of_a_roll_is_a_text_of_the_replay() -> None:
    script = (STATIC / "replay/verdict.js").read_text(encoding="utf-8")
    marks = {luck_mark(sign * luck) for sign in (1, -1) for luck in (LUCKY, VERY_LUCKY)}
    assert {mark for mark in marks if f'_("{mark}")' not in script} == set()
    assert len(marks) == 4
