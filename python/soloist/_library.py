"""Finds and loads the shared library, and declares its structs and functions for ctypes.

The structs are those of ``include/soloist.h`` and ``include/soloist_extra.h``, member by member; a test compares them
with the headers. If the environment variable SOLOIST_LIBRARY names a file, only that file is loaded. Otherwise the
library is looked for in this order: beside this file, where a wheel has it; the build folder of a checkout; the
system's libraries.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char,
    c_char_p,
    c_double,
    c_float,
    c_int,
    c_int32,
    c_int64,
    c_long,
    c_size_t,
    c_uint,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path
from typing import Any, Callable, Iterator, NoReturn

from .errors import InputError, InternalError, SoloistError, UnsupportedError

ABI = 6  # the SOLOIST_ABI of the headers that the structs below are copied from

# soloist_code
OK, MISUSE, BAD_INPUT, UNSUPPORTED, NO_MEMORY, INTERNAL, STOPPED = range(7)
# soloist_aim
LEAST_COST, MOST_SCORE = range(2)
# soloist_status and soloist_stop, by their numbers
STATUSES = ("solved", "unsolved", "impossible", "invalid")
STOPS = ("goal", "exhausted", "time", "nodes", "iterations", "memory", "cancel")
# soloist_outlook
OUTLOOKS = ("unknown", "alive", "ended", "lost")
# soloist_option_kind
OPTION_END, OPTION_INT, OPTION_REAL, OPTION_BOOL, OPTION_CHOICE, OPTION_NAMES, OPTION_NAME = range(7)

NO_MOVE = 0xFFFFFFFF
DEAD = 0x7FFFFFFF
WANT_KEY, WANT_BOUND = 1, 2
NAME_ROOM = 128

Move = c_uint32
Instance = c_void_p  # const soloist_instance *
StatePointer = c_void_p  # const void *state: a bytes object or a buffer may be passed as it is


class Error(Structure):
    """soloist_error"""

    _fields_ = [("line", c_int), ("column", c_int), ("text", c_char * 256)]


WriteFunction = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)


class Sink(Structure):
    """soloist_sink"""

    _fields_ = [("write", WriteFunction), ("to", c_void_p)]


class Rng(Structure):
    """soloist_rng"""

    _fields_ = [("s", c_uint64 * 4)]


class Option(Structure):
    """soloist_option"""

    _fields_ = [
        ("kind", c_int),
        ("name", c_char_p),
        ("offset", c_size_t),
        ("initial", c_double),
        ("least", c_double),
        ("most", c_double),
        ("choices", c_char_p),
        ("help", c_char_p),
    ]


class Progress(Structure):
    """soloist_progress"""

    _fields_ = [
        ("time_s", c_double),
        ("nodes", c_uint64),
        ("iterations", c_uint64),
        ("memory", c_size_t),
        ("best", c_int32),
        ("has_best", c_bool),
        ("note", c_char_p),
        ("expanded", c_uint64),
    ]


ProgressFunction = CFUNCTYPE(None, c_void_p, POINTER(Progress))
LogFunction = CFUNCTYPE(None, c_void_p, c_char_p)


class Callbacks(Structure):
    """soloist_callbacks"""

    _fields_ = [("progress", ProgressFunction), ("log", LogFunction), ("user", c_void_p)]


class Work(Structure):
    """soloist_work"""

    _fields_ = [("stop", c_void_p), ("memory", c_size_t), ("threads", c_int), ("callbacks", POINTER(Callbacks))]


class Chunk(Structure):
    """soloist_chunk"""

    _fields_ = [("text", c_void_p), ("length", c_size_t), ("line", c_int), ("name", c_char * 128)]


class Cursor(Structure):
    """soloist_cursor"""

    _fields_ = [("at", c_void_p), ("end", c_void_p), ("line", c_int), ("ordinal", c_int)]


class Shape(Structure):
    """soloist_shape"""

    _fields_ = [
        ("state_size", c_size_t),
        ("undo_size", c_size_t),
        ("packed_size", c_size_t),
        ("most_moves", c_int),
        ("most_steps", c_int),
        ("least_step", c_int32),
        ("session_size", c_size_t),
        ("instance_size", c_size_t),
    ]


class Life(Structure):
    """soloist_life"""

    _fields_ = [
        ("size", c_size_t),
        ("recognise", CFUNCTYPE(c_int, c_void_p, c_size_t)),
        ("next", CFUNCTYPE(c_bool, POINTER(Cursor), POINTER(Chunk))),
        ("parse", CFUNCTYPE(c_void_p, POINTER(Chunk), c_void_p, POINTER(Error))),
        ("destroy", CFUNCTYPE(None, Instance)),
        ("shape", CFUNCTYPE(None, Instance, POINTER(Shape))),
        ("root", CFUNCTYPE(None, Instance, StatePointer)),
        ("impossible", CFUNCTYPE(c_char_p, Instance)),
        ("session", CFUNCTYPE(c_void_p, Instance, POINTER(Work), POINTER(Error))),
        ("parse_within", CFUNCTYPE(c_void_p, POINTER(Chunk), c_void_p, POINTER(Work), POINTER(Error))),
    ]


class Child(Structure):
    """soloist_child"""

    _fields_ = [("key", c_uint64), ("move", c_uint32), ("step", c_int32), ("bound", c_int32)]


class Core(Structure):
    """soloist_core"""

    _fields_ = [
        ("size", c_size_t),
        ("moves", CFUNCTYPE(c_int, Instance, StatePointer, c_void_p)),
        ("apply", CFUNCTYPE(c_int32, Instance, StatePointer, Move, c_void_p)),
        ("undo", CFUNCTYPE(None, Instance, StatePointer, Move, c_void_p)),
        ("ended", CFUNCTYPE(c_bool, Instance, StatePointer, POINTER(c_int32))),
        ("key", CFUNCTYPE(c_uint64, Instance, StatePointer)),
        ("key_from_scratch", CFUNCTYPE(c_uint64, Instance, StatePointer)),
        ("expand", CFUNCTYPE(c_int, Instance, StatePointer, Move, c_uint, POINTER(Child))),
        ("turn", CFUNCTYPE(c_int, Instance, StatePointer)),
    ]


class Bound(Structure):
    """soloist_bound"""

    _fields_ = [
        ("size", c_size_t),
        ("value", CFUNCTYPE(c_int32, Instance, StatePointer)),
        ("dead", CFUNCTYPE(c_bool, Instance, StatePointer)),
        ("admissible", CFUNCTYPE(c_bool, Instance)),
        ("consistent", CFUNCTYPE(c_bool, Instance)),
        ("pruned", CFUNCTYPE(c_bool, Instance, StatePointer, Move)),
        ("lossless", CFUNCTYPE(c_bool, Instance)),
        ("tight", CFUNCTYPE(c_int32, Instance, StatePointer, c_int32)),
    ]


class Reverse(Structure):
    """soloist_reverse"""

    _fields_ = [
        ("size", c_size_t),
        ("goal", CFUNCTYPE(c_bool, Instance, c_uint64, StatePointer)),
        ("core", POINTER(Core)),
        ("bound", POINTER(Bound)),
        ("forward", CFUNCTYPE(Move, Instance, StatePointer, Move)),
        ("between", c_void_p),
    ]


class Verdict(Structure):
    """soloist_verdict"""

    _fields_ = [("value", c_int32), ("moves", c_int64), ("pushes", c_int64)]


class Text(Structure):
    """soloist_text"""

    _fields_ = [
        ("size", c_size_t),
        ("print", CFUNCTYPE(None, Instance, StatePointer, POINTER(Sink))),
        ("move", CFUNCTYPE(None, Instance, StatePointer, Move, POINTER(Sink))),
        ("solution", CFUNCTYPE(None, Instance, c_void_p, c_size_t, POINTER(Sink))),
        ("solution_is_json", c_bool),
        ("read", CFUNCTYPE(c_long, Instance, c_void_p, c_size_t, c_void_p, c_size_t, POINTER(Error))),
        (
            "referee",
            CFUNCTYPE(c_bool, POINTER(Chunk), c_void_p, c_void_p, c_size_t, POINTER(Verdict), POINTER(Error)),
        ),
        ("shown_in", c_char_p),
    ]


class Generate(Structure):
    """soloist_generate"""

    _fields_ = [
        ("size", c_size_t),
        ("options", POINTER(Option)),
        ("options_size", c_size_t),
        ("make", CFUNCTYPE(c_int, c_void_p, POINTER(Rng), POINTER(Sink), POINTER(Error))),
    ]


class Reward(Structure):
    """soloist_reward"""

    _fields_ = [
        ("size", c_size_t),
        ("names", POINTER(c_char_p)),
        ("value", CFUNCTYPE(c_double, Instance, c_int, c_void_p, c_void_p, c_int)),
    ]


class Learn(Structure):
    """soloist_learn"""

    _fields_ = [
        ("size", c_size_t),
        ("planes", CFUNCTYPE(None, Instance, POINTER(c_int), POINTER(c_int), POINTER(c_int))),
        ("more_planes", c_int),
        ("actions", CFUNCTYPE(c_int, Instance)),
        ("encode", CFUNCTYPE(None, Instance, StatePointer, c_int, c_void_p)),
        ("action", CFUNCTYPE(c_int, Instance, StatePointer, Move)),
        ("priors", CFUNCTYPE(None, Instance, StatePointer, c_void_p, c_int, c_void_p, c_void_p)),
        ("share", CFUNCTYPE(None, Instance, StatePointer, c_void_p, c_void_p, c_int, c_void_p)),
        ("symmetries", CFUNCTYPE(c_int, Instance)),
        ("reflect", CFUNCTYPE(None, Instance, c_int, c_int, c_void_p, c_void_p, c_void_p, c_void_p)),
        ("whole_states", c_bool),
        ("bit_planes", c_int),
    ]


class Walk(Structure):
    """soloist_walk"""

    _fields_ = [("size", c_size_t)] + [
        (name, c_void_p)
        for name in ("walk_size", "rules", "open", "copy", "play", "ended", "refinements", "refines", "parts")
    ]


class Domain(Structure):
    """soloist_domain"""

    _fields_ = [
        ("abi", c_int),
        ("size", c_size_t),
        ("name", c_char_p),
        ("summary", c_char_p),
        ("aim", c_int),
        ("players", c_int),
        ("options", POINTER(Option)),
        ("options_size", c_size_t),
        ("life", POINTER(Life)),
        ("core", POINTER(Core)),
        ("text", POINTER(Text)),
        ("bound", POINTER(Bound)),
        ("reverse", POINTER(Reverse)),
        ("pack", c_void_p),
        ("sample", c_void_p),
        ("reward", POINTER(Reward)),
        ("learn", POINTER(Learn)),
        ("generate", POINTER(Generate)),
        ("tables", c_void_p),
        ("estimate", c_void_p),
        ("walk", POINTER(Walk)),
        ("features", c_void_p),
        ("hints", c_void_p),
        ("environments", c_void_p),
    ]


class Puzzle(Structure):
    """soloist_puzzle"""

    _fields_ = [
        ("domain", POINTER(Domain)),
        ("options", c_void_p),
        ("text", c_void_p),
        ("chunk", Chunk),
        ("instance", c_void_p),
    ]


class Limits(Structure):
    """soloist_limits"""

    _fields_ = [
        ("time_s", c_double),
        ("nodes", c_uint64),
        ("iterations", c_uint64),
        ("memory", c_size_t),
        ("threads", c_int),
        ("seed", c_uint64),
        ("stop", c_void_p),
        ("network", c_void_p),
    ]


class Result(Structure):
    """soloist_result"""

    _fields_ = [
        ("status", c_int),
        ("stopped", c_int),
        ("moves", c_void_p),
        ("move_count", c_size_t),
        ("solution", c_char_p),
        ("verdict", Verdict),
        ("optimal", c_bool),
        ("time_s", c_double),
        ("nodes", c_uint64),
        ("iterations", c_uint64),
        ("playouts", c_uint64),
        ("has_iterations", c_bool),
        ("has_playouts", c_bool),
        ("has_expanded", c_bool),
        ("expanded", c_uint64),
        ("has_evaluations", c_bool),
        ("evaluations", c_uint64),
        ("has_tree", c_bool),
        ("eliminated", c_uint64),
        ("skipped", c_uint64),
        ("moved", c_uint64),
        ("tree_depth", c_uint64),
        ("peak_bytes", c_size_t),
        ("method", c_char * 160),
        ("warning", c_char * 256),
        ("starved", c_bool),
    ]


class Advice(Structure):
    """soloist_advice"""

    _fields_ = [
        ("outlook", c_int),
        ("move", c_char_p),
        ("line", c_char_p),
        ("reason", c_char * 32),
        ("sentence", c_char * 200),
        ("board", c_char_p),
        ("result", Result),
    ]


class BoardsPlan(Structure):
    """soloist_boards_plan"""

    _fields_ = [
        ("size", c_size_t),
        ("options", c_char_p),
        ("reward", c_char_p),
        ("boards", c_int),
        ("levels", c_int),
        ("step_limit", c_int),
        ("threads", c_int),
        ("in_turn", c_bool),
        ("general", c_bool),
        ("seed", c_uint64),
    ]


class BoardsArrays(Structure):
    """soloist_boards_arrays"""

    _fields_ = [
        ("size", c_size_t),
        ("actions", c_void_p),
        ("observations", c_void_p),
        ("rewards", c_void_p),
        ("terminated", c_void_p),
        ("truncated", c_void_p),
        ("finals", c_void_p),
        ("masks", c_void_p),
    ]


class Sight(Structure):
    """soloist_sight"""

    _fields_ = [
        ("size", c_size_t),
        ("progress", POINTER(Progress)),
        ("line", c_char_p),
        ("verdict", Verdict),
        ("lines", c_uint64),
        ("member", c_char_p),
        ("subject", c_void_p),
    ]


SeeFunction = CFUNCTYPE(None, c_void_p, POINTER(Sight))


class Watcher(Structure):
    """soloist_watcher"""

    _fields_ = [
        ("size", c_size_t),
        ("see", SeeFunction),
        ("user", c_void_p),
        ("every_s", c_double),
        ("every", c_uint64),
    ]


class Shortening(Structure):
    """soloist_shortening"""

    _fields_ = [
        ("size", c_size_t),
        ("objective", c_char_p),
        ("seconds", c_double),
        ("nodes", c_uint64),
        ("time_s", c_double),
        ("optimal_for", c_char * 64),
    ]


class Details(Structure):
    """soloist_details"""

    _fields_ = [
        ("size", c_size_t),
        ("optimal_for", c_char * 64),
        ("box_lines", c_int64),
        ("box_changes", c_int64),
        ("pushing_sessions", c_int64),
        ("player_lines", c_int64),
        ("blocks_left", c_int64),
    ]


FoundFunction = CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)


# Name: result type, then the types of the arguments.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "soloist_version": (c_char_p,),
    "soloist_abi": (c_int,),
    "soloist_rng_seed": (None, POINTER(Rng), c_uint64, c_uint64),
    "soloist_options_reset": (None, POINTER(Option), c_void_p),
    "soloist_options_parse": (c_int, POINTER(Option), c_void_p, c_char_p, POINTER(Error)),
    "soloist_stop_token_new": (c_void_p,),
    "soloist_stop_token_free": (None, c_void_p),
    "soloist_stop_token_cancel": (None, c_void_p),
    "soloist_stop_token_deadline": (None, c_void_p, c_double),
    "soloist_stopped": (c_bool, c_void_p),
    "soloist_next_line": (c_bool, POINTER(Cursor), POINTER(Chunk)),
    "soloist_next_block": (c_bool, POINTER(Cursor), POINTER(Chunk)),
    "soloist_cursor_open": (Cursor, c_void_p, c_size_t),
    "soloist_new": (c_void_p,),
    "soloist_free": (None, c_void_p),
    "soloist_add_domain": (c_int, c_void_p, POINTER(Domain), POINTER(Error)),
    "soloist_add_method": (c_int, c_void_p, c_void_p, POINTER(Error)),
    "soloist_find_domain": (POINTER(Domain), c_void_p, c_char_p),
    "soloist_domain_at": (POINTER(Domain), c_void_p, c_size_t),
    "soloist_recognise": (POINTER(Domain), c_void_p, c_void_p, c_size_t),
    "soloist_puzzle_read_within": (
        c_int,
        POINTER(Domain),
        c_char_p,
        POINTER(Chunk),
        c_void_p,
        POINTER(Puzzle),
        POINTER(Error),
    ),
    "soloist_puzzle_free": (None, POINTER(Puzzle)),
    "soloist_validate": (c_bool, POINTER(Puzzle), c_uint64, c_int, c_int, POINTER(Error)),
    "soloist_network_open": (c_void_p, POINTER(Domain), c_char_p, POINTER(Error)),
    "soloist_network_close": (None, c_void_p),
    "soloist_network_fits": (c_bool, c_void_p, POINTER(Puzzle), POINTER(Error)),
    "soloist_network_options": (POINTER(Option),),
    "soloist_solve": (
        c_int,
        c_void_p,
        POINTER(Puzzle),
        c_char_p,
        POINTER(Limits),
        POINTER(Callbacks),
        POINTER(Result),
        POINTER(Error),
    ),
    "soloist_watch": (
        c_int,
        c_void_p,
        POINTER(Puzzle),
        c_char_p,
        POINTER(Limits),
        POINTER(Watcher),
        POINTER(Result),
        POINTER(Error),
    ),
    "soloist_result_free": (None, POINTER(Result)),
    "soloist_hint": (
        c_int,
        c_void_p,
        POINTER(Puzzle),
        c_char_p,
        POINTER(Limits),
        POINTER(Callbacks),
        POINTER(Advice),
        POINTER(Error),
    ),
    "soloist_explain": (
        c_int,
        c_void_p,
        POINTER(Puzzle),
        c_bool,
        POINTER(Limits),
        POINTER(Callbacks),
        POINTER(Advice),
        POINTER(Error),
    ),
    "soloist_advice_free": (None, POINTER(Advice)),
    "soloist_optimize": (
        c_int,
        c_void_p,
        POINTER(Puzzle),
        c_char_p,
        c_size_t,
        c_char_p,
        POINTER(Limits),
        POINTER(Callbacks),
        POINTER(Result),
        POINTER(Error),
    ),
    "soloist_check": (c_bool, POINTER(Puzzle), c_char_p, c_size_t, POINTER(Verdict), POINTER(Error)),
    "soloist_method_at": (c_bool, c_void_p, c_size_t, POINTER(c_char_p), POINTER(c_char_p), POINTER(POINTER(Option))),
    "soloist_method_suits": (c_int, c_void_p, POINTER(Puzzle), c_char_p, POINTER(Limits), POINTER(Error)),
    "soloist_text_free": (None, c_void_p),
    "soloist_state_text": (c_void_p, POINTER(Puzzle), StatePointer),
    "soloist_move_text": (c_void_p, POINTER(Puzzle), StatePointer, Move),
    "soloist_line_text": (c_void_p, POINTER(Puzzle), c_void_p, c_size_t),
    "soloist_root_text": (c_void_p, c_void_p, POINTER(Puzzle)),
    "soloist_draw": (c_void_p, c_void_p, POINTER(Puzzle), StatePointer, c_double),
    "soloist_film": (
        c_int,
        c_void_p,
        POINTER(Puzzle),
        c_char_p,
        c_size_t,
        c_double,
        c_double,
        POINTER(c_void_p),
        POINTER(Error),
    ),
    "soloist_make": (c_int, POINTER(Domain), c_char_p, c_uint64, c_uint64, POINTER(c_void_p), POINTER(Error)),
    "soloist_level_set": (c_int, c_char_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t)),
    "soloist_level_sets": (c_int, c_char_p, FoundFunction, c_void_p),
    "soloist_shorten": (
        c_int,
        POINTER(Puzzle),
        POINTER(Limits),
        POINTER(Callbacks),
        POINTER(Shortening),
        POINTER(Result),
        POINTER(Error),
    ),
    "soloist_describe": (c_int, POINTER(Puzzle), POINTER(Result), POINTER(Details)),
    "soloist_method_ignores": (c_char_p, c_void_p, c_char_p, c_char_p),
    "soloist_method_proves": (c_bool, c_void_p, POINTER(Domain), c_char_p),
    "soloist_cores": (c_int,),
    "soloist_free_memory": (c_size_t,),
}


def _candidates() -> Iterator[str]:
    """Where the library may be, best first; file names that do not exist are left out."""
    given = os.environ.get("SOLOIST_LIBRARY")
    if given:
        yield given
        return
    here = Path(__file__).resolve().parent
    for folder in (here, here.parent.parent / "build", here.parent.parent / "build" / "dev"):
        if (folder / "libsoloist.so").exists():
            yield str(folder / "libsoloist.so")
    yield f"libsoloist.so.{ABI}"
    found = ctypes.util.find_library("soloist")
    if found:
        yield found


def _load() -> ctypes.CDLL:
    """Loads the first library that can be loaded; its ABI number must be that of this package."""
    problems = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)  # plugins call its functions
            abi = library.soloist_abi()
        except (OSError, AttributeError) as error:
            problems.append(str(error))
            continue
        if abi == ABI:
            return library
        problems.append(f"{path} has ABI number {abi}, but this package needs {ABI}")
    raise ImportError(
        "the shared library of Soloist was not found: run `make python` in a checkout, install the package `soloist`, "
        "or set SOLOIST_LIBRARY to the file libsoloist.so (" + "; ".join(problems) + ")"
    )


lib = _load()


def declare(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Declares a function of the library and returns it."""
    function = getattr(lib, name)
    function.restype = result
    function.argtypes = list(arguments)
    return function


for _name, _types in _FUNCTIONS.items():
    declare(_name, *_types)


def loaded_from() -> str:
    """The file that the library was loaded from, with its folder, which the loader may have found by itself."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            path = line.rstrip("\n").partition("/")[2]
            if Path(path).name.startswith("libsoloist.so"):
                return "/" + path
    return str(lib._name)


class Owner:
    """Base of the classes that own a pointer of the library: a copy would free the same pointer again."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        name = type(self).__name__.lstrip("_")
        raise TypeError(f"a {name} can be neither copied nor pickled: it owns memory of the engine")


def text_of(value: bytes | None) -> str:
    """A C string as Python text."""
    return (value or b"").decode("utf-8", "replace")


def take_text(pointer: int | None) -> str:
    """A text that the library allocated, which is freed; MemoryError if there is none."""
    if not pointer:
        raise MemoryError("the engine has no memory left")
    try:
        return text_of(ctypes.string_at(pointer))
    finally:
        lib.soloist_text_free(pointer)


def fail(code: int, error: Error) -> NoReturn:
    """Raises the exception for a code that is not OK."""
    sentence = text_of(error.text)
    if code == NO_MEMORY:
        raise MemoryError(sentence or "the engine has no memory left")
    kind = {MISUSE: InputError, BAD_INPUT: InputError, UNSUPPORTED: UnsupportedError, INTERNAL: InternalError}.get(
        code, SoloistError
    )
    raise kind(sentence or "the engine refused the call", error.line, error.column)
