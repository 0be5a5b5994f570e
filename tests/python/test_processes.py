"""Ctrl-C, threads, fork, pools of processes, memory."""

from __future__ import annotations

import copy
import ctypes
import dataclasses
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import unittest
from unittest import mock

import soloist
from soloist import _engine

from test_puzzles import LEVEL, TEXTS
from test_solving import HARD, QUICK


def solved_text(puzzle: soloist.Puzzle) -> tuple[int, soloist.Result]:
    """What a process of a pool does."""
    return os.getpid(), soloist.solve(puzzle, **QUICK)


def in_child(work) -> int:
    """Runs a function in a forked process; 0 if it returned."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException as error:
            print(repr(error), flush=True)
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Interrupts(unittest.TestCase):
    """Every program gets a SIGINT while the engine works without a limit, so that only the signal can end it."""

    def run_program(self, body: str) -> None:
        program = f"""
            import os, signal, threading, soloist
            hard = soloist.Puzzle({HARD.text!r}, "tiles", options="bound=manhattan")
            interrupt = lambda *ignored: os.kill(os.getpid(), signal.SIGINT)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            """
        ending = """
            except KeyboardInterrupt:
                assert not [thread for thread in threading.enumerate() if thread.name == "soloist"]
                assert soloist.solve("2 1", domain="pancake").status == "solved"
                print("interrupted")
            """
        source = textwrap.dedent(program) + "try:\n" + textwrap.indent(textwrap.dedent(body), "    ")
        source += textwrap.dedent(ending)
        done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual((done.stdout, done.returncode), ("interrupted\n", 0), done.stderr)

    def test_one_puzzle(self) -> None:
        self.run_program('soloist.solve(hard, "astar", time=None, threads=1, on_progress=interrupt)\n')

    def test_one_puzzle_on_several_threads(self) -> None:
        self.run_program('soloist.solve(hard, "mcts", time=None, nodes=10**15, threads=4, on_progress=interrupt)\n')

    def test_several_jobs(self) -> None:
        self.run_program('soloist.solve([hard] * 8, "astar", time=None, threads=1, jobs=3, on_progress=interrupt)\n')

    def test_a_hint(self) -> None:
        self.run_program(
            """
            threading.Timer(0.3, interrupt).start()
            soloist.hint(hard, "astar", time=None)
            """
        )

    def test_generation(self) -> None:
        self.run_program(
            """
            threading.Timer(0.3, interrupt).start()
            soloist.generate("sokoban", 10**9)
            """
        )

    def test_other_handlers_run_while_the_engine_works(self) -> None:
        stop = soloist.StopToken()
        before = signal.signal(signal.SIGUSR1, lambda *ignored: stop.cancel())
        try:
            result = soloist.solve(
                HARD,
                "astar",
                time=None,
                threads=1,
                stop=stop,
                on_progress=lambda told: os.kill(os.getpid(), signal.SIGUSR1),
            )
        finally:
            signal.signal(signal.SIGUSR1, before)
        self.assertEqual(result.stopped, "cancel")


    def test_a_handler_that_raises_again_and_again(self) -> None:
        """First while the engine works, and then while the call waits for the engine's end."""
        self.run_program(
            """
            count = 0
            def alarm(number, frame):
                global count
                functions = set()
                while frame:
                    functions.add(frame.f_code.co_name)
                    frame = frame.f_back
                if count < 40 and ("give_up" if count else "_in_thread") in functions:
                    count += 1
                    raise KeyboardInterrupt if count == 1 else TimeoutError
            signal.signal(signal.SIGALRM, alarm)
            signal.setitimer(signal.ITIMER_REAL, 0.5, 0.002)
            try:
                soloist.solve(hard, "astar", time=None, threads=1)
            finally:
                alive = [thread for thread in threading.enumerate() if thread.name == "soloist"]
                signal.setitimer(signal.ITIMER_REAL, 0)
                assert not alive
            """
        )

    def test_a_signal_while_the_thread_starts(self) -> None:
        """The thread begins after the exception, and must not do its work then."""
        calls, begin = [], []
        stop = soloist.StopToken()

        class Late(threading.Thread):
            def start(self) -> None:
                begin.append(super().start)
                raise KeyboardInterrupt

        with mock.patch.object(_engine.threading, "Thread", Late), self.assertRaises(KeyboardInterrupt):
            _engine.interruptible(lambda: calls.append(1), stop)
        begin[0]()
        while threading.active_count() > 1:
            os.sched_yield()
        self.assertEqual(calls, [])


class Processes(unittest.TestCase):
    def test_a_thread_that_cannot_be_started_ends_the_others(self) -> None:
        start, started = threading.Thread.start, []

        def start_two(thread: threading.Thread) -> None:
            started.append(thread)
            if len(started) == 3:
                raise RuntimeError("can't start new thread")
            start(thread)

        with mock.patch.object(threading.Thread, "start", start_two), self.assertRaisesRegex(RuntimeError, "new thread"):
            soloist.solve([HARD] * 4, "astar", time=60, threads=1, jobs=4)
        self.assertEqual(threading.active_count(), 1)

    def test_no_thread_is_alive_between_calls(self) -> None:
        before = threading.active_count()
        tasks = set(os.listdir("/proc/self/task"))
        soloist.solve(LEVEL, time=None, nodes=1000, threads=3)
        soloist.solve([soloist.Puzzle(LEVEL)] * 4, time=None, nodes=1000, threads=2, jobs=3)
        soloist.generate("sokoban", 2)
        self.assertEqual(threading.active_count(), before)
        while set(os.listdir("/proc/self/task")) - tasks:  # the kernel may take a moment to remove a thread that has ended
            os.sched_yield()

    def test_a_fork_in_the_middle(self) -> None:
        puzzle = soloist.Puzzle(LEVEL)
        before = soloist.solve(puzzle, **QUICK)

        def work() -> None:
            assert soloist.solve(puzzle, **QUICK).solution == before.solution
            assert soloist.solve(puzzle, time=None, nodes=10000, threads=2).solved
            assert in_child(lambda: soloist.solve(LEVEL, **QUICK)) == 0

        self.assertEqual(in_child(work), 0)
        self.assertEqual(soloist.solve(puzzle, **QUICK).solution, before.solution)

    def test_a_fork_while_another_thread_solves(self) -> None:
        stop, at_work = soloist.StopToken(), threading.Event()
        thread = threading.Thread(
            target=soloist.solve,
            args=(HARD, "astar"),
            kwargs={"time": None, "threads": 1, "stop": stop, "on_progress": lambda told: at_work.set()},
        )
        thread.start()
        at_work.wait()

        def work() -> None:
            assert soloist.solve(LEVEL, **QUICK).solved
            assert soloist.solve(TEXTS["tiles"], domain="tiles", **QUICK).solved

        status = in_child(work)
        stop.cancel()
        thread.join()
        self.assertEqual(status, 0)

    def test_a_pool_of_four_processes(self) -> None:
        puzzles = soloist.generate("sokoban", 24, seed=4, options={"width": 8, "height": 8, "boxes": 2})
        alone = soloist.solve(puzzles, **QUICK)
        with multiprocessing.get_context("fork").Pool(4) as pool:
            answers = pool.map(solved_text, puzzles, chunksize=1)
        self.assertEqual([result.solution for _, result in answers], [result.solution for result in alone])
        self.assertEqual([result.puzzle for _, result in answers], puzzles)
        self.assertNotIn(os.getpid(), {process for process, _ in answers})

    def test_threads_share_a_puzzle(self) -> None:
        puzzle, results = soloist.Puzzle(LEVEL), []
        work = [threading.Thread(target=lambda: results.append(soloist.solve(puzzle, **QUICK))) for _ in range(4)]
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        self.assertEqual(len(results), 4)
        self.assertEqual(len({(result.solution, result.nodes) for result in results}), 1)


def copies(what) -> list:
    """What each way to copy an object gives."""
    return [way(what) for way in (copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it)))]


class Copies(unittest.TestCase):
    """No two objects free the same memory of the engine."""

    def test_owners_refuse(self) -> None:
        network = soloist.Network.untrained("input 4x?x?\nconv 4 3x3 pad 1\npool\npolicy\n", "sokoban-moves")
        network.evaluate([soloist.Puzzle(LEVEL, "sokoban-moves").root])
        environment = soloist.Environment("sokoban-moves", LEVEL)
        for owner in (soloist.StopToken(), network._open, environment._boards):
            for way in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.subTest(type(owner).__name__), self.assertRaisesRegex(TypeError, "neither copied nor pickled"):
                    way(owner)
        for same in copies(network):
            self.assertEqual(same.to_bytes(), network.to_bytes())
            self.assertIsNone(same._open)
        self.assertEqual(list(dataclasses.asdict(network)), ["description", "tensors", "notes"])
        for other in copies(environment):
            self.assertIsNot(other._boards, environment._boards)
            other.reset()

    def test_the_others_stay_equal(self) -> None:
        result = soloist.solve(LEVEL, **QUICK)
        puzzle = result.puzzle
        for what in (puzzle, puzzle.root, result, result.line_of_play):
            for same in copies(what):
                self.assertEqual(same, what)
        for same in copies(soloist.read(LEVEL)):
            self.assertEqual(list(same), [puzzle])


class HeapInUse(ctypes.Structure):
    """struct mallinfo2 of the C library."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    ]


class Memory(unittest.TestCase):
    def in_use(self) -> int:
        gc.collect()
        library = ctypes.CDLL(None)
        if not hasattr(library, "mallinfo2"):
            self.skipTest("needs mallinfo2 of the C library")
        library.mallinfo2.restype = HeapInUse
        told = library.mallinfo2()
        return told.uordblks + told.hblkhd

    def test_memory_stays_flat(self) -> None:
        texts = [(TEXTS[name], name) for name in ("sokoban", "tiles", "pancake", "samegame")]

        def work(times: int) -> None:
            for _ in range(times):
                for text, name in texts:
                    puzzle = soloist.Puzzle(text, name)
                    result = puzzle.solve(time=None, nodes=300, threads=1)
                    puzzle.root._repr_svg_(), result._repr_svg_(), result.replay()
                soloist.hint(LEVEL, time=None, nodes=100)
                soloist.explain(LEVEL, quick=True)
                soloist.levels("first")
                soloist.generate("pancake")
                try:
                    soloist.Puzzle("#@?#", "sokoban")
                except soloist.InputError:
                    pass

        # A leak shows in every round, by at least 16 bytes each time. Caches of the interpreter and of the C library,
        # which fill in the first rounds, do not: how many rounds they take depends on how threads meet.
        work(20)
        growth: list[int] = []
        while len(growth) < 12 and (not growth or growth[-1] >= 50 * 16):
            before = self.in_use()
            work(50)
            growth.append(self.in_use() - before)
        self.assertLess(growth[-1], 50 * 16, growth)


if __name__ == "__main__":
    unittest.main()
