"""What can go wrong, as one small family: what was found, then what was allowed."""

from __future__ import annotations

from barpoint.language import gettext


class BarpointError(Exception):
    """Any refusal of ours; its text says what was found, then what is allowed.

    str() is English, for logs and programs; translated() is for people. values fill the text's %(name)s places.
    """

    def __init__(self, text: object = "", /, **values: object) -> None:
        self.text, self.values = str(text), values
        super().__init__(self.text % values if values else self.text)

    def translated(self) -> str:
        """What is said, in the language that holds now; errors among the values are translated too."""
        values = {
            name: value.translated() if isinstance(value, BarpointError) else value
            for name, value in self.values.items()
        }
        return gettext(self.text, **values)


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

    def __init__(self, text: object, /, line: int = 0, column: int = 0, **values: object) -> None:
        super().__init__(text, **values)
        self.line, self.column = line, column

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {super().__str__()}" if self.line else super().__str__()

    def translated(self) -> str:
        """What is said and where, in the language that holds now."""
        said = super().translated()
        if not self.line:
            return said
        return gettext("line %(line)d, column %(column)d: %(said)s", line=self.line, column=self.column, said=said)


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
