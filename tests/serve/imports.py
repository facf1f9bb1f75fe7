#!/usr/bin/env python3
"""imports.py PROGRAM: a large import is answered or refused in time, others go on meanwhile, and a signal ends it.

Imports 20,000 ratings of 1,000 words, of which no server learns all in time. Meanwhile another search is rated. Prints how
long both took. Then the server is told to end during an import. Exit code 1 where a promise is broken.
"""

import http.client
import json
import os
import random
import signal
import sys
import threading
import time

from served import PREFIX, Folder, Server, demand, run, tool

DOCUMENTS, WORDS, RATINGS = 20_000, 1_000, 20_000
SECONDS_OF_IMPORT, SECONDS_OF_RATING, SECONDS_OF_END = 10, 0.1, 3


def make_pool(folder, chosen):
    with open(os.path.join(folder, "texts.txt"), "w", encoding="utf-8") as file:
        for _ in range(DOCUMENTS):
            file.write(" ".join(f"w{chosen.randrange(WORDS)}" for _ in range(20)) + "\n")
    tool(sys.argv[1], "build", "texts.txt", "--format", "lines", "--out", "pool", cwd=folder)


def ratings(chosen):
    lines = [json.dumps({"document": n, "reward": n % 2, "features": [f"w{chosen.randrange(WORDS)}"]})
             for n in chosen.sample(range(DOCUMENTS), RATINGS)]
    return ("\n".join(lines) + "\n").encode()


def ask(server, method, path, body, kind="application/json"):
    """Status and seconds, on a connection of its own."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    began = time.monotonic()
    connection.request(method, PREFIX + path, body, {"Cookie": server.cookie, "Content-Type": kind})
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, time.monotonic() - began, text


def import_all(server, body, found):
    found.append(ask(server, "POST", "/sessions/import?name=large&pool=pool", body, "application/x-ndjson"))


def check(program):
    chosen = random.Random(1)
    with Folder(program) as place:
        folder = place.path
        make_pool(folder, chosen)
        body, found = ratings(chosen), []
        with Server(program, "pool", cwd=folder) as server:
            status, _, text = ask(server, "POST", "/sessions", json.dumps({"name": "small", "pool": "pool"}))
            demand(status == 201, f"a search begins: {status} {text}")
            path = f"/sessions/{json.loads(text)['session']}/ratings"
            importer = threading.Thread(target=import_all, args=(server, body, found))
            importer.start()
            taken = []
            while importer.is_alive() and len(taken) < DOCUMENTS:
                request = {"request": f"r{len(taken)}", "document": len(taken) % 200, "reward": len(taken) % 2}
                status, seconds, text = ask(server, "POST", path, json.dumps(request))
                demand(status == 201, f"a rating beside an import: {status} {text}")
                taken.append(seconds)
                time.sleep(0.02)
            importer.join()
            status, seconds, text = found[0]
            worst = sorted(taken)[len(taken) * 99 // 100]
            print(f"import: {status} after {seconds:.1f} s; {len(taken)} ratings beside it, 99 % within {worst * 1e3:.0f} ms")
            demand(status in (201, 422), f"an import is answered or refused: {status} {text}")
            demand(seconds < SECONDS_OF_IMPORT, f"an import took {seconds} s")
            demand(worst < SECONDS_OF_RATING, f"99 % of the ratings beside an import took up to {worst} s")
            importer = threading.Thread(target=import_all, args=(server, body, found))
            importer.start()
            time.sleep(1.0)
            began = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(timeout=60)
            ended = time.monotonic() - began
            importer.join()
            print(f"end during an import: after {ended:.1f} s")
            demand(ended < SECONDS_OF_END, f"the server ended {ended} s after the signal")


if __name__ == "__main__":
    run(lambda: check(sys.argv[1]))
