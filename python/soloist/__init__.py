"""Soloist solves puzzles that one agent plays alone: Sokoban, SameGame, sliding tiles, pancakes, and your own.

>>> import soloist
>>> soloist.solve("1 2 0 3 4 5 6 7 8", domain="tiles", nodes=100000, time=None).status
'solved'

docs/PYTHON.md is the guide.
"""

from __future__ import annotations

from ._engine import StopToken
from ._library import lib as _lib
from ._library import text_of as _text_of
from .errors import InputError, InternalError, SoloistError, UnsupportedError
from .plugins import load_plugin
from .puzzles import Collection, Puzzle, State, domains, generate, level_sets, levels, read, read_file
from .solving import (
    Advice,
    Progress,
    Result,
    Solution,
    check,
    explain,
    hint,
    methods,
    optimise,
    optimize,
    solve,
)

__version__ = _text_of(_lib.soloist_version())

__all__ = [
    "Advice",
    "Collection",
    "InputError",
    "InternalError",
    "Progress",
    "Puzzle",
    "Result",
    "Solution",
    "SoloistError",
    "State",
    "StopToken",
    "UnsupportedError",
    "__version__",
    "check",
    "domains",
    "explain",
    "generate",
    "hint",
    "level_sets",
    "levels",
    "load_plugin",
    "methods",
    "optimise",
    "optimize",
    "read",
    "read_file",
    "solve",
]
