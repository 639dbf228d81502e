"""Runs rollouts on a Ray cluster (`pip install barpoint[ray]`)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

from barpoint.error import RolloutError

P = ParamSpec("P")
T = TypeVar("T")


class RayExecutor(Executor):
    """Runs tasks on the workers of a Ray cluster, which must have the same barpoint installed. RolloutError without
    Ray.

    settings: of `ray.init`, such as address="auto"; an existing connection is used as it is and stays open.
    """

    def __init__(self, **settings: Any) -> None:
        try:
            import ray
        except ImportError:
            raise RolloutError("Ray is not installed; `pip install barpoint[ray]` brings it") from None
        self._ray: Any = ray
        self._ours = not ray.is_initialized()
        if self._ours:
            ray.init(**settings)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submits a task; cancelling the future lets a task that a worker has begun finish."""
        future: Future[T] = self._ray.remote(fn).remote(*args, **kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnects, if this executor connected."""
        if self._ours:
            self._ours = False
            self._ray.shutdown()
