"""Ray: two local workers give the figures of one process, bit for bit."""

import warnings

import pytest

from barpoint.engine import Engine
from barpoint.engine.cluster import RayExecutor

pytestmark = [
    pytest.mark.deep,
    pytest.mark.filterwarnings("ignore"),  # Ray's own, of its start and its end
]


def test_two_workers_of_ray_give_the_figures_of_one_process() -> None:
    engine = Engine("hypergammon")
    alone = engine.rollout(engine.rules.start, trials=100, threads=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with RayExecutor(num_cpus=2, include_dashboard=False, log_to_driver=False) as cluster:
            assert engine.rollout(engine.rules.start, trials=100, executor=cluster) == alone
