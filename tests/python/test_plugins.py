"""Plugins: the examples, compiled and loaded by a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os, pickle, threading, soloist
assert soloist.load_plugin("lights_out.so") == ["lights-out"], soloist.domains()
assert soloist.load_plugin("./a_star.so") == ["my-astar"], soloist.methods()
assert "lights-out" in soloist.domains() and "my-astar" in soloist.methods()
limits = dict(time=None, nodes=10000, threads=1)
results = soloist.solve(soloist.read("3x2:010111\\n3x3:111101111\\n", "lights-out"), "my-astar", **limits)
assert [result.status for result in results] == ["solved"] * 2, results
assert [result.cost for result in results] == [r.cost for r in soloist.solve([r.puzzle for r in results], "astar", **limits)]
puzzle = results[0].puzzle
assert pickle.loads(pickle.dumps(puzzle)) == puzzle and "<text" in puzzle.svg()

# A child that was forked while another thread solved has an engine of its own, with the plugins.
stop, at_work = soloist.StopToken(), threading.Event()
hard = soloist.Puzzle("10 2 8 0 6 24 4 9 19 11 12 5 23 21 3 20 13 1 15 7 18 14 16 22 17", "tiles", "bound=manhattan")
more = dict(time=None, threads=1, stop=stop, on_progress=lambda told: at_work.set())
thread = threading.Thread(target=soloist.solve, args=(hard, "astar"), kwargs=more)
thread.start()
at_work.wait()
try:
    soloist.load_plugin("lights_out.so")
    raise SystemExit("added while something is being solved")
except soloist.SoloistError as error:
    assert "while something is being solved" in str(error)
child = os.fork()
if child == 0:
    os._exit(0 if soloist.solve(puzzle, "my-astar", **limits).solved else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
stop.cancel()
thread.join()
for wrong, said in (("nothing.so", "cannot be loaded"), ("libm.so.6", "cannot be loaded"), ("empty.so", "is not a plugin"),
                    ("lights_out.so", "lights-out")):
    try:
        soloist.load_plugin(wrong)
        raise SystemExit(wrong + " was loaded")
    except soloist.InputError as error:
        assert said in str(error), error

# The planes of a plugin may hold any bytes, also if its first position holds only zeros and ones.
assert soloist.load_plugin("dim_lights.so") == ["dim-lights"]
env = soloist.Environment("dim-lights", "3x2:101010\\n")
observations = [env.reset()[0], env.step(1)[0]]
assert [int(observation.max()) for observation in observations] == [1, 3]
assert all(env.observation_space.contains(observation) for observation in observations), env.observation_space
print("well")
"""
LIT = "slot[cell] = (float)(lights_of(state) >> cell & 1);"
DIM = "slot[cell] = (float)((lights_of(state) >> cell & 1) * (lights_of(state) == 21 ? 1 : 3));"


class Plugins(unittest.TestCase):
    def test_a_domain_and_a_method(self) -> None:
        compiler = shutil.which(os.environ.get("CC", "cc"))
        if compiler is None:
            self.skipTest("needs a C compiler")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "empty.c").write_text("int nothing;\n")
            lights, dim = (ROOT / "examples" / "lights_out.c").read_text(), Path(folder) / "dim_lights.c"
            self.assertIn(LIT, lights)
            dim.write_text(lights.replace(LIT, DIM).replace('"lights-out"', '"dim-lights"'))
            examples = (ROOT / "examples" / "lights_out.c", ROOT / "examples" / "a_star.c")
            for source in (*examples, dim, Path(folder) / "empty.c"):
                target = f"{folder}/{source.stem}.so"
                command = [compiler, "-shared", "-fPIC", f"-I{ROOT / 'include'}", str(source), "-o", target]
                subprocess.run(command, check=True)
            done = subprocess.run(
                [sys.executable, "-c", PROGRAM], capture_output=True, text=True, cwd=folder, timeout=300, check=False
            )
        self.assertEqual((done.stdout, done.returncode), ("well\n", 0), done.stderr)


if __name__ == "__main__":
    unittest.main()
