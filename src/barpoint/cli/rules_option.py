"""The rules that a command is about: the name of a variant, or the file of one's own; and the net that plays them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from barpoint.language import N_
from barpoint.native import core_rules
from barpoint.rules import Rules
from barpoint.variants import games_of, variant
from barpoint.variants.variant_file import SUFFIX, read_variant

RulesOption = Annotated[
    str,
    typer.Option(
        "--variant",
        "-v",
        help=N_('A name such as "roll-over+nackgammon", or the file of your own, such as short.toml.'),
    ),
]
"""The option of commands that are about one game."""

OwnRulesOption = Annotated[
    str, typer.Option("--variant", "-v", help=N_("A variant of your own, whose matches are read: its file."))
]
"""The option of commands that read matches, which name their rules themselves."""

NamedRulesOption = Annotated[
    str, typer.Option("--variant", "-v", help=N_("A variant of your own that requests may name: its file."))
]
"""The option of the command that answers programs, whose requests name their rules themselves."""


def chosen_rules(text: str) -> Rules:
    """The rules of a name, any part of which may be the file of a variant, which is registered then.

    UnknownVariant and VariantsClash, also for rules that the core cannot play; FormatError for what is wrong in a file; OSError.
    """
    parts = [text] if os.path.isfile(text) else text.split("+")
    names = [read_variant(part.strip()).name if _is_file(part) else part for part in parts]
    rules = variant("+".join(names))
    for game in games_of(rules):
        core_rules(game)
    return rules


def use_files(game: str, net: Path | None) -> None:
    """Has the variant of a file known in this process, and a net play it. game: as for `chosen_rules`, "" for backgammon."""
    rules = chosen_rules(game or "backgammon") if game or net is not None else None
    if rules is not None and net is not None:
        from barpoint.engine import use_net

        use_net(rules, net)


def _is_file(text: str) -> bool:
    return text.strip().lower().endswith(SUFFIX)
