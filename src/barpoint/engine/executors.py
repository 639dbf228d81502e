"""Where long work is done: in threads, in processes or on a Ray cluster, through one interface, `concurrent.futures.Executor`."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final, ParamSpec, TypeVar

from barpoint.engine.cluster import RayExecutor
from barpoint.engine.limits import MAX_THREADS
from barpoint.error import OptionError

P = ParamSpec("P")
T = TypeVar("T")

AHEAD: Final = 256
"""Tasks that are submitted before the first one is done. No result depends on it."""

_TRIES: Final = 3
"""Times that a task is given to another pool, because the processes of the one before have died, until the run is given up."""


def executor_named(name: str, workers: int | None = None) -> Executor:
    """The executor of a name; use it in a `with` statement. OptionError for other names, RolloutError without Ray.

    name: "threads", "processes", "ray" (a cluster of this machine, started now), or the address of a running cluster:
        "ray:auto" on one of its machines, "ray://HOST:10001" from outside. workers: None for one a core; on a running cluster
        it has no meaning.
    """
    if workers is not None and not 1 <= workers <= MAX_THREADS:
        raise OptionError(
            "%(threads)s threads; 1 to %(max_threads)s are allowed", threads=workers, max_threads=MAX_THREADS
        )
    if name == "threads":
        return ThreadPoolExecutor(workers or os.cpu_count() or 1)
    if name == "processes":
        return RestartingProcesses(workers or os.cpu_count() or 1)
    quiet: dict[str, Any] = {"log_to_driver": False}
    if name == "ray":
        return RayExecutor(**quiet, num_cpus=workers, include_dashboard=False)
    if name.startswith("ray:") and len(name) > len("ray:"):
        return RayExecutor(**quiet, address=name if name.startswith("ray://") else name.removeprefix("ray:"))
    raise OptionError("executor %(name)s; threads, processes, ray, ray:auto and ray://HOST:PORT are known", name=name)


def add_executor_options(parser: ArgumentParser) -> None:
    """Adds the options by which a script is told where its work is done."""
    parser.add_argument("--executor", help="threads, processes, ray or the address of a cluster")
    parser.add_argument("--workers", type=int, help="of the executor")


def executor_chosen(options: Namespace) -> AbstractContextManager[Executor | None]:
    """The executor that these options name; None where they name none, which is here and now. Errors as of `executor_named`."""
    return executor_named(options.executor, options.workers) if options.executor else nullcontext()


def in_order(
    executor: Executor | None, work: Callable[..., T], tasks: Iterable[tuple[Any, ...]], ahead: int = AHEAD
) -> Generator[T, None, None]:
    """work(*task) of every task, in the order of the tasks, so the same on any executor; here and now without one.

    Closing the iterator cancels what has not begun. work, tasks and results must be picklable where the executor has other processes.
    """
    if executor is None:
        for task in tasks:
            yield work(*task)
        return
    left = iter(tasks)
    waiting: deque[tuple[tuple[Any, ...], Future[T]]] = deque()
    try:
        while True:
            for task in islice(left, ahead - len(waiting)):
                waiting.append((task, executor.submit(work, *task)))
            if not waiting:
                return
            yield _result(executor, work, *waiting.popleft())
    finally:
        for _, future in waiting:
            future.cancel()


def _result(executor: Executor, work: Callable[..., T], task: tuple[Any, ...], future: Future[T]) -> T:
    for _ in range(_TRIES):
        with suppress(BrokenExecutor):
            return future.result()
        future = executor.submit(work, *task)
    return future.result()


class RestartingProcesses(Executor):
    """Processes of this machine. When one is killed, all start anew with the next task; `in_order` repeats what was lost."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._fresh()

    def _fresh(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submits a task; its future raises BrokenExecutor when a process died before it was done."""
        try:
            return self._pool.submit(fn, *args, **kwargs)
        except BrokenExecutor:
            self._pool.shutdown(wait=False)
            self._pool = self._fresh()
            return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)
