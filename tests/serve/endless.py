#!/usr/bin/env python3
"""endless.py PROGRAM [--short]: connections that send without end, or stop, take no memory and keep nobody out.

Under a limit of 4 GB of address space, 64 connections send a chunk extension, a trailer, a line of a header, a body, or short
trailers without end, and open again when they are closed: the server grows by at most 128 MiB, and 99 % of a person's requests are
answered within half a second. Then 1,500 connections stall after their header, in their body, or in their answer: all of 60
requests of a person are answered within a second each. Prints the figures; --short takes a third of the time.
"""

import multiprocessing
import resource
import selectors
import socket
import sys
import time

from served import PATIENCE, Folder, Server, demand, is_sanitized, run

HOST = "Host: localhost\r\n"
CHUNKED = f"POST /api/v1/login HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n2"
ENDLESS = {"a chunk extension": (CHUNKED + ";", b"a" * 65536),
           "a trailer": (CHUNKED + "\r\n{}\r\n0\r\nX: ", b"y" * 65536),
           "short trailers": (CHUNKED + "\r\n{}\r\n0\r\n", b"X1: y\r\n" * 8192),
           "a line of a header": ("GET / HTTP/1.1\r\nX: ", b"x" * 65536),
           "a body": (CHUNKED + "\r\n{}\r\n", b"1000\r\n" + b"x" * 4096 + b"\r\n")}
STALLING = (f"POST /api/v1/login HTTP/1.1\r\n{HOST}Content-Length: 1000\r\n\r\n",
            f"POST /api/v1/login HTTP/1.1\r\n{HOST}Content-Length: 1000\r\n\r\nx",
            f"GET / HTTP/1.1\r\n{HOST}\r\n" * 40, "GET / HT")


def opened(port, first):
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.setblocking(False)
    one.connect_ex(("127.0.0.1", port))
    return [one, first.encode(), 0]


def send_without_end(port, count, first, text, ends, opened_count):
    """Keeps so many connections open, each of which sends `first` and then, unless it is empty, `text` again and again."""
    selector = selectors.DefaultSelector()

    def begin(number):
        state = opened(port, first[number % len(first)])
        selector.register(state[0], selectors.EVENT_WRITE | (0 if text is None else selectors.EVENT_READ), (number, state))
        opened_count.value += 1

    for number in range(count):
        begin(number)
    while not ends.is_set():
        for key, events in selector.select(0.2):
            number, state = key.data
            try:
                if events & selectors.EVENT_READ and not state[0].recv(65536):
                    raise ConnectionError
                if events & selectors.EVENT_WRITE:
                    rest = state[1] if state[1] else text
                    if rest is None:  # it stalls until the server ends it, and reads nothing of its answer
                        selector.modify(state[0], selectors.EVENT_READ if number % 4 != 2 else 0x2000, key.data)
                        continue
                    sent = state[0].send(rest)
                    state[1] = state[1][sent:]
            except BlockingIOError:
                continue
            except OSError:
                selector.unregister(state[0])
                state[0].close()
                begin(number)


class Senders:
    def __init__(self, port, count, first, text):
        self.ends, self.opened = multiprocessing.Event(), multiprocessing.Value("l", 0)
        self.process = multiprocessing.Process(target=send_without_end, args=(port, count, first, text, self.ends, self.opened))

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.process.join(10)
        self.process.kill()


def memory(server, name):
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(name))


def times_of_person(server, seconds, most=10**9):
    taken, began = [], time.monotonic()
    while time.monotonic() - began < seconds and len(taken) < most:
        start = time.monotonic()
        server.ask("GET", "/about")
        taken.append(time.monotonic() - start)
        time.sleep(0.01 if most > 100 else max(0.0, seconds / most - taken[-1]))
    return sorted(taken)


def main():
    share = 3 if "--short" in sys.argv else 1
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limit = () if is_sanitized(sys.argv[1]) else ("prlimit", f"--as={4 << 30}")
    with Folder(sys.argv[1]) as folder:
        with Server(sys.argv[1], "tiny", cwd=folder.path, before=limit) as server:
            begun = memory(server, "VmRSS:")
            for what, (first, text) in ENDLESS.items():
                with Senders(server.port, 64, [first], text) as senders:
                    time.sleep(0.5)
                    taken = times_of_person(server, 6 / share)
                grown = (memory(server, "VmHWM:") - begun) >> 20
                slow = taken[len(taken) * 99 // 100]
                print(f"64 connections with {what} without end, opened {senders.opened.value} times: {grown} MiB more memory, 99 % of "
                      f"{len(taken)} answers within {slow * 1e3:.0f} ms", flush=True)
                demand(grown < 128, f"{what} took {grown} MiB")
                demand(slow < 0.5 * PATIENCE, f"beside {what}, an answer took {slow:.2f} s")
            count = min(1_500, hard - 100)
            with Senders(server.port, count, list(STALLING), None) as senders:
                time.sleep(1.0)
                taken = times_of_person(server, 60 / share, 60)
            print(f"{count} connections that stall, opened {senders.opened.value} times: {len(taken)} of 60 requests answered, the "
                  f"slowest in {taken[-1] * 1e3:.0f} ms")
            demand(taken[-1] < 1.0 * PATIENCE, f"beside connections that stall, an answer took {taken[-1]:.2f} s")
            demand(server.end() == 0, "it ends well")


if __name__ == "__main__":
    run(main)
