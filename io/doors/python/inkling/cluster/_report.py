"""The cost of a job, and a prediction for another one."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from ._task import Done


@dataclass(frozen=True)
class Cost:
    """The cost of all steps of one kind, over all calls that did a part of the job.

    Parameters
    ----------
    steps : int
        How many.
    cpu_seconds : float
        Of all of them.
    wall_seconds : float
        Of all of them.
    longest : float
        Wall seconds of the slowest step.

    Examples
    --------
    >>> from inkling.cluster import Cost
    >>> Cost(steps=2, cpu_seconds=3.0).cpu_seconds / 2
    1.5
    """

    steps: int = 0
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    longest: float = 0.0


@dataclass(frozen=True)
class Report:
    """The result of a job. `print(report)` shows it in lines.

    Parameters
    ----------
    out : str
        The folder of the job.
    parts : int
        How many parts there are.
    made : int
        Steps whose output this call made.
    found : int
        Steps whose output existed already.
    made_again : int
        Steps that were begun more than once, because a worker died.
    retried : int
        Steps whose program was killed and that the driver submitted again.
    bytes : int
        Of the sources; 0 for scores.
    documents : int
        How many there are.
    wall_seconds : float
        Of this call.
    driver_seconds : float
        CPU of the driver's process in this call, per step.
    hosts : int
        How many machines took part.
    costs : dict of str to Cost
        By kind of step.

    Examples
    --------
    >>> from inkling.cluster import Cost, Report
    >>> costs = {"count": Cost(2, 1.0), "build": Cost(2, 3.0)}
    >>> report = Report("made", 2, 6, 0, 0, 0, 10**6, 1000, 2.5, 0.01, 1, costs)
    >>> report.one_core_seconds
    4.0
    """

    out: str
    parts: int
    made: int
    found: int
    made_again: int
    retried: int
    bytes: int
    documents: int
    wall_seconds: float
    driver_seconds: float
    hosts: int
    costs: dict[str, Cost] = field(default_factory=dict)

    @property
    def cpu_seconds(self) -> float:
        """Of all steps, over all calls."""
        return sum(cost.cpu_seconds for cost in self.costs.values())

    @property
    def one_core_seconds(self) -> float | None:
        """A prediction: what one build at once would take on one core of these machines, at most.

        Both passes together do what one build does, so their CPU seconds are taken for it. Each of the steps begins
        anew and meets the words of the corpus again, so parts of a few megabytes make this too large.
        """
        if "count" not in self.costs or "build" not in self.costs:
            return None
        return self.costs["count"].cpu_seconds + self.costs["build"].cpu_seconds

    def to_dict(self) -> dict[str, Any]:
        """Return all of it for JSON.

        Returns
        -------
        dict
            Every number by its name.
        """
        return asdict(self) | {"cpu_seconds": self.cpu_seconds, "one_core_seconds": self.one_core_seconds}

    def _size(self) -> str:
        parts = f"{self.parts:,} parts"
        return f"{self.documents:,} documents in {parts}, {self.bytes:,} bytes" if self.bytes else parts

    def __str__(self) -> str:
        lines = [
            f"{self.out}: {self._size()}",
            f"  steps: {self.made:,} made, {self.found:,} found made already, {self.made_again:,} made again",
            f"  took {self.wall_seconds:.1f} s, {self.hosts} hosts, driver {1000 * self.driver_seconds:.1f} ms a step",
        ]
        for kind, cost in self.costs.items():
            lines.append(
                f"  {kind}: {cost.steps:,} steps, {cost.cpu_seconds:.1f} CPU seconds, the slowest {cost.longest:.1f} s"
            )
        if self.one_core_seconds:
            lines.append(
                f"  in all {self.cpu_seconds:.1f} CPU seconds; one machine, one core, at once: at most about "
                f"{self.one_core_seconds:.1f} s (a prediction: the CPU seconds of both passes)"
            )
        return "\n".join(lines)


@dataclass(frozen=True)
class Rates:
    """What one core does.

    The defaults are those by which `inkling parts plan` predicts.

    Parameters
    ----------
    count : float
        Bytes of text a second in the first pass.
    build : float
        Bytes of text a second in the second pass.
    merge : float
        Seconds to merge the counts of one part.
    overhead : float
        Seconds of the driver for a step.

    Examples
    --------
    >>> from inkling.cluster import Rates, predict
    >>> slow = Rates(count=100e6, build=50e6)
    >>> predict(10**12, 64, rates=slow).seconds > predict(10**12, 64).seconds
    True
    """

    count: float = 450e6
    build: float = 188e6
    merge: float = 0.2
    overhead: float = 0.03

    @classmethod
    def of(cls, report: Report) -> Rates:
        """Measure them in a build that lost no worker.

        Parameters
        ----------
        report : Report
            Its report.

        Returns
        -------
        Rates
            Those of that job.
        """
        costs = report.costs
        if not report.bytes or "count" not in costs or "build" not in costs:
            raise ValueError("report: expected that of a build that made its counts and shards")
        merge = costs.get("merge")
        return cls(
            count=report.bytes / max(costs["count"].cpu_seconds, 1e-9),
            build=report.bytes / max(costs["build"].cpu_seconds, 1e-9),
            merge=merge.cpu_seconds / max(report.parts, 1) if merge else cls.merge,
            overhead=report.driver_seconds,
        )


@dataclass(frozen=True)
class Prediction:
    """How long a build may take: computed from rates, not measured.

    Parameters
    ----------
    seconds : float
        The prediction.
    bytes : int
        Of the sources.
    parts : int
        How many parts.
    workers : int
        How many cores.
    rates : Rates
        By which it was computed.
    formula : str
        How.

    Examples
    --------
    >>> from inkling.cluster import predict
    >>> predict(10**12, workers=64, parts=1000).parts
    1000
    """

    seconds: float
    bytes: int
    parts: int
    workers: int
    rates: Rates
    formula: str

    def __str__(self) -> str:
        return (
            f"a prediction, not a measurement: {self.seconds:,.0f} s for {self.bytes:,} bytes in {self.parts:,} parts "
            f"on {self.workers:,} cores\n  {self.formula}\n  with {self.rates}"
        )


def predict(
    size: int, workers: int, *, parts: int | None = None, rates: Rates | None = None, group: int = 16
) -> Prediction:
    """Predict the seconds that a build may take, if disks keep up.

    Parameters
    ----------
    size : int
        Bytes of the sources.
    workers : int
        How many cores.
    parts : int, optional
        How many parts; by default of 1 GiB each.
    rates : Rates, optional
        What one core does.
    group : int, default 16
        How many counts are merged at once.

    Returns
    -------
    Prediction
        The seconds, and the formula.

    Examples
    --------
    >>> from inkling.cluster import predict
    >>> print(str(predict(10**12, workers=64)).split(":")[0])
    a prediction, not a measurement
    """
    if size < 0 or workers < 1 or (parts is not None and parts < 1):
        raise ValueError("size, workers, parts: expected bytes, and at least one worker and part")
    rates = rates or Rates()
    parts = parts or max(1, math.ceil(size / 2**30))
    part = size / parts
    waves = math.ceil(parts / workers)
    passes = waves * part * (1 / rates.count + 1 / rates.build)
    merging, width = 0.0, parts
    while width > 1:
        rows = math.ceil(width / group)
        # A merge reads what `group` merges below wrote; the words of more parts are hardly more words.
        merging += math.ceil(rows / workers) * min(group, width) * rates.merge
        width = rows
    driving = 2 * parts * rates.overhead
    formula = (
        "max(ceil(parts / cores) x bytes of a part x (1 / count + 1 / build), 2 x parts x overhead) "
        f"+ merges of {group} on each level"
    )
    return Prediction(max(passes, driving) + merging, size, parts, workers, rates, formula)


def report_of(done: list[Done], journal: list[tuple[str, list[dict[str, Any]]]], **others: Any) -> Report:
    """The report of the steps of this call, and of all calls in the journal. `others`: the rest of it."""
    costs: dict[str, Cost] = {}
    again = 0
    hosts = set()
    for kind, lines in journal:
        starts = [line for line in lines if line.get("event") == "start"]
        ends = [line for line in lines if line.get("event") == "end"]
        again += len(starts) > 1
        hosts |= {str(line.get("host")) for line in starts}
        before = costs.get(kind, Cost())
        costs[kind] = Cost(
            before.steps + bool(ends),
            before.cpu_seconds + sum(float(line["cpu"]) for line in ends),
            before.wall_seconds + sum(float(line["wall"]) for line in ends),
            max([before.longest, *(float(line["wall"]) for line in ends)]),
        )
    order = ["fetch", "plan", "count", "merge", "build", "verify", "join", "learn", "score", "print"]
    kinds = sorted(costs, key=lambda kind: order.index(kind) if kind in order else 99)
    in_order = {kind: costs[kind] for kind in kinds}
    found = sum(one.found for one in done)
    others |= {"made": len(done) - found, "found": found, "made_again": again, "hosts": max(len(hosts), 1)}
    return Report(**others, costs=in_order)
