"""The two jobs: a set of pools from sources, and the best documents of a set for every reader."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from ._driver import PATIENCE, Clock, Driver, merge_in_groups
from ._progress import Counts, ProgressLine
from ._report import Report, report_of
from ._sources import fetch, fetched_files
from ._task import Done, Step, find_program, journal_of, program_version, shard_paths

Progress = bool | Callable[[Counts], None] | None
Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def _paths(given: Paths, name: str) -> list[str]:
    paths = [given] if isinstance(given, (str, os.PathLike)) else list(given)
    if not paths:
        raise ValueError(f"{name}: expected at least one path")
    texts = [os.fspath(path) for path in paths]
    return [path if "://" in path else os.path.abspath(path) for path in texts]


def _options(given: dict[str, Any]) -> list[str]:
    """keep_text=True, min_df=2, ngrams=(1, 2) as --keep-text --min-df 2 --ngrams 1,2."""
    words = []
    for name, value in given.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            several = isinstance(value, (list, tuple))
            words.append(",".join(map(str, value)) if several else str(value))
    return words


def _count_of(value: int, name: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name}: expected a whole number from {least}, got {value!r}")
    return value


class _Job:
    """What the steps of one job share."""

    def __init__(
        self,
        out: str | os.PathLike[str],
        executor: Any,
        program: str | None,
        progress: Progress,
        running: list[str],
        patience: float,
    ) -> None:
        self.clock = Clock()
        self.out = os.path.abspath(os.fspath(out))
        self.line = ProgressLine(progress)
        self.driver = Driver(executor, self.line, patience)
        self.program = program
        self.version = self.driver.call(_version_of, program)
        self.running = running

    def path(self, *names: str) -> str:
        return os.path.join(self.out, *names)

    def counts_of(self, part: int) -> str:
        return self.path("counts", str(part))

    def step(self, kind: str, number: int, out: str, *arguments: str, used_up: tuple[str, ...] = ()) -> Step:
        journal = self.path("journal")
        return Step(kind, number, arguments, out, journal, self.program, self.version, used_up)

    def report(self, parts: int, *, size: int, documents: int) -> Report:
        self.line.finish()
        driver = self.driver
        journal = driver.call(journal_of, self.path("journal"))
        wall, cpu, retried = self.clock.wall(), self.clock.cpu(), driver.tries - len(driver.done)
        took = {"retried": retried, "wall_seconds": wall, "driver_seconds": cpu / max(len(driver.done), 1)}
        what = {"out": self.out, "parts": parts, "bytes": size, "documents": documents}
        return report_of(driver.done, journal, **what, **took)


def _version_of(program: str | None) -> str:
    return program_version(find_program(program))


def build(
    sources: Paths,
    out: str | os.PathLike[str],
    executor: Any,
    *,
    parts: int | None = None,
    part_size: int | str | None = None,
    memory: str | None = None,
    threads: int = 1,
    group: int = 16,
    verify: bool = False,
    program: str | None = None,
    progress: Progress = None,
    patience: float = PATIENCE,
    **recipe: Any,
) -> Report:
    """Make a set of pools, `out/set.json`, from sources that all workers see, by the steps of `inkling` in parts.

    The rows of the set are to the last bit those of one pool that is built at once. Output that exists in `out` is not
    made again, so after any crash the same call does the rest; a shard that exists is read whole, and refused if it is
    damaged. While it runs, `out/counts` takes about 0.35 bytes for each byte of text, so that no text is cut into words twice.

    Parameters
    ----------
    sources : path or list of paths
        Files, folders and archives. Parquet files, folders of them and addresses that fsspec knows ("s3://bucket/folder") are read
        by the workers, which make `out/sources` of them; `write_source` makes sources of other tables.
    out : str or path
        The folder of the job.
    executor : Executor or Client
        Of concurrent.futures (ProcessPoolExecutor, MPIPoolExecutor of mpi4py), or a client of Dask.
    parts : int, optional
        At most so many parts.
    part_size : int or str, optional
        Without `parts`: about how large each is; by default "1G".
    memory : str, optional
        Of each step.
    threads : int, default 1
        Of each step.
    group : int, default 16
        How many counts are merged at once.
    verify : bool, default False
        Whether every byte of each new shard is read again.
    program : str, optional
        The program `inkling`; by default it is searched for.
    progress : bool or callable, optional
        True for a line on the terminal, or a function of `Counts`.
    patience : float, default 600
        For how many seconds Dask may have no worker.
    **recipe
        The options of `inkling parts plan`, with _ in place of -: keep_text=True, min_df=2, ngrams=(1, 2).

    Returns
    -------
    Report
        What it took.

    Raises
    ------
    StepError
        If the program refuses a step.
    WorkerLostError
        If the executor ends, or Dask has had no worker for too long.

    Examples
    --------
    Threads are enough on one machine, because the program does the work; many machines need an executor of Dask or MPI.

    >>> import pathlib, tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from inkling import cluster
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "notes.txt").write_text("dig the soil\\nthe sea is cold\\nsoil and rain\\n")
    >>> with ThreadPoolExecutor(2) as executor:
    ...     report = cluster.build(folder / "notes.txt", folder / "made", executor, parts=2)
    >>> report.documents
    3
    """
    _count_of(threads, "threads", 0)
    _count_of(group, "group", 2)
    if parts is not None:
        _count_of(parts, "parts", 1)
    running = ["--threads", str(threads)] + ([] if memory is None else ["--memory", memory])
    job = _Job(out, executor, program, progress, running, patience)
    driver, plan = job.driver, job.path("plan.json")
    given = _read_first(job, _paths(sources, "sources"), recipe)
    cutting = _options({"parts": parts, "part_size": part_size})
    planning = ["parts", "plan", *given, *cutting, *_options(recipe), "--out", plan, "--json"]
    planned = driver.result_of(job.step("plan", 0, plan, *planning))
    count = int(planned.facts["parts"])
    documents = [0] * count

    def build_all(counts: str) -> None:
        for part in range(count):
            driver.submit(_building(job, plan, counts, part), built)

    def built(done: Done) -> None:
        documents[done.number] = int(done.facts.get("documents", 0))
        if verify and not done.found:
            shard = job.path("shards", str(done.number))
            driver.submit(job.step("verify", done.number, "", "verify", shard))

    counted = merge_in_groups(driver, count, group, job.counts_of, partial(_merging, job), build_all)
    for part in range(count):
        driver.submit(_counting(job, plan, part), lambda done: counted(done.number))
    driver.run()
    shards = [job.path("shards", str(part)) for part in range(count)]
    set_file = job.path("set.json")
    driver.result_of(job.step("join", 0, set_file, "parts", "join", *shards, "--out", set_file, "--json"))
    return job.report(count, size=int(planned.facts.get("bytes", 0)), documents=sum(documents))


def _read_first(job: _Job, sources: list[str], recipe: dict[str, Any]) -> list[str]:
    """The sources of the program: in place of each that it cannot read, what a worker makes of it in `out/sources`."""
    names, links = job.driver.call(fetched_files, sources, bool(recipe.get("follow_links", False)))
    if links:
        warnings.warn(f"{links} links in folders were not followed (follow_links=True follows them)", stacklevel=3)
    text = recipe.get("text_field") or "text"
    outs = []
    for number, name in enumerate(names):
        if name is None:
            outs.append(sources[number])
            continue
        base = os.path.basename(name.rstrip("/").split("?")[0]) or "source"
        is_table = base.lower().endswith((".parquet", ".pq"))
        outs.append(job.path("sources", f"{number:09}-{base}" + (".jsonl" if is_table else "")))
        of_job = (job.path("journal"), job.program, job.version)
        job.driver.submit(Step("fetch", number, (name, outs[-1], text), outs[-1], *of_job, work=fetch))
    job.driver.run()
    return outs


def _counting(job: _Job, plan: str, part: int) -> Step:
    out = job.counts_of(part)
    arguments = [plan, "--part", str(part), "--keep-rows", "--out", out, "--json"]
    return job.step("count", part, out, "parts", "count", *arguments, *job.running)


def _merging(job: _Job, level: int, index: int, paths: Sequence[str]) -> Step:
    out = job.path("counts", f"merged-{level}-{index}")
    return job.step("merge", level * 1_000_000 + index, out, "parts", "merge", *paths, "--out", out, "--json")


def _building(job: _Job, plan: str, counts: str, part: int) -> Step:
    """If the rows of the part were removed, because its shard existed once, its text is cut into words again."""
    out, own = job.path("shards", str(part)), job.counts_of(part)
    arguments = [plan, "--part", str(part), "--counts", counts, "--rows", own, "--out", out, "--json"]
    rows = (os.path.join(own, "rows.json"), os.path.join(own, "rows.bin"))
    return job.step("build", part, out, "parts", "build", *arguments, *job.running, used_up=rows)


def score(
    set_file: str | os.PathLike[str],
    events: Paths,
    executor: Any,
    *,
    out: str | os.PathLike[str],
    top: int = 10,
    explain: bool = False,
    format: str = "jsonl",
    memory: str | None = None,
    threads: int = 1,
    program: str | None = None,
    progress: Progress = None,
    patience: float = PATIENCE,
    **learning: Any,
) -> Report:
    """Find the best documents of a set for every file of events: what `inkling score SET` prints, byte for byte.

    With one file of events they are in `out/scores.FORMAT`, with several in `out/scores/NAME.FORMAT`. Errors are those of `build`.

    Parameters
    ----------
    set_file : str or path
        The file `set.json`.
    events : path or list of paths
        A file for each person.
    executor : Executor or Client
        As in `build`.
    out : str or path
        A folder for these events alone: others are refused there, and output that exists is not made again.
    top : int, default 10
        How many documents for each.
    explain : bool, default False
        Whether to add the words that made each score.
    format : str, default "jsonl"
        One of `inkling score --format`.
    memory : str, optional
        Of each step.
    threads : int, default 1
        Of each step.
    program : str, optional
        As in `build`.
    progress : bool or callable, optional
        As in `build`.
    patience : float, default 600
        As in `build`.
    **learning
        The options of `inkling parts learn`, with _ in place of -: policy="ff-oful", noise=0.5.

    Returns
    -------
    Report
        What it took.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from inkling import cluster
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "notes.txt").write_text("dig the soil\\nthe sea is cold\\nsoil and rain\\n")
    >>> _ = (folder / "me.jsonl").write_text('{"document": 0, "reward": 1}\\n')
    >>> with ThreadPoolExecutor(2) as executor:
    ...     _ = cluster.build(folder / "notes.txt", folder / "made", executor, parts=2)
    ...     _ = cluster.score(folder / "made/set.json", folder / "me.jsonl", executor, out=folder / "best", top=1)
    >>> (folder / "best/scores.jsonl").read_text().split(",")[0]
    '{"document":2'
    """
    _count_of(top, "top", 1)
    _count_of(threads, "threads", 0)
    running = ["--threads", str(threads)] + ([] if memory is None else ["--memory", memory])
    job = _Job(out, executor, program, progress, running, patience)
    driver = job.driver
    the_set = os.path.abspath(os.fspath(set_file))
    users = _paths(events, "events")
    model = job.path("model")
    logs = [word for path in users for word in ("--events", path)]
    how = ["parts", "learn", the_set, *logs, "--out", model, *_options(learning), *job.running]
    driver.result_of(job.step("learn", 0, model, *how))
    shards: list[str] = driver.call(shard_paths, the_set)
    parts = [job.path("parts", str(number)) for number in range(len(shards))]
    how = ["--set", the_set, "--top", str(top), *(["--explain"] if explain else []), *job.running]
    for number, (shard, part) in enumerate(zip(shards, parts, strict=True)):
        scoring = ["parts", "score", shard, "--model", model, *how, "--out", part]
        driver.submit(job.step("score", number, part, *scoring))
    driver.run()
    single = len(users) == 1
    printed = job.path(f"scores.{format}" if single else "scores")
    where = ["--out", printed, *([] if single else ["--split"])]
    how = ["--top", str(top), "--format", format, *(["--explain"] if explain else []), *where]
    driver.result_of(job.step("print", 0, printed, "parts", "merge-scores", *parts, *how))
    return job.report(len(shards), size=0, documents=0)
