#!/usr/bin/env python3
"""What Python costs: python_speed.py [--program FILE] [--levels FILE] [--pairs N] [--instructions] [--solves N]

Without --solves: solves a level file by `soloist solve` and by soloist.solve, in turns, with the same limits, and
compares the processor time of both, and whether they give the same results. The start of the interpreter and the import
are not counted. --instructions counts instructions under valgrind instead, once, which no load of the machine changes.
With --solves N: solves a small level N times and prints how much memory the process has on the way.

SOLOIST_LIBRARY and PYTHONPATH say which package is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile

NODES = 100000
SMALL = "#######\n#@ $ .#\n#  $ .#\n#######\n"

# The part that is measured runs in a process of its own, as the program does.
CHILD = f"""
import json, resource, sys, soloist
def spent():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
before = spent()
results = []
if len(sys.argv) > 1:
    levels = soloist.read_file(sys.argv[1])
    results = soloist.solve(levels, jobs=1, threads=1, time=None, nodes={NODES}, memory=2 << 30)
print(json.dumps([spent() - before, [[r.id, r.status, r.nodes, r.solution] for r in results]]))
"""


def command_line(program: str, levels: str) -> list[str]:
    limits = ["--jobs", "1", "--threads", "1", "--time", "0", "--nodes", str(NODES), "--memory", "2G"]
    return [program, "solve", levels, *limits, "--json"]


def run_program(program: str, levels: str) -> tuple[float, list]:
    """Processor seconds of the program, and its results."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command_line(program, levels), capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, [[row["id"], row["status"], row["nodes"], row["solution"]] for row in rows]


def run_python(levels: str) -> tuple[float, list]:
    """Processor seconds of soloist.solve, and its results."""
    done = subprocess.run([sys.executable, "-c", CHILD, levels], capture_output=True, text=True, check=True)
    seconds, rows = json.loads(done.stdout)
    return seconds, rows


def compare(program: str, levels: str, pairs: int) -> None:
    times: list[tuple[float, float]] = []
    for pair in range(pairs):
        if pair % 2:
            python, again = run_python(levels)
            native, rows = run_program(program, levels)
        else:
            native, rows = run_program(program, levels)
            python, again = run_python(levels)
        if rows != again:
            sys.exit("the results differ")
        times.append((native, python))
        print(f"pair {pair + 1:2}  program {native:.3f} s  Python {python:.3f} s  ratio {python / native:.3f}", flush=True)
    natives, pythons = zip(*times)
    solved = sum(row[1] == "solved" for row in rows)
    print(f"{len(rows)} levels, {solved} solved, {sum(row[2] for row in rows)} nodes: the same results")
    print(f"least    program {min(natives):.3f} s  Python {min(pythons):.3f} s  ratio {min(pythons) / min(natives):.3f}")
    middle = statistics.median(python / native for native, python in times)
    print(f"median of the ratios {middle:.3f}")


def instructions(command: list[str]) -> int:
    """Instructions that a command executes, as valgrind counts them."""
    with tempfile.TemporaryDirectory() as folder:
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        done = subprocess.run([*valgrind, *command], capture_output=True, text=True, check=False)
    found = re.search(r"Collected *: *(\d+)", done.stderr)
    if not found:
        sys.exit(f"valgrind failed: {done.stderr[-500:]}")
    return int(found.group(1))


def count_instructions(program: str, levels: str) -> None:
    native = instructions(command_line(program, levels))
    start = instructions([sys.executable, "-c", CHILD])
    python = instructions([sys.executable, "-c", CHILD, levels]) - start
    print(f"instructions: program {native:,}, Python {python:,} beyond its start: ratio {python / native:.4f}")


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def watch_memory(solves: int) -> None:
    import soloist

    for done in range(solves + 1):
        if done % max(1, solves // 10) == 0:
            print(f"{done:8} solves  {resident_bytes() / 1e6:8.2f} MB", flush=True)
        if done < solves:
            soloist.solve(SMALL, time=None, nodes=1000, threads=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--program", default="build/soloist")
    parser.add_argument("--levels", default="../shared/levels/microban1.xsb")
    parser.add_argument("--pairs", type=int, default=11)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--solves", type=int, default=0)
    given = parser.parse_args()
    if given.solves:
        watch_memory(given.solves)
    elif given.instructions:
        count_instructions(given.program, given.levels)
    else:
        compare(given.program, given.levels, given.pairs)


if __name__ == "__main__":
    main()
