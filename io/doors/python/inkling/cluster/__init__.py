"""Jobs on many machines, through any `concurrent.futures.Executor`: processes, Dask, MPI.

`build` makes a set of pools, `score` ranks it, and a `LiveSearch` searches it in the workers of Dask. Every task runs one step of
the program `inkling`: from files that never change to one output that appears whole or not at all. Tasks do not communicate. The
driver and all workers see the same files.
"""

from __future__ import annotations

from ._errors import StepError, WorkerLostError
from ._jobs import build, score
from ._live import LiveChoice, LiveEvent, LiveSearch
from ._progress import Counts
from ._report import Cost, Prediction, Rates, Report, predict
from ._sources import write_source

__all__ = [
    "Cost",
    "Counts",
    "LiveChoice",
    "LiveEvent",
    "LiveSearch",
    "Prediction",
    "Rates",
    "Report",
    "StepError",
    "WorkerLostError",
    "build",
    "predict",
    "score",
    "write_source",
]
