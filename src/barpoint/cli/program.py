"""The command `barpoint`: finds the command, and shows errors without a traceback."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import partial
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from barpoint.cli.extras import missing
from barpoint.cli.help import Command, errors_in_words, in_words, translated, write_usage
from barpoint.error import BarpointError
from barpoint.language import N_, SOURCE, environment_language, gettext, in_language

COMMANDS: Final = (
    "play", "serve", "worker", "engine", "variants", "eval", "rollout", "analyse", "stats", "convert", "verify-dice", "schema", "build", "train", "admin",
)  # fmt: skip
"""In the order of the help. The module of the same name (_ for -), loaded only when it is needed, has a function `register`."""

ENGLISH: Final = ("serve", "worker", "engine", "schema", "build", "train", "admin")
"""Commands whose output is for programs and logs."""

COMPLETION: Final = "_BARPOINT_COMPLETE"
"""The environment variable by which a shell asks for its script, or how a line goes on."""

GAMES: Final = "BARPOINT_GAMES"
"""The environment variable of a folder with games of one's own, which every command knows then."""

STRICT: Final = "serve"
"""The command that reads that folder by an option of its own, and does not start where a file in it is wrong."""

_ANYTHING: Final[dict[str, Any]] = {"ignore_unknown_options": True, "allow_extra_args": True}
_REFUSED = 2
_BROKEN = 70
_STOPPED = 130


def _cannot_run(why: str) -> None:
    """Stands for a command that lacks what it needs."""
    _leave(why, _REFUSED)


def _module(name: str) -> str:
    return f"barpoint.cli.{name.replace('-', '_')}"


class _Commands(TyperGroup):
    """Loads a command's module when it is needed, so that commands start quickly."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name in COMMANDS if importlib.util.find_spec(_module(name))]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.list_commands(ctx):
            return None
        one = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        try:
            importlib.import_module(_module(cmd_name)).register(one)
        except ModuleNotFoundError as error:
            one.command(help=missing(error), context_settings=_ANYTHING)(partial(_cannot_run, missing(error)))
        for each in one.registered_commands:
            each.cls = Command
        command = translated(typer.main.get_command(one))
        command.name = cmd_name
        return command

    def make_context(self, *args: Any, **settings: Any) -> Any:
        with errors_in_words():
            return super().make_context(*args, **settings)

    def resolve_command(self, ctx: Any, args: Any) -> Any:
        self.commands: dict[str, Any] = dict.fromkeys(self.list_commands(ctx))  # whose names typer suggests
        with errors_in_words():
            return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        TyperGroup.format_help(translated(self), ctx, formatter)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        write_usage(translated(self), ctx, formatter)

    def get_help_option(self, ctx: Any) -> Any:
        return in_words(super().get_help_option(ctx))


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help=N_("Backgammon and its family: play, serve, evaluate."),
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"barpoint {version('barpoint')}")
        raise typer.Exit


@app.callback()
def _root(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help=N_("Show the version."))
    ] = False,
) -> None:
    folder = os.environ.get(GAMES)
    if folder and ctx.invoked_subcommand not in (None, STRICT) and "--help" not in sys.argv:
        from barpoint.own_games import use_what_is_right

        for refused in use_what_is_right(folder)[1]:
            print(f"barpoint: {refused.translated()}", file=sys.stderr)


def main() -> None:
    """Runs the command line in the language of the terminal; the status is 2 for a refusal, 130 when stopped, 70 for our fault."""
    if COMPLETION in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]  # typer re-exports it without saying so

        completion_init()
    english = sys.argv[1:2] and sys.argv[1] in ENGLISH
    with in_language(SOURCE if english else environment_language(os.environ)):
        _run()


def _run() -> None:
    try:
        app(prog_name="barpoint")
    except BarpointError as error:
        _leave(error.translated() + _hint(error), _REFUSED)
    except KeyboardInterrupt:
        _leave(gettext("stopped"), _STOPPED)
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # as in `| head`, for which click has the status of a failure
            raise SystemExit(0) from None
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the interpreter complains when it flushes
        raise SystemExit(0) from None
    except ModuleNotFoundError as error:
        _leave(missing(error), _REFUSED)
    except OSError as error:
        _leave(f"{error.filename}: {error.strerror}" if error.filename else str(error), _REFUSED)
    except Exception as error:
        if os.environ.get("BARPOINT_TRACEBACK"):
            raise
        _leave(
            gettext(
                "an error in this program, not in your input: %(error)s\n"
                "Set BARPOINT_TRACEBACK=1 to see where, and please report it.",
                error=f"{type(error).__name__}: {error}",
            ),
            _BROKEN,
        )


def _hint(error: BarpointError) -> str:
    """What helps where a name stands for no variant, such as in a match of a variant of one's own."""
    from barpoint.variants import NO_VARIANT

    said = (error.text, *(getattr(value, "text", "") for value in error.values.values()))
    if NO_VARIANT not in said:
        return ""
    return "\n" + gettext("A variant of your own is known by its file: --variant FILE.toml")


def _leave(message: str, status: int) -> None:
    print(f"barpoint: {message}", file=sys.stderr)
    raise SystemExit(status)
