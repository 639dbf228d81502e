"""Analyses the matches of many files in several processes; what was analysed before is read from a folder instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import suppress
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

import msgspec

from barpoint.analysis.study import analyse
from barpoint.analysis.summary import VERSION, AnalysedMatch, summarise
from barpoint.atomic_file import replacing
from barpoint.engine.net import entries, name_of, own_nets, parse, use_net
from barpoint.engine.table import fingerprint
from barpoint.error import BarpointError, check_kind
from barpoint.language import _
from barpoint.record import read_matches
from barpoint.record.collection import MatchFile
from barpoint.record.digest import match_digest
from barpoint.rules import Rules, Variant
from barpoint.variants import register, registered

KEPT_VERSION = 3
"""Raised when `FileSummaries` of the same matches would hold something else."""


class FileSummaries(msgspec.Struct, frozen=True, omit_defaults=True):
    """The matches of a file. refused: why the file, or one of its matches, is not among them; each in a sentence.

    numbers, digests: of each match, its place in the file from 1, and its `match_digest`.
    """

    matches: tuple[AnalysedMatch, ...] = ()
    refused: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    digests: tuple[str, ...] = ()


def summaries(
    files: Iterable[MatchFile], plies: int = 0, processes: int = 1, folder: Path | None = None
) -> Iterator[tuple[int, FileSummaries]]:
    """The matches of every file, with the number of the file from 0, in the order in which they are finished.

    Other processes analyse them, with the variants and nets that this one knows, so a program keeps the call below
    `if __name__ == "__main__":`. files: as `record.match_files` finds them. folder: where results are kept, by content of the file, depth and nets; None
    keeps none. ArgumentError for something that is no file, such as a path.
    """
    waiting = []
    check_kind("files", files, Iterable)
    for number, file in enumerate(files):
        check_kind("a file", file, MatchFile)
        place = None if folder is None else folder / f"{_key(file, plies)}.json"
        known = None if place is None else _kept(place)
        if known is not None:
            yield number, known
        else:
            waiting.append((number, file, place))
    if waiting:
        yield from _made(waiting, plies, min(processes, len(waiting)))


def distinct(
    files: Iterable[tuple[str, FileSummaries]],
) -> tuple[list[AnalysedMatch], list[tuple[str, str]]]:
    """The matches of files with these names, each once; then what was there already, by name, with the name of the first."""
    matches: list[AnalysedMatch] = []
    repeated: list[tuple[str, str]] = []
    known: dict[str, str] = {}
    for file, found in files:
        several = len(found.matches) + len(found.refused) > 1
        for match, number, digest in zip(found.matches, found.numbers, found.digests, strict=True):
            name = _("%(file)s, match %(number)s", file=file, number=number) if several else file
            if digest in known:
                repeated.append((name, known[digest]))
            else:
                known[digest] = name
                matches.append(match)
    return matches, repeated


def _made(
    waiting: list[tuple[int, MatchFile, Path | None]], plies: int, processes: int
) -> Iterator[tuple[int, FileSummaries]]:
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _begin, (registered(), own_nets()))
    try:
        jobs: dict[Future[bytes], tuple[int, Path | None]] = {
            pool.submit(_summaries, file.data, file.suffix, plies): (number, place) for number, file, place in waiting
        }
        for job in as_completed(jobs):
            number, place = jobs[job]
            packed = job.result()
            if place is not None:
                _keep(place, packed)
            yield number, msgspec.json.decode(packed, type=FileSummaries)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(entries: tuple[Variant, ...], nets: dict[Rules, bytes]) -> None:
    """Makes the variants and nets of another process known in this one."""
    for entry in sorted(entries, key=lambda one: one.is_sequence):  # a sequence names games that are known by then
        register(entry)
    for rules, net in nets.items():
        use_net(rules, parse(net))


def _summaries(data: bytes, suffix: str, plies: int) -> bytes:
    matches, refused, numbers, digests = [], [], [], []
    try:
        for number, book in enumerate(read_matches(data, suffix=suffix), start=1):
            try:
                matches.append(summarise(analyse(book, plies), book.match, book.played_on))
            except BarpointError as error:
                refused.append(str(error))
                continue
            numbers.append(number)
            digests.append(match_digest(book.match, book.players))
    except BarpointError as error:
        refused.append(str(error))
    return msgspec.json.encode(FileSummaries(tuple(matches), tuple(refused), tuple(numbers), tuple(digests)))


def _key(file: MatchFile, plies: int) -> str:
    own = [
        *(repr((entry.name, entry.axes)) for entry in registered()),
        *(f"{rules.name} {name_of(net)}" for rules, net in own_nets().items()),
    ]
    known = fingerprint(VERSION, KEPT_VERSION, plies, entries(), file.suffix, *own)
    return sha256(known.encode() + file.data).hexdigest()


def _kept(place: Path) -> FileSummaries | None:
    """What was made before; None where there is nothing that can be read."""
    with suppress(OSError, msgspec.DecodeError, msgspec.ValidationError):
        return msgspec.json.decode(place.read_bytes(), type=FileSummaries)
    return None


def _keep(place: Path, packed: bytes) -> None:
    """Writes a result; a folder that cannot be written only costs the time to make it again."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        with replacing(place) as out:
            out.write(packed)
