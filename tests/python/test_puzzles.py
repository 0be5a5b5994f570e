"""Puzzles, states, collections, level sets and generators."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import random
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import soloist

LEVEL = """#######
#@ $ .#
#  $ .#
#######
"""
SHARED = Path(os.environ.get("SOLOIST_SHARED", "nowhere"))
# One small puzzle of each domain.
TEXTS = {
    "sokoban": LEVEL,
    "sokoban-moves": LEVEL,
    "samegame": "112\n212\n211\n",
    "tiles": "3 1 2 4 0 5 6 7 8",
    "pancake": "3 1 4 2 5",
    "tictactoe": "X../.O./...",
}


class Puzzles(unittest.TestCase):
    def test_every_domain_reads_its_text(self) -> None:
        self.assertEqual(set(TEXTS), set(soloist.domains()) - set(soloist.rules._entries))
        for domain, text in TEXTS.items():
            puzzle = soloist.Puzzle(text, domain)
            self.assertEqual(puzzle.domain, domain)
            self.assertEqual(str(soloist.Puzzle(str(puzzle), domain)), str(puzzle))
            self.assertEqual(puzzle.aim, "score" if domain in ("samegame", "tictactoe") else "cost")

    def test_the_domain_is_recognised(self) -> None:
        for domain in ("sokoban", "samegame", "tiles"):
            self.assertEqual(soloist.Puzzle(TEXTS[domain]).domain, domain)

    def test_a_wrong_text_says_where(self) -> None:
        with self.assertRaises(soloist.InputError) as caught:
            soloist.Puzzle("######\n#@ $?#\n######\n", "sokoban")
        self.assertEqual((caught.exception.line, caught.exception.column), (2, 5))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((str(again), again.line), (str(caught.exception), 2))

    def test_wrong_arguments_are_refused(self) -> None:
        for text, domain, options, said in (
            (LEVEL, "chess", None, "no domain chess"),
            (LEVEL + "\n" + LEVEL, None, None, "holds 2 puzzles"),
            ("", "sokoban", None, "holds no puzzle"),
            ("\x00\x01", None, None, "recognises"),
            (LEVEL, "sokoban", {"nothing": 1}, "nothing"),
        ):
            with self.assertRaisesRegex(soloist.InputError, said):
                soloist.Puzzle(text, domain, options)

    def test_options_are_a_mapping_or_a_text(self) -> None:
        by_text = soloist.Puzzle(LEVEL, options="corrals=false")
        by_mapping = soloist.Puzzle(LEVEL, options={"corrals": False})
        self.assertEqual(by_text, by_mapping)
        self.assertNotEqual(by_text, soloist.Puzzle(LEVEL))

    def test_puzzles_pickle_copy_and_compare(self) -> None:
        for domain, text in TEXTS.items():
            puzzle = soloist.Puzzle(text, domain, name="a title")
            again = pickle.loads(pickle.dumps(puzzle))
            self.assertIsNot(again, puzzle)
            self.assertEqual(again, puzzle)
            self.assertEqual(hash(again), hash(puzzle))
            self.assertEqual((again.name, again.line), ("a title", puzzle.line))
            self.assertIs(copy.deepcopy(puzzle), puzzle)
        self.assertNotEqual(soloist.Puzzle(LEVEL), soloist.Puzzle(LEVEL, "sokoban-moves"))
        self.assertNotEqual(soloist.Puzzle(LEVEL), LEVEL)


class States(unittest.TestCase):
    def test_random_games_keep_the_rules_of_states(self) -> None:
        dice = random.Random(1)
        for domain, text in TEXTS.items():
            puzzle = soloist.Puzzle(text, domain)
            for _ in range(10):
                state, line = puzzle.root, []
                while state.moves and not state.ended and len(line) < 30:
                    move = dice.choice(state.moves)
                    before, shown = state._bytes, str(state)
                    after = state.apply(move)
                    self.assertEqual((state._bytes, str(state)), (before, shown))
                    self.assertEqual(after.depth, state.depth + 1)
                    self.assertTrue(state.move_text(move))
                    state = after
                    line.append(move)
                again = puzzle.root
                for move in line:
                    again = again.apply(move)
                self.assertEqual((again, again.key, again.value), (state, state.key, state.value))
                kept = pickle.loads(pickle.dumps(state))
                self.assertEqual((kept, hash(kept), kept.depth, kept.score), (state, hash(state), state.depth, state.score))

    def test_children_are_the_legal_moves(self) -> None:
        root = soloist.Puzzle(TEXTS["tiles"], "tiles").root
        self.assertEqual([root.move_text(move) for move in root.moves], ["slide tile 1 down", "slide tile 4 right", "slide tile 5 left", "slide tile 7 up"])
        self.assertEqual([move for move, _ in root.children()], list(root.moves))
        self.assertEqual(len({child for _, child in root.children()}), 4)

    def test_an_illegal_move_is_refused(self) -> None:
        root = soloist.Puzzle(LEVEL).root
        for call in (root.apply, root.move_text):
            with self.assertRaisesRegex(soloist.InputError, "not a legal move"):
                call(4000000000)
            with self.assertRaisesRegex(TypeError, "move: expected a whole number, not float"):
                call(float(root.moves[0]))

    def test_equal_positions_are_equal_however_they_were_reached(self) -> None:
        root = soloist.Puzzle(TEXTS["tiles"], "tiles").root
        up = next(move for move in root.moves if root.move_text(move) == "slide tile 1 down")
        there = root.apply(up)
        down = next(move for move in there.moves if there.move_text(move) == "slide tile 1 up")
        back = there.apply(down)
        self.assertEqual((back, back.value, back.depth), (root, 2, 2))
        self.assertEqual(len({root, back, there}), 2)
        self.assertNotEqual(root, "state")

    def test_bounds_and_dead_states(self) -> None:
        self.assertEqual(soloist.Puzzle(LEVEL).root.bound, 4)
        self.assertFalse(soloist.Puzzle(LEVEL).root.dead)
        self.assertTrue(soloist.Puzzle("#####\n#@ $#\n#. .#\n#####\n").root.dead)
        self.assertIsNone(soloist.Puzzle(TEXTS["tictactoe"], "tictactoe").root.bound)

    def test_a_state_becomes_a_puzzle(self) -> None:
        for domain, text in TEXTS.items():
            state = soloist.Puzzle(text, domain).root
            state = state.apply(state.moves[-1])
            again = state.as_puzzle().root
            self.assertEqual((str(again), again.moves, again.depth), (str(state), state.moves, 0))

    def test_a_state_keeps_its_puzzle_alive(self) -> None:
        root = soloist.Puzzle(LEVEL).root
        gc.collect()
        self.assertEqual(str(root), LEVEL.rstrip("\n"))

    def test_the_score_is_the_referees(self) -> None:
        puzzle = soloist.Puzzle(TEXTS["samegame"], "samegame")
        state, line = puzzle.root, []
        while not state.ended:
            line.append(state.moves[0])
            state = state.apply(state.moves[0])
        self.assertEqual(puzzle.check(puzzle.write_solution(line)).score, state.score)


class Pictures(unittest.TestCase):
    def test_every_domain_draws_itself(self) -> None:
        for domain, text in TEXTS.items():
            puzzle = soloist.Puzzle(text, domain)
            for drawn in (puzzle, puzzle.root):
                picture = xml.etree.ElementTree.fromstring(drawn._repr_svg_())
                self.assertTrue(picture.tag.endswith("svg"))
                self.assertGreater(len(list(picture.iter())), 5)
        wide = xml.etree.ElementTree.fromstring(soloist.Puzzle(LEVEL).svg(square=10))
        self.assertEqual(wide.get("width"), "80")


class Collections(unittest.TestCase):
    def test_a_text_of_several_levels(self) -> None:
        collection = soloist.read("; first\n" + LEVEL + "\n; second\n" + LEVEL, name="two")
        self.assertEqual((len(collection), collection.titles(), collection.name), (2, ["first", "second"], "two"))
        self.assertEqual([puzzle.name for puzzle in collection], ["first", "second"])
        self.assertEqual([puzzle.name for puzzle in collection[1:]], ["second"])
        self.assertEqual(collection[-1].name, "second")
        with self.assertRaises(IndexError):
            collection[2]
        self.assertEqual(pickle.loads(pickle.dumps(collection))[1], collection[1])

    def test_files_and_installed_sets(self) -> None:
        self.assertIn("first", soloist.level_sets())
        installed = soloist.levels("first")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "some.xsb"
            path.write_text("\n\n".join(puzzle.text for puzzle in installed))
            self.assertEqual(list(soloist.read_file(path)), list(installed))
        with self.assertRaisesRegex(soloist.InputError, "no level set nothing"):
            soloist.levels("nothing")

    def test_a_wrong_level_raises_alone(self) -> None:
        collection = soloist.read(LEVEL + "\n#####\n#@ $#\n#####\n\n" + LEVEL, "sokoban")
        self.assertEqual(collection[2], collection[0])
        with self.assertRaises(soloist.InputError):
            collection[1]

    def test_a_known_collection(self) -> None:
        if not (SHARED / "levels" / "microban1.xsb").exists():
            self.skipTest("needs shared/levels")
        microban = soloist.read_file(SHARED / "levels" / "microban1.xsb")
        self.assertEqual(len(microban), 155)


class Generators(unittest.TestCase):
    def test_the_same_seed_makes_the_same_puzzles(self) -> None:
        for domain in ("sokoban", "samegame", "tiles", "pancake"):
            made = soloist.generate(domain, 3, seed=5)
            self.assertEqual(soloist.generate(domain, 2, seed=5), made[:2])
            self.assertEqual(len(set(made)), 3)
            self.assertNotEqual(soloist.generate(domain, 1, seed=6), made[:1])
            self.assertEqual({puzzle.domain for puzzle in made}, {domain})

    def test_options_of_the_generator(self) -> None:
        made = soloist.generate("samegame", options={"width": 5, "height": 4, "colours": 2})[0]
        self.assertEqual([len(row) for row in str(made).splitlines()], [5, 5, 5, 5])
        with self.assertRaises(soloist.InputError):
            soloist.generate("samegame", options="nothing=1")
        with self.assertRaises(soloist.InputError):
            soloist.generate("chess")
        with self.assertRaisesRegex(soloist.InputError, "seed=-1: expected a whole number"):
            soloist.generate("pancake", seed=-1)


if __name__ == "__main__":
    unittest.main()
