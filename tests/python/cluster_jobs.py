"""Shared by the tests of inkling.cluster: a corpus, the files of a job, and drivers in processes of their own."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# Workers begin in copies of a process that has imported Dask, which takes longer than most of what they do here. Another choice
# of whoever runs the tests holds.
os.environ.setdefault("DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD", "forkserver")

RECIPE = {"keep_text": True, "min_df": 2}
WORDS = [f"word{n}" for n in range(3000)]


def write_corpus(path: Path, documents: int, seed: int = 7, words: int = 40) -> Path:
    chance = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for number in range(documents):
            text = " ".join(chance.choices(WORDS, k=chance.randrange(1, words)))
            file.write(json.dumps({"id": f"d{number}", "text": text}) + "\n")
    return path


def skip_if_older(program: str) -> None:
    said = subprocess.run([program, "help", "parts", "plan"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        pytest.skip(f"{program} is older than this package")


@contextmanager
def some_workers(count: int) -> Iterator[tuple[Any, Any]]:
    """A cluster of Dask with workers in processes of this machine, and its client. Skips the test if Dask is not installed."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(count, threads_per_worker=1, dashboard_address=None, memory_limit=0) as local,
        distributed.Client(local) as client,
    ):
        client.wait_for_workers(count)
        yield local, client


@contextmanager
def two_workers() -> Iterator[Any]:
    with some_workers(2) as (_, client):
        yield client


def files_below(folder: Path) -> dict[str, bytes]:
    """All files of a job except its journal and the unfinished output of programs whose worker was killed, which nobody reads and
    which the next program for that part removes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "journal" not in path.parts and ".partial-" not in str(path)
    }


def difference_to_pool(job: Path, parts: int, pool: Path) -> str:
    """The name of a file that differs between the joined shards and the one pool; "" if none does."""
    shards = [job / "shards" / str(part) for part in range(parts)]
    for name in ("vocabulary.txt", "idf.npy"):
        if any((shard / name).read_bytes() != (pool / name).read_bytes() for shard in shards):
            return name
    for name in ("indices", "data", "documents/ids", "documents/texts"):
        whole = np.concatenate([np.load(shard / f"{name}.npy") for shard in shards])
        if whole.tobytes() != np.load(pool / f"{name}.npy").tobytes():
            return name
    for name in ("indptr", "documents/ids_indptr", "documents/texts_indptr"):
        lengths = np.concatenate([np.diff(np.load(shard / f"{name}.npy")) for shard in shards])
        if not np.array_equal(lengths, np.diff(np.load(pool / f"{name}.npy"))):
            return name
    return ""


def driver(code: str, folder: Path, program: str, *arguments: str) -> subprocess.Popen[str]:
    """Starts a driver as its own process group. Its code finds `folder` and the arguments in sys.argv."""
    environment = os.environ | {"INKLING_PROGRAM": program}
    return subprocess.Popen(
        [sys.executable, "-c", code, str(folder), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
