"""The wheel: built, installed into an empty virtual environment, and used from another folder."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import pathlib, sys, soloist
package = pathlib.Path(soloist.__file__).parent
assert package.is_relative_to(sys.prefix), package
assert soloist._library.lib._name == str(package / "libsoloist.so"), soloist._library.lib._name
result = soloist.solve(soloist.levels("first")[0], threads=1, time=None, nodes=10000)
assert result.solved and result.replay()[-1].ended
print(soloist.__version__, result.status, len(soloist.levels("graded500")))
"""


class Wheel(unittest.TestCase):
    def call(self, *command: str, **more: object) -> str:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_", "SOLOIST_LEVELS"))}
        environment.update(PIP_DISABLE_PIP_VERSION_CHECK="1", **more.pop("environment", {}))
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_a_wheel_in_an_empty_environment(self) -> None:
        for module in ("build", "wheel", "setuptools", "ensurepip"):
            if importlib.util.find_spec(module) is None:
                package = {"ensurepip": "python3-venv"}.get(module, f"python3-{module}")
                self.skipTest(f"needs {package}")
        with tempfile.TemporaryDirectory() as folder:
            self.call(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, cwd=ROOT)
            (wheel,) = Path(folder).glob("soloist-*-py3-none-*.whl")
            self.call(sys.executable, "-m", "venv", f"{folder}/empty")
            python = f"{folder}/empty/bin/python"
            self.call(python, "-m", "pip", "install", "--no-index", "--no-deps", str(wheel))
            said = self.call(python, "-c", PROGRAM, cwd=folder, environment={"SOLOIST_LIBRARY": ""})
        self.assertRegex(said, r"^\d+\.\d+\.\d+ solved 500\n$")


if __name__ == "__main__":
    unittest.main()
