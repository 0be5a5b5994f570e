"""The loader, and the structs that ctypes knows against the headers."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from soloist import _library

INCLUDE = Path(__file__).resolve().parents[2] / "include"


def mirrored() -> dict[str, type[ctypes.Structure]]:
    """The structs of _library by their names in C, which their docstrings begin with."""
    found = {}
    for kind in vars(_library).values():
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and kind is not ctypes.Structure:
            found[(kind.__doc__ or "").split()[0]] = kind
    return found


class Structs(unittest.TestCase):
    def test_members_are_where_the_headers_have_them(self) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("needs a C compiler")
        lines, expected = [], []
        for name, kind in mirrored().items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            expected.append(f"{name} {ctypes.sizeof(kind)}")
            for field in kind._fields_:
                lines.append(f'printf("{name}.{field[0]} %zu\\n", offsetof({name}, {field[0]}));')
                expected.append(f"{name}.{field[0]} {getattr(kind, field[0]).offset}")
        headers = "".join(f'#include "{path.name}"\n' for path in sorted(INCLUDE.glob("*.h")))
        program = f"#include <stdio.h>\n{headers}int main(void) {{\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "layout.c"
            source.write_text(program)
            subprocess.run([compiler, f"-I{INCLUDE}", str(source), "-o", f"{folder}/layout"], check=True)
            said = subprocess.run([f"{folder}/layout"], check=True, capture_output=True, text=True).stdout
        self.assertGreater(len(expected), 100)
        self.assertEqual(said.splitlines(), expected)


class Loader(unittest.TestCase):
    def load(self, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "import soloist; print(soloist.__version__)"]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)

    def test_the_given_library_is_loaded(self) -> None:
        done = self.load()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^\d+\.\d+\.\d+\n$")

    def test_a_missing_library_is_explained(self) -> None:
        done = self.load(SOLOIST_LIBRARY="/nowhere/libsoloist.so")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("ImportError: the shared library of Soloist was not found: run `make python`", done.stderr)
        self.assertIn("/nowhere/libsoloist.so", done.stderr)

    def test_it_is_found_beside_the_package_and_in_the_system(self) -> None:
        library = _library.loaded_from()
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "python" / "soloist"
            shutil.copytree(Path(_library.__file__).parent, package)
            where = {"PYTHONPATH": str(package.parent), "SOLOIST_LIBRARY": "", "LD_LIBRARY_PATH": f"{folder}/system"}
            self.assertIn("was not found", self.load(**where).stderr)
            (Path(folder) / "system").mkdir()
            shutil.copy(library, f"{folder}/system/libsoloist.so.{_library.ABI}")
            self.assertEqual(self.load(**where).returncode, 0)
            shutil.copy(library, package / "libsoloist.so")
            where["LD_LIBRARY_PATH"] = ""
            self.assertEqual(self.load(**where).returncode, 0)

    def test_another_abi_number_is_refused(self) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("needs a C compiler")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "old.c").write_text("int soloist_abi(void) { return 1; }\n")
            subprocess.run([compiler, "-shared", "-fPIC", f"{folder}/old.c", "-o", f"{folder}/old.so"], check=True)
            done = self.load(SOLOIST_LIBRARY=f"{folder}/old.so")
        self.assertIn(f"old.so has ABI number 1, but this package needs {_library.ABI}", done.stderr)

    def test_another_library_is_refused(self) -> None:
        done = self.load(SOLOIST_LIBRARY="libm.so.6")
        self.assertIn("was not found", done.stderr)


if __name__ == "__main__":
    unittest.main()
