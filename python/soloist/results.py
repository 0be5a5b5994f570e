"""What solving returns: solutions, results, progress and advice."""

from __future__ import annotations

from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from typing import ClassVar, Optional

from . import _library as c
from ._engine import engine, guarded
from ._library import lib
from ._quantities import positive
from .errors import SoloistError
from .puzzles import Puzzle, State


@dataclass(frozen=True)
class Solution:
    """A solution that the referee has accepted.

    Attributes:
        text: the solution in the notation that other programs for this puzzle use.
        cost, score: what it costs, or what it scores; the other one is None.
        moves: how many moves it has, as players count them.
        pushes: how many of them push something; None if the domain has no pushes.
    """

    puzzle: Puzzle = field(repr=False)
    text: str
    cost: Optional[int]
    score: Optional[int]
    moves: int
    pushes: Optional[int]

    def replay(self) -> list[State]:
        """All states from the first to the last. In the domain "sokoban" a move is a push."""
        states = [self.puzzle.root]
        for move in self.puzzle.read_solution(self.text):
            states.append(states[-1].apply(move))
        return states

    def svg(self, step_s: float = 0.25, square: float = 32) -> str:
        """The solution as a picture that moves, ``step_s`` seconds per move."""
        raw, film, error = self.text.encode(), c_void_p(), c.Error()
        duration, width = positive("step_s", step_s), positive("square", square)
        with guarded(self.puzzle._c.instance, None):
            code = lib.soloist_film(
                engine(), byref(self.puzzle._c), raw, len(raw), duration, width, byref(film), byref(error)
            )
        if code != c.OK:
            c.fail(code, error)
        return c.take_text(film.value)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Result:
    """What came of one solve; the names are those of a line of `soloist solve --json`.

    A list of results becomes a table by ``pandas.DataFrame(results)``. A number is None if it does not apply.

    Attributes:
        id: number of the puzzle in its collection, counted from 1.
        status: "solved", "unsolved" (a limit ended the search), "impossible" (proved) or "invalid" (see ``error``).
        stopped: what ended the search: "goal", "exhausted", "time", "nodes", "iterations", "memory" or "cancel".
        solution: the solution's text; the referee has replayed it. None: there is none.
        optimal: whether it is proved that no solution is better.
        optimal_for: what the proof is about, such as "pushes", "moves-pushes", "cost" or "score"; None: no proof.
        box_lines, box_changes, pushing_sessions, player_lines: counts of a Sokoban solution. They are straight runs of
            pushes of one box; runs of pushes of one box, even with steps between the pushes; runs of pushes, of any
            boxes, without a step between the pushes; and straight runs of moves.
        blocks_left, cleared: blocks left at the end of a game of SameGame, and whether there are none.
        nodes, expanded: states generated, and states whose children were generated.
        peak_mb: the most memory that was in use, in MiB, rounded up.
        polish_nodes, polish_s: states and seconds spent on shortening the solution; ``time_s`` includes them.
        warning: what the engine has to say about the solve, for example that an argument had no effect.
        error, line, column: what is wrong with the puzzle's text, and where.
    """

    id: int
    name: str
    domain: str
    status: str
    stopped: Optional[str] = None
    solution: Optional[str] = None
    pushes: Optional[int] = None
    moves: Optional[int] = None
    cost: Optional[int] = None
    score: Optional[int] = None
    optimal: bool = False
    time_s: float = 0.0
    nodes: int = 0
    expanded: Optional[int] = None
    iterations: Optional[int] = None
    playouts: Optional[int] = None
    evaluations: Optional[int] = None
    eliminated: Optional[int] = None
    skipped: Optional[int] = None
    moved: Optional[int] = None
    tree_depth: Optional[int] = None
    peak_mb: int = 0
    method: Optional[str] = None
    optimal_for: Optional[str] = None
    box_lines: Optional[int] = None
    box_changes: Optional[int] = None
    pushing_sessions: Optional[int] = None
    player_lines: Optional[int] = None
    blocks_left: Optional[int] = None
    cleared: Optional[bool] = None
    polish_nodes: int = 0
    polish_s: float = 0.0
    warning: str = ""
    error: str = ""
    line: int = 0
    column: int = 0

    # Not a field, so that a table of results has only plain columns.
    _puzzle: ClassVar[Optional[Puzzle]] = None

    @property
    def solved(self) -> bool:
        """Whether there is a solution."""
        return self.solution is not None

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that was solved."""
        if self._puzzle is None:
            why = "could not be read: " + self.error if self.error else "was not read, because the call was cancelled"
            raise SoloistError("the puzzle " + why)
        return self._puzzle

    @property
    def line_of_play(self) -> Optional[Solution]:
        """The solution as an object that replays and draws itself; None: there is none."""
        if self.solution is None:
            return None
        return Solution(self.puzzle, self.solution, self.cost, self.score, self.moves or 0, self.pushes)

    def replay(self) -> list[State]:
        """All states of the solution, from the first to the last; empty if there is none."""
        line = self.line_of_play
        return line.replay() if line else []

    def _repr_svg_(self) -> Optional[str]:
        line = self.line_of_play
        return line.svg() if line else None


@dataclass(frozen=True)
class Progress:
    """What a search at work reports, a few times per second.

    Attributes:
        id: number of the puzzle in its collection, counted from 1.
        best: the best cost or score so far; None: nothing is found yet.
        solution: the best solution so far, replayed by the referee; None: there is none.
        memory: bytes in use.
        note: where the search is, for example "depth 14".
    """

    id: int
    time_s: float
    nodes: int
    expanded: int
    iterations: int
    memory: int
    best: Optional[int]
    solution: Optional[str]
    note: str


@dataclass(frozen=True)
class Advice:
    """What is known about a puzzle's first position.

    Attributes:
        outlook: "alive" (there is a solution), "lost" (there is none), "ended" (it is solved), or "unknown".
        move: the next move for a person to read; line: the same move in the notation of solutions.
        reason: if lost, a short name such as "freeze"; sentence: one sentence that says why.
        board: if lost, the position with an X for each piece that makes it lost.
    """

    outlook: str
    move: Optional[str]
    line: Optional[str]
    reason: str
    sentence: str
    board: Optional[str]
    nodes: int
    time_s: float
