"""Shared by the tests: texts on three topics, and pools of them."""

from __future__ import annotations

import ctypes
import json
import os
import random
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import inkling as ink
from inkling._settings import of_policy

# A cache for these tests and the processes that they start, so that they keep no records of checked pools in the user's home.
CACHE = tempfile.TemporaryDirectory(prefix="inkling-cache-")
os.environ["XDG_CACHE_HOME"] = CACHE.name

ROOT = Path(__file__).resolve().parents[2]
TOPICS = {
    "garden": "soil compost seed root dig rake water leaf flower worm spade bed",
    "sea": "wave salt tide boat sail storm harbour fish net anchor water shore",
    "kitchen": "salt pan oven bread flour butter spoon boil water onion knife fish",
}


# Those that take longest, the longest first, so that none is left for the end. Others come after them.
LONGEST = ["four_doors", "cluster_dask", "cluster_live", "one_search", "package", "session", "cluster"]


def pytest_configure(config: pytest.Config) -> None:
    config.option.loadscopereorder = False  # pytest-xdist would begin with the files of most tests


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        name = item.path.stem.removeprefix("test_")
        return LONGEST.index(name) if name in LONGEST else len(LONGEST)

    items.sort(key=place)


# Settings without which some policies have nothing to learn from, for those that use them.
NEEDED = {"given": [0, 3, 5], "first_rounds": 10}


def searcher_of(policy: str) -> dict[str, Any]:
    """The settings that a search with this policy needs."""
    return of_policy(NEEDED, policy)


def made_up_texts(count: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Texts with six words of their topic and three of any topic, and their topics."""
    chance = random.Random(seed)
    texts, labels = [], []
    everything = " ".join(TOPICS.values()).split()
    for _ in range(count):
        topic = chance.choice(list(TOPICS))
        words = chance.choices(TOPICS[topic].split(), k=6) + chance.choices(everything, k=3)
        texts.append(" ".join(words).capitalize() + ".")
        labels.append(topic)
    return texts, labels


def random_rows(documents: int, features: int, each: int, seed: int = 0) -> sp.csr_array:
    """A matrix that a pool can borrow, with `each` values in every row and rows of length 1."""
    chance = np.random.default_rng(seed)
    indices = np.sort(np.argpartition(chance.random((documents, features)), each, axis=1)[:, :each], axis=1)
    data = chance.random((documents, each)).astype(np.float32)
    data /= np.linalg.norm(data, axis=1, keepdims=True)
    offsets = np.arange(0, documents * each + 1, each, dtype=np.int32)
    return sp.csr_array((data.ravel(), indices.ravel().astype(np.int32), offsets), shape=(documents, features))


@pytest.fixture(scope="session")
def texts() -> list[str]:
    return made_up_texts(60)[0]


@pytest.fixture(scope="session")
def pool(texts: list[str]) -> ink.Pool:
    return ink.Pool.from_text(texts)


def program(name: str, variable: str) -> str:
    """The path of the program: from the variable, of this tree, or installed."""
    given = os.environ.get(variable)
    if given:
        return given
    for place in ("build/dev", "build"):
        built = ROOT / place / name
        if built.exists():
            return str(built)
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not built")
    return found


@pytest.fixture(scope="session")
def inkling_bench() -> str:
    return program("inkling-bench", "INKLING_BENCH")


@pytest.fixture(scope="session")
def inkling_program() -> str:
    return program("inkling", "INKLING")


class Pipe:
    """`inkling search --json`. It is killed at its end if `kills`."""

    def __init__(self, program: str, pool: str, *more: str, kills: bool = False) -> None:
        self.kills = kills
        self.child = subprocess.Popen([program, "search", pool, "--json", *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request: dict[str, Any]) -> str:
        assert self.child.stdin is not None and self.child.stdout is not None
        self.child.stdin.write(json.dumps(request).encode() + b"\n")
        self.child.stdin.flush()
        return self.child.stdout.readline().decode().rstrip("\n")

    def end(self) -> None:
        if self.kills:
            self.child.kill()
        self.child.communicate()


def resident() -> int:
    """The resident memory, after the allocator has returned its free memory."""
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
