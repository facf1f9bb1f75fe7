#!/usr/bin/env python3
"""many_words.py PROGRAM [--searches N]: a search in which a person rates 20,000 words answers as quickly as one of a few words.

In a pool of 60,000 words, 20 requests rate 1,000 words each apart from documents, before and after documents are rated. Each of
them, each undo and each opening from the log must take the server at most a second of processor time, whatever else the machine
does. Then N people (3 by default) do so at once, each in a process, while another person rates and asks. Prints all figures. The
exit code is 1 if a promise is broken.
"""

import json
import multiprocessing
import os
import random
import sys
import time

from imports import ask
from served import PATIENCE, Folder, Server, demand, processor_seconds, run, tool

DOCUMENTS, WORDS, REQUESTS, EACH = 20_000, 60_000, 20, 1_000
MOST_SECONDS = 1.0 * PATIENCE


def make_pool(folder):
    chosen = random.Random(10)
    with open(os.path.join(folder, "texts.txt"), "w", encoding="utf-8") as file:
        for n in range(DOCUMENTS):
            rare = " ".join(f"w{(n * 3 + k) % WORDS}" for k in range(9))
            file.write(f"{rare} " + " ".join(f"w{int(WORDS * chosen.random() ** 3)}" for _ in range(40)) + "\n")
    tool(sys.argv[1], "build", "texts.txt", "--format", "lines", "--min-df", "1", "--max-df", "100%", "--out", "pool", cwd=folder)


class Reader:
    def __init__(self, server, name):
        self.server, self.taken, self.number, self.name = server, {}, 0, name
        status, _, text = ask(server, "POST", "/sessions", json.dumps({"name": name, "pool": "pool"}))
        demand(status == 201, f"a search begins: {status} {text}")
        self.path = f"/sessions/{json.loads(text)['session']}"

    def timed(self, what, method, path, body=None, expected=(200, 201, 204)):
        if body is not None:
            self.number += 1
            body = json.dumps({"request": f"{self.name}-{self.number}", **body} if path != "/close" else {})
        before = processor_seconds(self.server.process.pid)
        status, seconds, text = ask(self.server, method, self.path + path, body)
        demand(status in expected, f"{what}: {status} {text[:300]}")
        self.taken.setdefault(what, []).append((processor_seconds(self.server.process.pid) - before, seconds))
        return json.loads(text) if text else None

    def rate_words(self, request):
        words = [{"word": f"w{n}", "rate": 1 if n % 3 else -1} for n in range(request * EACH, (request + 1) * EACH)]
        self.timed("1,000 words", "POST", "/queries", {"words": words})

    def rate(self, number):
        document = self.timed("the next one", "GET", "/next")["document"]["document"]
        self.timed("a rating", "POST", "/ratings", {"document": document, "reward": number % 2})

    def walk(self, ratings_after):
        """Rates words, and documents after so many requests of them; opens the search again, and takes words back."""
        for request in range(REQUESTS):
            if request == ratings_after:
                for number in range(5):
                    self.rate(number)
            self.rate_words(request)
        for _ in range(3):
            self.timed("an undo", "POST", "/undo", {})
        for _ in range(3):
            self.timed("put away", "POST", "/close", {})
            self.timed("an opening", "GET", "")

    def say(self, title):
        worst = {what: max(all_of) for what, all_of in self.taken.items()}
        print(title + ": " + ", ".join(f"{what} {work:.2f} s ({seconds:.2f} s later) at most of {len(self.taken[what])}"
                                       for what, (work, seconds) in worst.items()), flush=True)
        most, what = max((work, what) for what, (work, _) in worst.items())
        demand(most < MOST_SECONDS, f"{title}: {what} took the server {most:.2f} s of processor time")


def walk_on(server, name, end):
    while time.monotonic() < end:
        Reader(server, name).walk(0)


def beside(server, people):
    """The slowest of 99 % of the answers to somebody else while so many people rate words."""
    person, number, end = Reader(server, f"beside{people}"), 0, time.monotonic() + 5
    others = [multiprocessing.Process(target=walk_on, args=(server, f"one{n}", end)) for n in range(people)]
    for other in others:
        other.start()
    while time.monotonic() < end:
        number += 1
        person.rate(number)
        person.timed("ranking", "GET", "/ranking?top=10")
        time.sleep(0.02)
    for other in others:
        other.join()
        demand(other.exitcode == 0, "one who rates words is answered")
    taken = sorted(seconds for all_of in person.taken.values() for _, seconds in all_of)
    return taken[len(taken) * 99 // 100], len(taken)


def main():
    searches = int(sys.argv[sys.argv.index("--searches") + 1]) if "--searches" in sys.argv else 3
    with Folder(sys.argv[1]) as folder:
        make_pool(folder.path)
        with Server(sys.argv[1], "pool", cwd=folder.path) as server:
            for title, after in (("words alone", REQUESTS), ("after 5 ratings", 0), ("ratings between", REQUESTS // 2)):
                reader = Reader(server, title)
                reader.walk(after)
                reader.say(title)
            alone, count = beside(server, 0)
            busy, others = beside(server, searches)
            print(f"99 % of {count} answers alone within {alone * 1e3:.1f} ms, of {others} beside {searches} such searches within "
                  f"{busy * 1e3:.1f} ms")
            demand(busy < MOST_SECONDS / 2, f"answers beside such searches took up to {busy:.2f} s")


if __name__ == "__main__":
    run(main)
