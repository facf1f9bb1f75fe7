#!/usr/bin/env python3
"""disk_faults.py PROGRAM: `inkling serve` while its disk is full, and while its disk fails.

Full: the file of searches may not grow (a limit on the size of files that is set while the server runs). Failing: strace makes
each call that writes or synchronises fail with ENOSPC or EIO, also while the server runs; this part is left out if strace does
not work. During a fault no answer to a write is 2xx, each says what is wrong, reads are answered, and the server goes on. After
the fault the same requests succeed, and Python's own sqlite3 finds all acknowledged answers and no others.

Then a collection that was brought is removed while the server is killed before each call that changes a folder, or this call
fails: at the next start the collection can be read and removed, or nothing of it is left.
"""

import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

from served import PREFIX, Folder, Server, demand, rows_of, run, tool

FORGOTTEN = "week"
FAULTS = [(call, error) for call in ("pwrite64", "fdatasync,fsync", "pwrite64,write,fdatasync,fsync,ftruncate") for error in ("error=ENOSPC", "error=EIO")]
REMOVING = "openat,rename,unlink,unlinkat,rmdir"


class FullDisk:
    """Keeps the server's files from growing, so that each commit of SQLite that needs more space fails."""

    name = "no room"

    def __init__(self, server):
        self.pid = server.process.pid

    def __enter__(self):
        self.before = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (1, self.before[1]))

    def __exit__(self, *_):
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, self.before)


class FailingDisk:
    """What strace injects into these calls: "error=EIO", "signal=SIGKILL:when=3"."""

    def __init__(self, server, calls, injected, report=os.devnull):
        self.pid, self.calls, self.injected, self.name = server.process.pid, calls, injected, f"{injected} at {calls}"
        self.report = report

    def __enter__(self):
        self.tracer = subprocess.Popen(["strace", "-f", "-o", self.report, "-e", f"trace={self.calls}", "-e", f"inject={self.calls}:{self.injected}",
                                        "-p", str(self.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(200):
            if all(self.is_traced(task) for task in os.listdir(f"/proc/{self.pid}/task")):
                return
            time.sleep(0.02)
        demand(False, "strace does not hold every thread")

    def is_traced(self, task):
        try:
            with open(f"/proc/{self.pid}/task/{task}/status", encoding="utf-8") as file:
                return f"TracerPid:\t{self.tracer.pid}\n" in file.read()
        except FileNotFoundError:  # it has ended
            return True

    def __exit__(self, *_):
        if self.injected.startswith("signal"):
            self.tracer.kill()  # it may wait for threads that were killed
        self.tracer.terminate()
        self.tracer.wait()
        self.tracer.stderr.close()


def can_trace():
    if shutil.which("strace") is None:
        return False
    with subprocess.Popen(["sleep", "5"]) as sleeper:
        time.sleep(0.05)
        result = subprocess.run(["timeout", "1", "strace", "-o", os.devnull, "-p", str(sleeper.pid)], stderr=subprocess.PIPE, check=False)
        sleeper.kill()
    return result.returncode == 124


def all_writes(session, forgotten, turn):
    """All requests that write, as address and body, each with a new name."""
    path = f"/sessions/{session}"
    bodies = {"ratings": {"document": 3, "reward": 0.25, "words": ["soil"]}, "queries": {"words": ["compost"]},
              "skips": {"document": 4}, "samples": {"count": 2}, "notes": {"note": "n"}, "aim": {"question": "q"},
              "undo": {}, "redo": {}}
    writes = [("POST", f"{path}/{what}", {"request": f"{turn}-{what}", **body}) for what, body in bodies.items()]
    writes.append(("DELETE", f"{path}/words/{forgotten}?request={turn}-forget", None))
    writes.append(("POST", "/sessions", {"name": f"new {turn}", "pool": "tiny"}))
    lines = b'{"document":1,"reward":1}\n'
    writes.append(("POST", f"/sessions/import?name=import+{turn}&pool=tiny", lines))
    return writes


def send(server, write, expect):
    method, path, body = write
    headers = {"Content-Type": "application/x-ndjson"} if isinstance(body, bytes) else None
    return server.ask(method, path, body, expect, headers)


def try_fault(server, fault, turn):
    made = server.ask("POST", "/sessions", {"name": f"search {turn}", "pool": "tiny", "seed": turn}).json()["session"]
    fresh = server.ask("POST", "/sessions", {"name": f"fresh {turn}", "pool": "tiny", "seed": turn}).json()["session"]
    server.ask("GET", f"/sessions/{made}/next")
    server.ask("POST", f"/sessions/{made}/queries", {"request": "zero", "words": [FORGOTTEN]})
    server.ask("POST", f"/sessions/{made}/ratings", {"request": "first", "document": 9, "reward": 1})
    server.ask("POST", f"/sessions/{made}/ratings", {"request": "second", "document": 8, "reward": 1})
    server.ask("POST", f"/sessions/{made}/undo", {"request": "third"})  # so that redo has something to do
    state = server.ask("GET", f"/sessions/{made}").body
    known = len(server.ask("GET", "/sessions").json()["sessions"])
    forgotten = server.ask("GET", f"/pools/tiny/words?prefix={FORGOTTEN}&limit=1").json()["words"][0]["feature"]
    writes = all_writes(made, forgotten, turn)
    with fault:
        for write in writes:
            problem = send(server, write, 503).json()
            demand("nothing of this request was kept" in problem["detail"] and "f.search" in problem["detail"],
                   f"{fault.name}: {write[1]}: an error that can be read: {problem}")
        server.ask("GET", f"/sessions/{fresh}/next", expect=503)  # showing a document would write an event
        demand(server.ask("GET", f"/sessions/{made}").body == state, f"{fault.name}: the search is unchanged")
        for what in ("next", "progress", "ranking", "found", "events", "words", "documents/0/why"):
            server.ask("GET", f"/sessions/{made}/{what}")
        demand(len(server.ask("GET", "/sessions").json()["sessions"]) == known, f"{fault.name}: no search was begun")
    kept = []
    for write in writes:
        answer = send(server, write, 201).json()
        if "/ratings" in write[1]:
            kept.append((made, answer["sequence"], write[2]))
    server.ask("GET", f"/sessions/{fresh}/next")
    return kept


def check_log(path, kept):
    for session, sequence, body in kept:
        rows = rows_of(path, "SELECT seq, document, body FROM event WHERE session = ? AND request = ?", (session, body["request"]))
        demand(len(rows) == 1 and rows[0][:2] == (sequence, body["document"]) and json.loads(rows[0][2])["reward"] == body["reward"],
               f"{body} was acknowledged as event {sequence}, the log has {rows}")
    counts = rows_of(path, "SELECT session, count(*), max(seq) FROM event GROUP BY session")
    demand(all(count == last for _, count, last in counts), "events without a gap")


def check_removals(program, folder, injected):
    """Removes a collection of two files with a title, once for each call of the removal. Returns how many calls there are."""
    names = ["soil", "moss"]
    bodies = [f"id,text\n{name},wet {name}\n".encode() for name in names]
    address = f"/pools?name={names[0]}.csv/{names[1]}.csv&sizes={','.join(str(len(body)) for body in bodies)}"
    files = folder.file("f.search.files")
    for number in itertools.count(1):
        with Server(program, "tiny", "--searches", "f.search", cwd=folder.path) as server:
            pool = server.ask("POST", address, b"".join(bodies), headers={"Content-Type": "application/octet-stream"}).json()["pool"]
            server.ask("POST", f"/pools/{pool}/title", {"title": "Mosses"}, 200)
            report = folder.file("trace")
            with FailingDisk(server, REMOVING, f"{injected}:when={number}", report):
                try:
                    status = server.raw("DELETE", f"{PREFIX}/pools/{pool}", headers={"Authorization": f"Bearer {server.token}"}).status
                except OSError:
                    status = 0
                    ended = server.process.wait(30)
                    demand(ended == -signal.SIGKILL, f"a removal without an answer: the server ended with {ended}")
        with open(report, encoding="utf-8") as file:
            traced = file.read()
        with Server(program, "tiny", "--searches", "f.search", cwd=folder.path) as server:
            where = f"{injected} at call {number} of a removal, answered {status}"
            if pool in [one["pool"] for one in server.ask("GET", "/pools").json()["pools"]]:
                demand(status != 204, f"{where}: it is still there")
                demand(server.ask("GET", f"/pools/{pool}/documents/1").json()["runs"], f"{where}: it is read")
                server.ask("DELETE", f"/pools/{pool}", expect=204)
            demand(not os.listdir(files), f"{where}: {os.listdir(files)} is left")
        if "(INJECTED)" not in traced and status != 0:  # the trace does not always say that it was killed
            demand(status == 204, f"without a fault: {status}")
            return number - 1


def main():
    program = sys.argv[1]
    traces = can_trace()
    with Folder(program) as folder:
        with Server(program, "tiny", "--searches", "f.search", cwd=folder.path) as server:
            faults = [FullDisk(server)] + [FailingDisk(server, *fault) for fault in FAULTS if traces]
            kept = []
            for turn, fault in enumerate(faults):
                kept += try_fault(server, fault, turn)
            demand(server.end() == 0, "the server ends well")
        check_log(folder.file("f.search"), kept)
        tool(program, "sessions", "--searches", "f.search", "--verify", cwd=folder.path)
        removals = [check_removals(program, folder, injected) for injected in ("signal=SIGKILL", "error=EIO") if traces]
    print(f"{len(faults)} faults of the disk: no write was acknowledged, each error was readable, all worked again afterwards; a removal that fails at each of {removals} calls")
    if not traces:
        print("failing calls are left out: strace does not work here")


if __name__ == "__main__":
    run(main)
