#!/usr/bin/env python3
"""good_left.py PROGRAM [--short | --searches N] [--seed S]: the stop estimate on a pipe, at a server and, where the package
inkling can be imported, in Python.

N searches (10,000; 40 with --short) are simulated at each door, by people who skip, rate again, name documents, ask for samples,
take back and look at the estimate after each answer. A search fails if at some moment more good documents are left than
`at_most` says; at most 5 of 100 searches may fail. Prints how many failed at each door. The exit code is 1 if more failed.
"""

import argparse
import contextlib
import http.client
import importlib
import json
import os
import random
import subprocess
import tempfile

from served import PREFIX, Server, demand, run, tool

DOCUMENTS, ROUNDS = 60, 50
WORDS = "soil rose fern moss tree leaf seed root bark pond".split()
POLICIES = ("random", "inkling", "ff-oful", "oful")


class Door:
    """What a person answers, as requests of one verb each."""

    def rate(self, document, reward):
        self.tell("rate", reward, document=document)

    def skip(self, document):
        self.tell("skip", True, document=document)

    def sample(self, count):
        self.tell("sample", count)

    def undo(self):
        self.tell("undo", 1)


class Pipe(Door):
    """`inkling search --json`, in a process for each search."""

    def __init__(self, program, folder):
        self.program, self.folder, self.process = os.path.abspath(program), folder, None

    def begin(self, number, policy):
        self.end()
        self.file = f"{number}.search"
        self.process = subprocess.Popen([self.program, "search", "pool", "--json", "--searches", self.file, "--policy", policy, "--seed",
                                         str(number)], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        demand("error" not in answer, f"{request}: {answer}")
        return answer

    def offered(self):
        return self.ask({"next": True})["document"]

    def tell(self, verb, value, **more):
        self.ask({verb: value, **more})

    def at_most(self):
        return self.ask({"progress": True})["good_left"]["at_most"]

    def end(self):
        if self.process:
            self.process.communicate()
            for name in os.listdir(self.folder):
                if name.startswith(self.file):
                    os.unlink(os.path.join(self.folder, name))


class Http(Door):
    """`inkling serve`."""

    FORMS = {"rate": ("ratings", "reward"), "skip": ("skips", None), "sample": ("samples", "count"), "undo": ("undo", "count")}

    def __init__(self, program, folder):
        self.server, self.number = Server(program, "pool", "--searches", "served.search", cwd=folder), 0
        self.connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=30)

    def ask(self, method, path, body=None):
        self.connection.request(method, PREFIX + path, json.dumps(body) if body else None,
                                {"Cookie": self.server.cookie, "Content-Type": "application/json"})
        response = self.connection.getresponse()
        text = response.read()
        demand(response.status < 300, f"{method} {path} {body}: {response.status} {text}")
        return json.loads(text)

    def begin(self, number, policy):
        made = {"name": f"s{number}", "pool": "pool", "policy": policy, "seed": number}
        self.path = "/sessions/" + self.ask("POST", "/sessions", made)["session"]

    def tell(self, verb, value, **more):
        self.number += 1
        what, member = self.FORMS[verb]
        if member:
            more[member] = value
        self.ask("POST", f"{self.path}/{what}", {"request": f"r{self.number}", **more})

    def offered(self):
        return self.ask("GET", self.path + "/next")["document"]["document"]

    def at_most(self):
        return self.ask("GET", self.path + "/progress")["progress"]["good_left"]["at_most"]

    def end(self):
        with self.server:
            pass


class Python:
    """`inkling.Session`, in the interpreter that runs this file."""

    def __init__(self, package, folder):
        self.package, self.pool = package, package.Pool.open(os.path.join(folder, "pool"))

    def begin(self, number, policy):
        self.session = self.package.Session(self.pool, policy, random_state=number)

    def offered(self):
        return self.session.choose().document

    def __getattr__(self, verb):  # rate, skip, sample and undo
        return getattr(self.session, verb)

    def at_most(self):
        return self.session.good_left().at_most

    def end(self):
        del self.session


def doors(program, folder):
    yield "pipe", Pipe(program, folder)
    yield "server", Http(program, folder)
    with contextlib.suppress(ImportError):
        yield "Python", Python(importlib.import_module("inkling"), folder)


def holds_to_the_end(door, chance):
    """Whether the estimate held at each moment of one search."""
    share = 0.02 + 0.4 * chance.random()
    good = {n for n in range(DOCUMENTS) if chance.random() < share}
    rated, answers = set(), []  # an answer is the document that it rated for the first time, or None

    def rate(document):
        door.rate(document, 1.0 - 0.4 * chance.random() if document in good else 0.0)
        answers.append(None if document in rated else document)
        rated.add(document)

    for _ in range(ROUNDS):
        kind = chance.random()
        if kind < 0.1:
            door.sample(chance.randrange(1, 20))
            answers.clear()  # the next undo takes back the sample
        elif kind < 0.2 and answers:
            door.undo()
            rated.discard(answers.pop())
        elif kind < 0.3 and rated:
            rate(chance.choice(sorted(rated)))
        elif kind < 0.35:
            rate(chance.choice(sorted(set(range(DOCUMENTS)) - rated)))
        elif kind < 0.45:
            document = door.offered()
            door.skip(document)
            answers.append(None)
        else:
            rate(door.offered())
        if len(good - rated) > door.at_most():
            return False
        if len(rated) == DOCUMENTS:
            return True
    return True


def check(told):
    with tempfile.TemporaryDirectory(prefix="inkling-good-left-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        chance = random.Random(told.seed)
        with open(os.path.join(folder, "texts.txt"), "w", encoding="utf-8") as file:
            for _ in range(DOCUMENTS):
                file.write(" ".join(chance.choices(WORDS, k=6)) + "\n")
        tool(told.program, "build", "texts.txt", "--format", "lines", "--out", "pool", cwd=folder)
        for name, door in doors(told.program, folder):
            failed = 0
            for number in range(told.searches):
                door.begin(number, POLICIES[number % len(POLICIES)])
                failed += not holds_to_the_end(door, chance)
            door.end()
            print(f"{name}: the estimate was too low at some moment in {failed} of {told.searches} searches", flush=True)
            demand(failed * 100 <= told.searches * 5 + 200, f"the estimate failed in {failed} of {told.searches} searches")


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--short", dest="searches", action="store_const", const=40, default=10_000)
    options.add_argument("--searches", type=int)
    options.add_argument("--seed", default="4")
    arguments = options.parse_args()
    run(lambda: check(arguments))
