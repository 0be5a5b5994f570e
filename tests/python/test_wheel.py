"""The source archive and the wheel that is made from it, installed into an empty virtual environment, and used from
another folder. The library is the one that the tests use; tests/python/archive.sh compiles it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parents[2]
USED = str(Path(__file__).with_name("used.py"))
# What CMake needs in order to build the library.
COMPILED = ("src/**/*.[ch]", "src/**/*.cu", "src/**/*.in", "include/*.h*", "cmake/*", "data/*.*", "web/**/*.*")


class Wheel(unittest.TestCase):
    def call(self, *command: str, **more: object) -> str:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_", "SOLOIST_LEVELS"))}
        environment.update(PIP_DISABLE_PIP_VERSION_CHECK="1", **more.pop("environment", {}))
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def check_archive(self, archive: Path) -> None:
        """The archive has every file that the library is compiled from."""
        with tarfile.open(archive) as opened:
            held = {name.split("/", 1)[-1] for name in opened.getnames()}
        wanted = {str(path.relative_to(ROOT)) for pattern in COMPILED for path in ROOT.glob(pattern) if path.is_file()}
        self.assertGreater(len(wanted), 800)
        self.assertEqual(wanted - held, set())

    def test_a_wheel_in_an_empty_environment(self) -> None:
        for module in ("build", "wheel", "setuptools", "ensurepip"):
            if importlib.util.find_spec(module) is None:
                package = {"ensurepip": "python3-venv"}.get(module, f"python3-{module}")
                self.skipTest(f"needs {package}")
        with tempfile.TemporaryDirectory() as folder:
            self.call(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, cwd=ROOT)
            (archive,) = Path(folder).glob("soloist-*.tar.gz")
            (wheel,) = Path(folder).glob("soloist-*-py3-none-*.whl")
            self.check_archive(archive)
            self.call(sys.executable, "-m", "venv", f"{folder}/empty")
            python = f"{folder}/empty/bin/python"
            self.call(python, "-m", "pip", "install", "--no-index", "--no-deps", str(wheel))
            numpy_folder = str(Path(numpy.__file__).parents[1])
            for words in ((), (numpy_folder,)):
                said = self.call(python, USED, *words, cwd=folder, environment={"SOLOIST_LIBRARY": ""})
                self.assertRegex(said, r"^\d+\.\d+\.\d+ solved 500\n$")


if __name__ == "__main__":
    unittest.main()
