"""Variants, and how they compose.

A variant is a set of axes that differ from backgammon. Two variants compose when no axis is set differently by both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from barpoint.error import UnknownVariant, VariantsClash, brief
from barpoint.rules.axes import Axis, Rules


@dataclass(frozen=True, slots=True)
class VariantOption:
    """An option of a variant: a field of one axis, and the value it takes for each value of the option.

    The first value is the default, and is left out of the name.
    """

    name: str
    line: str
    axis: str
    field: str
    values: Mapping[bool | int, object]

    @property
    def default(self) -> bool | int:
        """The value that applies when nothing is said."""
        return next(iter(self.values))

    def taken(self, value: bool | int) -> object:
        """What the axis' field becomes; UnknownVariant for a value that is not allowed."""
        if not any(key == value and type(key) is type(value) for key in self.values):
            allowed = ", ".join(map(spell_value, self.values))
            raise UnknownVariant(
                "%(name)s is %(spell_value)s; allowed: %(allowed)s",
                name=self.name,
                spell_value=spell_value(value) if isinstance(value, bool | int) else brief(value),
                allowed=allowed,
            )
        return self.values[value]


@dataclass(frozen=True, slots=True)
class Variant:
    """A catalogue entry: the axes that differ from backgammon.

    Each tuple of `aliases` is another spelling, with the options it stands for.
    """

    name: str
    title: str
    line: str
    source: str
    axes: Mapping[str, Axis] = field(default_factory=dict, hash=False)
    options: tuple[VariantOption, ...] = field(default=(), hash=False)
    aliases: tuple[str, ...] = ()

    @property
    def is_sequence(self) -> bool:
        """Whether it is several games in turn."""
        return "sequence" in self.axes

    def choice(self, name: str) -> VariantOption:
        """The option of that name; UnknownVariant says which there are."""
        for choice in self.options:
            if choice.name == name:
                return choice
        known = ", ".join(choice.name for choice in self.options) or "none"
        raise UnknownVariant(
            "%(variant)s has no option %(option)r; its options: %(known)s", variant=self.name, option=name, known=known
        )

    def with_options(self, options: Mapping[str, bool | int]) -> dict[str, Axis]:
        """The axes that differ from backgammon under these options; UnknownVariant for a value not allowed."""
        axes = dict(self.axes)
        for name, value in options.items():
            choice = self.choice(name)
            axes[choice.axis] = replace(axes[choice.axis], **{choice.field: choice.taken(value)})  # type: ignore[type-var]
        return axes

    def spell(self, options: Mapping[str, bool | int]) -> str:
        """The one spelling of this variant with these options, defaults left out."""
        said = [
            choice.name if options[choice.name] is True else f"{choice.name}={spell_value(options[choice.name])}"
            for choice in self.options
            if choice.name in options and options[choice.name] != choice.default
        ]
        return f"{self.name}({','.join(said)})" if said else self.name


def spell_value(value: bool | int) -> str:
    """An option's value as names spell it."""
    return str(value).lower()


BASE: Final = "backgammon"
"""The variant that changes no axis: its name stands in no composition."""


def compose(parts: Iterable[tuple[Variant, Mapping[str, bool | int]]]) -> Rules:
    """Rules with the axes of all parts; VariantsClash when two set one axis differently, or one is a sequence of games."""
    axes: dict[str, Axis] = {}
    owner: dict[str, str] = {}
    names = []
    for variant, options in parts:
        for axis, value in variant.with_options(options).items():
            if axis in axes and axes[axis] != value:
                raise VariantsClash(
                    "%(owner)s and %(name)s set %(axis)s differently; choose one of them",
                    owner=owner[axis],
                    name=variant.name,
                    axis=axis,
                )
            axes[axis] = value
            owner[axis] = variant.name
        if variant.axes or variant.name != BASE:
            names.append(variant.spell(options))
    if "sequence" in axes and len(names) > 1:
        raise VariantsClash(
            "%(name)s is a sequence of games and goes together with nothing else; found %(found)s",
            name=owner["sequence"],
            found="+".join(names),
        )
    rules = Rules("+".join(names) or BASE, **axes)  # type: ignore[arg-type]
    for roll in rules.follow_ups.missing_from(rules.dice):
        raise VariantsClash(
            "%(owner)s needs the roll %(roll)s, which the dice of %(name)s do not show",
            owner=owner["follow_ups"],
            roll="-".join(map(str, roll)),
            name=owner.get("dice", BASE),
        )
    return rules
