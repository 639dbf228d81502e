"""Jobs for workers: analyses, second looks at many decisions and rollouts, how urgent they are, and how many may wait."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b
from typing import Final, Literal

JobKind = Literal["analysis", "rollout", "deepening"]


class Priority(IntEnum):
    """How urgent a job is; the smallest number goes first.

    ASKED: somebody waits for it on a page. QUICK: the first look at a match that has ended; DEEP: the thorough one, and the second look at
    many decisions.
    OF_GUESTS: asked for by somebody without an account, or of a match in which nobody has one.
    """

    ASKED = 0
    ASKED_OF_GUESTS = 1
    QUICK = 10
    QUICK_OF_GUESTS = 11
    DEEP = 20
    DEEP_OF_GUESTS = 21

    @property
    def asked(self) -> bool:
        """Whether somebody waits for a job of this priority."""
        return self < Priority.QUICK

    @property
    def gives_way(self) -> bool:
        """Whether a job of this priority goes back to the queue when a more urgent one waits and no worker is free."""
        return self >= Priority.DEEP


MAX_ASKED: Final = 40
"""Jobs that people wait for, of all with an account together; as many again of all without one, who get a new name for the asking."""

MAX_OF_GUEST: Final = 2
MAX_OF_ACCOUNT: Final = 4
"""Jobs that one person may wait for at the same time, without an account and with one; as many matches may be looked at a second time."""

MAX_UNASKED: Final = 20_000
MAX_UNASKED_OF_ONE: Final = 2_500
"""Jobs that nobody waits for, in all and of one owner; matches that come when there are so many are analysed on request only."""

MAX_ATTEMPTS: Final = 3
"""How often a job is taken up by workers that do not finish it; then it is dropped."""

GIVE_WAY_AFTER_MS: Final = 3_000
"""So long an urgent job waits for a free worker before one that nobody waits for makes room."""

LEASE_MS: Final = 60_000
"""A worker that is silent for so long is gone; another one takes up its job."""


LEFT_BEHIND_AFTER_MS: Final = 600_000
"""So long a job waits for a worker that has its net; then workers with other nets see to it."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something for a worker to do; at any time there is one job of a kind about a subject.

    subject: names the result. net: its name; only workers that have this net take the job. task: what the worker has to
    know, as JSON. owner: who asked, as `owner_of` writes it.
    """

    kind: JobKind
    subject: str
    net: str
    task: bytes
    owner: str
    priority: Priority = Priority.ASKED


@dataclass(frozen=True, slots=True)
class JobState:
    """How far a job is. ahead: jobs that go first, 0 when it runs. done, total: of its steps.

    progress: the newest report of its worker. owner, task: as in `Job`.
    """

    running: bool
    ahead: int
    done: int
    total: int
    progress: bytes | None
    owner: str
    task: bytes


def owner_of(by: str) -> str:
    """The text by which jobs of one person are known; it does not show the person's id or address."""
    return blake2b(by.encode(), digest_size=12).hexdigest()
