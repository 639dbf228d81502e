"""`barpoint admin`: accounts and reports of a server, whether it runs or not."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from barpoint.cli.database import DATABASE_VARIABLE, DatabaseOption
from barpoint.cli.output_file import check_writable
from barpoint.error import StoreError
from barpoint.language import N_

if TYPE_CHECKING:
    from barpoint.server.live.administration import Admin

Name = Annotated[str, typer.Argument(help="Name of the account, in any spelling.")]


def _admin(database: str) -> Admin:
    """The administrator of a database that exists; StoreError for an SQLite file that does not."""
    from barpoint.server.domain.settings import default_database
    from barpoint.server.live.administration import Admin
    from barpoint.server.storage.database import parse_address

    address = database or default_database()
    url = parse_address(address)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise StoreError(
            "no such database: %(file)s; name the one of the server by --database or %(variable)s",
            file=url.database,
            variable=DATABASE_VARIABLE,
        )
    return Admin(address, time.time_ns() // 1_000_000)


def _printable(text: str) -> str:
    """What people have written, in one line and without what a terminal would obey."""
    return "".join(character if character.isprintable() else " " for character in text)


def list_accounts(database: DatabaseOption = "") -> None:
    """List every account: name, date of creation, status."""
    from barpoint.server.domain.dates import iso_day
    from barpoint.server.live.administration import status

    for account in asyncio.run(_admin(database).accounts()):
        typer.echo("\t".join(filter(None, (account.name, iso_day(account.created_at), _printable(status(account))))))


def kick(name: Name, database: DatabaseOption = "") -> None:
    """Log somebody out everywhere; they may log in again."""
    asyncio.run(_admin(database).kick(name))
    typer.echo(f"{name} is logged out everywhere.")


def ban(
    name: Name,
    reason: Annotated[str, typer.Option(help="Shown to them when they log in.")] = "",
    database: DatabaseOption = "",
) -> None:
    """Ban an account: its owner can no longer log in, and leaves tournaments and ladders."""
    asyncio.run(_admin(database).ban(name, reason))
    typer.echo(f"{name} is banned.")


def unban(name: Name, database: DatabaseOption = "") -> None:
    """Open a banned account again."""
    asyncio.run(_admin(database).unban(name))
    typer.echo(f"{name} may log in again.")


def reset_password(name: Name, database: DatabaseOption = "") -> None:
    """Give an account a new password, and print it."""
    typer.echo(asyncio.run(_admin(database).reset_password(name)))


def administrator(
    name: Name,
    no_longer: Annotated[bool, typer.Option("--no-longer", help="Take the right away.")] = False,
    database: DatabaseOption = "",
) -> None:
    """Make somebody an administrator."""
    asyncio.run(_admin(database).make_administrator(name, not no_longer))
    typer.echo(f"{name} is {'no longer ' if no_longer else ''}an administrator.")


def delete(
    name: Name, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False, database: DatabaseOption = ""
) -> None:
    """Delete an account for good; its matches stay, without its name."""
    if not yes:
        typer.confirm(f"Delete {name} for good?", abort=True)
    asyncio.run(_admin(database).delete(name))
    typer.echo(f"{name} is deleted.")


def rename(
    name: Name,
    to: Annotated[str, typer.Argument(help="The new name; the old one is free then.")],
    database: DatabaseOption = "",
) -> None:
    """Give an account another name, also in its matches."""
    typer.echo(f"{name} is now called {asyncio.run(_admin(database).rename(name, to))}.")


def export(
    name: Name,
    file: Annotated[Path, typer.Argument(help="The ZIP file to write, which must not exist; - for the output.")],
    database: DatabaseOption = "",
) -> None:
    """Write all data of a person to a ZIP file of JSON, as they can download it themselves."""
    from barpoint.server.storage.database import PRIVATE

    if str(file) == "-":
        sys.stdout.buffer.write(asyncio.run(_admin(database).export(name)))
        return
    if os.path.lexists(file):
        raise StoreError("there is a file already: %(file)s", file=file)
    check_writable(file)
    packed = asyncio.run(_admin(database).export(name))
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as written:
        written.write(packed)
    typer.echo(f"The data of {name} are in {file}.")


def reports(
    close: Annotated[int | None, typer.Option(help="Number of a report to close.", min=1)] = None,
    database: DatabaseOption = "",
) -> None:
    """List the open reports of players."""
    from barpoint.server.domain.dates import iso_day

    admin = _admin(database)
    if close is not None:
        asyncio.run(admin.close_report(close))
        typer.echo(f"Report {close} is closed.")
        return
    for one in asyncio.run(admin.reports()):
        where = f" (match {one.match_id})" if one.match_id else ""
        typer.echo(f"{one.id}\t{iso_day(one.at)}\t{one.by} about {one.about}{where}: {_printable(one.text)}")


def check(database: DatabaseOption = "") -> None:
    """Recompute ratings, play money and matches from the logs, and list the differences."""
    found = asyncio.run(_admin(database).differences())
    for line in found or ["Everything agrees with the logs of the matches."]:
        typer.echo(line)
    if found:
        raise typer.Exit(1)


def void(match: Annotated[str, typer.Argument(help="Id of the match.")], database: DatabaseOption = "") -> None:
    """Void a match: it has no winner, entry fees are returned, and nothing is rated."""
    asyncio.run(_admin(database).void(match))
    typer.echo(f"Match {match} is voided.")


def grant(name: Name, tickets: Annotated[int, typer.Argument(min=1)], database: DatabaseOption = "") -> None:
    """Give somebody play money."""
    asyncio.run(_admin(database).grant(name, tickets))
    typer.echo(f"{name} has been given {tickets} tickets.")


def log(
    most: Annotated[int, typer.Option(help="How many acts to list.", min=1)] = 100, database: DatabaseOption = ""
) -> None:
    """List what administrators have done, here and in the browser, the latest first; times are UTC."""
    from barpoint.server.domain.dates import iso_minute

    for one in asyncio.run(_admin(database).acts(most)):
        said = f"{one.act} {one.about}{f' ({one.note})' if one.note else ''}"
        typer.echo(f"{iso_minute(one.at)}\t{one.by or 'command line'}\t{_printable(said)}")


def copy(
    target: Annotated[str, typer.Argument(help="Address of an empty database, or of a file that does not exist yet.")],
    database: DatabaseOption = "",
) -> None:
    """Copy everything into another database, also of the other kind: backup, restore, moving."""
    from barpoint.server.domain.settings import default_database
    from barpoint.server.storage.database_copy import copy_database

    typer.echo(f"{copy_database(database or default_database(), target)} rows are copied.")


def test_mail(to: Annotated[str, typer.Argument(help="Address of mail to send it to.")]) -> None:
    """Send a mail by BARPOINT_MAIL, and say what the mail server answers."""
    from barpoint.server.live.mail import send_test_mail

    typer.echo(send_test_mail(os.environ.get("BARPOINT_MAIL", ""), to))


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.callback(no_args_is_help=True, help=N_("Accounts and reports of a server, whether it runs or not."))(
        lambda: None
    )
    app.command("list")(list_accounts)
    app.command("kick")(kick)
    app.command("ban")(ban)
    app.command("unban")(unban)
    app.command("reset-password")(reset_password)
    app.command("administrator")(administrator)
    app.command("rename")(rename)
    app.command("export")(export)
    app.command("delete")(delete)
    app.command("reports")(reports)
    app.command("check")(check)
    app.command("void")(void)
    app.command("grant")(grant)
    app.command("log")(log)
    app.command("copy")(copy)
    app.command("test-mail")(test_mail)
