"""The same seed gives the same choices here and in `inkling-bench simulate`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import inkling as ink
from inkling._settings import of_policy

from conftest import made_up_texts

ROUNDS = int(os.environ.get("INKLING_ROUNDS", "400"))  # 10,000 takes minutes


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> ink.Pool:
    place = tmp_path_factory.mktemp("pools") / "pool"
    return ink.Pool.from_text(made_up_texts(400, 2)[0], out=place, keep_text=False)


def simulated(program: str, pool: ink.Pool, policy: str, trace: Path, *more: str) -> tuple[list[int], float]:
    """The documents of a trial, and its regret."""
    assert pool.path is not None
    world = f"--rounds {ROUNDS} --trials 1 --seed 5 --relevant 5 --noise 0.1 --mark-probability 0.1".split()
    options = ["--pool", pool.path, "--policy", policy, "--trace", str(trace), "--json", *more]
    done = subprocess.run([program, "simulate", *world, *options], capture_output=True, text=True, check=True)
    result = json.loads(done.stdout.splitlines()[0])
    documents = [json.loads(line)["document"] for line in trace.read_text(encoding="utf-8").splitlines()]
    return documents, result["regret"]["mean"]


@pytest.mark.parametrize("policy", ink.POLICIES)
@pytest.mark.parametrize("threads", [1, 2])
def test_choices_are_those_of_the_program(policy: str, threads: int, inkling_bench: str, shelf: ink.Pool, tmp_path: Path) -> None:
    settings = of_policy({"first_rounds": 40}, policy)
    more = ["--explore-rounds", "40"] if settings else []
    documents, regret = simulated(inkling_bench, shelf, policy, tmp_path / "trace", *more)
    made = ink.simulate(shelf, policy, rounds=ROUNDS, trials=1, random_state=5, n_jobs=threads, **settings)
    assert made.documents[policy][0].tolist() == documents
    assert made.regret[policy][0, -1] == pytest.approx(regret, rel=1e-9)
    assert np.all(np.diff(made.regret[policy][0]) >= -1e-12)
