"""Off-policy evaluation: a twin in NumPy, the probabilities of a replay, what is refused, and the coverage of intervals."""

from __future__ import annotations

import math
import runpy
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import inkling as ink

from conftest import ROOT

COLUMNS = ("logged", "target", "reward", "predicted", "expectation", "square")
Z = {0.5: 0.6744897501960817, 0.9: 1.6448536269514722, 0.99: 2.5758293035489004}


def twin(rounds: dict[str, Any], confidence: float) -> dict[str, tuple[float | None, float | None, float | None]]:
    """The estimators as their definitions say, term by term."""
    logged, target, reward, predicted, expectation, square = (np.asarray(rounds[name], dtype=float) for name in COLUMNS)
    count, w = len(logged), target / logged
    q_own, q_policy = np.zeros(count), np.zeros(count)
    for n in range(1, count):
        x, y = predicted[:n], reward[:n]
        spread = np.sum((x - x.mean()) ** 2)
        reach = (expectation[n] - x.mean()) ** 2
        slope = np.sum((x - x.mean()) * (y - y.mean())) / (spread * (1 + 10 / n) + reach) if spread > 1e-18 * n * x.mean() ** 2 else 0.0
        q_own[n], q_policy[n] = (y.mean() + slope * (at - x.mean()) for at in (predicted[n], expectation[n]))
    effective = w.sum() ** 2 / (w**2).sum() if w.any() else 0.0
    effective = min(effective, count**2 / square.sum()) if square.any() else effective
    share = square.sum() / count**2
    residual = np.mean((reward - q_own)[1:] ** 2) if count > 1 else 0.0
    spread_of_choice = np.sum(np.maximum(0.0, square - 1.0) * q_policy**2) / count**2

    def with_interval(value: float, error: float) -> tuple[float | None, float | None, float | None]:
        if effective < 10:
            return (value, None, None)
        z, free = Z[confidence], effective - 1
        t = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
        return (value, value - t * error, value + t * error)

    def mean(terms: Any, least: float) -> tuple[float | None, float | None, float | None]:
        return with_interval(terms.mean(), math.sqrt(max(terms.var(ddof=1) / count, least)) if count > 1 else math.inf)

    ratio = (w * reward).sum() / w.sum() if w.any() else None
    snips = (None, None, None) if ratio is None else with_interval(
        ratio, math.sqrt(max((w**2 * (reward - ratio) ** 2).sum() / w.sum() ** 2, share * residual))
    )
    robust = mean(q_policy + w * (reward - q_own), share * residual)
    return {"ips": mean(w * reward, share * residual + spread_of_choice), "snips": snips, "doubly_robust": robust}


def random_log(random: np.random.Generator) -> dict[str, Any]:
    count = int(random.choice([1, 2, 11, 40, 150]))
    kind = random.integers(6)
    log = {
        "logged": random.uniform(0.05, 1.0, count) if kind else np.ones(count),
        "target": random.uniform(0.0, 1.0, count) * (random.random(count) < random.choice([0.1, 0.5, 1.0])),
        "reward": random.normal(size=count) if kind % 2 else random.integers(0, 2, count).astype(float),
        "predicted": random.normal(size=count) if kind != 2 else np.full(count, 0.3),
        "expectation": random.normal(size=count),
        "square": random.exponential(3.0, count) * (kind > 1),
    }
    if kind == 3:
        log["target"] = np.zeros(count)
    if kind == 4:
        log["reward"] = np.full(count, -2.0)
    return log


def test_the_estimates_are_those_of_a_twin() -> None:
    random = np.random.default_rng(1)
    with_intervals = 0
    for _ in range(3000):
        log, confidence = random_log(random), float(random.choice(list(Z)))
        found = ink.evaluate(log, confidence=confidence)
        for name, expected in twin(log, confidence).items():
            got = getattr(found, name)
            for one, other in zip(got, expected, strict=True):
                assert (one is None) == (other is None), (name, got, expected)
                assert one is None or one == pytest.approx(other, rel=1e-9, abs=1e-9), (name, got, expected)
            with_intervals += got.low is not None
        assert found.rounds.shape == (len(log["logged"]),) and math.isfinite(found.effective_rounds)
    assert with_intervals > 1500


def test_numbers_of_any_size_give_no_nan() -> None:
    random = np.random.default_rng(2)
    for _ in range(300):
        count = int(random.integers(1, 40))
        log = {name: 10.0 ** random.uniform(-12 if name in COLUMNS[:2] else -100, 0 if name in COLUMNS[:2] else 100, count) for name in COLUMNS}
        for value in ink.evaluate(log)[:3]:
            assert all(one is None or math.isfinite(one) for one in value)


@pytest.mark.parametrize(
    ("column", "value"), [("logged", 0.0), ("logged", 1.1), ("logged", math.nan), ("target", -0.1), ("target", 1.5), ("reward", math.inf)]
)
def test_rounds_that_cannot_be_are_refused(column: str, value: float) -> None:
    log = {name: np.full(3, 0.5) for name in COLUMNS[:3]}
    log[column][1] = value
    with pytest.raises(ink.FormatError, match="round 1: expected"):
        ink.evaluate(log)


def searched(pool: ink.Pool, policy: str, rounds: int = 60, **settings: Any) -> ink.Session:
    session = ink.Session(pool, policy, random_state=3, **settings)
    for _ in range(rounds):
        document = session.next().document
        good = "soil" in pool.text(document)
        session.rate(document, float(good), ["soil"] if good else [])
    return session


@pytest.mark.parametrize("policy", ["random", "ff-oful", "ff-oful-epoch"])
@pytest.mark.parametrize("with_replacement", [False, True])
def test_a_policy_that_evaluates_itself_has_the_logged_probabilities(pool: ink.Pool, policy: str, with_replacement: bool) -> None:
    session = searched(pool, policy, with_replacement=with_replacement)
    session.undo()  # the round is rated again below, and so offered again
    session.rate(session.next().document, 0.0)
    found = ink.evaluate(session, policy)
    assert np.allclose(found.rounds["target"], found.rounds["logged"], rtol=1e-12)
    assert len(found.rounds) == 60 and found.mean_weight == pytest.approx(1.0)
    assert found.ips.value == found.snips.value == pytest.approx(found.logged) == pytest.approx(found.rounds["reward"].mean())


def test_the_target_probabilities_are_those_of_its_choices(pool: ink.Pool) -> None:
    """Without the log: the other policy is taught the same answers up to a round, and asked with 400 seeds."""
    session = searched(pool, "random", 12)
    found = ink.evaluate(session, "ff-oful", ridge=2.0)
    for at in (3, 7, 11):
        taught = [row for row in session.events() if row.kind == "rated"][:at]
        chosen = []
        for seed in range(400):
            other = ink.Session(pool, "ff-oful", random_state=seed, ridge=2.0)
            for event in taught:
                other.rate(event.document, event.reward, [word.feature for word in event.words])
            chosen.append(other.next().document)
        line = found.rounds[at]
        share = np.mean(np.array(chosen) == line["best"])
        expected = 1 - line["exploration"] + line["exploration"] / line["among"] if line["best"] >= 0 else 0.0
        assert abs(share - expected) < 4 * math.sqrt(0.25 / 400), (at, share, expected)


def test_a_log_that_says_nothing_of_others_is_refused_with_the_reason(pool: ink.Pool) -> None:
    session = searched(pool, "inkling", 30)
    with pytest.raises(ink.FormatError, match="found [0-9] .*chosen for certain.*ff-oful.*sample"):
        ink.evaluate(session, "ff-oful")
    session.sample(20)
    for _ in range(20):
        session.rate(session.next().document, 1.0)
    found = ink.evaluate(session, "oful")
    assert 20 <= len(found.rounds) <= 29 and found.left_out["certain"] > 20 and np.all(found.rounds["logged"] == 1 / found.rounds["among"])
    with pytest.raises(ink.FormatError, match="without a known probability.*whose probabilities are logged"):
        ink.evaluate(searched(pool, "thompson", 10), "oful")
    imported = ink.Session(pool, "ff-oful", random_state=1).rate(0, 1.0).skip(session.next().document)
    with pytest.raises(ink.FormatError, match="1 rated without an offer"):
        ink.evaluate(imported, "oful")


def test_at_the_command_line_a_search_and_a_table_of_its_rounds_give_the_same(pool: ink.Pool, inkling_program: str, tmp_path: Path) -> None:
    pool.save(tmp_path / "pool")
    kept = ink.Pool.open(tmp_path / "pool")
    session = searched(kept, "ff-oful", file=tmp_path / "pool.search")
    session.close()

    def run(*words: str) -> str:
        return subprocess.run([inkling_program, "evaluate", *words], capture_output=True, text=True, check=True, cwd=tmp_path).stdout

    found = ink.evaluate(ink.Session.open(tmp_path / "pool.search"), "ff-oful", ridge=4.0)
    whole = run("pool", "--policy", "ff-oful", "--ridge", "4", "--rounds", "rounds.csv")
    assert f"doubly robust {found.doubly_robust.value:9.4f}" in whole and "in 60 rounds" in whole
    assert run("rounds.csv").splitlines()[1:] == whole.splitlines()[1:]
    refused = subprocess.run([inkling_program, "evaluate", "rounds.csv", "--policy", "oful"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert refused.returncode == 2 and "--policy" in refused.stderr
    quoted = "\r\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in (tmp_path / "rounds.csv").read_text().splitlines())
    (tmp_path / "quoted.csv").write_text("\ufeff" + quoted)  # as R and Excel write it
    assert run("quoted.csv") == run("rounds.csv").replace("rounds.csv", "quoted.csv")
    (tmp_path / "bad.csv").write_text("logged,target,reward\n0.5,0.5,1\n0.5,x,1\n")
    refused = subprocess.run([inkling_program, "evaluate", "bad.csv"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert refused.returncode == 3 and 'bad.csv: line 3: expected a number, found "x"' in refused.stderr


def test_intervals_hold_the_simulated_value() -> None:
    """60 of the 1,000 searches of the study, whose table is in io/docs/evaluate.md."""
    study = runpy.run_path(str(ROOT / "bench" / "studies" / "evaluation_coverage.py"))
    study["TARGETS"].pop("inkling")
    found = np.array([study["outcomes"]("random", trial, 150) for trial in range(60)])
    within = found[:, :, 1][found[:, :, 1] >= 0]
    assert len(within) > 200 and 0.8 < within.mean() < 0.98
    assert abs(np.nanmean(found[:, :, 0])) < 0.03
