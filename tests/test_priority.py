import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from barpoint.priority import lower_priority
from tests.support.machine import PATIENCE_S


@pytest.fixture
def leader() -> Iterator[subprocess.Popen[bytes]]:
    """A process that waits, the leader of a session."""
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as process:
        yield process
        process.kill()


def test_a_process_gets_nicer_by_so_much(leader: subprocess.Popen[bytes]) -> None:
    before = os.getpriority(os.PRIO_PROCESS, leader.pid)
    lower_priority(3, leader.pid)
    assert os.getpriority(os.PRIO_PROCESS, leader.pid) == min(19, before + 3)


def test_the_session_that_a_process_leads_gets_as_nice_as_the_process(leader: subprocess.Popen[bytes]) -> None:
    session = Path(f"/proc/{leader.pid}/autogroup")
    known = session.exists()
    lower_priority(4, leader.pid)
    wanted = f"nice {os.getpriority(os.PRIO_PROCESS, leader.pid)}\n"
    assert known == session.exists()
    assert not known or session.read_text().endswith(wanted)


def test_a_process_that_is_gone_is_no_error(leader: subprocess.Popen[bytes]) -> None:
    leader.kill()
    leader.wait(PATIENCE_S)
    lower_priority(1, leader.pid)
