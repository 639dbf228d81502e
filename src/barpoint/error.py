"""What can go wrong, as one small family: what was found, then what was allowed."""

from __future__ import annotations


class BarpointError(Exception):
    """Any refusal of ours; its text says what was found, then what is allowed."""


class UnknownVariant(BarpointError, ValueError):
    """No variant, option or option value of that name."""


class VariantsClash(BarpointError, ValueError):
    """Two variants set the same axis of the rules differently."""


class PositionError(BarpointError, ValueError):
    """A position these rules do not allow."""


class RollError(BarpointError, ValueError):
    """A roll these dice cannot show."""


class IllegalMove(BarpointError, ValueError):
    """A move or play that may not be made now."""


class IllegalEvent(BarpointError, ValueError):
    """An event that may not happen now; nothing was changed."""


class StakesError(BarpointError, ValueError):
    """Stakes or options of a match that do not go together."""


class FormatError(BarpointError, ValueError):
    """Text that is not in the format it should be in.

    line, column: where, counted from 1; 0 when the whole text is meant.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        self.line, self.column = line, column
        super().__init__(f"line {line}, column {column}: {message}" if line else message)


class UnsupportedRules(BarpointError):
    """No net covers these rules: refused, never approximated."""


class NetError(BarpointError):
    """A net file that is damaged or does not fit the rules."""


class TableError(BarpointError):
    """A bear-off table that cannot be made for these rules, or whose file is damaged or does not fit them."""


class RolloutError(BarpointError):
    """The file of a rollout that is damaged or belongs to another one."""


class StoreError(BarpointError):
    """The server's storage refused."""


class StoreFull(StoreError):
    """The server's storage has no room; nothing was written."""
