"""Jobs on Dask and MPI write the same bytes even if workers are killed. Skipped if Dask or MPI is not installed."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from cluster_jobs import RECIPE, WORDS, files_below, skip_if_older, some_workers, two_workers, write_corpus

from inkling import cluster

PARTS = 6


@pytest.fixture(scope="module")
def corpus(inkling_program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    skip_if_older(inkling_program)
    return write_corpus(tmp_path_factory.mktemp("corpus") / "corpus.jsonl", 4000)


@pytest.fixture(scope="module")
def expected(corpus: Path, inkling_program: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("expected") / "made"
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        cluster.build(corpus, out, executor, parts=PARTS, program=inkling_program, **RECIPE)
    return files_below(out)


def test_dask_builds_the_same_bytes(corpus: Path, expected: dict[str, bytes], inkling_program: str, tmp_path: Path) -> None:
    with two_workers() as client:
        report = cluster.build(corpus, tmp_path / "made", client, parts=PARTS, program=inkling_program, progress=False, **RECIPE)
    assert files_below(tmp_path / "made") == expected
    assert (report.made_again, report.retried) == (0, 0)
    if "INKLING_FIGURES" in os.environ:
        print(report)


class Killer(threading.Thread):
    """Kills one worker some seconds after the thread starts."""

    def __init__(self, client: Any, after: float) -> None:
        super().__init__()
        self.client, self.after = client, after
        self.pids = list(client.run(os.getpid).values())

    def run(self) -> None:
        time.sleep(self.after)
        os.kill(random.choice(self.pids), signal.SIGKILL)


def check_kills(work: Callable[[Any, Path], cluster.Report], expected: dict[str, bytes], tmp_path: Path) -> None:
    """Does the work with a client, into a folder, again and again, and kills a worker each time."""
    again = 0
    kills = int(os.environ.get("INKLING_KILLS", "3"))
    longest = 1.0
    for number in range(kills):
        out = tmp_path / str(number)
        # New workers each time, because this tests the job and not how Dask restarts workers.
        with two_workers() as client:
            start = time.monotonic()
            killer = Killer(client, random.uniform(0, longest))
            killer.start()
            report = work(client, out)
            longest = max(longest, 0.8 * (time.monotonic() - start))
            killer.join()
        assert files_below(out) == expected
        assert report.made_again <= 1
        again += report.made_again
        shutil.rmtree(out)
    if "INKLING_FIGURES" in os.environ:
        print(f"{kills} workers killed: {again} parts made again, all bytes the same")


def test_a_worker_killed_at_any_moment_costs_at_most_its_part(
    corpus: Path, expected: dict[str, bytes], inkling_program: str, tmp_path: Path
) -> None:
    def work(client: Any, out: Path) -> cluster.Report:
        return cluster.build(corpus, out, client, parts=PARTS, program=inkling_program, progress=False, **RECIPE)

    check_kills(work, expected, tmp_path)


def test_a_worker_killed_while_scoring_costs_at_most_its_part(corpus: Path, inkling_program: str, tmp_path: Path) -> None:
    """There are many readers, so that scoring takes most of the time of the job."""
    users = []
    for number in range(40):
        users.append(tmp_path / f"reader{number}.jsonl")
        said = [{"document": n, "reward": (n + number) % 2, "features": [WORDS[n + 9 * number]]} for n in range(0, 90, 3)]
        users[-1].write_text("".join(json.dumps(event) + "\n" for event in said))
    made = tmp_path / "made"
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        cluster.build(corpus, made, executor, parts=PARTS, program=inkling_program, keep_text=True)
        how = {"top": 50, "explain": True, "program": inkling_program, "progress": False}
        cluster.score(made / "set.json", users, executor, out=tmp_path / "expected", **how)
    expected = files_below(tmp_path / "expected")
    assert sum(name.startswith("parts/") for name in expected) >= PARTS
    assert sum(name.startswith("scores/") for name in expected) == len(users)
    check_kills(lambda client, out: cluster.score(made / "set.json", users, client, out=out, **how), expected, tmp_path)


def test_a_job_whose_workers_never_come_back_ends_and_says_so(
    corpus: Path, expected: dict[str, bytes], inkling_program: str, tmp_path: Path
) -> None:
    out = tmp_path / "made"
    how = {"parts": PARTS, "program": inkling_program, "progress": False, **RECIPE}
    with some_workers(1) as (local, client):

        def leave(counts: cluster.Counts) -> None:
            if counts.get("count", (0, 0))[0] == 2:
                local.scale(0)

        start = time.monotonic()
        with pytest.raises(cluster.WorkerLostError, match="no worker was there for 2 seconds"):
            cluster.build(corpus, out, client, patience=2.0, **(how | {"progress": leave}))
        assert time.monotonic() - start < 60
        with pytest.raises(cluster.WorkerLostError, match="no worker was there"):  # even if there was none from the start
            cluster.build(corpus, tmp_path / "other", client, patience=0.5, **how)
        local.scale(1)
        client.wait_for_workers(1)
        report = cluster.build(corpus, out, client, patience=60.0, **how)
    assert report.found >= 2
    assert files_below(out) == expected


def test_mpi_builds_the_same_bytes(corpus: Path, expected: dict[str, bytes], inkling_program: str, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        pytest.skip("mpirun is not installed")
    out = tmp_path / "made"
    driving = "--oversubscribe -n 3 PYTHON -m mpi4py.futures -m inkling.cluster build CORPUS --out OUT --mpi"
    words = f"{driving} --parts {PARTS} --keep-text --min-df 2".split()
    paths = {"PYTHON": sys.executable, "CORPUS": str(corpus), "OUT": str(out)}
    environment = os.environ | {
        "INKLING_PROGRAM": inkling_program,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    done = subprocess.run(
        [mpirun, *(paths.get(word, word) for word in words)],
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert files_below(out) == expected
