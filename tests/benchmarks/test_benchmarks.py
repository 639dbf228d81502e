"""Benchmarks: the page of results, the judged decisions, the other programs, memory."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from barpoint.board import Position, Side
from barpoint.moves import legal_plays
from barpoint.variants import variant
from benchmarks.__main__ import HEAD, STRENGTH, names, replaced
from benchmarks.judged.place import KINDS
from benchmarks.judged.store import format_line, parse_line, read
from benchmarks.loss import cube_losses
from benchmarks.memory import QUESTIONS, installed_mb, measure
from benchmarks.peer.gnubg import after
from benchmarks.peer.picture import BOTTOM, HIGH, Dot, draw
from benchmarks.peer.player import from_sage, sage_board
from benchmarks.pictures import FOLDER, PICTURES, pictures, strength_dots, training_dots
from benchmarks.training_curve import stages


def test_a_new_section_comes_last_but_before_what_was_tried() -> None:
    page = replaced(HEAD, "moves", "1")
    assert page.endswith("## moves\n\n1\n")
    with_tried = page + "\n## Tried and reverted\n\n- this\n"
    assert replaced(with_tried, "evaluate", "2").endswith("## evaluate\n\n2\n\n## Tried and reverted\n\n- this\n")


def test_a_section_is_replaced_where_it_stands() -> None:
    page = replaced(replaced(HEAD, "moves", "old"), "search", "kept")
    again = replaced(page, "moves", "new")
    assert again == replaced(replaced(HEAD, "moves", "new"), "search", "kept")
    assert replaced(again, "moves", "new") == again


def test_a_name_that_begins_another_is_left_alone() -> None:
    page = replaced(replaced(HEAD, "moves", "1"), "moves_batch", "2")
    assert "## moves_batch\n\n2\n" in replaced(page, "moves", "3")


def test_strength_and_speed_are_parts_of_all_benchmarks() -> None:
    assert set(STRENGTH) < set(names())


def test_judged_decisions_are_legal_and_know_their_best() -> None:
    known = read()
    assert len(known) > 50
    for judged in known[:: len(known) // 40]:
        assert parse_line(format_line(judged)) == judged
        if judged.faces:
            legal = {play.result for play in legal_plays(variant(), judged.position, judged.faces)}
            assert judged.results.keys() <= legal
            assert min(judged.results.values()) == 0.0
        else:
            assert judged.values.keys() == {"no double", "double/take"}


def test_every_kind_has_decisions_that_belong_to_it() -> None:
    known = read()
    for kind, belongs in KINDS.items():
        assert any(judged.kind == kind for judged in known)
        assert all(belongs(judged.position) for judged in known if judged.kind == kind)


def test_a_cube_is_lost_by_who_doubles_and_by_who_answers() -> None:
    assert cube_losses(0.5, 0.75, (0.4, 0.3, 1.0)) == (0.25, 0.0)  # no double, though it would gain
    assert cube_losses(0.5, 0.75, (0.4, 1.2, 1.0)) == (0.0, 0.25)  # a pass where a take loses less
    assert cube_losses(0.9, 1.25, (0.4, 0.5, 1.0)) == (0.0, 0.25)  # a take where a pass loses less
    assert cube_losses(1.25, 1.5, (0.5, 1.1, 1.0)) == (0.25, 0.0)  # too good to double


def test_boards_of_other_programs_come_back_as_they_went() -> None:
    position = Position(Side.of({25: 1, 6: 5, 13: 5, 8: 3, 0: 1}), Side.of({25: 2, 20: 2, 6: 5, 13: 6}))
    assert from_sage(sage_board(position)) == position
    assert from_sage(sage_board(position.flip())) == position.flip()


def test_moves_of_gnubg_lead_where_its_play_does() -> None:
    position = Position(Side.of({25: 1, 6: 14}), Side.of({5: 1, 6: 14}))
    result = after(position, (25, 20, 6, 4, 0, 0, 0, 0))
    assert result == Position(Side.of({20: 1, 6: 13, 4: 1}), Side.of({25: 1, 6: 14}))


def test_the_picture_shows_every_program_at_every_depth() -> None:
    dots = [Dot("one 0-ply", 0.02, 9.0), Dot("one 2-ply", 8.0, 2.0, 0.5), Dot("two 0-ply", 0.3, -5.0)]
    picture = ElementTree.fromstring(draw(dots, "time", "loss"))
    assert [title.text for title in picture.iter("{http://www.w3.org/2000/svg}title")] == [dot.name for dot in dots]
    centres = [float(circle.attrib["cy"]) for circle in picture.iter("{http://www.w3.org/2000/svg}circle")]
    assert centres[0] < centres[1] < centres[2] < HIGH - BOTTOM


def test_figures_for_pictures_are_read_from_the_results() -> None:
    page = (
        "## loss\n\nCommit x.\n\n```\n"
        "Barpoint 0-ply, plays      3.2 +-  0.6    0.8 +-  0.4\n"
        "Barpoint 0-ply, cubes      3.7 +-  1.2    3.5 +-  1.9\n"
        "                        decisions of games: PR 0.95; 0.05 ms a play\n"
        "gnubg-nn 0-ply, plays      6.0 +-  1.0    3.0 +-  1.1\n"
        "                        decisions of games: PR 1.50; 0.17 ms a play\n"
        "```\n\n## value\n\nother 1-ply, plays 1.0 +- 2.0\n"
    )
    assert strength_dots(page) == [Dot("Barpoint 0-ply", 50.0, 3.2, 0.6), Dot("gnubg-nn 0-ply", 170.0, 6.0, 1.0)]
    assert training_dots("# stage\nfit-1\t2.50\t600\t-0.0400\t0.0050\n") == [Dot("stage fit-1", 2.5, -0.04, 0.005)]


def test_a_training_s_stages_that_made_nets_are_found_with_their_minutes(tmp_path: Path) -> None:
    log = [("first", 30), ("labels-1-0000", 60), ("fit-1", 30), ("labels-2-0000", 60), ("fit-2", 60)]
    lines = (json.dumps({"stage": stage, "seconds": seconds}) + "\n" for stage, seconds in log)
    (tmp_path / "log.jsonl").write_text("".join(lines), encoding="utf-8")
    assert list(stages(tmp_path)) == [
        ("first", 0.5, tmp_path / "first.net"),
        ("fit-1", 2.0, tmp_path / "round-1.net"),
        ("fit-2", 4.0, tmp_path / "round-2.net"),
    ]


@pytest.mark.parametrize("name", ["strength.svg", "training.svg"])
def test_pictures_in_the_documents_are_drawn_from_the_kept_figures(name: str) -> None:
    assert (PICTURES / name).read_text(encoding="utf-8") == pictures()[name]
    assert len(strength_dots((FOLDER / "results.md").read_text(encoding="utf-8"))) == 11


def test_what_is_installed_stays_small() -> None:
    sizes = installed_mb()
    assert set(sizes) == {"barpoint", "msgspec"}
    assert 5 < sum(sizes.values()) < 25


@pytest.mark.parametrize(
    ("question", "most"), [("import", 42), ("first answer of the net alone", 150), ("plays and cube at two plies", 400)]
)
def test_a_fresh_process_stays_small(question: str, most: int) -> None:
    """The promises of docs/engine.md; megabytes at the peak. In a checkout what finds the sources takes 2 MB besides."""
    _, megabytes = measure(QUESTIONS[question])
    assert megabytes < most
