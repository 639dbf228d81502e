"""The help of a command in the language that holds: its own texts, and the words that typer puts around them."""

from __future__ import annotations

from copy import copy
from typing import Any

from typer.core import TyperCommand

from barpoint.language import N_, _

_FRAME = {
    "DEFAULT_STRING": N_("[default: {}]"),
    "REQUIRED_LONG_STRING": N_("[required]"),
    "ARGUMENTS_PANEL_TITLE": N_("Arguments"),
    "OPTIONS_PANEL_TITLE": N_("Options"),
    "COMMANDS_PANEL_TITLE": N_("Commands"),
    "ERRORS_PANEL_TITLE": N_("Error"),
    "RICH_HELP": N_("Try [blue]'{command_path} {help_option}'[/] for help."),
}
"""Texts of typer.rich_utils, by their names there."""


class Command(TyperCommand):
    """A command whose usage and help are in the language that holds."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        write_usage(self, ctx, formatter)

    def get_help_option(self, ctx: Any) -> Any:
        return in_words(super().get_help_option(ctx))


def write_usage(command: Any, ctx: Any, formatter: Any) -> None:
    """Writes the usage, which typer asks for first both in help and in errors; so its own words are translated here."""
    from typer import rich_utils

    for name, text in _FRAME.items():
        setattr(rich_utils, name, _(text))
    formatter.write_usage(ctx.command_path, " ".join(command.collect_usage_pieces(ctx)), prefix=_("Usage: "))


def in_words(option: Any) -> Any:
    """The option --help with its text."""
    if option is not None:
        option.help = _("Show this message and exit.")
    return option


def translated(command: Any) -> Any:
    """The same command with its texts, and those of its parameters, in the language that holds."""
    found, said = copy(command), command.help or ""
    found.help = _(said)
    found.options_metavar = _("[OPTIONS]")
    if hasattr(found, "subcommand_metavar"):
        found.subcommand_metavar = _("COMMAND [ARGS]...")
    found.params = [_translated(param) for param in command.params]
    return found


def _translated(param: Any) -> Any:
    found, said = copy(param), param.help or ""
    found.help = _(said)
    found.metavar = param.metavar and _(param.metavar)
    return found
