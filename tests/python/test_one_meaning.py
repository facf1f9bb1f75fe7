"""Ratings of words mean the same in a session and in a scored file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import inkling as ink
from inkling import _core
import numpy as np
import pytest

WORDS = 6
RATINGS = (1.0, 0.5, -1.0, -0.25)


def some_pool(random: np.random.Generator) -> ink.Pool:
    names = [f"w{n}" for n in range(WORDS)]
    texts = [" ".join(random.choice(names, size=4)) for _ in range(12)]
    return ink.Pool.from_text([*texts, " ".join(names)], max_df=1.0)


def some_words(random: np.random.Generator, least: int) -> list[dict[str, Any]]:
    words: list[dict[str, Any]] = []
    for feature in random.permutation(WORDS)[: random.integers(least, 4)].tolist():
        words.append({"word": feature, "confidence": float(random.choice([1.0, 0.25]))})
        if random.random() >= 0.5 or least > 0:
            words[-1]["rate"] = float(random.choice(RATINGS))
    return words


def line_of(words: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = {"word": "feature", "rate": "reward"}
    return [{names.get(name, name): value for name, value in word.items()} for word in words]


@pytest.mark.parametrize("policy", _core.scoring_policies())
def test_a_session_learns_of_words_what_score_learns(policy: str, tmp_path: Path) -> None:
    random = np.random.default_rng(53)
    for number in range(50):
        pool = some_pool(random)
        session = ink.Session(pool, policy, random_state=1)
        lines = []
        for document in random.permutation(pool.shape[0])[:6].tolist():
            if random.random() < 0.4:
                words = some_words(random, 1)
                session.query(words)
                lines.append({"features": line_of(words)})
            words = some_words(random, 0)
            reward = float(random.integers(0, 2))
            session.rate(document, reward, words)
            lines.append({"document": document, "reward": reward, "features": line_of(words)})
        path = tmp_path / f"{number}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        folder = str(tmp_path / f"pool{number}")
        pool.save(folder)
        scores = ink.score(folder, str(path), policy=policy, top=pool.shape[0], seen=True).table
        means = session.expectations()
        np.testing.assert_allclose(scores["mean"], means[scores["document"]], rtol=1e-9, atol=1e-9)
