"""Every example of docs/PYTHON.md and of the docstrings, as a doctest."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import unittest
from pathlib import Path

import soloist

PAGE = Path(__file__).resolve().parents[2] / "docs" / "PYTHON.md"


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str) -> unittest.TestSuite:
    """unittest calls this to find the tests of this file."""
    tests.addTest(doctest.DocFileSuite(str(PAGE), module_relative=False))
    for module in pkgutil.iter_modules(soloist.__path__, "soloist."):
        tests.addTest(doctest.DocTestSuite(importlib.import_module(module.name)))
    tests.addTest(doctest.DocTestSuite(soloist))
    return tests


class Page(unittest.TestCase):
    def test_every_python_block_has_examples(self) -> None:
        blocks = PAGE.read_text().split("```python\n")[1:]
        self.assertGreater(len(blocks), 10)
        for block in blocks:
            self.assertTrue(block.startswith(">>> "), block[:60])
            self.assertIn("\n\n```", block)  # so that the fence is not taken for output


if __name__ == "__main__":
    unittest.main()
