"""Environments for reinforcement learning: Gymnasium, PettingZoo and vectors of games; the extra `env` installs the libraries.

Where Gymnasium is installed, importing this registers barpoint/Backgammon-v0 with it.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from barpoint.env.table import ACTIONS, OBSERVATION, PASS, Table, action_number
from barpoint.env.tables import Tables

if TYPE_CHECKING:
    from barpoint.env.gymnasium_env import BackgammonEnv
    from barpoint.env.pettingzoo_env import BackgammonAEC
    from barpoint.env.vector_env import BackgammonVectorEnv, make_vec

__all__ = [
    "ACTIONS",
    "OBSERVATION",
    "PASS",
    "BackgammonAEC",
    "BackgammonEnv",
    "BackgammonVectorEnv",
    "Table",
    "Tables",
    "action_number",
    "make_vec",
]

with suppress(ModuleNotFoundError):
    from barpoint.env import gymnasium_env as _registered  # noqa: F401


def __dir__() -> list[str]:
    """Also the names that are loaded when first asked for."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Imports what needs a library of the extra only when it is asked for."""
    try:
        if name == "BackgammonEnv":
            from barpoint.env.gymnasium_env import BackgammonEnv

            return BackgammonEnv
        if name in ("BackgammonVectorEnv", "make_vec"):
            from barpoint.env import vector_env

            return getattr(vector_env, name)
        if name == "BackgammonAEC":
            from barpoint.env.pettingzoo_env import BackgammonAEC

            return BackgammonAEC
    except ModuleNotFoundError as error:
        raise ImportError(f"{name} needs {error.name}: pip install 'barpoint[env]'") from error
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
