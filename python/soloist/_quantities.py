"""Arguments: their types, and limits as the command line reads them.

A limit is a number, or a text such as "2m" for a time and "500M" for a size.
"""

from __future__ import annotations

import math
import re
import sys
from typing import Any, Optional, Union

from .errors import InputError

Seconds = Union[float, str, None]
Count = Union[int, float, str, None]
Size = Union[int, float, str, None]

_TEXT = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(s|m|h|[kKMGT](?:i?B)?)?")
_TIMES = {"s": 1, "m": 60, "h": 3600}
_COUNTS = {"k": 1000, "M": 1000**2, "G": 1000**3}
_SIZES = {"K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}


def expect(name: str, value: Any, kind: Any, expected: str) -> None:
    """Refuses an argument that is not of this kind, a type or several; ``expected`` says it for a person."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected {expected}, not {type(value).__name__}")


def expect_text(name: str, value: Any) -> None:
    expect(name, value, str, "a text")


def text_bytes(name: str, value: Any, errors: str = "strict") -> bytes:
    """A text as the engine reads it. Unless ``errors`` lets bytes of any value through, the text must be without null
    characters, at which the engine would stop reading."""
    expect_text(name, value)
    try:
        raw = value.encode("utf-8", errors)
    except UnicodeEncodeError as wrong:
        raise InputError(f"{name}: character {wrong.start + 1} cannot be encoded", column=wrong.start + 1) from None
    if errors == "strict" and b"\0" in raw:
        raise InputError(f"{name}: there is a null character in it", column=value.index("\0") + 1)
    return raw


def expect_function(name: str, value: Any) -> None:
    if value is not None and not callable(value):
        raise TypeError(f"{name}: expected a function or None, not {type(value).__name__}")


def _read(value: Any, units: dict[str, int]) -> Optional[float]:
    """The number that the value stands for; None if it is not one, or is negative or not finite."""
    if isinstance(value, str):
        if re.fullmatch(r"\d{1,400}", value):
            return int(value)
        matched = _TEXT.fullmatch(value)
        unit = (matched[2] or "")[:1] if matched else ""
        if not matched or (unit and unit not in units):
            return None
        number = float(matched[1]) * units.get(unit, 1)
    else:
        try:
            number = value if value >= 0 else math.nan
        except TypeError:
            return None
    try:
        return number if math.isfinite(number) else None
    except OverflowError:
        return None


def seconds(name: str, value: Seconds) -> float:
    """A time in seconds; None is 0."""
    number = _read(0 if value is None else value, _TIMES)
    if number is None:
        raise InputError(f"{name}={value!r}: expected seconds, not negative, for example 10, 0.5, \"2m\" or \"1h\"")
    return float(number)


def whole(name: str, value: Count, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number within limits; None is 0."""
    number = _read(0 if value is None else value, _COUNTS)
    if number is None or number != int(number) or not least <= number <= most:
        limit = '2**64 - 1, for example 500, "20k" or "3M"' if most == 2**64 - 1 else str(most)
        raise InputError(f"{name}={value!r}: expected a whole number from {least} to {limit}")
    return int(number)


def positive(name: str, value: Any) -> float:
    """A number above 0, such as a width."""
    expect(name, value, (int, float), "a number")
    if not 0 < value <= sys.float_info.max:
        raise InputError(f"{name}={value!r}: expected a number above 0")
    return float(value)


def size(name: str, value: Size) -> int:
    """A number of bytes; K, M, G and T are powers of 1024."""
    text = re.sub("^([^a-zA-Z]*)([kmgt])", lambda m: m[1] + m[2].upper(), value) if isinstance(value, str) else value
    number = _read(text, _SIZES)
    if number is None or number >= 2**63:
        raise InputError(f"{name}={value!r}: expected bytes, not negative, for example 2000000, \"500M\" or \"2G\"")
    return int(number)
