"""The one engine of this process, and how long calls into it are made so that Ctrl-C works."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from ctypes import byref
from typing import Any, Callable, Iterator, TypeVar

from ._library import OK, Error, Limits, Owner, fail, lib
from .errors import SoloistError

T = TypeVar("T")

_lock = threading.Lock()
_engine: int | None = None
_working = 0  # number of calls that are in the engine right now
_additions: list[tuple[Any, Any]] = []  # domains and methods that were added: the function that adds, and the table

# For domains that are written in Python (rules.py): their games by instance, and the exceptions that reading a text has
# raised, by the address of the soloist_error.
user_games: dict[int, Any] = {}
raised_in_reading: dict[int, BaseException] = {}
# The exceptions of their method recognise, by the thread that asks.
raised_in_recognising: dict[int, BaseException] = {}


def engine() -> int:
    """The engine (a ``soloist *``), made when it is first needed. It lives as long as the process."""
    global _engine
    if _engine is None:
        with _lock:
            if _engine is None:
                _engine = _new_engine()
    return _engine


def _new_engine() -> int:
    made = lib.soloist_new()
    if not made:
        raise MemoryError("no memory for the engine")
    for function, table in _additions:
        function(made, table, None)
    return made


def add(function: Any, table: Any) -> None:
    """Adds a domain (``function`` is soloist_add_domain) or a method (soloist_add_method) to the engine.

    The table must stay where it is as long as the process lives.
    """
    own, error = engine(), Error()
    with _lock:
        if _working:
            raise SoloistError("domains and methods cannot be added while something is being solved")
        code = function(own, table, byref(error))
        if code == OK:
            _additions.append((function, table))
    if code != OK:
        fail(code, error)


def _after_fork() -> None:
    """In a child process: if another thread was in the engine, its locks may be held for ever: use a new engine."""
    global _engine, _lock, _working
    if _working:
        _engine = None
    _lock = threading.Lock()
    _working = 0


os.register_at_fork(after_in_child=_after_fork)


class StopToken(Owner):
    """A stop token of the engine: ``cancel`` ends the call that uses it, from any thread.

    It can be neither copied nor pickled, and it does not reach other processes.
    """

    __slots__ = ("pointer", "parts")

    def __init__(self) -> None:
        self.pointer = lib.soloist_stop_token_new()
        if not self.pointer:
            raise MemoryError("no memory for a stop token")
        self.parts: list[StopToken] = []  # tokens that are cancelled together with this one

    def cancel(self) -> None:
        lib.soloist_stop_token_cancel(self.pointer)
        for part in list(self.parts):
            part.cancel()

    def __del__(self) -> None:
        pointer = getattr(self, "pointer", None)
        if pointer:
            lib.soloist_stop_token_free(pointer)


def interruptible(work: Callable[[], T], stop: StopToken) -> T:
    """Returns ``work()``, which spends its time in the engine and ends soon after ``stop`` is cancelled.

    Python runs signal handlers in the main thread only, and not while that is inside a C function. So a call from the
    main thread does the work in a thread of its own and waits for it; if a handler raises (Ctrl-C), the work is
    cancelled and waited for, and the exception goes on. The thread has ended when this function returns.
    """
    global _working
    with _lock:
        _working += 1
    try:
        if threading.current_thread() is not threading.main_thread():
            return work()
        return _in_thread(work, stop)
    finally:
        with _lock:
            _working -= 1


@contextmanager
def guarded(instance: int, stop: StopToken | None) -> Iterator[None]:
    """Around a call that uses an instance: if rules that are written in Python raise, the call ends by ``stop``, and the
    exception is raised here. So it is in each of several calls that use the instance at once."""
    game = user_games.get(instance)
    if game is None:
        yield
        return
    if stop is not None:
        game.stops.append(stop)
    ended_by: BaseException | None = None
    try:
        yield
    except Exception:
        if game.raised is None and id(stop) not in game.ended_by:
            raise
    finally:
        if stop is not None:
            game.stops.remove(stop)
            ended_by = game.ended_by.pop(id(stop), None)
    raise_from_rules(instance)
    if ended_by is not None:
        raise ended_by


class Room:
    """The memory limit of one call for the states of rules that are written in Python.

    Attributes:
        limit: bytes that the states of the call may take; 0: no limit.
        first: bytes that the puzzle's states took before the call.
        used, most_used: bytes that the states of the call take now, and the most that they have taken.
        full: whether the limit was reached, which cancels ``stop``.
    """

    def __init__(self, limit: int, first: int, stop: StopToken) -> None:
        self.limit, self.first, self.stop = limit, first, stop
        self.used = self.most_used = 0
        self.full = False

    def count(self, memory: int) -> None:
        """The puzzle's states now take so many bytes."""
        self.used = max(memory - self.first, 0)
        self.most_used = max(self.most_used, self.used)
        if self.limit and self.used > self.limit and not self.full:
            self.full = True
            self.stop.cancel()


@contextmanager
def within(instance: int, limits: Limits, stop: StopToken) -> Iterator[tuple[Limits, Room | None]]:
    """Around a call that searches: the limits to pass, and for rules that are written in Python the room of their states.

    The exceptions of such rules are raised here. The call has a stop token of its own then, because one puzzle that
    fills its memory must not end the search of others.
    """
    game = user_games.get(instance)
    if game is None:
        yield limits, None
        return
    own = StopToken()
    inner = Limits.from_buffer_copy(limits)
    inner.stop = own.pointer
    room = Room(limits.memory, game.memory, own)
    stop.parts.append(own)
    game.rooms.append(room)
    if lib.soloist_stopped(stop.pointer):
        own.cancel()
    try:
        with guarded(instance, own):
            yield inner, room
    finally:
        room.count(game.memory)
        game.rooms.remove(room)
        stop.parts.remove(own)


def raise_from_rules(instance: int) -> None:
    """Raises what rules that are written in Python have raised."""
    game = user_games.get(instance)
    if game is not None and game.raised is not None:
        error, game.raised = game.raised, None
        raise error


def _in_thread(work: Callable[[], T], stop: StopToken) -> T:
    outcome: list[Any] = [None, None]
    # A signal handler that raises while Thread.join waits makes Python 3.11 believe that the thread has ended; waiting
    # for a lock has no such fault.
    finished = threading.Lock()
    finished.acquire()
    # Events in the order in which they come; a threading.Event would stay locked if a signal handler raised in it.
    events: list[str] = []

    def run() -> None:
        events.append("begun")
        try:
            if "abandoned" not in events:
                outcome[0] = work()
        except BaseException as error:  # handed to the thread that waits
            outcome[1] = error
        finally:
            events.append("ended")
            finished.release()

    def give_up() -> None:
        events.append("abandoned")
        stop.cancel()
        while "begun" in events and "ended" not in events:
            finished.acquire()

    thread = threading.Thread(target=run, name="soloist", daemon=True)
    try:
        thread.start()
        finished.acquire()
    except BaseException:
        _insist(give_up)
        if "begun" in events:
            thread.join()
        raise
    thread.join()
    if outcome[1] is not None:
        raise outcome[1]
    return outcome[0]


def _insist(work: Callable[[], Any]) -> None:
    """Calls the function until no signal handler has raised in it, however often Ctrl-C is pressed: the engine has been
    told to stop, and does so soon. A handler may also raise between two calls, so there are two loops."""
    while True:
        try:
            while True:
                try:
                    work()
                    return
                except BaseException:  # the first exception goes on, as soon as the work has ended
                    pass
        except BaseException:
            pass
