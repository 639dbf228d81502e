"""Rollouts on a cluster, by Ray (`pip install barpoint[ray]`)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

from barpoint.error import RolloutError

P = ParamSpec("P")
T = TypeVar("T")


class RayExecutor(Executor):
    """Runs work on the workers of a Ray cluster, which must have the same barpoint installed. RolloutError without Ray.

    settings: of `ray.init`, such as address="auto"; a cluster that is connected already is used as it is, and stays.
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
        """The result to come; cancelled futures let what a worker has begun run to its end."""
        future: Future[T] = self._ray.remote(fn).remote(*args, **kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnects, where this executor has connected."""
        if self._ours:
            self._ours = False
            self._ray.shutdown()
