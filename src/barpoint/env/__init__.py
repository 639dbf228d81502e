"""Environments for reinforcement learning: Gymnasium, PettingZoo and vectors of games; the extra `env` installs the libraries."""

from typing import Any

from barpoint.env.table import ACTIONS, OBSERVATION, PASS, Table, action_number

__all__ = ["ACTIONS", "OBSERVATION", "PASS", "BackgammonAEC", "BackgammonEnv", "Table", "action_number", "make_vec"]


def __getattr__(name: str) -> Any:
    """Imports what needs a library of the extra only when it is asked for."""
    try:
        if name in ("BackgammonEnv", "make_vec"):
            from barpoint.env import gymnasium_env

            return getattr(gymnasium_env, name)
        if name == "BackgammonAEC":
            from barpoint.env.pettingzoo_env import BackgammonAEC

            return BackgammonAEC
    except ModuleNotFoundError as error:
        raise ImportError(f"{name} needs {error.name}: pip install 'barpoint[env]'") from error
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
