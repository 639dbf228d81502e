"""The `barpoint serve` command: prints its URL, finds a free port, gives clear errors, and stops when told to."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from barpoint.error import FormatError
from barpoint.server.command import PORTS_TRIED, check_public_address, has_screen, listen, warn_about
from barpoint.server.domain.settings import Settings, default_database
from tests.support.machine import PATIENCE_S, held_port

COMMAND = [sys.executable, "-c", "from barpoint.cli import main; main()", "serve"]


@contextmanager
def started(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A running command and the URL it prints."""
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert "Barpoint is served at http://" in line, process.stderr.read() if process.stderr else ""
            yield process, line.split()[4]
        finally:
            process.kill()


def test_the_command_says_where_it_serves_and_stops_when_interrupted(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'served.sqlite3'}"
    with started("--port", "0", "--database", database) as (process, address):
        assert httpx.get(f"{address}healthz").json() == {"status": "ok"}
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) in (0, -signal.SIGINT, 130)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def read_to_the_end(link: ClientConnection) -> None:
    while True:
        link.recv(timeout=PATIENCE_S)


def test_connections_are_told_that_the_server_goes(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'served.sqlite3'}"
    with started("--port", "0", "--database", database, "--bot-delay-ms", "0") as (process, address):
        made = httpx.post(f"{address}match", data={"length": "1"})
        where = address.replace("http", "ws") + "ws" + made.headers["location"]
        with connect(where) as link:
            link.send('{"do":"join","protocol":2}')
            assert '"say":"state"' in str(link.recv(timeout=PATIENCE_S))
            process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                read_to_the_end(link)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        process.wait(PATIENCE_S)


def test_a_port_that_is_taken_is_stepped_over(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with listen("127.0.0.1", port, PORTS_TRIED) as free:
            assert port < free.getsockname()[1] < port + PORTS_TRIED


def test_a_port_that_was_asked_for_is_that_or_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"):
            listen("127.0.0.1", port)


def test_what_is_set_without_effect_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("BARPOINT_DATABSE", "sqlite:///club.sqlite3")
    monkeypatch.setenv("BARPOINT_MAIL", "smtp://host?from=club@example.org")
    warn_about(Settings("sqlite:///club.sqlite3", mail="smtp://host?from=club@example.org"))
    assert "BARPOINT_DATABSE has no effect; known: BARPOINT_DATABASE, " in caplog.text
    assert "BARPOINT_MAIL is set and --address is not" in caplog.text
    caplog.clear()
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "proxy")
    monkeypatch.setenv("BARPOINT_GNUBG", "/no/such/gnubg")
    warn_about(Settings("sqlite:///club.sqlite3"))
    assert "BARPOINT_GNUBG: there is no program '/no/such/gnubg'; no gnubg is seated" in caplog.text
    assert "FORWARDED_ALLOW_IPS: 'proxy' has no effect; allowed: addresses" in caplog.text
    caplog.clear()
    monkeypatch.delenv("BARPOINT_DATABSE")
    warn_about(Settings("sqlite:///club.sqlite3", mail="smtp://host", address="https://play.example.org"))
    assert "BARPOINT_MAIL" not in [record.args[0] for record in caplog.records if record.args]
    assert "--address" not in caplog.text


def test_programs_that_the_server_starts_do_not_hold_its_port() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert not listener.get_inheritable()


def test_an_address_that_is_not_ours_is_refused() -> None:
    with pytest.raises(OSError, match=r"cannot listen on 192\.0\.2\.1"):
        listen("192.0.2.1", 8000)


@pytest.mark.parametrize("database", ["nothing", "sqlite:////no/such/folder/file", "oracle://x"])
def test_a_database_that_cannot_be_had_is_refused_in_words(database: str) -> None:
    done = subprocess.run(
        [*COMMAND, "--port", "0", "--database", database], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "sqlite:///" in done.stderr or "no such folder" in done.stderr


@pytest.mark.parametrize(
    "address",
    [
        "play.example.org",
        "ftp://play.example.org",
        "https://",
        "https://host:port",
        "https://me:secret@play.example.org",
        "https://play example.org",
        "https://play.example.org/games",
        "https://play.example.org:99999",
    ],
)
def test_a_public_address_is_a_host_alone(address: str) -> None:
    with pytest.raises(FormatError, match="allowed: http:// or https:// and a host, without a path") as refused:
        check_public_address(address)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "address", ["", "https://play.example.org", "http://[::1]:8000/", "http://192.0.2.1:80", "https://bücher.example"]
)
def test_a_public_address_may_have_a_port(address: str) -> None:
    check_public_address(address)


def test_one_port_is_not_for_pages_and_for_fibs_clients(tmp_path: Path) -> None:
    with held_port() as port:
        command = [
            *COMMAND,
            "--port",
            str(port),
            "--fibs",
            str(port),
            "--database",
            f"sqlite:///{tmp_path / 'a.sqlite3'}",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 2
        assert "for FIBS clients: Address already in use" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["serve", "worker"])
def test_an_instruction_set_that_this_machine_lacks_is_refused_at_the_start(command: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND[:-1], command, "--database", f"sqlite:///{tmp_path / 'club.sqlite3'}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, "BARPOINT_ISA": "avx9"},
    )
    assert done.returncode == 2
    assert "BARPOINT_ISA is avx9; this machine runs baseline" in done.stderr


def test_the_default_database_lies_in_a_folder_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_database() == f"sqlite:///{tmp_path}/barpoint/barpoint.sqlite3"
    assert (tmp_path / "barpoint").is_dir()


def test_no_browser_takes_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_screen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert has_screen()


def test_a_port_for_fibs_clients_that_cannot_be_had_is_refused_in_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for where in (f"127.0.0.1:{taken.getsockname()[1]}", "everywhere"):
            database = f"sqlite:///{tmp_path / 'served.sqlite3'}"
            command = [*COMMAND, "--port", "0", "--database", database, "--fibs", where]
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            assert done.returncode != 0
            assert ("for FIBS clients: Address already in use" in done.stderr) or ("PORT or HOST:PORT" in done.stderr)
            assert "Traceback" not in done.stderr


def test_a_free_port_for_fibs_clients_is_named_as_it_was_chosen(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'served.sqlite3'}"
    with started("--port", "0", "--database", database, "--fibs", "0") as (process, _):
        assert process.stdout is not None
        *_, host, port = process.stdout.readline().split()
        with socket.create_connection((host, int(port)), PATIENCE_S) as client:
            assert b"Barpoint" in client.recv(4096)
            process.send_signal(signal.SIGINT)
            while client.recv(4096):
                pass


def test_the_command_serves_fibs_clients_where_it_is_told_to(tmp_path: Path) -> None:
    with held_port() as port:
        database = f"sqlite:///{tmp_path / 'served.sqlite3'}"
        with started("--port", "0", "--database", database, "--fibs", str(port)) as (process, _):
            assert process.stdout is not None
            assert process.stdout.readline().split() == ["FIBS", "clients:", "telnet", "to", "127.0.0.1", str(port)]
            with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as client:
                assert b"Barpoint" in client.recv(4096)
                process.send_signal(signal.SIGINT)
                while client.recv(4096):
                    pass
