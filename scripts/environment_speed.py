#!/usr/bin/env python3
"""How fast environments are from Python: environment_speed.py [--rounds N]

Prints steps per second of a vector of 1,024 boards for each domain, and the nanoseconds of a step of one board from
Python and from C (a small program that cc compiles). All times are processor time of one thread; of all rounds the best
is printed, because other programs that use the machine only make a round slower.

SOLOIST_LIBRARY (a file, not a name) and PYTHONPATH say which package is measured.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

import numpy as np

import soloist

BOARDS, LEVELS = 1024, 64
INCLUDE = Path(__file__).resolve().parents[1] / "include"
# Domain, options of the generator, reward, steps of a round.
SUBJECTS = (
    ("sokoban-moves", "width=10,height=10", "rl", 400),
    ("sokoban-moves", "width=10,height=10", None, 400),
    ("sokoban", "width=10,height=10", None, 6),
    ("samegame", "width=15,height=15", None, 3),
    ("tiles", "width=4,height=4", None, 40),
)
# One board, the same levels and actions as in Python.
PROGRAM = r"""
#include "soloist_extra.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int count, char **words) {
    int rounds = atoi(words[1]), shape[4];
    (void)count;
    soloist *engine = soloist_new();
    soloist_boards_plan plan = {.size = sizeof plan, .reward = "rl", .boards = 1, .levels = 64, .seed = 1};
    soloist_boards *boards = soloist_boards_open(soloist_find_domain(engine, "sokoban-moves"), &plan, NULL);
    soloist_boards_fill(boards, "width=10,height=10", 1, NULL);
    soloist_boards_shape(boards, shape);
    int32_t action = 0;
    uint8_t *planes = malloc(400), *finals = malloc(400), masks[4], terminated, truncated;
    float reward;
    soloist_boards_arrays arrays = {sizeof arrays, &action, planes, &reward, &terminated, &truncated, finals, masks};
    soloist_boards_bind(boards, &arrays, NULL);
    soloist_boards_reset(boards);
    double best = 1e9;
    for (int round = 0; round < rounds; round++) {
        struct timespec from, to;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        for (int i = 0; i < 20000; i++) {
            action = (i * 7 >> 3) & 3;
            soloist_boards_step(boards);
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        double spent = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        best = spent < best ? spent : best;
    }
    printf("%.1f\n", best / 20000);
    soloist_boards_close(boards);
    soloist_free(engine);
    return 0;
}
"""


def best_time(work: Callable[[], None], rounds: int) -> float:
    """Processor seconds of the quickest round."""
    times = []
    for _ in range(rounds):
        before = time.process_time()
        work()
        times.append(time.process_time() - before)
    return min(times)


def vector_rate(domain: str, generator: str, reward: str | None, steps: int, rounds: int, how: str) -> float:
    """Steps per second of 1,024 boards, the levels not counted."""
    envs = soloist.VectorEnvironment(
        domain, count=BOARDS, generator=generator, pool=LEVELS, reward=reward, step_limit=120, masks=how == "masks"
    )
    envs.reset(seed=1)
    drawn = np.random.default_rng(1).integers(0, envs.single_action_space.n, (16, BOARDS), dtype=np.int32)
    rows = np.zeros((16, *envs.observations.shape), np.uint8) if how == "rollout" else [None] * 16

    def work() -> None:
        for step in range(steps):
            envs.step(drawn[step % 16], rows[step % 16])

    return steps * BOARDS / best_time(work, rounds)


def single_step(rounds: int) -> float:
    """Nanoseconds of Environment.step, with the loop around it."""
    env = soloist.Environment("sokoban-moves", generator="width=10,height=10", pool=LEVELS, reward="rl")
    env.reset(seed=1)
    actions = [(i * 7 >> 3) & 3 for i in range(20000)]

    def work() -> None:
        step = env.step
        for action in actions:
            if step(action)[2]:
                env.reset()

    return best_time(work, rounds) / len(actions) * 1e9


def single_step_in_c(rounds: int) -> float:
    library = Path(os.environ["SOLOIST_LIBRARY"]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "one.c"
        source.write_text(PROGRAM)
        command = ["cc", "-O2", f"-I{INCLUDE}", str(source), str(library), f"-Wl,-rpath,{library.parent}"]
        subprocess.run([*command, "-o", f"{folder}/one"], check=True)
        done = subprocess.run([f"{folder}/one", str(rounds)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    print(f"{'million steps per second, 1,024 boards':44} {'plain':>8} {'masks':>8} {'rollout':>8}")
    for domain, generator, reward, steps in SUBJECTS:
        rates = [vector_rate(domain, generator, reward, steps, rounds, how) for how in ("plain", "masks", "rollout")]
        name = f"{domain} {generator}" + (f" reward {reward}" if reward else "")
        print(f"{name:44}" + "".join(f" {rate / 1e6:8.3f}" for rate in rates), flush=True)
    python, native = single_step(rounds), single_step_in_c(rounds)
    print(f"one board: a step takes {python:.0f} ns from Python, {native:.0f} ns from C: {python - native:.0f} ns more")


if __name__ == "__main__":
    sys.exit(main())
