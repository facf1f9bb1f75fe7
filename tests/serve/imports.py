#!/usr/bin/env python3
"""imports.py PROGRAM [--short]: a large import is answered or refused in time, others go on meanwhile, and a signal ends it.

Imports 16,000 ratings, which is more than any server can learn in time, and then bodies of 64 MiB: ratings of hundreds of words,
one line, and JSON within JSON (not with --short). Meanwhile it rates documents in another search and reads its progress. Prints
how long both took. Then it signals the server to end during an import, once, and twice in a row. The exit code is 1 if a promise
is broken.
"""

import http.client
import json
import os
import random
import signal
import sys
import threading
import time

from served import PATIENCE, PREFIX, Folder, Server, demand, run, tool

DOCUMENTS, WORDS, RATINGS, MOST_BYTES = 20_000, 1_000, 16_000, 64 << 20
SECONDS_OF_IMPORT, SECONDS_OF_ANSWER, SECONDS_OF_END, SECONDS_AT_ONCE = (limit * PATIENCE for limit in (10, 0.1, 3, 0.5))


def make_pool(folder, chosen):
    with open(os.path.join(folder, "texts.txt"), "w", encoding="utf-8") as file:
        for _ in range(DOCUMENTS):
            file.write(" ".join(f"w{chosen.randrange(WORDS)}" for _ in range(20)) + "\n")
    tool(sys.argv[1], "build", "texts.txt", "--format", "lines", "--out", "pool", cwd=folder)


def ratings(chosen, words):
    """Lines of ratings with this number of words each, up to the most bytes of an import."""
    names, lines, size = [f"w{n}" for n in range(WORDS)], [], 0
    for n in chosen.sample(range(DOCUMENTS), RATINGS):
        line = json.dumps({"document": n, "reward": n % 2, "features": chosen.sample(names, words)}) + "\n"
        size += len(line)
        if size > MOST_BYTES:
            break
        lines.append(line)
    return "".join(lines).encode()


def bodies(chosen, is_short):
    yield "16,000 ratings of a word", ratings(chosen, 1)
    if is_short:
        return
    yield "ratings of 500 words", ratings(chosen, 500)
    yield "ratings of 1,000 words", ratings(chosen, WORDS)
    line = b'{"document":1,"reward":1,"features":["w1"' + b',"w2"' * ((MOST_BYTES - 64) // 5) + b"]}\n"
    yield "one line", line
    yield "one text", b'{"document":1,"reward":1,"note":"' + b"x" * (MOST_BYTES - 64) + b'"}\n'
    yield "lists in lists", b"[" * (MOST_BYTES - 1)
    yield "objects in objects", b'{"a":' * (MOST_BYTES // 5 - 1)
    yield "empty lines", b"\n" * (MOST_BYTES - 1)


def ask(server, method, path, body=None, kind="application/json"):
    """Asks on a new connection. Returns the status, seconds and text."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60 * PATIENCE)
    began = time.monotonic()
    try:
        connection.request(method, PREFIX + path, body, {"Cookie": server.cookie, "Content-Type": kind})
        response = connection.getresponse()
        return response.status, time.monotonic() - began, response.read()
    except OSError as error:  # the server ended
        return 0, time.monotonic() - began, str(error).encode()
    finally:
        connection.close()


class Import(threading.Thread):
    def __init__(self, server, body, name):
        super().__init__()
        self.server, self.body, self.path = server, body, f"/sessions/import?name={name}&pool=pool"
        self.start()

    def run(self):
        self.status, self.seconds, self.text = ask(self.server, "POST", self.path, self.body, "application/x-ndjson")


def check_beside(server, small, what, body, number):
    importer, taken = Import(server, body, f"large{number}"), []
    while importer.is_alive():
        request = {"request": f"r{number}-{len(taken)}", "document": len(taken) % 200, "reward": len(taken) % 2}
        status, seconds, text = ask(server, "POST", f"{small}/ratings", json.dumps(request))
        demand(status == 201, f"a rating beside an import: {status} {text}")
        status, other, text = ask(server, "GET", f"{small}/ranking?top=10")
        demand(status == 200, f"a question beside an import: {status} {text}")
        taken += [seconds, other]
        time.sleep(0.02)
    importer.join()
    worst = sorted(taken)[len(taken) * 99 // 100]
    print(f"{what}, {len(body):,} bytes: {importer.status} after {importer.seconds:.1f} s; of {len(taken)} answers beside it 99 % within "
          f"{worst * 1e3:.0f} ms", flush=True)
    demand(importer.status in (201, 413, 422), f"an import is answered or refused: {importer.status} {importer.text}")
    demand(importer.seconds < SECONDS_OF_IMPORT, f"an import took {importer.seconds} s")
    demand(worst < SECONDS_OF_ANSWER, f"99 % of the answers beside an import took up to {worst} s")


def check_end(server, body, signals, limit):
    importer = Import(server, body, "ended")
    time.sleep(1.0)
    began = time.monotonic()
    for number in range(signals):
        time.sleep(0.05 if number else 0)
        server.process.send_signal(signal.SIGTERM)
    server.process.wait(timeout=60 * PATIENCE)
    ended = time.monotonic() - began
    importer.join()
    print(f"{signals} signals during an import of {len(body):,} bytes: ended after {ended:.2f} s", flush=True)
    demand(ended < limit, f"the server ended {ended} s after the signal")
    demand(importer.status != 201, "an import that was ended was answered as done")


def check(program):
    chosen, is_short = random.Random(1), "--short" in sys.argv[2:]
    with Folder(program) as place:
        folder = place.path
        make_pool(folder, chosen)
        with Server(program, "pool", cwd=folder) as server:
            status, _, text = ask(server, "POST", "/sessions", json.dumps({"name": "small", "pool": "pool"}))
            demand(status == 201, f"a search begins: {status} {text}")
            small = f"/sessions/{json.loads(text)['session']}"
            for number, (what, body) in enumerate(bodies(chosen, is_short)):
                check_beside(server, small, what, body, number)
            check_end(server, ratings(chosen, 1 if is_short else 500), 1, SECONDS_OF_END)
        with Server(program, "pool", cwd=folder) as server:
            check_end(server, ratings(chosen, 1), 2, SECONDS_AT_ONCE)


if __name__ == "__main__":
    run(lambda: check(sys.argv[1]))
