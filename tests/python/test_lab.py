"""The laboratory: its numbers, its figures at their smallest, and what a stopped or disturbed run leaves behind."""

from __future__ import annotations

import io
import json
import math
import os
import random
import subprocess
import sys
import tarfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from inkling import _core

from conftest import ROOT

pytest.importorskip("matplotlib")
if not hasattr(_core, "rival_names"):
    pytest.skip("the module was built without the laboratory", allow_module_level=True)
sys.path.insert(0, str(ROOT / "bench"))

from lab import estimates, measures, oracle, stop_rules, texts, trials  # noqa: E402
from lab.estimates import Estimate  # noqa: E402

SMALL = ["--trials", "2", "--tuning-trials", "1", "--rounds", "40", "--threads", "2"]
SYNTHETIC = ["two-stage", "pure-exploration", "subsets-synthetic", "sparse", "dense", "exploration-probability", "epoch", "bound", "noisy-marks"]


def lab(*words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "bench"), *sys.path])}
    return subprocess.run([sys.executable, "-m", "lab", *words], capture_output=True, text=True, env=environment, check=False)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab") / "out"
    done = lab("paper", *SYNTHETIC, *SMALL, "--out", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


def test_all_synthetic_figures_are_made_with_their_verdicts(small: Path) -> None:
    summary = json.loads((small / "summary.json").read_text(encoding="utf-8"))
    assert {figure["name"] for figure in summary["figures"]} == set(SYNTHETIC)
    claims = [claim for figure in summary["figures"] for claim in figure["claims"]]
    assert len({claim["id"] for claim in claims}) == len(claims) == 17
    assert {claim["verdict"] for claim in claims} <= {"holds", "fails", "undecided", "not the paper's experiment"}
    page = (small / "index.html").read_text(encoding="utf-8")
    for figure in summary["figures"]:
        assert f'<h2 id="{figure["name"]}">' in page and (small / figure["csv"]).stat().st_size > 100
        assert all((small / (chart["name"] + ".svg")).exists() for chart in figure["charts"])


@pytest.mark.parametrize("programme", ["paper", "beyond"])
def test_a_figure_is_one_file_of_few_lines(programme: str) -> None:
    module = __import__(programme)
    for name in (*module.FIGURES, *getattr(module, "MORE", ())):
        path = ROOT / "bench" / programme / f"{name.replace('-', '_')}.py"
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 90, path


def test_a_run_that_goes_on_has_the_same_bytes_and_runs_no_trial_again(small: Path, tmp_path: Path) -> None:
    """The files of the second run are those of the first, and a line that is cut off, changed or there twice is named and run again."""
    folder = tmp_path / "out"
    words = ("paper", "epoch", *SMALL, "--out", str(folder))
    assert lab(*words).returncode == 0
    log = folder / "kept" / "trials" / "epoch-main.jsonl"
    whole, csv = log.read_text(encoding="utf-8"), (folder / "epoch.csv").read_bytes()
    assert csv == (small / "epoch.csv").read_bytes() and len(whole.splitlines()) == 3
    first, *lines = whole.splitlines(keepends=True)
    damaged = {"cut": first + lines[0] + lines[1][:-30], "changed": first + lines[0].replace("7", "8", 1) + lines[1],
               "twice": first + lines[0] + lines[0] + lines[1], "none": "", "other": first.replace("trials_of", "trials_off") + lines[0]}
    for kind, text in damaged.items():
        log.write_text(text, encoding="utf-8")
        done = lab(*words)
        assert done.returncode == 0 and (folder / "epoch.csv").read_bytes() == csv, kind
        assert (f"{log}: 1 lines damaged" in done.stderr) == (kind in ("changed", "twice")), (kind, done.stderr)
        assert sorted(log.read_text(encoding="utf-8").splitlines()) != [] and len(log.read_text(encoding="utf-8").splitlines()) == 3


def test_trials_of_other_settings_are_run_again(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert lab("paper", "epoch", *SMALL, "--out", str(folder)).returncode == 0
    log = folder / "kept" / "trials" / "epoch-main.jsonl"
    before = log.read_text(encoding="utf-8")
    assert lab("paper", "epoch", *SMALL, "--seed", "2", "--out", str(folder)).returncode == 0
    assert log.read_text(encoding="utf-8").splitlines()[0] != before.splitlines()[0]


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    import fcntl

    (tmp_path / "kept").mkdir()
    with open(tmp_path / "kept" / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("4711")
        lock.flush()
        done = lab("paper", "epoch", *SMALL, "--out", str(tmp_path))
    assert done.returncode == 4 and "in use by another run, process 4711" in done.stderr


def test_a_figure_without_its_data_is_left_out_and_says_how_to_get_it(tmp_path: Path) -> None:
    done = lab("paper", "human", "epoch", *SMALL, "--data", str(tmp_path / "nowhere"), "--out", str(tmp_path / "out"))
    assert done.returncode == 0 and "left out        human" in done.stdout and "datasets/fetch movie-rationales" in done.stdout
    assert lab("paper", "epcoh", "--out", str(tmp_path)).returncode == 1


def write_archives(folder: Path) -> None:
    """Made-up data sets: messages of the five topics, and film reviews with highlighted phrases, in the forms of the published ones."""
    chance = random.Random(1)

    def text(kind: str, words: int = 60) -> str:  # one word in eight is one of a hundred of the topic
        numbers = [(kind if chance.random() < 0.12 else "w") + str(chance.randrange(100, 200)) for _ in range(words)]
        return " ".join(numbers).translate({ord(digit): chr(97 + int(digit)) for digit in "0123456789"})

    files = {f"20news-bydate/{part}/{topic}/{n}": text(topic.split(".")[-1][:4]) for topic in texts.TOPICS
             for part in ("train", "test") for n in range(40)}
    notes = []
    for n in range(120):
        judged = ("NEG", "POS")[n % 2]
        body = text(judged.lower(), 80)
        phrases = [{"docid": f"{judged}_{n}.txt", "text": " ".join(body.split()[k : k + 6])} for k in (5, 40)]
        files[f"movies/docs/{judged}_{n}.txt"] = body
        notes.append({"annotation_id": f"{judged}_{n}.txt", "classification": judged, "evidences": [phrases]})
    files["movies/train.jsonl"] = "".join(json.dumps(note) + "\n" for note in notes[:100])
    files["movies/test.jsonl"] = "".join(json.dumps(note) + "\n" for note in notes[100:])
    for archive, root in (("20news-bydate.tar.gz", "20news-bydate"), ("movie-rationales.tar.gz", "movies")):
        with tarfile.open(folder / archive, "w:gz") as tar:
            for name, content in files.items():
                if name.startswith(root):
                    about = tarfile.TarInfo(name)
                    about.size = len(content.encode())
                    tar.addfile(about, io.BytesIO(content.encode()))


REAL_TEXT = ["subsets-text", "newsgroups-replacement", "newsgroups-no-replacement", "human", "ridge-sensitivity", "full-dimension",
             "full-dimension-oful"]


@pytest.mark.parametrize("more", [(), ("--rows", "raw", "--target", "classifier")], ids=["as the paper is read", "another reading"])
def test_figures_of_real_text_are_made_of_archives_in_the_published_form(
    more: tuple[str, ...], inkling_program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INKLING_PROGRAM", inkling_program)
    write_archives(tmp_path)
    done = lab("paper", *REAL_TEXT, "--quick", *SMALL[:4], "--rounds", "15", *more, "--data", str(tmp_path), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert {figure["name"] for figure in summary["figures"]} == set(REAL_TEXT) and not summary["left_out"]
    for figure in summary["figures"]:
        for study in figure["studies"]:
            assert all(entrant["measures"]["regret"]["mean"] is not None for entrant in study["entrants"])
    human = next(figure for figure in summary["figures"] if figure["name"] == "human")
    facts = dict((row["name"], row["value"]) for row in human["settings"])
    assert facts["reviews"] == "120" and float(facts["of the oracle's words in a review, its readers highlighted"].rstrip(" %")) > 5


# Numbers.


def test_estimates_are_those_of_independent_trials() -> None:
    assert estimates.estimate([1.0, 2.0, 6.0]) == pytest.approx((3.0, math.sqrt((4 + 1 + 9) / 2 / 3)))
    assert math.isnan(estimates.estimate([4.0]).error) and str(estimates.estimate([4.0])) == "4.00"
    assert estimates.difference([11, 102, 1003], [10, 100, 1000]) == pytest.approx((2.0, math.sqrt(1 / 3)))
    assert estimates.ratio([5, 10, 30], [10, 20, 60]) == pytest.approx((0.5, 0.0))
    assert estimates.ratio([15, 10, 20], [10, 20, 60]) == pytest.approx((0.5, math.sqrt(2 * 100 / 900 / 2 / 3)))
    assert estimates.total([1e16, 1.0, -1e16]) == 1.0


@pytest.mark.parametrize(
    "number, text",
    [(Estimate(0.3612, 0.0312), "0.361 ± 0.031"), (Estimate(12345.6, 120.0), "12,346 ± 120"), (Estimate(5.0), "5.00"), (Estimate(math.nan), "-")],
)
def test_an_estimate_is_shown_with_as_many_digits_as_its_error_has(number: Estimate, text: str) -> None:
    assert str(number) == text


def test_a_number_is_clearly_below_a_bound_where_its_interval_is() -> None:
    assert Estimate(-2.0, 1.0).is_below(0.0) and not Estimate(-1.9, 1.0).is_below(0.0) and Estimate(2.0, 1.0).is_above(0.0)
    assert not Estimate(math.nan).is_below(0.0) and not Estimate(math.nan).is_above(0.0)


def test_powers_and_quantiles() -> None:
    x = [1.0, 2.0, 4.0, 8.0]
    exact = estimates.growth(x, [[factor * math.sqrt(value) for value in x] for factor in (3.0, 5.0)])
    assert exact.mean == pytest.approx(0.5) and exact.error == pytest.approx(0.0, abs=1e-9)
    assert math.isnan(estimates.growth(x, []).mean) and math.isnan(estimates.power_law([1, 2], [0, 0]))
    assert [estimates.ridge_text(ridge) for ridge in (1 / 32, 1.0, 2.0, 1024.0, 0.3)] == ["2⁻⁵", "1", "2", "2¹⁰", "0.3"]
    assert estimates.quantile([5, 1, 3], 0.25) == 2 and estimates.median([4, 1, 3, 2]) == 2.5


def test_the_error_of_an_exponent_is_as_large_as_the_spread_over_new_trials() -> None:
    chance, x = np.random.default_rng(11), np.array([1.0, 2.0, 4.0, 8.0])
    found = [estimates.growth(x, x * (1 + 0.5 * chance.normal(size=(30, 4)))) for _ in range(200)]
    assert np.mean([one.error for one in found]) == pytest.approx(np.std([one.mean for one in found]), rel=0.2)


def test_regret_until_a_round_is_on_lines_between_the_places_of_the_curve() -> None:
    result = trials.Result(SimpleNamespace(rounds=3), [SimpleNamespace(curve=[1.0, 3.0, 4.0])])
    assert [result.regret_until(until)[0] for until in (0.5, 1.0, 2.25, 3.0)] == [0.5, 1.0, 3.25, 4.0]


# Measures of searches.


def searched(wanted: int, shown: int, found_at: list[int], **more: Any) -> SimpleNamespace:
    return SimpleNamespace(wanted=wanted, shown=shown, found_at=found_at, **more)


def test_measures_of_a_screening_equal_a_calculation_by_hand() -> None:
    trial = searched(3, 6, [1, 2, 6])
    got = {name: measure(trial, 10) for name, measure in measures.SCREENING.items()}
    assert got == pytest.approx({"ATD %": 30.0, "loss": 3 / 21, "useless of 25": 7.0, "95 % at %": 60.0, "all at %": 60.0})
    assert measures.loss(searched(3, 10, [8, 9, 10]), 10) == pytest.approx(1.0)
    assert measures.useless(10)(searched(3, 10, [1, 9])) == 1.0 and measures.useless(10)(searched(0, 10, [])) == 0.0
    at = list(range(2, 41, 2))
    assert measures.documents_until(searched(20, 40, at), 0.95) == 38 and measures.reading_for(0.96)(searched(21, 40, at)) == 41.0


def test_a_search_failed_where_it_found_less_than_half_of_the_median_for_its_kind() -> None:
    found = [[1, 2, 3, 4, 5, 6], [9], [1, 2, 3, 4, 5, 6], [8], [1, 2], [7]]
    result = trials.Result(None, [searched(50, 10, at) for at in found])
    assert measures.share_failed(result, 10, 2).mean == pytest.approx(1 / 6) and measures.share_failed(result, 10).mean == 0.0


def test_rules_stop_where_they_say() -> None:
    trial = searched(4, 300, [1, 2, 10, 200], guesses=[3.0, 0.1, 0.0])
    assert stop_rules.without_good(50)(trial, 300, 0) == 60 and stop_rules.without_good(200)(trial, 300, 0) == 400
    assert stop_rules.by_guess(0.95, 25)(trial, 300, 0) == 50
    read, found = stop_rules.by_bound(1)(trial, 300, 0)
    assert 60 < read <= 300 and 3 <= found <= 4
    certain = stop_rules.by_buscar(0.95, 0.95)(searched(20, 300, list(range(1, 21)), guesses=[]), 300, 0)
    assert 20 < certain < 300


def test_the_oracle_finds_the_words_that_tell_topics() -> None:
    chance = np.random.default_rng(3)
    import scipy.sparse as sp

    labels = np.repeat([0, 1], 100)
    rows = chance.random((200, 30)) * (chance.random((200, 30)) < 0.2)
    rows[labels == 0, :3] += 0.5
    words, weights, penalty, share = oracle.Path(sp.csr_array(rows.astype(np.float32)), labels == 0).support_near(3, 1, 6)
    assert set(words) & {0, 1, 2} == {0, 1, 2} and (weights[:3] > 0).all() and penalty > 0 and share > 0.7
