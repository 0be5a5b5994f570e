"""Domains written in Python: every family of methods solves them, exceptions come out, texts have located errors."""

from __future__ import annotations

import copy
import os
import pickle
import threading
import unittest
from typing import Any, Iterable, Optional

import soloist
import soloist.rules
from soloist import Domain, InputError, StopToken, UnsupportedError, add_domain, check_rules, game_of, solve, value_of


@add_domain
class Jugs(Domain):
    """Two jugs: fill, empty and pour until one of them holds the wanted amount."""

    name = "jugs"
    most_moves = 8
    consistent = True

    def __init__(self, text: str) -> None:
        words = text.split()
        if len(words) not in (3, 5):
            raise InputError(f"expected two sizes and an amount, not {len(words)} words", 1, 1)
        for word in words:
            if not word.isdigit():
                raise InputError(f"{word} is not a number", 1, text.index(word) + 1)
        self.first, self.second, self.wanted = map(int, words[:3])
        self.now = tuple(map(int, words[3:])) or (0, 0)

    def root(self) -> tuple[int, int]:
        return self.now

    def moves(self, state: tuple[int, int]) -> list[str]:
        legal = []
        for move in ("fill1", "fill2", "empty1", "empty2", "1to2", "2to1"):
            if self.apply(state, move) != state:
                legal.append(move)
        return legal

    def apply(self, state: tuple[int, int], move: str) -> tuple[int, int]:
        a, b = state
        over, back = min(a, self.second - b), min(b, self.first - a)
        return {
            "fill1": (self.first, b),
            "fill2": (a, self.second),
            "empty1": (0, b),
            "empty2": (a, 0),
            "1to2": (a - over, b + over),
            "2to1": (a + back, b - back),
        }[move]

    def ended(self, state: tuple[int, int]) -> bool:
        return self.wanted in state

    def bound(self, state: tuple[int, int]) -> Optional[int]:
        return 0 if self.ended(state) else 1

    def write(self, state: tuple[int, int]) -> str:
        return f"{self.first} {self.second} {self.wanted} {state[0]} {state[1]}"


@add_domain
class Line(Domain):
    """Sort a row by exchanging neighbours; every exchange costs the larger of the two."""

    name = "line"
    most_moves = 16
    consistent = True

    def __init__(self, text: str) -> None:
        self.first = tuple(int(word) for word in text.split())

    def root(self) -> tuple[int, ...]:
        return self.first

    def moves(self, state: tuple[int, ...]) -> Iterable[int]:
        return range(len(state) - 1)

    def apply(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state[:move], state[move + 1], state[move], *state[move + 2 :])

    def step(self, state: tuple[int, ...], move: int) -> int:
        return max(state[move], state[move + 1])

    def ended(self, state: tuple[int, ...]) -> bool:
        return all(a <= b for a, b in zip(state, state[1:]))

    def bound(self, state: tuple[int, ...]) -> int:
        return sum(max(a, b) for i, a in enumerate(state) for b in state[i + 1 :] if a > b)

    def goals(self) -> list[tuple[int, ...]]:
        return [tuple(sorted(self.first))]

    def back_bound(self, state: tuple[int, ...]) -> int:
        place = {number: index for index, number in enumerate(self.first)}
        return sum(max(a, b) for i, a in enumerate(state) for b in state[i + 1 :] if place[a] > place[b])

    def back(self, state: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
        return [(self.apply(state, move), move) for move in self.moves(state)]

    def write(self, state: tuple[int, ...]) -> str:
        return " ".join(map(str, state))


@add_domain
class Picks(Domain):
    """Take numbers from either end of a row; every second one counts, and the last one taken counts double."""

    name = "picks"
    aim = "score"
    most_moves = 2
    most_steps = 40

    def __init__(self, text: str) -> None:
        self.row = tuple(map(int, text.split()))

    def root(self) -> tuple[int, int]:
        return 0, len(self.row)

    def moves(self, state: tuple[int, int]) -> list[str]:
        left = state[1] - state[0]
        return [] if left == 0 else ["left"] if left == 1 else ["left", "right"]

    def apply(self, state: tuple[int, int], move: str) -> tuple[int, int]:
        return (state[0] + 1, state[1]) if move == "left" else (state[0], state[1] - 1)

    def step(self, state: tuple[int, int], move: str) -> int:
        taken = self.row[state[0]] if move == "left" else self.row[state[1] - 1]
        return taken if (state[1] - state[0]) % 2 else 0

    def ended(self, state: tuple[int, int]) -> bool:
        return state[0] == state[1]

    def last(self, state: tuple[int, int]) -> int:
        return 5

    def bound(self, state: tuple[int, int]) -> int:
        return sum(self.row[state[0] : state[1]]) + 5

    def write(self, state: tuple[int, int]) -> str:
        return " ".join(map(str, self.row[state[0] : state[1]]))


class Trap(Domain):
    """Walk along a line; far out the rules break."""

    name = "trap"
    most_moves = 2
    where = ""
    asked = threading.Event()  # the engine has called the rules

    def __init__(self, text: str) -> None:
        if text == "break":
            raise KeyError("in the reader")
        if text == "long":
            raise InputError("\u00e9" * 200)
        self.far = int(text)

    def root(self) -> int:
        return 0

    def check(self, what: str, state: int) -> None:
        if self.where == what and state > self.far:
            raise ZeroDivisionError(what)

    def moves(self, state: int) -> list[int]:
        self.asked.set()
        self.check("moves", state)
        return [1, -1]

    def apply(self, state: int, move: int) -> int:
        self.check("apply", state)
        return state + move

    def ended(self, state: int) -> bool:
        self.check("ended", state)
        return False

    def key(self, state: int) -> int:
        self.check("key", state)
        return super().key(state)

    def bound(self, state: int) -> Any:
        self.check("bound", state)
        return 1


LIMITS = {"time": None, "nodes": 20000, "threads": 1, "memory": 1 << 28}
COSTS = ("astar", "idastar", "bfs", "mm", "nbs", "bae", "dbbs", "beam", "mcts", "uct", "nrpa", "nmcs", "auto", "random")
PROVED = ("astar", "idastar", "bfs", "mm", "nbs", "bae", "dbbs")
SCORES = ("bnb", "bestfirst", "beam", "mcts", "spmcts", "nrpa", "nmcs", "auto", "random")


class Families(unittest.TestCase):
    def test_least_cost(self) -> None:
        known = soloist.methods()
        for method in COSTS:
            with self.subTest(method):
                self.assertIn(method, known)
                iterations = None if method in PROVED else 300
                result = solve("3 5 1 4 2", method, domain="line", iterations=iterations, **LIMITS)
                self.assertEqual(result.status, "solved", result)
                self.assertGreaterEqual(result.cost, 25)
                if method in PROVED:  # every pair in the wrong order is exchanged once
                    self.assertEqual((result.cost, result.optimal, result.warning), (25, True, ""))
                self.assertEqual(soloist.check(result.puzzle, result.solution).cost, result.cost)

    def test_most_score(self) -> None:
        for method in SCORES:
            with self.subTest(method):
                result = solve("3 1 4 1 5 9 2 6", method, domain="picks", iterations=300, **LIMITS)
                self.assertEqual(result.status, "solved", result)
                self.assertLessEqual(result.score, self.best((3, 1, 4, 1, 5, 9, 2, 6)))
                if method in ("bnb", "bestfirst"):
                    self.assertEqual((result.score, result.optimal), (self.best((3, 1, 4, 1, 5, 9, 2, 6)), True))

    def best(self, row: tuple[int, ...]) -> int:
        if not row:
            return 5
        counts = len(row) % 2
        return max(row[0] * counts + self.best(row[1:]), row[-1] * counts + self.best(row[:-1]))

    def test_a_method_says_what_is_missing(self) -> None:
        with self.assertRaisesRegex(UnsupportedError, "jugs"):
            solve("3 5 4", "mm", domain="jugs")
        with self.assertRaises(UnsupportedError):
            solve("3 5 4", "fess", domain="jugs")

    def test_an_impossible_puzzle(self) -> None:
        self.assertEqual(solve("2 4 3", "astar", domain="jugs", **LIMITS).status, "impossible")

    def test_equal_runs_are_equal(self) -> None:
        runs = [solve("3 5 1 4 2", "mcts", domain="line", iterations=200, **LIMITS) for _ in range(2)]
        self.assertEqual(*((run.nodes, run.solution) for run in runs))

    def test_the_memory_limit_counts_the_states(self) -> None:
        puzzles = [soloist.Puzzle(text, "line") for text in ("10 9 8 7 6 5 4 3 2 1", "3 2 1")]
        full, solved = solve(puzzles, "bfs", time=None, nodes=10**6, memory="4M", threads=1, jobs=1)
        self.assertEqual((full.status, full.stopped, solved.status), ("unsolved", "memory", "solved"))
        self.assertIn(full.peak_mb, range(4, 8))
        again = solve(puzzles[0], "greedy", time=None, nodes=10**6, memory="4M", threads=1)
        self.assertEqual(again.status, "solved")  # the states of the first search do not count

    def test_texts_of_a_named_domain(self) -> None:
        text, found = "3 5 4", solve("3 5 4", "astar", domain="jugs", **LIMITS)
        self.assertEqual(soloist.check(text, found.solution, domain="jugs").cost, found.cost)
        self.assertEqual(soloist.hint(text, "astar", domain="jugs", time=None, nodes=20000).outlook, "alive")
        self.assertEqual(soloist.explain(text, domain="jugs", time=None, nodes=20000).outlook, "alive")
        with self.assertRaises(UnsupportedError):
            soloist.optimize(text, found.solution, domain="jugs")

    def test_threads(self) -> None:
        result = solve("6 3 5 1 4 2", "mcts", domain="line", iterations=200, **{**LIMITS, "threads": 3})
        self.assertEqual(result.status, "solved")
        results = solve(soloist.read("3 5 4\n7 4 5\n9 4 6\n", "jugs"), "bfs", jobs=3, **LIMITS)
        self.assertEqual([result.cost for result in results], [self.pours(3, 5, 4), self.pours(7, 4, 5), self.pours(9, 4, 6)])

    def pours(self, *numbers: int) -> int:
        """The least number of moves, by plain breadth-first search."""
        jugs = Jugs(" ".join(map(str, numbers)))
        seen = layer = {jugs.root()}
        depth = 0
        while not any(map(jugs.ended, layer)):
            layer = {jugs.apply(state, move) for state in layer for move in jugs.moves(state)} - seen
            seen = seen | layer
            depth += 1
        return depth


class Objects(unittest.TestCase):
    def test_states_and_solutions(self) -> None:
        puzzle = soloist.Puzzle("3 5 4", "jugs")
        self.assertEqual(game_of(puzzle).wanted, 4)
        root = puzzle.root
        self.assertEqual([root.move_text(move) for move in root.moves], ["fill1", "fill2"])
        after = root.apply(root.moves[1])
        self.assertEqual((value_of(after), after.value, str(after)), ((0, 5), 1, "3 5 4 0 5"))
        result = puzzle.solve(method="bfs", **LIMITS)
        self.assertEqual(result.solution, "fill2 2to1 empty1 2to1 fill2 2to1")
        self.assertEqual(value_of(result.replay()[-1]), (3, 4))
        self.assertEqual(soloist.hint(puzzle, "bfs").move, "fill2")
        with self.assertRaises(InputError) as caught:
            soloist.check(puzzle, "fill2 2to1 fill2 drink")
        self.assertEqual((str(caught.exception), caught.exception.column), ("drink is not a legal move here", 18))
        with self.assertRaises(UnsupportedError):
            game_of(soloist.Puzzle("1 0 2 3", "tiles"))

    def test_moves_of_any_kind(self) -> None:
        class Rook(Domain):
            """Move a piece on a board of 4 x 4 to the far corner."""

            name = "rook"

            def __init__(self, text: str) -> None:
                self.kind = text

            def root(self) -> tuple[int, int]:
                return 0, 0

            def moves(self, state: tuple[int, int]) -> list[Any]:
                steps = [(x, y) for x, y in ((1, 2), (2, -1), (1, 1)) if max(state[0] + x, state[1] + y) < 4]
                return [{"text": f"by {x} {y}", "nested": ("a b", (x, y))}.get(self.kind, (x, y)) for x, y in steps]

            def apply(self, state: tuple[int, int], move: Any) -> tuple[int, int]:
                x, y = map(int, move.split()[1:]) if self.kind == "text" else move[1] if self.kind == "nested" else move
                return state[0] + x, state[1] + y

            def ended(self, state: tuple[int, int]) -> bool:
                return state == (3, 3)

            def write_move(self, state: tuple[int, int], move: Any) -> Any:
                wrong = {"blank": "a b", "same": "x", "number": 5, "empty": ""}
                return wrong.get(self.kind, super().write_move(state, move))

        add_domain(Rook)
        words = {"tuple": "(1,1) (1,1) (1,1)", "text": "by_1_1 by_1_1 by_1_1", "nested": " ".join(["('a_b',(1,1))"] * 3)}
        for kind, line in words.items():
            result = solve(kind, "bfs", domain="rook", **LIMITS)
            self.assertIn(line.split()[0], result.solution)
            self.assertEqual(soloist.check(result.puzzle, line).moves, 3)
        for kind, expected in (("blank", "'a b': expected a word"), ("number", "5: expected"), ("empty", "'': expected")):
            with self.assertRaisesRegex(InputError, "write_move returned " + expected):
                solve(kind, "bfs", domain="rook", **LIMITS)
        with self.assertRaisesRegex(InputError, "several moves of a state are written x"):
            solve("same", "bfs", domain="rook", **LIMITS)
        root = soloist.Puzzle("blank", "rook").root
        with self.assertRaisesRegex(InputError, "write_move"):
            root.move_text(root.moves[0])
        with self.assertRaisesRegex(InputError, "write_move"):
            root.puzzle.read_solution("a")

    def test_states_of_equal_puzzles(self) -> None:
        """Each puzzle numbers its states in the order in which they come."""
        puzzle, other = soloist.Puzzle("3 5 4", "jugs"), soloist.Puzzle("3 5 4", "jugs")
        full, fuller = (puzzle.root.apply(move) for move in puzzle.root.moves)
        same = other.root.apply(other.root.moves[1])
        for _, state in same.children():
            self.assertNotEqual(state, full)
        self.assertEqual(same, fuller)
        self.assertEqual(len({full, fuller, same}), 2)
        for state in (full, fuller):
            for again in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
                self.assertEqual((again, value_of(again), again.value), (state, value_of(state), 1))

    def test_rules_are_checked(self) -> None:
        for text, domain in (("3 5 4", "jugs"), ("3 5 1 4 2", "line"), ("3 1 4", "picks")):
            check_rules(soloist.Puzzle(text, domain))

        @add_domain
        class Wrong(Line):
            """Claims too much."""

            name = "wrong"
            consistent = True

            def bound(self, state: tuple[int, ...]) -> int:
                return 100 * state[0]

        with self.assertRaisesRegex(InputError, "bound"):
            check_rules(soloist.Puzzle("3 1 2", "wrong"))

        @add_domain
        class Far(Domain):
            """Walk to a place that the text of a state does not name."""

            name = "far"

            def __init__(self, text: str) -> None:
                self.now, self.far = (int(word) for word in (text + " 9").split()[:2])

            def root(self) -> int:
                return self.now

            def moves(self, state: int) -> list[int]:
                return [1, 2]

            def apply(self, state: int, move: int) -> int:
                return state + move

            def ended(self, state: int) -> bool:
                return state >= self.far

        with self.assertRaisesRegex(InputError, "ends differently: write must return a text that __init__ reads"):
            check_rules(soloist.Puzzle("0 5", "far"))

    def test_nothing_is_left_when_puzzles_are_gone(self) -> None:
        before = len(soloist.rules._games)
        for _ in range(20):
            solve("3 5 4", "bfs", domain="jugs", **LIMITS)
        self.assertEqual(len(soloist.rules._games), before)

    def test_a_class_may_be_replaced(self) -> None:
        def define(size: int) -> type[Domain]:
            class Steps(Domain):
                name = "steps"

                def __init__(self, text: str) -> None:
                    self.far = int(text)

                def root(self) -> int:
                    return 0

                def moves(self, state: int) -> list[int]:
                    return [size]

                def apply(self, state: int, move: int) -> int:
                    return state + move

                def ended(self, state: int) -> bool:
                    return state >= self.far

            return add_domain(Steps)

        define(1)
        old = soloist.Puzzle("6", "steps")
        define(2)
        self.assertEqual(solve("6", "bfs", domain="steps", **LIMITS).cost, 3)
        self.assertEqual(old.solve(method="bfs", **LIMITS).cost, 6)
        add_domain(type("Scored", (Picks,), {"name": "steps"}))
        self.assertEqual((old.aim, soloist.Puzzle("3 1 4", "steps").aim), ("cost", "score"))
        self.assertEqual(old.solve(method="bfs", **LIMITS).cost, 6)

    def test_names_and_aims_are_checked(self) -> None:
        for wrong in ({"name": "Not A Name"}, {"name": "sokoban"}, {"name": "fine", "aim": "fun"}):
            with self.assertRaises(InputError):
                add_domain(type("Made", (Line,), wrong))
        with self.assertRaisesRegex(TypeError, "name: expected a text, not int"):
            add_domain(type("Made", (Line,), {"name": 3}))

    def test_sizes_are_checked(self) -> None:
        for wrong in ({"most_moves": -3}, {"most_moves": 0}, {"most_steps": -1}):
            with self.assertRaisesRegex(InputError, "most_(moves|steps)=.*: expected a whole number from"):
                add_domain(type("Made", (Line,), {"name": "made", **wrong}))
        with self.assertRaisesRegex(TypeError, "most_moves: expected a whole number, not float"):
            add_domain(type("Made", (Line,), {"name": "made", "most_moves": 2.5}))

    def test_missing_methods_are_named(self) -> None:
        with self.assertRaisesRegex(TypeError, "Empty does not define __init__ and root and moves and apply and ended"):
            add_domain(type("Empty", (Domain,), {"name": "empty"}))
        with self.assertRaisesRegex(TypeError, "NoEnd does not define ended"):
            add_domain(type("NoEnd", (Line,), {"name": "no-end", "ended": Domain.ended}))
        self.assertNotIn("empty", soloist.domains())


class Recognition(unittest.TestCase):
    def setUp(self) -> None:
        @add_domain
        class Letters(Line):
            """Sort a row that begins with the word letters."""

            name = "letters"
            answer: Any = 100

            def __init__(self, text: str) -> None:
                super().__init__(text.removeprefix("letters "))

            @classmethod
            def recognise(cls, text: str) -> Any:
                if isinstance(cls.answer, Exception):
                    raise cls.answer
                return cls.answer if text.startswith("letters") else 0

        self.domain = Letters
        self.addCleanup(setattr, Letters, "answer", 0)

    def test_a_text_is_recognised(self) -> None:
        self.assertEqual(soloist.Puzzle("letters 3 1 2").domain, "letters")

    def test_exceptions_come_out(self) -> None:
        self.domain.answer = ZeroDivisionError("while looking")
        for _ in range(2):
            with self.assertRaisesRegex(ZeroDivisionError, "while looking"):
                solve("letters 3 1 2", "bfs", **LIMITS)
        with self.assertRaisesRegex(ZeroDivisionError, "while looking"):
            soloist.read("letters 3 1 2")
        self.domain.answer = 0
        with self.assertRaisesRegex(InputError, "no domain recognises the text"):
            soloist.Puzzle("letters 3 1 2")

    def test_the_answer_is_checked(self) -> None:
        for wrong in (101, -1):
            self.domain.answer = wrong
            with self.assertRaisesRegex(InputError, f"recognise of letters returned {wrong}: expected 0 to 100"):
                soloist.Puzzle("letters 3 1 2")
        self.domain.answer = "very"
        self.assertRaises(TypeError, soloist.Puzzle, "letters 3 1 2")


class Exceptions(unittest.TestCase):
    def setUp(self) -> None:
        add_domain(Trap)
        self.addCleanup(setattr, Trap, "where", "")

    def test_an_exception_ends_the_solve(self) -> None:
        for where in ("moves", "apply", "ended", "key", "bound"):
            for method in ("astar", "idastar", "bfs", "mcts", "nrpa", "beam"):
                if (where, method) in (("ended", "idastar"), ("bound", "bfs")):
                    continue  # not asked
                with self.subTest(where=where, method=method):
                    Trap.where = where
                    stop = StopToken()
                    with self.assertRaisesRegex(ZeroDivisionError, where):
                        solve("5", method, domain="trap", stop=stop, **LIMITS)
        self.assertEqual(threading.active_count(), 1)

    def test_an_exception_ends_every_call_that_uses_the_puzzle(self) -> None:
        puzzle, all_at_work, ends = soloist.Puzzle("5", "trap"), threading.Barrier(4), []

        def work() -> None:
            begun: list[int] = []

            def look(told: soloist.Progress) -> None:
                if not begun:
                    begun.append(1)
                    all_at_work.wait()

            try:
                ends.append(puzzle.solve(method="bfs", on_progress=look, **{**LIMITS, "nodes": 10**9}))
            except ZeroDivisionError:
                ends.append("raised")

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        all_at_work.wait()
        Trap.where = "moves"
        for thread in threads:
            thread.join()
        self.assertEqual(ends, ["raised"] * 3)

    def test_a_puzzle_can_be_used_again(self) -> None:
        puzzle = soloist.Puzzle("5", "trap")
        Trap.where = "moves"
        self.assertRaises(ZeroDivisionError, puzzle.solve, method="bfs", **LIMITS)
        Trap.where = ""
        self.assertEqual(puzzle.solve(method="bfs", **{**LIMITS, "nodes": 50}).stopped, "nodes")
        Trap.where = "moves"
        state = soloist.Puzzle("5", "trap").root  # the other one remembers its moves
        for _ in range(6):
            state = state.apply(state.moves[0])
        with self.assertRaises(ZeroDivisionError):
            state.moves

    def test_texts(self) -> None:
        with self.assertRaises(InputError) as caught:
            soloist.Puzzle("3 five 4", "jugs")
        self.assertEqual((str(caught.exception), caught.exception.line, caught.exception.column), ("five is not a number", 1, 3))
        results = solve(soloist.read("3 5 4\n; comment\n3 x 4\n7 x\n", "jugs"), "bfs", **LIMITS)
        self.assertEqual([(result.status, result.line, result.column) for result in results], [("solved", 0, 0), ("invalid", 3, 3), ("invalid", 4, 1)])
        with self.assertRaisesRegex(InputError, "^\u00e9+$"):  # a long sentence is cut between two characters
            soloist.Puzzle("long", "trap")
        with self.assertRaisesRegex(InputError, "invalid literal for int"):
            soloist.Puzzle("3 x", "line")
        with self.assertRaisesRegex(KeyError, "in the reader"):
            soloist.Puzzle("break", "trap")

    def test_odd_errors_of_a_reader(self) -> None:
        @add_domain
        class Picky(Line):
            """Its reader raises what the test wants."""

            name = "picky"
            error: Any = None

            def __init__(self, text: str) -> None:
                raise self.error

        for error, sentence in (
            (InputError("wrong", line=None), "wrong"),  # type: ignore[arg-type]
            (InputError("wrong", line="3", column="x"), "wrong"),  # type: ignore[arg-type]
            (InputError("wrong", line=2.5, column=None), "wrong"),  # type: ignore[arg-type]
            (InputError("wrong", line=10**20, column=-(10**20)), "wrong"),
            (ValueError("not \udcff"), r"not \?"),
        ):
            Picky.error = error
            with self.subTest(repr(error)), self.assertRaisesRegex(InputError, f"^{sentence}$") as caught:
                soloist.Puzzle("1", "picky")
            self.assertEqual((caught.exception.line, caught.exception.column), (1, 0))

    def test_exceptions_while_a_puzzle_is_written(self) -> None:
        @add_domain
        class Mute(Line):
            """A puzzle that cannot be written."""

            name = "mute"

            def write(self, state: Any) -> str:
                raise ZeroDivisionError("write")

            def write_move(self, state: Any, move: Any) -> str:
                return "a\0"

        puzzle = soloist.Puzzle("2 1", "mute")
        self.assertRaises(ZeroDivisionError, str, puzzle)
        self.assertRaises(ZeroDivisionError, puzzle.svg)
        with self.assertRaisesRegex(InputError, "write_move returned .*: expected a word"):
            puzzle.solve(method="bfs", **LIMITS)

    def test_bad_numbers(self) -> None:
        @add_domain
        class Bad(Line):
            """Too many moves, or steps that are no numbers."""

            name = "bad"
            most_moves = 2

            def step(self, state: tuple[int, ...], move: int) -> Any:
                return "dear" if len(state) == 3 else 1 << 40

        with self.assertRaisesRegex(InputError, "4 moves, but most_moves is 2"):
            Bad.step = Line.step
            solve("5 4 3 2 1", "bfs", domain="bad", **LIMITS)
        Bad.step = lambda self, state, move: "dear"
        with self.assertRaises(TypeError):
            solve("3 2 1", "bfs", domain="bad", **LIMITS)
        Bad.step = lambda self, state, move: 1 << 40
        with self.assertRaisesRegex(InputError, "32 bits"):
            solve("2 1", "bfs", domain="bad", **LIMITS)


class Processes(unittest.TestCase):
    def test_fork(self) -> None:
        puzzle = soloist.Puzzle("3 5 4", "jugs")
        child = os.fork()
        if child == 0:
            same = puzzle.solve(method="bfs", **LIMITS).cost == 6 and solve("3 5 4", domain="jugs", **LIMITS).cost == 6
            os._exit(0 if same else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_fork_while_something_is_solved(self) -> None:
        """The child gets a new engine, which knows the domains of the old one."""
        add_domain(Trap)  # a search in it never ends by itself
        Trap.asked.clear()
        stop = StopToken()
        other = threading.Thread(
            target=solve, args=("5", "mcts"), kwargs={"domain": "trap", "time": None, "threads": 1, "stop": stop}
        )
        other.start()
        Trap.asked.wait()
        child = os.fork()
        if child == 0:
            os._exit(0 if solve("3 5 4", "bfs", domain="jugs", **LIMITS).cost == 6 else 1)
        done = os.waitpid(child, 0)[1]
        stop.cancel()
        other.join()
        self.assertEqual(done, 0)


if __name__ == "__main__":
    unittest.main()
