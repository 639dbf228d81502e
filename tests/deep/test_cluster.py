"""Ray: a cluster gives the figures of one process, bit for bit, also when one of its machines is killed in the middle."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from barpoint.engine import Engine, RolloutProgress, contact
from barpoint.engine.cluster import RayExecutor
from barpoint.engine.contact_shared import make_shared
from barpoint.engine.executors import executor_named
from barpoint.engine.net import find_net, load
from barpoint.train import Recipe
from barpoint.variants import variant
from benchmarks import compare

pytestmark = [
    pytest.mark.deep,
    pytest.mark.filterwarnings("ignore"),  # Ray's own, of its start and its end
]


@pytest.fixture
def nodes() -> Iterator[Any]:
    """A cluster of three nodes on this machine: a head that computes nothing but what is left, and two with a worker each."""
    utilities = pytest.importorskip("ray.cluster_utils")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = utilities.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        try:
            for _ in range(2):
                cluster.add_node(num_cpus=1)
            cluster.wait_for_nodes()
            yield cluster
        finally:
            cluster.shutdown()


def test_two_workers_of_ray_give_the_figures_of_one_process() -> None:
    engine = Engine("hypergammon")
    alone = engine.rollout(engine.rules.start, trials=100, threads=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with executor_named("ray", 2) as cluster:
            assert engine.rollout(engine.rules.start, trials=100, executor=cluster) == alone


def test_a_machine_killed_in_the_middle_changes_no_bit(nodes: Any, tmp_path: Path) -> None:
    engine = Engine("hypergammon")
    alone = engine.rollout(engine.rules.start, trials=1200, threads=1)
    files = [tmp_path / "alone", tmp_path / "cluster"]
    rules = variant("hypergammon")
    nets = load(find_net(rules)).bytes(), Recipe.small("hypergammon", hidden=16).fresh_net(1).bytes()
    verdict = compare.play_until_decided(rules, *nets, gain=0.004, pairs=2000, file=files[0])
    killed = []

    def progress(said: RolloutProgress) -> None:
        if said.done >= 300 and not killed:
            killed.append(nodes.worker_nodes.copy().pop())
            nodes.remove_node(killed[0], allow_graceful=False)

    with RayExecutor(address=nodes.address, log_to_driver=False) as executor:
        assert engine.rollout(engine.rules.start, trials=1200, executor=executor, progress=progress) == alone
        assert len(nodes.worker_nodes) == 1
        assert compare.play_until_decided(rules, *nets, 0.004, 2000, executor, files[1]) == verdict
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_machine_killed_while_games_are_solved_changes_no_bit(
    nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rules = variant("hypergammon(checkers=1)")
    made = contact.solver(rules, 1)
    contact.solve(made)
    contact.keep(made, rules, tmp_path / "alone")

    def progress(stage: str, sweep: int, share: float, change: float) -> None:
        if sweep == 3 and share > 0.3 and len(nodes.worker_nodes) == 2:
            nodes.remove_node(nodes.worker_nodes.copy().pop(), allow_graceful=False)

    with RayExecutor(address=nodes.address, log_to_driver=False) as executor:
        file = make_shared(rules, 1, None, executor, tmp_path / "seen by all", progress)
    assert len(nodes.worker_nodes) == 1
    assert file.read_bytes() == (tmp_path / "alone").read_bytes()
