"""Soloist solves puzzles that one agent plays alone: Sokoban, SameGame, sliding tiles, pancakes, and your own."""

from __future__ import annotations

from ._library import lib as _lib
from ._library import text_of as _text_of
from .errors import InputError, InternalError, SoloistError, UnsupportedError

__version__ = _text_of(_lib.soloist_version())

__all__ = ["InputError", "InternalError", "SoloistError", "UnsupportedError", "__version__"]
