"""Games of one's own in a folder: those of NAME.toml are known in this process, and NAME.net beside it plays them (docs/own_games.md).

`python -m barpoint.own_games FOLDER MODULE ...` runs a module that knows them: so a server starts its processes.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from typing import Final

from barpoint.error import FormatError
from barpoint.rules import Rules
from barpoint.variants.variant_file import SUFFIX, read_variant

NET_SUFFIX: Final = ".net"


def use_folder(folder: str | os.PathLike[str]) -> tuple[Rules, ...]:
    """Has the games of a folder known in this process, and their nets play them; returns the rules of each.

    A file may name games of others as its `base` or in its sequence. FormatError for a file that describes no variant, or where
    there is no folder; NetError for a net that is damaged or does not fit.
    """
    place = Path(folder)
    if not place.is_dir():
        raise FormatError(
            "%(folder)s is no folder; games of your own are files in one, such as short.toml", folder=place
        )
    waiting, found = sorted(place.glob(f"*{SUFFIX}")), list[Rules]()
    while waiting:
        left, refused = list[Path](), list[FormatError]()
        for file in waiting:
            try:
                found.append(read_variant(file))
            except FormatError as error:  # maybe it needs a game of a file that follows
                left.append(file)
                refused.append(error)
                continue
            if (net := file.with_suffix(NET_SUFFIX)).is_file():
                from barpoint.engine.net import use_net

                use_net(found[-1], net)
        if len(left) == len(waiting):
            raise refused[0]
        waiting = left
    return tuple(found)


def main() -> None:
    """Runs the module that the command line names, with the rest as its arguments."""
    _own, folder, module, *arguments = sys.argv
    use_folder(folder)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
