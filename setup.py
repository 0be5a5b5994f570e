"""Puts the shared library and our own small level sets into the wheel.

The library is the file that SOLOIST_LIBRARY names; otherwise CMake builds it, with the options in CMAKE_ARGS.
SOLOIST_LIBRARY=system leaves both out, for a package of the system that uses the system's library and level sets.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
SYSTEM = os.environ.get("SOLOIST_LIBRARY") == "system"
(HERE / "build" / "python").mkdir(parents=True, exist_ok=True)  # setup.cfg sends setuptools there


def version() -> str:
    """The version that include/soloist.h states."""
    header = (HERE / "include" / "soloist.h").read_text(encoding="utf-8")
    return re.search(r'define SOLOIST_VERSION "([^"]+)"', header).group(1)


def library(folder: Path) -> Path:
    """The shared library, built in `folder` unless one is given."""
    given = os.environ.get("SOLOIST_LIBRARY")
    if given:
        return Path(given)
    jobs = str(len(os.sched_getaffinity(0)))
    given = shlex.split(os.environ.get("CMAKE_ARGS", ""))
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DSOLOIST_TESTS=OFF", *given]
    subprocess.run(["cmake", "-S", HERE, "-B", folder, *options], check=True)
    subprocess.run(["cmake", "--build", folder, "-j", jobs, "--target", "soloist_shared"], check=True)
    return folder / "libsoloist.so"


class BuildWithLibrary(build_py):
    """Copies the library and the level sets beside the modules."""

    def run(self) -> None:
        super().run()
        if SYSTEM:
            return
        package = Path(self.build_lib) / "soloist"
        shutil.copyfile(library(HERE / "build" / "python" / "library"), package / "libsoloist.so")
        (package / "data").mkdir(exist_ok=True)
        for pattern in ("*.xsb", "*.sok", "*.txt"):
            for path in sorted((HERE / "data").glob(pattern)):
                shutil.copyfile(path, package / "data" / path.name)


class PlatformDistribution(Distribution):
    """Tells setuptools that the package holds machine code."""

    def has_ext_modules(self) -> bool:
        return not SYSTEM


class AnyPython(bdist_wheel):
    """The library does not depend on the version of Python, only on the machine."""

    def get_tag(self) -> tuple:
        return "py3", "none", "any" if SYSTEM else super().get_tag()[2]


setup(
    version=version(),
    distclass=PlatformDistribution,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython},
)
