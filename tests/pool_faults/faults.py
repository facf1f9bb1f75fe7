#!/usr/bin/env python3
"""faults.py PROGRAM SHIM [--short]: makes `inkling` fail at its first, second, third ... system call and allocation.

Each scenario runs until it passes without the fault, and after each run the promises are checked: the target is what it
was or the whole new one, the exit code says which, the message says where, nothing else is left, and a next run works as
usual. Prints a table of tries and failures. --short tries only some of the numbers. Exit code 1 where a promise is broken.
"""

import concurrent.futures
import errno
import filecmp
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

EVER = 1_000_000_000
LAST = 12
NO_EXCHANGE = f"exchange {errno.EINVAL} 1 {EVER}"

# name, call, action, whether it goes on, what else is wrong all the time, how far apart the numbers are that are tried
# by the long form and by --short
FAULTS = [
    *((f"kill at {call}", call, "kill", False, "", 1, 4)
      for call in ("write", "read", "open", "close", "fsync", "rename", "mkdir", "unlink", "flock", "mmap")),
    ("kill at rename, no exchange", "rename", "kill", False, NO_EXCHANGE, 1, 1),
    ("kill at unlink, no exchange", "unlink", "kill", False, NO_EXCHANGE, 1, 3),
    ("disk full from a write on", "write", errno.ENOSPC, True, "", 1, 3),
    ("disk full at one write", "write", errno.ENOSPC, False, "", 1, 3),
    ("disk full at mkdir", "mkdir", errno.ENOSPC, False, "", 1, 1),
    ("EIO at write", "write", errno.EIO, False, "", 1, 5),
    ("EIO at read", "read", errno.EIO, False, "", 1, 5),
    ("EIO at fsync", "fsync", errno.EIO, False, "", 1, 2),
    ("EIO at close", "close", errno.EIO, False, "", 1, 5),
    ("EIO at unlink", "unlink", errno.EIO, False, "", 1, 3),
    ("EIO at rename", "rename", errno.EIO, False, "", 1, 1),
    ("EIO at rename, no exchange", "rename", errno.EIO, False, NO_EXCHANGE, 1, 1),
    ("EIO at fsync, no exchange", "fsync", errno.EIO, False, NO_EXCHANGE, 1, 2),
    ("EMFILE at open", "open", errno.EMFILE, False, "", 1, 3),
    ("EMFILE from an open on", "open", errno.EMFILE, True, "", 1, 3),
    ("ENOMEM at mmap", "mmap", errno.ENOMEM, False, "", 1, 3),
    ("EIO at flock", "flock", errno.EIO, False, "", 1, 1),
    ("an allocation", "new", errno.ENOMEM, False, "", 1, 41),
    ("an allocation in C", "malloc", errno.ENOMEM, False, "", 1, 53),
    ("all allocations from one on", "new", errno.ENOMEM, True, "", 10, 97),
]

# Faults that must make no difference at all.
HARMLESS = [
    ("EINTR at every second call", [f"{call} {errno.EINTR} 1 {EVER}" for call in ("write", "read", "fsync", "flock")]),
    ("EINTR at every second close", [f"close {errno.EINTR} 1 {EVER}"]),
    ("short reads and writes", [f"{call} short 1 {EVER}" for call in ("write", "read")]),
    ("no locks", [f"flock {errno.ENOLCK} 1 {EVER}"]),
    ("no exchange", [NO_EXCHANGE]),
]

OLD_TEXT = "the quick brown fox\njumps over\n\nthe lazy dog\n"
NEW_TEXT = "pack my box with\nfive dozen liquor jugs\nthe end\n"
EVENTS = '{"document": 0, "reward": 1, "features": ["fox"]}\n'


class Scenario:
    """A command, its outputs, what was there before, and the state of the cache for the record that a pool was checked: None
    is no cache, "empty" a cache without the record, "kept" one with it."""

    def __init__(self, name, arguments, targets, before, bad=None, cache=None):
        self.name, self.arguments, self.targets, self.before, self.bad = name, arguments, targets, before, bad
        self.cache = cache


# One thread, so that the calls come in the same order each time.
BUILD = ["build", "new.txt", "--format", "lines", "--threads", "1", "--out", "pool"]
BAD_BUILD = ["build", "bad.txt", "--format", "lines", "--bad-bytes", "error", "--threads", "1", "--out", "pool"]
SCORE = ["score", "old", "--events", "e.jsonl", "--threads", "1", "--out", "scores"]
SCENARIOS = [
    Scenario("build", BUILD, ["pool"], {}, BAD_BUILD),
    Scenario("build over an old pool", BUILD, ["pool"], {"pool": "old"}, BAD_BUILD),
    Scenario("add", ["add", "old", "new.txt", "--format", "lines", "--out", "pool"], ["pool"], {}),
    Scenario("build of a matrix", ["build", "m.svm", "--threads", "1", "--out", "pool"], ["pool"], {"pool": "old"}),
    Scenario("score", SCORE, ["scores"], {"scores": "old.txt"}),
    Scenario("score, which records", SCORE, ["scores"], {"scores": "old.txt"}, cache="empty"),
    Scenario("score by a record", SCORE, ["scores"], {"scores": "old.txt"}, cache="kept"),
    Scenario("learn", ["parts", "learn", "old", "--events", "e.jsonl", "--threads", "1", "--out", "model"], ["model"], {}),
    Scenario("score by a model", ["parts", "score", "old", "--model", "taught", "--threads", "1", "--out", "part"], ["part"], {}),
    Scenario("plan", ["parts", "plan", "new.txt", "--format", "lines", "--parts", "2", "--out", "plan"], ["plan"], {}),
    Scenario("count", ["parts", "count", "p.json", "--part", "0", "--threads", "1", "--out", "counts"], ["counts"], {}),
    Scenario("count with rows", ["parts", "count", "p.json", "--part", "0", "--keep-rows", "--threads", "1", "--out", "counts"],
             ["counts"], {}),
    Scenario("merge of counts", ["parts", "merge", "n0", "n1", "--out", "counts"], ["counts"], {}),
    Scenario("build of a shard", ["parts", "build", "p.json", "--part", "0", "--counts", "all", "--threads", "1",
                                  "--out", "shard"], ["shard"], {}),
    Scenario("build of a shard from rows", ["parts", "build", "p.json", "--part", "1", "--counts", "all", "--rows", "n1",
                                            "--threads", "1", "--out", "shard"], ["shard"], {}),
    Scenario("join", ["parts", "join", "s0", "s1", "--out", "set"], ["set"], {}),
    Scenario("export", ["export", "old", "--to", "npz", "--out", "matrix"], ["matrix"], {"matrix": "old.txt"}),
]


def forced(program, arguments):
    """The arguments, for a build with --force, without which it replaces no pool."""
    knows = b"--force" in subprocess.run([program, "build", "-h"], stdout=subprocess.PIPE, check=True).stdout
    is_build = arguments[0] == "build"
    return arguments + ["--force"] if knows and is_build else arguments


def same(one, other):
    """Whether both are missing, the same file, or folders with the same files."""
    if os.path.isdir(one) and os.path.isdir(other):
        found = filecmp.dircmp(one, other)
        if found.left_only or found.right_only or found.funny_files:
            return False
        return (not filecmp.cmpfiles(one, other, found.common_files, shallow=False)[1]
                and all(same(os.path.join(one, name), os.path.join(other, name)) for name in found.common_dirs))
    if os.path.isfile(one) and os.path.isfile(other):
        return filecmp.cmp(one, other, shallow=False)
    return not os.path.exists(one) and not os.path.exists(other)


def copy(source, target):
    shutil.copytree(source, target) if os.path.isdir(source) else shutil.copy(source, target)


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


class Bench:
    """A folder in which one scenario is run again and again."""

    def __init__(self, program, shim, scenario):
        self.program, self.shim, self.scenario = program, shim, scenario
        self.arguments = forced(program, scenario.arguments)
        self.bad = scenario.bad and forced(program, scenario.bad)
        memory = "/dev/shm"  # a file system in memory, where there is one
        self.folder = tempfile.mkdtemp(prefix="inkling-faults-", dir=memory if os.access(memory, os.W_OK) else None)
        self.write("old.txt", OLD_TEXT)
        self.write("new.txt", NEW_TEXT)
        self.write("bad.txt", b"good\n\xff\n")
        self.write("e.jsonl", EVENTS)
        self.write("m.svm", "1 1:0.5 3:2\n-1 2:1\n")
        self.check(self.run(["build", "old.txt", "--format", "lines", "--threads", "1", "--out", "old"]))
        if "taught" in scenario.arguments:
            self.check(self.run(["parts", "learn", "old", "--events", "e.jsonl", "--threads", "1", "--out", "taught"]))
        self.make_shards()
        if scenario.cache:
            os.mkdir(self.path("cache"))
            time.sleep(3.1)  # until the pool is old enough for a record
        self.check(self.run(self.arguments))
        if scenario.cache:
            self.records = self.path("records")
            if not os.path.exists(self.path("cache/inkling")):
                raise RuntimeError(f"{scenario.name}: no record is kept on this file system")
            shutil.copytree(self.path("cache/inkling"), self.records)
        self.targets, self.servers = [], {}
        for target in scenario.targets:
            os.rename(self.path(target), self.path("expected-" + target))
            self.targets.append(target)

    def make_shards(self):
        """What the steps of a build in parts begin with."""
        self.check(self.run(["parts", "plan", "new.txt", "--format", "lines", "--parts", "2", "--out", "p.json"]))
        for part in "01":
            self.check(self.run(["parts", "count", "p.json", "--part", part, "--keep-rows", "--threads", "1", "--out", "n" + part]))
        self.check(self.run(["parts", "merge", "n0", "n1", "--out", "all"]))
        for part in "01":
            self.check(self.run(["parts", "build", "p.json", "--part", part, "--counts", "all", "--threads", "1",
                                 "--out", "s" + part]))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    def check(self, result):
        if result.returncode != 0:
            raise RuntimeError(f"{self.scenario.name}: a run without a fault fails: {result.stderr.decode()}")

    def environment(self):
        return os.environ | {"XDG_CACHE_HOME": self.path("cache") if self.scenario.cache else os.devnull}

    def run(self, arguments):
        return subprocess.run([self.program, *arguments], cwd=self.folder, env=self.environment(), timeout=30,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)

    def run_again(self, arguments, faults=()):
        """A run from main on, by a server of runs with these arguments (fault_shim.cpp)."""
        if tuple(arguments) not in self.servers:
            environment = self.environment() | {"LD_PRELOAD": self.shim, "INKLING_FAULT_REPORT": self.path("injected"),
                                                "INKLING_FAULT_SERVER": self.path("said")}
            self.servers[tuple(arguments)] = subprocess.Popen([self.program, *arguments], cwd=self.folder, env=environment,
                                                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        server = self.servers[tuple(arguments)]
        server.stdin.write(",".join(faults).encode() + b"\n")
        server.stdin.flush()
        code = os.waitstatus_to_exitcode(int(server.stdout.readline()))
        with open(self.path("said"), "rb") as file:
            return subprocess.CompletedProcess(arguments, "no end in 30 s" if code == -signal.SIGALRM else code, b"", file.read())

    def end(self):
        for server in self.servers.values():
            server.communicate()
        shutil.rmtree(self.folder)

    def restore(self):
        remove(self.path("injected"))
        for name in self.litter() + self.added():
            remove(self.path(name))
        if self.scenario.cache:
            remove(self.path("cache/inkling"))
        if self.scenario.cache == "kept":
            shutil.copytree(self.records, self.path("cache/inkling"))
        for target in self.targets:
            remove(self.path(target))
            if target in self.scenario.before:
                copy(self.path(self.scenario.before[target]), self.path(target))

    def litter(self):
        return [name for name in os.listdir(self.folder) if ".partial-" in name]

    def added(self):
        """Pools of new records. A run that cannot remove its own may leave it; the next run replaces it."""
        return [name for name in os.listdir(self.folder) if name.endswith(".added")]

    def cache_litter(self):
        """Files in the cache that no later run uses. A record that is not whole is ignored, but none should be left."""
        folder = self.path("cache/inkling")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [name for name in names if ".partial-" in name or os.path.getsize(os.path.join(folder, name)) == 0]

    def stands(self):
        """Whether the targets are "old", "new" or "neither"."""
        if all(same(self.path(target), self.path("expected-" + target)) for target in self.targets):
            return "new"
        olds = (self.scenario.before.get(target, "missing") for target in self.targets)
        if all(same(self.path(target), self.path(old)) for target, old in zip(self.targets, olds)):
            return "old"
        return "neither"

    def problem_of(self, result, killed, undone_later, removal_fails):
        """What is wrong after a run with a fault, or nothing."""
        stands = self.stands()
        if killed:
            if stands == "neither" and not undone_later:
                return "the target is neither old nor new"
            return self.problem_of_next_runs()
        if result.returncode not in (0, 4):
            return f"exit code {result.returncode}"
        if stands != ("new" if result.returncode == 0 else "old"):
            return f"exit code {result.returncode}, and the target is {stands}"
        message = result.stderr.decode(errors="replace")
        if result.returncode == 4 and not (message.startswith("inkling") and ": " in message):
            return "no message"
        # Only what the system refused to remove may be left.
        if (self.litter() or self.cache_litter()) and not removal_fails:
            return f"left {self.litter() + self.cache_litter()}"
        return self.problem_of_next_runs() if self.litter() or self.added() else None

    def problem_of_next_runs(self):
        """What is wrong after the next runs: one that fails must lose nothing; one that succeeds must leave only the target."""
        if self.scenario.bad:
            before = self.stands()
            self.run_again(self.bad)
            if self.stands() == "neither" or (before != "neither" and self.stands() != before):
                return "the next build, which fails, loses the target"
        result = self.run_again(self.arguments)
        if result.returncode != 0:
            return f"the next run fails: {result.stderr.decode(errors='replace')}"
        if self.stands() != "new":
            return "the next run makes something else"
        left = self.litter() + self.added()
        return f"left {left} after the next run" if left else None


def try_once(bench, fault, number):
    """Makes one run with the fault at this call, or from it on. Returns whether the fault happened, and what is wrong."""
    name, call, action, goes_on, also, *_ = fault
    bench.restore()
    faults = [f"{call} {action} {number} {EVER if goes_on else number}"] + ([also] if also else [])
    result = bench.run_again(bench.arguments, faults)
    killed = result.returncode == -signal.SIGKILL
    problem = bench.problem_of(result, killed, undone_later=bool(also), removal_fails=call == "unlink")
    # If there is also a fault at all times, the report does not say which of the two happened.
    came = (killed or result.returncode != 0) if also else os.path.exists(bench.path("injected"))
    return came, problem and (f"{bench.scenario.name}, {name}, call {number}: {problem}\n  "
                              + result.stderr.decode(errors="replace")[:300])


def try_fault(bench, fault, step):
    """Injects one kind of fault at the first and then each step-th call, until a run has none, and at each of the last LAST
    calls, when the target is there already. Returns the number of tries and the problems."""
    tried = functools.cache(lambda number: try_once(bench, fault, number))
    number = 1
    while any(tried(number)):
        number += step
    after, numbers = number - step, list(range(1, number, step))
    while number - after > 1:
        middle = (after + number) // 2
        after, number = (middle, number) if tried(middle)[0] else (after, middle)
    numbers = sorted({*numbers, *(range(max(1, number - LAST), number) if step > 1 else ())})
    return len(numbers), [tried(number)[1] for number in numbers if tried(number)[1]]


def try_harmless(bench, faults):
    bench.restore()
    result = bench.run_again(bench.arguments, faults)
    if result.returncode == 0 and bench.stands() == "new" and not bench.litter():
        return 1, []
    return 1, [f"{bench.scenario.name}, {faults}: exit code {result.returncode}, {bench.stands()}, {bench.litter()}\n  "
               + result.stderr.decode(errors="replace")[:300]]


def run_scenario(program, shim, scenario, short):
    bench = Bench(program, shim, scenario)
    rows = []
    try:
        for name, faults in HARMLESS:
            rows.append((scenario.name, name, *try_harmless(bench, faults)))
        for fault in FAULTS:
            if fault[1] == "malloc" and "npz" in scenario.arguments:
                continue  # libarchive 3.6 reads from a null pointer where one of its own allocations fails
            rows.append((scenario.name, fault[0], *try_fault(bench, fault, fault[-1] if short else fault[-2])))
    finally:
        bench.end()
    return rows


def main():
    program, shim = (os.path.abspath(path) for path in sys.argv[1:3])
    short = "--short" in sys.argv[3:]
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        runs = [workers.submit(run_scenario, program, shim, scenario, short) for scenario in SCENARIOS]
        rows = [row for run in runs for row in run.result()]
    problems = [problem for row in rows for problem in row[3]]
    for problem in problems:
        print("FAIL:", problem)
    print(f"{'what':<24} {'fault':<30} {'tries':>6} {'failures':>8}")
    for scenario, name, tries, found in rows:
        print(f"{scenario:<24} {name:<30} {tries:>6} {len(found):>8}")
    print(f"{'all':<55} {sum(row[2] for row in rows):>6} {len(problems):>8}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
