"""Solving, the referee, shorter solutions, hints and explanations."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import pickle
import tempfile
import threading
import unittest
import xml.etree.ElementTree

import soloist

from test_puzzles import LEVEL, TEXTS

# A board that A* does not solve within the time of any test.
HARD = soloist.Puzzle(
    "10 2 8 0 6 24 4 9 19 11 12 5 23 21 3 20 13 1 15 7 18 14 16 22 17", "tiles", options={"bound": "manhattan"}
)
QUICK = {"threads": 1, "jobs": 1, "time": None, "nodes": 50000}


class Solve(unittest.TestCase):
    def test_every_domain_is_solved_and_replays(self) -> None:
        for domain, text in TEXTS.items():
            result = soloist.solve(text, domain=domain, **QUICK)
            self.assertEqual((result.status, result.domain, result.id), ("solved", domain, 1))
            states = result.replay()
            self.assertTrue(states[-1].ended)
            self.assertEqual(states[-1].score, result.cost if result.puzzle.aim == "cost" else result.score)
            self.assertEqual(result.puzzle.check(result.solution).text, result.solution)
            self.assertEqual((result.cost is None, result.score is None), (result.puzzle.aim != "cost", result.puzzle.aim == "cost"))

    def test_equal_calls_give_equal_results(self) -> None:
        def plain(result: soloist.Result) -> soloist.Result:
            return dataclasses.replace(result, time_s=0, polish_s=0)

        for method in ("astar", "idastar", "uct", "beam"):
            first = soloist.solve(LEVEL, method, **QUICK)
            self.assertEqual(plain(first), plain(soloist.solve(soloist.Puzzle(LEVEL), method, **QUICK)))
            self.assertTrue(first.method.startswith(method))

    def test_limits_end_the_search(self) -> None:
        for limits, stopped in (({"nodes": 1000}, "nodes"), ({"time": 0.05}, "time"), ({"memory": 1 << 20}, "memory")):
            result = soloist.solve(HARD, "astar", **{**QUICK, "nodes": None, **limits})
            self.assertEqual((result.status, result.stopped, result.solution), ("unsolved", stopped, None))
            self.assertEqual(result.replay(), [])
            self.assertIsNone(result._repr_svg_())
        self.assertEqual(soloist.solve(HARD, "uct", threads=1, time=None, iterations=5).iterations, 5)

    def test_an_impossible_level(self) -> None:
        result = soloist.solve("#####\n#@ $#\n#. .#\n#####\n", **QUICK)
        self.assertIn(result.status, ("impossible", "invalid"))
        result = soloist.solve("0 2 1 3 4 5 6 7 8", domain="tiles", **QUICK)
        self.assertEqual((result.status, result.solved), ("impossible", False))

    def test_objectives_are_proved(self) -> None:
        by_pushes = soloist.solve(LEVEL, objective="pushes", **QUICK)
        by_moves = soloist.solve(LEVEL, objective="moves", **QUICK)
        both = soloist.solve(LEVEL, objective="moves-pushes", **QUICK)
        self.assertTrue(by_pushes.optimal and by_moves.optimal and both.optimal)
        self.assertEqual((by_pushes.cost, by_moves.cost), (by_pushes.pushes, by_moves.moves))
        self.assertEqual(both.moves, by_moves.moves)
        self.assertLessEqual(by_pushes.pushes, by_moves.pushes)
        self.assertTrue(soloist.solve(TEXTS["pancake"], domain="pancake", objective="moves", **QUICK).optimal)
        with self.assertRaisesRegex(soloist.InputError, "must begin with pushes or moves"):
            soloist.solve(LEVEL, objective="beauty")
        with self.assertRaisesRegex(soloist.UnsupportedError, "beam does not prove"):
            soloist.solve(LEVEL, "beam", objective="pushes")

    def test_results_say_what_is_proved_and_counted(self) -> None:
        def told(text: str, **more: object) -> list[object]:
            result = soloist.solve(text, **more, **QUICK)
            names = ("optimal_for", "box_lines", "box_changes", "pushing_sessions", "player_lines", "blocks_left", "cleared")
            return [getattr(result, name) for name in names]

        level = "########\n#      #\n# @$  .#\n#      #\n########\n"
        self.assertEqual(told(level, objective="pushes"), ["pushes", 1, 1, 1, 1, None, None])
        self.assertEqual(told(level, objective="moves-pushes")[0], "moves-pushes")
        self.assertEqual(told(level, objective="moves", first=True)[0], "moves")
        self.assertEqual(told(TEXTS["tiles"], method="astar", domain="tiles")[0], "moves")
        self.assertEqual(told("121\n121\n", method="bnb", domain="samegame"), ["score", *[None] * 4, 0, True])
        self.assertEqual(told("12\n21\n", method="bnb", domain="samegame"), ["score", *[None] * 4, 4, False])
        unsolved = soloist.solve(HARD, "astar", threads=1, time=None, nodes=10)
        self.assertEqual((unsolved.optimal_for, unsolved.box_lines), (None, None))
        self.assertGreater(unsolved.peak_mb, 0)

    def test_arguments_without_effect_are_named(self) -> None:
        tiles, game = TEXTS["tiles"], TEXTS["samegame"]
        for text, domain, more, expected in (
            (tiles, "tiles", {"polish": 1}, "polish has no effect: it improves solutions of Sokoban and SameGame only"),
            (tiles, "tiles", {"first": True}, "first has no effect: only Sokoban solutions are shortened"),
            (tiles, "tiles", {"objective": "moves"}, ""),
            (tiles, "tiles", {"objective": "pushes"}, "objective='pushes' is for Sokoban only; here the least cost is proved"),
            (game, "samegame", {"polish": 0.1}, ""),
            (LEVEL, "sokoban", {"polish": 0.1, "objective": "pushes-moves"}, ""),
            (LEVEL, "sokoban-moves", {"first": True, "objective": "moves"}, ""),
        ):
            with self.subTest(domain, **more):
                self.assertEqual(soloist.solve(text, domain=domain, **more, **QUICK).warning, expected)
        for method, more, expected in (
            ("astar", {"iterations": 1}, "iterations has no effect: astar does not work in iterations"),
            ("astar:weight=1", {"seed": 2}, "seed has no effect: astar makes no random choices"),
            ("nrpa:level=1", {"iterations": 10, "seed": 2}, ""),
            ("greedy", {"threads": 2}, "threads has no effect: greedy searches with one thread"),
            ("greedy", {"threads": "1", "seed": 1}, ""),
            (None, {"iterations": 5, "seed": 2, "threads": 2}, ""),
        ):
            with self.subTest(method, **more):
                result = soloist.solve(tiles, method, domain="tiles", time=None, nodes=50000, **more)
                self.assertEqual(result.warning, expected)
        both = soloist.solve(tiles, domain="tiles", polish=1, objective="pushes-moves", **QUICK).warning
        self.assertRegex(both, "^polish has no effect: .*; objective='pushes-moves' is for Sokoban only")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tiles.net")
            with open(path, "w", encoding="utf-8") as file:
                file.write("input 9x3x3\nlinear 4\npolicy\n")
            said = {
                method: soloist.solve(tiles, method, domain="tiles", network=path).warning
                for method in ("bfs", "levints", None)
            }
        self.assertRegex(said[None], "^network has no effect: no search asked it")
        self.assertEqual(said["bfs"], "network has no effect: bfs asks no network")
        self.assertEqual(said["levints"], "")
        with self.assertRaisesRegex(soloist.UnsupportedError, "wants the highest score"):
            soloist.solve(game, domain="samegame", objective="moves", **QUICK)
        with self.assertRaisesRegex(soloist.UnsupportedError, "cost of sokoban-moves is the number of moves"):
            soloist.solve(LEVEL, domain="sokoban-moves", objective="pushes", **QUICK)
        with self.assertRaisesRegex(soloist.InputError, "moves-nothing"):
            soloist.solve(LEVEL, objective="moves-nothing", **QUICK)

    def test_wrong_arguments_are_refused(self) -> None:
        for more, kind in (
            ({"method": "nothing"}, soloist.InputError),
            ({"method": "astar:nothing=1"}, soloist.InputError),
            ({"method": "nrpa:level=x"}, soloist.InputError),
            ({"time": -1}, soloist.InputError),
            ({"threads": 0}, soloist.InputError),
            ({"jobs": 2000}, soloist.InputError),
            ({"network": "/nowhere.safetensors"}, soloist.InputError),
        ):
            with self.assertRaises(kind, msg=str(more)):
                soloist.solve(LEVEL, **more)
        with self.assertRaises(soloist.UnsupportedError):
            soloist.solve(TEXTS["samegame"], "astar", domain="samegame")
        with self.assertRaisesRegex(soloist.InputError, "belong to a text"):
            soloist.solve(soloist.Puzzle(LEVEL), domain="sokoban")

    def test_arguments_of_another_type_are_refused(self) -> None:
        puzzle = soloist.Puzzle(LEVEL)
        for call, sentence in (
            (lambda: soloist.solve([LEVEL, LEVEL]), r"puzzles\[0\]: expected a Puzzle \(read\(\) makes them of a text\), not str"),
            (lambda: soloist.solve(LEVEL.encode()), "puzzles: expected a text, a Puzzle, a Collection, or puzzles of one domain, not bytes"),
            (lambda: soloist.solve(5), "puzzles: expected .*, not int"),
            (lambda: soloist.solve(puzzle, 5), "method: expected a text or None, not int"),
            (lambda: soloist.solve(puzzle, stop=5), "stop: expected a StopToken or None, not int"),
            (lambda: soloist.solve(LEVEL, options=5), "options: expected a mapping or a text"),
            (lambda: soloist.solve(LEVEL, domain=5), "domain: expected a text, not int"),
            (lambda: soloist.solve(puzzle, objective=5), "objective: expected a text, not int"),
            (lambda: soloist.solve(puzzle, network=5), "network: expected the name of a file, not int"),
            (lambda: soloist.solve(puzzle, on_progress=5), "on_progress: expected a function or None, not int"),
            (lambda: soloist.solve(puzzle, on_result="x"), "on_result: expected a function or None, not str"),
            (lambda: soloist.check(puzzle, None), "solution: expected a text, not NoneType"),
            (lambda: soloist.check(5, "r"), "puzzle: expected a text or a Puzzle, not int"),
            (lambda: soloist.optimize(puzzle, None), "solution: expected a text, not NoneType"),
            (lambda: soloist.optimize(puzzle, "r", 5), "aim: expected a text, not int"),
            (lambda: soloist.hint(puzzle, 5), "method: expected a text or None, not int"),
            (lambda: soloist.hint(puzzle, stop=5), "stop: expected a StopToken or None, not int"),
            (lambda: soloist.explain(5), "puzzle: expected a text or a Puzzle, not int"),
            (lambda: soloist.Puzzle(5), "text: expected a text, not int"),
            (lambda: soloist.Puzzle(LEVEL, name=5), "name: expected a text or None, not int"),
            (lambda: soloist.read(5), "text: expected a text, not int"),
            (lambda: soloist.levels(5), "name: expected a text, not int"),
            (lambda: soloist.generate(5), "domain: expected a text, not int"),
            (lambda: puzzle.read_solution(5), "text: expected a text, not int"),
            (lambda: puzzle.svg("wide"), "square: expected a number, not str"),
            (lambda: soloist.check_rules("x"), "puzzle: expected a Puzzle, not str"),
            (lambda: soloist.game_of("x"), "puzzle: expected a Puzzle, not str"),
            (lambda: soloist.value_of("x"), "state: expected a State, not str"),
            (lambda: soloist.add_domain(5), "domain: expected a subclass of Domain, not 5"),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(TypeError, "^" + sentence):
                call()
        for call, sentence in (
            (lambda: soloist.generate("tiles", -1), "count=-1: expected a whole number from 0 to"),
            (lambda: soloist.solve(puzzle, seed=2**64), r"seed=18446744073709551616: expected a whole number from 0 to 2\*\*64 - 1"),
            (lambda: soloist.solve(puzzle, threads=-1), "threads=-1: expected a whole number from 1 to 1024"),
            (lambda: soloist.hint(puzzle, threads="x"), "threads='x': expected a whole number from 1 to 1024"),
            (lambda: soloist.solve([puzzle, soloist.Puzzle("2 1", "pancake")]), r"puzzles\[1\] is of pancake, but puzzles\[0\] of sokoban"),
            (lambda: soloist.solve(soloist.read(LEVEL), domain="tiles"), "domain and options belong to a text"),
            (lambda: puzzle.svg(-1), "square=-1: expected a number above 0"),
        ):
            with self.subTest(sentence), self.assertRaisesRegex(soloist.InputError, "^" + sentence):
                call()

    def test_limits_are_read_as_on_the_command_line(self) -> None:
        from soloist._quantities import seconds, size, whole

        right = (
            (seconds, ((None, 0), (0.5, 0.5), ("90", 90), ("5s", 5), ("1.5m", 90), ("2h", 7200), ("1e1", 10))),
            (whole, ((None, 0), (7, 7), (1e6, 10**6), ("1e6", 10**6), ("20k", 20000), ("3M", 3 * 10**6))),
            (whole, ((2**64 - 1, 2**64 - 1), ("18446744073709551615", 2**64 - 1))),
            (size, ((0, 0), (100, 100), ("4G", 4 << 30), ("500m", 500 << 20), ("1.5KiB", 1536), ("2TB", 2 << 40))),
        )
        for read, cases in right:
            for given, meant in cases:
                self.assertEqual(read("limit", given), meant, given)
        wrong = (
            (seconds, ("", "-1", -1, "5x", "5k", "1m2", float("inf"), float("nan"), [])),
            (whole, ("-1", -1, "1.5", 1.5, "3s", "many", 2**64, "20kk", {})),
            (size, (-1, "-1", "4X", "4 G", "s", None, "1h", 2**63)),
        )
        for read, cases in wrong:
            for given in cases:
                with self.assertRaisesRegex(soloist.InputError, "limit=.*: expected .* for example"):
                    read("limit", given)
        soloist.solve(LEVEL, "astar", time="5m", nodes="50k", memory="500M", threads="1", jobs="1", seed="7", polish="0s")
        for words in ({"seed": -1}, {"memory": "much"}, {"time": "soon"}, {"polish": -1}, {"nodes": 0.5}):
            with self.assertRaisesRegex(soloist.InputError, "expected"):
                soloist.solve(LEVEL, **words)

    def test_numbers_without_end_are_refused(self) -> None:
        for call in (
            lambda: soloist.solve(LEVEL, time=10**400),
            lambda: soloist.solve(LEVEL, time="9" * 5000),
            lambda: soloist.solve(LEVEL, nodes="9" * 5000),
            lambda: soloist.solve(LEVEL, polish=10**400),
            lambda: soloist.hint(LEVEL, memory=10**400),
            lambda: soloist.Puzzle(LEVEL).svg(10**400),
        ):
            self.assertRaisesRegex(soloist.InputError, "expected", call)

    def test_texts_that_the_engine_cannot_read_are_refused(self) -> None:
        for odd, sentence in (("\udcff", "character . cannot be encoded"), ("a\0", "there is a null character in it")):
            for name, call in (
                ("method", lambda: soloist.solve(LEVEL, odd)),
                ("method", lambda: soloist.hint(LEVEL, odd)),
                ("objective", lambda: soloist.solve(LEVEL, objective=odd)),
                ("domain", lambda: soloist.solve(LEVEL, domain=odd)),
                ("options", lambda: soloist.solve(LEVEL, domain="sokoban", options=odd)),
                ("options", lambda: soloist.generate("tiles", options={"width": odd})),
                ("solution", lambda: soloist.check(LEVEL, odd)),
                ("solution", lambda: soloist.optimize(LEVEL, odd)),
                ("aim", lambda: soloist.optimize(LEVEL, "R", odd)),
                ("text", lambda: soloist.Puzzle(LEVEL).read_solution(odd)),
                ("name", lambda: soloist.Puzzle(LEVEL, name=odd)),
                ("name", lambda: soloist.levels(odd)),
                ("reward", lambda: soloist.Environment("sokoban", LEVEL, reward=odd)),
                ("description", lambda: soloist.Network.untrained(odd, "sokoban")),
            ):
                with self.subTest(name, odd=odd):
                    self.assertRaisesRegex(soloist.InputError, f"^{name}: {sentence}", call)
        self.assertRaisesRegex(soloist.InputError, "text: character 1 cannot", soloist.Puzzle, "\ud800" + LEVEL)

    def test_a_similar_method_is_suggested(self) -> None:
        with self.assertRaisesRegex(soloist.InputError, "unknown method 'astr': did you mean astar?"):
            soloist.solve(LEVEL, "astr")

    def test_progress_is_reported(self) -> None:
        stop = soloist.StopToken()
        seen: list[soloist.Progress] = []

        def look(progress: soloist.Progress) -> None:
            seen.append(progress)
            if progress.solution:
                stop.cancel()

        board = soloist.generate("samegame")[0]
        result = soloist.solve(board, "nrpa", threads=1, time=None, nodes=10**15, on_progress=look, stop=stop)
        self.assertEqual(result.stopped, "cancel")
        self.assertEqual({progress.id for progress in seen}, {1})
        self.assertEqual(board.check(seen[-1].solution or "").score, seen[-1].best)
        self.assertGreaterEqual(result.score, seen[-1].best)
        self.assertGreater(seen[-1].time_s, 0)

    def test_an_exception_in_a_callback_ends_the_search(self) -> None:
        def stumble(progress: soloist.Progress) -> None:
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            soloist.solve(HARD, "astar", time=None, threads=1, on_progress=stumble)

    def test_another_thread_may_stop_the_search(self) -> None:
        stop = soloist.StopToken()
        timer = threading.Timer(0.2, stop.cancel)
        timer.start()
        result = soloist.solve(HARD, "astar", time=None, threads=1, stop=stop)
        timer.join()
        self.assertEqual((result.status, result.stopped), ("unsolved", "cancel"))
        self.assertEqual(soloist.solve(HARD, time=None, stop=stop).stopped, "cancel")
        for many in ([HARD, HARD], soloist.read(LEVEL + "\n" + LEVEL)):
            results = soloist.solve(many, time=None, stop=stop)
            told = [(one.id, one.status, one.stopped) for one in results]
            self.assertEqual(told, [(1, "unsolved", "cancel"), (2, "unsolved", "cancel")])
        with self.assertRaisesRegex(soloist.SoloistError, "was not read, because the call was cancelled"):
            results[0].puzzle

    def test_solving_in_a_thread(self) -> None:
        results = []
        thread = threading.Thread(target=lambda: results.append(soloist.solve(LEVEL, **QUICK)))
        thread.start()
        thread.join()
        self.assertEqual(results[0].status, "solved")


class Many(unittest.TestCase):
    def test_results_come_in_order_whatever_the_jobs(self) -> None:
        puzzles = soloist.generate("sokoban", 12, seed=9, options={"width": 8, "height": 8, "boxes": 2})
        one = soloist.solve(puzzles, **QUICK)
        heard: list[int] = []
        four = soloist.solve(puzzles, **{**QUICK, "jobs": 4}, on_result=lambda result: heard.append(result.id))
        self.assertEqual([(r.id, r.solution, r.nodes) for r in one], [(r.id, r.solution, r.nodes) for r in four])
        self.assertEqual(sorted(heard), [r.id for r in four])
        self.assertEqual([r.puzzle for r in one], puzzles)
        self.assertEqual(soloist.solve([]), [])

    def test_a_part_of_a_collection_keeps_its_numbers(self) -> None:
        part = soloist.levels("first")[2:4]
        self.assertEqual(part.numbers(), [3, 4])
        self.assertEqual([result.id for result in soloist.solve(part, **QUICK)], [3, 4])

    def test_a_wrong_puzzle_is_a_result(self) -> None:
        collection = soloist.read("; good\n" + LEVEL + "\n; bad\n#####\n#@ $#\n#####\n", "sokoban")
        good, bad = soloist.solve(collection, **QUICK)
        self.assertEqual((good.status, bad.status, bad.name, bad.id), ("solved", "invalid", "bad", 2))
        self.assertTrue(bad.error and bad.line)
        with self.assertRaisesRegex(soloist.SoloistError, "could not be read"):
            bad.puzzle

    def test_an_exception_ends_all_jobs(self) -> None:
        def stumble(result: soloist.Result) -> None:
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            soloist.solve([soloist.Puzzle(TEXTS["tiles"], "tiles")] + [HARD] * 3, "astar", time=None, jobs=2, threads=1, on_result=stumble)
        with self.assertRaises(soloist.UnsupportedError):
            soloist.solve(soloist.read(TEXTS["samegame"], "samegame"), "astar")

    def test_results_are_rows_of_a_table(self) -> None:
        results = soloist.solve([soloist.Puzzle(LEVEL)] * 2, **QUICK)
        rows = [dataclasses.asdict(result) for result in results]
        self.assertEqual({type(value) for row in rows for value in row.values()} - {str, int, float, bool, type(None)}, set())
        again = pickle.loads(pickle.dumps(results))
        self.assertEqual((again, again[0].puzzle), (results, results[0].puzzle))
        if importlib.util.find_spec("pandas") is None:
            return
        import pandas

        table = pandas.DataFrame(results)
        self.assertEqual(list(table.columns), list(rows[0]))
        self.assertEqual(list(table["solution"]), [result.solution for result in results])


class Solutions(unittest.TestCase):
    def test_the_referee(self) -> None:
        puzzle = soloist.Puzzle("######\n#@ $.#\n######\n")
        solution = soloist.check(puzzle, "rR")
        self.assertEqual((solution.cost, solution.score, solution.moves, solution.pushes), (1, None, 2, 1))
        self.assertEqual(soloist.check(str(puzzle), "rR").text, "rR")
        for wrong, column in (("rRR", 3), ("r", None), ("r?", 2)):
            with self.assertRaises(soloist.InputError) as caught:
                soloist.check(puzzle, wrong)
            if column:
                self.assertEqual(caught.exception.column, column)
        film = xml.etree.ElementTree.fromstring(solution._repr_svg_())
        self.assertTrue(any(part.tag.endswith("animateTransform") for part in film.iter()))
        self.assertEqual(pickle.loads(pickle.dumps(solution)), solution)

    def test_reading_and_writing_moves(self) -> None:
        for domain in ("sokoban-moves", "samegame", "tiles", "pancake"):
            result = soloist.solve(TEXTS[domain], domain=domain, **QUICK)
            moves = result.puzzle.read_solution(result.solution)
            self.assertEqual(result.puzzle.write_solution(moves), result.solution)
        with self.assertRaises(soloist.InputError):
            soloist.Puzzle(LEVEL).read_solution("?")

    def test_shorter_solutions(self) -> None:
        room = "########\n#      #\n# @$  .#\n#      #\n########\n"
        self.assertEqual(soloist.optimize(room, "ulddruRRR").text, "RRR")
        self.assertEqual(soloist.optimise(soloist.Puzzle(room), "RRR", "moves", nodes=1000).moves, 3)
        with self.assertRaises(soloist.InputError):
            soloist.optimize(room, "RR")
        with self.assertRaises(soloist.InputError):
            soloist.optimize(room, "RRR", "beauty")
        with self.assertRaises(soloist.UnsupportedError):
            soloist.optimize(soloist.Puzzle(TEXTS["tiles"], "tiles"), "U")

    def test_hints(self) -> None:
        for domain in ("sokoban", "samegame", "tiles", "pancake"):
            advice = soloist.Puzzle(TEXTS[domain], domain).hint(time=None, nodes=50000)
            self.assertEqual(advice.outlook, "alive")
            self.assertTrue(advice.move and advice.line)
        self.assertEqual(soloist.hint("######\n#@ $.#\n######\n").line, "rR")

    def test_explanations(self) -> None:
        advice = soloist.explain("#####\n#@ $#\n#. .#\n#####\n", quick=True)
        self.assertEqual((advice.outlook, advice.reason), ("lost", "dead square"))
        self.assertIn("X", advice.board)
        self.assertEqual(soloist.Puzzle(LEVEL).explain(quick=True).outlook, "unknown")
        self.assertEqual(soloist.Puzzle(LEVEL).explain(nodes=50000).outlook, "alive")
        self.assertEqual(soloist.explain("#####\n#@*.#\n#####\n").outlook, "ended")

    def test_methods_are_listed(self) -> None:
        listed = soloist.methods()
        self.assertTrue({"auto", "astar", "uct", "nrpa"} <= set(listed))
        self.assertTrue(all(listed.values()))


if __name__ == "__main__":
    unittest.main()
