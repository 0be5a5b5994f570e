"""Environments: one board against a vector of them, Gymnasium's convention, arrays without copies, pickling and forks."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import soloist
from soloist import InputError, SoloistError, UnsupportedError, environments
from soloist.environments import Environment, VectorEnvironment

STUB = Path(__file__).resolve().parent / "stub"
PUSH = "#####\n#@$.#\n#####"
TWO = "#######\n#@ $ .#\n#######\n\n; second\n#######\n#@$  .#\n#######\n"
DOMAINS = {
    "sokoban-moves": "width=7,height=7,boxes=2",
    "sokoban": "width=7,height=7,boxes=2",
    "samegame": "width=5,height=4,colours=3",
    "tiles": "width=3,height=3",
}


def drawn(masks: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """One legal action per board."""
    return np.array([random.choice(np.nonzero(mask)[0]) for mask in masks])


class One(unittest.TestCase):
    def test_an_episode(self) -> None:
        env = Environment("sokoban-moves", PUSH, reward="rl")
        observation, info = env.reset(seed=3)
        self.assertEqual(observation.dtype, np.uint8)
        self.assertEqual(info["level"], 0)
        self.assertTrue(env.observation_space.contains(observation))
        self.assertEqual(env.action_space.n, 4)
        again, reward, terminated, truncated, info = env.step(0)  # a wall
        np.testing.assert_array_equal(again, observation)
        self.assertAlmostEqual(reward, -0.01)
        self.assertIs(terminated, False)
        self.assertIs(truncated, False)
        self.assertEqual(info["action_mask"].tolist(), [0, 0, 1, 0])
        last, reward, terminated, truncated, info = env.step(np.int64(2))
        self.assertEqual((reward, terminated, truncated), (1.0, True, False))
        self.assertEqual(last[2, 1, 3], 1)  # the box is on the goal
        self.assertEqual(info["action_mask"].tolist(), [0, 0, 0, 0])
        with self.assertRaisesRegex(RuntimeError, "call reset first"):
            env.step(0)
        np.testing.assert_array_equal(env.reset()[0], observation)
        np.testing.assert_array_equal(again, observation)  # kept arrays are not written again

    def test_a_step_limit_truncates(self) -> None:
        env = Environment("sokoban-moves", PUSH, step_limit=2)
        env.reset()
        self.assertEqual(env.step(0)[2:4], (False, False))
        self.assertEqual(env.step(0)[2:4], (False, True))

    def test_levels_in_turn_none_is_skipped(self) -> None:
        env = Environment("sokoban-moves", TWO, in_turn=True, step_limit=1)
        levels = []
        for _ in range(4):
            levels.append(env.reset()[1]["level"])
            env.step(0)
        self.assertEqual(levels, [0, 1, 0, 1])

    def test_a_level_can_be_chosen_and_a_seed_repeats(self) -> None:
        env = Environment("tiles", generator={"width": 3, "height": 3}, pool=50)
        for level in (7, 0, 49):
            self.assertEqual(env.reset(options={"level": level})[1]["level"], level)
        with self.assertRaisesRegex(InputError, "there is no level 50: there are 50"):
            env.reset(options={"level": 50})
        runs = []
        for _ in range(2):
            runs.append([env.reset(seed=5)[1]["level"]] + [env.reset()[1]["level"] for _ in range(9)])
        self.assertEqual(runs[0], runs[1])
        self.assertGreater(len(set(runs[0])), 3)

    def test_render(self) -> None:
        env = Environment("sokoban-moves", PUSH, render_mode="ansi")
        with self.assertRaisesRegex(InputError, "there is no board 1: there are 1, counted from 0"):
            env._boards.text(1)
        env.reset()
        self.assertEqual(env.render(), PUSH + "\n")
        env = Environment("sokoban-moves", PUSH, render_mode="rgb_array")
        env.reset()
        picture = env.render()
        self.assertEqual((picture.shape, picture.dtype), ((48, 80, 3), np.uint8))
        self.assertFalse((picture[24, 24] == picture[24, 40]).all())  # player and box
        env.step(2)
        self.assertFalse((env.render() == picture).all())  # the last position of the episode
        env = Environment("samegame", "1122\n3312\n2213\n", render_mode="rgb_array")
        env.reset()
        self.assertEqual(len(np.unique(env.render().reshape(-1, 3)[17::16], axis=0)), 4)  # three colours, the edges
        self.assertIsNone(Environment("sokoban-moves", PUSH).render())
        env = Environment("sokoban-moves", soloist.Puzzle(PUSH), render_mode="svg")
        env.reset()
        self.assertTrue(env.render().startswith("<svg"))

    def test_the_last_position_of_an_episode_is_rendered(self) -> None:
        env = Environment("sokoban-moves", TWO, in_turn=True, render_mode="ansi")
        env.reset()
        for _ in range(3):
            over = env.step(2)[2]
        self.assertTrue(over)
        self.assertEqual(env.render(), "#######\n#   @*#\n#######\n")
        env.reset()
        self.assertEqual(env.render(), "#######\n#@$  .#\n#######\n")
        env = Environment("sokoban-moves", PUSH, step_limit=1, render_mode="ansi")
        env.reset()
        self.assertTrue(env.step(0)[3])  # not a legal move
        self.assertEqual(env.render(), PUSH + "\n")

    def test_every_way_to_render_shows_the_same_last_position(self) -> None:
        random = np.random.default_rng(5)
        for domain, generator in DOMAINS.items():
            settings = {"generator": generator, "pool": 3, "step_limit": 6}
            text, svg = (Environment(domain, render_mode=mode, **settings) for mode in ("ansi", "svg"))
            for number in range(12):
                info = text.reset(options={"level": number % 3})[1]
                svg.reset(options={"level": number % 3})
                over = False
                while not over:
                    action = random.choice(np.nonzero(info["action_mask"])[0])
                    observation, _, ended, truncated, info = text.step(action)
                    svg.step(action)
                    over = ended or truncated
                if not ended:  # such a position is a level, too
                    shown = Environment(domain, text.render())
                    np.testing.assert_array_equal(shown.reset()[0], observation, domain)
                    self.assertEqual(text.render(), shown._boards.text(0))
                self.assertEqual(svg.render(), soloist.Puzzle(text.render(), domain).svg())

    def test_refusals(self) -> None:
        for arguments, sentence in (
            ({"domain": "chess"}, "there is no domain chess"),
            ({"domain": "sokoban", "reward": "gold"}, "no reward called gold"),
            ({"domain": "sokoban", "options": {"colour": 1}}, "colour"),
            ({"domain": "sokoban", "levels": "\n"}, "there is no level"),
            ({"domain": "sokoban-moves", "levels": PUSH, "generator": ""}, "not both"),
            ({"domain": "sokoban", "levels": [PUSH, TWO]}, "4 planes of 3x7 and 84 actions: expected 4 of 3x5 and 60"),
            ({"domain": "sokoban-moves", "levels": [PUSH, TWO]}, "a level of 7x3: expected 5x3"),
            ({"domain": "sokoban-moves", "levels": PUSH, "render_mode": "smell"}, "no render mode smell"),
            ({"domain": "sokoban-moves", "levels": PUSH, "step_limit": -1}, "step_limit=-1: expected a whole number from 0"),
            ({"domain": "sokoban-moves", "levels": PUSH, "seed": 2**64}, r"seed=.*: expected .* from 0 to 2\*\*64 - 1"),
            ({"domain": "sokoban-moves", "levels": PUSH, "pool": 0}, "pool=0: expected a whole number from 1"),
        ):
            with self.assertRaisesRegex(InputError, sentence):
                Environment(**arguments)
        with self.assertRaisesRegex(UnsupportedError, "pancake cannot be .*: it lacks the group `learn`, which describes"):
            Environment("pancake")
        for arguments, sentence in (
            ({"domain": 5}, "domain: expected a text, not int"),
            ({"domain": "sokoban", "reward": 5}, "reward: expected a text, not int"),
            ({"domain": "sokoban", "levels": 5}, "levels: expected a text, a Puzzle or several of them, not int"),
            ({"domain": "sokoban", "levels": [5]}, r"levels\[0\]: expected a text or a Puzzle, not int"),
            ({"domain": "sokoban", "options": 5}, "options: expected a mapping or a text"),
        ):
            with self.assertRaisesRegex(TypeError, sentence):
                Environment(**arguments)
        env, envs = Environment("sokoban-moves", PUSH), VectorEnvironment("sokoban-moves", PUSH, count=2)
        envs.reset()
        for call, sentence in (
            (lambda: env.reset(options=5), "options: expected a mapping or None, not int"),
            (lambda: env.reset(options={"level": "x"}), "level: expected a whole number, not str"),
            (lambda: env.step(1.5), "action: expected a whole number, not float"),
            (lambda: env.step(None), "action: expected a whole number, not NoneType"),
            (lambda: envs.reset(options=5), "options: expected a mapping or None, not int"),
            (lambda: envs.step([0, 0], out=5), "array: expected a NumPy array, not int"),
            (lambda: envs.text("x"), "board: expected a whole number, not str"),
        ):
            self.assertRaisesRegex(TypeError, sentence, call)
        for call, sentence in (
            (lambda: env.step(2**40), "there is no action 1099511627776"),
            (lambda: env.reset(options={"foo": 1}), "options: there is no 'foo': expected level"),
            (lambda: envs.reset(options={"level": 1}), "options: there is no 'level': expected levels or reset_mask"),
        ):
            self.assertRaisesRegex(InputError, sentence, call)
        for actions in ([1.9, 0], [float("nan"), 0], 0, [0, 0, 0], [True, False]):
            with self.assertRaisesRegex(InputError, "actions: expected 2 whole numbers, one per board"):
                envs.step(actions)
        with self.assertRaisesRegex(InputError, "no action of such a number"):
            envs.step([2**40, 0])
        for arguments in ({"count": 1, "threads": -1}, {"count": 1, "threads": 0}, {"count": 0}):
            with self.assertRaisesRegex(InputError, "=-?[01]: expected a whole number from 1 to"):
                VectorEnvironment("sokoban-moves", PUSH, **arguments)
        with self.assertRaises(InputError) as caught:
            Environment("tiles", "1 0 2 3 4 5 6 7 8\n1 0 2 3 4 5 6 7 9\n")
        self.assertEqual(caught.exception.line, 2)

    def test_more_boards_than_the_memory_holds(self) -> None:
        program = (
            "import resource, sys, soloist.environments as e\n"
            "resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))\n"
            "try: e.VectorEnvironment('tiles', '1 0 2 3 4 5 6 7 8', count=2**31 - 1)\n"
            "except MemoryError: sys.exit(0)\n"
        )
        self.assertEqual(subprocess.run([sys.executable, "-c", program + "sys.exit(1)"]).returncode, 0)

    def test_closed(self) -> None:
        env = Environment("sokoban-moves", PUSH)
        env.reset()
        env.close()
        env.close()
        for call in (lambda: env.step(0), env.reset):
            self.assertRaisesRegex(SoloistError, "the environment is closed", call)
        envs = VectorEnvironment("sokoban-moves", PUSH, count=2)
        self.assertRaisesRegex(RuntimeError, "call reset first", envs.step, [0, 0])
        envs.close()
        for call in (lambda: envs.step([0, 0]), envs.reset, lambda: envs.text(0)):
            self.assertRaisesRegex(SoloistError, "the environment is closed", call)

    def test_closed_while_another_thread_plays(self) -> None:
        step, closers = environments._step, []

        def step_late(handle: int) -> int:
            """While this step is made, another thread closes the boards."""
            closers.append(threading.Thread(target=envs.close))
            closers[0].start()
            closers[0].join(0.2)
            self.assertTrue(closers[0].is_alive())
            return step(handle)

        envs = VectorEnvironment("sokoban-moves", PUSH, count=2)
        envs.reset()
        with mock.patch.object(environments, "_step", step_late):
            self.assertEqual(envs.step([2, 0])[2].tolist(), [True, False])
        closers[0].join()
        self.assertRaisesRegex(SoloistError, "the environment is closed", envs.step, [0, 0])


class Many(unittest.TestCase):
    def test_a_vector_plays_as_single_boards_do(self) -> None:
        for domain, generator in DOMAINS.items():
            with self.subTest(domain):
                self.compare(domain, generator)

    def compare(self, domain: str, generator: str) -> None:
        random = np.random.default_rng(4)
        settings = {"generator": generator, "pool": 6, "step_limit": 9}
        envs = VectorEnvironment(domain, count=5, copy=True, **settings)
        ones = [Environment(domain, general=True, **settings) for _ in range(5)]
        observations, info = envs.reset(seed=8)
        for one, level in zip(ones, envs.playing()):
            one.reset(options={"level": level})
        ends = 0
        for _ in range(60):
            actions = drawn(info["action_mask"], random)
            actions[0] = random.integers(envs.single_action_space.n)  # perhaps no legal move
            observations, rewards, terminated, truncated, info = envs.step(actions)
            for board, one in enumerate(ones):
                found, reward, *over, one_info = one.step(actions[board])
                self.assertEqual(reward, rewards[board])
                self.assertEqual(over, [terminated[board], truncated[board]])
                if any(over):
                    ends += 1
                    self.assertTrue(info["_final_obs"][board])
                    np.testing.assert_array_equal(found, info["final_obs"][board])
                    found, one_info = one.reset(options={"level": envs.playing()[board]})
                np.testing.assert_array_equal(found, observations[board])
                np.testing.assert_array_equal(one_info["action_mask"], info["action_mask"][board])
        self.assertGreater(ends, 20)

    def test_arrays_are_not_copied(self) -> None:
        mine = np.full((3, 4, 3, 7), 9, np.uint8)
        envs = VectorEnvironment("sokoban-moves", TWO, count=3, observations=mine, in_turn=True)
        observations, info = envs.reset()
        self.assertIs(observations, mine)
        self.assertEqual(mine.max(), 1)
        self.assertIs(info["action_mask"], envs.masks)
        envs.actions[:] = 2
        self.assertIs(envs.step()[0], mine)
        rollout = np.full((4, 3, 4, 3, 7), 9, np.uint8)
        usual = VectorEnvironment("sokoban-moves", TWO, count=3, in_turn=True)
        usual.reset()
        usual.step([2, 2, 2])
        for row in rollout:
            found = envs.step([1, 1, 2], out=row)[0]
            self.assertIs(found, row)
            np.testing.assert_array_equal(row, usual.step([1, 1, 2])[0])
        np.testing.assert_array_equal(envs.step([2, 2, 2])[0], usual.step([2, 2, 2])[0])
        with self.assertRaisesRegex(InputError, "C-contiguous"):
            envs.step([2, 2, 2], out=np.zeros((3, 4, 3, 7), np.int8))
        self.assertRaises(ValueError, envs.step, [1, 2])

    def test_an_array_for_observations_need_not_hold_anything(self) -> None:
        usual, own, fresh = (VectorEnvironment("sokoban-moves", TWO, count=3, in_turn=True) for _ in range(3))
        for envs in (usual, own, fresh):
            envs.reset()
        out = np.zeros(usual.observations.shape, np.uint8)
        for action in (2, 2, 1, 2):
            out[:] = 7
            wanted = usual.step([action] * 3)[0]
            np.testing.assert_array_equal(own.step([action] * 3, out=out)[0], wanted)
            # An array that is freed may have the address of the next one.
            np.testing.assert_array_equal(fresh.step([action] * 3, out=np.zeros_like(out))[0], wanted)
        own.observations[:] = 7
        np.testing.assert_array_equal(own.step([2] * 3, out=own.observations)[0], usual.step([2] * 3)[0])
        own.observations[:] = 7
        np.testing.assert_array_equal(own.step([1] * 3, out=own.observations)[0], usual.step([1] * 3)[0])

    def test_observations_in_another_array_are_the_present_ones(self) -> None:
        usual, other = (
            VectorEnvironment("sokoban-moves", TWO, count=3, in_turn=True, render_mode="rgb_array") for _ in range(2)
        )
        for envs in (usual, other):
            envs.reset()
        usual.step([2] * 3)
        other.step([2] * 3, out=np.zeros_like(usual.observations))
        np.testing.assert_array_equal(other.render(), usual.render())
        some = {"reset_mask": [True, False, False]}
        np.testing.assert_array_equal(other.reset(options=some)[0], usual.reset(options=some)[0])
        np.testing.assert_array_equal(other.step([2] * 3)[0], usual.step([2] * 3)[0])

    def test_threads_do_not_change_games_and_end_with_the_call(self) -> None:
        random = np.random.default_rng(6)
        before = len(os.listdir("/proc/self/task"))
        settings = {"count": 64, "generator": DOMAINS["samegame"], "pool": 8}
        one, three = (VectorEnvironment("samegame", threads=threads, **settings) for threads in (1, 3))
        np.testing.assert_array_equal(one.reset(seed=2)[0], three.reset(seed=2)[0])
        for _ in range(20):
            actions = drawn(one.masks, random)
            for mine, other in zip(one.step(actions)[:4], three.step(actions)[:4]):
                np.testing.assert_array_equal(mine, other)
        self.assertEqual(len(os.listdir("/proc/self/task")), before)

    def test_reset_of_some_boards(self) -> None:
        envs = VectorEnvironment("sokoban-moves", TWO, count=4, in_turn=True)
        before = envs.reset(options={"levels": [1, 1, 0, -1]})[0].copy()
        self.assertEqual(envs.playing().tolist(), [1, 1, 0, 1])
        envs.step([2, 2, 2, 2])
        after = envs.reset(options={"reset_mask": [True, False, False, True], "levels": [1, 0, 0, 1]})[0]
        self.assertEqual((after == before).all(axis=(1, 2, 3)).tolist(), [True, False, False, True])
        with self.assertRaisesRegex(InputError, "one entry per board: 4, not 2"):
            envs.reset(options={"levels": [0, 1]})
        playing = envs.playing().tolist()
        for name, entries, sentence in (
            ("levels", [0.7, 1, 1, 1], "levels: expected whole numbers"),
            ("levels", [float("nan"), 1, 1, 1], "levels: expected whole numbers"),
            ("levels", "0101", "levels: expected whole numbers"),
            ("levels", 1, "levels: expected whole numbers"),
            ("levels", [0, 1, 1, -7], "there is no level -7"),
            ("levels", [0, 1, 1, 2], "there is no level 2: there are 2"),
            ("reset_mask", "0000", "reset_mask: expected booleans"),
        ):
            with self.assertRaisesRegex(InputError, sentence):
                envs.reset(options={name: entries})
            self.assertEqual(envs.playing().tolist(), playing)

    def test_convention(self) -> None:
        envs = VectorEnvironment("sokoban-moves", PUSH, count=2, render_mode="ansi", masks=False)
        with self.assertRaisesRegex(RuntimeError, "call reset first"):
            envs.step([0, 0])
        observations, info = envs.reset()
        self.assertEqual(info, {})
        self.assertTrue(envs.observation_space.contains(observations))
        self.assertTrue(envs.action_space.contains(envs.action_space.sample()))
        self.assertEqual((envs.num_envs, envs.single_action_space.n), (2, 4))
        self.assertEqual(envs.render(), (PUSH + "\n",) * 2)
        self.assertEqual(envs.text(1), PUSH + "\n")
        envs.close()
        self.assertTrue(envs.closed)
        self.assertRaises(SoloistError, envs.step, [0, 0])


class Processes(unittest.TestCase):
    def test_pickle(self) -> None:
        for env in (
            Environment("tiles", generator={"width": 3, "height": 3}, step_limit=7),
            VectorEnvironment("sokoban-moves", TWO, count=3, threads=2),
        ):
            other = pickle.loads(pickle.dumps(env))
            np.testing.assert_array_equal(env.reset(seed=4)[0], other.reset(seed=4)[0])
            action = 1 if isinstance(env, Environment) else [1, 2, 2]
            np.testing.assert_array_equal(env.step(action)[0], other.step(action)[0])

    def test_fork_in_the_middle(self) -> None:
        envs = VectorEnvironment("sokoban-moves", count=32, generator=DOMAINS["sokoban-moves"], threads=2, seed=3)
        envs.reset()
        envs.step([1] * 32)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            envs.step([2] * 32)
            os.write(writer, envs.observations.tobytes())
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            theirs = pipe.read()
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        envs.step([2] * 32)
        self.assertEqual(theirs, envs.observations.tobytes())


class Gymnasium(unittest.TestCase):
    def test_subclasses_of_gymnasium(self) -> None:
        """The other tests again, in a process that can import the stub."""
        program = (
            "import gymnasium, soloist.environments as e, unittest, sys\n"
            "assert issubclass(e.Environment, gymnasium.Env)\n"
            "assert issubclass(e.VectorEnvironment, gymnasium.VectorEnv)\n"
            "assert e.VectorEnvironment.metadata['autoreset_mode'] is gymnasium.AutoresetMode.SAME_STEP\n"
            f"env = e.Environment('sokoban-moves', {PUSH!r})\n"
            "env.reset(seed=1)\n"
            "first = env.np_random.random()\n"
            "env.reset(seed=1)\n"
            "assert env.np_random.random() == first\n"
            "assert len(env.step(0)) == 5 and env.unwrapped is env\n"
            "assert env.step(2)[2]\n"
            "try: env.step(0)\n"
            "except gymnasium.ResetNeeded as error: assert isinstance(error, RuntimeError)\n"
            "else: sys.exit('no ResetNeeded')\n"
            f"envs = e.VectorEnvironment('sokoban-moves', {PUSH!r}, count=2)\n"
            "envs.reset(seed=1)\n"
            "assert envs.step([0, 2])[4]['_final_obs'].tolist() == [False, True]\n"
            "envs.close()\n"
            "try: e.VectorEnvironment('chess', count=2)\n"
            "except ValueError: pass\n"
        )
        path = os.pathsep.join([str(STUB), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
