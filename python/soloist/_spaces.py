"""The few spaces that environments need where Gymnasium is not installed: what they hold, drawn and tested."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np


class Space:
    """A set of values of one shape and type."""

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self._random = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Repeats what sample draws from here on."""
        self._random = np.random.default_rng(seed)

    def __contains__(self, value: Any) -> bool:
        return self.contains(value)

    def contains(self, value: Any) -> bool:
        """Whether the value belongs to the space."""
        raise NotImplementedError


class Box(Space):
    """Arrays of whole numbers from low to high."""

    def __init__(self, low: int, high: int, shape: tuple[int, ...], dtype: Any) -> None:
        super().__init__(tuple(shape), dtype)
        self.low = np.full(self.shape, low, self.dtype)
        self.high = np.full(self.shape, high, self.dtype)

    def contains(self, value: Any) -> bool:
        fits = isinstance(value, np.ndarray) and value.shape == self.shape and value.dtype == self.dtype
        return fits and bool((value >= self.low).all() and (value <= self.high).all())

    def sample(self) -> np.ndarray:
        """An array drawn at random."""
        return self._random.integers(self.low, self.high, dtype=self.dtype, endpoint=True)

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


class Discrete(Space):
    """The numbers 0 .. n-1."""

    def __init__(self, n: int) -> None:
        super().__init__((), np.int64)
        self.n = n

    def contains(self, value: Any) -> bool:
        return isinstance(value, (int, np.integer)) and 0 <= int(value) < self.n

    def sample(self, mask: np.ndarray | None = None) -> int:
        """A number drawn at random, among those whose entry in the mask is 1 if one is given."""
        if mask is None:
            return int(self._random.integers(self.n))
        allowed = np.nonzero(mask)[0]
        return int(self._random.choice(allowed)) if len(allowed) else 0

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class MultiDiscrete(Space):
    """Arrays whose entry i is one of 0 .. n[i]-1."""

    def __init__(self, nvec: Sequence[int]) -> None:
        self.nvec = np.asarray(nvec, np.int64)
        super().__init__(self.nvec.shape, np.int64)

    def contains(self, value: Any) -> bool:
        value = np.asarray(value)
        return value.shape == self.shape and bool((value >= 0).all() and (value < self.nvec).all())

    def sample(self) -> np.ndarray:
        """An array drawn at random."""
        return self._random.integers(self.nvec)

    def __repr__(self) -> str:
        return f"MultiDiscrete({self.nvec.size} x {self.nvec.max()})"
