"""The task of a worker: one step of the program `inkling`, which makes one output, whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ._errors import StepError

# How much of the program's output an error quotes.
MOST_QUOTED = 4000


class Step(NamedTuple):
    """One run of the program, or of a function. Running it twice, at once or later, makes the same output."""

    kind: str  # "count", "build", ...
    number: int  # among those of its kind
    arguments: tuple[str, ...]
    out: str  # its output; "": it only reads
    journal: str  # the folder of its journal; "": none
    program: str | None = None
    version: str | None = None  # that the program must have; None: any
    used_up: tuple[str, ...] = ()  # files that are not needed once the output exists, in the order of their removal
    work: Callable[..., dict[str, Any]] | None = None  # a function that makes the output in place of the program

    @property
    def name(self) -> str:
        return f"{self.kind} {self.number}"


class Done(NamedTuple):
    """A step that is done: small, because it travels back to the driver."""

    kind: str
    number: int
    found: bool  # the output existed already
    wall_seconds: float
    cpu_seconds: float
    host: str
    facts: dict[str, Any]  # what the program printed about its output


def find_program(given: str | None = None) -> str:
    """The program `inkling` on this machine: the one given, INKLING_PROGRAM, beside Python, or on PATH."""
    for named in (given, os.environ.get("INKLING_PROGRAM")):
        if named:
            return named
    beside = os.path.join(os.path.dirname(sys.executable), "inkling")
    found = beside if os.access(beside, os.X_OK) else shutil.which("inkling")
    if found is None:
        place = "beside Python or on PATH, or its place in INKLING_PROGRAM"
        raise _no_program(f"expected the program inkling {place}, found none")
    return found


def _no_program(problem: str) -> StepError:
    return StepError("looking for the program", socket.gethostname(), 127, problem)


_versions: dict[str, str] = {}  # of the programs that this process has run


def program_version(program: str) -> str:
    """The output of `inkling --version`, run once in each process."""
    if program not in _versions:
        try:
            answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        except OSError as error:
            raise _no_program(f"{program}: {error.strerror}") from None
        version = answer.stdout.strip()
        if not version.startswith("inkling "):
            found = repr(version[:80]) if version else "nothing"
            text = f"expected the program inkling, found one whose --version prints {found}"
            raise _no_program(f"{program}: {text}")
        _versions[program] = version
    return _versions[program]


def run(step: Step) -> Done:
    """Runs a step. Raises StepError if the program refuses or is killed."""
    host = socket.gethostname()
    program = find_program(step.program)
    version = program_version(program)
    if step.version is not None and version != step.version:
        text = f"{program}: expected {step.version}, with which the job was begun, found {version or 'no version'}"
        raise StepError(step.name, host, 3, text)
    existed = bool(step.out) and os.path.exists(step.out)
    if not existed:
        try:
            Path(step.out).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StepError(step.name, host, 4, f"{error.filename}: {error.strerror}") from None
        note(step, {"event": "start", "host": host, "process": os.getpid(), "time": time.time()})
    start = time.monotonic()
    if step.work is not None:
        facts, cpu = _worked(step, existed, host)
    else:
        code, output, message, cpu = _wait_for([program, *step.arguments])
        if code != 0:
            raise StepError(step.name, host, code, message.strip()[-MOST_QUOTED:])
        facts = _facts(output)
    wall = time.monotonic() - start
    done = Done(step.kind, step.number, existed, wall, cpu, host, facts)
    if not existed:
        note(step, {"event": "end", "host": host, "wall": wall, "cpu": cpu, "facts": done.facts})
    for path in step.used_up:
        with suppress(OSError):  # removed already, or another user's: it only takes room
            os.unlink(path)
    return done


def _worked(step: Step, existed: bool, host: str) -> tuple[dict[str, Any], float]:
    """What the step's function says of its output, and its CPU seconds."""
    begun = time.thread_time()
    try:
        facts = {} if existed or step.work is None else step.work(*step.arguments)
    except (OSError, ValueError, ImportError) as error:
        raise StepError(step.name, host, 3, str(error)[-MOST_QUOTED:]) from None
    return facts, time.thread_time() - begun


def note(step: Step, what: dict[str, Any]) -> None:
    """Adds a line to the journal of a step. Never fails: the journal is for people."""
    if not step.journal:
        return
    try:
        Path(step.journal).mkdir(parents=True, exist_ok=True)
        path = os.path.join(step.journal, f"{step.kind}-{step.number}.jsonl")
        line = (json.dumps(what, sort_keys=True) + "\n").encode()
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            os.write(file, line)
        finally:
            os.close(file)
    except OSError:
        pass


def journal_of(folder: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """The lines of the journal, by the kind of step."""
    notes = []
    for path in sorted(Path(folder).glob("*.jsonl")) if folder else []:
        lines = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):  # a line that was being written when its machine died
                lines.append(json.loads(line))
        notes.append((path.name.split("-")[0], lines))
    return notes


def shard_paths(set_path: str) -> list[str]:
    """The paths of the shards of a set, in order."""
    record = json.loads(Path(set_path).read_text(encoding="utf-8"))
    if not isinstance(record, dict) or record.get("format") != "inkling set":
        raise StepError("looking at the set", socket.gethostname(), 3, f"{set_path}: expected an inkling set")
    folder = os.path.dirname(os.path.abspath(set_path))
    return [os.path.join(folder, shard["path"]) for shard in record["shards"]]


def _facts(output: str) -> dict[str, Any]:
    try:
        facts = json.loads(output)
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}


# A worker that is killed takes the program with it, so that nothing runs beside the worker that comes after it.
_setpriv = shutil.which("setpriv")
_WITH_THE_WORKER = [_setpriv, "--pdeathsig", "KILL"] if _setpriv else []


def _wait_for(command: list[str]) -> tuple[int, str, str, float]:
    """Exit code, what it printed on both streams, and the CPU seconds of this one run."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [*_WITH_THE_WORKER, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
        )
        assert process.stdout is not None
        try:
            output = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            process.stdout.close()
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        message = errors.read().decode(errors="replace")
    return process.returncode, output.decode(errors="replace"), message, used.ru_utime + used.ru_stime
