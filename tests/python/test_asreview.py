"""The extension of ASReview: found by entry points, simulated, and the scores of a search."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
pytest.importorskip("asreview", reason="not found: asreview")
tomllib = pytest.importorskip("tomllib", reason="not found: tomllib, of Python 3.11")
EXTENSION = Path(__file__).parents[2] / "io/doors/python/asreview"
sys.path.insert(0, str(EXTENSION))
from asreview import ActiveLearningCycle, ActiveLearningCycleData
from asreview.extensions import load_extension
from asreview.simulation.simulate import Simulate

import inkling as ink

CYCLE = ActiveLearningCycleData(querier="max", classifier="inkling", feature_extractor="inkling-words")


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry points of pyproject.toml, as an installation has them."""
    project = tomllib.loads((EXTENSION / "pyproject.toml").read_text())["project"]
    info = tmp_path / "asreview_inkling-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = [f"[{group}]\n" + "\n".join(f"{name} = {place}" for name, place in found.items()) for group, found in project["entry-points"].items()]
    (info / "entry_points.txt").write_text("\n".join(groups))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)  # ASReview writes a cache where it is


def records(count: int = 150, seed: int = 3) -> tuple[pd.DataFrame, pd.Series]:
    chance = np.random.default_rng(seed)
    good = chance.random(count) < 0.15
    good[:2] = (True, False)
    topic = [["soil", "compost", "roots", "digging"], ["sea", "waves", "salt", "wind"]]
    common = ["the", "week", "long", "cold", "warm", "near", "study", "of"]
    texts = [" ".join([*chance.choice(topic[0 if is_good else 1], 3), *chance.choice(common, 8)]) for is_good in good]
    frame = pd.DataFrame({"title": [text.split()[0] for text in texts], "abstract": [None if n % 20 == 19 else text for n, text in enumerate(texts)]})
    return frame, pd.Series(good.astype(int))


def test_a_simulation_finds_the_relevant_records_first() -> None:
    assert load_extension("models.classifiers", "inkling").label == "Inkling"
    labels_in_lab = [one.load()["feature_extractors"] for one in entry_points(group="asreview.models", name="_metadata")]
    assert {"inkling-words": {"label": "Inkling's words"}} in labels_in_lab
    frame, labels = records()
    run = Simulate(frame, labels, [ActiveLearningCycle.from_meta(CYCLE)], print_progress=False)
    run.label([0, 1])
    run.review()
    found = run._results["label"].tolist()
    assert sum(found) == labels.sum() and len(found) < 2 * labels.sum() + 10
    assert ActiveLearningCycle.from_meta(ActiveLearningCycle.from_meta(CYCLE).to_meta()).classifier.name == "inkling"


def test_cycles_one_after_the_other_have_the_scores_of_a_search_and_of_a_new_object() -> None:
    frame, labels = records()
    cycle = ActiveLearningCycle.from_meta(CYCLE)
    X = cycle.transform(frame)
    read, chance = [0, 1], np.random.default_rng(5)
    for _ in range(25):
        left = np.setdiff1d(np.arange(len(labels)), read)
        scores = cycle.fit(X[read], labels[read].to_numpy()).classifier.decision_function(X[left])
        new = ActiveLearningCycle.from_meta(CYCLE).fit(X[read], labels[read].to_numpy()).classifier.decision_function(X[left])
        session = ink.Session(ink.Pool.from_csr(X), random_state=1)
        for row in read:
            session.rate(row, labels[row])
        # The background is summed in another order, and one of float32.
        assert np.allclose(scores, session.expectations(left), atol=1e-6) and np.allclose(scores, new, atol=1e-6)
        read.append(int(left[np.argmax(scores)] if chance.random() < 0.7 else chance.choice(left)))


def test_labels_that_change_are_learned_anew() -> None:
    frame, labels = records(40)
    cycle = ActiveLearningCycle.from_meta(CYCLE)
    X = cycle.transform(frame)
    read, left = [0, 1, 2, 3], np.arange(4, 40)
    cycle.fit(X[read], labels[read].to_numpy()).classifier.decision_function(X[left])
    changed = 1 - labels[read].to_numpy()
    scores = cycle.fit(X[read], changed).classifier.decision_function(X[left])
    assert np.array_equal(scores, ActiveLearningCycle.from_meta(CYCLE).fit(X[read], changed).classifier.decision_function(X[left]))
