"""Fit a net to labels with PyTorch, on a GPU where there is one: python -m training.fit_torch NET LABELS OUT [--minutes M] [--pairs]

NET is a file, or the name of an entry of nets.toml; LABELS a folder of files of training.labels; OUT the file of the fitted net, not yet
reordered (training.arrange). --pairs: the net sees pairs of points besides (docs/decisions/0018-point-pairs.md). What is minimised is
what `barpoint.train.fit` minimises (core/training/fit.cpp), in far larger batches. All labels are kept in the memory of the device, 0.8 kB each.
On a GPU a step is captured as a CUDA graph and replayed, which passes 5 million labels a second on an H200, where two cores take 54,000. PyTorch must be installed; the package does not need it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

from barpoint.engine.net import entries, load, parse
from barpoint.native import core
from barpoint.train import TrainingLabels

DEVICE: Final = "cuda" if torch.cuda.is_available() else "cpu"
BATCH: Final = 8192
EQUITY: Final = 40.0
SIBLINGS: Final = 300.0
"""Weights of half the squared error of the equity, and of half that of its difference from the mean error of its roll."""
FIRST_RATE: Final = 5e-4
LAST_RATE: Final = 3e-6
STEPS: Final = 2048
"""Inputs come in parts of 1 / STEPS (core/kernels/features.hpp)."""
MOST: Final = 8.0, 4.0
"""Bounds of the weights of the hidden layers, as in core/training/fit.cpp."""
TOGETHER: Final = 20
"""Steps between looks at the clock."""
WARMING: Final = 3
"""Steps before one is captured, in which libraries choose their kernels."""

Batch = tuple[Tensor, Tensor, Tensor, Tensor]
"""Inputs [n, inputs], phases [n], targets [n, states, 5] and rolls [n], as `loss` takes them."""


class Activation(torch.autograd.Function):
    """0 below -4, 1 above 4, two parabolas between (docs/decisions/0008)."""

    @staticmethod
    def forward(context: Any, sums: Tensor) -> Tensor:  # type: ignore[override]
        """The activations."""
        context.save_for_backward(sums)
        bounded = sums.clamp(-4, 4)
        return torch.where(bounded < 0, (bounded + 4) ** 2 / 32, 1 - (4 - bounded) ** 2 / 32)

    @staticmethod
    def backward(context: Any, slopes: Tensor) -> Tensor:  # type: ignore[override]
        """Their slopes by the sums."""
        (sums,) = context.saved_tensors
        return slopes * (4 - sums.abs()).clamp_min(0) / 16


class Layers(nn.Module):
    """The layers of a net of five outputs a state, with a second layer for each phase."""

    def __init__(self, net: core.Net) -> None:
        super().__init__()
        first, first_bias, hidden2, hidden2_bias, output, output_bias = (
            torch.from_numpy(each) for each in net.weights()
        )
        phases, units = net.phases, net.hidden2
        self.first = nn.Parameter(first.view(-1, net.hidden).clone())
        self.first_bias = nn.Parameter(first_bias.clone())
        self.hidden2 = nn.Parameter(hidden2.view(phases, units, net.hidden).clone())
        self.hidden2_bias = nn.Parameter(hidden2_bias.view(phases, units).clone())
        self.output = nn.Parameter(output.view(phases, -1, units).clone())
        self.output_bias = nn.Parameter(output_bias.view(phases, -1).clone())

    def forward(self, inputs: Tensor, phases: Tensor) -> Tensor:
        """Outputs before their sigmoid, [n, states, 5]."""
        seen = Activation.apply(torch.addmm(self.first_bias, inputs, self.first))
        seen = torch.sigmoid(self._of_phase(seen, phases, self.hidden2, self.hidden2_bias))
        return self._of_phase(seen, phases, self.output, self.output_bias).view(len(inputs), -1, 5)

    @staticmethod
    def _of_phase(seen: Tensor, phases: Tensor, weights: Tensor, bias: Tensor) -> Tensor:
        """A layer for all phases, of which each row takes its own: on a GPU faster than to sort the rows."""
        everywhere = torch.addmm(bias.view(-1), seen, weights.view(-1, seen.shape[1]).t()).view(len(seen), *bias.shape)
        return everywhere.gather(1, phases.view(-1, 1, 1).expand(-1, 1, bias.shape[1])).squeeze(1)

    @torch.no_grad()
    def bound(self) -> None:
        """Keeps the weights within what int16 holds well."""
        self.first.clamp_(-MOST[0], MOST[0])
        self.hidden2.clamp_(-MOST[1], MOST[1])

    def weights(self) -> list[np.ndarray]:
        """As `Net.with_weights` takes them."""
        parts = self.first, self.first_bias, self.hidden2, self.hidden2_bias, self.output, self.output_bias
        return [np.ascontiguousarray(part.detach().float().cpu().numpy().reshape(-1)) for part in parts]


def loss(outputs: Tensor, targets: Tensor, rolls: Tensor, prices: Tensor) -> Tensor:
    """The mean loss of a label: core/training/fit.cpp, slopes().

    targets: [n, states, 5], NaN where nothing is known. rolls: [n], siblings share a number below n.
    prices: [states, 2], what a gammon adds to a win of either side.
    """
    win = torch.sigmoid(outputs)
    won, lost = win[..., 0], 1 - win[..., 0]
    known = ~torch.isnan(targets[..., 0])
    targets = torch.nan_to_num(targets)
    parents = torch.stack(
        [torch.ones_like(won), targets[..., 0], targets[..., 1], 1 - targets[..., 0], targets[..., 3]], -1
    )
    entropy = (parents * nn.functional.softplus(outputs) - targets * outputs).sum(-1)
    equity = (
        won
        - lost
        + prices[:, 0] * won * win[..., 1] * (1 + win[..., 2])
        - prices[:, 1] * lost * win[..., 3] * (1 + win[..., 4])
    )
    sought = (
        2 * targets[..., 0] - 1 + prices[:, 0] * targets[..., 1:3].sum(-1) - prices[:, 1] * targets[..., 3:5].sum(-1)
    )
    miss = torch.where(known, equity - sought, 0.0)
    count = torch.zeros_like(miss).index_add_(0, rolls, known.float()).clamp_min(1)
    mean = (torch.zeros_like(miss).index_add_(0, rolls, miss.detach()) / count)[rolls]
    each = entropy + EQUITY / 2 * miss**2 + SIBLINGS / 2 * (miss - mean) ** 2
    return torch.where(known, each, 0.0).sum() / len(outputs)


def prices_of(net: core.Net) -> Tensor:
    """What a gammon adds in each state: for money the same in all, else by gammon state (docs/decisions/0013-gammon-states.md)."""
    states = [(state & 1, state >> 1) for state in range(4)] if net.by_gammons else [(1, 1)] * net.states
    return torch.tensor(states, dtype=torch.float32, device=DEVICE)


class Inputs:
    """Inputs of labels in the memory of the device; of each of `count` flags, 0 or 1, one bit is kept."""

    def __init__(self, net: core.Net, positions: Sequence[np.ndarray]) -> None:
        self.count = net.flags
        numbers, flags = [], []
        for each in positions:  # one at a time: unpacked, all of them would be three times as large
            seen = net.inputs_of(np.ascontiguousarray(each))
            first = seen.shape[1] - self.count
            numbers.append(seen[:, :first].copy())
            flags.append(np.packbits(seen[:, first:] != 0, axis=1, bitorder="little"))
        self.numbers, self.flags = _on_device(numbers), _on_device(flags)
        self.bits = torch.arange(8, dtype=torch.uint8, device=DEVICE)

    def __getitem__(self, chosen: Tensor) -> Tensor:
        """Those of the chosen labels, [n, inputs]."""
        flags = (self.flags[chosen].unsqueeze(-1) >> self.bits & 1).flatten(1)[:, : self.count]
        return torch.cat([self.numbers[chosen].float() / STEPS, flags.float()], 1)


def _on_device(arrays: Sequence[np.ndarray]) -> Tensor:
    return torch.cat([torch.from_numpy(np.ascontiguousarray(each)).to(DEVICE) for each in arrays])


class Labels:
    """Labels in the memory of the device, drawn in batches in which siblings stand together."""

    def __init__(self, net: core.Net, parts: Sequence[TrainingLabels]) -> None:
        self.inputs = Inputs(net, [part.positions for part in parts])
        self.phases = _on_device([net.phases_of(np.ascontiguousarray(part.positions)) for part in parts])
        self.targets = _on_device([part.targets for part in parts])
        before = np.cumsum([0, *map(len, parts)])
        self.firsts = _on_device([number + part.firsts for number, part in zip(before, parts, strict=False)])

    def batches(self, random: torch.Generator) -> Iterator[Batch]:
        """Endless batches of one size. A roll at the end of one may be cut in two."""
        counts = torch.diff(self.firsts, append=torch.tensor([len(self.targets)], device=DEVICE))
        while True:
            order = torch.randperm(len(self.firsts), device=DEVICE, generator=random)
            lengths = counts[order]
            rolls = torch.repeat_interleave(torch.arange(len(order), device=DEVICE), lengths)
            before = torch.cumsum(lengths, 0) - lengths
            chosen = torch.arange(len(rolls), device=DEVICE) - before[rolls] + self.firsts[order][rolls]
            size = min(BATCH, len(chosen))
            for at in range(0, len(chosen) - size + 1, size):
                now = chosen[at : at + size]
                yield (
                    self.inputs[now],
                    self.phases[now].long(),
                    self.targets[now],
                    rolls[at : at + size] - rolls[at],
                )


def captured(step: Callable[[Batch], Tensor], batch: Batch) -> Callable[[Batch], Tensor]:
    """The step as a CUDA graph, for batches of the size of this one: its many small kernels then cost no time of the processor."""
    kept = tuple(each.clone() for each in batch)
    beside = torch.cuda.Stream()
    beside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(beside):
        for _ in range(WARMING):
            step(kept)
    torch.cuda.current_stream().wait_stream(beside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        error = step(kept)

    def replayed(batch: Batch) -> Tensor:
        for to, each in zip(kept, batch, strict=True):
            to.copy_(each)
        graph.replay()
        return error

    return replayed


def fit(net: core.Net, labels: Sequence[TrainingLabels], minutes: float) -> core.Net:
    """The net, fitted for so long. NetError, or an error of PyTorch, where the labels are none of such a net."""
    torch.set_float32_matmul_precision("high")
    layers, prices, rate = Layers(net).to(DEVICE), prices_of(net), torch.tensor(FIRST_RATE, device=DEVICE)
    on_gpu = DEVICE == "cuda"
    adam = torch.optim.Adam(layers.parameters(), lr=rate, fused=on_gpu, capturable=on_gpu)
    batches = Labels(net, labels).batches(torch.Generator(device=DEVICE).manual_seed(1))

    def step(batch: Batch) -> Tensor:
        inputs, phases, targets, rolls = batch
        adam.zero_grad()
        error = loss(layers(inputs, phases), targets, rolls, prices)
        error.backward()
        adam.step()
        layers.bound()
        return error.detach()

    run = captured(step, next(batches)) if on_gpu else step
    began, done = time.monotonic(), 0
    while (share := (time.monotonic() - began) / (60 * minutes)) < 1:
        rate.fill_(FIRST_RATE * (LAST_RATE / FIRST_RATE) ** share)
        for _ in range(TOGETHER):
            batch = next(batches)
            error = run(batch)
            done += len(batch[0])
        print(f"\r{done / 1e6:.1f} million labels, loss {error.item():.4f}  ", end="", flush=True)
    print()
    return net.with_weights(layers.weights())


def main() -> None:
    """Reads, fits, writes."""
    parser = argparse.ArgumentParser("python -m training.fit_torch")
    parser.add_argument("net", help="a file, or an entry of nets.toml")
    parser.add_argument("labels", type=Path, help="a folder of labels, *.npz")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--pairs", action="store_true", help="the net gets pairs of points among its inputs")
    asked = parser.parse_args()
    named = {entry.name: entry for entry in entries()}
    net = load(named[asked.net]) if asked.net in named else parse(Path(asked.net).read_bytes())
    files = sorted(asked.labels.glob("*.npz"))
    fitted = fit(net.paired() if asked.pairs else net, [TrainingLabels.load(file) for file in files], asked.minutes)
    asked.out.write_bytes(fitted.bytes())


if __name__ == "__main__":
    main()
