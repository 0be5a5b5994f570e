"""Puzzles as environments for learners, one board or thousands at once.

:class:`Environment` follows Gymnasium's convention for one board, :class:`VectorEnvironment` that for many. If
Gymnasium can be imported they are subclasses of its classes; otherwise they work alone. An observation is an array of
bytes, channels x height x width. The boards live in the library, which writes straight into NumPy arrays.
"""

from __future__ import annotations

import ctypes
import threading
from ctypes import POINTER, c_char_p, c_int, c_uint64, c_void_p
from typing import Any, Iterable, Mapping

import numpy as np

from . import _library
from ._library import BoardsArrays, BoardsPlan, lib
from ._quantities import expect, text_bytes, whole
from .errors import InputError, SoloistError, UnsupportedError
from .puzzles import Options, Puzzle, State, _chunks, find_domain, option_text

try:
    import gymnasium
    from gymnasium import spaces

    _Base: type = gymnasium.Env
    _VectorBase: type = gymnasium.vector.VectorEnv
    _AUTORESET: Any = getattr(getattr(gymnasium.vector, "AutoresetMode", None), "SAME_STEP", "SameStep")

    class _NotReset(gymnasium.error.ResetNeeded, RuntimeError):  # type: ignore[misc]
        """The same kind of exception with and without Gymnasium."""

except ImportError:
    from . import _spaces as spaces  # type: ignore[no-redef]

    _Base = _VectorBase = object
    _AUTORESET = "SameStep"
    _NotReset = RuntimeError  # type: ignore[misc]

__all__ = ["Environment", "VectorEnvironment"]

_MOST_INT = 2**31 - 1
_BUILT_IN = ("sokoban", "sokoban-moves", "samegame", "tiles")  # the built-in domains that have environments
RENDER_MODES = ("ansi", "rgb_array", "svg")


_Error = POINTER(_library.Error)
_declare = _library.declare
_open = _declare("soloist_boards_open", c_void_p, POINTER(_library.Domain), POINTER(BoardsPlan), _Error)
_close = _declare("soloist_boards_close", None, c_void_p)
_put = _declare("soloist_boards_put", c_int, c_void_p, c_int, POINTER(_library.Chunk), _Error)
_fill = _declare("soloist_boards_fill", c_int, c_void_p, c_char_p, c_uint64, _Error)
_shape = _declare("soloist_boards_shape", None, c_void_p, POINTER(c_int))
_bind = _declare("soloist_boards_bind", c_int, c_void_p, POINTER(BoardsArrays), _Error)
_reseed = _declare("soloist_boards_reseed", None, c_void_p, c_uint64)
_reset = _declare("soloist_boards_reset", c_int, c_void_p)
_begin = _declare("soloist_boards_begin", c_int, c_void_p, c_int, c_int)
_step = _declare("soloist_boards_step", c_int, c_void_p)
_step_into = _declare("soloist_boards_step_into", c_int, c_void_p, c_void_p)
_slot = _declare("soloist_boards_slot", c_int, c_void_p, c_int)
_print = _declare("soloist_boards_print", c_int, c_void_p, c_int, POINTER(_library.Sink))

# The same function without giving up the interpreter lock, which takes as long as a step of one board.
_quick_step = ctypes.PyDLL(None, handle=lib._handle).soloist_boards_step
_quick_step.restype = c_int
_quick_step.argtypes = [c_void_p]


def _level_texts(levels: str | Iterable[Any]) -> list[str]:
    """Texts of levels; each may hold several. A puzzle counts as its text."""
    if isinstance(levels, (str, Puzzle)):
        levels = [levels]
    if isinstance(levels, (bytes, bytearray)) or not isinstance(levels, Iterable):
        raise TypeError(f"levels: expected a text, a Puzzle or several of them, not {type(levels).__name__}")
    texts = []
    for index, level in enumerate(levels):
        expect(f"levels[{index}]", level, (str, Puzzle), "a text or a Puzzle")
        texts.append(level if isinstance(level, str) else level.text)
    return texts


class _Boards(_library.Owner):
    """Boards of the library and the arrays that they read and write. Made anew where an environment is unpickled."""

    def __init__(
        self,
        domain: str,
        levels: str | Iterable[Any] | None,
        generator: Options,
        pool: int,
        count: int,
        plan: BoardsPlan,
        masks: bool,
        observations: np.ndarray | None = None,
    ) -> None:
        self.handle = None
        self.lock = threading.Lock()  # one call at a time may use the boards
        table = find_domain(domain)
        texts = _level_texts(levels) if levels is not None else []
        chunks = [chunk for text in texts for chunk in _chunks(table, text_bytes("levels", text, "surrogateescape"))]
        if levels is not None and not chunks:
            raise InputError("there is no level in the text")
        if levels is not None and generator is not None:
            raise InputError("give levels or a generator, not both")
        plan.size, plan.boards, plan.levels = ctypes.sizeof(plan), count, len(chunks) or pool
        self.count, self.levels, self.seed = count, plan.levels, plan.seed
        error = _library.Error()
        self.handle = _open(table, plan, error)
        if not self.handle:
            playable = table.contents.learn and table.contents.players == 1
            sentence = _library.text_of(error.text)
            if sentence.startswith("no memory"):
                raise MemoryError(sentence)
            raise (InputError if playable else UnsupportedError)(sentence)
        for slot, (text, line, _) in enumerate(chunks):
            chunk = _library.Chunk(ctypes.cast(c_char_p(text), c_void_p), len(text), line)
            self._check(_put(self.handle, slot, chunk, error), error)
        if not chunks:
            self._check(_fill(self.handle, option_text(generator), plan.seed, error), error)
        self._allocate(masks, observations)

    @staticmethod
    def _check(code: int, error: _library.Error) -> None:
        if code != _library.OK:
            _library.fail(code, error)

    def _allocate(self, masks: bool, observations: np.ndarray | None) -> None:
        shape = (c_int * 4)()
        _shape(self.handle, shape)
        self.planes, self.number_of_actions = tuple(shape[:3]), shape[3]
        whole = (self.count, *self.planes)
        self.actions = np.zeros(self.count, np.int32)
        self.observations = np.zeros(whole, np.uint8) if observations is None else observations
        check_array(self.observations, whole)
        self.latest = self.observations  # the array that holds the present observations
        self.finals = np.zeros(whole, np.uint8)
        self.rewards = np.zeros(self.count, np.float32)
        self.terminated = np.zeros(self.count, np.bool_)
        self.truncated = np.zeros(self.count, np.bool_)
        self.masks = np.zeros((self.count, self.number_of_actions), np.int8) if masks else None
        self.bind()

    def bind(self) -> None:
        """Tells the library the arrays; the next step writes all bytes of the observations."""
        named = {name: getattr(self, name) for name, _ in BoardsArrays._fields_[1:]}
        arrays = BoardsArrays(**{name: array.ctypes.data for name, array in named.items() if array is not None})
        arrays.size = ctypes.sizeof(arrays)
        error = _library.Error()
        self._check(_bind(self.handle, arrays, error), error)

    def begin(self, board: int, level: int) -> None:
        expect("level", level, (int, np.integer), "a whole number")
        if not 0 <= level < self.levels or _begin(self.handle, board, level) != _library.OK:
            raise self.no_level(level)

    def no_level(self, level: int) -> InputError:
        """Why a level cannot be played."""
        return InputError(f"there is no level {level}: there are {self.levels}, counted from 0")

    def text(self, board: int) -> str:
        pieces: list[bytes] = []
        write = _library.WriteFunction(lambda _, text, length: pieces.append(ctypes.string_at(text, length)))
        expect("board", board, (int, np.integer), "a whole number")
        if not 0 <= board < self.count:
            raise InputError(f"there is no board {board}: there are {self.count}, counted from 0")
        with self.lock:
            code = _print(self.handle, board, _library.Sink(write, None))
        if code != _library.OK:
            raise self.not_running()
        return b"".join(pieces).decode()

    def prepare(self, seed: Any) -> None:
        """Before a reset, which holds the lock: ``seed``, if it is not None, repeats the draws of levels."""
        start = whole("seed", seed) if seed is not None else None
        if not self.handle:
            raise self.not_running()
        if start is not None:
            _reseed(self.handle, start)

    def not_running(self) -> Exception:
        """Why no step can be made now."""
        return _NotReset("call reset first") if self.handle else SoloistError("the environment is closed")

    def close(self) -> None:
        with self.lock:
            handle, self.handle = self.handle, None
            _close(handle)

    def __del__(self) -> None:
        if getattr(self, "handle", None) and _close is not None:
            self.close()


def _reset_options(options: Mapping[str, Any] | None, *names: str) -> Mapping[str, Any]:
    """The options of a reset, which may have these names only."""
    expect("options", options, (Mapping, type(None)), "a mapping or None")
    for name in options or {}:
        if name not in names:
            raise InputError(f"options: there is no {name!r}: expected {' or '.join(names)}")
    return options or {}


def _take_actions(room: np.ndarray, actions: Any) -> None:
    """Copies one action per board, or refuses what would be rounded, repeated or cut off."""
    given = np.asarray(actions)
    if given.shape != room.shape or given.dtype.kind not in "iu":
        raise InputError(f"actions: expected {room.size} whole numbers, one per board")
    room[...] = given
    if given.dtype != room.dtype and (room != given).any():
        raise InputError("actions: there is no action of such a number")


def _per_board(name: str, given: Any, count: int, kinds: str, expected: str) -> np.ndarray:
    """An option of a reset with one entry per board, whose NumPy type is one of these kinds."""
    array = np.asarray(given)
    if array.ndim != 1 or array.dtype.kind not in kinds:
        raise InputError(f"{name}: expected {expected}, one per board")
    if len(array) != count:
        raise InputError(f"{name}: expected one entry per board: {count}, not {len(array)}")
    return array


def _move_of(state: State, action: int, actions: int) -> int | None:
    """The move of an action; None: the action is not legal. Several actions may mean one move: then the move is the one
    that gets a prior if all probability is on the action."""
    instance, learn = state.puzzle._c.instance, state.puzzle._table.learn.contents
    if not learn.priors or not 0 <= action < actions:
        found = (move for move in state.moves if learn.action(instance, state._bytes, move) == action)
        return next(found, None)
    moves = np.array(state.moves, np.uint32)
    policy, priors = np.zeros(actions, np.float32), np.zeros(len(moves), np.float32)
    policy[action] = 1
    numbers = (array.ctypes.data for array in (policy, priors))
    learn.priors(instance, state._bytes, moves.ctypes.data, len(moves), *numbers)
    return int(moves[priors.argmax()]) if priors.any() else None


def check_array(array: np.ndarray, shape: tuple[int, ...]) -> None:
    """Refuses an array that the library cannot write into."""
    expect("array", array, np.ndarray, "a NumPy array")
    fits = array.dtype == np.uint8 and array.shape == shape and array.flags.c_contiguous and array.flags.writeable
    if not fits:
        raise InputError(f"expected a writable C-contiguous array of uint8 with the shape {shape}")


class _Environment:
    """What both environments share."""

    _boards: _Boards
    _settings: dict[str, Any]

    @property
    def domain(self) -> str:
        """The name of the domain."""
        return self._settings["domain"]

    @property
    def levels(self) -> int:
        """The number of levels in the pool."""
        return self._boards.levels

    def _open(self, count: int, threads: int, masks: bool, observations: np.ndarray | None = None) -> None:
        s = self._settings
        if s["render_mode"] not in (None, *RENDER_MODES):
            raise InputError(f"there is no render mode {s['render_mode']}: expected one of {', '.join(RENDER_MODES)}")
        pool, count = whole("pool", s["pool"], 1, _MOST_INT), whole("count", count, 1, _MOST_INT)
        plan = BoardsPlan(
            options=option_text(s["options"]),
            reward=text_bytes("reward", s["reward"]) if s["reward"] is not None else None,
            step_limit=whole("step_limit", s["step_limit"], most=_MOST_INT),
            threads=whole("threads", threads, 1, 1024),
            in_turn=bool(s["in_turn"]),
            general=bool(s["general"]),
            seed=whole("seed", s["seed"]),
        )
        self._boards = _Boards(
            s["domain"], s["levels"], s["generator"], pool, count, plan, masks, observations
        )
        self.render_mode = s["render_mode"]

    def _space_of_observation(self) -> Any:
        """The planes of the built-in domains hold only zeros and ones; a plugin may say that its planes do, too."""
        _reset(self._boards.handle)
        _reseed(self._boards.handle, self._boards.seed)
        planes, learn = self._boards.planes, find_domain(self.domain).contents.learn.contents
        bits = self.domain in _BUILT_IN or learn.bit_planes >= planes[0]
        return spaces.Box(0, 1 if bits else 255, planes, np.uint8)

    def _frame(self, board: int) -> Any:
        """What render returns for one board."""
        if self.render_mode == "ansi":
            return self._boards.text(board)
        if self.render_mode == "svg":
            return draw(self._boards.text(board), self.domain)
        return paint(self._boards.latest[board], self.domain)

    def close(self) -> None:
        """Frees the boards."""
        self._boards.close()

    def __getstate__(self) -> dict[str, Any]:
        """An environment is pickled by its settings: where it is unpickled, call reset first."""
        return self._settings

    def __setstate__(self, settings: dict[str, Any]) -> None:
        self.__init__(**settings)  # type: ignore[misc]


class Environment(_Environment, _Base):  # type: ignore[misc]
    """One board in Gymnasium's convention.

    >>> env = Environment("sokoban-moves", "#####\\n#@$.#\\n#####")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].tolist()
    ((4, 3, 5), [0, 0, 1, 0])
    >>> observation, reward, terminated, truncated, info = env.step(2)
    >>> reward, terminated, truncated
    (-1.0, True, False)

    Args:
        domain: a domain with planes for networks: ``sokoban-moves`` (four actions), ``sokoban`` (an action is a
            direction and the cell of the box), ``samegame``, ``tiles``.
        levels: a text in the domain's file format, which may hold several levels, or a list of such texts or of
            puzzles. All must have the same size. None: levels of the domain's generator.
        generator: options of the generator, as ``"width=10,height=10"`` or a dict.
        pool: how many levels are generated.
        reward: one of the domain's rewards by name (``soloist info DOMAIN``); None: the score of each step, or minus
            its cost.
        step_limit: an episode is truncated after this many steps; 0: never.
        options: options of the domain, as a text or a dict.
        in_turn: episodes take the levels one after the other; otherwise each draws one at random.
        seed: of the generated levels and, until reset gets a seed, of the draws.
        render_mode: what render returns: "ansi" (text), "rgb_array" or "svg".
        general: do not use a domain's own fast boards (for tests; the results are the same).

    An action that is not legal changes nothing, but counts as a step. ``info["action_mask"]`` has a 1 for each legal
    action; after the last step of an episode it is all zero. Each observation and each mask is a new array.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 8}

    def __init__(
        self,
        domain: str,
        levels: str | Iterable[Any] | None = None,
        *,
        generator: Options = None,
        pool: int = 64,
        reward: str | None = None,
        step_limit: int = 0,
        options: Options = None,
        in_turn: bool = False,
        seed: int = 1,
        render_mode: str | None = None,
        general: bool = False,
    ) -> None:
        levels = _level_texts(levels) if levels is not None else None
        self._settings = {key: value for key, value in locals().items() if key not in ("self", "__class__")}
        self._open(1, 1, True)
        boards = self._boards
        self.observation_space = self._space_of_observation()
        self.action_space = spaces.Discrete(boards.number_of_actions)
        # What step uses; the numbers are read and written through memoryviews, which is quicker than through arrays.
        self._action = memoryview(boards.actions)
        self._reward = memoryview(boards.rewards)
        self._copy = boards.observations[0].copy
        self._copy_mask = boards.masks[0].copy
        self._running: int | None = None  # the boards' handle while an episode runs
        self._begun = False  # the library has begun the next episode by itself
        # In render modes that need it: the position before the last step, and the action of this step.
        self._keeps_last = self.render_mode in ("ansi", "svg")
        self._last: tuple[str, int] | None = None

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begins an episode: returns the observation and ``{"action_mask": ..., "level": ...}``.

        Args:
            seed: repeats the draws of levels from here on.
            options: ``{"level": n}`` plays level number n of the pool, counted from 0.
        """
        if _Base is not object:
            super().reset(seed=seed, options=options)
        boards = self._boards
        level = _reset_options(options, "level").get("level")
        with boards.lock:
            boards.prepare(seed)
            if level is not None:
                boards.begin(0, level)
            elif seed is not None or not self._begun:
                _reset(boards.handle)
            self._running, self._begun = boards.handle, False
            return self._copy(), {"action_mask": self._copy_mask(), "level": _slot(boards.handle, 0)}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """Plays an action: returns observation, reward, terminated, truncated and ``{"action_mask": ...}``."""
        try:
            self._action[0] = action
        except TypeError:
            raise TypeError(f"action: expected a whole number, not {type(action).__name__}") from None
        except ValueError:
            raise InputError(f"there is no action {action}") from None
        if self._keeps_last and self._running is not None:
            self._last = self._boards.text(0), self._action[0]
        if _quick_step(self._running):
            return self._last_step()
        return self._copy(), self._reward[0], False, False, {"action_mask": self._copy_mask()}

    def _last_step(self) -> tuple[np.ndarray, float, bool, bool, dict]:
        """The step that ended the episode; the library has begun the next one, which reset will use."""
        boards = self._boards
        if self._running is None:
            raise boards.not_running()
        self._running, self._begun = None, True
        info = {"action_mask": np.zeros_like(boards.masks[0])}
        return boards.finals[0].copy(), self._reward[0], bool(boards.terminated[0]), bool(boards.truncated[0]), info

    def close(self) -> None:
        """Frees the board."""
        self._running = None
        super().close()

    def render(self) -> Any:
        """The board as text, as an RGB array or as SVG, by the render mode; None without one."""
        if self.render_mode is None:
            return None
        if self._running is not None or not self._begun:
            return self._frame(0)
        if self.render_mode == "rgb_array":
            return paint(self._boards.finals[0], self.domain)
        state = self._last_state()
        return f"{state}\n" if self.render_mode == "ansi" else state.svg()

    def _last_state(self) -> State:
        """The last position of the episode that has ended; the library's board shows the next episode already."""
        assert self._last is not None
        text, action = self._last
        before = Puzzle(text, self.domain, self._settings["options"]).root
        move = _move_of(before, action, self._boards.number_of_actions)
        return before if move is None else before.apply(move)


class VectorEnvironment(_Environment, _VectorBase):  # type: ignore[misc]
    """Many boards in Gymnasium's convention for vectors, played at once.

    >>> envs = VectorEnvironment("sokoban-moves", count=1000, generator="width=10,height=10", step_limit=120)
    >>> observations, info = envs.reset(seed=1)
    >>> observations.shape, info["action_mask"].shape
    ((1000, 4, 10, 10), (1000, 4))
    >>> actions = np.zeros(1000, np.int32)
    >>> observations, rewards, terminated, truncated, info = envs.step(actions)
    >>> observations is envs.observations
    True

    Where an episode is over, the next one begins in the same step (Gymnasium's SAME_STEP): the observation is the first
    of the new episode. ``info["final_obs"]`` then has the last observations of the old episodes in the rows for which
    ``info["_final_obs"]`` is true; its other rows mean nothing.

    The arrays are always the same ones, which the library writes into: copy what you keep, or give ``step`` another
    array for the observations, such as a row of your rollout. The attributes ``actions``, ``observations``,
    ``rewards``, ``terminated``, ``truncated`` and ``masks`` are these arrays.

    Args:
        domain, levels, generator, pool, reward, step_limit, options, in_turn, seed, render_mode: see Environment.
        count: number of boards.
        threads: most threads of a call. They end with the call. The results do not depend on it.
        masks: whether ``info["action_mask"]`` is wanted; without it a step takes less time.
        observations: an array of uint8, count x channels x height x width, to be used instead of a new one.
        copy: return copies of the arrays.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 8, "autoreset_mode": _AUTORESET}
    closed = True  # until the boards are there: Gymnasium closes what is not closed

    def __init__(
        self,
        domain: str,
        levels: str | Iterable[Any] | None = None,
        *,
        count: int,
        generator: Options = None,
        pool: int = 64,
        reward: str | None = None,
        step_limit: int = 0,
        options: Options = None,
        in_turn: bool = False,
        seed: int = 1,
        threads: int = 1,
        masks: bool = True,
        observations: np.ndarray | None = None,
        copy: bool = False,
        render_mode: str | None = None,
        general: bool = False,
    ) -> None:
        levels = _level_texts(levels) if levels is not None else None
        self._settings = {
            key: value for key, value in locals().items() if key not in ("self", "__class__", "observations")
        }
        self._open(count, threads, masks, observations)
        boards = self._boards
        self.num_envs = count = boards.count
        self.single_observation_space = one = self._space_of_observation()
        self.observation_space = spaces.Box(0, int(one.high.max()), (count, *boards.planes), np.uint8)
        self.single_action_space = spaces.Discrete(boards.number_of_actions)
        self.action_space = spaces.MultiDiscrete([boards.number_of_actions] * count)
        self.actions, self.observations, self.rewards = boards.actions, boards.observations, boards.rewards
        self.terminated, self.truncated, self.masks = boards.terminated, boards.truncated, boards.masks
        self.closed = False
        self._has_begun = False
        self._copies = copy

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode on every board.

        Args:
            seed: repeats the draws of levels from here on. Each board has a stream of its own.
            options: ``{"levels": numbers}`` gives each board a level of the pool; a number of -1 draws one.
                ``{"reset_mask": booleans}`` leaves the boards alone where it is false.
        """
        boards = self._boards
        names = ("levels", "reset_mask")
        wanted, mask = (_reset_options(options, *names).get(name) for name in names)
        if wanted is not None:
            wanted = _per_board("levels", wanted, boards.count, "iu", "whole numbers")
            for level in wanted[(wanted < -1) | (wanted >= boards.levels)]:
                raise boards.no_level(level)
        if mask is not None:
            mask = _per_board("reset_mask", mask, boards.count, "biu", "booleans")
        with boards.lock:
            boards.prepare(seed)
            if mask is None or not self._has_begun:
                _reset(boards.handle)
            elif boards.latest is not boards.observations:
                boards.observations[...] = boards.latest  # for the boards that are left alone
            boards.latest = boards.observations
            self._has_begun = True
            if wanted is not None or mask is not None:
                self._begin_some(wanted, mask, mask is not None)
        info = {} if boards.masks is None else {"action_mask": boards.masks.copy() if self._copies else boards.masks}
        return boards.observations.copy() if self._copies else boards.observations, info

    def _begin_some(self, wanted: np.ndarray | None, mask: np.ndarray | None, draw: bool) -> None:
        boards = self._boards
        for board in range(boards.count):
            level = -1 if wanted is None else int(wanted[board])
            if mask is not None and not mask[board]:
                continue
            if level >= 0:
                boards.begin(board, level)
            elif draw:
                _begin(boards.handle, board, -1)

    def step(
        self, actions: Any = None, out: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one action on every board: observations, rewards, terminated, truncated and info.

        Args:
            actions: one per board; None: those in the array ``actions``, which you have filled.
            out: an array for the observations of this step, instead of the usual one. It need not hold anything.
        """
        boards = self._boards
        if not self._has_begun:
            raise boards.not_running()
        if actions is not None:
            _take_actions(boards.actions, actions)
        if out is not None:
            check_array(out, boards.observations.shape)
        with boards.lock:
            if not boards.handle:
                raise boards.not_running()
            if out is None:
                ended = _step(boards.handle)
            else:
                address = out.ctypes.data
                if address == boards.latest.ctypes.data:
                    boards.bind()  # The library shall write every byte, because the caller may have changed some.
                ended = _step_into(boards.handle, address)
        boards.latest = observations = boards.observations if out is None else out
        info: dict[str, Any] = {} if boards.masks is None else {"action_mask": boards.masks}
        if ended:
            info["final_obs"] = boards.finals
            info["_final_obs"] = boards.terminated | boards.truncated
        if not self._copies:
            return observations, boards.rewards, boards.terminated, boards.truncated, info
        if out is None:
            observations = observations.copy()
        info = {key: array.copy() for key, array in info.items()}
        return observations, boards.rewards.copy(), boards.terminated.copy(), boards.truncated.copy(), info

    def playing(self) -> np.ndarray:
        """The number of the level that each board plays."""
        boards = self._boards
        with boards.lock:
            return np.array([_slot(boards.handle, board) for board in range(self.num_envs)])

    def text(self, board: int) -> str:
        """The position of a board in the domain's file format."""
        return self._boards.text(board)

    def render(self) -> tuple[Any, ...] | None:
        """What each board shows, by the render mode; None without one."""
        if self.render_mode is None:
            return None
        return tuple(self._frame(board) for board in range(self.num_envs))

    def close(self, **unused: Any) -> None:
        """Frees the boards."""
        super().close()
        self.closed, self._has_begun = True, False


# ---- pictures ----

CELL = 16  # pixels of a cell
_FLOOR = (239, 234, 224)
# Colours of planes: for Sokoban walls, goals, boxes, player, each with its distance from the cell's edge.
_SOKOBAN = (((92, 84, 78), 0), ((214, 96, 77), 5), ((196, 144, 72), 2), ((52, 110, 168), 4))
_COLOURS = (
    (245, 245, 245),
    (214, 69, 65),
    (65, 131, 215),
    (38, 166, 91),
    (244, 208, 63),
    (142, 68, 173),
    (230, 126, 34),
    (22, 160, 133),
    (149, 165, 166),
    (52, 73, 94),
)


def paint(planes: np.ndarray, domain: str) -> np.ndarray:
    """Planes as a picture: height x width x 3 bytes, with a square of 16 pixels per cell."""
    channels, height, width = planes.shape
    picture = np.empty((height, CELL, width, CELL, 3), np.uint8)
    picture[:] = _FLOOR
    for channel in range(channels):
        if domain.startswith("sokoban"):
            colour, edge = _SOKOBAN[channel]
        else:
            colour, edge = _colour(channel, channels), 1
        inner = picture[:, edge : CELL - edge, :, edge : CELL - edge]
        inner[np.nonzero(planes[channel])[0], :, np.nonzero(planes[channel])[1]] = colour
    return picture.reshape(height * CELL, width * CELL, 3)


def _colour(channel: int, channels: int) -> tuple[int, int, int]:
    """One of the colours above, or a shade of blue if there are more planes than colours."""
    if channels <= len(_COLOURS):
        return _COLOURS[channel]
    return (225 - 160 * channel // channels, 232 - 130 * channel // channels, 245 - 60 * channel // channels)


def draw(text: str, domain: str) -> str:
    """A position as SVG."""
    return Puzzle(text, domain).svg()
