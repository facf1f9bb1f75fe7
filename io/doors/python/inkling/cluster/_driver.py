"""The driver: submits steps to an executor, follows them up as they end, and stops at the first that is refused."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any

from ._errors import StepError, WorkerLostError
from ._progress import ProgressLine
from ._task import Done, Step, run

MOST_TRIES = 3  # of a step whose program is killed, for example for want of memory
EVERY = 0.25  # seconds between two looks at the clock and at Ctrl-C
PATIENCE = 600.0  # seconds to wait for a worker if there is none


def executor_of(executor: Any) -> Executor:
    """An executor, or that of a client of Dask. Dask must not cache tasks, so each has a new key."""
    if isinstance(executor, Executor):
        return executor
    if hasattr(executor, "get_executor"):
        made: Executor = executor.get_executor(pure=False)
        return made
    if not hasattr(executor, "submit"):
        expectation = f"expected a concurrent.futures.Executor or a client of Dask, found {executor!r}"
        raise TypeError(f"executor: {expectation}")
    return executor  # type: ignore[no-any-return]


class WorkerWatch:
    """How long there has been no worker. Only a client of Dask can say that: other executors end by themselves."""

    def __init__(self, executor: Any, patience: float) -> None:
        client = executor if hasattr(executor, "nthreads") else getattr(executor, "_client", None)
        self._client = client if hasattr(client, "nthreads") else None
        self._patience = patience
        self._seen = self._looked = time.monotonic()

    def look(self) -> str:
        """The problem; "" if there is none, or if it may still pass."""
        now = time.monotonic()
        if self._client is None or now - self._looked < min(2.0, self._patience / 4):
            return ""
        try:
            there = bool(self._client.nthreads())
        except Exception:  # of Dask: its scheduler does not answer
            there = False
        self._looked = time.monotonic()
        if there:
            self._seen = self._looked
        if self._looked - self._seen <= self._patience:
            return ""
        return f"no worker was there for {self._patience:g} seconds"


def _is_of_the_executor(error: Exception) -> bool:
    of = type(error).__module__.split(".")[0]
    return isinstance(error, (BrokenExecutor, CancelledError)) or of in ("distributed", "mpi4py")


class Driver:
    """Steps in flight, and what follows each. One thread."""

    def __init__(self, executor: Any, line: ProgressLine, patience: float = PATIENCE) -> None:
        self.executor = executor_of(executor)
        self._watch = WorkerWatch(executor, patience)
        self.line = line
        self.done: list[Done] = []
        self.tries = 0
        self._ended: queue.SimpleQueue[Future[Done]] = queue.SimpleQueue()
        self._in_flight: dict[Future[Done], tuple[Step, Callable[[Done], None], int]] = {}

    def submit(self, step: Step, then: Callable[[Done], None] = lambda _: None, tries: int = 1) -> None:
        """Submits a step; `then` is called in the driver's thread when it is done."""
        if tries == 1:
            self.line.plan(step.kind)
        self.tries += 1
        try:
            future: Future[Done] = self.executor.submit(run, step)
        except RuntimeError as error:  # a BrokenExecutor is one, too
            raise self._lost(step, error) from error
        self._in_flight[future] = (step, then, tries)
        future.add_done_callback(self._ended.put)

    def result_of(self, step: Step) -> Done:
        """Does one step and all others that are in flight."""
        results: list[Done] = []
        self.submit(step, results.append)
        self.run()
        return results[0]

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function in a worker, for what only workers can see."""
        try:
            future: Future[Any] = self.executor.submit(function, *arguments)
        except RuntimeError as error:
            raise self._gone(f"{type(error).__name__}: {error}") from error
        while True:
            try:
                return future.result(timeout=EVERY)
            except (TimeoutError, FutureTimeoutError):
                if future.done():
                    raise
                if reason := self._watch.look():
                    future.cancel()
                    raise self._gone(reason) from None

    def run(self) -> None:
        """Waits until nothing is in flight. Raises StepError and WorkerLostError, and cancels what did not begin."""
        try:
            while self._in_flight:
                try:
                    future = self._ended.get(timeout=EVERY)
                except queue.Empty:
                    self.line.show()
                    if reason := self._watch.look():
                        raise self._gone(reason) from None
                    continue
                self._end(future)
        except BaseException:
            self._take_back()
            raise

    def _end(self, future: Future[Done]) -> None:
        step, then, tries = self._in_flight.pop(future)
        try:
            done = future.result()
        except StepError as error:
            if not error.was_killed or tries >= MOST_TRIES:
                raise
            self.submit(step, then, tries + 1)
            return
        except Exception as error:
            if _is_of_the_executor(error):
                raise self._lost(step, error) from error
            raise
        self.done.append(done)
        self.line.count(done)
        then(done)

    def _take_back(self) -> None:
        for future in self._in_flight:
            future.cancel()
        self._in_flight.clear()

    def _gone(self, reason: str) -> WorkerLostError:
        kept = f"{len(self.done)} steps are done and kept; the same call does what is missing"
        return WorkerLostError(f"{reason}. {kept}")

    def _lost(self, step: Step, error: BaseException) -> WorkerLostError:
        return self._gone(f"{step.name}: {type(error).__name__}: {error}")


def merge_in_groups(
    driver: Driver,
    leaves: int,
    group: int,
    path_of_leaf: Callable[[int], str],
    step_of: Callable[[int, int, Sequence[str]], Step],
    whole: Callable[[str], None],
) -> Callable[[int], None]:
    """A tree of merges over leaves that are done in any order. Returns a function to call when a leaf is done.

    The numbers of the leaves alone decide what is merged, so a driver that starts again finds its merges.
    `step_of(level, index, paths)` makes a step; `whole` is called with the path of the root.
    """
    paths: dict[tuple[int, int], str] = {}
    widths = [leaves]
    while widths[-1] > 1:
        widths.append(-(-widths[-1] // group))

    def is_done(level: int, index: int, path: str) -> None:
        if level + 1 == len(widths):
            whole(path)
            return
        paths[level, index] = path
        above = index // group
        members = range(above * group, min((above + 1) * group, widths[level]))
        found = [paths[level, member] for member in members if (level, member) in paths]
        if len(found) < len(members):
            return
        if len(members) == 1:  # a last leaf without others needs no merge
            is_done(level + 1, above, found[0])
            return
        step = step_of(level + 1, above, found)
        driver.submit(step, lambda _: is_done(level + 1, above, step.out))

    return lambda leaf: is_done(0, leaf, path_of_leaf(leaf))


class Clock:
    """Seconds of the driver: wall time, and the time in which it worked itself."""

    def __init__(self) -> None:
        self._wall = time.monotonic()
        self._cpu = time.process_time()

    def wall(self) -> float:
        return time.monotonic() - self._wall

    def cpu(self) -> float:
        return time.process_time() - self._cpu
