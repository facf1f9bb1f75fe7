"""The same seed gives the same trials here, in `inkling-bench simulate`, and in the log of trials of an earlier version."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inkling as ink
from inkling import _core
from inkling._settings import of_policy

from conftest import made_up_texts

ROUNDS = int(os.environ.get("INKLING_ROUNDS", "400"))  # 10,000 takes minutes
TRIALS = 5


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> ink.Pool:
    place = tmp_path_factory.mktemp("pools") / "pool"
    return ink.Pool.from_text(made_up_texts(400, 2)[0], out=place, keep_text=False)


def traced(program: str, pool: ink.Pool, policy: str, trace: Path, *more: str) -> tuple[list[list[dict[str, Any]]], float]:
    """The lines of the trace by trial, and the mean regret."""
    assert pool.path is not None
    world = f"--rounds {ROUNDS} --trials {TRIALS} --seed 5 --relevant 5 --noise 0.1 --mark-probability 0.1".split()
    options = ["--pool", pool.path, "--policy", policy, "--trace", str(trace), "--json", *more]
    if policy in _core.tuned_policies():
        options += ["--factor", "dense"]
    done = subprocess.run([program, "simulate", *world, *options], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    by_trial = [[line for line in lines if line["trial"] == trial] for trial in range(TRIALS)]
    return by_trial, json.loads(done.stdout.splitlines()[0])["regret"]["mean"]


@pytest.mark.parametrize("policy", ink.POLICIES)
@pytest.mark.parametrize("threads", [1, 2])
def test_trials_are_those_of_the_program(policy: str, threads: int, inkling_bench: str, shelf: ink.Pool, tmp_path: Path) -> None:
    settings = of_policy({"first_rounds": 40}, policy)
    more = ["--explore-rounds", "40"] if settings else []
    by_trial, regret = traced(inkling_bench, shelf, policy, tmp_path / "trace", *more)
    for trial, lines in enumerate(by_trial):
        world = ink.World(shelf, random_state=5, trial=trial)
        got = ink.run_trial(world, policy, rounds=ROUNDS, random_state=5, trial=trial, n_jobs=threads, **settings)
        for column, name in (("documents", "document"), ("explored", "explored"), ("rewards", "reward"), ("regrets", "regret")):
            assert getattr(got, column).tolist() == [line[name] for line in lines]
        assert [None if np.isnan(radius) else radius for radius in got.radii] == [line["radius"] for line in lines]
        assert got.mark_ends.tolist() == np.cumsum([len(line["new_features"]) for line in lines]).tolist()
        assert got.marks.tolist() == [feature for line in lines for feature in line["new_features"]]
    made = ink.simulate(shelf, policy, rounds=ROUNDS, trials=TRIALS, random_state=5, n_jobs=threads, **settings)
    assert made.documents[policy][-1].tolist() == [line["document"] for line in by_trial[-1]]
    assert made.regret[policy][:, -1].mean() == pytest.approx(regret, rel=1e-12)


def logged_text(trial: ink.Trial) -> str:
    """A trial as the log of trials wrote it, without times: the shortest text of each number."""
    members = {"regret": trial.regret, "reward": trial.reward, "explored": trial.explored_rounds, "features_found": trial.features_found}
    if trial.all_found_at is not None:
        members["all_found_at"] = trial.all_found_at
    return re.sub(r"\.0(?=[,\]}])", "", json.dumps({**members, "curve": trial.curve.tolist()}, separators=(",", ":")))


LOG = [json.loads(line) | {"text": line[line.index('"logged": ') + 10 : -1]}
       for line in (Path(__file__).parent / "trial_log.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("kept", LOG, ids=lambda kept: f"{kept['policy']}-{kept['seed']}")
def test_trials_are_those_of_the_log_byte_for_byte(kept: dict[str, Any]) -> None:
    seed, number = kept["seed"], kept["trial"]
    world = ink.World(relevant=kept["relevant"], noise=0.5, random_state=seed, trial=number)
    settings = of_policy({"noise": 0.5, **kept["settings"]}, kept["policy"])
    trial = ink.run_trial(world, kept["policy"], rounds=24, random_state=seed, trial=number, **settings)
    assert logged_text(trial) == kept["text"]


def test_the_log_has_five_seeds_of_six_policies() -> None:
    assert len({(kept["seed"], kept["policy"]) for kept in LOG}) == 5 * 6


def test_other_threads_run_during_a_trial() -> None:
    """The lock of Python is released: a counter goes on."""
    counted, over = [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = counted[0]
    ink.run_trial(ink.World(documents=5000, features=400), "oful", rounds=400)
    after = counted[0]
    over.set()
    counter.join()
    assert after - before > 1000
