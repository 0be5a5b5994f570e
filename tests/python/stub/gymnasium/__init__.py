"""The signatures of Gymnasium 1.0 that the environments meet, for tests where Gymnasium is not installed."""

from __future__ import annotations

import enum
import types
from typing import Any

import numpy as np

from soloist import _spaces as spaces


class Env:
    """gymnasium.Env"""

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode: str | None = None
    spec = None
    action_space: Any
    observation_space: Any
    _np_random: np.random.Generator | None = None

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        raise NotImplementedError

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self._np_random = np.random.default_rng(seed)

    def render(self) -> Any:
        raise NotImplementedError

    def close(self) -> None:
        pass

    @property
    def unwrapped(self) -> Env:
        return self

    @property
    def np_random(self) -> np.random.Generator:
        if self._np_random is None:
            self._np_random = np.random.default_rng()
        return self._np_random


class VectorEnv:
    """gymnasium.vector.VectorEnv"""

    metadata: dict[str, Any] = {}
    spec = None
    render_mode: str | None = None
    closed: bool = False
    observation_space: Any
    action_space: Any
    single_observation_space: Any
    single_action_space: Any
    num_envs: int

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        raise NotImplementedError

    def step(self, actions: Any) -> Any:
        raise NotImplementedError

    def render(self) -> tuple[Any, ...] | None:
        raise NotImplementedError

    def close(self, **kwargs: Any) -> None:
        raise NotImplementedError

    def __del__(self) -> None:
        if not getattr(self, "closed", True):
            self.close()


class AutoresetMode(enum.Enum):
    """gymnasium.vector.AutoresetMode"""

    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


class ResetNeeded(Exception):
    """gymnasium.error.ResetNeeded"""


vector = types.SimpleNamespace(VectorEnv=VectorEnv, AutoresetMode=AutoresetMode)
error = types.SimpleNamespace(ResetNeeded=ResetNeeded)

__all__ = ["AutoresetMode", "Env", "ResetNeeded", "VectorEnv", "error", "spaces", "vector"]
