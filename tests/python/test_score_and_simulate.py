"""Scores of many people in one pass, simulated readers, and logs for other programs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import inkling as ink
from inkling import _core
from inkling._settings import of_policy


def session_of(pool: ink.Pool, words: list[str], seed: int, policy: str = "ff-oful") -> ink.Session:
    session = ink.Session(pool, policy, random_state=seed)
    for document in range(seed, seed + 8):
        session.rate(document, float(words[0] in pool.text(document).lower()), words)
    return session


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_scores_of_many_sessions_are_those_of_each(pool: ink.Pool, jobs: int | None) -> None:
    people = [session_of(pool, ["water", "salt"], 1), session_of(pool, ["soil"], 5), session_of(pool, ["sail"], 3, "oful")]
    table = ink.score(pool, people, top=7, n_jobs=jobs)
    for number, session in enumerate(people):
        expected = session.ranking(7)
        lines = table.of(number)
        assert lines["document"].tolist() == expected["document"].tolist()
        assert np.allclose(lines["score"], expected["score"], atol=1e-12)
        assert np.allclose(lines["width"], expected["width"], atol=1e-9)
    assert len(ink.score(pool, people[0], top=1000)) == len(pool) - 8
    assert len(ink.score(pool, people[0], top=1000, seen=True)) == len(pool)


def test_other_documents_in_the_same_words_are_scored(pool: ink.Pool) -> None:
    session = session_of(pool, ["water"], 1)
    new = ink.Pool.from_csr(pool.transform(["water water", "butter", "water and salt and sail"]))
    table = ink.score(new, session)
    assert table.table["document"].tolist()[0] in (0, 2) and len(table) == 3


@pytest.mark.parametrize("policy", _core.scoring_policies())
@pytest.mark.parametrize("io", ["map", "read"])
def test_logs_score_a_pool_as_the_program_and_as_sessions_do(
    policy: str, io: str, pool: ink.Pool, inkling_program: str, tmp_path: Path
) -> None:
    pool.save(tmp_path / "pool")
    shelf = ink.Pool.open(tmp_path / "pool")
    people = [session_of(shelf, ["water", "salt"], 1, policy), session_of(shelf, ["soil"], 5, policy)]
    people[1].query({"root": 1})
    logs = []
    for number, session in enumerate(people):
        logs.append(str(tmp_path / f"log{number}.jsonl"))
        session.save_events(logs[-1])
    table = ink.score(shelf, logs, top=6, explain=True, policy=policy, io=io, memory="64M", **of_policy({"noise": 0.1}, policy))
    of_sessions = ink.score(shelf, people, top=6, explain=True)
    done = subprocess.run(
        [inkling_program, "score", str(tmp_path / "pool"), "--top", "6", "--explain", "--policy", policy]
        + [word for log in logs for word in ("--events", log)],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert table.table["document"].tolist() == [line["document"] for line in lines]
    assert table.table["score"].tolist() == [line["ucb"] for line in lines]
    assert of_sessions.table["document"].tolist() == [line["document"] for line in lines]
    assert np.allclose(of_sessions.table["score"], table.table["score"], atol=1e-9)
    assert table.words is not None and of_sessions.words is not None
    words = [word for line in lines for word in line["words"]]
    assert table.words["word"].tolist() == [word["word"] for word in words]
    assert table.words["contribution"].tolist() == [word["contribution"] for word in words]
    assert np.allclose(np.sort(of_sessions.words["contribution"]), np.sort(table.words["contribution"]), atol=1e-9)


def test_several_pools_are_scored_as_one(pool: ink.Pool, tmp_path: Path) -> None:
    pool.save(tmp_path / "pool")
    shelf = ink.Pool.open(tmp_path / "pool")
    session = session_of(shelf, ["water", "salt"], 1)
    session.save_events(tmp_path / "log.jsonl")
    both = [shelf, tmp_path / "pool"]
    logs = ink.score(both, tmp_path / "log.jsonl", top=30, policy="ff-oful", seen=True, any_pool=True)
    held = ink.score(both, session, top=30, seen=True)
    mixed = ink.score(both, [tmp_path / "log.jsonl", session], top=30, policy="ff-oful", seen=True, any_pool=True)
    assert len(held) == len(logs) == 30 and set(held.table["document"] // len(pool)) == {0, 1}
    assert held.table["document"].tolist() == logs.table["document"].tolist()
    assert (mixed.of(0)["document"].tolist() == mixed.of(1)["document"].tolist() == held.table["document"].tolist())


def test_the_best_ridge_of_a_grid_is_kept(pool: ink.Pool) -> None:
    tuned = ink.simulate(pool, ["oful", "ff-oful"], rounds=60, trials=2, relevant=3, tune=True)
    assert set(tuned.ridge) == {"oful"} and tuned.ridge["oful"] in [2.0**power for power in range(-7, 11)]
    again = ink.simulate(pool, "oful", rounds=60, trials=2, relevant=3, ridge=tuned.ridge["oful"])
    assert again.regret["oful"].tolist() == tuned.regret["oful"].tolist()
    one = ink.simulate(pool, "oful", rounds=60, trials=2, relevant=3, ridge=1.0)
    assert tuned.regret["oful"][:, -1].mean() <= one.regret["oful"][:, -1].mean()


def test_scores_and_simulations_are_tables_of_pandas(pool: ink.Pool) -> None:
    pytest.importorskip("pandas")
    frame = ink.score(pool, session_of(pool, ["water"], 1), top=3).to_frame()
    assert list(frame.columns) == ["session", "document", "mean", "width", "score"] and len(frame) == 3
    frame = ink.simulate(pool, ["random", "ff-oful"], rounds=10, trials=2).to_frame()
    assert len(frame) == 40 and set(frame["policy"]) == {"random", "ff-oful"}


def test_a_simulation_is_drawn(pool: ink.Pool, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = ink.simulate(pool, ["random", "oful"], rounds=10, trials=2).plot()
    axes.figure.savefig(tmp_path / "regret.png")
    assert (tmp_path / "regret.png").stat().st_size > 1000


@pytest.mark.parametrize("reward", ["linear", "logistic", "label"])
def test_learning_loses_less_than_chance(reward: str, pool: ink.Pool) -> None:
    found = ink.simulate(pool, ["random", "ff-oful"], rounds=400, trials=4, reward=reward, relevant=3, mark_probability=1.0)
    assert found.regret["ff-oful"][:, -1].mean() < 0.7 * found.regret["random"][:, -1].mean()
    again = ink.simulate(pool, "random", rounds=400, trials=4, reward=reward, relevant=3, mark_probability=1.0)
    assert again.regret["random"].tolist() == found.regret["random"].tolist()


def test_without_replacement_each_document_comes_once(pool: ink.Pool) -> None:
    found = ink.simulate(pool, "oful", rounds=len(pool), trials=1, with_replacement=False)
    assert sorted(found.documents["oful"][0].tolist()) == list(range(len(pool)))
    regret = found.regret["oful"][0]
    assert np.all(regret >= -1e-9)  # against the best order, which also shows each document once
    assert abs(regret[-1]) < 1e-9  # and both have the same sum at the end


def test_a_log_tells_the_value_of_another_policy() -> None:
    """The mean of rewards, weighted by 1 / pscore, estimates the mean of a policy that chooses at random."""
    pool = ink.Pool.from_text(["soil", "sea", "soil sea", "wind"])
    value = [1.0, 0.0, 0.5, 0.0]
    estimates = []
    for seed in range(40):
        session = ink.Session(pool, "ff-oful", random_state=seed, with_replacement=True)
        for _ in range(100):
            document = session.choose().document
            session.rate(document, value[document], ["soil"] if document == 0 else [])
        feedback = ink.to_obp(session)
        assert feedback["n_rounds"] == 100 and feedback["n_actions"] == 4
        assert np.all((feedback["pscore"] > 0) & (feedback["pscore"] <= 1))
        weights = 0.25 / feedback["pscore"]
        estimates.append((weights * feedback["reward"]).mean())
    error = np.std(estimates, ddof=1) / np.sqrt(len(estimates))
    assert abs(np.mean(estimates) - np.mean(value)) < 4 * error
