"""Games of one's own in a folder: those of NAME.toml are known in this process, and NAME.net beside it plays them (docs/own_games.md).

`python -m barpoint.own_games FOLDER MODULE ...` runs a module that knows them: so a server starts its processes.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from barpoint.error import BarpointError, FormatError, NetError
from barpoint.rules import Rules
from barpoint.variants import NO_VARIANT
from barpoint.variants.variant_file import SUFFIX, file_of, read_variant

NET_SUFFIX: Final = ".net"


def use_folder(folder: str | os.PathLike[str]) -> tuple[Rules, ...]:
    """Has the games of a folder known in this process, and their nets play them; returns the rules of each.

    FormatError for a file that describes no variant, or where there is no folder; NetError for a net that is damaged or does not fit.
    """
    found, refused = use_what_is_right(folder)
    if refused:
        raise refused[0]
    return found


def use_what_is_right(folder: str | os.PathLike[str]) -> tuple[tuple[Rules, ...], tuple[BarpointError, ...]]:
    """The same for what is right in a folder; then what is said of the other files, what others wait for first.

    A file may name games of others as its `base` or in its sequence. FormatError where there is no folder.
    """
    place = Path(folder)
    if not place.is_dir():
        raise FormatError(
            "%(folder)s is no folder; games of your own are files in one, such as short.toml", folder=place
        )
    waiting = [file for file in sorted(place.glob(f"*{SUFFIX}")) if file.is_file() and not file.name.startswith(".")]
    found, refused, left_before = list[Rules](), list[BarpointError](), -1
    while waiting and len(waiting) != left_before:
        left_before, again = len(waiting), list[Path]()
        refused.clear()
        for file in waiting:
            try:
                found.append(read_variant(file))
            except FormatError as error:  # maybe it needs a game of a file that follows
                again.append(file)
                refused.append(error)
        waiting = again
    refused.sort(key=lambda error: getattr(error.values.get("why"), "text", "") == NO_VARIANT)
    return tuple(found), (*refused, *_use_nets(place, found))


def _use_nets(folder: Path, games: Iterable[Rules]) -> Iterator[NetError]:
    """Has the nets of a folder play their games; says of which none can."""
    for file in sorted(folder.glob(f"*{NET_SUFFIX}")):
        rules = next((one for one in games if file_of(one.name) == file.with_suffix(SUFFIX).resolve()), None)
        if rules is not None:
            from barpoint.engine.net import use_net

            try:
                use_net(rules, file)
            except NetError as error:
                yield error


def main() -> None:
    """Runs the module that the command line names, with the rest as its arguments."""
    _own, folder, module, *arguments = sys.argv
    use_folder(folder)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
