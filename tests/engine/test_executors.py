"""Work on executors: results in the order of tasks, also when a process is killed."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from time import sleep

import pytest

from barpoint.engine import executors
from barpoint.engine.executors import executor_named, in_order
from barpoint.error import OptionError, RolloutError


def square(number: int) -> int:
    sleep(0.001 * (number % 3))
    return number * number


def killed_once(number: int, mark: str) -> int:
    """Kills its own process the first time that it comes to 3."""
    if number == 3 and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


SQUARES = [number * number for number in range(12)]


@pytest.mark.parametrize("name", ["", "threads", "processes"], ids=["here", "threads", "processes"])
def test_results_come_in_the_order_of_tasks(name: str) -> None:
    tasks = [(number,) for number in range(12)]
    if not name:
        assert list(in_order(None, square, tasks)) == SQUARES
        return
    with executor_named(name, 2) as executor:
        assert list(in_order(executor, square, tasks, ahead=5)) == SQUARES


def test_a_killed_process_changes_no_result(tmp_path: Path) -> None:
    with executor_named("processes", 2) as executor:
        tasks = [(number, str(tmp_path / "mark")) for number in range(12)]
        assert list(in_order(executor, killed_once, tasks)) == SQUARES
    assert (tmp_path / "mark").exists()


def test_a_task_that_always_kills_its_process_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_TRIES", 1)
    with executor_named("processes", 1) as executor, pytest.raises(BrokenExecutor):
        list(in_order(executor, always_killed, [(1,)]))


def test_closing_cancels_what_has_not_begun() -> None:
    begun, go = [], Event()

    def work(number: int) -> int:
        begun.append(number)
        assert number == 0 or go.wait(60)
        return number

    def endless() -> Iterator[tuple[int]]:
        number = 0
        while True:
            yield (number,)
            number += 1

    with ThreadPoolExecutor(1) as executor:
        with closing(in_order(executor, work, endless(), ahead=50)) as found:
            assert next(found) == 0
        go.set()
    assert len(begun) <= 2


@pytest.mark.parametrize("name", ["", "thread", "ray:", "tcp://x"], ids=["nothing", "thread", "ray", "tcp"])
def test_names_that_are_no_executor_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match="threads, processes, ray"):
        executor_named(name)


def test_workers_are_counted() -> None:
    with pytest.raises(OptionError, match="0 threads"):
        executor_named("threads", 0)


def test_without_ray_a_cluster_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(RolloutError, match=r"barpoint\[ray\]"):
        executor_named("ray:auto")
