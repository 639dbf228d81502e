"""The menu of every page, and which pages belong to which of its entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barpoint.language import N_


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """One entry. path: where it leads. name: its text, not yet translated. others: first parts of the paths of pages that belong to it too."""

    path: str
    name: str
    others: tuple[str, ...] = ()

    def holds(self, path: str) -> bool:
        """Whether the page of this path belongs to it."""
        return path.split("/")[1] in (self.path[1:], *self.others)


MENU: Final = (
    MenuEntry("/", N_("Play")),
    MenuEntry("/lobby", N_("Lobby")),
    MenuEntry("/watch", N_("Watch")),
    MenuEntry("/tournaments", N_("Tournaments"), ("tournament",)),
    MenuEntry("/clubs", N_("Clubs"), ("ladder",)),
    MenuEntry("/chouettes", N_("Chouettes"), ("chouette",)),
    MenuEntry("/review", N_("Review"), ("library", "statistics", "matches")),
    MenuEntry("/analysis", N_("Analysis"), ("study",)),
    MenuEntry("/practice", N_("Practice")),
    MenuEntry("/rules", N_("Learn"), ("learn", "openings")),
)
