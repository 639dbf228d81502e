"""The command line. It needs the extra `cli`, and commands of the server need `server`; who lacks one is told which."""

from barpoint.cli.extras import missing


def main() -> None:
    """Runs the command line; the status is 1 where nothing can be run, because the extra `cli` is not installed."""
    try:
        from barpoint.cli.program import main as run
    except ModuleNotFoundError as error:
        raise SystemExit(f"barpoint: {missing(error)}") from None
    run()


__all__ = ["main"]
