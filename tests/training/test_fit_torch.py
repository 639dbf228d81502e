"""training/fit_torch.py minimises what the core minimises. Skipped where PyTorch is not installed."""

from itertools import count

import numpy as np
import pytest

from barpoint import train
from barpoint.native import core

pytest.importorskip("torch")


@pytest.mark.parametrize("shape", ["money", "gammon states", "pairs"])
def test_one_step_changes_the_weights_as_that_of_the_core_does(shape: str) -> None:
    import torch

    from training.fit_torch import FIRST_RATE, SIBLINGS, Labels, Layers, loss, prices_of

    recipe = train.Recipe(starts=(("backgammon", 1.0),), hidden=32, hidden2=16, siblings=4, longest=200)
    net = recipe.fresh_net(seed=2)
    if shape == "gammon states":
        net = net.by_gammon_state()
    if shape == "pairs":
        net = net.paired()
    labels = train.label(net, recipe, 2)
    rate = {"first_rate": FIRST_RATE, "last_rate": FIRST_RATE}
    by_core = train.fit(net, labels, epochs=1, batch=len(labels), sibling_weight=SIBLINGS, **rate).weights()
    layers = Layers(net)
    adam = torch.optim.Adam(layers.parameters(), lr=FIRST_RATE)
    inputs, phases, targets, rolls = next(Labels(net, [labels]).batches(torch.Generator().manual_seed(1)))
    loss(layers(inputs, phases), targets, rolls, prices_of(net)).backward()
    adam.step()
    for before, one, other in zip(net.weights(), by_core, layers.weights(), strict=True):
        assert np.corrcoef(one - before, other - before)[0, 1] > 0.9


@pytest.mark.parametrize("paired", [False, True])
def test_labels_keep_what_a_net_sees_of_their_positions(paired: bool) -> None:
    import torch

    from training.fit_torch import STEPS, Labels

    recipe = train.Recipe(starts=(("backgammon", 1.0),), hidden=32, hidden2=16, siblings=4, longest=200)
    net = recipe.fresh_net(seed=2)
    labels = train.label(net, recipe, 2)
    net = net.paired() if paired else net
    seen = Labels(net, [labels]).inputs[torch.arange(len(labels))]
    assert np.array_equal(seen.numpy(), net.inputs_of(labels.positions) / np.float32(STEPS))


def test_a_fit_comes_nearer_to_its_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    from training import fit_torch

    monkeypatch.setattr(fit_torch, "BATCH", 256)
    monkeypatch.setattr(
        fit_torch.time, "monotonic", count().__next__
    )  # a second at each look: as many steps on any machine
    recipe = train.Recipe(starts=(("backgammon", 1.0),), hidden=32, hidden2=16, siblings=4, longest=200)
    net = recipe.fresh_net(seed=2)
    labels = train.label(net, recipe, 4)
    fitted = core.Net.parse(fit_torch.fit(net, [labels], minutes=2).bytes())
    assert train.equity_error(fitted, recipe, labels) < 0.8 * train.equity_error(net, recipe, labels)
