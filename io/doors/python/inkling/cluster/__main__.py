"""python -m inkling.cluster build|score|predict: jobs on many machines, from a terminal."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import Rates, StepError, WorkerLostError, build, predict, score

UNITS = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def _bytes(text: str) -> int:
    unit = UNITS.get(text[-1:].upper(), 1)
    return int(float(text[:-1] if unit > 1 else text) * unit)


@contextmanager
def _executor(given: argparse.Namespace) -> Iterator[Any]:
    if given.dask:
        import distributed

        client: Any = distributed.Client(given.dask)  # type: ignore[no-untyped-call]
        with client:
            yield client
    elif given.mpi:
        from mpi4py.futures import MPIPoolExecutor

        with MPIPoolExecutor() as executor:
            yield executor
    else:
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(given.processes or os.cpu_count()) as executor:
            yield executor


def _parser() -> argparse.ArgumentParser:
    running = argparse.ArgumentParser(add_help=False)
    where = running.add_mutually_exclusive_group()
    where.add_argument(
        "--processes", type=int, metavar="N", help="on this machine (default: one for each core)"
    )
    where.add_argument("--dask", metavar="ADDRESS", help="the scheduler of Dask, host:8786")
    where.add_argument("--mpi", action="store_true", help="under mpirun ... python -m mpi4py.futures")
    running.add_argument(
        "--out", required=True, metavar="FOLDER", help="the output; what exists there is kept"
    )
    running.add_argument("--memory", help="of each step: 1G")
    running.add_argument("--threads", type=int, default=1, help="of each step (default 1)")
    running.add_argument("--program", help="the program inkling on each machine")
    running.add_argument(
        "--json", action="store_true", help="the report as JSON; a prediction takes rates from it"
    )
    parser = argparse.ArgumentParser(prog="python -m inkling.cluster", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("build", parents=[running], help="a set of pools from sources")
    building.epilog = "other options are those of inkling parts plan"
    building.add_argument("sources", nargs="+", metavar="SOURCE")
    building.add_argument("--parts", type=int)
    building.add_argument("--part-size", metavar="SIZE")
    building.add_argument("--verify", action="store_true", help="read every byte of each new shard again")
    scoring = commands.add_parser("score", parents=[running], help="the best documents of a set")
    scoring.epilog = "other options are those of inkling parts learn"
    scoring.add_argument("set_file", metavar="SET")
    scoring.add_argument("--events", action="append", required=True, metavar="FILE")
    scoring.add_argument("--top", type=int, default=10)
    scoring.add_argument("--explain", action="store_true")
    scoring.add_argument("--format", default="jsonl")
    predicting = commands.add_parser("predict", help="how long a build may take")
    predicting.add_argument("--bytes", type=_bytes, required=True, help="of the sources: 1T, 200G")
    predicting.add_argument("--cores", type=int, required=True)
    predicting.add_argument("--parts", type=int)
    predicting.add_argument("--report", help="the output of build --json, for its rates")
    return parser


def _others(words: Sequence[str]) -> dict[str, Any]:
    """Options of the program such as --min-df 2 --keep-text, as keyword arguments."""
    options: dict[str, Any] = {}
    name = None
    for word in words:
        if word.startswith("--"):
            name, _, value = word[2:].partition("=")
            name = name.replace("-", "_")
            options[name] = value or True
        elif name is not None and options[name] is True:
            options[name] = word
        else:
            raise SystemExit(f"python -m inkling.cluster: unexpected argument {word!r}")
    return options


def _rates_of(path: str) -> Rates:
    report = json.loads(Path(path).read_text(encoding="utf-8"))
    costs = {kind: cost["cpu_seconds"] for kind, cost in report["costs"].items()}
    return Rates(
        count=report["bytes"] / costs["count"],
        build=report["bytes"] / costs["build"],
        merge=costs.get("merge", 0.0) / report["parts"],
        overhead=report["driver_seconds"],
    )


def main(words: Sequence[str] | None = None) -> int:
    given, others = _parser().parse_known_args(words)
    if given.command == "predict":
        if others:
            raise SystemExit(f"python -m inkling.cluster predict: unexpected argument {others[0]!r}")
        rates = _rates_of(given.report) if given.report else None
        print(predict(given.bytes, given.cores, parts=given.parts, rates=rates))
        return 0
    same = {"memory": given.memory, "threads": given.threads, "program": given.program} | _others(others)
    try:
        with _executor(given) as executor:
            if given.command == "build":
                cutting = {"parts": given.parts, "part_size": given.part_size, "verify": given.verify}
                report = build(given.sources, given.out, executor, **cutting, **same)
            else:
                shown = {"top": given.top, "explain": given.explain, "format": given.format}
                report = score(given.set_file, given.events, executor, out=given.out, **shown, **same)
    except (StepError, WorkerLostError) as error:
        print(f"inkling.cluster: {error}", file=sys.stderr)
        return error.exit_code if isinstance(error, StepError) and error.exit_code > 0 else 1
    print(json.dumps(report.to_dict()) if given.json else report)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
