"""The nets of an engine: those that cover its rules, or one of its user's own, and the searcher that uses them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from barpoint.engine import contact
from barpoint.engine.net import (
    DEFAULT_CUBE_EFFICIENCY,
    CubeEfficiency,
    NetEntry,
    NetLike,
    find_net,
    load,
    load_cube_net,
    load_pruning_net,
    own_net,
    read_net,
)
from barpoint.error import NetError
from barpoint.native import core, core_rules
from barpoint.rules import Rules


@dataclass(frozen=True, slots=True)
class EngineNets:
    """What evaluates for an engine. entry: the net that covers the rules; None for a net of one's own. chosen: the net."""

    entry: NetEntry | None
    chosen: core.Net

    @classmethod
    def of(cls, rules: Rules, net: NetLike | None) -> EngineNets:
        """The nets for these rules. net: as for `Engine`. UnsupportedRules, NetError."""
        net = own_net(rules) if net is None else net
        if net is None:
            entry = find_net(rules)
            return cls(entry, load(entry))
        return cls(None, read_net(net) if isinstance(net, str | os.PathLike) else net)

    @property
    def cube_efficiency(self) -> CubeEfficiency:
        """How efficiently the cube is used where no cube net says it by position."""
        return self.entry.cube_efficiency if self.entry is not None else DEFAULT_CUBE_EFFICIENCY

    def searcher(self, rules: Rules, threads: int) -> core.Searcher:
        """A searcher that uses them, and the exact tables; NetError for a net that does not fit the rules."""
        contact.attach(rules)
        try:
            return core.Searcher(
                core_rules(rules),
                self.chosen,
                tables=True,
                pruning_net=load_pruning_net(self.entry) if self.entry is not None else None,
                threads=threads,
                cube_net=load_cube_net(self.entry) if self.entry is not None else None,
            )
        except ValueError as error:
            raise NetError(str(error)) from None
