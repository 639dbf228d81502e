"""Studies of accounts: makes them, edits them one after another, and shows them to whoever has the link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from msgspec import Struct

from barpoint.server.domain.analysis_board import BoardAddress
from barpoint.server.domain.guests import Guest
from barpoint.server.domain.studies import AnyStudyEdit, StudyNode, UnknownStudy, edited_study, new_study
from barpoint.server.live.event_log import ForeignSeat
from barpoint.server.live.match_transactions import new_id
from barpoint.server.storage import studies as study_storage
from barpoint.server.storage.event_log import Conflict
from barpoint.server.storage.store import Store
from barpoint.server.storage.studies import StoredStudy

ATTEMPTS = 5
"""How often an edit is tried while others of the same study are faster."""


class StudyShown(Struct, frozen=True):
    """A study. owner: their name. mine: the reader may edit it. at: the position that an edit leads to, or the first one."""

    id: str
    title: str
    owner: str
    mine: bool
    changed_at: int
    nodes: tuple[StudyNode, ...]
    at: int


class Studies:
    """All studies of a server. clock: ms since 1970."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock

    async def study(self, study_id: str) -> StoredStudy:
        """The study with that id, whoever's it is; UnknownStudy."""
        found = await self._store.read(study_storage.study, study_id)
        if found is None:
            raise UnknownStudy("no study is called %(study)s", study=study_id[:20])
        return found

    async def of(self, person: Guest) -> list[StoredStudy]:
        """A person's studies, the one changed last first."""
        return await self._store.read(study_storage.studies_of, person.id)

    async def make(self, person: Guest, title: str, board: BoardAddress) -> StoredStudy:
        """A new study that begins with a position; ForeignSeat for guests, StudyFull, BarpointError."""
        if not person.registered:
            raise ForeignSeat("studies are for players with an account; log in or register")
        study_id, tree = new_id(), new_study(title, board)
        await self._store.write(study_storage.put_study, study_id, person.id, tree, self._clock())
        return await self.study(study_id)

    async def edit(self, person: Guest, study_id: str, edit: AnyStudyEdit) -> tuple[StoredStudy, int]:
        """A study after an edit of its owner, and the position it leads to; ForeignSeat, UnknownStudy, BarpointError."""
        for attempt in range(ATTEMPTS):
            before = await self.study(study_id)
            if before.guest_id != person.id:
                raise ForeignSeat("only its owner can change a study; make a copy to go on from it")
            tree, at = edited_study(before.tree, edit)
            if tree == before.tree:
                return before, at
            now = self._clock()
            try:
                await self._store.write(study_storage.change_study, before, tree, now)
            except Conflict:
                if attempt == ATTEMPTS - 1:
                    raise
                continue
            return replace(before, tree=tree, version=before.version + 1, changed_at=now), at
        raise AssertionError("the last attempt returns or raises")

    async def copy(self, person: Guest, study_id: str) -> StoredStudy:
        """A study of one's own with the same positions; errors as `make`, and UnknownStudy."""
        if not person.registered:
            raise ForeignSeat("studies are for players with an account; log in or register")
        tree, made = (await self.study(study_id)).tree, new_id()
        await self._store.write(study_storage.put_study, made, person.id, tree, self._clock())
        return await self.study(made)

    async def drop(self, person: Guest, study_id: str) -> None:
        """Deletes a study of one's own; UnknownStudy."""
        if not await self._store.write(study_storage.drop_study, person.id, study_id):
            raise UnknownStudy("you have no such study")


def study_shown(found: StoredStudy, reader: Guest | None, at: int = 0) -> StudyShown:
    """A study as its reader sees it."""
    tree = found.tree
    mine = reader is not None and reader.id == found.guest_id
    first = at or (tree.nodes[0].id if tree.nodes else 0)
    return StudyShown(found.id, tree.title, found.owner, mine, found.changed_at, tree.nodes, first)
