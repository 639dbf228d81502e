"""The layers of the core: a file includes only files of its own folder and of folders below, and none in a circle."""

import re
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"

LAYERS = ("", "kernels", "rules", "nets", "tables", "search", "training", "bindings")
"""Folders of core/ from the lowest to the highest; "" is core/ itself."""

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def includes(source: str) -> list[str]:
    """The files of the core that a source names, relative to core/."""
    return INCLUDE.findall(source)


def layer(name: str) -> int:
    """The layer of a file, by its path below core/; ValueError for a folder that has none."""
    return LAYERS.index(name.rpartition("/")[0])


def upward(name: str, source: str) -> list[str]:
    """The includes of a file that lie in a higher layer than the file."""
    return [other for other in includes(source) if layer(other) > layer(name)]


def circle(sources: Mapping[str, str]) -> list[str]:
    """Files that include each other in a circle, from one to itself again; none where there is no circle."""
    try:
        TopologicalSorter({name: includes(source) for name, source in sources.items()}).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


SOURCES = {
    file.relative_to(CORE).as_posix(): file.read_text(encoding="utf-8")
    for file in sorted(CORE.rglob("*"))
    if file.suffix in (".hpp", ".cpp")
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_file_includes_only_files_of_its_layer_and_below(name: str) -> None:
    assert [other for other in includes(SOURCES[name]) if other not in SOURCES] == []
    assert upward(name, SOURCES[name]) == []


def test_no_files_include_each_other_in_a_circle() -> None:
    assert circle(SOURCES) == []


def test_every_folder_of_the_core_has_a_layer() -> None:
    assert {name.rpartition("/")[0] for name in SOURCES} == set(LAYERS)


def test_an_include_that_runs_up_is_found() -> None:
    assert upward("nets/net.hpp", '#include <array>\n#include "search/search.hpp"\n#include "rules/rules.hpp"\n') == [
        "search/search.hpp"
    ]
    assert upward("rng.hpp", '#  include "rules/rules.hpp"') == ["rules/rules.hpp"]


def test_a_circle_is_found() -> None:
    one, two = '#include "nets/two.hpp"', '#include "nets/one.hpp"'
    assert set(circle({"nets/one.hpp": one, "nets/two.hpp": two})) == {"nets/one.hpp", "nets/two.hpp"}
