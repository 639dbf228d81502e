"""The page of figures: a section for each benchmark, and the others stay."""

from benchmarks.__main__ import HEAD, replaced


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
