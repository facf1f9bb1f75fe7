#!/usr/bin/env python3
"""no_memory.py PROGRAM SHIM: an allocation that fails on a thread of the server ends its request, and nothing else.

Makes one allocation after the other fail (`fault_shim.cpp`) on the threads that answer, and some on those of TBB, in requests that
begin a search, list, show and learn. Each is answered, by 503 or as if nothing had failed; a refused one succeeds when it is sent
again, and the log has every acknowledged rating once. Then all allocations fail for a while: the request is answered after it.
"""

import itertools
import json
import mmap
import os
import random
import struct
import sys
import threading

from served import PREFIX, Folder, Server, demand, rows_of, run, tool

OF_TBB, THAT_ANSWER = 0, 1
NUMBERS = itertools.count()


class Control:
    """Which allocation from now on fails, on each kind of threads."""

    def __init__(self, path):
        with open(path, "w+b") as file:
            file.truncate(mmap.PAGESIZE)
            self.bytes = mmap.mmap(file.fileno(), mmap.PAGESIZE)

    def __setitem__(self, kind, number):
        self.bytes[8 * kind:8 * kind + 8] = struct.pack("=q", number)

    def __getitem__(self, kind):
        return struct.unpack_from("=q", self.bytes, 8 * kind)[0]


def send(server, method, path, body=None):
    headers = {"Authorization": f"Bearer {server.token}", **({"Content-Type": "application/json"} if body else {})}
    return server.raw(method, PREFIX + path, json.dumps(body) if body else None, headers)


def begin(_server, _session):
    return "POST", "/sessions", {"name": f"new {next(NUMBERS)}", "pool": "many"}


def rate(server, session):
    number, offer = next(NUMBERS), server.ask("GET", f"/sessions/{session}/next").json()["document"]["document"]
    return "POST", f"/sessions/{session}/ratings", {"request": f"rate {number}", "document": offer, "reward": number % 2}


def show(what):
    return lambda _server, session: ("GET", f"/sessions/{session}/{what}")


def sweep(server, control, kind, session, make, tries):
    """Makes allocation 1, 2, 3 and so on of a request fail. Returns how many failed and were refused, and what was rated."""
    failed, refused, rated, number = 0, 0, [], 0
    for _ in range(tries):
        number = 1 + number % 5 if kind == OF_TBB else number + 1 + number // 30
        request = make(server, session)
        control[kind] = number
        answer = send(server, *request)
        has_failed, control[kind] = control[kind] == 0, 0
        demand(answer.status in (200, 201, 503), f"{request}, allocation {number} fails: {answer.status} {answer.body!r:.200}")
        failed, refused = failed + has_failed, refused + (answer.status == 503)
        demand(has_failed or answer.status != 503, f"{request}: refused though no allocation failed")
        if answer.status == 503:
            if make is begin:
                names = [one["name"] for one in server.ask("GET", "/sessions").json()["sessions"]]
                demand(request[2]["name"] not in names or b"nothing" not in answer.body, f"{request}, allocation {number}: {answer.body!r:.200}")
            again = send(server, *request)
            demand(again.status in (200, 201), f"{request}, sent again: {again.status} {again.body!r:.200}")
        if make is rate:
            rated.append(request[2]["request"])
        if kind == THAT_ANSWER and not has_failed:
            break
    return failed, refused, rated


def without_any(server, control, session):
    """While all allocations fail, a request waits or is refused; nothing ends."""
    control[THAT_ANSWER] = -1
    timer = threading.Timer(0.3, control.__setitem__, (THAT_ANSWER, 0))
    timer.start()
    answer = send(server, "GET", f"/sessions/{session}/ranking")
    timer.join()
    demand(answer.status == 503, f"all allocations fail: {answer.status}")
    demand(send(server, "GET", f"/sessions/{session}/ranking").status == 200, "and afterwards it is answered")


def main():
    program, shim = sys.argv[1:3]
    with Folder(program) as folder:
        words = random.Random(7).choices([f"word{n}" for n in range(3000)], k=12 * 20_000)
        with open(folder.file("many.txt"), "w", encoding="utf-8") as file:
            file.writelines(" ".join(words[n:n + 12]) + "\n" for n in range(0, len(words), 12))
        tool(program, "build", "many.txt", "--format", "lines", "--keep-text", "--out", "many", cwd=folder.path)
        control = Control(folder.file("control"))
        faults = ("env", f"LD_PRELOAD={os.path.abspath(shim)}", f"INKLING_FAULT_CONTROL={folder.file('control')}")
        with Server(program, "many", "--searches", "s.search", cwd=folder.path, before=faults) as server:
            session = server.ask("POST", "/sessions", {"name": "first", "pool": "many"}).json()["session"]
            rated = []
            for kind, name, tries in ((THAT_ANSWER, "that answer", 400), (OF_TBB, "of TBB", 10)):
                failed = refused = 0
                for make in (begin, rate, show("ranking?limit=20"), show("next"), show("progress"), show("events")):
                    more = sweep(server, control, kind, session, make, tries)
                    failed, refused, rated = failed + more[0], refused + more[1], rated + more[2]
                print(f"threads {name}: {failed} allocations failed, {refused} requests were refused", flush=True)
                demand(kind == OF_TBB or refused > 20, "so many are refused, or the test tests nothing")
            without_any(server, control, session)
            demand(server.end() == 0, "it ends well")
        counts = dict(rows_of(folder.file("s.search"), "SELECT request, count(*) FROM event WHERE session = ? GROUP BY request", (session,)))
        demand(all(counts.get(one) == 1 for one in rated), "each acknowledged rating is in the log once")


if __name__ == "__main__":
    run(main)
