#!/usr/bin/env python3
"""How far a network's estimate of the cost to go is from the true cost, on random Sokoban positions.

    calibration.py NETWORK [--puzzles 1000] [--seed 991]

Of each generated puzzle an optimal solution is found by A*. One position of this solution is drawn at random, and one
of its children. If the child has a solution, its optimal cost is the true cost; the estimate is (1 - V) / step_value,
where V is the network's value (Ge 2018, section 4.2). The table has one row per range of the estimate. Needs NumPy, and
the module `soloist` on PYTHONPATH.
"""

import argparse
import random
from collections.abc import Iterator

import soloist

EDGES = (0, 4, 8, 12, 16, 24, 32, 48, 64, 101)
NODES = 500_000


def children(domain: str, count: int, seed: int) -> Iterator[soloist.State]:
    """One child of a random position on an optimal solution of each puzzle."""
    rng = random.Random(seed)
    options = "optimal=moves" if domain == "sokoban-moves" else None
    for puzzle in soloist.generate("sokoban", count=count, seed=seed):
        result = soloist.Puzzle(puzzle.text, "sokoban", options).solve(method="astar", nodes=NODES)
        if not result.optimal:
            continue
        played = soloist.Puzzle(puzzle.text, domain)
        moves = played.read_solution(str(result.solution))
        state = played.root
        for move in moves[: rng.randrange(len(moves))]:
            state = state.apply(move)
        yield state.apply(rng.choice(state.moves))


def true_cost(state: soloist.State) -> int | None:
    """The optimal cost of a solution from here; None: there is none, or it was not found."""
    if state.ended:
        return 0
    options = "optimal=moves" if state.puzzle.domain == "sokoban-moves" else None
    result = soloist.Puzzle(str(state), "sokoban", options).solve(method="astar", nodes=NODES)
    return result.cost if result.optimal else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("--puzzles", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=991)
    words = parser.parse_args()
    network = soloist.read_network(words.network)
    step = network.step_value or 0.01
    rows = []
    for state in children(network.domain or "sokoban", words.puzzles, words.seed):
        cost = true_cost(state)
        if cost:
            rows.append(((1 - float(network.evaluate([state]).values[0])) / step, cost))
    print("| estimate | positions | mean estimate | mean true cost | mean absolute error |")
    print("|---|---|---|---|---|")
    for low, high in [*zip(EDGES, EDGES[1:]), (float("-inf"), float("inf"))]:
        part = [(estimate, cost) for estimate, cost in rows if low <= estimate < high]
        if part:
            name = f"{low} to {high}" if high < float("inf") else "all"
            means = [sum(column) / len(part) for column in zip(*part)]
            error = sum(abs(estimate - cost) for estimate, cost in part) / len(part)
            print(f"| {name} | {len(part)} | {means[0]:.1f} | {means[1]:.1f} | {error:.1f} |")


if __name__ == "__main__":
    main()
