#!/usr/bin/env python3
"""Trains networks that predict what each block of a SameGame board will bring, and writes what they say about states.

    fates_train.py GAMES STATES OUT [--seconds 300] [--networks NAME,...]

GAMES is the folder that `fates.py games` wrote, STATES the file of `fates.py states`. The networks of SETTINGS are
trained one after another; each gets its share of the time. OUT/predictions.npz holds for each network the score that is
still to come from each state, and for each cell what its block brings. Every twentieth board of GAMES is kept for
validation. Needs PyTorch, NumPy, and the module `soloist` on PYTHONPATH.
"""

import argparse
import glob
import math
import time
import traceback
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from fates import COLOURS, SIDE, columns_of, read_states

CELLS = SIDE * SIDE
POINTS = 5.0  # scale of what a block brings
TOTAL = 300.0  # scale of errors of the whole score: about the noise of a label
EXPECTILE = 0.8  # labels are lower bounds of the best score
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass(frozen=True)
class Setting:
    """A network and how it is trained.

    Attributes:
        kind: plain or residual convolutions, or attention between all cells.
        mixed: the layers that also see the mean over all blocks of the layer before; counted from 0.
        fates: the score is a sum over blocks; False: one number that is computed from the mean over all blocks.
        pairs: weight of the error in the difference between two states of one board.
        share: share of the time.
    """

    kind: str
    layers: int
    channels: int
    mixed: tuple[int, ...] = ()
    fates: bool = True
    pairs: float = 0.0
    share: float = 1.0
    batch: int = 2048
    rate: float = 2e-3


SETTINGS = {
    "6x32": Setting("plain", 6, 32, (2, 4), share=1.0),
    "10x128": Setting("residual", 10, 128, (2, 4, 6, 8), share=1.5),
    "10x128-pairs": Setting("residual", 10, 128, (2, 4, 6, 8), pairs=1.0, share=1.5),
    "10x128-value": Setting("residual", 10, 128, (2, 4, 6, 8), fates=False, share=1.0),
    "attention-pairs": Setting("attention", 8, 192, pairs=1.0, share=1.5, batch=1024, rate=6e-4),
}


# ---- planes ----


def neighbour(x: Tensor, dim: int, step: int) -> Tensor:
    """For each cell the value of its neighbour along a dimension; 0 outside of the board."""
    out = torch.zeros_like(x)
    here, there = (0, 1) if step > 0 else (1, 0)
    out.narrow(dim, here, SIDE - 1).copy_(x.narrow(dim, there, SIDE - 1))
    return out


def parts_of(colour: Tensor) -> Tensor:
    """A number for each cell: equal for the blocks of a connected part, one of whose cells has it as index + 1."""
    full = colour > 0
    index = torch.arange(1, CELLS + 1, device=colour.device).view(1, SIDE, SIDE)
    part = torch.where(full, index, torch.zeros_like(index))
    ways = [(1, -1), (1, 1), (2, -1), (2, 1)]
    links = [(neighbour(colour, dim, step) == colour) & full for dim, step in ways]
    for _ in range(CELLS):
        new = part
        for (dim, step), link in zip(ways, links):
            new = torch.where(link, torch.maximum(new, neighbour(new, dim, step)), new)
        if torch.equal(new, part):
            break
        part = new
    return part


def gap(colour: Tensor, step: int) -> Tensor:
    """The distance to the next block of the same colour in the same column; SIDE if there is none."""
    out = torch.full_like(colour, SIDE)
    shifted = colour
    for distance in range(1, SIDE):
        shifted = neighbour(shifted, 2, step)
        out = torch.where((out == SIDE) & (shifted == colour), torch.full_like(out, distance), out)
    return out


def features(colour: Tensor) -> Tensor:
    """The planes that neither mirroring nor a permutation of the colours changes, but for the order of the columns."""
    boards = colour.shape[0]  # colour: boards x columns x rows, row 0 at the bottom
    full, flat = colour > 0, colour.view(boards, CELLS)
    part = parts_of(colour)
    label = part.view(boards, CELLS)
    ones = torch.ones_like(label)
    size = torch.zeros(boards, CELLS + 1, dtype=torch.long, device=colour.device).scatter_add_(1, label, ones)
    size = size.gather(1, label).view_as(colour) * full
    index = torch.arange(1, CELLS + 1, device=colour.device).view(1, SIDE, SIDE)
    root = (part == index) & full

    def by_colour(values: Tensor) -> Tensor:
        sums = torch.zeros(boards, COLOURS + 1, device=colour.device)
        return sums.scatter_add_(1, flat, values.reshape(boards, CELLS).float())

    def at_cells(values: Tensor) -> Tensor:
        return values.gather(1, flat).view_as(colour)

    blocks, parts, groups = by_colour(full), by_colour(root), by_colour(root & (size > 1))
    column = torch.arange(SIDE, device=colour.device, dtype=torch.float).view(1, SIDE, 1).expand_as(colour)
    row = torch.arange(SIDE, device=colour.device, dtype=torch.float).view(1, 1, SIDE).expand_as(colour)
    mean = by_colour(column * full) / blocks.clamp(min=1)
    spread = (by_colour(column**2 * full) / blocks.clamp(min=1) - mean**2).clamp(min=0).sqrt()
    rank = (blocks[:, None, :] > blocks[:, :, None]).sum(2).float()
    planes = [
        size > 1,
        (size / 8).clamp(max=8),
        torch.where(size > 1, (size - 2) ** 2 / 64, torch.zeros(1, device=colour.device)).clamp(max=16),
        at_cells(blocks) / 32,
        at_cells(groups) / 8,
        at_cells(parts) / 16,
        at_cells(rank) / 4,
        at_cells(spread) / 5,
        full.sum(2, keepdim=True).expand_as(colour) / SIDE,
        row / SIDE,
        gap(colour, 1) / SIDE,
        gap(colour, -1) / SIDE,
        neighbour(colour, 2, 1) == colour,
        neighbour(colour, 2, -1) == colour,
        full.sum((1, 2), keepdim=True).expand_as(colour) / CELLS,
    ]
    return torch.stack([plane.float() * full for plane in planes], 1).half()  # boards x planes x columns x rows


PLANES = COLOURS + 1 + 2 + 15


def encode(colour: Tensor, more: Tensor) -> Tensor:
    hot = F.one_hot(colour, COLOURS + 1).permute(0, 3, 1, 2).float()
    sides = [((neighbour(colour, 1, step) == colour) & (colour > 0)).float() for step in (-1, 1)]
    return torch.cat([hot, torch.stack(sides, 1), more.float()], 1)


def reflect(colour: Tensor, more: Tensor, fate: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Each board with its colours in a random order, and mirrored or not."""
    boards = colour.shape[0]
    order = torch.rand(boards, COLOURS, device=colour.device).argsort(1) + 1
    order = torch.cat([torch.zeros_like(order[:, :1]), order], 1)
    colour = order.gather(1, colour.reshape(boards, CELLS)).view(boards, SIDE, SIDE)
    used = (colour[:, :, 0] > 0).sum(1, keepdim=True)
    column = torch.arange(SIDE, device=colour.device).view(1, SIDE).expand(boards, SIDE)
    flip = (torch.rand(boards, 1, device=colour.device) < 0.5) & (column < used)
    source = torch.where(flip, used - 1 - column, column)
    colour = colour.gather(1, source[:, :, None].expand(-1, -1, SIDE))
    fate = fate.gather(1, source[:, :, None].expand(-1, -1, SIDE))
    more = more.gather(2, source[:, None, :, None].expand(-1, more.shape[1], -1, SIDE))
    return colour, more, fate


# ---- data ----


class Data:
    """All states, on the card, sorted by board and number of blocks."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        _, board = np.unique(arrays["board"], return_inverse=True)
        blocks = (arrays["colour"] > 0).sum((1, 2))
        order = np.lexsort((blocks, board))
        self.count = len(order)
        self.colour = torch.from_numpy(arrays["colour"][order]).to(DEVICE)
        self.fate = torch.from_numpy(arrays["fate"][order]).to(DEVICE)
        self.rest = torch.from_numpy(arrays["rest"][order].astype(np.float32)).to(DEVICE)
        self.so_far = torch.from_numpy(arrays["so_far"][order].astype(np.float32)).to(DEVICE)
        self.cleared = torch.from_numpy(arrays["cleared"][order].astype(np.float32)).to(DEVICE)
        self.board = torch.from_numpy(board[order].astype(np.int64)).to(DEVICE)
        self.blocks = torch.from_numpy(blocks[order].astype(np.int64)).to(DEVICE)
        parts = [features(self.colour[k : k + 16384].long()) for k in range(0, self.count, 16384)]
        self.more = torch.cat(parts)

    @classmethod
    def read(cls, folder: str) -> "Data":
        names = ("colour", "fate", "rest", "so_far", "cleared", "board")
        return cls({k: np.concatenate([np.load(p) for p in sorted(glob.glob(f"{folder}/*.{k}.npy"))]) for k in names})

    @classmethod
    def of_states(cls, path: str) -> "Data":
        """The states of a file, in their order."""
        states = read_states(path)
        count = len(states)
        colour = np.zeros((count, SIDE, SIDE), np.uint8)
        for k, state in enumerate(states):
            for c, column in enumerate(columns_of(state.text)):
                colour[k, c, : len(column)] = column
        nothing = np.zeros(count, np.int32)
        arrays = {"colour": colour, "fate": np.zeros(colour.shape, np.float16), "rest": nothing, "so_far": nothing}
        return cls(arrays | {"cleared": nothing, "board": np.arange(count)})  # a board for each state keeps the order

    def batch(self, index: Tensor, reflected: bool = True) -> tuple[Tensor, Tensor, Tensor]:
        """The planes, the mask of blocks, and what the blocks bring."""
        colour, more, fate = self.colour[index].long(), self.more[index], self.fate[index].float()
        if reflected:
            colour, more, fate = reflect(colour, more, fate)
        return encode(colour, more), (colour > 0).float(), fate


# ---- networks ----


class Convolution(nn.Module):
    """One layer 3x3; it may add its input, and a linear function of the mean over all blocks."""

    def __init__(self, planes: int, channels: int, skip: bool, mixed: bool) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(planes, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.mix = nn.Linear(planes, channels) if mixed else None
        self.skip = skip

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        y = self.norm(self.convolution(x))
        if self.mix is not None:
            y = y + self.mix((x * mask).sum((2, 3)) / mask.sum((2, 3)))[:, :, None, None]
        return F.elu(y + x if self.skip else y)


class Attention(nn.Module):
    """One layer of a transformer, with normalisation before each part."""

    def __init__(self, channels: int, heads: int = 6) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.inward, self.outward = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.dense = nn.Sequential(nn.Linear(channels, 3 * channels), nn.GELU(), nn.Linear(3 * channels, channels))

    def forward(self, x: Tensor) -> Tensor:
        count, cells, channels = x.shape
        split = self.inward(self.before(x)).view(count, cells, 3, self.heads, channels // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)  # each: boards x heads x cells x channels of a head
        seen = F.scaled_dot_product_attention(query, key, value)
        x = x + self.outward(seen.transpose(1, 2).reshape(count, cells, channels))
        return x + self.dense(self.between(x))


class Network(nn.Module):
    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        channels = setting.channels
        if setting.kind == "attention":
            self.first = nn.Conv2d(PLANES, channels, 3, padding=1)
            self.place = nn.Parameter(0.02 * torch.randn(1, CELLS, channels))
            self.layers = nn.ModuleList(Attention(channels) for _ in range(setting.layers))
            self.last = nn.LayerNorm(channels)
        else:
            skip = setting.kind == "residual"
            self.layers = nn.ModuleList(
                Convolution(channels if k else PLANES, channels, skip and k > 0, k in setting.mixed)
                for k in range(setting.layers)
            )
        self.cell = nn.Conv2d(channels, 1, 1)
        self.whole = nn.Sequential(nn.Linear(2 * channels, 64), nn.ELU(), nn.Linear(64, 2))

    def trunk(self, x: Tensor, mask: Tensor) -> Tensor:
        if self.setting.kind != "attention":
            for layer in self.layers:
                x = layer(x, mask)
            return x
        x = self.first(x).flatten(2).transpose(1, 2) + self.place  # boards x cells x channels
        for layer in self.layers:
            x = layer(x)
        return self.last(x).transpose(1, 2).reshape(x.shape[0], -1, SIDE, SIDE)

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What each block brings, the score still to come, and the logit of clearing the board."""
        wide = mask[:, None]
        x = self.trunk(x, wide)
        fate = POINTS * self.cell(x)[:, 0].float() * mask
        mean = (x * wide).sum((2, 3)) / wide.sum((2, 3))
        whole = self.whole(torch.cat([mean, (x * wide).amax((2, 3))], 1)).float()
        if not self.setting.fates:
            return fate, 2000 + 1000 * whole[:, 1], whole[:, 0]
        return fate, fate.sum((1, 2)) + 1000 * torch.sigmoid(whole[:, 0]), whole[:, 0]


def mixed_precision() -> torch.autocast:
    return torch.autocast(DEVICE.type, dtype=torch.bfloat16)


# ---- training ----


def losses(network: Network, data: Data, index: Tensor) -> dict[str, Tensor]:
    """The parts of the loss. The second half of `index` holds the partners of the first half."""
    planes, mask, fate = data.batch(index)
    with mixed_precision():
        said, rest, logit = network(planes, mask)
    cells = F.smooth_l1_loss(said / POINTS, fate / POINTS, reduction="none")
    error = (data.rest[index] - rest) / TOTAL
    return {
        "cells": (cells * mask).sum() / mask.sum(),
        "sum": (torch.where(error > 0, EXPECTILE, 1 - EXPECTILE) * error**2).mean(),
        "clear": F.binary_cross_entropy_with_logits(logit, data.cleared[index]),
        "pairs": F.smooth_l1_loss(*error.chunk(2)),  # the error of the difference between partners
    }


def total_of(parts: dict[str, Tensor], setting: Setting) -> Tensor:
    own = parts["sum"] + 0.3 * parts["clear"] + setting.pairs * parts["pairs"]
    return own + parts["cells"] if setting.fates else own


def draw(data: Data, chosen: Tensor, count: int) -> Tensor:
    """Random states, then for each of them a state of the same board with nearly as many blocks."""
    place = torch.randint(len(chosen), (count // 2,), device=DEVICE)
    near = (place + torch.randint(-8, 9, place.shape, device=DEVICE)).clamp(0, len(chosen) - 1)
    first, second = chosen[place], chosen[near]
    return torch.cat([first, torch.where(data.board[first] == data.board[second], second, first)])


def train(setting: Setting, data: Data, chosen: Tensor, seconds: float) -> Network:
    network = Network(setting).to(DEVICE)
    if setting.kind != "attention":
        network = network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=setting.rate, weight_decay=0.01)
    begin, step, sums = time.time(), 0, {}
    while (progress := (time.time() - begin) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = setting.rate * min(1, progress / 0.05) * (0.5 + 0.5 * math.cos(math.pi * progress))
        parts = losses(network, data, draw(data, chosen, setting.batch))
        optimiser.zero_grad(set_to_none=True)
        total_of(parts, setting).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        if step % 20 == 0:  # reading a loss also waits for the card
            for name, part in parts.items():
                sums[name] = 0.95 * sums.get(name, float(part)) + 0.05 * float(part)
        if step % 1000 == 0:
            print(f"  {time.time() - begin:.0f} s, step {step}:", {k: round(v, 4) for k, v in sums.items()}, flush=True)
    print(f"  {step} steps of {setting.batch} states:", {k: round(v, 4) for k, v in sums.items()}, flush=True)
    return network


@torch.no_grad()
def predict(network: Network, data: Data, index: Tensor, times: int) -> tuple[Tensor, Tensor, Tensor]:
    """The score to come, the probability of clearing the board (means over random symmetries), and the plain fates."""
    network.eval()
    rests, odds, cells = [], [], []
    for part in index.split(2048):
        with mixed_precision():
            cells.append(network(*data.batch(part, reflected=False)[:2])[0])
            said = [network(*data.batch(part)[:2]) for _ in range(times)]
        rests.append(torch.stack([rest for _, rest, _ in said]).mean(0))
        odds.append(torch.stack([torch.sigmoid(logit) for _, _, logit in said]).mean(0))
    return torch.cat(rests), torch.cat(odds), torch.cat(cells)


def within(data: Data, index: Tensor, values: Tensor) -> Tensor:
    """Values less their mean over the states of the same board."""
    board = data.board[index]
    sums = torch.zeros(int(board.max()) + 1, 2, device=DEVICE)
    sums.index_add_(0, board, torch.stack([values, torch.ones_like(values)], 1))
    return values - (sums[:, 0] / sums[:, 1].clamp(min=1))[board]


def validate(network: Network, data: Data, index: Tensor) -> None:
    rest, odds, cells = predict(network, data, index, 4)
    error = data.rest[index] - rest
    told = within(data, index, data.so_far[index] + rest)
    true = within(data, index, data.so_far[index] + data.rest[index])
    mask, fate = data.colour[index] > 0, data.fate[index].float()
    print(
        f"  validation, {len(index)} states: error of the sum {error.abs().mean():.0f} (mean {error.mean():.0f}),",
        f"clearing {F.binary_cross_entropy(odds.clamp(1e-4, 1 - 1e-4), data.cleared[index]):.3f},",
        f"correlation of all totals {torch.corrcoef(torch.stack([rest, data.rest[index]]))[0, 1]:.3f},",
        f"within boards {torch.corrcoef(torch.stack([told, true]))[0, 1]:.3f},",
        f"of the blocks' fates {torch.corrcoef(torch.stack([cells[mask], fate[mask]]))[0, 1]:.3f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for path in ("games", "states", "out"):
        parser.add_argument(path)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--networks", default=",".join(SETTINGS))
    words = parser.parse_args()
    torch.set_num_threads(2)
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    begin = time.time()
    data = Data.read(words.games)
    states = Data.of_states(words.states)
    chosen = torch.nonzero(data.board % 20 != 0)[:, 0]
    kept = torch.nonzero((data.board % 20 == 0) & (data.blocks >= 160) & (data.blocks <= 192))[:, 0]
    print(f"{data.count} states of {int(data.board.max()) + 1} boards, {time.time() - begin:.0f} s", flush=True)
    names = words.networks.split(",")
    shares = sum(SETTINGS[name].share for name in names)
    found: dict[str, np.ndarray] = {}
    for name in names:
        try:
            torch.manual_seed(1)
            print(name, flush=True)
            network = train(SETTINGS[name], data, chosen, words.seconds * SETTINGS[name].share / shares)
            print(f"  {sum(p.numel() for p in network.parameters())} parameters")
            validate(network, data, kept)
            rest, _, cells = predict(network, states, torch.arange(states.count, device=DEVICE), 16)
            found[name] = rest.float().cpu().numpy()
            if SETTINGS[name].fates:
                found[name + " cells"] = cells.half().cpu().numpy()
            np.savez_compressed(f"{words.out}/predictions.npz", **found)
        except Exception:  # one network that fails must not end the training of the others
            traceback.print_exc()
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
