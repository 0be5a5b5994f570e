"""Networks as files: descriptions, notes and weights, to and from NumPy and PyTorch; and what a network says.

A network is a file in the safetensors format. Its header holds the description of the network ("soloist.network") and
notes, such as the domain that it was trained for; docs/LEARNING.md says what they mean.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import struct
import tempfile
from ctypes import POINTER, byref, c_bool, c_char_p, c_float, c_int, c_void_p
from dataclasses import dataclass, field
from typing import Any, ClassVar, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _library as c
from ._library import lib
from ._quantities import expect, expect_text, text_bytes, whole
from .errors import InputError
from .puzzles import Options, State, find_domain, option_text

__all__ = ["Evaluation", "Network", "read_network", "write_network"]

DESCRIPTION = "soloist.network"
_LONGEST_HEADER = 100_000_000  # the limit that the format sets
_ALIGNMENT = 64

_write = c.declare("soloist_network_write", c_bool, c_void_p, c_char_p, POINTER(c.Error))
_evaluate = c.declare(
    "soloist_network_evaluate",
    c_int,
    c_void_p,
    POINTER(c.Puzzle),
    c_void_p,
    c_int,
    POINTER(c_float),
    POINTER(c_float),
    POINTER(c.Error),
)

Path = Union[str, "os.PathLike[str]"]


class Evaluation(NamedTuple):
    """What a network says about states.

    Attributes:
        priors: for each state one probability per legal move, in the order of ``state.moves``.
        values: one number per state, a prediction. Where a score counts, it is the score still to come, as a multiple
            of the network's ``value_scale``. Where a cost counts, 1 means solved, and each unit of cost still to come
            takes ``step_value`` off; near 0 the state is far from a goal or has no solution. A network that was trained
            by actor-critic or with ``reward=NAME`` predicts the discounted sum of the rewards to come. A network
            without a value gives 0.
    """

    priors: list[np.ndarray]
    values: np.ndarray


@dataclass
class Network:
    """A network: its description, notes, and weights by name as arrays of float32.

    The names and shapes are PyTorch's: ``conv1.weight`` is out x in x height x width, ``linear3.weight`` is out x in.
    The arrays may be changed; :meth:`evaluate` and :meth:`write` use them as they are then.
    """

    description: str
    tensors: dict[str, np.ndarray]
    notes: dict[str, str] = field(default_factory=dict)

    # Not a field, so that neither a copy nor dataclasses.asdict has it.
    _open: ClassVar[Optional[_Opened]] = None

    @property
    def domain(self) -> Optional[str]:
        """The domain that the network was trained for; None: not known."""
        return self.notes.get("soloist.domain")

    @property
    def value_scale(self) -> Optional[float]:
        """The score that a value of 1 stands for; None: not known."""
        return self._number("soloist.value_scale")

    @property
    def step_value(self) -> Optional[float]:
        """How much each unit of cost takes off a value of 1; None: not known."""
        return self._number("soloist.step_value")

    def _number(self, name: str) -> Optional[float]:
        return float(self.notes[name]) if name in self.notes else None

    @property
    def parameters(self) -> int:
        """The number of weights."""
        return sum(tensor.size for tensor in self.tensors.values())

    @classmethod
    def untrained(cls, description: str, domain: str, seed: int = 1) -> Network:
        """A network with random weights from its description (docs/LEARNING.md), to be trained elsewhere.

        >>> network = Network.untrained("input 6x5x5\\nconv 1 3x3 pad 1\\npolicy\\n", "samegame")
        >>> {name: tensor.shape for name, tensor in network.tensors.items()}
        {'conv1.weight': (1, 6, 3, 3), 'conv1.bias': (1,)}

        Raises:
            InputError: the description is wrong; ``line`` and ``column`` say where.
        """
        raw = text_bytes("description", description)
        start = whole("seed", seed)
        with tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, "made.safetensors")
            with open(os.path.join(folder, "made.net"), "wb") as file:
                file.write(raw)
            opened = _Opened(file.name, domain, b"back_end=cpu,seed=%d" % start, b"")
            error = c.Error()
            if not _write(opened.handle, os.fsencode(made), byref(error)):
                raise InputError(c.text_of(error.text))
            return read_network(made)

    # ---- files ----

    def to_bytes(self) -> bytes:
        """The file: what was read and not changed gives the same bytes again."""
        for name, note in self.notes.items():
            expect_text(f"notes[{name!r}]", note)
        metadata = {"format": "pt", DESCRIPTION: self.description, **self.notes}
        header: dict[str, Any] = {"__metadata__": metadata}
        pieces, at = [], 0
        for name, tensor in self.tensors.items():
            piece = np.ascontiguousarray(tensor, "<f4")
            _expect_finite(name, piece)
            header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + piece.nbytes]}
            pieces.append(piece.tobytes())
            at += piece.nbytes
        text = text_bytes("the header of the file", json.dumps(header, separators=(",", ":"), ensure_ascii=False))
        text += b" " * (-(8 + len(text)) % _ALIGNMENT)
        return struct.pack("<Q", len(text)) + text + b"".join(pieces)

    @classmethod
    def from_bytes(cls, raw: bytes) -> Network:
        """A network from the bytes of its file."""
        header, start = _read_header(raw)
        metadata = header.pop("__metadata__", None)
        if not isinstance(metadata, dict) or not isinstance(metadata.get(DESCRIPTION), str):
            raise InputError(f'the file holds no description of its network (metadata "{DESCRIPTION}")')
        for name, note in metadata.items():
            if not isinstance(note, str):
                raise InputError(f"the metadata {name} is not a text")
        tensors = {name: _read_tensor(name, entry, raw, start) for name, entry in header.items()}
        notes = {name: text for name, text in metadata.items() if name not in ("format", DESCRIPTION)}
        return cls(metadata[DESCRIPTION], tensors, notes)

    def write(self, path: Path) -> None:
        """Writes the file, under a temporary name first. If the path is a link, the file to which it leads is written.
        A device or a pipe is written to directly, without a temporary name.

        If the notes name the domain, the engine tries to open it.

        Raises:
            InputError: the engine cannot open it, for example because a shape does not fit the description. Then
                nothing is written.
        """
        raw = self.to_bytes()
        # The link /dev/stdout may lead to a pipe, which has no name: a device or a pipe is opened by the given name.
        direct = os.path.exists(path) and not os.path.isfile(path)
        target = os.path.realpath(path)
        folder = None if direct else os.path.dirname(target)
        descriptor, temporary = tempfile.mkstemp(suffix=".safetensors", dir=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(raw)
            if self.domain is not None:
                _Opened(temporary, self.domain, b"back_end=cpu", b"").close()
            if direct:
                with open(path, "wb") as file:
                    file.write(raw)
                os.unlink(temporary)
                return
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise

    # ---- PyTorch ----

    def state_dict(self) -> dict[str, Any]:
        """The weights as PyTorch's tensors, by name; they are copies."""
        import torch

        return {name: torch.from_numpy(np.array(tensor, np.float32)) for name, tensor in self.tensors.items()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Takes the weights from PyTorch's tensors (or arrays) of the same names and shapes."""
        missing, unknown = self.tensors.keys() - state.keys(), state.keys() - self.tensors.keys()
        if missing or unknown:
            wrong = [f"there is no {name}" for name in sorted(missing)]
            wrong += [f"the network has no {name}" for name in sorted(unknown)]
            raise InputError("; ".join(wrong))
        taken = {}
        for name, mine in self.tensors.items():
            theirs = state[name]
            theirs = theirs.detach().cpu().numpy() if hasattr(theirs, "detach") else np.asarray(theirs)
            if theirs.shape != mine.shape:
                raise InputError(f"{name} has the shape {list(theirs.shape)}: expected {list(mine.shape)}")
            taken[name] = np.array(theirs, np.float32)
        self.tensors = taken

    # ---- asking ----

    def evaluate(self, states: Sequence[State], options: Options = None) -> Evaluation:
        """What the network says about states of one domain, which may belong to several puzzles.

        Args:
            states: best with those of one puzzle next to each other.
            options: how it is computed, such as ``"batch=64,threads=2"`` (see ``--network`` of ``soloist solve``).
        """
        expect("states", states, Sequence, "a sequence of states")
        for index, state in enumerate(states):
            expect(f"states[{index}]", state, State, "a State")
            domain, first = state.puzzle.domain, states[0].puzzle.domain
            if domain != first:
                raise InputError(f"states[{index}] is of {domain}, but states[0] of {first}")
        if not states:
            return Evaluation([], np.zeros(0, np.float32))
        opened = self._opened(states[0].puzzle.domain, option_text(options) or b"runners=1")
        priors: list[np.ndarray] = []
        values = []
        begin = 0
        try:
            while begin < len(states):
                puzzle, last = states[begin].puzzle, begin
                while last < len(states) and states[last].puzzle is puzzle:
                    last += 1
                found = opened.ask(states[begin:last])
                priors += found.priors
                values.append(found.values)
                begin = last
        finally:
            if opened.has_threads:
                opened.close()
        return Evaluation(priors, np.concatenate(values))

    def _opened(self, domain: str, options: bytes) -> _Opened:
        """The network in the engine, opened again if the weights have changed or the process is a new one.

        Several Python threads may evaluate at once: a network that another call has replaced stays open as long as a
        call uses it. A network with threads belongs to one call, which closes it, so that no thread stays alive.
        """
        raw = self.to_bytes()
        mark = hashlib.blake2b(raw + b"|" + options + b"|" + domain.encode(), digest_size=16).digest()
        kept = self._open
        if kept is not None and kept.mark == mark and kept.process == os.getpid():
            return kept
        with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
            file.write(raw)
            file.flush()
            opened = _Opened(file.name, domain, options, mark)
        if not opened.has_threads:
            self._open = opened
        return opened

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_open"}


class _Opened(c.Owner):
    """A network that the engine has opened."""

    def __init__(self, path: str, domain: str, options: bytes, mark: bytes) -> None:
        self.mark, self.process = mark, os.getpid()
        self.handle: Optional[int] = None
        self.has_threads = b"threads" in options
        error = c.Error()
        text = os.fsencode(path) + (b":" + options if options else b"")
        self.handle = lib.soloist_network_open(find_domain(domain), text, byref(error))
        if not self.handle:
            # The name in the sentence is that of a temporary file.
            sentence = c.text_of(error.text)
            raise InputError(sentence.removeprefix(f"{path}: "), error.line, error.column)

    def ask(self, states: Sequence[State]) -> Evaluation:
        """About states of one puzzle."""
        puzzle = states[0].puzzle
        most = max(1, puzzle._shape.most_moves)
        raw = b"".join(state._bytes for state in states)
        priors = np.zeros((len(states), most), np.float32)
        values = np.zeros(len(states), np.float32)
        numbers = POINTER(c_float)
        error = c.Error()
        code = _evaluate(
            self.handle,
            byref(puzzle._c),
            raw,
            len(states),
            priors.ctypes.data_as(numbers),
            values.ctypes.data_as(numbers),
            byref(error),
        )
        if code != c.OK:
            c.fail(code, error)
        rows = [row[: 0 if state.ended else len(state.moves)].copy() for row, state in zip(priors, states)]
        return Evaluation(rows, values)

    def close(self) -> None:
        """A child process leaves alone what its parent opened."""
        if self.handle and self.process == os.getpid():
            lib.soloist_network_close(self.handle)
        self.handle = None

    def __del__(self) -> None:
        if getattr(self, "handle", None) and lib is not None:
            self.close()


def _read_header(raw: bytes) -> tuple[dict[str, Any], int]:
    """The JSON header of a safetensors file, and where the numbers begin."""
    if len(raw) < 8:
        raise InputError(f"the file has {len(raw)} bytes: too few for a safetensors file")
    (size,) = struct.unpack_from("<Q", raw)
    if size > min(_LONGEST_HEADER, len(raw) - 8):
        raise InputError(f"this is not a safetensors file: its header would have {size} bytes")
    try:
        header = json.loads(raw[8 : 8 + size].decode())
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise InputError("this is not a safetensors file: its header is not a JSON object")
    return header, 8 + size


def _expect_finite(name: str, tensor: np.ndarray) -> None:
    if not np.isfinite(tensor).all():
        raise InputError(f"{name} has numbers that are not finite")


def _read_tensor(name: str, entry: Any, raw: bytes, start: int) -> np.ndarray:
    try:
        kind, shape, (begin, end) = entry["dtype"], tuple(entry["shape"]), entry["data_offsets"]
        if any(type(number) is not int or number < 0 for number in (*shape, begin, end)):
            raise ValueError(shape)
        count = math.prod(shape)
        fits = begin <= end <= len(raw) - start and end - begin == 4 * count
    except (KeyError, TypeError, ValueError):
        raise InputError(f"the entry of {name} in the header is wrong") from None
    if kind != "F32":
        raise InputError(f"{name} has numbers of type {kind}: expected F32")
    if not fits:
        raise InputError(f"{name} does not have as many bytes as its shape requires, or the file ends too soon")
    try:
        tensor = np.frombuffer(raw, "<f4", count, start + begin).reshape(shape).astype(np.float32)
    except ValueError:  # too many dimensions, or too large ones beside one of 0
        raise InputError(f"{name} has a shape that NumPy refuses") from None
    _expect_finite(name, tensor)
    return tensor


def read_network(path: Path) -> Network:
    """Reads a network's file."""
    with open(path, "rb") as file:
        return Network.from_bytes(file.read())


def write_network(path: Path, network: Network) -> None:
    """Writes a network's file; see :meth:`Network.write`."""
    network.write(path)
