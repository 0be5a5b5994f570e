"""Networks: files read and written bit by bit, weights to and from PyTorch, and what they say, against NumPy."""

from __future__ import annotations

import json
import os
import pickle
import struct
import sys
import tempfile
import threading
import types
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import soloist
from soloist import InputError, Network, networks, read_network, write_network

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "data" / "networks").glob("*.safetensors"))
DESCRIPTION = """input 6x5x5
conv 4 3x3 pad 1 elu
mark body
conv 1 1x1
policy
from body
linear 3 relu
linear 1
value
"""
BOARD = "12345\n11223\n33221\n45125\n44111\n"


def convolve(planes: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """A convolution with zeros around the board, in plain loops over the kernel."""
    pad = weight.shape[2] // 2
    around = np.pad(planes, ((0, 0), (pad, pad), (pad, pad)))
    height, width = planes.shape[1:]
    out = np.zeros((weight.shape[0], height, width)) + bias[:, None, None]
    for y in range(weight.shape[2]):
        for x in range(weight.shape[3]):
            out += np.tensordot(weight[:, :, y, x], around[:, y : y + height, x : x + width], 1)
    return out


def answer(network: Network, planes: np.ndarray) -> tuple[np.ndarray, float]:
    """The policy over all actions and the value, of DESCRIPTION."""
    weights = list(network.tensors.values())
    body = convolve(planes, weights[0], weights[1])
    body = np.where(body > 0, body, np.expm1(body))
    policy = np.exp(convolve(body, weights[2], weights[3]).ravel())
    hidden = np.maximum(weights[4] @ body.ravel() + weights[5], 0)
    return policy, float((weights[6] @ hidden + weights[7])[0])


class Files(unittest.TestCase):
    def test_a_file_that_is_read_and_written_is_the_same(self) -> None:
        self.assertGreater(len(SHIPPED), 3)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.safetensors"
            for path in SHIPPED:
                network = read_network(path)
                write_network(copy, network)
                self.assertEqual(copy.read_bytes(), path.read_bytes(), path.name)
                self.assertEqual(os.listdir(folder), ["copy.safetensors"])
                self.assertIn("soloist.card", network.notes)

    def test_odd_texts_survive(self) -> None:
        network = read_network(SHIPPED[0])
        network.notes["note"] = 'Ä "quoted" \\ \t\n\x01 end'
        again = Network.from_bytes(network.to_bytes())
        self.assertEqual(again.notes, network.notes)

    def test_what_the_engine_cannot_open_is_not_written(self) -> None:
        network = Network.untrained(DESCRIPTION, "samegame")
        network.tensors["conv1.weight"] = np.zeros((6, 4, 3, 3), np.float32)
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(InputError, r"^conv1.weight has the shape \[6,4,3,3\]"):
                network.write(Path(folder) / "wrong.safetensors")
            self.assertEqual(os.listdir(folder), [])
            network.tensors["conv1.weight"] = np.full((4, 6, 3, 3), np.nan, np.float32)
            with self.assertRaisesRegex(InputError, "conv1.weight has numbers that are not finite"):
                network.write(Path(folder) / "wrong.safetensors")

    def test_links_are_followed_and_pipes_are_written_to(self) -> None:
        network = Network.untrained(DESCRIPTION, "samegame")
        with tempfile.TemporaryDirectory() as folder:
            pipe, link, file = (Path(folder) / name for name in ("pipe", "link", "file"))
            os.mkfifo(pipe)
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            network.write(pipe)
            self.assertTrue(pipe.is_fifo())
            self.assertEqual(os.read(reader, 1 << 16), network.to_bytes())
            os.close(reader)
            link.symlink_to(file)
            network.write(link)
            self.assertTrue(link.is_symlink())
            self.assertEqual(file.read_bytes(), network.to_bytes())
            self.assertEqual(sorted(os.listdir(folder)), ["file", "link", "pipe"])

    @unittest.skipUnless(os.path.exists("/dev/fd"), "needs /dev/fd")
    def test_pipes_without_a_name_are_written_to(self) -> None:
        network = Network.untrained(DESCRIPTION, "samegame")
        reader, writer = os.pipe()
        with os.fdopen(reader, "rb") as file:
            network.write(Path(f"/dev/fd/{writer}"))  # as /dev/stdout is, if another program reads the output
            os.close(writer)
            self.assertEqual(file.read(), network.to_bytes())

    def test_damaged_files_are_explained(self) -> None:
        raw = SHIPPED[0].read_bytes()
        for damaged, sentence in (
            (raw[:5], "5 bytes: too few"),
            (b"\xff" * 16, "its header would have"),
            (b"\x02" + bytes(7) + b"[]", "not a JSON object"),
            (raw[:-4], "ends too soon"),
            (raw.replace(b"soloist.network", b"soloist.nothing"), "no description"),
            (raw.replace(b'"F32"', b'"F16"', 1), "F16: expected F32"),
            (raw[:-4] + struct.pack("<f", float("nan")), "has numbers that are not finite"),
        ):
            with self.assertRaisesRegex(InputError, sentence):
                Network.from_bytes(damaged)

    def test_wrong_headers_are_explained(self) -> None:
        def file(header: object) -> bytes:
            raw = header if isinstance(header, bytes) else json.dumps(header).encode()
            return struct.pack("<Q", len(raw)) + raw + bytes(4)

        metadata = {"soloist.network": DESCRIPTION}
        for shape, offsets in (
            ([1.0], [0, 4]),
            ([True], [0, 4]),
            ([1], [0.0, 4.0]),
            ([2**70], [0, 0]),
            ([2**62, 4], [0, 0]),
            ([2**62, 0], [0, 0]),
            ([1] * 65, [0, 4]),
            ([float("nan")], [0, 4]),
        ):
            entry = {"dtype": "F32", "shape": shape, "data_offsets": offsets}
            with self.subTest(shape), self.assertRaisesRegex(InputError, r"\bx\b"):
                Network.from_bytes(file({"__metadata__": metadata, "x": entry}))
        with self.assertRaisesRegex(InputError, "not a JSON object"):
            Network.from_bytes(file(b"[" * 100_000))
        with self.assertRaisesRegex(InputError, "metadata soloist.domain is not a text"):
            Network.from_bytes(file({"__metadata__": {**metadata, "soloist.domain": 7}}))
        with self.assertRaisesRegex(TypeError, r"notes\['a'\]: expected a text, not int"):
            Network(DESCRIPTION, {}, {"a": 5}).to_bytes()
        with self.assertRaisesRegex(InputError, "cannot be encoded"):
            Network.from_bytes(file({"__metadata__": {"soloist.network": "\ud800"}})).to_bytes()

    def test_an_untrained_network(self) -> None:
        network = Network.untrained(DESCRIPTION, "samegame", seed=3)
        self.assertEqual(network.domain, "samegame")
        self.assertEqual([list(tensor.shape) for tensor in network.tensors.values()][:3], [[4, 6, 3, 3], [4], [1, 4, 1, 1]])
        self.assertEqual(network.to_bytes(), Network.untrained(DESCRIPTION, "samegame", seed=3).to_bytes())
        self.assertNotEqual(network.to_bytes(), Network.untrained(DESCRIPTION, "samegame", seed=4).to_bytes())
        with self.assertRaises(InputError) as caught:
            Network.untrained("input 6x5x5\nconf 4 3x3\n", "samegame")
        self.assertEqual(caught.exception.line, 2)


class Asking(unittest.TestCase):
    def setUp(self) -> None:
        self.network = Network.untrained(DESCRIPTION, "samegame")
        for number, tensor in enumerate(self.network.tensors.values()):
            tensor += np.random.default_rng(number).normal(0, 0.3, tensor.shape).astype(np.float32)
        self.root = soloist.Puzzle(BOARD, "samegame").root
        self.env = soloist.Environment("samegame", BOARD)

    def check(self, states: list[soloist.State], found: soloist.Evaluation) -> None:
        for state, priors, value in zip(states, found.priors, found.values):
            env = soloist.Environment("samegame", str(state))
            planes, info = env.reset()
            policy, right = answer(self.network, planes.astype(np.float64))
            self.assertAlmostEqual(value, right, 4)
            self.assertEqual(len(priors), len(state.moves))
            self.assertAlmostEqual(float(priors.sum()), 1, 5)
            # The probability of a group is the sum over its cells: none is lost, and none belongs to no group.
            cells = policy * info["action_mask"]
            self.assertAlmostEqual(float(priors.max()), self.largest(state, cells / cells.sum()), 4)

    def largest(self, state: soloist.State, cells: np.ndarray) -> float:
        """The largest sum over a group of equal neighbours on the board."""
        board = np.array([list(row) for row in str(state).splitlines() if row and row[0] not in ";#"])
        cells = cells.reshape(board.shape)
        seen: set[tuple[int, int]] = set()
        best = 0.0
        for start in np.ndindex(board.shape):
            group, total = [start], 0.0
            while group:
                y, x = group.pop()
                if (y, x) in seen:
                    continue
                seen.add((y, x))
                total += cells[y, x]
                for to in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                    inside = 0 <= to[0] < board.shape[0] and 0 <= to[1] < board.shape[1]
                    if inside and board[to] == board[y, x]:
                        group.append(to)
            best = max(best, total)
        return best

    def test_answers_are_the_networks(self) -> None:
        states = [self.root] + [state for _, state in self.root.children()]
        self.check(states, self.network.evaluate(states))
        before = len(os.listdir("/proc/self/task"))
        self.check(states, self.network.evaluate(states, "batch=3,threads=2"))
        self.assertEqual(len(os.listdir("/proc/self/task")), before)
        self.network.tensors["conv1.weight"] *= 2  # the present weights are asked
        self.check(states, self.network.evaluate(states))
        other = pickle.loads(pickle.dumps(self.network))
        self.check(states, other.evaluate(states))

    def test_several_python_threads_may_evaluate_at_once(self) -> None:
        evaluate, close = networks._evaluate, networks.lib.soloist_network_close
        closed: list[int] = []
        others: list[threading.Thread] = []

        def evaluate_late(handle: int, *arguments: object) -> int:
            """The first call waits for another one, which begins later and ends earlier."""
            if not others:
                others.append(threading.Thread(target=self.network.evaluate, args=([self.root], options)))
                others[0].start()
                others[0].join()
            self.assertNotIn(handle, closed)
            return evaluate(handle, *arguments)

        def note_closed(handle: int) -> None:
            closed.append(handle)
            close(handle)

        self.network.evaluate([self.root])  # fills the caches of the puzzle
        for mine, options in (("threads=2", "threads=2"), ("threads=2", "batch=3,threads=2"), ("batch=2", "batch=3")):
            others.clear()
            closed.clear()
            library = mock.patch.object(networks.lib, "soloist_network_close", note_closed)
            with library, mock.patch.object(networks, "_evaluate", evaluate_late):
                found = self.network.evaluate([self.root], mine)
            self.check([self.root], found)

    def test_no_thread_stays_alive_after_a_failure(self) -> None:
        before = len(os.listdir("/proc/self/task"))
        with self.assertRaises(InputError):
            self.network.evaluate([soloist.Puzzle("123\n123\n", "samegame").root], "threads=2")
        self.assertEqual(len(os.listdir("/proc/self/task")), before)

    def test_arguments_of_another_type_are_refused(self) -> None:
        network = soloist.Network.untrained("input 4x?x?\nconv 4 3x3 pad 1\npool\npolicy\n", "sokoban-moves")
        root = soloist.Puzzle("#####\n#@$.#\n#####\n", "sokoban-moves").root
        for states, sentence in ((root, "states: expected a sequence of states, not State"), ([5], r"states\[0\]: expected a State, not int")):
            with self.assertRaisesRegex(TypeError, sentence):
                network.evaluate(states)
        with self.assertRaisesRegex(InputError, r"states\[1\] is of pancake, but states\[0\] of sokoban-moves"):
            network.evaluate([root, soloist.Puzzle("2 1", "pancake").root])
        with self.assertRaisesRegex(TypeError, "description: expected a text, not int"):
            soloist.Network.untrained(5, "tiles")

    def test_ends_and_several_puzzles(self) -> None:
        end = self.root
        while not end.ended:
            end = end.apply(end.moves[0])
        second = soloist.Puzzle(BOARD[::-1].strip() + "\n", "samegame").root
        found = self.network.evaluate([self.root, end, second])
        self.assertEqual((len(found.priors[1]), found.values[1]), (0, 0))
        self.check([self.root], soloist.Evaluation(found.priors[:1], found.values[:1]))
        self.check([second], soloist.Evaluation(found.priors[2:], found.values[2:]))
        self.assertEqual(self.network.evaluate([]).priors, [])
        with self.assertRaises(InputError):
            self.network.evaluate([soloist.Puzzle("123\n123\n", "samegame").root])

    def test_a_search_uses_the_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("mine.safetensors", os.fsdecode(b"m\xffne.safetensors")):
                path = Path(folder) / name
                self.network.write(path)
                result = soloist.solve(
                    BOARD, "pv-mcts", domain="samegame", network=path, iterations=50, time=None, threads=1
                )
                self.assertEqual(result.status, "solved")
                self.assertGreater(result.evaluations, 0)


class Tensor:
    """The few methods of PyTorch's tensors that are used."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def detach(self) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> np.ndarray:
        return self.array


class PyTorch(unittest.TestCase):
    def test_state_dicts(self) -> None:
        try:
            import torch
        except ImportError:
            torch = types.ModuleType("torch")
            torch.from_numpy = Tensor
            sys.modules["torch"] = torch
            self.addCleanup(sys.modules.pop, "torch")
        network = Network.untrained(DESCRIPTION, "samegame")
        state = network.state_dict()
        self.assertEqual(list(state), list(network.tensors))
        before = network.to_bytes()
        state["conv1.bias"].numpy()[:] = 5
        self.assertEqual(network.to_bytes(), before)  # copies
        network.load_state_dict(state)
        self.assertEqual(network.tensors["conv1.bias"].tolist(), [5] * 4)
        with self.assertRaisesRegex(InputError, r"conv1.bias has the shape \[3\]: expected \[4\]"):
            network.load_state_dict({**state, "conv1.bias": np.zeros(3)})
        with self.assertRaisesRegex(InputError, "the network has no other"):
            network.load_state_dict({**state, "other": np.zeros(3)})
        with self.assertRaisesRegex(InputError, "there is no conv1.bias"):
            network.load_state_dict({name: array for name, array in state.items() if name != "conv1.bias"})


if __name__ == "__main__":
    unittest.main()
