"""Files of judged items, one a line, numbered within their groups: each grows until every group has as many as asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from barpoint.atomic_file import replacing
from barpoint.engine.executors import in_order

Item = TypeVar("Item")
Judge = Callable[[str, int, Item | None], Item]
"""Item `number` of a group; the third argument is what was known of it, None for a new one."""


@dataclass(frozen=True, slots=True)
class NumberedFile(Generic[Item]):
    """group: the name of an item's group. format_line, parse_line: an item as a line, without its end."""

    path: Path
    group: Callable[[Item], str]
    format_line: Callable[[Item], str]
    parse_line: Callable[[str], Item]

    def read(self) -> list[Item]:
        """All items, in the order of their numbers within each group."""
        if not self.path.exists():
            return []
        return [self.parse_line(line) for line in self.path.read_text(encoding="utf-8").splitlines()]

    def judge_more(
        self,
        count: int,
        groups: Sequence[str],
        judge: Judge[Item],
        executor: Executor | None = None,
        good: Callable[[Item], bool] = lambda _: True,
    ) -> Iterator[Item]:
        """Judges until each of the groups has `count` items, and anew those that are not good, in turn.

        Each is in the file before it is given. Goes on from what the file holds; the file is the same on any executor, however
        often the work was stopped.
        """
        known = self._known()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        names = [(group, number) for number in range(count) for group in groups]
        left = [name for name in names if name not in known or not good(known[name])]
        tasks = [(*name, known.get(name)) for name in left]
        with closing(in_order(executor, judge, tasks)) as found:
            for name, judged in zip(left, found, strict=True):
                known[name] = judged
                with replacing(self.path) as out:
                    out.write("".join(f"{self.format_line(each)}\n" for each in known.values()).encode())
                yield judged

    def judge_again(self, judge: Judge[Item], executor: Executor | None = None) -> Iterator[Item]:
        """Judges all items of the file anew, and new ones where a group has fewer than others.

        They stand in a file beside it, which replaces it once all are there. A stopped run goes on, by whatever net is present then.
        """
        known = self._known()
        if not known:
            return
        groups, numbers = zip(*known, strict=True)
        fresh = replace(self, path=self.path.with_suffix(".again"))
        yield from fresh.judge_more(
            max(numbers) + 1, tuple(dict.fromkeys(groups)), partial(_again, judge, known), executor
        )
        fresh.path.replace(self.path)

    def _known(self) -> dict[tuple[str, int], Item]:
        """All items by group and number."""
        have: Counter[str] = Counter()
        known: dict[tuple[str, int], Item] = {}
        for each in self.read():
            known[self.group(each), have[self.group(each)]] = each
            have[self.group(each)] += 1
        return known


def _again(judge: Judge[Item], known: Mapping[tuple[str, int], Item], group: str, number: int, _: Item | None) -> Item:
    return judge(group, number, known.get((group, number)))
