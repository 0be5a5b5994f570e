"""Soloist solves puzzles that one agent plays alone: Sokoban, SameGame, sliding tiles, pancakes, and your own.

>>> import soloist
>>> soloist.solve("1 2 0 3 4 5 6 7 8", domain="tiles", nodes=100000, time=None).status
'solved'

docs/PYTHON.md is the guide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from ._engine import StopToken
from ._library import lib as _lib
from ._library import text_of as _text_of
from .errors import InputError, InternalError, SoloistError, UnsupportedError
from .plugins import load_plugin
from .puzzles import Collection, Puzzle, State, domains, generate, level_sets, levels, read, read_file
from .results import Advice, Progress, Result, Solution
from .rules import Domain, add_domain, check_rules, game_of, value_of
from .solving import check, explain, hint, methods, optimise, optimize, solve

__version__ = _text_of(_lib.soloist_version())

if _TYPE_CHECKING:
    from .environments import Environment, VectorEnvironment
    from .networks import Evaluation, Network, read_network, write_network

# What needs NumPy is imported when it is first used.
_NEED_NUMPY = {
    "Environment": "environments",
    "VectorEnvironment": "environments",
    "Evaluation": "networks",
    "Network": "networks",
    "read_network": "networks",
    "write_network": "networks",
}


def __getattr__(name: str) -> _Any:
    if name not in _NEED_NUMPY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module("." + _NEED_NUMPY[name], __name__), name)


__all__ = [
    "Advice",
    "Collection",
    "Domain",
    "Environment",
    "Evaluation",
    "InputError",
    "InternalError",
    "Network",
    "Progress",
    "Puzzle",
    "Result",
    "Solution",
    "SoloistError",
    "State",
    "StopToken",
    "UnsupportedError",
    "VectorEnvironment",
    "__version__",
    "add_domain",
    "check",
    "check_rules",
    "domains",
    "explain",
    "game_of",
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
    "read_network",
    "solve",
    "value_of",
    "write_network",
]
