"""The help of a command in the language that holds: its own texts, and the words that typer puts around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, Final

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


_ERRORS: Final = (
    (r"No such option: (?P<name>\S+) \(Possible options: (?P<names>.+)\)", N_("No such option: %(name)s (possible: %(names)s)")),
    (r"No such option: (?P<name>\S+)", N_("No such option: %(name)s")),
    (r"No such command '(?P<name>.+)'\. Did you mean (?P<names>.+)\?", N_("No such command: %(name)s (possible: %(names)s)")),
    (r"No such command '(?P<name>.+)'\.", N_("No such command: %(name)s")),
    (r"Missing argument '(?P<name>.+)'\.", N_("Missing argument: %(name)s")),
    (r"Missing option '(?P<name>.+)'\.", N_("Missing option: %(name)s")),
    (r"Option '(?P<name>.+)' requires an argument\.", N_("The option %(name)s needs a value")),
    (r"Option '(?P<name>.+)' requires (?P<count>\d+) arguments\.", N_("The option %(name)s needs %(count)s values")),
    (r"Option '(?P<name>.+)' does not take a value\.", N_("The option %(name)s takes no value")),
    (r"Got unexpected extra argument(?:s|\(s\))? \((?P<names>.+)\)", N_("Too many arguments: %(names)s")),
    (r"Invalid value for (?P<name>.+?): .*valid integer.*", N_("%(name)s: not a whole number")),
    (r"Invalid value for (?P<name>.+?): .*valid number.*", N_("%(name)s: not a number")),
    (r"Invalid value for (?P<name>.+?): .*less than or equal to (?P<limit>\S+)", N_("%(name)s: allowed is %(limit)s at most")),
    (r"Invalid value for (?P<name>.+?): .*greater than or equal to (?P<limit>\S+)", N_("%(name)s: allowed is %(limit)s at least")),
    (r"Invalid value for (?P<name>.+?): (?P<value>\S+) is not in the range (?P<range>.+?)\.", N_("%(name)s: %(value)s; allowed: %(range)s")),
)  # fmt: skip
"""Errors about arguments, as typer words them, and as they are said. Others stay as they are."""


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Lets what is wrong with the arguments be said in the language that holds."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):  # typer's errors, which are of its own copy of click or of click itself
            told = error_text(error.format_message())
            error.format_message = lambda: told
        raise


def error_text(message: str) -> str:
    """What typer says about wrong arguments, in the language that holds."""
    for pattern, text in _ERRORS:
        if found := re.fullmatch(pattern, message, re.DOTALL):
            return _(text, **found.groupdict())
    return message


class Command(TyperCommand):
    """A command whose usage, help and errors are in the language that holds."""

    def make_context(self, *args: Any, **settings: Any) -> Any:
        with errors_in_words():
            return super().make_context(*args, **settings)

    def parse_args(self, ctx: Any, args: Any) -> Any:
        try:
            return self._parsed(ctx, args)
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:  # typer shows the usage only of an error that names its command
                vars(error).update(ctx=ctx, cmd=self)
            raise

    def _parsed(self, ctx: Any, args: Any) -> Any:
        """Reads the arguments; a negative number among them is a value, which may be refused, and no option."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if not re.fullmatch(r"-\d", getattr(error, "option_name", "")):
                raise
            ctx.ignore_unknown_options = True
            return super().parse_args(ctx, given)

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
