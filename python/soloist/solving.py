"""Solving, and what is done with solutions: the referee, shortening, hints and explanations."""

from __future__ import annotations

import os
import threading
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Optional, Sequence, Union, overload

from . import _library as c
from ._engine import Room, StopToken, engine, guarded, interruptible, within
from ._library import lib
from ._quantities import Count, Seconds, Size, expect, expect_function, seconds, size, text_bytes, whole
from .errors import InputError, InternalError, SoloistError, UnsupportedError
from .puzzles import Collection, Options, Puzzle, find_domain
from .results import Advice, Progress, Result, Solution

ProgressCallback = Callable[[Progress], Any]


@dataclass
class _Question:
    """One call of solve: the limits of each of its solves, and what they share."""

    method: Optional[bytes]
    limits: c.Limits
    stop: StopToken
    objective: str = "any"
    first: bool = False
    polish: float = 0.0
    warning: str = ""  # for every result
    on_progress: Optional[ProgressCallback] = None
    network_may_idle: bool = False  # the caller has named one, and the chosen method need not ask it
    # The first exception in a callback: it stops everything and is raised at the end.
    raised: Optional[BaseException] = None

    def guard(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function of the user; if it raises, the search ends, and the exception is raised at the end."""
        if self.raised is not None:
            return None
        try:
            return function(*arguments)
        except BaseException as error:  # it must not get into the engine
            self.raised = error
            self.stop.cancel()
            return None

    def see(self, number: int, sight: c.Sight, room: Optional[Room]) -> None:
        told = sight.progress.contents
        self.guard(
            self.on_progress,
            Progress(
                id=number,
                time_s=told.time_s,
                nodes=told.nodes,
                expanded=told.expanded,
                iterations=told.iterations,
                memory=told.memory + (room.used if room else 0),
                best=told.best if told.has_best else None,
                solution=c.text_of(sight.line) if sight.line else None,
                note=c.text_of(told.note),
            ),
        )


def _limits(
    time: Seconds,
    nodes: Count,
    iterations: Count,
    memory: Size,
    threads: Count,
    seed: Count,
    stop: StopToken,
) -> c.Limits:
    room = lib.soloist_free_memory() // 2 if memory is None else size("memory", memory)
    return c.Limits(
        seconds("time", time),
        whole("nodes", nodes),
        whole("iterations", iterations),
        room,
        _few("threads", threads) or 1,
        whole("seed", seed),
        stop.pointer,
        None,
    )


def _token(stop: Optional[StopToken]) -> StopToken:
    expect("stop", stop, (StopToken, type(None)), "a StopToken or None")
    return StopToken() if stop is None else stop


def _method(method: Optional[str]) -> Optional[bytes]:
    expect("method", method, (str, type(None)), "a text or None")
    return text_bytes("method", method) if method else None


def _call_solver(
    question: _Question,
    puzzle: Puzzle,
    number: int,
    limits: c.Limits,
    room: Optional[Room],
    result: c.Result,
    error: c.Error,
) -> int:
    if question.on_progress is None:
        return lib.soloist_solve(
            engine(), byref(puzzle._c), question.method, byref(limits), None, byref(result), byref(error)
        )
    see = c.SeeFunction(lambda user, sight: question.see(number, sight.contents, room))
    watcher = c.Watcher(c.ctypes.sizeof(c.Watcher), see, None, 0.2, 0)
    return lib.soloist_watch(
        engine(), byref(puzzle._c), question.method, byref(limits), byref(watcher), byref(result), byref(error)
    )


def _solve_puzzle(question: _Question, puzzle: Puzzle, number: int) -> Result:
    """Solves and shortens, as `soloist solve` does. It is called by a thread that may spend long in the engine."""
    result, error = c.Result(), c.Error()
    shortening = c.Shortening(c.ctypes.sizeof(c.Shortening), question.objective.encode(), question.polish)
    try:
        code = lib.soloist_shorten(byref(puzzle._c), None, None, byref(shortening), byref(result), byref(error))
        if code != c.OK:  # there is no solution yet, so only the objective was read
            c.fail(code, error)
        with within(puzzle._c.instance, question.limits, question.stop) as (limits, room):
            code = _call_solver(question, puzzle, number, limits, room, result, error)
        if code not in (c.OK, c.NO_MEMORY, c.STOPPED):
            c.fail(code, error)
        if result.solution and not question.first:
            lib.soloist_shorten(
                byref(puzzle._c), byref(question.limits), None, byref(shortening), byref(result), byref(error)
            )
        return _result(question, puzzle, number, code, result, shortening, room)
    finally:
        lib.soloist_result_free(byref(result))


def _result(
    question: _Question,
    puzzle: Puzzle,
    number: int,
    code: int,
    told: c.Result,
    shortening: c.Shortening,
    room: Optional[Room],
) -> Result:
    found = told.solution is not None
    stopped = "memory" if code == c.NO_MEMORY else c.STOPS[told.stopped]
    if room and room.full and stopped == "cancel" and not lib.soloist_stopped(question.stop.pointer):
        stopped = "memory"
    value = told.verdict.value if found else None
    least_cost = puzzle.aim == "cost"
    idle = ""
    if question.network_may_idle and not told.has_evaluations:
        idle = "network has no effect: no search asked it; name a method that does, such as phs or pv-mcts"
    result = Result(
        id=number,
        name=puzzle.name,
        domain=puzzle.domain,
        status=c.STATUSES[told.status],
        stopped=stopped,
        solution=c.text_of(told.solution) if found else None,
        pushes=told.verdict.pushes if found and told.verdict.pushes >= 0 else None,
        moves=told.verdict.moves if found else None,
        cost=value if least_cost else None,
        score=None if least_cost else value,
        optimal=told.optimal,
        time_s=told.time_s,
        nodes=told.nodes,
        expanded=told.expanded if told.has_expanded else None,
        iterations=told.iterations if told.has_iterations else None,
        playouts=told.playouts if told.has_playouts else None,
        evaluations=told.evaluations if told.has_evaluations else None,
        eliminated=told.eliminated if told.has_tree else None,
        skipped=told.skipped if told.has_tree else None,
        moved=told.moved if told.has_tree else None,
        tree_depth=told.tree_depth if told.has_tree else None,
        peak_mb=(told.peak_bytes + (room.most_used if room else 0) + (1 << 20) - 1) >> 20,
        method=c.text_of(told.method) or None,
        **_details(puzzle, told, shortening),
        polish_nodes=shortening.nodes,
        polish_s=shortening.time_s,
        warning="; ".join(said for said in (c.text_of(told.warning), question.warning, idle) if said),
    )
    return _of_puzzle(puzzle, result)


def _details(puzzle: Puzzle, told: c.Result, shortening: c.Shortening) -> dict[str, Any]:
    """What is proved about a solution, and what players count in it."""
    details = c.Details(c.ctypes.sizeof(c.Details))
    code = lib.soloist_describe(byref(puzzle._c), byref(told), byref(details))
    if code != c.OK:
        c.fail(code, c.Error())
    names = ("box_lines", "box_changes", "pushing_sessions", "player_lines", "blocks_left")
    counts = {name: getattr(details, name) for name in names}
    found: dict[str, Any] = {name: None if count < 0 else count for name, count in counts.items()}
    proved = c.text_of(shortening.optimal_for or details.optimal_for) if told.optimal else ""
    cleared = None if found["blocks_left"] is None else not found["blocks_left"]
    return {**found, "cleared": cleared, "optimal_for": proved or None}


def _of_puzzle(puzzle: Puzzle, result: Result) -> Result:
    object.__setattr__(result, "_puzzle", puzzle)
    return result


def _objective_options(domain: str, objective: str) -> bytes:
    """The domain's option that says which cost the search counts, if the domain has several costs."""
    text_bytes("objective", objective)
    if objective == "any":
        return b""
    first = objective.split("-")[0]
    if first not in ("pushes", "moves"):
        raise InputError(f"the objective {objective} must begin with pushes or moves, or be any")
    rows, index = find_domain(domain).contents.options, 0
    while rows and rows[index].kind != c.OPTION_END:
        if rows[index].name == b"optimal":
            return b"optimal=" + first.encode()
        index += 1
    return b""


def _choose_method(domain: str, method: Optional[str], objective: str) -> Optional[bytes]:
    if objective == "any":
        return _method(method)
    found, chosen = find_domain(domain), _method(method) or b"astar"
    if found.contents.aim == c.MOST_SCORE:
        raise UnsupportedError(f"objective={objective!r} asks for the least cost, but {domain} wants the highest score")
    if domain in _SHORTENED and not _objective_options(domain, objective) and not objective.startswith("moves"):
        raise UnsupportedError(f"objective={objective!r}: the cost of {domain} is the number of moves")
    if not lib.soloist_method_proves(engine(), found, chosen):
        raise UnsupportedError(f"{method} does not prove that a solution is optimal: use astar, idastar or bfs")
    return chosen


_SHORTENED = ("sokoban", "sokoban-moves")  # the domains whose solutions the engine can shorten


def _ignored(method: Optional[bytes], given: dict[str, bool]) -> list[str]:
    """Which of the arguments that the caller has given have no effect on the method, in the words of `soloist solve`."""
    said = []
    for name in (name for name, was_given in given.items() if was_given):
        why = lib.soloist_method_ignores(engine(), method, name.encode())
        if why:
            said.append(f"{name} has no effect: {c.text_of(method).partition(':')[0]} {c.text_of(why)}")
    return said


def _idle(domain: str, objective: str, first: bool, polish: float) -> list[str]:
    """What has no effect in this domain, in the words of `soloist solve`."""
    said: list[str] = []
    if domain in _SHORTENED:
        return said
    walk = find_domain(domain).contents.walk
    if polish > 0 and not (walk and walk.contents.parts):
        said.append("polish has no effect: it improves solutions of Sokoban and SameGame only")
    if first:
        said.append("first has no effect: only Sokoban solutions are shortened")
    if objective not in ("any", "moves"):
        said.append(f"objective={objective!r} is for Sokoban only; here the least cost is proved")
    return said


class _Tasks:
    """The puzzles of one call, opened one by one when a thread takes them."""

    def __init__(self, puzzles: Union[Collection, Sequence[Puzzle]], objective: str) -> None:
        self.puzzles = puzzles
        self.domain = puzzles.domain if isinstance(puzzles, Collection) else puzzles[0].domain
        self.more = _objective_options(self.domain, objective)

    def open(self, index: int, stop: StopToken) -> Puzzle:
        if isinstance(self.puzzles, Collection):
            return self.puzzles._open(index, self.more, stop)
        puzzle = self.puzzles[index]
        if not self.more:
            return puzzle
        options = b",".join(part for part in (puzzle.options.encode(), self.more) if part)
        return Puzzle._of_chunk(
            find_domain(puzzle.domain), puzzle.text.encode("utf-8", "surrogateescape"), puzzle.line, puzzle.name, options
        )

    def number(self, index: int) -> int:
        """The number of a puzzle in its collection or list, counted from 1."""
        return self.puzzles._chunks[index][3] if isinstance(self.puzzles, Collection) else index + 1

    def without_search(self, index: int, status: str, **more: Any) -> Result:
        """The result for a puzzle that no search has worked on."""
        if isinstance(self.puzzles, Collection):
            return Result(self.number(index), self.puzzles._chunks[index][2], self.domain, status, **more)
        puzzle = self.puzzles[index]
        return _of_puzzle(puzzle, Result(self.number(index), puzzle.name, self.domain, status, **more))

    def cancelled(self, index: int) -> Result:
        return self.without_search(index, "unsolved", stopped="cancel")

    def failed(self, index: int, status: str, error: SoloistError) -> Result:
        return self.without_search(index, status, error=str(error), line=error.line, column=error.column)


def _solve_tasks(
    question: _Question, tasks: _Tasks, jobs: int, on_result: Optional[Callable[[Result], Any]]
) -> list[Result]:
    """All results in order; ``jobs`` threads share the work, and have ended when this returns."""
    results: list[Optional[Result]] = [None] * len(tasks.puzzles)
    lock = threading.Lock()
    following = iter(range(len(results)))

    def solve_one(index: int) -> Result:
        try:
            puzzle = tasks.open(index, question.stop)
        except SoloistError as error:
            if lib.soloist_stopped(question.stop.pointer) and not isinstance(error, InputError):
                return tasks.cancelled(index)
            return tasks.failed(index, "invalid", error)
        try:
            return _solve_puzzle(question, puzzle, tasks.number(index))
        except InternalError as error:
            if len(results) == 1:
                raise
            return tasks.failed(index, "unsolved", error)  # the other puzzles are not to blame

    def work() -> None:
        while not lib.soloist_stopped(question.stop.pointer):
            with lock:
                index = next(following, None)
            if index is None:
                return
            results[index] = question.guard(solve_one, index)
            if on_result is not None and results[index] is not None:
                with lock:
                    question.guard(on_result, results[index])

    others: list[threading.Thread] = []
    try:
        for _ in range(jobs - 1):
            thread = threading.Thread(target=work, name="soloist", daemon=True)
            thread.start()
            others.append(thread)
        work()
    except BaseException:  # such as the one of a thread that cannot be started
        question.stop.cancel()
        raise
    finally:
        for thread in others:
            thread.join()
    if question.raised is not None:
        raise question.raised
    return [result or tasks.cancelled(index) for index, result in enumerate(results)]


def _one_puzzle(what: Union[str, Puzzle], domain: Optional[str], options: Options) -> Puzzle:
    if isinstance(what, str):
        return Puzzle(what, domain, options)
    expect("puzzle", what, Puzzle, "a text or a Puzzle")
    if domain or options:
        raise InputError("domain and options belong to a text; a puzzle has its own")
    return what


def _many_puzzles(what: Any, domain: Optional[str], options: Options) -> Union[Collection, Sequence[Puzzle]]:
    expected = "a text, a Puzzle, a Collection, or puzzles of one domain"
    if isinstance(what, (bytes, bytearray)) or not isinstance(what, Iterable):
        raise TypeError(f"puzzles: expected {expected}, not {type(what).__name__}")
    if domain or options:
        raise InputError("domain and options belong to a text; a puzzle has its own")
    if isinstance(what, Collection):
        return what
    many = list(what)
    for index, puzzle in enumerate(many):
        expect(f"puzzles[{index}]", puzzle, Puzzle, "a Puzzle (read() makes them of a text)")
        if puzzle.domain != many[0].domain:
            raise InputError(f"puzzles[{index}] is of {puzzle.domain}, but puzzles[0] of {many[0].domain}")
    return many


@overload
def solve(puzzles: Union[str, Puzzle], method: Optional[str] = None, **more: Any) -> Result: ...


@overload
def solve(puzzles: Iterable[Puzzle], method: Optional[str] = None, **more: Any) -> list[Result]: ...


def solve(
    puzzles: Union[str, Puzzle, Iterable[Puzzle]],
    method: Optional[str] = None,
    *,
    time: Seconds = 10,
    nodes: Count = None,
    iterations: Count = None,
    memory: Size = None,
    threads: Count = None,
    jobs: Count = None,
    seed: Count = 1,
    objective: str = "any",
    first: bool = False,
    polish: Seconds = 0,
    network: Union[str, os.PathLike[str], None] = None,
    domain: Optional[str] = None,
    options: Options = None,
    on_progress: Optional[ProgressCallback] = None,
    on_result: Optional[Callable[[Result], Any]] = None,
    stop: Optional[StopToken] = None,
) -> Union[Result, list[Result]]:
    """Solves a puzzle, or many; it does what `soloist solve` does.

    Args:
        puzzles: the text of one puzzle, a :class:`Puzzle`, a :class:`Collection`, or puzzles of one domain.
        method: "NAME" or "NAME:key=value,..."; by default the engine chooses a mix. :func:`methods` lists them.
        time: seconds of wall time for each puzzle, or a text such as "2m"; None or 0: no limit.
        nodes, iterations: limits on states generated and on iterations, for each puzzle; numbers, or texts such as
            "20k" and "3M".
        memory: bytes, or a text such as "500M" or "4G", for all puzzles that are solved at the same time; by default
            half of the free memory. The states of a domain that is written in Python are counted by an estimate, apart
            from the memory of the engine: each of the two may reach the limit.
        threads: threads for each puzzle. With ``threads=1, jobs=1``, a seed and a limit on nodes or iterations but not
            on time, the result is the same on every machine. By default the cores that ``jobs`` leaves free.
        jobs: how many puzzles are solved at the same time; by default enough to keep every core busy.
        seed: the random seed.
        objective: "any", or what is to be minimised and proved, for Sokoban: "pushes", "moves", "pushes-moves",
            "moves-pushes"; for other domains "moves".
        first: report the solution as it was found, without shortening it (Sokoban).
        polish: seconds to spend on shortening each solution (Sokoban) or on improving each game by simulated annealing
            (SameGame). By default, shortening generates at most 20,000 states or a quarter of the search's states,
            whichever is more, but never more than the search did; a game is not improved.
        network: a file "FILE" or "FILE:key=value,..." for methods that want a network.
        domain, options: for a text, as in :class:`Puzzle`.
        on_progress: called with a :class:`Progress` a few times per second, by a thread of the search. If it raises,
            the search ends and the exception is raised here.
        on_result: called with each :class:`Result` of a collection as soon as there is one; not for puzzles that were
            not begun when ``stop`` was cancelled.
        stop: a :class:`StopToken`; another thread may end the search by ``stop.cancel()``.

    Returns:
        A :class:`Result` for one puzzle; for several a list with one of them per puzzle, in order. A puzzle that was
        not begun when ``stop`` was cancelled has the status "unsolved", and its search was stopped by "cancel".

    Raises:
        InputError: a text, a name or an option is wrong. In a collection a wrong puzzle is a result instead.
        UnsupportedError: the method cannot solve such puzzles.
        KeyboardInterrupt: after Ctrl-C; the search has ended by then.
    """
    single = isinstance(puzzles, (str, Puzzle))
    if single:
        many: Union[Collection, Sequence[Puzzle]] = [_one_puzzle(puzzles, domain, options)]
    else:
        many = _many_puzzles(puzzles, domain, options)
    expect_function("on_progress", on_progress)
    expect_function("on_result", on_result)
    if not many:
        return []
    tasks = _Tasks(many, objective)
    wanted = _few("threads", threads)
    jobs, threads = _plan(len(many), _few("jobs", jobs), wanted)
    stop = _token(stop)
    limits = _limits(time, nodes, iterations, memory, threads, seed, stop)
    limits.memory //= jobs
    chosen, polish_s = _choose_method(tasks.domain, method, objective), seconds("polish", polish)
    given = {
        "seed": limits.seed != 1,
        "threads": (wanted or 1) != 1,
        "iterations": limits.iterations > 0,
        "network": network is not None,
    }
    warnings = _ignored(chosen, given) + _idle(tasks.domain, objective, first, polish_s)
    question = _Question(chosen, limits, stop, objective, first, polish_s, "; ".join(warnings), on_progress)
    opened = _open_network(tasks.domain, network)
    limits.network = opened
    question.network_may_idle = opened is not None and (chosen or b"auto").startswith(b"auto")
    try:
        results = interruptible(lambda: _solve_tasks(question, tasks, jobs, on_result), stop)
    finally:
        lib.soloist_network_close(opened)
    return results[0] if single else results


def _few(name: str, value: Count) -> Optional[int]:
    if value is None:
        return None
    return whole(name, value, 1, 1024)


def _plan(puzzles: int, jobs: Optional[int], threads: Optional[int]) -> tuple[int, int]:
    """How many puzzles are solved at once, and by how many threads each: what is not given keeps all cores busy."""
    cores = lib.soloist_cores()
    jobs = max(1, min(jobs or (cores // threads if threads else cores), puzzles))
    return jobs, threads or max(1, cores // jobs)


def _open_network(domain: str, network: Union[str, os.PathLike[str], None]) -> Optional[int]:
    if network is None:
        return None
    expect("network", network, (str, os.PathLike), "the name of a file")
    error = c.Error()
    opened = lib.soloist_network_open(find_domain(domain), os.fsencode(network), byref(error))
    if not opened:
        c.fail(c.BAD_INPUT, error)
    return opened


def check(
    puzzle: Union[str, Puzzle], solution: str, *, domain: Optional[str] = None, options: Options = None
) -> Solution:
    """The referee: replays a solution by the rules alone.

    Args:
        domain, options: for a text, as in :class:`Puzzle`.

    Raises:
        InputError: it is not a solution; ``column`` is the place in its text.
    """
    opened = _one_puzzle(puzzle, domain, options)
    raw, verdict, error = text_bytes("solution", solution), c.Verdict(), c.Error()
    with guarded(opened._c.instance, None):
        accepted = lib.soloist_check(byref(opened._c), raw, len(raw), byref(verdict), byref(error))
    if not accepted:
        c.fail(c.BAD_INPUT, error)
    least_cost = opened.aim == "cost"
    return Solution(
        opened,
        solution,
        verdict.value if least_cost else None,
        None if least_cost else verdict.value,
        verdict.moves,
        verdict.pushes if verdict.pushes >= 0 else None,
    )


def optimize(
    puzzle: Union[str, Puzzle],
    solution: str,
    aim: str = "pushes-moves",
    *,
    time: Seconds = 10,
    nodes: Count = None,
    memory: Size = None,
    stop: Optional[StopToken] = None,
    domain: Optional[str] = None,
    options: Options = None,
) -> Solution:
    """A shorter solution of a Sokoban level, or the given one if none is found.

    Args:
        aim: what is minimised, the most important count first: one to five of "pushes", "moves", "box-lines",
            "box-changes" and "sessions", joined by -.
        time, nodes, memory, stop, domain, options: as for :func:`solve`.
    """
    opened = _one_puzzle(puzzle, domain, options)
    raw, wanted = text_bytes("solution", solution), text_bytes("aim", aim)
    stop = _token(stop)
    limits = _limits(time, nodes, None, memory, 1, 1, stop)
    result, error = c.Result(), c.Error()

    def work() -> int:
        return lib.soloist_optimize(
            engine(),
            byref(opened._c),
            raw,
            len(raw),
            wanted,
            byref(limits),
            None,
            byref(result),
            byref(error),
        )

    try:
        code = interruptible(work, stop)
        if code != c.OK:
            c.fail(code, error)
        return check(opened, c.text_of(result.solution))
    finally:
        lib.soloist_result_free(byref(result))


optimise = optimize


def _advise(function: Callable[[c.Limits, c.Advice, c.Error], int], limits: c.Limits, stop: StopToken) -> Advice:
    told, error = c.Advice(), c.Error()
    try:
        code = interruptible(lambda: function(limits, told, error), stop)
        if code not in (c.OK, c.STOPPED):
            c.fail(code, error)
        return Advice(
            outlook=c.OUTLOOKS[told.outlook],
            move=c.text_of(told.move) if told.move else None,
            line=c.text_of(told.line) if told.line else None,
            reason=c.text_of(told.reason),
            sentence=c.text_of(told.sentence),
            board=c.text_of(told.board).rstrip("\n") if told.board else None,
            nodes=told.result.nodes,
            time_s=told.result.time_s,
        )
    finally:
        lib.soloist_advice_free(byref(told))


def hint(
    puzzle: Union[str, Puzzle],
    method: Optional[str] = None,
    *,
    time: Seconds = 10,
    nodes: Count = None,
    memory: Size = None,
    threads: Count = 1,
    seed: Count = 1,
    stop: Optional[StopToken] = None,
    domain: Optional[str] = None,
    options: Options = None,
) -> Advice:
    """The next move from a puzzle's first position: quick rules first, then a solve within the limits.

    The arguments are those of :func:`solve`.
    """
    opened = _one_puzzle(puzzle, domain, options)
    stop = _token(stop)
    chosen = _method(method)

    def ask(limits: c.Limits, told: c.Advice, error: c.Error) -> int:
        return lib.soloist_hint(
            engine(), byref(opened._c), chosen, byref(limits), None, byref(told), byref(error)
        )

    with within(opened._c.instance, _limits(time, nodes, None, memory, threads, seed, stop), stop) as (limits, _):
        return _advise(ask, limits, stop)


def explain(
    puzzle: Union[str, Puzzle],
    *,
    quick: bool = False,
    time: Seconds = 10,
    nodes: Count = None,
    memory: Size = None,
    threads: Count = 1,
    seed: Count = 1,
    stop: Optional[StopToken] = None,
    domain: Optional[str] = None,
    options: Options = None,
) -> Advice:
    """Whether a puzzle has a solution, and if not, why. ``quick``: by rules alone, without a search.

    The other arguments are those of :func:`solve`.
    """
    opened = _one_puzzle(puzzle, domain, options)
    stop = _token(stop)

    def ask(limits: c.Limits, told: c.Advice, error: c.Error) -> int:
        return lib.soloist_explain(
            engine(), byref(opened._c), quick, byref(limits), None, byref(told), byref(error)
        )

    with within(opened._c.instance, _limits(time, nodes, None, memory, threads, seed, stop), stop) as (limits, _):
        return _advise(ask, limits, stop)


def methods() -> dict[str, str]:
    """The search methods by name, with one line about each."""
    listed: dict[str, str] = {}
    name, summary = c.c_char_p(), c.c_char_p()
    while lib.soloist_method_at(engine(), len(listed), byref(name), byref(summary), None):
        listed[c.text_of(name.value)] = c.text_of(summary.value)
    return listed


__all__ = [
    "Advice",
    "Progress",
    "Result",
    "Solution",
    "check",
    "explain",
    "hint",
    "methods",
    "optimise",
    "optimize",
    "solve",
]
