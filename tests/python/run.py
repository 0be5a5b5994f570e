"""Runs the tests of the Python package: run.py [WORD...]; only tests whose names hold one of the words.

Prints one line per failure and skip, and ends with "N passed, N failed, N skipped", which scripts/test.sh adds up.
"""

from __future__ import annotations

import importlib.util
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Report(unittest.TextTestResult):
    """Counts what passed."""

    passed = 0

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed += 1

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        print(f"SKIP {reason}")


def chosen(suite: unittest.TestSuite, words: list[str]) -> unittest.TestSuite:
    """The tests whose names hold one of the words; all of them without words."""
    picked = unittest.TestSuite()
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            picked.addTest(chosen(test, words))
        elif not words or any(word in str(test) or word in test.id() for word in words):
            picked.addTest(test)
    return picked


def main() -> int:
    if importlib.util.find_spec("numpy") is None:
        print("SKIP needs python3-numpy\n0 passed, 0 failed, 1 skipped")
        return 0
    sys.path.insert(0, str(HERE))
    suite = chosen(unittest.defaultTestLoader.discover(str(HERE), "test_*.py"), sys.argv[1:])
    report = unittest.TextTestRunner(stream=sys.stdout, resultclass=Report, verbosity=1).run(suite)
    failed = len(report.failures) + len(report.errors) + len(report.unexpectedSuccesses)
    print(f"{report.passed} passed, {failed} failed, {len(report.skipped)} skipped")
    return 1 if failed or not report.testsRun else 0


if __name__ == "__main__":
    sys.exit(main())
