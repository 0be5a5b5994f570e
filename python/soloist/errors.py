"""The exceptions of the package."""

from __future__ import annotations


class SoloistError(Exception):
    """Something that the engine refused or could not do; the text is one plain sentence.

    Attributes:
        line, column: the place in the text that is wrong, counted from 1; 0 means unknown.
    """

    def __init__(self, text: str, line: int = 0, column: int = 0) -> None:
        super().__init__(text)
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type, tuple[str, int, int]]:
        return type(self), (self.args[0], self.line, self.column)


class InputError(SoloistError, ValueError):
    """A text, a solution or an option is wrong; ``line`` and ``column`` say where, if that is known."""


class UnsupportedError(SoloistError):
    """The domain lacks something that the method or the function needs."""


class InternalError(SoloistError):
    """An error of the engine itself, such as a solution that failed its replay."""
