"""`barpoint admin` on the database of a server that runs, and of one that is stopped."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, select, update

from barpoint.cli import main
from barpoint.server.domain.seat_names import FORMER
from barpoint.server.storage.chat import put_report
from barpoint.server.storage.database import close, open_database
from barpoint.server.storage.schema.results import BALANCE
from tests.support.accounts import PASSWORD, hasten, known_as, login, register, serving
from tests.support.serving import Served, serve


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as running:
        yield running


def admin(folder: Path, *arguments: str, status: int = 0) -> str:
    """What the command says, in this process: starting another one takes longer than all the rest."""
    database = f"sqlite:///{folder / 'served.sqlite3'}"
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
        patch.setattr(sys, "argv", ["barpoint", "admin", *arguments, "--database", database])
        with pytest.raises(SystemExit) as left:
            main()
    assert (left.value.code or 0) == status, said.getvalue()
    return said.getvalue()


def test_the_database_is_said_by_the_environment_as_for_serve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BARPOINT_DATABASE", f"sqlite:///{tmp_path / 'elsewhere.sqlite3'}")
    for arguments in (("list",), ("copy", f"sqlite:///{tmp_path / 'copy.sqlite3'}")):
        monkeypatch.setattr(sys, "argv", ["barpoint", "admin", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 2
        assert "elsewhere.sqlite3" in capsys.readouterr().err
    assert "no such database" in admin(tmp_path, "list", status=2), "the option counts before the environment"


def test_a_number_that_is_not_allowed_is_refused_as_one(served: Served, tmp_path: Path) -> None:
    with httpx.Client(base_url=served.address) as anna:
        register(anna, "Anna")
    for tickets in ("-5", "-15", "0"):
        assert "'tickets': allowed is 1 at least" in admin(tmp_path, "grant", "Anna", tickets, status=2)
    assert "No such option: -x" in admin(tmp_path, "grant", "Anna", "-x", status=2)
    assert "'--close': allowed is 1 at least" in admin(tmp_path, "reports", "--close", "0", status=2)


def test_a_mail_is_tried_without_a_database(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for mail, said in (
        ("", "no address of a mail server with a sender; allowed: BARPOINT_MAIL=smtp://"),
        ("smtp://127.0.0.1:9?from=club@example.org", "the mail server 127.0.0.1:9 took no mail: Connection refused"),
    ):
        monkeypatch.setenv("BARPOINT_MAIL", mail)
        monkeypatch.setattr(sys, "argv", ["barpoint", "admin", "test-mail", "me@example.org"])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 2
        assert said in capsys.readouterr().err


def test_everything_an_administrator_does_reaches_a_running_server(served: Served, tmp_path: Path) -> None:
    with httpx.Client(base_url=served.address) as anna, httpx.Client(base_url=served.address) as ben:
        register(anna, "Anna")
        register(ben, "Ben")
        assert [line.split("\t")[0] for line in admin(tmp_path, "list").splitlines()] == ["Anna", "Ben"]

        admin(tmp_path, "kick", "anna")
        assert known_as(anna) is None
        assert login(anna, "Anna").status_code == 303

        admin(tmp_path, "ban", "Ben", "--reason", "He\x1b[2J\nshouts")
        assert "banned: He [2J shouts\n" in admin(tmp_path, "list")
        assert "ban Ben (He [2J shouts)\n" in admin(tmp_path, "log")
        admin(tmp_path, "unban", "Ben")

        admin(tmp_path, "ban", "ANNA", "--reason", "<b>rude</b>")
        assert known_as(anna) is None
        answer = login(anna, "Anna")
        assert answer.status_code == 403
        assert "closed by an administrator: &lt;b&gt;rude&lt;/b&gt;" in answer.text
        assert "banned: <b>rude</b>" in admin(tmp_path, "list")
        admin(tmp_path, "unban", "Anna")
        assert login(anna, "Anna").status_code == 303

        password = admin(tmp_path, "reset-password", "Anna").strip()
        assert known_as(anna) is None
        assert login(anna, "Anna", PASSWORD).status_code == 403
        assert login(anna, "Anna", password).status_code == 303

        admin(tmp_path, "administrator", "Anna")
        assert "Administrator of this server" in anna.get("/account").text
        admin(tmp_path, "administrator", "Anna", "--no-longer")
        assert "Administrator of this server" not in anna.get("/account").text

        ids = [account_id(served, name) for name in ("Ben", "Anna")]
        served.call(served.services.store.write(lambda c: put_report(c, *ids, None, "He\x1b[2J\nshouts", 0)))
        said = admin(tmp_path, "reports")
        assert "Ben about Anna: He [2J shouts" in said
        admin(tmp_path, "reports", "--close", said.split("\t")[0])
        assert admin(tmp_path, "reports") == ""

        admin(tmp_path, "delete", "Anna", "--yes")
        assert known_as(anna) is None
        assert "Anna" not in admin(tmp_path, "list")
        assert login(anna, "Anna", password).status_code == 403
        assert FORMER not in admin(tmp_path, "list")


def test_an_account_is_renamed_and_its_data_are_exported(served: Served, tmp_path: Path) -> None:
    with httpx.Client(base_url=served.address) as anna:
        register(anna, "Anna")
        assert admin(tmp_path, "rename", "anna", "Zoe") == "anna is now called Zoe.\n"
        assert known_as(anna) == "Zoe", "the session goes on"
        assert login(anna, "Anna").status_code == 403
        assert login(anna, "Zoe").status_code == 303
        file = tmp_path / "zoe.zip"
        assert admin(tmp_path, "export", "zoe", str(file)) == f"The data of zoe are in {file}.\n"
        assert file.stat().st_mode & 0o777 == 0o600
        assert '"Zoe"' in zipfile.ZipFile(file).read("account.json").decode()
        assert "there is a file already" in admin(tmp_path, "export", "zoe", str(file), status=2)
        assert "no account is called" in admin(tmp_path, "export", "anna", str(tmp_path / "anna.zip"), status=2)
        assert not (tmp_path / "anna.zip").exists()
        assert all(re.match(r"20\d\d-\d\d-\d\d \d\d:\d\d\t", line) for line in admin(tmp_path, "log").splitlines())
        assert [line.split("\t")[2] for line in admin(tmp_path, "log").splitlines()] == [
            "export Zoe",
            "rename Anna (Zoe)",
        ]


def account_id(served: Served, name: str) -> str:
    from barpoint.server.storage.accounts import find_account

    found = served.call(served.services.store.read(lambda c: find_account(c, name)))
    assert found is not None
    return found.id


@pytest.mark.parametrize(
    "command", [["kick", "Nobody"], ["ban", "x' OR 1=1 --"], ["delete", "Nobody", "--yes"], ["reports", "--close", "7"]]
)
def test_what_is_not_there_is_said_on_the_database_of_a_stopped_server(tmp_path: Path, command: list[str]) -> None:
    close(*open_database(f"sqlite:///{tmp_path / 'served.sqlite3'}"))
    said = admin(tmp_path, *command, status=2)
    assert "`barpoint admin" in said
    assert "no such database" not in said


@pytest.mark.parametrize("command", [["list"], ["check"], ["ban", "Anna"], ["reports"]])
def test_a_database_that_does_not_exist_is_refused_and_not_made(tmp_path: Path, command: list[str]) -> None:
    said = admin(tmp_path, *command, status=2)
    assert f"no such database: {tmp_path / 'served.sqlite3'}" in said
    assert not list(tmp_path.iterdir())


def test_an_administrator_checks_the_books_voids_a_match_and_gives_tickets(served: Served, tmp_path: Path) -> None:
    with httpx.Client(base_url=served.address) as anna:
        register(anna, "Anna")
        assert admin(tmp_path, "grant", "anna", "500") == "anna has been given 500 tickets.\n"
        where = anna.post("/match", data={"opponent": "bot", "level": "easy", "length": "3"}).headers["location"]
        match_id = where.rpartition("/")[2]
        served.call(served.services.adjournments.commit_to_seed(match_id, 0, None))
        assert admin(tmp_path, "void", match_id) == f"Match {match_id} is voided.\n"
        assert "is over" in admin(tmp_path, "void", match_id, status=2)
        assert "no match" in admin(tmp_path, "void", "nosuchmatch", status=2)
        done = [line.split("\t")[1:] for line in admin(tmp_path, "log").splitlines()]
        assert done == [["command line", f"void {match_id}"], ["command line", "grant Anna (500)"]]
        assert admin(tmp_path, "check") == "Everything agrees with the logs of the matches.\n"
    engine = create_engine(f"sqlite:///{tmp_path / 'served.sqlite3'}")
    with engine.begin() as connection:
        assert connection.scalar(select(BALANCE.c.amount).where(BALANCE.c.account.like("user:%"))) == 500
        connection.execute(update(BALANCE).values(amount=7))
    engine.dispose()
    assert "the balance is 7" in admin(tmp_path, "check", status=1)


def test_everything_is_copied_while_the_server_runs_and_people_log_in_on_the_copy(
    served: Served, tmp_path: Path
) -> None:
    with httpx.Client(base_url=served.address) as anna:
        register(anna, "Anna")
        copy = tmp_path / "copy.sqlite3"
        assert "rows are copied" in admin(tmp_path, "copy", f"sqlite:///{copy}")
        assert "holds tables already" in admin(tmp_path, "copy", f"sqlite:///{copy}", status=2)
        other = hasten(serve(tmp_path, database=f"sqlite:///{copy}"))
        try:
            with httpx.Client(base_url=other.address, cookies=anna.cookies) as moved:
                assert known_as(moved) == "Anna", "the session is one of the copy too"
                assert login(moved, "Anna").status_code == 303
        finally:
            other.stop()
