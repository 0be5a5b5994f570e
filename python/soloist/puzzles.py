"""Puzzles, their states, and collections of puzzles."""

from __future__ import annotations

import ctypes
import numbers
import os
import threading
from ctypes import byref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence, Union, overload

from . import _library as c
from ._engine import (
    StopToken,
    engine,
    guarded,
    interruptible,
    raise_from_rules,
    raised_in_reading,
    raised_in_recognising,
    user_games,
)
from ._library import lib
from ._quantities import Count, expect, expect_text, positive, text_bytes, whole
from .errors import InputError

if TYPE_CHECKING:
    from .results import Advice, Result, Solution

Options = Union[str, Mapping[str, Any], None]
_LONG_TEXT = 20000  # reading a longer text may take so long that Ctrl-C must end it


def option_text(options: Options) -> bytes:
    """Options as the engine reads them, "key=value,..."; a mapping may be given instead of the text."""
    if options is None:
        return b""
    if isinstance(options, str):
        return text_bytes("options", options)
    expect("options", options, Mapping, 'a mapping or a text "key=value,..."')
    spelled = {True: "true", False: "false"}
    text = ",".join(f"{key}={spelled[value] if isinstance(value, bool) else value}" for key, value in options.items())
    return text_bytes("options", text)


def find_domain(name: str) -> Any:
    """The domain of that name (a pointer to soloist_domain)."""
    found = lib.soloist_find_domain(engine(), text_bytes("domain", name))
    if not found:
        raise InputError(f"there is no domain {name}: domains() lists them")
    return found


def recognise(text: bytes) -> Any:
    """The domain to which a file's text most likely belongs."""
    found = lib.soloist_recognise(engine(), text, len(text))
    raised = raised_in_recognising.pop(threading.get_ident(), None)
    if raised is not None:
        raise raised
    if not found:
        raise InputError("no domain recognises the text: name one, such as domain='sokoban'")
    return found


def domains() -> dict[str, str]:
    """The domains by name, with one line about each."""
    listed, index = {}, 0
    while True:
        found = lib.soloist_domain_at(engine(), index)
        if not found:
            return listed
        listed[c.text_of(found.contents.name)] = c.text_of(found.contents.summary)
        index += 1


def _chunks(domain: Any, text: bytes) -> Iterator[tuple[bytes, int, str]]:
    """The instances of a file's text: text, first line and name of each."""
    cursor = lib.soloist_cursor_open(text, len(text))
    chunk = c.Chunk()
    following = domain.contents.life.contents.next
    while following(byref(cursor), byref(chunk)):
        yield ctypes.string_at(chunk.text, chunk.length), chunk.line, c.text_of(chunk.name)


class Puzzle:
    """One puzzle: a text that the rules of a domain have read. It never changes.

    Args:
        text: the puzzle in the file format of its domain, such as XSB for Sokoban. It must hold one instance; a
            collection is read by :func:`read`, :func:`read_file` and :func:`levels`.
        domain: the domain's name; None: recognised from the text.
        options: options of the domain, as a mapping or as text, "key=value,...".
        name: a title; by default the one in the text.

    Raises:
        InputError: the text is wrong; ``line`` and ``column`` say where.

    Puzzles are equal if their domain, text and options are. They pickle by these.
    """

    __slots__ = ("domain", "text", "options", "name", "line", "_c", "_shape", "__weakref__")

    domain: str
    text: str
    options: str
    name: str
    line: int

    def __init__(self, text: str, domain: str | None = None, options: Options = None, name: str | None = None) -> None:
        raw = text_bytes("text", text, "surrogateescape")
        expect("name", name, (str, type(None)), "a text or None")
        found = recognise(raw) if domain is None else find_domain(domain)
        chunks = list(_chunks(found, raw))
        if len(chunks) != 1:
            count = f"{len(chunks)} puzzles" if chunks else "no puzzle"
            raise InputError(f"the text holds {count} of {c.text_of(found.contents.name)}; read() reads collections")
        chunk, line, title = chunks[0]
        self._open(found, chunk, line, title if name is None else name, option_text(options))

    @classmethod
    def _of_chunk(
        cls, domain: Any, text: bytes, line: int, name: str, options: bytes, stop: StopToken | None = None
    ) -> Puzzle:
        puzzle = cls.__new__(cls)
        puzzle._open(domain, text, line, name, options, stop)
        return puzzle

    def _open(
        self, domain: Any, text: bytes, line: int, name: str, options: bytes, stop: StopToken | None = None
    ) -> None:
        read, error, title = c.Puzzle(), c.Error(), text_bytes("name", name)[:127]
        chunk = c.Chunk(ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p), len(text), line, title)
        long = stop is None and len(text) > _LONG_TEXT
        stop = StopToken() if long else stop

        def work() -> int:
            pointer = stop.pointer if stop else None
            return lib.soloist_puzzle_read_within(domain, options, byref(chunk), pointer, byref(read), byref(error))

        code = interruptible(work, stop) if long and stop else work()
        if code != c.OK:
            raised = raised_in_reading.pop(ctypes.addressof(error), None)
            if raised is not None:
                raise raised
            c.fail(code, error)
        game = user_games.get(read.instance)
        if game is not None:
            read.domain = ctypes.pointer(game.table)
        self._c = read
        self.domain = c.text_of(domain.contents.name)
        self.text = text.decode("utf-8", "surrogateescape")
        self.options = options.decode()
        self.name = name
        self.line = line
        self._shape = c.Shape()
        domain.contents.life.contents.shape(read.instance, byref(self._shape))
        raise_from_rules(read.instance)

    def __del__(self) -> None:
        read = getattr(self, "_c", None)
        if read is not None:
            lib.soloist_puzzle_free(byref(read))

    # ---- playing ----

    @property
    def root(self) -> State:
        """The first state."""
        state = ctypes.create_string_buffer(self._shape.state_size)
        self._table.life.contents.root(self._c.instance, state)
        return State(self, state.raw, 0, 0)

    @property
    def aim(self) -> str:
        """What is wanted: ``"cost"`` (as little as possible) or ``"score"`` (as much as possible)."""
        return "cost" if self._table.aim == c.LEAST_COST else "score"

    @property
    def _table(self) -> Any:
        return self._c.domain.contents

    def read_solution(self, text: str) -> list[int]:
        """The moves of a solution's text, from the first state. They are read, but not played: see :meth:`check`."""
        raw, error = text_bytes("text", text), c.Error()
        reader = self._table.text.contents.read
        with guarded(self._c.instance, None):
            count = reader(self._c.instance, raw, len(raw), None, 0, byref(error))
        if count < 0:
            c.fail(c.BAD_INPUT, error)
        moves = (c.Move * max(count, 1))()
        reader(self._c.instance, raw, len(raw), moves, count, byref(error))
        return list(moves[:count])

    def write_solution(self, moves: Iterable[int]) -> str:
        """A line of legal moves from the first state, in the notation that other programs for this puzzle use."""
        state = self.root
        played = []
        for move in moves:
            state = state.apply(move)
            played.append(move)
        numbers = (c.Move * max(len(played), 1))(*played)
        with guarded(self._c.instance, None):
            return c.take_text(lib.soloist_line_text(byref(self._c), numbers, len(played)))

    # ---- what the module's functions do, for this puzzle ----

    def solve(self, **limits: Any) -> Result:
        """The same as :func:`soloist.solve` for this puzzle."""
        from .solving import solve

        return solve(self, **limits)

    def check(self, solution: str) -> Solution:
        """The same as :func:`soloist.check` for this puzzle."""
        from .solving import check

        return check(self, solution)

    def hint(self, **limits: Any) -> Advice:
        """The same as :func:`soloist.hint` for this puzzle."""
        from .solving import hint

        return hint(self, **limits)

    def explain(self, **limits: Any) -> Advice:
        """The same as :func:`soloist.explain` for this puzzle."""
        from .solving import explain

        return explain(self, **limits)

    # ---- as an object ----

    def svg(self, square: float = 32) -> str:
        """The first position as a picture; ``square`` is the width of a square of the board."""
        width = positive("square", square)
        if self._c.instance in user_games:
            return self.root.svg(width)
        return c.take_text(lib.soloist_draw(engine(), byref(self._c), None, width))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        # The engine would read the text again, and exceptions of rules that are written in Python would be lost.
        if self._c.instance in user_games:
            return str(self.root)
        return c.take_text(lib.soloist_root_text(engine(), byref(self._c))).rstrip("\n")

    def __repr__(self) -> str:
        title = f" {self.name!r}" if self.name else ""
        return f"<soloist.Puzzle {self.domain}{title}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Puzzle):
            return NotImplemented
        return (self.domain, self.text, self.options) == (other.domain, other.text, other.options)

    def __hash__(self) -> int:
        return hash((self.domain, self.text, self.options))

    def __copy__(self) -> Puzzle:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Puzzle:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle_puzzle, (self.domain, self.text, self.line, self.name, self.options)


def _unpickle_puzzle(domain: str, text: str, line: int, name: str, options: str) -> Puzzle:
    raw = text.encode("utf-8", "surrogateescape")
    return Puzzle._of_chunk(find_domain(domain), raw, line, name, options.encode())


class State:
    """One position of a puzzle. It never changes: :meth:`apply` returns a new one.

    Attributes:
        puzzle: the puzzle that is played.
        value: the sum of the steps that led here: their cost, or the score that they gained.
        depth: how many moves led here.

    States are equal if they are the same position of equal puzzles, no matter how they were reached.
    """

    __slots__ = ("puzzle", "value", "depth", "_bytes", "_moves")

    def __init__(self, puzzle: Puzzle, raw: bytes, value: int, depth: int) -> None:
        self.puzzle = puzzle
        self.value = value
        self.depth = depth
        self._bytes = raw
        self._moves: tuple[int, ...] | None = None

    @property
    def moves(self) -> tuple[int, ...]:
        """The legal moves, in a fixed order. A move is a number whose meaning is the domain's own."""
        if self._moves is None:
            puzzle = self.puzzle
            room = (c.Move * (puzzle._shape.most_moves + 1))()
            count = puzzle._table.core.contents.moves(puzzle._c.instance, self._bytes, room)
            if user_games:
                raise_from_rules(puzzle._c.instance)
            self._moves = tuple(room[:count])
        return self._moves

    def apply(self, move: int) -> State:
        """The state after a legal move."""
        self._expect_legal(move)
        puzzle = self.puzzle
        after = ctypes.create_string_buffer(self._bytes, len(self._bytes))
        step = puzzle._table.core.contents.apply(puzzle._c.instance, after, move, None)
        if user_games:
            raise_from_rules(puzzle._c.instance)
        return State(puzzle, after.raw, self.value + step, self.depth + 1)

    def children(self) -> Iterator[tuple[int, State]]:
        """Every legal move with the state that it leads to."""
        return ((move, self.apply(move)) for move in self.moves)

    def _expect_legal(self, move: int) -> None:
        expect("move", move, numbers.Integral, "a whole number")
        if move not in self.moves:
            raise InputError(f"{move} is not a legal move in this state")

    def move_text(self, move: int) -> str:
        """A legal move for a person to read."""
        self._expect_legal(move)
        with guarded(self.puzzle._c.instance, None):
            return c.take_text(lib.soloist_move_text(byref(self.puzzle._c), self._bytes, move))

    def _ended(self) -> int | None:
        last = ctypes.c_int32()
        puzzle = self.puzzle
        ended = puzzle._table.core.contents.ended(puzzle._c.instance, self._bytes, byref(last))
        if user_games:
            raise_from_rules(puzzle._c.instance)
        return last.value if ended else None

    @property
    def ended(self) -> bool:
        """Whether this is a goal, or the end of play."""
        return self._ended() is not None

    @property
    def score(self) -> int:
        """``value``, plus what the end adds if the game has ended here."""
        return self.value + (self._ended() or 0)

    @property
    def key(self) -> int:
        """A 64-bit hash of the position, the same on every machine. Different positions may share a key."""
        key = self.puzzle._table.core.contents.key(self.puzzle._c.instance, self._bytes)
        if user_games:
            raise_from_rules(self.puzzle._c.instance)
        return key

    @property
    def bound(self) -> int | None:
        """The least cost that is still to come, or the most score, as far as the domain's bound knows.

        None: the domain has no bound. ``math.inf`` is never returned: a state without a solution has ``dead`` set.
        """
        group = self.puzzle._table.bound
        bound = group.contents.value(self.puzzle._c.instance, self._bytes) if group else None
        if user_games:
            raise_from_rules(self.puzzle._c.instance)
        return bound

    @property
    def dead(self) -> bool:
        """Whether the domain's bound proves that no goal can be reached from here."""
        return self.puzzle.aim == "cost" and self.bound == c.DEAD

    def as_puzzle(self) -> Puzzle:
        """A puzzle that begins here, for example to ask for a hint in the middle of a game."""
        return Puzzle(str(self), self.puzzle.domain, self.puzzle.options, self.puzzle.name)

    def svg(self, square: float = 32) -> str:
        """The position as a picture; ``square`` is the width of a square of the board."""
        width = positive("square", square)
        with guarded(self.puzzle._c.instance, None):
            return c.take_text(lib.soloist_draw(engine(), byref(self.puzzle._c), self._bytes, width))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        with guarded(self.puzzle._c.instance, None):
            return c.take_text(lib.soloist_state_text(byref(self.puzzle._c), self._bytes)).rstrip("\n")

    def __repr__(self) -> str:
        return f"<soloist.State {self.puzzle.domain} depth={self.depth} value={self.value}>"

    @property
    def _position(self) -> Any:
        """What equal puzzles share: the bytes, or for rules that are written in Python the value that they number."""
        game = user_games.get(self.puzzle._c.instance) if user_games else None
        return self._bytes if game is None else game.value_of(self._bytes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.puzzle is other.puzzle:
            return self._bytes == other._bytes
        return self.puzzle == other.puzzle and self._position == other._position

    def __hash__(self) -> int:
        return hash(self._position)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle_state, (self.puzzle, self._position, self.value, self.depth)


def _unpickle_state(puzzle: Puzzle, position: Any, value: int, depth: int) -> State:
    game = user_games.get(puzzle._c.instance)
    return State(puzzle, position if game is None else game.bytes_of(position), value, depth)


class Collection(Sequence["Puzzle"]):
    """The puzzles of one text, read when they are asked for. ``collection[0]`` is the one that other programs call 1.

    An instance that is wrong raises :class:`InputError` when it is asked for; :func:`soloist.solve` reports it as a
    result with the status "invalid" and goes on.
    """

    def __init__(
        self, text: str | bytes, domain: str | None = None, options: Options = None, name: str = ""
    ) -> None:
        expect("text", text, (str, bytes), "a text")
        expect_text("name", name)
        raw = text if isinstance(text, bytes) else text_bytes("text", text, "surrogateescape")
        found = recognise(raw) if domain is None else find_domain(domain)
        self.name = name
        self.domain = c.text_of(found.contents.name)
        self.options = option_text(options).decode()
        # text, first line, name and number (counted from 1) of each puzzle
        self._chunks = [(*chunk, number) for number, chunk in enumerate(_chunks(found, raw), 1)]

    def __len__(self) -> int:
        return len(self._chunks)

    def _open(self, index: int, more_options: bytes = b"", stop: StopToken | None = None) -> Puzzle:
        text, line, name, _ = self._chunks[index]
        options = b",".join(part for part in (self.options.encode(), more_options) if part)
        return Puzzle._of_chunk(find_domain(self.domain), text, line, name, options, stop)

    @overload
    def __getitem__(self, index: int) -> Puzzle: ...

    @overload
    def __getitem__(self, index: slice) -> Collection: ...

    def __getitem__(self, index: int | slice) -> Puzzle | Collection:
        if isinstance(index, slice):
            part = Collection.__new__(Collection)
            part.name, part.domain, part.options = self.name, self.domain, self.options
            part._chunks = self._chunks[index]
            return part
        return self._open(index)

    def titles(self) -> list[str]:
        """The titles of all puzzles, in order; "" where there is none."""
        return [name for _, _, name, _ in self._chunks]

    def numbers(self) -> list[int]:
        """The numbers of all puzzles, counted from 1 in the text that they come from; a slice keeps them."""
        return [number for _, _, _, number in self._chunks]

    def __repr__(self) -> str:
        title = f" {self.name!r}" if self.name else ""
        return f"<soloist.Collection {self.domain}{title}: {len(self)} puzzles>"


def read(text: str, domain: str | None = None, options: Options = None, name: str = "") -> Collection:
    """The puzzles in a text that holds any number of them."""
    return Collection(text, domain, options, name)


def read_file(path: str | os.PathLike[str], domain: str | None = None, options: Options = None) -> Collection:
    """The puzzles in a file."""
    return Collection(Path(path).read_bytes(), domain, options, os.fspath(path))


def _folders() -> bytes:
    """Where our own level sets are: in the wheel, in a checkout, or beside an installed library."""
    here = Path(__file__).resolve().parent
    library = Path(c.loaded_from()).resolve().parent
    places = [here / "data", here.parent.parent / "data"]
    places += [library / up / "share" / "soloist" for up in ("..", "../..")]
    return os.fsencode(os.pathsep.join(str(place.resolve()) for place in places if place.is_dir()))


def level_sets() -> list[str]:
    """The names of the installed level sets: our own, and those of the Debian packages that have some."""
    names: dict[str, None] = {}
    found = c.FoundFunction(lambda user, name, folder: names.setdefault(c.text_of(name)))
    if lib.soloist_level_sets(_folders(), found, None) != c.OK:
        raise MemoryError("the engine has no memory left")
    return sorted(names)


def levels(name: str, domain: str | None = None, options: Options = None) -> Collection:
    """The installed level set of that name, such as "microban1"; :func:`level_sets` lists the names."""
    text, length = ctypes.c_void_p(), ctypes.c_size_t()
    if lib.soloist_level_set(text_bytes("name", name), _folders(), byref(text), byref(length)) != c.OK:
        raise MemoryError("the engine has no memory left")
    if not text.value:
        raise InputError(f"there is no level set {name}: level_sets() lists the installed ones")
    raw = ctypes.string_at(text.value, length.value)
    lib.soloist_text_free(text.value)
    return Collection(raw, domain, options, name)


def generate(domain: str, count: Count = 1, seed: Count = 1, options: Options = None) -> list[Puzzle]:
    """New puzzles: the same ones that `soloist generate` makes with this seed and these options.

    Args:
        domain: its name; the domain must have a generator.
        count: how many. A larger count gives the same puzzles first.
        seed: the random seed.
        options: options of the generator, as a mapping or as text, "key=value,...".
    """
    stop = StopToken()
    found, wanted, start = find_domain(domain), option_text(options), whole("seed", seed)
    total = whole("count", count)

    def work() -> list[str]:
        texts = []
        for index in range(total):
            if lib.soloist_stopped(stop.pointer):
                break
            text, error = ctypes.c_void_p(), c.Error()
            code = lib.soloist_make(found, wanted, start, index, byref(text), byref(error))
            if code != c.OK:
                c.fail(code, error)
            texts.append(c.take_text(text.value))
        return texts

    return [Puzzle(text, domain) for text in interruptible(work, stop)]
