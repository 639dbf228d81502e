"""A real PostgreSQL and a real Redis, started on first use and removed after the test run."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

import psycopg
import redis

from tests.support.machine import PATIENCE_S, held_port

ROOT = Path(__file__).parents[2]


@cache
def programs() -> tuple[Path, Path]:
    """The folder of PostgreSQL's programs, and the Redis server; says what to install when one is missing."""
    asked = subprocess.run([ROOT / "tools" / "find_servers"], capture_output=True, text=True)
    assert asked.returncode == 0, asked.stderr
    folder, server = asked.stdout.split()
    return Path(folder), Path(server)


def wait_for(ready: object) -> None:
    """Calls until it stops raising."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return ready()  # type: ignore[operator, no-any-return]
        except (psycopg.OperationalError, redis.RedisError):
            assert time.monotonic() < end, "the server answers"
            time.sleep(0.02)


@dataclass
class Postgres:
    """A PostgreSQL cluster in a temporary folder, reached by a socket there, removed after the run.

    As root it runs as another user, because PostgreSQL refuses root.
    """

    folder: Path
    durable: bool = False
    process: subprocess.Popen[bytes] | None = None
    made: set[str] = field(default_factory=set)

    @classmethod
    def start_new(cls, durable: bool = False) -> Postgres:
        """A new cluster. durable: it waits for the disk, as in production."""
        folder = Path(tempfile.mkdtemp(prefix="barpoint-postgres-"))
        if os.geteuid() == 0:
            shutil.chown(folder, user(), None)
        made = cls(folder, durable)
        initdb = [programs()[0] / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        made._run([*initdb, "--locale=C", "--no-sync", "--no-instructions"])
        atexit.register(made.remove)
        made.start()
        return made

    def start(self) -> None:
        """Starts it, also after `stop` or `kill`."""
        options = {
            "listen_addresses": "",
            "unix_socket_directories": self.folder,
            "fsync": "on" if self.durable else "off",
            "full_page_writes": "on" if self.durable else "off",
            "shared_buffers": "16MB",
            "max_connections": "60",
            "autovacuum": "off",
        }
        command = [programs()[0] / "postgres", "-D", self.folder / "data"]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stderr=log, stdout=log, **other_user())
        wait_for(lambda: self.execute("SELECT 1"))

    def stop(self) -> None:
        """Stops it at once, like a power cut; it recovers at the next start."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait(PATIENCE_S)
            self.process = None

    def remove(self) -> None:
        """Stops it and deletes its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def execute(self, statement: str) -> None:
        """Runs a statement outside the tests' databases."""
        with psycopg.connect(host=str(self.folder), user="postgres", dbname="postgres", autocommit=True) as connection:
            connection.execute(statement.encode())

    def address(self, name: str) -> str:
        """The URL of a database of that name, created on first use."""
        if name not in self.made:
            self.execute(f'CREATE DATABASE "{name}"')
            self.made.add(name)
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def _run(self, command: list[object]) -> None:
        done = subprocess.run([str(part) for part in command], cwd=self.folder, capture_output=True, **other_user())
        assert done.returncode == 0, done.stderr.decode()


@dataclass
class Redis:
    """A Redis on a free port, which it keeps over restarts."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @classmethod
    def start_new(cls) -> Redis:
        held = ExitStack()
        made = cls(Path(tempfile.mkdtemp(prefix="barpoint-redis-")), held.enter_context(held_port()))
        atexit.register(held.close)
        atexit.register(made.remove)
        made.start()
        return made

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Starts it, also after `stop`."""
        command = [programs()[1], "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder]
        self.process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        with redis.Redis(port=self.port) as client:
            wait_for(client.ping)

    def stop(self) -> None:
        """Kills it."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE_S)
            self.process = None

    def remove(self) -> None:
        """Stops it and deletes its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def postgres() -> Postgres:
    """The PostgreSQL of this test run."""
    return Postgres.start_new()


@cache
def redis_server() -> Redis:
    """The Redis of this test run."""
    return Redis.start_new()


@dataclass
class Backend:
    """The database that a test runs on."""

    name: str = "sqlite"


BACKEND = Backend()
"""Set by the fixture `each_database` (conftest.py) for modules whose tests run on every database."""


def address(folder: Path, name: str = "test") -> str:
    """The URL of a test folder's database, the same for every call."""
    if BACKEND.name == "sqlite":
        return f"sqlite:///{folder / name}.sqlite3"
    return postgres().address(f"t{sha256(str(folder / name).encode()).hexdigest()[:20]}")


def user() -> str:
    """The user that runs PostgreSQL when we are root."""
    import pwd

    return next((header.pw_name for header in pwd.getpwall() if header.pw_name == "postgres"), "nobody")


def other_user() -> dict[str, object]:
    """Options that let a subprocess run as a user other than root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    header = pwd.getpwnam(user())
    return {"user": header.pw_uid, "group": header.pw_gid, "extra_groups": []}
