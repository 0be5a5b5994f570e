"""Domains and methods from plugins: the same shared objects that the command line loads by --plugin."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_size_t
from typing import Any

from . import _library as c
from ._engine import add
from ._library import lib
from .errors import InputError

_loaded: list[ctypes.CDLL] = []  # a plugin stays loaded, because the engine borrows its tables


class _MethodTable(ctypes.Structure):
    """The beginning of soloist_method."""

    _fields_ = [("abi", c_int), ("size", c_size_t), ("name", c_char_p)]


def _table(plugin: ctypes.CDLL, name: str, kind: type[ctypes.Structure]) -> Any:
    """What the plugin's function of that name returns; None: it has no such function."""
    function = getattr(plugin, name, None)
    if function is None:
        return None
    function.restype, function.argtypes = POINTER(kind), []
    return function() or None


def load_plugin(path: str | os.PathLike[str]) -> list[str]:
    """Loads a plugin: a shared object with a domain or a method in it, as docs/ADD_A_DOMAIN.md describes.

    Returns:
        The names of its domain and its method, which every function of this package then knows. A process that is
        forked later knows them, too; one that is started afresh must load the plugin itself.
    """
    try:
        plugin = ctypes.CDLL(os.path.join(os.curdir, os.fspath(path)))
    except OSError as error:
        raise InputError(f"the plugin cannot be loaded: {error}") from None
    names = []
    for function, kind, adder in (
        ("soloist_plugin", c.Domain, lib.soloist_add_domain),
        ("soloist_plugin_method", _MethodTable, lib.soloist_add_method),
    ):
        table = _table(plugin, function, kind)
        if table:
            add(adder, table)
            names.append(c.text_of(table.contents.name))
    if not names:
        raise InputError(f"{os.fspath(path)} is not a plugin: it has neither soloist_plugin nor soloist_plugin_method")
    _loaded.append(plugin)
    return names
