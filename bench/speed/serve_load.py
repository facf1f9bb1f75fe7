#!/usr/bin/env python3
"""serve_load.py PROGRAM: how fast `inkling serve` is.

Builds a pool of random texts (or takes --pool), starts the server, and measures with 64 connections: ratings at a fixed rate,
ratings as fast as they are answered, and reads. Latencies at a fixed rate count from the time at which a request was due, so
that a server that falls behind cannot hide it. Beside them, in the same folder: what a durable commit of SQLite alone takes.
Prints one JSON object a line, with the CPU time that the server and this client took for an answer. --known N first begins N more
searches, which are then put away; --only-paced measures only the fixed rate, and the memory of the server.

The client shares the computer with the server, so it does little: of an answer it reads the status, the document that is
shown, and the first word of it.
"""

import argparse
import collections
import heapq
import itertools
import json
import os
import random
import re
import select
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time

CONNECTIONS = 64
SHOWN = re.compile(rb'"document":\{"document":(\d+)')
FIRST_WORD = re.compile(rb'"words":\[\{"feature":(\d+)')


def quantile(times, share):
    return round(1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))], 2) if times else None


def summary(name, times, seconds, **more):
    print(json.dumps({"what": name, "answers": len(times), "per_second": round(len(times) / seconds), "p50_ms": quantile(times, 0.5),
                      "p99_ms": quantile(times, 0.99), "worst_ms": quantile(times, 1.0), **more}), flush=True)


def bare_commits(folder, count=300):
    """The time of each durable commit of one row, in WAL with synchronous=FULL, as the log has it."""
    database = sqlite3.connect(os.path.join(folder, "bare.db"), isolation_level=None)
    database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS t (a TEXT)")
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        database.execute("INSERT INTO t VALUES (?)", ("x" * 300,))
        times.append(time.perf_counter() - begin)
    database.close()
    return times


class Connection:
    """One connection that is kept, with one request at a time on it."""

    def __init__(self, port, epoll):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)
        epoll.register(self.socket.fileno(), select.EPOLLIN)
        self.got, self.begin, self.take = b"", 0.0, None

    def send(self, request, begin, take):
        self.begin, self.take = begin, take
        self.socket.sendall(request)

    def receive(self):
        """The status and body of the answer, when all of it has come."""
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise ConnectionError("the server ended a connection")
        self.got = self.got + piece if self.got else piece
        end = self.got.find(b"\r\n\r\n")
        if end < 0:
            return None
        place = self.got.find(b"Content-Length: ")
        length = int(self.got[place + 16:self.got.index(b"\r", place)]) if 0 <= place < end else 0
        if len(self.got) < end + 4 + length:
            return None
        status, body, self.got = int(self.got[9:12]), self.got[end + 4:], b""
        return status, body


class Load:
    """All connections, served by one thread: requests go out when a connection is free and the request is due."""

    def __init__(self, port, token, server):
        self.server = server  # its process
        self.epoll = select.epoll()
        self.connections = [Connection(port, self.epoll) for _ in range(CONNECTIONS)]
        self.by_number = {one.socket.fileno(): one for one in self.connections}
        self.head = f" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"

    def request(self, method, target, data=None):
        if data is None:
            return f"{method} {target}{self.head}\r\n".encode()
        return f"{method} {target}{self.head}Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n{data}".encode()

    def run(self, requests_of, due=None):
        """requests_of: for each connection an iterator of (request, what takes its answer); due: at which seconds one may go out.

        Ends when no connection has a request left. Returns what `summary` prints: latencies, seconds and more.
        """
        cpu_before = cpu_seconds(self.server), time.process_time()
        times, wrong, start, busy = [], 0, time.perf_counter(), 0
        waiting = []  # (time, number of the connection)
        turns = [iter(one) for one in requests_of]

        def go_on(number):
            nonlocal busy
            at = None if due is None else next(due, None)
            if due is not None and at is None:
                return
            if at is not None and start + at > time.perf_counter():
                heapq.heappush(waiting, (start + at, number))
                return
            send(number, time.perf_counter() if at is None else start + at)

        def send(number, begin):
            nonlocal busy
            following = next(turns[number], None)
            if following is not None:
                busy += 1
                self.connections[number].send(following[0], begin, following[1])

        numbers = {one.socket.fileno(): number for number, one in enumerate(self.connections)}
        for number in range(len(turns)):
            go_on(number)
        while busy or waiting:
            now = time.perf_counter()
            while waiting and waiting[0][0] <= now:
                send(waiting[0][1], waiting[0][0])
                heapq.heappop(waiting)
            for ready, _ in self.epoll.poll(max(0.0, waiting[0][0] - time.perf_counter()) if waiting else 1.0):
                connection = self.by_number[ready]
                answer = connection.receive()
                if answer is None:
                    continue
                times.append(time.perf_counter() - connection.begin)
                wrong += not 200 <= answer[0] < 300
                busy -= 1
                if connection.take:
                    connection.take(*answer)
                go_on(numbers[ready])
        server, client = cpu_seconds(self.server) - cpu_before[0], time.process_time() - cpu_before[1]
        answers = max(1, len(times))
        return {"times": times, "seconds": time.perf_counter() - start, "not_2xx": wrong,
                "server_cpu_ms": round(1000 * server / answers, 3), "client_cpu_ms": round(1000 * client / answers, 3)}


class Reader:
    """A person: a search of his own, with a rating for each document that is shown."""

    def __init__(self, load, number):
        self.load, self.random, self.number, self.path, self.count = load, random.Random(number), number, None, 0
        self.shown, self.first_word = None, None

    def begin(self, options):
        body = {"name": f"load {self.number}", "pool": os.path.basename(options.pool), "seed": self.number,
                "words": [word for word in options.words.split(",") if word], "policy": options.policy}
        return self.load.request("POST", "/api/v1/sessions", json.dumps(body)), self.begun

    def begun(self, status, body):
        assert status == 201, body
        self.path = "/api/v1/sessions/" + json.loads(body)["session"]

    def first(self):
        return self.load.request("GET", self.path + "/next"), self.take_first

    def take_first(self, status, body):
        assert status == 200, body
        self.look_at(body)

    def rating(self):
        self.count += 1
        words = f', "words": [{self.first_word}]' if self.random.random() < 0.3 else ""
        reward = int(self.random.random() < 0.3)
        body = f'{{"request": "{self.number}-{self.count}", "document": {self.shown}, "reward": {reward}{words}}}'
        return self.load.request("POST", self.path + "/ratings", body), self.take_rating

    def take_rating(self, status, body):
        assert status == 201, body
        self.look_at(body)

    def look_at(self, body):
        shown = SHOWN.search(body)
        self.shown, self.first_word = int(shown[1]), int(FIRST_WORD.search(body, shown.end())[1])


def until(seconds, make):
    """Sends requests for this many seconds."""
    end = None
    while end is None or time.perf_counter() < end:
        end = end or time.perf_counter() + seconds
        yield make()


def begin_all(load, readers, options):
    for step in (lambda one: one.begin(options), lambda one: one.first()):
        queue = collections.deque(readers)
        requests = (step(queue.popleft()) for _ in range(len(readers)))
        load.run([requests] * CONNECTIONS)


def measure(load, options):
    begin = time.perf_counter()
    begin_all(load, [Reader(load, 10**6 + number) for number in range(options.known)], options)
    readers = [Reader(load, number) for number in range(options.sessions)]
    begin_all(load, readers, options)
    print(json.dumps({"what": "searches that were begun", "count": options.known + options.sessions, "seconds": round(time.perf_counter() - begin, 1)}), flush=True)
    groups = [itertools.cycle(readers[n::CONNECTIONS]) for n in range(min(CONNECTIONS, len(readers)))]

    def ratings(seconds):
        return [until(seconds, lambda group=group: next(group).rating()) for group in groups]

    def due(seconds):
        return iter([number / options.rate for number in range(options.rate * seconds)])

    load.run(ratings(2), due(2) if options.only_paced else None)  # everything is warm
    summary(f"{options.policy}: ratings at {options.rate}/s", **load.run(ratings(10 * options.seconds), due(options.seconds)))
    if options.only_paced:
        return
    summary(f"{options.policy}: ratings, saturated", **load.run(ratings(options.seconds)))
    chosen = random.Random(1)
    documents = [chosen.randrange(options.documents) for _ in range(1000)]
    kinds = {"documents": [f"/api/v1/pools/pool/documents/{document}" for document in documents],
             "why": [f"{reader.path}/documents/{document}/why" for reader, document in zip(itertools.cycle(readers), documents)],
             "ranking of 20": [f"{reader.path}/ranking?top=20" for reader in readers]}
    for name, targets in kinds.items():
        requests = itertools.cycle([(load.request("GET", target), None) for target in targets])
        summary(f"{options.policy}: {name}", **load.run([until(options.seconds / 2, lambda: next(requests))] * CONNECTIONS))


def random_texts(path, documents):
    chosen = random.Random(1)
    words = [f"w{n}" for n in range(20_000)]
    weights = list(itertools.accumulate(1 / (n + 3) for n in range(len(words))))
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(documents):
            file.write(" ".join(chosen.choices(words, cum_weights=weights, k=40)) + "\n")


def cpu_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(process):
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
        return {name: int(value) // 1024 for name, value in re.findall(r"^(VmHWM|RssAnon|RssFile):\s+(\d+) kB", file.read(), re.MULTILINE)}


def log_in(port, once):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(f"GET /?once={once} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return re.search(rb"inkling-\d+=(\w+)", connection.recv(65536))[1].decode()


def measure_policy(program, folder, options, policy):
    options.policy = policy
    serve = [program, "serve", options.pool, "--port", "0", "--active", options.active, "--threads", options.threads, "--searches", f"{policy}.search"]
    with subprocess.Popen(serve, cwd=folder, stdout=subprocess.PIPE) as server:
        try:
            found = re.match(rb"Open http://[^:]+:(\d+)/\?once=(\w+)", server.stdout.readline())
            port, once = int(found[1]), found[2].decode()
            times = bare_commits(folder)
            summary("a durable commit alone", times, sum(times))
            measure(Load(port, log_in(port, once), server), options)
            print(json.dumps({"what": f"{policy}: memory of the server, MB", **resident_megabytes(server)}), flush=True)
            times = bare_commits(folder)
            summary("a durable commit alone", times, sum(times))
        finally:
            server.terminate()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--pool", help="this one, in place of random texts; what is asked of it by number is of --documents")
    parser.add_argument("--words", default="w7,w30", help="what searches begin with")
    parser.add_argument("--rate", type=int, default=200, help="ratings a second")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--sessions", type=int, default=CONNECTIONS, help="searches that are rated in")
    parser.add_argument("--known", type=int, default=0, help="searches that are not")
    parser.add_argument("--policies", default="ff-oful,inkling")
    parser.add_argument("--active", default="1000", help="as for inkling serve, as --threads")
    parser.add_argument("--threads", default="32")
    parser.add_argument("--only-paced", action="store_true")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    folder = tempfile.mkdtemp(prefix="inkling-load-")
    try:
        if options.pool:
            options.pool = os.path.abspath(options.pool)
        else:
            options.pool = "pool"
            random_texts(os.path.join(folder, "texts"), options.documents)
            subprocess.run([program, "build", "texts", "--format", "lines", "--keep-text", "--out", "pool"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for policy in options.policies.split(","):
            measure_policy(program, folder, options, policy)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
