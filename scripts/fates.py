#!/usr/bin/env python3
"""May a network for SameGame predict what each block will bring? States, labels, training games and the verdict.

    fates.py states FILE [--boards 50] [--count 64] [--seed 9100]
    fates.py labels FILE LABELS [--playouts 60000] [--seeds 1,2] [--boards 1-50] [--jobs 1]
    fates.py games FOLDER [--seconds 200] [--jobs 16] [--playouts 5000] [--seed 1]
    fates.py measure FILE LABELS [PREDICTIONS...]

The score of a game is a sum over blocks: each block of a group of n blocks brings (n-2)^2 / n points, its fate. Each of
k blocks of one colour that are left at the end brings -(k-2)^2 / k. An empty board brings 1,000 points more.

`states` writes states of random boards of 15x15 with five colours. The states of a board have nearly the same number of
blocks left; half of them are states of short NRPA games, the other half of games drawn from the network's policy.
`labels` appends to LABELS what NRPA scores from each state on, one line per label: play-outs, seed, state, score. It
leaves out the labels that the file already holds. `games` writes NRPA games for training, as NumPy arrays;
fates_train.py learns from them. `measure` prints rank correlations with the labels. A file of predictions has one line
per state: the score that is still to come. Needs NumPy, and the module `soloist` on PYTHONPATH.
"""

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
import soloist

Work = Callable[[argparse.Namespace], None]

SIDE, COLOURS = 15, 5
LEFT = 255  # the time of a block that is never removed
NETWORK = "data/networks/samegame-policy-15.safetensors"


@dataclass
class State:
    """A state of a board: the number of the board, the score so far, and the rows, top row first."""

    board: int
    so_far: int
    text: str

    @property
    def blocks(self) -> int:
        return sum(cell != "0" for cell in self.text if cell != "\n")


# ---- games ----


def columns_of(text: str) -> list[list[int]]:
    """The colours of each column, from the bottom up."""
    rows = text.replace(".", "0").split("\n")[::-1]
    return [[int(row[column]) for row in rows if row[column] != "0"] for column in range(SIDE)]


def text_of(columns: list[list[int]]) -> str:
    filled = [column + [0] * (SIDE - len(column)) for column in columns]
    filled += [[0] * SIDE] * (SIDE - len(filled))
    return "\n".join("".join(str(column[row]) for column in filled) for row in reversed(range(SIDE)))


def group_of(columns: list[list[int]], column: int, row: int) -> list[tuple[int, int]]:
    """The cells of the group that holds a cell, from top to bottom."""
    colour, found, open_cells = columns[column][row], {(column, row)}, [(column, row)]
    while open_cells:
        c, r = open_cells.pop()
        for cell in ((c - 1, r), (c + 1, r), (c, r - 1), (c, r + 1)):
            on = 0 <= cell[0] < len(columns) and 0 <= cell[1] < len(columns[cell[0]])
            if on and cell not in found and columns[cell[0]][cell[1]] == colour:
                found.add(cell)
                open_cells.append(cell)
    return sorted(found, key=lambda cell: -cell[1])


def replay(text: str, moves: list[int]) -> Iterator[tuple[list[list[int]], int, list[int]]]:
    """For each move: the columns before it, and of the group that it removes the size and the blocks' first cells."""
    columns = columns_of(text)
    cells = [[column * SIDE + row for row in range(len(columns[column]))] for column in range(SIDE)]
    for move in moves:
        group = group_of(columns, move // 32, move % 32)
        yield columns, len(group), [cells[c][r] for c, r in group]
        for c, r in group:
            del columns[c][r], cells[c][r]
        columns, cells = [c for c in columns if c], [c for c in cells if c]


def nrpa(text: str, method: str, playouts: int, seed: int) -> tuple[int, list[int]]:
    """The score and the moves of the game that NRPA finds."""
    puzzle = soloist.Puzzle(text, "samegame")
    result = soloist.solve(puzzle, method, time=None, iterations=playouts, threads=1, jobs=1, seed=seed)
    return result.score, puzzle.read_solution(str(result.solution))


def some_method(rng: random.Random) -> str:
    """NRPA with a race between the rules or with one of them."""
    rule = rng.randrange(COLOURS + 2)
    return "nrpa" if rule > COLOURS else f"nrpa:race=false,rule={rule}"


def policy_game(text: str, network: soloist.Network, rng: random.Random, least: int) -> list[int]:
    """Moves drawn from a network's policy until fewer than `least` blocks are left."""
    state, moves = soloist.Puzzle(text, "samegame").root, []
    while not state.ended and sum(cell in "12345" for cell in str(state)) >= least:
        priors = network.evaluate([state]).priors[0]
        moves.append(rng.choices(state.moves, priors)[0])
        state = state.apply(moves[-1])
    return moves


def state_within(text: str, moves: list[int], low: int, high: int, rng: random.Random) -> tuple[str, int] | None:
    """A state of a game with low to high blocks left, and the score so far; None: the game has no such state."""
    found, score = [], 0
    for columns, size, _ in replay(text, moves):
        if low <= sum(map(len, columns)) <= high:
            found.append((text_of(columns), score))
        score += (size - 2) ** 2
        if sum(map(len, columns)) < low:
            break
    return rng.choice(found) if found else None


# ---- states ----


def states_of_board(job: tuple[int, str, int, int]) -> list[State]:
    number, text, count, seed = job
    rng = random.Random(seed)
    network = soloist.read_network(NETWORK)
    middle = rng.randint(167, 188)
    states: dict[str, State] = {}
    for half in (count // 2, count):
        while len(states) < half:
            if half == count:
                moves = policy_game(text, network, rng, middle - 1)
            else:
                moves = nrpa(text, some_method(rng), rng.choice([500, 1000, 2000]), rng.randrange(1 << 30))[1]
            found = state_within(text, moves, middle - 1, middle + 1, rng)
            if found:
                states.setdefault(found[0], State(number, found[1], found[0]))
    return list(states.values())


def write_states(words: argparse.Namespace) -> None:
    boards = soloist.generate("samegame", words.boards, words.seed)
    with open(words.file, "w", encoding="utf-8") as file:
        for number, board in enumerate(boards, 1):
            for state in states_of_board((number, board.text, words.count, words.seed + number)):
                file.write(f"; {state.board} {state.so_far}\n{state.text}\n\n")


def read_states(path: str) -> list[State]:
    with open(path, encoding="utf-8") as file:
        parts = file.read().strip().split("\n\n")
    states = []
    for part in parts:
        head, text = part.split("\n", 1)
        _, board, so_far = head.split()
        states.append(State(int(board), int(so_far), text))
    return states


# ---- labels ----


def read_labels(path: str) -> dict[tuple[int, int, int], int]:
    """The scores by play-outs, seed and state; states are counted from 0."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        rows = [tuple(map(int, line.split())) for line in file if line.endswith("\n")]
    return {row[:3]: row[3] for row in rows}


def write_label(job: tuple[str, int, int, int, str]) -> None:
    path, playouts, seed, number, text = job
    score, _ = nrpa(text, "nrpa", playouts, seed)
    with open(path, "a", encoding="utf-8") as file:
        file.write(f"{playouts} {seed} {number} {score}\n")


def write_labels(words: argparse.Namespace) -> None:
    states, known = read_states(words.file), read_labels(words.labels)
    first, _, last = words.boards.partition("-")
    jobs = [
        (words.labels, words.playouts, seed, number, states[number].text)
        for board in range(int(first), int(last or first) + 1)
        for seed in map(int, words.seeds.split(","))
        for number in range(len(states))
        if states[number].board == board and (words.playouts, seed, number) not in known
    ]
    with ProcessPoolExecutor(words.jobs, get_context("spawn")) as pool:
        for _ in pool.map(write_label, jobs):
            pass


# ---- training games ----


def settle(cells: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """The cells of boards (boards x columns x rows) once only the blocks that stay are left, and have fallen."""
    out = np.zeros_like(cells)
    columns = np.cumsum(stays.any(2), 1) - 1
    rows = np.cumsum(stays, 2) - 1
    board, column, row = np.nonzero(stays)
    out[board, columns[board, column], rows[board, column, row]] = cells[board, column, row]
    return out


@dataclass
class Game:
    """A game: for each cell of its first state the colour, the time of removal (from 1; 0: empty; LEFT), and the size
    of the group that it is removed with; for a block that is left, the number of blocks left of its colour."""

    board: int
    so_far: int
    colour: np.ndarray
    time: np.ndarray
    size: np.ndarray
    moves: int

    @classmethod
    def of(cls, board: int, so_far: int, text: str, moves: list[int]) -> "Game":
        cells = [column + [0] * (SIDE - len(column)) for column in columns_of(text)]
        colour = np.array(cells, np.uint8).reshape(-1)
        time, size = np.where(colour > 0, LEFT, 0).astype(np.uint8), np.zeros(SIDE * SIDE, np.uint8)
        for step, (_, count, blocks) in enumerate(replay(text, moves), 1):
            time[blocks], size[blocks] = step, count
        for k in range(1, COLOURS + 1):
            left = (colour == k) & (time == LEFT)
            size[left] = left.sum()
        return cls(board, so_far, colour, time, size, len(moves))


def fates(size: np.ndarray, left: np.ndarray) -> np.ndarray:
    """What each block brings; `left` says which blocks stay to the end."""
    points = (size - 2.0) ** 2 / np.maximum(size, 1)
    return np.where(size > 0, np.where(left, -points, points), 0)


def prefixes(game: Game, least: int) -> dict[str, np.ndarray]:
    """Every state of a game that has at least `least` blocks, with what its blocks and the rest of the game bring."""
    shape = (1, SIDE, SIDE)
    gone = np.bincount(game.time, minlength=LEFT + 1)[: game.moves + 1].cumsum()  # 0: the empty cells
    count = int((SIDE * SIDE - gone[: game.moves] >= least).sum())
    stays = game.time.reshape(shape) > np.arange(count).reshape(-1, 1, 1)
    left = game.time == LEFT
    fate = fates(game.size, left).astype(np.float32)
    total = round(float(fate.sum())) + 1000 * (not left.any())
    brought = np.array([fate[game.time <= step].sum() for step in range(count)]).round().astype(np.int32)
    full = (count, SIDE, SIDE)
    return {
        "colour": settle(np.broadcast_to(game.colour.reshape(shape), full), stays),
        "fate": settle(np.broadcast_to(fate.reshape(shape), full), stays).astype(np.float16),
        "rest": (total - brought).astype(np.int32),
        "so_far": (game.so_far + brought).astype(np.int32),
        "cleared": np.full(count, not left.any()),
        "board": np.full(count, game.board, np.int32),
    }


def start_of(text: str, network: soloist.Network, rng: random.Random) -> tuple[str, int]:
    """A state with 160 to 212 blocks from a short NRPA game or from a game drawn from the network's policy."""
    while True:
        middle = rng.randint(161, 211)
        if rng.random() < 0.5:
            moves = policy_game(text, network, rng, middle - 1)
        else:
            moves = nrpa(text, some_method(rng), rng.choice([100, 500, 1000]), rng.randrange(1 << 30))[1]
        found = state_within(text, moves, middle - 1, middle + 1, rng)
        if found:
            return found


def play_games(job: tuple[str, float, int, int, int]) -> int:
    """Plays games until the time is over and writes all their states; returns the number of games."""
    path, end, playouts, seed, least = job
    rng = random.Random(seed)
    network = soloist.read_network(NETWORK)
    parts: list[dict[str, np.ndarray]] = []
    while time.time() < end:
        number = rng.randrange(1 << 30)
        text = str(soloist.generate("samegame", 1, (1 << 31) + number)[0])
        for start, so_far in [(text, 0)] + [start_of(text, network, rng) for _ in range(7)]:
            score, moves = nrpa(start, "nrpa", playouts, rng.randrange(1 << 30))
            parts.append(prefixes(Game.of(number, so_far, start, moves), least))
            if parts[-1]["rest"][0] != score:
                raise AssertionError(f"the blocks bring {parts[-1]['rest'][0]} points instead of {score}")
    for name in parts[0]:
        np.save(f"{path}.{name}.npy", np.concatenate([part[name] for part in parts]))
    return len(parts)


def write_games(words: argparse.Namespace) -> None:
    os.makedirs(words.folder, exist_ok=True)
    end = time.time() + words.seconds
    jobs = [
        (f"{words.folder}/part{k}", end, words.playouts, words.seed * 1000 + k, words.least) for k in range(words.jobs)
    ]
    with ProcessPoolExecutor(words.jobs, get_context("spawn")) as pool:
        print("games:", sum(pool.map(play_games, jobs)))


# ---- the measurement ----


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 0; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts + 1) / 2)[inverse]


def spearman(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def potential(state: State) -> float:
    """The hand-made potential: the sum over colours of (n-2)^2 / g, for n blocks in g connected parts."""
    columns = columns_of(state.text)
    while columns and not columns[-1]:
        columns.pop()
    blocks, parts = [0] * (COLOURS + 1), [0] * (COLOURS + 1)
    seen: set[tuple[int, int]] = set()
    for c, column in enumerate(columns):
        for r, colour in enumerate(column):
            blocks[colour] += 1
            if (c, r) not in seen:
                parts[colour] += 1
                seen.update(group_of(columns, c, r))
    return sum((n - 2) ** 2 / g for n, g in zip(blocks, parts) if g)


def print_row(name: str, values: list[float]) -> None:
    error = statistics.stdev(values) / len(values) ** 0.5
    print(f"| {name} | {statistics.mean(values):.3f} | {error:.3f} |")


def measure(words: argparse.Namespace) -> None:
    states, labels = read_states(words.file), read_labels(words.labels)
    so_far = np.array([state.so_far for state in states], float)
    rows = {"score so far": so_far, "score so far + hand-made potential": so_far + [potential(s) for s in states]}
    for path in words.predictions:
        with np.load(path) as file:
            rows |= {name: so_far + file[name] for name in file.files if file[name].ndim == 1}
    given = {
        (playouts, seed): so_far + [labels.get((playouts, seed, k), np.nan) for k in range(len(states))]
        for playouts, seed in sorted({key[:2] for key in labels})
    }
    first, second = given.pop((words.playouts, 1)), given.pop((words.playouts, 2))
    rows |= {f"NRPA, {playouts} play-outs, seed {seed}": values for (playouts, seed), values in given.items()}
    both = (first + second) / 2
    numbers = np.array([state.board for state in states])
    boards = [numbers == board for board in np.unique(numbers) if not np.isnan(both[numbers == board]).any()]
    between = [spearman(first[board], second[board]) for board in boards]
    print(f"{len(boards)} boards; within a board, the labels have a standard deviation of", end=" ")
    print(f"{statistics.mean(first[board].std() for board in boards):.0f} and a noise of", end=" ")
    print(f"{statistics.mean((first - second)[board].std() / 2**0.5 for board in boards):.0f} points")
    print("| estimate | mean rank correlation | standard error |\n|---|---|---|")
    for name, values in rows.items():
        if not np.isnan(values[np.any(boards, 0)]).any():
            print_row(name, [spearman(values[board], both[board]) for board in boards])
    print_row("one label with the other", between)
    r = statistics.mean(between)
    print(f"The mean of both labels has a reliability of {2 * r / (1 + r):.3f};", end=" ")
    print(f"a perfect estimate would reach {(2 * r / (1 + r)) ** 0.5:.3f}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    def command(name: str, work: Work, *paths: str, **numbers: int) -> argparse.ArgumentParser:
        made = commands.add_parser(name)
        made.set_defaults(work=work)
        for path in paths:
            made.add_argument(path)
        for option, default in numbers.items():
            made.add_argument(f"--{option}", type=int, default=default)
        return made

    command("states", write_states, "file", boards=50, count=64, seed=9100)
    labels = command("labels", write_labels, "file", "labels", playouts=60000, jobs=1)
    labels.add_argument("--seeds", default="1,2")
    labels.add_argument("--boards", default="1-50")
    command("games", write_games, "folder", seconds=200, jobs=16, playouts=5000, seed=1, least=130)
    command("measure", measure, "file", "labels", playouts=60000).add_argument("predictions", nargs="*")
    words = parser.parse_args()
    words.work(words)


if __name__ == "__main__":
    main()
