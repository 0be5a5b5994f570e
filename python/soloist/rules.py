"""Puzzles of your own, written in Python, for prototypes: every search method of the engine solves them.

A subclass of :class:`Domain` holds the rules; each of its objects is one puzzle. States and moves are any values that
can be compared and hashed, such as tuples, strings and numbers. The engine calls the rules through ctypes, which takes
microseconds per call: a domain that shall be fast is written in C (docs/ADD_A_DOMAIN.md) and looks much the same.
"""

from __future__ import annotations

import ctypes
import hashlib
import itertools
import operator
import sys
import threading
from ctypes import Structure, addressof, byref, c_uint32, c_uint64
from typing import Any, Callable, Hashable, Iterable, Optional, TypeVar

from . import _engine
from . import _library as c
from ._library import lib
from ._quantities import expect, expect_text, whole
from .errors import InputError, SoloistError, UnsupportedError
from .puzzles import Puzzle, State

__all__ = ["Domain", "add_domain", "check_rules", "game_of", "value_of"]

D = TypeVar("D", bound="type[Domain]")


class Domain:
    """The rules of a puzzle; an object is one puzzle, made from its text.

    A subclass sets ``name`` and writes ``__init__``, ``root``, ``moves``, ``apply`` and ``ended``; the rest is optional.
    :func:`add_domain` makes it known to the engine. Rules must always answer the same; they must not change a state.

    >>> @add_domain
    ... class Countdown(Domain):
    ...     "Take 1, 2 or 3 from a number until nothing is left."
    ...     name = "countdown"
    ...     def __init__(self, text):
    ...         self.first = int(text)
    ...     def root(self):
    ...         return self.first
    ...     def moves(self, state):
    ...         return [k for k in (1, 2, 3) if k <= state]
    ...     def apply(self, state, move):
    ...         return state - move
    ...     def ended(self, state):
    ...         return state == 0
    >>> import soloist
    >>> soloist.solve("10", "bfs", domain="countdown", time=None).cost
    4

    Attributes:
        name: made of a-z, 0-9, - and _.
        aim: "cost": reach an end at the least cost; "score": reach an end with the highest score.
        most_moves: no state has more moves than this, forwards or backwards.
        most_steps: no line of play is longer than this; 0: there is no such limit.
        blocks: a puzzle in a file is a block of lines between blank lines; otherwise it is one line. Lines that begin
            with ; or # are comments.
        admissible: the bounds never exceed the true cost, or are never below the true score.
        consistent: the bounds fall by no more than a move's cost along any move.
    """

    name: str = ""
    aim: str = "cost"
    most_moves: int = 256
    most_steps: int = 0
    blocks: bool = False
    admissible: bool = True
    consistent: bool = False

    def __init__(self, text: str) -> None:
        """Reads a puzzle. Raise :class:`soloist.InputError` with line and column, or ValueError, if it is wrong."""
        raise NotImplementedError

    def root(self) -> Hashable:
        """The first state."""
        raise NotImplementedError

    def moves(self, state: Any) -> Iterable[Hashable]:
        """The legal moves of a state, in a fixed order."""
        raise NotImplementedError

    def apply(self, state: Any, move: Any) -> Hashable:
        """The state after a legal move."""
        raise NotImplementedError

    def ended(self, state: Any) -> bool:
        """Whether a state is a goal (cost), or the end of play (score)."""
        raise NotImplementedError

    def step(self, state: Any, move: Any) -> int:
        """What a move costs, or the score that it gains."""
        return 1

    def last(self, state: Any) -> int:
        """What the end itself adds to the score."""
        return 0

    def key(self, state: Any) -> int:
        """A hash of 64 bits, the same in every process. By default it is made from ``repr(state)``."""
        return int.from_bytes(hashlib.blake2b(repr(state).encode(), digest_size=8).digest(), "little")

    def bound(self, state: Any) -> Optional[int]:
        """A lower bound on the cost to go; None: no goal can be reached. For a score: an upper bound on what is to come."""
        return 0

    def goals(self) -> Iterable[Hashable]:
        """The goal states, for searches from both ends; write ``back`` as well."""
        raise NotImplementedError

    def back(self, state: Any) -> Iterable[tuple[Hashable, Hashable]]:
        """Every pair of a state before this one and the move that leads here from it."""
        raise NotImplementedError

    def back_bound(self, state: Any) -> Optional[int]:
        """A lower bound on the cost from the first state to this one, for searches from both ends."""
        return 0

    def write(self, state: Any) -> str:
        """A state as text, in the format that ``__init__`` reads. By default it is ``str(state)``.

        :meth:`State.as_puzzle` and :func:`check_rules` read this text; they need a ``write`` if ``__init__`` does not
        read ``str(state)`` as the same state.
        """
        return str(state)

    def write_move(self, state: Any, move: Any) -> str:
        """A move as a word without blanks; no two moves of a state have the same word.

        By default it is ``str(move)``, without the blanks after commas and with _ for every other blank: the move
        ``(2, -1)`` is written (2,-1).
        """
        return "_".join(str(move).replace(", ", ",").split()) or "_"

    @classmethod
    def recognise(cls, text: str) -> int:
        """How likely a file's text is of this domain, 0 to 100. By default the domain must be named.

        It is asked about the texts of every domain. What it raises is raised where the domain of a text is not named.
        """
        return 0


_NEEDED = ("__init__", "root", "moves", "apply", "ended")


def _overrides(domain: type[Domain], name: str) -> bool:
    return getattr(domain, name) is not getattr(Domain, name)


# ---- one puzzle in play ----


class _Table:
    """Values numbered in the order in which they come. Several threads may ask."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.memory = 0  # estimate in bytes
        self._numbers: dict[Any, int] = {}
        self._lock = threading.Lock()

    def number(self, value: Any) -> int:
        found = self._numbers.get(value)
        if found is None:
            with self._lock:
                found = self._numbers.get(value)
                if found is None:
                    found = len(self.values)
                    self.values.append(value)
                    self._numbers[value] = found
                    self.memory += sys.getsizeof(value) + _PER_VALUE
        return found


_MOST_CACHED = 1 << 18  # states whose moves are remembered
# Estimates in bytes, compared with tracemalloc on CPython 3.11: a value's number, key and places in a list and in dicts;
# the list of a state's moves that is remembered; each move in it.
_PER_VALUE, _PER_CACHED, _PER_MOVE = 160, 110, 72
_MOST_PLACE = 1 << 30  # lines and columns above it are not believed


class _Game:
    """One puzzle: the engine's states are numbers of Python's states, so equal states have equal bytes."""

    def __init__(self, game: Domain, table: c.Domain) -> None:
        _check_sizes(game)
        self.game, self.table = game, table
        self.states, self.moves, self.back_moves = _Table(), _Table(), _Table()
        self.root = self.states.number(game.root())
        self.has_bound = _overrides(type(game), "bound")
        self.has_back_bound = _overrides(type(game), "back_bound")
        self.goals: Optional[list[int]] = None
        self.keys: dict[int, int] = {}
        self._children: dict[int, tuple[tuple[int, int, int], ...]] = {}
        self._parents: dict[int, tuple[tuple[int, int, int], ...]] = {}
        # The first exception of the rules, and the stop tokens of the calls that use the puzzle.
        self.raised: Optional[BaseException] = None
        self.stops: list[Any] = []
        self.ended_by: dict[int, BaseException] = {}  # the exceptions that ended these calls, by the tokens' ids
        self.rooms: list[_engine.Room] = []  # the memory limits of these calls
        self._cached = 0  # estimate in bytes of both caches

    @property
    def memory(self) -> int:
        """An estimate of the bytes that the states take; what a state refers to is not counted."""
        return self.states.memory + self.moves.memory + self.back_moves.memory + self._cached

    def fail(self, error: BaseException) -> None:
        """Ends every call that uses the puzzle."""
        if self.raised is None:
            self.raised = error
        for stop in list(self.stops):
            self.ended_by.setdefault(id(stop), error)
            stop.cancel()

    def children(self, state: int) -> tuple[tuple[int, int, int], ...]:
        """Move, step and child of every legal move."""
        found = self._children.get(state)
        if found is None:
            game, value = self.game, self.states.values[state]
            found = tuple(
                (self.moves.number(move), _whole(game.step(value, move), "step"), self.states.number(game.apply(value, move)))
                for move in game.moves(value)
            )
            found = self._remember(self._children, state, found)
        return found

    def parents(self, state: int) -> tuple[tuple[int, int, int], ...]:
        """Backward move, step and state of every move that leads to a state."""
        found = self._parents.get(state)
        if found is None:
            rows = []
            for before, move in self.game.back(self.states.values[state]):
                number = self.states.number(before)
                back = self.back_moves.number((number, self.moves.number(move)))
                rows.append((back, _whole(self.game.step(before, move), "step"), number))
            found = self._remember(self._parents, state, tuple(rows))
        return found

    def _remember(self, cache: dict[int, Any], state: int, rows: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(rows) > self.game.most_moves:
            raise InputError(f"a state has {len(rows)} moves, but most_moves is {self.game.most_moves}")
        if len(cache) >= _MOST_CACHED:
            cache.clear()
            self._cached = 0
        cache[state] = rows
        self._cached += _PER_CACHED + _PER_MOVE * len(rows)
        for room in list(self.rooms):
            room.count(self.memory)
        return rows

    def key(self, state: int) -> int:
        found = self.keys.get(state)
        if found is None:
            found = self.keys[state] = operator.index(self.game.key(self.states.values[state])) & 0xFFFFFFFFFFFFFFFF
        return found

    def bound(self, state: int) -> int:
        return self._number_of(self.game.bound(self.states.values[state])) if self.has_bound else 0

    def back_bound(self, state: int) -> int:
        return self._number_of(self.game.back_bound(self.states.values[state])) if self.has_back_bound else 0

    def _number_of(self, bound: Optional[int]) -> int:
        return c.DEAD if bound is None else _whole(bound, "bound")

    def value_of(self, raw: bytes) -> Any:
        """The Python state that the bytes of an engine's state stand for."""
        return self.states.values[int.from_bytes(raw, sys.byteorder)]

    def bytes_of(self, value: Any) -> bytes:
        return self.states.number(value).to_bytes(8, sys.byteorder)

    def read_word(self, state: int, word: str) -> Optional[tuple[int, int]]:
        """The move that a word stands for, and the state after it; None: no legal move has this word."""
        found = {move: child for move, _, child in self.children(state) if self.word_of(state, move) == word}
        if len(found) > 1:
            raise InputError(f"several moves of a state are written {word}: write_move must give each its own word")
        return next(iter(found.items()), None)

    def word_of(self, state: int, move: int) -> str:
        word = self.game.write_move(self.states.values[state], self.moves.values[move])
        if not isinstance(word, str) or word.split() != [word] or "\0" in word:
            raise InputError(f"write_move returned {word!r}: expected a word without blanks")
        return word

    def text_of(self, state: int) -> str:
        text = self.game.write(self.states.values[state])
        if not isinstance(text, str):
            raise TypeError(f"write returned {text!r}: expected a text")
        return text if text.endswith("\n") else text + "\n"


def _check_sizes(rules: Any) -> None:
    """Refuses attributes of a class or of its object that the engine could not use."""
    for name, least in (("most_moves", 1), ("most_steps", 0)):
        value = getattr(rules, name)
        expect(name, value, int, "a whole number")
        whole(name, value, least, 0x7FFFFFFE)


def _whole(number: Any, what: str) -> int:
    number = operator.index(number)
    if not -0x7FFFFFFF <= number <= 0x7FFFFFFF:
        raise InputError(f"{what} must be a whole number of 32 bits, not {number}")
    return number


# ---- what the engine calls ----

_games: dict[int, _Game] = _engine.user_games  # by the addresses that the engine knows, which are made up
_addresses = itertools.count(0x10000, 16)


def _guarded(function: Callable[..., Any], failed: Any) -> Callable[..., Any]:
    """The function with the game as its first argument; an exception ends the call that the engine is in."""

    def callback(instance: int, *arguments: Any) -> Any:
        game = _games[instance]
        if game.raised is not None:
            return failed
        try:
            return function(game, *arguments)
        except BaseException as error:  # it must not get into the engine
            game.fail(error)
            return failed

    return callback


def _state(pointer: int) -> int:
    return c_uint64.from_address(pointer).value


def _put_state(pointer: int, state: int) -> None:
    c_uint64.from_address(pointer).value = state


def _put_moves(moves: Iterable[int], to: int) -> int:
    numbers = list(moves)
    (c_uint32 * len(numbers)).from_address(to)[:] = numbers
    return len(numbers)


def _write(sink: Any, text: str) -> None:
    raw = text.encode()
    sink.contents.write(sink.contents.to, raw, len(raw))


def _shape(game: _Game, shape: Any) -> None:
    told, rules = shape.contents, game.game
    told.state_size = told.undo_size = 8
    told.most_moves, told.most_steps = rules.most_moves, rules.most_steps
    told.least_step = 0 if _overrides(type(rules), "step") else 1


def _root(game: _Game, state: int) -> None:
    _put_state(state, game.root)


def _moves(rows: Callable[[_Game, int], Any], game: _Game, state: int, moves: int) -> int:
    return _put_moves((row[0] for row in rows(game, _state(state))), moves)


def _apply(rows: Callable[[_Game, int], Any], game: _Game, state: int, move: int, undo: Optional[int]) -> int:
    before = _state(state)
    if undo:
        _put_state(undo, before)
    for number, step, child in rows(game, before):
        if number == move:
            _put_state(state, child)
            return step
    raise SoloistError("the engine played a move that is not legal")


def _undo(game: _Game, state: int, move: int, undo: int) -> None:
    _put_state(state, _state(undo))


def _ended(game: _Game, state: int, last: Any) -> bool:
    value = game.states.values[_state(state)]
    if not game.game.ended(value):
        return False
    if last:
        last[0] = _whole(game.game.last(value), "last") if game.game.aim == "score" else 0
    return True


def _ended_back(game: _Game, state: int, last: Any) -> bool:
    if last:
        last[0] = 0
    return _state(state) == game.root


def _key(game: _Game, state: int) -> int:
    return game.key(_state(state))


def _expand(
    rows: Callable[[_Game, int], Any],
    bound_of: Callable[[_Game, int], int],
    game: _Game,
    state: int,
    last: int,
    want: int,
    children: Any,
) -> int:
    count = 0
    for move, step, number in rows(game, _state(state)):
        bound = bound_of(game, number) if want & c.WANT_BOUND else 0
        if bound == c.DEAD:
            continue
        child = children[count]
        child.move, child.step, child.bound = move, step, bound
        if want & c.WANT_KEY:
            child.key = game.key(number)
        count += 1
    return count


def _bound(game: _Game, state: int) -> int:
    return game.bound(_state(state))


def _back_bound(game: _Game, state: int) -> int:
    return game.back_bound(_state(state))


def _print(game: _Game, state: int, sink: Any) -> None:
    _write(sink, game.text_of(_state(state)))


def _print_move(game: _Game, state: int, move: int, sink: Any) -> None:
    _write(sink, game.word_of(_state(state), move))


def _print_solution(game: _Game, moves: int, count: int, sink: Any) -> None:
    state, words = game.root, []
    for move in (c_uint32 * count).from_address(moves) if count else ():
        words.append(game.word_of(state, move))
        state = next(child for number, _, child in game.children(state) if number == move)
    _write(sink, " ".join(words))


def _read_solution(game: _Game, text: int, length: int, moves: int, room: int, error: Any) -> int:
    words = ctypes.string_at(text, length).decode("utf-8", "replace")
    state, found, at = game.root, [], 0
    for word in words.split():
        at = words.index(word, at)
        played = game.read_word(state, word)
        if played is None:
            _refuse(error, 0, at + 1, f"{word} is not a legal move here")
            return -1
        found.append(played[0])
        state, at = played[1], at + len(word)
    _put_moves(found[:room], moves) if room else 0
    return len(found)


def _goal(game: _Game, index: int, state: int) -> bool:
    if game.goals is None:
        game.goals = [game.states.number(goal) for goal in game.game.goals()]
    if index >= len(game.goals):
        return False
    _put_state(state, game.goals[index])
    return True


def _forward(game: _Game, state: int, move: int) -> int:
    return game.back_moves.values[move][1]


def _refuse(error: Any, line: int, column: int, sentence: str) -> None:
    told = error.contents
    told.line, told.column = line, column
    raw = sentence.encode("utf-8", "replace")
    told.text = raw[:255].decode("utf-8", "ignore").encode()  # cut between characters


def _place(wrong: ValueError, name: str) -> int:
    """The line or the column that an exception names; 0 if it names none."""
    place = getattr(wrong, name, 0)
    return place if isinstance(place, int) and 0 <= place <= _MOST_PLACE else 0


def _group(kind: type[Structure], **functions: Any) -> Structure:
    """A group of functions, which states its size; a Python function becomes one that C can call."""
    made = kind()
    made.size = ctypes.sizeof(kind)
    types = dict(kind._fields_)
    for name, function in functions.items():
        setattr(made, name, types[name](function) if callable(function) else function)
    return made


def _core(rows: Callable[[_Game, int], Any], forwards: bool) -> Structure:
    def bind(function: Callable[..., Any], *first: Any) -> Callable[..., Any]:
        return lambda game, *arguments: function(*first, game, *arguments)

    key = _guarded(_key, 0)
    return _group(
        c.Core,
        moves=_guarded(bind(_moves, rows), 0),
        apply=_guarded(bind(_apply, rows), 0),
        undo=_guarded(_undo, None),
        ended=_guarded(_ended if forwards else _ended_back, False),
        key=key,
        key_from_scratch=key,
        expand=_guarded(bind(_expand, rows, _Game.bound if forwards else _Game.back_bound), 0),
    )


_CORE = _core(_Game.children, True)
_BACK_CORE = _core(_Game.parents, False)
_TEXT = _group(
    c.Text,
    print=_guarded(_print, None),
    move=_guarded(_print_move, None),
    solution=_guarded(_print_solution, None),
    read=_guarded(_read_solution, -1),
)
_BOUND = _group(
    c.Bound,
    value=_guarded(_bound, 0),
    admissible=lambda instance: bool(_games[instance].game.admissible),
    consistent=lambda instance: not _games[instance].has_bound or bool(_games[instance].game.consistent),
)
_BACK_BOUND = _group(
    c.Bound,
    value=_guarded(_back_bound, 0),
    admissible=lambda instance: bool(_games[instance].game.admissible),
    consistent=lambda instance: not _games[instance].has_back_bound or bool(_games[instance].game.consistent),
)
_REVERSE = _group(c.Reverse, goal=_guarded(_goal, False), forward=_guarded(_forward, c.NO_MOVE))
_REVERSE.core = ctypes.pointer(_BACK_CORE)
_REVERSE.bound = ctypes.pointer(_BACK_BOUND)


# ---- domains ----


class _Entry:
    """A domain in the engine. Its class may be replaced, as in a notebook whose cell runs again."""

    def __init__(self, domain: type[Domain]) -> None:
        expect_text("name", domain.name)
        self.domain = domain
        self._versions: list[tuple[c.Domain, bytes]] = []  # the tables of all classes so far, and their summaries
        self.life = _group(
            c.Life,
            recognise=self._recognise,
            parse=self._parse,
            destroy=lambda instance: _games.pop(instance, None) and None,
            shape=_guarded(_shape, None),
            root=_guarded(_root, None),
        )
        self.table = c.Domain(abi=c.ABI, size=ctypes.sizeof(c.Domain), name=domain.name.encode(), players=1)
        self.table.life, self.table.core, self.table.text = map(ctypes.pointer, (self.life, _CORE, _TEXT))
        self.set(domain)

    def set(self, domain: type[Domain]) -> None:
        missing = [name for name in _NEEDED if not _overrides(domain, name)]
        if missing:
            raise TypeError(f"{domain.__name__} does not define {' and '.join(missing)}")
        if domain.aim not in ("cost", "score"):
            raise InputError(f'the aim must be "cost" or "score", not {domain.aim!r}')
        _check_sizes(domain)
        self.domain = domain
        following = lib.soloist_next_block if domain.blocks else lib.soloist_next_line
        self.life.next = ctypes.cast(following, dict(c.Life._fields_)["next"])
        lines = (domain.__doc__ or domain.name).strip().splitlines()
        self.table.summary = summary = lines[0].encode() if lines else b""
        self.table.aim = c.LEAST_COST if domain.aim == "cost" else c.MOST_SCORE
        bounded = domain.aim == "cost" or _overrides(domain, "bound")
        self.table.bound = ctypes.pointer(_BOUND) if bounded else None
        reverse = _overrides(domain, "goals") and _overrides(domain, "back")
        self.table.reverse = ctypes.pointer(_REVERSE) if reverse else None
        # A puzzle keeps the table that it was read with, also when the class is replaced.
        self._versions.append((c.Domain.from_buffer_copy(self.table), summary))

    def _recognise(self, text: int, length: int) -> int:
        try:
            likely = self.domain.recognise(ctypes.string_at(text, length).decode("utf-8", "replace"))
            if not 0 <= operator.index(likely) <= 100:
                raise InputError(f"recognise of {self.domain.name} returned {likely}: expected 0 to 100")
            return operator.index(likely)
        except BaseException as error:  # it must not get into the engine
            _engine.raised_in_recognising.setdefault(threading.get_ident(), error)
            return 0

    def _parse(self, chunk: Any, options: int, error: Any) -> Optional[int]:
        told = chunk.contents
        try:
            text = ctypes.string_at(told.text, told.length).decode("utf-8", "replace")
            game = _Game(self.domain(text), self._versions[-1][0])
        except ValueError as wrong:
            line = max(_place(wrong, "line"), 1)
            sentence = str(wrong) or f"not an instance of {self.domain.name}"
            _refuse(error, told.line + line - 1, _place(wrong, "column"), sentence)
            return None
        except BaseException as other:
            _refuse(error, told.line, 0, "the domain's rules have raised an exception")
            _engine.raised_in_reading[addressof(error.contents)] = other
            return None
        address = next(_addresses)
        _games[address] = game
        return address


_entries: dict[str, _Entry] = {}


def add_domain(domain: D) -> D:
    """Makes a domain known to the engine: ``soloist.solve(text, domain=name)``. Use it as a decorator.

    A domain that is added again replaces the former one of that name; puzzles that were read before keep its rules and
    its aim.
    """
    if not isinstance(domain, type) or not issubclass(domain, Domain):
        raise TypeError(f"domain: expected a subclass of Domain, not {domain!r}")
    entry = _entries.get(domain.name)
    if entry is not None:
        entry.set(domain)
        return domain
    entry = _Entry(domain)
    _engine.add(lib.soloist_add_domain, ctypes.pointer(entry.table))
    _entries[domain.name] = entry
    return domain


def game_of(puzzle: Puzzle) -> Domain:
    """The object of your class that holds the rules of a puzzle."""
    expect("puzzle", puzzle, Puzzle, "a Puzzle")
    game = _games.get(puzzle._c.instance)
    if game is None:
        raise UnsupportedError(f"{puzzle.domain} is not written in Python")
    return game.game


def value_of(state: State) -> Any:
    """Your own value of a state, for example of the last state of a replayed solution."""
    expect("state", state, State, "a State")
    game_of(state.puzzle)
    return _games[state.puzzle._c.instance].value_of(state._bytes)


def check_rules(puzzle: Puzzle, seed: int = 1, walks: int = 20, steps: int = 200) -> None:
    """Plays at random and compares the results of the rules with each other; raises what is wrong.

    Raises:
        InputError: the rules contradict each other; the sentence says how.
    """
    expect("puzzle", puzzle, Puzzle, "a Puzzle")
    start, most = whole("seed", seed), 2**31 - 1
    walks, steps, error = whole("walks", walks, 0, most), whole("steps", steps, 0, most), c.Error()
    with _engine.guarded(puzzle._c.instance, None):
        kept = lib.soloist_validate(byref(puzzle._c), start, walks, steps, byref(error))
    sentence = c.text_of(error.text)
    if not kept and puzzle._c.instance in _games and "print" in sentence:
        raise InputError(f"{sentence}: write must return a text that __init__ reads as the same state")
    if not kept:
        c.fail(c.BAD_INPUT, error)
