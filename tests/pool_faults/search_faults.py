#!/usr/bin/env python3
"""search_faults.py PROGRAM [--short]: kills `inkling search`, and makes its disk fail, while it is told ratings.

Kills it at 1,000 random moments (5 with --short), and makes each of its calls that write fail, one after the other (only
some with --short). After each fault the promises are checked: every acknowledged answer is in the log as it was given, no
answer is there in part, none that was answered by an error is there, and the search goes on. Then it removes, cuts, replaces and
copies the files beside the log (-wal, -shm, -lock) while a search takes ratings, and kills the search. No acknowledged answer
that is older than a second may be lost, unless the file is refused by name. Prints a table of tries and failures. The exit code
is 1 if a promise is broken. Failing calls need strace, and are left out without it.
"""

import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

DOCUMENTS = 40
WORDS = "soil rose fern moss tree leaf seed root bark pond".split()
CALLS = ("pwrite64", "write", "fdatasync", "fsync", "ftruncate")
ERRORS = ("ENOSPC", "EIO")
GO_ON, KILL, LASTS = "", ", then kill -9", " and after it, then kill -9"


class Promise(Exception):
    """A promise that was broken."""


class Requests:
    """Requests at random, each rating with a reward that no other has."""

    def __init__(self, seed):
        self.random, self.given = random.Random(seed), 0

    def next(self):
        self.given += 1
        kind = self.random.random()
        if kind < 0.1:
            return {"undo": 1}
        if kind < 0.2:
            return {"skip": True}
        request = {"rate": self.given / 1e6, "words": self.random.sample(range(5), 2)}
        if self.random.random() < 0.5:
            request["document"] = self.random.randrange(DOCUMENTS)
        return request


class Search:
    """A pool, a file of searches, and what of it was acknowledged."""

    def __init__(self, program, seed):
        self.program, self.folder = program, tempfile.mkdtemp(prefix="inkling-search-faults-")
        chosen = random.Random(seed)
        with open(self.path("texts.txt"), "w", encoding="utf-8") as file:
            for _ in range(DOCUMENTS):
                file.write(" ".join(chosen.choices(WORDS, k=12)) + "\n")
        self.tool("build", "texts.txt", "--format", "lines", "--out", "pool")
        self.renew()

    def path(self, name):
        return os.path.join(self.folder, name)

    def renew(self):
        """A file of searches that is not there yet."""
        for name in os.listdir(self.folder):
            if name.startswith("log"):
                os.unlink(self.path(name))
        self.acknowledged, self.refused = {}, []

    def tool(self, *arguments):
        result = subprocess.run([self.program, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
        if result.returncode != 0:
            raise Promise(f"inkling {' '.join(arguments)}: {result.stderr.decode(errors='replace')}")
        return result.stdout.decode()

    def start(self, before=()):
        return subprocess.Popen([*before, self.program, "search", "pool", "--searches", "log"], cwd=self.folder,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def take(self, request, line):
        """Remembers the answer to a request. Returns whether it was an acknowledgement."""
        answer = json.loads(line)
        if "error" in answer:
            self.refused.append(request)
            return False
        if "answered" in answer:
            self.acknowledged[answer["answered"]] = request
        return True

    def check(self):
        """Checks that the log has all acknowledged requests, no refused one, and none in part."""
        if not os.path.exists(self.path("log")) and not self.acknowledged:
            return
        if not self.acknowledged and not self.sessions():
            return
        self.tool("sessions", "--searches", "log", "--verify")
        events = [json.loads(line) for line in self.tool("sessions", "--searches", "log", "--write", "events").splitlines()]
        for sequence, request in self.acknowledged.items():
            event = events[sequence - 1] if sequence <= len(events) else None
            if event is None or not answers(event, request):
                raise Promise(f"event {sequence} was acknowledged for {request}, and the log has {event}")
        rewards = {event["reward"] for event in events if event["kind"] == "rated"}
        for request in self.refused:
            if request.get("rate") in rewards:
                raise Promise(f"{request} was answered by an error, and the log has it")
        # An answer to an offer and the next offer are kept together.
        rated = {event["document"] for event in events if event["kind"] == "rated"}
        if events and events[-1]["kind"] == "rated" and "shown" in events[-1] and len(rated) < DOCUMENTS:
            raise Promise(f"event {len(events)} is half: the next offer is missing")

    def sessions(self):
        result = subprocess.run([self.program, "sessions", "--searches", "log", "--json"], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, check=False)
        return result.stdout

    def go_on(self):
        """A new process takes requests as if nothing had been."""
        process = self.start()
        request = {"rate": 0.75 + len(self.acknowledged) / 1e9, "document": 0}
        out, err = process.communicate((json.dumps(request) + "\n").encode(), timeout=60)
        if process.returncode != 0 or not self.take(request, out):
            raise Promise(f"the search does not go on: {out!r} {err!r}")
        self.check()


def answers(event, request):
    if "rate" in request:
        return (event["kind"] == "rated" and event["reward"] == request["rate"]
                and event["document"] == request.get("document", event["document"])
                and [word["feature"] for word in event["words"]] == request.get("words", []))
    return event["kind"] == ("undone" if "undo" in request else "skipped")


def kill_once(search, requests, delay):
    """Feeds requests as fast as they are taken, kills the program, and reads every answer that came."""
    process = search.start()
    sent = []

    def feed():
        try:
            while True:
                request = requests.next()
                sent.append(request)
                process.stdin.write((json.dumps(request) + "\n").encode())
                process.stdin.flush()
        except (BrokenPipeError, ValueError, OSError):
            pass

    lines = []
    reader = threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True)
    feeder = threading.Thread(target=feed, daemon=True)
    reader.start()
    feeder.start()
    time.sleep(delay)
    process.kill()
    process.wait()
    reader.join()
    feeder.join()
    for request, line in zip(sent, lines):
        if line.endswith(b"\n"):
            search.take(request, line)
    for pipe in (process.stdin, process.stdout, process.stderr):
        try:
            pipe.close()
        except BrokenPipeError:
            pass
    return len(lines)


def try_kills(program, seed, count):
    """Tries, acknowledged answers and problems of so many kills."""
    search, requests, problems, answered = Search(program, seed), Requests(seed), [], 0
    longest = 0.1
    try:
        for number in range(count):
            if number % 10 == 0:
                search.renew()
            try:
                delay = requests.random.uniform(0, longest)
                came = kill_once(search, requests, delay)
                answered += came
                longest = min(2.0, longest * 1.3) if came < 5 else max(0.05, longest * 0.95)
                search.check()
            except Promise as broken:
                problems.append(f"kill {number}: {broken}")
                search.renew()
        search.go_on()
    except Promise as broken:
        problems.append(f"after the kills: {broken}")
    finally:
        shutil.rmtree(search.folder)
    return count, answered, problems


def fail_once(search, call, error, number, then):
    """Makes one run in which one call fails, or all from it on. Returns whether there was such a call."""
    trace, goes_on = search.path("trace"), "+" if then == LASTS else ""
    process = search.start(["strace", "-D", "-f", "-o", trace, "-e", f"trace={call}",
                            "-e", f"inject={call}:error={error}:when={number}{goes_on}"])
    refusals = 0
    for n in range(8):
        request = {"rate": n / 1e6, "words": [n % 5], "document": n}
        try:
            process.stdin.write((json.dumps(request) + "\n").encode())
            process.stdin.flush()
        except BrokenPipeError:
            break
        line = process.stdout.readline()
        if not line.endswith(b"\n"):
            break
        kept = search.take(request, line)
        refusals += not kept
        if not kept and then == KILL:
            process.kill()
            break
    if then == LASTS:
        process.kill()
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    process.stdout.read()
    message = process.stderr.read().decode(errors="replace")
    process.wait()
    for _ in range(1000):  # the tracer writes its last lines after the program has ended
        with open(trace, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if "+++ " in text:
            break
        time.sleep(0.002)
    if refusals > 1 and then != LASTS:
        raise Promise(f"{refusals} requests failed because of one call")
    if refusals and then == GO_ON and process.returncode != 0:
        raise Promise(f"after an error that was answered, exit code {process.returncode}: {message}")
    if process.returncode not in (0, 4, -9):
        raise Promise(f"exit code {process.returncode}: {message}")
    return "(INJECTED)" in text


def try_failures(program, call, error, then, step):
    search, tries, problems, number = Search(program, 1), 0, [], 1
    try:
        while True:
            search.renew()
            try:
                if not fail_once(search, call, error, number, then):
                    return tries, 0, problems
                search.check()
                search.go_on()
            except Promise as broken:
                problems.append(f"{error} at {call} {number}: {broken}")
            tries += 1
            number += step
    finally:
        shutil.rmtree(search.folder)


def older_log(search):
    """An earlier write-ahead log of this log, or that of another log."""
    for name in ("older", "other"):
        if os.path.exists(search.path(name)):
            with open(search.path(name), "rb") as file:
                return file.read()
    return b"nothing of a database"


def write_over(search, name, content):
    with open(search.path(name), "wb") as file:
        file.write(content)


def put_in_place(search, name, content):
    write_over(search, "new", content)
    os.replace(search.path("new"), search.path(name))


HARMS = {
    "nothing": lambda search: None,
    "-wal removed": lambda search: os.unlink(search.path("log-wal")),
    "-shm removed": lambda search: os.unlink(search.path("log-shm")),
    "-lock removed": lambda search: os.unlink(search.path("log-lock")),
    "all removed": lambda search: [os.unlink(search.path("log" + beside)) for beside in ("-wal", "-shm", "-lock")],
    "-wal replaced": lambda search: put_in_place(search, "log-wal", older_log(search)),
    "-shm replaced": lambda search: put_in_place(search, "log-shm", b"\0" * 32768),
    "-shm emptied": lambda search: os.truncate(search.path("log-shm"), 0),
    "-shm cut": lambda search: os.truncate(search.path("log-shm"), 4096),
    "-wal written over": lambda search: write_over(search, "log-wal", older_log(search)),
    "-wal emptied": lambda search: os.truncate(search.path("log-wal"), 0),
    "-wal cut": lambda search: os.truncate(search.path("log-wal"), os.path.getsize(search.path("log-wal")) // 2),
}


def tell(search, process, requests, count):
    """Tells it so many requests, or until it takes no more."""
    for _ in range(count):
        request = requests.next()
        try:
            process.stdin.write((json.dumps(request) + "\n").encode())
            process.stdin.flush()
        except BrokenPipeError:
            return
        line = process.stdout.readline()
        if not line.endswith(b"\n"):
            return
        search.take(request, line)


def check_or_named(search):
    """Checks that the log has all, at once or, if that is refused, after -wal and -shm were removed, as the message says."""
    result = subprocess.run([search.program, "sessions", "log", "--verify"], cwd=search.folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    if result.returncode == 5 and b"log-wal away" in result.stderr:
        for beside in ("-wal", "-shm"):
            if os.path.exists(search.path("log" + beside)):
                os.unlink(search.path("log" + beside))
    search.check()


def harm_once(search, requests, harm, waits):
    search.renew()
    process = search.start()
    tell(search, process, requests, requests.random.randrange(2, 12))
    if requests.random.random() < 0.7:
        shutil.copyfile(search.path("log-wal"), search.path("older"))
    tell(search, process, requests, requests.random.randrange(2, 12))
    if waits:  # answers younger than a second may be lost with a file that is cut
        time.sleep(1.0)
    HARMS[harm](search)
    tell(search, process, requests, 3)
    if requests.random.random() < 0.7:
        process.kill()
    process.communicate()
    check_or_named(search)


def copy_once(search, requests):
    """A copy of the log alone, while it is written."""
    search.renew()
    process = search.start()
    tell(search, process, requests, requests.random.randrange(1, 20))
    time.sleep(1.0)
    copied = dict(search.acknowledged)
    teller = threading.Thread(target=tell, args=(search, process, requests, 60))
    teller.start()
    time.sleep(requests.random.uniform(0, 0.3))
    with open(search.path("log"), "rb") as file:
        content = file.read()
    teller.join()
    process.kill()
    process.communicate()
    for beside in ("-wal", "-shm", "-lock"):
        if os.path.exists(search.path("log" + beside)):
            os.unlink(search.path("log" + beside))
    write_over(search, "log", content)
    search.acknowledged, search.refused = copied, []
    verified = subprocess.run([search.program, "sessions", "log", "--verify"], cwd=search.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if verified.returncode != 5:
        search.check()


def try_harms(program, harm, seed, count):
    search, requests, problems = Search(program, seed), Requests(seed), []
    try:
        search.start().communicate(b'{"rate": 0.5}\n')
        with open(search.path("other"), "wb") as file:  # of another log
            file.write(older_log(search))
        for number in range(count):
            try:
                if harm == "copied":
                    copy_once(search, requests)
                else:
                    harm_once(search, requests, harm, harm in ("-wal emptied", "-wal cut", "-wal written over"))
                search.go_on()
            except Promise as broken:
                problems.append(f"{harm} {number}: {broken}")
    finally:
        shutil.rmtree(search.folder)
    return count, 0, problems


def can_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-D", "-o", os.devnull, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def main():
    os.environ["XDG_CACHE_HOME"] = os.devnull  # no record that a pool was checked is read or kept
    program = os.path.abspath(sys.argv[1])
    short = "--short" in sys.argv[2:]
    kills, parts, step = (5, 1, 13) if short else (1000, 4, 1)
    work = [("kill -9 at random moments", try_kills, program, seed, kills // parts) for seed in range(parts)]
    for harm in (*HARMS, "copied"):
        work += [(f"beside the log: {harm}", try_harms, program, harm, seed, 2 if short else 25) for seed in range(parts)]
    if can_trace():
        for call in CALLS:
            for error in ERRORS:
                for then in (GO_ON, KILL, LASTS):
                    work.append((f"{error} at {call}{then}", try_failures, program, call, error, then, step))
    else:
        print("failing calls are left out: strace does not work here")
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        runs = [(name, workers.submit(function, *arguments)) for name, function, *arguments in work]
        rows = [(name, *run.result()) for name, run in runs]
    if can_trace():
        # Eight ratings and the beginning of a search are synchronised one by one.
        syncs = sum(row[1] for row in rows if row[0] in ("EIO at fdatasync", "EIO at fsync")) * step
        if syncs < 9:
            rows.append(("syncs", 0, 0, [f"expected at least 9 calls that synchronise, found about {syncs}"]))
    for row in rows:
        for problem in row[3]:
            print("FAIL:", problem)
    print(f"{'fault':<46} {'tries':>6} {'answers':>8} {'failures':>8}")
    for name, tries, answered, problems in rows:
        print(f"{name:<46} {tries:>6} {answered:>8} {len(problems):>8}")
    return 1 if any(row[3] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
