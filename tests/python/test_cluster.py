"""Jobs on many machines write the same bytes as one machine, whichever process dies, and refuse invalid input by name. Always with
processes; with Dask and MPI if they are installed."""

from __future__ import annotations

import json
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from cluster_jobs import RECIPE, WORDS, difference_to_pool, driver, files_below, skip_if_older, write_corpus

import inkling as ink
from inkling import cluster
from inkling.cluster.__main__ import main

from conftest import ROOT

PARTS = 7
EVENTS = [{"document": n, "reward": n % 2, "features": [WORDS[n]]} for n in range(0, 60, 3)]


@pytest.fixture(scope="module", autouse=True)
def the_program(inkling_program: str) -> Iterator[str]:
    skip_if_older(inkling_program)
    before = os.environ.get("INKLING_PROGRAM")
    os.environ["INKLING_PROGRAM"] = inkling_program
    yield inkling_program
    os.environ.pop("INKLING_PROGRAM")
    if before is not None:
        os.environ["INKLING_PROGRAM"] = before


@pytest.fixture(scope="module")
def executor() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        yield processes


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus") / "corpus.jsonl", 3000)


@pytest.fixture(scope="module")
def one_pool(corpus: Path, the_program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("one") / "pool"
    subprocess.run(
        [the_program, "build", str(corpus), "--keep-text", "--min-df", "2", "--out", str(out)],
        check=True,
        capture_output=True,
    )
    return out


@pytest.fixture(scope="module")
def built(corpus: Path, executor: ProcessPoolExecutor, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, cluster.Report]:
    out = tmp_path_factory.mktemp("built") / "made"
    return out, cluster.build([corpus], out, executor, parts=PARTS, group=3, **RECIPE)


def test_processes_build_the_bytes_of_one_pool(built: tuple[Path, cluster.Report], one_pool: Path) -> None:
    out, report = built
    assert difference_to_pool(out, PARTS, one_pool) == ""
    assert (report.parts, report.documents, report.found, report.made_again) == (PARTS, 3000, 0, 0)
    assert (
        report.made == 1 + PARTS + (2 + 1) + PARTS + 1
    )  # merges of three: two of the first six counts, and one of their results and the 7th
    assert report.costs["count"].steps == PARTS
    assert report.bytes > 0
    assert report.cpu_seconds > 0
    if "INKLING_FIGURES" in os.environ:
        print(report)


def test_rows_are_kept_for_the_shards_and_removed_with_them(
    built: tuple[Path, cluster.Report], corpus: Path, the_program: str, executor: ProcessPoolExecutor, tmp_path: Path
) -> None:
    out, _ = built
    ended = [
        json.loads(line)
        for part in range(PARTS)
        for line in (out / "journal" / f"build-{part}.jsonl").read_text().splitlines()
        if '"end"' in line
    ]
    assert [step["facts"]["from_rows"] for step in ended] == [True] * PARTS
    assert not list(out.glob("counts/*/rows.*"))
    # A driver removes the kept rows of one that was killed after its shards were made.
    part = tmp_path / "made" / "counts" / "2"
    shutil.copytree(out, tmp_path / "made")
    for name in ("rows.json", "rows.bin"):
        (part / name).write_text("left")
    cluster.build([corpus], tmp_path / "made", executor, parts=PARTS, group=3, **RECIPE)
    assert not list(part.glob("rows.*"))


def test_a_finished_job_makes_nothing_again(
    built: tuple[Path, cluster.Report], corpus: Path, executor: ProcessPoolExecutor
) -> None:
    out, first = built
    before = files_below(out)
    report = cluster.build([corpus], out, executor, parts=PARTS, group=3, **RECIPE)
    assert (report.made, report.found) == (0, first.made)
    assert report.documents == first.documents
    assert files_below(out) == before


def test_only_what_is_missing_is_made(
    built: tuple[Path, cluster.Report], corpus: Path, executor: ProcessPoolExecutor, tmp_path: Path
) -> None:
    out = tmp_path / "made"
    shutil.copytree(built[0], out)
    before = files_below(out)
    shutil.rmtree(out / "shards" / "3")
    shutil.rmtree(out / "counts" / "5")
    (out / "set.json").unlink()
    report = cluster.build([corpus], out, executor, parts=PARTS, group=3, **RECIPE)
    assert report.made == 3
    assert files_below(out) == before


def test_an_existing_shard_that_is_damaged_is_refused_by_name(
    built: tuple[Path, cluster.Report], corpus: Path, executor: ProcessPoolExecutor, tmp_path: Path
) -> None:
    made = tmp_path / "made"
    shutil.copytree(built[0], made)
    damaged = made / "shards" / "3" / "data.npy"
    with open(damaged, "r+b") as file:
        file.seek(200)
        byte = file.read(1)[0]
        file.seek(200)
        file.write(bytes([byte ^ 1]))
    with pytest.raises(cluster.StepError, match=r"build 3 .*shards/3/data\.npy") as refused:
        cluster.build([corpus], made, executor, parts=PARTS, group=3, **RECIPE)
    assert refused.value.exit_code == 5
    shutil.rmtree(damaged.parent)
    report = cluster.build([corpus], made, executor, parts=PARTS, group=3, **RECIPE)
    assert report.made == 1
    assert files_below(made / "shards") == files_below(built[0] / "shards")


def test_one_part_and_every_grouping_give_the_same_shards(
    corpus: Path, executor: ProcessPoolExecutor, one_pool: Path, tmp_path: Path
) -> None:
    for parts, group in ((1, 2), (2, 2), (5, 2), (5, 16)):
        out = tmp_path / f"{parts}-{group}"
        told: list[dict[str, tuple[int, int]]] = []
        cluster.build(corpus, out, executor, parts=parts, group=group, verify=True, progress=told.append, **RECIPE)
        assert difference_to_pool(out, parts, one_pool) == ""
        assert told[-1]["build"] == (parts, parts)
        assert told[-1]["verify"] == (parts, parts)


def test_scores_of_a_set_are_those_of_the_program(
    built: tuple[Path, cluster.Report], executor: ProcessPoolExecutor, the_program: str, tmp_path: Path
) -> None:
    me, you = tmp_path / "me.jsonl", tmp_path / "you.jsonl"
    me.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    you.write_text("".join(json.dumps(event) + "\n" for event in EVENTS[:7]))
    the_set = built[0] / "set.json"
    for number, format in enumerate(("jsonl", "csv", "npy", "table")):
        expected = tmp_path / f"expected.{format}"
        told = ["--events", str(me), "--top", "25", "--format", format, "--out", str(expected)]
        subprocess.run([the_program, "score", str(the_set), *told], check=True, capture_output=True)
        out = tmp_path / f"scores{number}"
        report = cluster.score(the_set, me, executor, out=out, top=25, format=format)
        assert (out / f"scores.{format}").read_bytes() == expected.read_bytes()
        assert report.made == 1 + PARTS + 1
    out = tmp_path / "both"
    cluster.score(the_set, [me, you], executor, out=out, top=25)
    assert (out / "scores" / "me.jsonl").read_bytes() == (tmp_path / "expected.jsonl").read_bytes()
    assert (out / "scores" / "you.jsonl").exists()
    again = cluster.score(the_set, me, executor, out=tmp_path / "scores0", top=25)
    assert again.found >= PARTS + 1
    with pytest.raises(cluster.StepError, match="learn 0 on"):
        cluster.score(the_set, you, executor, out=tmp_path / "scores0", top=25)


def test_a_set_is_opened_in_python_and_scored_as_one_pool(
    built: tuple[Path, cluster.Report], one_pool: Path, tmp_path: Path
) -> None:
    the_set = built[0] / "set.json"
    shards, pool = ink.Pool.open_set(the_set), ink.Pool.open(one_pool)
    assert sum(shard.shape[0] for shard in shards) == pool.shape[0]
    assert all(np.array_equal(shard.idf_, pool.idf_) for shard in shards)
    me = tmp_path / "me.jsonl"
    me.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    of_set, of_pool = ink.score(the_set, me, top=40).table, ink.score(one_pool, me, top=40).table
    for name in ("document", "mean", "width"):
        assert np.array_equal(of_set[name], of_pool[name])
    session = ink.Session(pool, random_state=1).rate(3, 1, [WORDS[5]])
    assert np.array_equal(ink.score(shards, session).table["mean"], ink.score(the_set, session).table["mean"])


def test_a_replaced_shard_and_a_file_that_is_no_set_are_refused(built: tuple[Path, cluster.Report], tmp_path: Path) -> None:
    out = tmp_path / "made"
    shutil.copytree(built[0], out)
    shutil.rmtree(out / "shards" / "1")
    shutil.copytree(out / "shards" / "2", out / "shards" / "1")
    with pytest.raises(ink.CorruptFileError, match="found another"):
        ink.Pool.open_set(out / "set.json")
    with pytest.raises(ink.FormatError, match="expected an inkling set"):
        ink.Pool.open_set(out / "plan.json")


def test_a_source_that_changed_between_the_passes_is_refused_by_name(executor: ProcessPoolExecutor, tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", 500)
    out = tmp_path / "made"
    cluster.build(corpus, out, executor, parts=3, **RECIPE)
    shutil.rmtree(out / "shards" / "1")
    (out / "set.json").unlink()
    time.sleep(0.01)
    text = corpus.read_bytes()
    at = text.index(b"word", len(text) // 2)
    corpus.write_bytes(text[:at] + b"bird" + text[at + 4 :])
    with pytest.raises(cluster.StepError) as caught:
        cluster.build(corpus, out, executor, parts=3, **RECIPE)
    assert caught.value.exit_code > 0
    assert not (out / "shards" / "1").exists()
    assert not (out / "set.json").exists()


def test_another_version_of_the_program_is_refused_and_not_tried_again(corpus: Path, the_program: str, tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    other = tmp_path / "inkling"
    # A program of an older version, as one host may have it while all others have the version that began the job.
    other.write_text(
        f'#!/bin/sh\necho x >> {tries}\n[ "$1" = --version ] && echo inkling 0.0.1 && exit\nexec {the_program} "$@"\n'
    )
    other.chmod(0o755)
    plan = tmp_path / "made" / "plan.json"
    plan.parent.mkdir()
    subprocess.run(
        [the_program, "parts", "plan", str(corpus), "--parts", "2", "--out", str(plan)],
        check=True,
        capture_output=True,
    )
    from inkling.cluster._task import Step, program_version, run

    counting = ("parts", "count", str(plan))
    version = program_version(the_program)
    step = Step("count", 0, counting, str(tmp_path / "out"), "", str(other), version)
    with pytest.raises(cluster.StepError, match=r"expected inkling .*found inkling 0\.0\.1"):
        run(step)
    assert tries.read_text().count("x") == 1


@pytest.mark.parametrize("program", ["/bin/true", "/bin/echo"])
def test_a_program_that_is_not_inkling_is_refused(
    corpus: Path, executor: ProcessPoolExecutor, tmp_path: Path, program: str
) -> None:
    with pytest.raises(cluster.StepError, match=f"{program}: expected the program inkling"):
        cluster.build(corpus, tmp_path / "made", executor, program=program, **RECIPE)
    assert not (tmp_path / "made").exists()


def test_a_step_that_fails_is_named_once_and_nothing_after_it_begins(
    corpus: Path, executor: ProcessPoolExecutor, the_program: str, tmp_path: Path
) -> None:
    tries = tmp_path / "tries"
    bad = tmp_path / "inkling"
    bad.write_text(
        "#!/bin/sh\n"
        'case "$*" in "parts count"*"--part 2 "*) '
        f'echo x >> {tries}; echo "/scratch/2: No space left on device" >&2; exit 4;; esac\n'
        f'exec {the_program} "$@"\n'
    )
    bad.chmod(0o755)
    with pytest.raises(cluster.StepError) as caught:
        cluster.build(corpus, tmp_path / "made", executor, parts=5, program=str(bad))
    assert (caught.value.step, caught.value.exit_code) == ("count 2", 4)
    assert "No space left on device" in str(caught.value)
    assert tries.read_text().count("x") == 1
    assert not (tmp_path / "made" / "shards").exists()
    assert pickle.loads(pickle.dumps(caught.value)).message == caught.value.message


def test_a_disk_that_is_full_is_refused_by_name(corpus: Path, the_program: str, tmp_path: Path) -> None:
    code = """
import sys
from concurrent.futures import ProcessPoolExecutor
from inkling import cluster
if __name__ == "__main__":
    with ProcessPoolExecutor(2) as executor:
        try:
            cluster.build(sys.argv[2], sys.argv[1], executor, parts=3, keep_text=True)
        except cluster.StepError as error:
            print(error.exit_code, error)
"""
    small = tmp_path / "small"
    small.mkdir()
    script = tmp_path / "full.py"
    script.write_text(code)
    mounting = (f"mount -t tmpfs -o size=400k none {small} && exec {sys.executable} {script} {small}/made {corpus}")
    done = subprocess.run(["unshare", "--mount", "sh", "-c", mounting], capture_output=True, text=True, check=False)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("a small disk cannot be mounted here")
    assert done.stdout.startswith("4 "), done.stdout + done.stderr
    assert "No space left on device" in done.stdout


DRIVER = """
import sys
from concurrent.futures import ProcessPoolExecutor
from inkling import cluster
if __name__ == "__main__":
    with ProcessPoolExecutor(2) as executor:
        print("go", flush=True)
        report = cluster.build(sys.argv[2], sys.argv[1], executor, parts=7, group=3, keep_text=True, min_df=2)
        print(report.made, report.found, report.made_again)
"""


def test_a_driver_that_is_killed_goes_on_with_what_is_missing(
    built: tuple[Path, cluster.Report], corpus: Path, the_program: str, tmp_path: Path
) -> None:
    expected, whole = files_below(built[0]), built[1].made
    chance = random.Random()
    longest = built[1].wall_seconds
    for number in range(4):
        out = tmp_path / str(number)
        first = driver(DRIVER, out, the_program, str(corpus))
        assert first.stdout is not None
        assert first.stdout.readline() == "go\n"
        time.sleep(chance.uniform(0.0, longest))
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        stood = sum(".partial-" not in path.name for where in ("counts", "shards") for path in (out / where).glob("*"))
        second = driver(DRIVER, out, the_program, str(corpus))
        told, said = second.communicate(timeout=120)
        assert second.returncode == 0, said
        made, found, again = map(int, told.split()[1:])
        assert made + found == whole
        assert made <= whole - stood
        assert again <= 2  # at most the parts on which the two workers worked
        assert files_below(out) == expected


def test_a_person_runs_jobs_from_a_terminal(
    corpus: Path, one_pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    how = "--parts 2 --processes 2 --keep-text --min-df 2".split()
    words = ["build", str(corpus), "--out", str(tmp_path / "made"), *how]
    assert main([*words, "--json"]) == 0
    report = tmp_path / "report.json"
    report.write_text(capsys.readouterr().out)
    assert difference_to_pool(tmp_path / "made", 2, one_pool) == ""
    assert main(["predict", "--bytes", "1T", "--cores", "64", "--report", str(report)]) == 0
    assert capsys.readouterr().out.startswith("a prediction, not a measurement: ")
    assert main([*words[:-2], "--min-df", "no number"]) == 2
    assert "plan 0 on" in capsys.readouterr().err


def test_a_prediction_grows_with_bytes_and_shrinks_with_cores() -> None:
    hour = cluster.predict(10**12, 16).seconds
    assert cluster.predict(2 * 10**12, 16).seconds > 1.9 * hour
    assert cluster.predict(10**12, 64).seconds < hour / 3
    assert cluster.predict(10**12, 64, parts=1).seconds > hour  # one part is done by one core
    for bad in ((-1, 1, None), (1, 0, None), (1, 1, 0)):
        with pytest.raises(ValueError, match="expected bytes"):
            cluster.predict(bad[0], bad[1], parts=bad[2])


@pytest.mark.parametrize("bad", [{"parts": 0}, {"threads": -1}, {"group": 1}, {"sources": []}])
def test_invalid_arguments_are_refused_before_anything_begins(
    bad: dict[str, Any], executor: ProcessPoolExecutor, tmp_path: Path
) -> None:
    given = {"sources": ["x"]} | bad
    with pytest.raises(ValueError, match=next(iter(bad))):
        cluster.build(given.pop("sources"), tmp_path / "made", executor, **given)
    assert not (tmp_path / "made" / "plan.json").exists()


def test_an_executor_is_needed(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="executor: expected"):
        cluster.build("x", tmp_path, 3)


def test_parquet_addresses_and_partitions_become_the_set_of_the_same_records(executor: ProcessPoolExecutor, tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("fsspec")
    chance = random.Random(5)
    rows = [{"id": f"r{n}", "title": chance.choice(WORDS), "text": " ".join(chance.choices(WORDS, k=6)) if n % 50 else None, "year": 1990 + n % 20 if n % 7 else None} for n in range(900)]
    files = [tmp_path / "tables.v2" / f"{n}.parquet" for n in range(3)]
    files[0].parent.mkdir()
    for n, file in enumerate(files):
        parquet.write_table(pyarrow.Table.from_pylist(rows[300 * n : 300 * n + 300]), file)
    one = ink.Pool.from_files(tmp_path / "tables.v2", ngram_range=(1, 1))
    made = cluster.build(tmp_path / "tables.v2", tmp_path / "parquet", executor, parts=2, keep_text=True, ngrams=1)
    assert made.documents == 900 and "fetch" in made.costs
    address = cluster.build([f"file://{file}" for file in files], tmp_path / "address", executor, parts=4, keep_text=True, ngrams=1)
    assert address.documents == 900
    (tmp_path / "texts").mkdir()
    paths = [tmp_path / "texts" / f"{n:06}.jsonl" for n in range(3)]
    partitions = [pyarrow.Table.from_pylist(rows[300 * n : 300 * n + 300]) for n in range(3)]
    assert list(executor.map(cluster.write_source, partitions, paths)) == [str(path) for path in paths]
    cluster.build(tmp_path / "texts", tmp_path / "partitions", executor, parts=3, keep_text=True, ngrams=1)
    for name in ("parquet", "address", "partitions"):
        shards = ink.Pool.open_set(tmp_path / name / "set.json")
        X = sp.vstack([shard.X for shard in shards])
        assert X.shape == one.X.shape and (X != one.X).nnz == 0
        assert [shards[0].word(n) for n in range(X.shape[1])] == [one.word(n) for n in range(X.shape[1])]
        assert [one for shard in shards for one in shard.ids] == [row["id"] for row in rows]
        fields = [shard.fields(n) for shard in shards for n in range(len(shard))]
        assert fields == [one.fields(n) for n in range(900)]
    again = cluster.build(tmp_path / "tables.v2", tmp_path / "parquet", executor, parts=2, keep_text=True, ngrams=1)
    assert again.documents == 900  # what is made is not made again
    (tmp_path / "tables.v2" / "linked.parquet").symlink_to(files[0])
    with pytest.warns(UserWarning, match="1 links in folders were not followed"):
        assert cluster.build(tmp_path / "tables.v2", tmp_path / "linked", executor, parts=2, ngrams=1).documents == 900
    (tmp_path / "tables.v2" / "linked.parquet").unlink()
    with pytest.raises(cluster.StepError, match="expected a table with the field"):
        cluster.build(tmp_path / "tables.v2", tmp_path / "wrong", executor, text_field="body")


def test_the_page_about_parquet_in_a_store_says_what_works(executor: ProcessPoolExecutor, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its blocks, with processes in place of Dask and a folder in place of the store; INKLING_PAGE_MEGABYTES says how much (./dev gate: 200)."""
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("fsspec")
    page = (ROOT / "io" / "docs" / "large_corpora.md").read_text(encoding="utf-8")
    build, write = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    chance = random.Random(6)
    megabytes = float(os.environ.get("INKLING_PAGE_MEGABYTES", "0.45"))
    words = [f"{chance.choice(WORDS)}{int(20_000 * chance.random() ** 3)}" for _ in range(50_000)]
    texts = [" ".join(chance.choices(words, k=100)) for _ in range(200)]
    rows = int(megabytes * 1e6 / 3 / 750)
    tables = [[{"id": f"{n}-{k}", "title": " ".join(chance.choices(words, k=3)), "abstract": f"{texts[k % 200]} t{n}{k}"} for k in range(rows)] for n in range(3)]
    (tmp_path / "records").mkdir()
    for n, table in enumerate(tables):
        parquet.write_table(pyarrow.Table.from_pylist(table), tmp_path / "records" / f"{n}.parquet")
    here = {'"1G"': str(int(megabytes * 1e6 / 8)), "/shared": str(tmp_path), "s3://bucket/records": f"file://{tmp_path}/records", 'Client("tcp://scheduler:8786")': "executor"}
    for said, meant in here.items():
        assert said in page
        build, write = build.replace(said, meant), write.replace(said, meant)
    names: dict[str, Any] = {"executor": executor}
    exec(build.replace("from dask.distributed import Client\n", ""), names)
    assert capsys.readouterr().out == f"{3 * rows} documents\n"
    one = ink.Pool.from_files(tmp_path / "records", text_field="title,abstract")
    shards = ink.Pool.open_set(tmp_path / "made" / "set.json")
    X = sp.vstack([shard.X for shard in shards])
    assert len(shards) > 5 and X.shape == one.X.shape and (X != one.X).nnz == 0

    class Bag:  # of Dask, as far as the page uses it
        npartitions = 3

        def to_delayed(self) -> list[list[dict[str, Any]]]:
            return [[{"id": row["id"], "title": row["title"], "text": row["abstract"]} for row in table] for table in tables]

    class Now:
        compute = gather = staticmethod(lambda done: done)

    (tmp_path / "texts").mkdir()
    exec(write.replace("from dask import delayed\n", ""), names | {"bag": Bag(), "client": Now, "delayed": lambda function: function})
    assert cluster.build(tmp_path / "texts", tmp_path / "again", executor).documents == 3 * rows
    cluster.write_source((f"soil and word{n}" for n in range(3000)), tmp_path / "texts.jsonl")
    assert cluster.build(tmp_path / "texts.jsonl", tmp_path / "lines", executor).documents == 3000
