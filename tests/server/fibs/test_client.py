"""A client program plays a whole match here.

BARPOINT_FIBS_CLIENT names another client: a command that takes HOST PORT NAME PASSWORD, logs in, joins whoever invites
it, and plays. The default is the scripted client of these tests.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.accounts import PASSWORD, serving
from tests.support.fibs_client import MATCH_OVER, Clip, clients, member
from tests.support.serving import Served

COMMAND = shlex.split(os.environ.get("BARPOINT_FIBS_CLIENT", "")) or [sys.executable, "-m", "tests.support.fibs_client"]
SECRET = PASSWORD.replace(" ", "_")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, fibs="0") as running:
        yield running


def test_an_external_client_plays_a_match_of_several_games(served: Served, tmp_path: Path) -> None:
    (anna,) = clients(served, "Anna")
    member(served, "visitor")
    first = Clip(served, "visitor")
    first.told("toggle ready", r"\*\* You're now ready .*")
    first.told(f"password {PASSWORD}:{SECRET}:{SECRET}", r"Password changed\.")
    first.send("bye")
    first.rest()
    anna.hear(r"8 visitor .*")
    output = tmp_path / "client.log"
    command = [*COMMAND, "127.0.0.1", str(served.app.state.fibs.port), "visitor", SECRET]
    with output.open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as client:
        try:
            anna.hear(r"7 visitor visitor logs in\.")
            anna.send("invite visitor 3")
            last = anna.play_on(MATCH_OVER)
        except BaseException:
            print(output.read_text(errors="replace")[-3000:])
            raise
        finally:
            client.terminate()
    assert "the 3 point match" in last
