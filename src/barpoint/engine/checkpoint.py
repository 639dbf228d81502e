"""The file of a running rollout: its games so far, from which it resumes with identical results."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from barpoint.atomic_file import replacing
from barpoint.engine.net import find_net
from barpoint.engine.playout import COLUMNS, Games, Specification
from barpoint.error import RolloutError

_MAGIC: Final = b"barpoint rollout 1\n"


def fingerprint(specification: Specification) -> str:
    """Sixteen hexadecimal digits of everything that affects a game; the number of games does not count."""
    settings, net = specification.settings, specification.net
    said = (
        specification.rules,
        specification.starts,
        (settings.plies, settings.late_plies, settings.late_from, settings.cube_plies, settings.truncate),
        (settings.tables, settings.reduced, settings.stratified, settings.seed),
        find_net(specification.rules).file if net is None else sha256(net).hexdigest(),
        find_net(specification.rules).pruning_net if net is None else "",
        specification.cube_efficiency,
        None if specification.cube_net is None else find_net(specification.rules).cube_net,
    )
    return sha256(repr(said).encode()).hexdigest()[:16]


def save(specification: Specification, games: list[Games], file: Path) -> None:
    """Writes the games of every start atomically. OSError."""
    content = b"".join(np.ascontiguousarray(each, "<f8").tobytes() for each in games)
    head = {
        "fingerprint": fingerprint(specification),
        "games": [len(each) for each in games],
        "sum": sha256(content).hexdigest(),
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    with replacing(file) as out:
        out.write(_MAGIC + json.dumps(head).encode() + b"\n")
        out.write(content)


def load(specification: Specification, file: Path) -> list[Games]:
    """Reads the games of every start; RolloutError says what is wrong with the file, OSError why it cannot be read."""
    with file.open("rb") as source:
        if source.readline(len(_MAGIC)) != _MAGIC:
            raise RolloutError("%(name)s is no rollout of this version", name=file.name)
        head, content = source.readline(100_000), source.read()
    try:
        said = json.loads(head)
        counts, total, found = [int(count) for count in said["games"]], str(said["sum"]), str(said["fingerprint"])
    except (ValueError, KeyError, TypeError):
        raise RolloutError("%(name)s is damaged: its second line does not say what it holds", name=file.name) from None
    if found != fingerprint(specification):
        raise RolloutError(
            "%(name)s is another rollout, %(found)s; position, cube, score, settings and net of this one "
            "make %(fingerprint)s. Give another file name",
            name=file.name,
            found=found,
            fingerprint=fingerprint(specification),
        )
    if len(counts) != len(specification.starts) or min(counts) < 0 or len(content) != 8 * COLUMNS * sum(counts):
        raise RolloutError(
            "%(name)s is damaged: %(count)s bytes of games are not what its head says",
            name=file.name,
            count=len(content),
        )
    if sha256(content).hexdigest() != total:
        raise RolloutError("%(name)s is damaged: its games do not have the checksum it names", name=file.name)
    ends = np.cumsum(counts)
    games = np.frombuffer(content, "<f8").astype(np.float64, copy=False).reshape(-1, COLUMNS)
    return [games[end - count : end] for end, count in zip(ends, counts, strict=True)]
