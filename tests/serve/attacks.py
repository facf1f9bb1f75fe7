#!/usr/bin/env python3
"""attacks.py PROGRAM [--short | --idle N]: 31 ways to harm `inkling serve` or to get in; each must fail, and the server must go on.

An attack counts as failed if it gets no answer without a valid token, no answer is an error of the server (5xx), and a person who
searches meanwhile is answered within seconds. --short leaves out the attack that waits for the server's timeout, and opens fewer
connections; --idle N opens N idle ones, 10,000 by default.
"""

import json
import re
import resource
import select
import socket
import sys
import time

from served import PATIENCE, PREFIX, Folder, Server, Wrong, demand, run

GOOD_HOST = "Host: localhost\r\n"
NOTE = '{"request":"a","note":"x"}'


class Attacker:
    def __init__(self, server, path, most_connections):
        self.server, self.path, self.most_connections = server, path, most_connections
        self.auth = f"Authorization: Bearer {server.token}\r\n"

    def send(self, data, wait=3.0, pieces=1):
        """All bytes of the answers, until the server ends the connection or is silent for a while."""
        data = data if isinstance(data, bytes) else data.encode("latin-1")
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as connection:
            connection.settimeout(wait)
            try:
                step = max(1, len(data) // pieces)
                for begin in range(0, len(data), step):
                    connection.sendall(data[begin:begin + step])
            except OSError:
                pass
            answer = b""
            try:
                while len(answer) < 1_000_000:
                    got = connection.recv(65536)
                    if not got:
                        break
                    answer += got
                    if answer.startswith(b"HTTP/1.1 ") and pieces == 1 and complete(answer):
                        connection.settimeout(0.3)
            except OSError:
                pass
            return answer

    def statuses(self, data, **options):
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", self.send(data, **options))]

    def refused(self, data, allowed=(400, 401, 403, 404, 405, 408, 413, 415, 417, 422, 431), **options):
        got = self.statuses(data, **options)
        demand(all(status in allowed for status in got), f"answered by {got}: {data[:200]!r}")

    def request(self, method, target, headers="", body="", host=GOOD_HOST):
        return f"{method} {target} HTTP/1.1\r\n{host}{headers}\r\n{body}"


def complete(answer):
    head, found, body = answer.partition(b"\r\n\r\n")
    if not found:
        return False
    length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return not length or len(body) >= int(length[0].split(b":")[1])


def json_headers(body):
    return f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"


def about(more="", host=GOOD_HOST):
    """A request of a person who is signed in, with more headers."""
    return lambda it: it.request("GET", PREFIX + "/about", it.auth + more, host=host)


def note(more="", kind=json_headers(NOTE)):
    return lambda it: it.request("POST", it.path + "/notes", it.auth + more + kind, NOTE)


# Attacks that are one request, and the statuses that refuse it.
ONE_REQUEST = {
    "host_of_another_site": (about(host="Host: evil.example\r\n"), (403,)),
    "no_host": (about(host=""), (400, 403)),
    "two_hosts": (about(host=GOOD_HOST + "Host: evil.example\r\n"), (400, 403)),
    "host_that_begins_well": (about(host="Host: localhost.evil.example\r\n"), (403,)),
    "origin_of_another_site": (note("Origin: http://evil.example\r\n"), (403,)),
    "origin_null": (note("Origin: null\r\n"), (403,)),
    "fetch_of_another_site": (note("Sec-Fetch-Site: cross-site\r\n"), (403,)),
    "form_of_another_site": (note(kind=f"Content-Type: text/plain\r\nContent-Length: {len(NOTE)}\r\n"), (415,)),
    "huge_header": (about("X: " + "x" * 100_000 + "\r\n"), (431, 400)),
    "many_headers": (about("".join(f"X-{n}: y\r\n" for n in range(20_000))), (431, 400)),
    "huge_target": (lambda it: it.request("GET", "/" + "a" * 100_000, it.auth), (431, 400, 404)),
}


def no_token(it):
    for target in ("/about", "/pools", "/sessions", "/pools/tiny/documents/0"):
        it.refused(it.request("GET", PREFIX + target), (401,))
    it.refused(it.request("GET", "/metrics"), (401,))


def guessed_tokens(it):
    for token in ("", "x", "0" * 64, "a" * 5000, it.server.token[:-1], it.server.token + "0", "' OR 1=1 --"):
        it.refused(it.request("GET", PREFIX + "/about", f"Authorization: Bearer {token}\r\n"), (401,))
        it.refused(it.request("GET", PREFIX + "/about", f"Cookie: inkling-{it.server.port}={token}\r\n"), (401,))


def once_again(it):
    answer = it.send(it.request("GET", f"/?once={it.server.once}"))
    demand(b"Set-Cookie" not in answer, "the printed token works twice")


def smuggling_two_lengths(it):
    it.refused(it.request("POST", it.path + "/notes", it.auth + "Content-Type: application/json\r\nContent-Length: 2\r\n"
                          "Content-Length: 40\r\n", "{}GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"), (400,))


def smuggling_length_and_chunks(it):
    for order in (("Content-Length: 4\r\n", "Transfer-Encoding: chunked\r\n"), ("Transfer-Encoding: chunked\r\n", "Content-Length: 4\r\n")):
        data = it.request("POST", it.path + "/notes", it.auth + "Content-Type: application/json\r\n" + "".join(order),
                          "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        it.refused(data, (400, 422))


def smuggling_odd_encoding(it):
    for encoding in ("Transfer-Encoding: xchunked", "Transfer-Encoding : chunked", "Transfer-Encoding: identity, chunked, x",
                     "Transfer-Encoding:\x0bchunked", "Content-Length: +2", "Content-Length: 0x2", "Content-Length: -1"):
        data = it.request("POST", it.path + "/notes", it.auth + f"Content-Type: application/json\r\n{encoding}\r\n", "{}")
        it.refused(data, (400, 413, 422))


def bad_chunks(it):
    for chunk in ("zz\r\n{}\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\n{}", "-1\r\n{}\r\n", "7fffffffffffffff\r\n{}", "2\n{}\n0\n\n",
                  "2;" + "x" * 30000 + "\r\n{}\r\n0\r\n\r\n"):
        data = it.request("POST", it.path + "/notes", it.auth + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", chunk)
        it.refused(data, (400, 413, 422, 431), wait=2.0)


def endless_chunks(it):
    body = "1000\r\n" + "x" * 4096 + "\r\n"
    data = it.request("POST", it.path + "/notes", it.auth + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", body * 200)
    it.refused(data, (400, 413))


def split_header(it):
    answer = it.send(it.request("GET", "/?once=x%0d%0aSet-Cookie:%20a=b", it.auth))
    demand(b"set-cookie: a=b" not in answer.lower(), "a header was split")
    it.refused(it.request("GET", PREFIX + "/about", "X: a\rSet-Cookie: b\r\n" + it.auth), (400, 200))
    it.refused(it.request("GET", PREFIX + "/about", "X: a\x00b\r\n" + it.auth), (400, 200))


def bad_request_lines(it):
    for line in ("GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "GET http://evil/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 "G ET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "CONNECT evil:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 "TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n" * 5000, "\x00" * 3000, "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        it.refused(line, (400, 403, 404, 405, 431), wait=1.0)


def path_tricks(it):
    for target in ("/../../etc/passwd", "/assets/../../../etc/passwd", "/assets/..%2f..%2fetc%2fpasswd", "/assets/%2e%2e/x", "//etc/passwd",
                   "/assets/%00", "/assets/index.html%00.js", "/assets/....//x", PREFIX + "/pools/..%2ftiny", PREFIX + "/pools/tiny%2f..",
                   PREFIX + "/sessions/../pools", PREFIX + "//pools", "/assets/%c0%ae%c0%ae/x", "/assets/\\..\\x", PREFIX + "/pools/%"):
        it.refused(it.request("GET", target, it.auth), (400, 404))


def bad_text(it):
    for body in (b'{"request":"\xff","note":"x"}', b'{"request":"a","note":"\xed\xa0\x80"}', b'{"request":"a","note":"\\ud800"}',
                 b'{"request":"a","note":"\x01"}', b"\xef\xbb\xbf{}", b"\xff\xfe{\x00}\x00"):
        head = it.request("POST", it.path + "/notes", it.auth + json_headers("x" * len(body))).encode()
        it.refused(head + body, (400, 422))


def deep_json(it):
    for body in ("[" * 60_000, '{"a":' * 10_000, '{"request":' + "[" * 300 + "]" * 300 + "}", '"' + "\\" * 50_001):
        it.refused(it.request("POST", it.path + "/notes", it.auth + json_headers(body), body), (422,))


def huge_numbers(it):
    for number in ("1" * 60_000, "-1", "1e999999999", "9223372036854775808", "0." + "1" * 50_000, "NaN", "1e-999999999"):
        body = f'{{"request":"a","count":{number}}}'
        it.refused(it.request("POST", it.path + "/samples", it.auth + json_headers(body), body), (422,))
        it.refused(it.request("GET", f"{it.path}/events?after={number[:2000]}&limit={number[:2000]}", it.auth), (422,))


def huge_body(it):
    it.refused(it.request("POST", it.path + "/notes", it.auth + "Content-Type: application/json\r\nContent-Length: 99999999999\r\n", "x" * 100_000), (413,))
    it.refused(it.request("POST", PREFIX + "/sessions/import?name=a&pool=tiny", "Content-Type: application/x-ndjson\r\nContent-Length: 60000000\r\n", "x" * 100_000), (413,))


def half_requests(it):
    data = it.request("POST", it.path + "/notes", it.auth + json_headers("x" * 50), "x" * 20)
    for end in (1, 10, 40, len(data) - 1, len(data)):
        with socket.create_connection(("127.0.0.1", it.server.port), timeout=5) as connection:
            connection.sendall(data[:end].encode())


def slow_loris(it):
    slow = [socket.create_connection(("127.0.0.1", it.server.port), timeout=30) for _ in range(300)]
    try:
        begin = time.monotonic()
        ended = 0
        while time.monotonic() - begin < 14 and ended < len(slow):
            for connection in slow:
                try:
                    connection.sendall(b"X")
                except OSError:
                    pass
            it.server.ask("GET", "/about")
            time.sleep(1)
            ended = count_ended(slow)
        demand(ended == len(slow), f"the server ended only {ended} of {len(slow)} slow connections")
    finally:
        for connection in slow:
            connection.close()


def count_ended(connections):
    """How many the server has closed."""
    poll, by_file = select.poll(), {connection.fileno(): connection for connection in connections}
    for file in by_file:
        poll.register(file, select.POLLIN)
    return sum(is_ended(by_file[file]) for file, _ in poll.poll(0))


def is_ended(connection):
    connection.setblocking(False)
    try:
        while connection.recv(65536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def many_connections(it):
    many = []
    try:
        for _ in range(it.most_connections):
            try:
                connection = socket.create_connection(("127.0.0.1", it.server.port), timeout=5)
                many.append(connection)
            except OSError:
                break
        slowest = 0.0
        for _ in range(40):
            begin = time.monotonic()
            it.server.ask("GET", "/about")
            slowest = max(slowest, time.monotonic() - begin)
        demand(slowest < 1.0 * PATIENCE, f"a person waited {slowest:.1f} s beside {len(many)} idle connections")
        open_now = len(many) - count_ended(many)
        demand(open_now <= 1_024, f"{open_now} connections are open at once")
        print(f"beside {len(many)} idle connections 40 of 40 requests were answered, the slowest in {slowest * 1e3:.0f} ms")
    finally:
        for connection in many:
            connection.close()


def pipelined(it):
    one = it.request("GET", "/healthz")
    got = it.statuses(one * 50, wait=2.0, pieces=7)
    demand(got == [200] * 50, f"50 requests at once: {len(got)} answers")


def ids_that_are_no_ids(it):
    for name in ("' OR '1'='1", "../x", "%", "a" * 5000, "x;DROP TABLE event", "\u2028"):
        target = PREFIX + "/sessions/" + "".join(f"%{byte:02x}" for byte in name.encode())
        it.refused(it.request("GET", target, it.auth), (404, 431))


ATTACKS = (no_token, guessed_tokens, once_again, smuggling_two_lengths, smuggling_length_and_chunks, smuggling_odd_encoding, bad_chunks,
           endless_chunks, split_header, bad_request_lines, path_tricks, bad_text, deep_json, huge_numbers, huge_body, half_requests,
           slow_loris, many_connections, pipelined, ids_that_are_no_ids)


def main():
    held, is_short = 0, "--short" in sys.argv[2:]
    attacks = {name: lambda it, one=one: it.refused(one[0](it), one[1]) for name, one in ONE_REQUEST.items()}
    attacks |= {attack.__name__: attack for attack in ATTACKS if not (is_short and attack is slow_loris)}
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = hard if hard != resource.RLIM_INFINITY else max(soft, 20_000)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    idle = int(sys.argv[sys.argv.index("--idle") + 1]) if "--idle" in sys.argv else 1_500 if is_short else 10_000
    most_connections = min(idle, files - 200)
    with Folder(sys.argv[1]) as folder, Server(sys.argv[1], "tiny", "--searches", "a.search", cwd=folder.path) as server:
        session = server.ask("POST", "/sessions", {"name": "person", "pool": "tiny"}).json()["session"]
        attacker = Attacker(server, f"{PREFIX}/sessions/{session}", most_connections)
        for name, attack in attacks.items():
            try:
                attack(attacker)
                begin = time.monotonic()
                state = wait_for_answer(server, session)
                demand(time.monotonic() - begin < 20 * PATIENCE, "a person waits for long")
                demand(state["sequence"] == 0, "something was written")
                held += 1
            except Wrong as wrong:
                print(f"NOT HELD: {name}: {wrong}")
        demand(server.process.poll() is None, "the server ended")
    print(f"{held} of {len(attacks)} attacks held")
    demand(held == len(attacks), "an attack succeeded")


def wait_for_answer(server, session):
    """If an attack holds all connections, a person is answered when the server has closed these."""
    for _ in range(15):
        try:
            return server.ask("GET", f"/sessions/{session}").json()
        except (OSError, json.JSONDecodeError):
            time.sleep(1)
    raise Wrong("a person is not answered")


if __name__ == "__main__":
    run(main)
