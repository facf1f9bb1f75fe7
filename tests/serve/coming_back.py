#!/usr/bin/env python3
"""coming_back.py PROGRAM: after a restart everybody is at work again, and nobody else gets in; reasons and words in colours stay."""
import re
import subprocess
import sys

from served import PREFIX, Folder, Server, demand, run


def log_in(server, token):
    answer = server.raw("POST", PREFIX + "/login", '{"token": "%s"}' % token, {"Content-Type": "application/json"})
    return answer.headers["Set-Cookie"].split(";")[0].split("=")[1] if answer.status == 204 else None


def press_enter(server):
    """Another address and its digits."""
    server.process.stdin.write(b"\n")
    server.process.stdin.flush()
    said = ""
    while not (found := re.search(r"\?once=([0-9a-f]{64})\s+or type (\d{6}) ", said)):
        said += server.process.stdout.readline().decode()
    return found[1], found[2]


def alone(program, folder):
    given = ("tiny", "--searches", "alone.search")
    with Server(program, *given, cwd=folder.path, stdin=subprocess.PIPE) as server:
        first = server.token
        path = "/sessions/" + server.ask("POST", "/sessions", {"name": "a", "pool": "tiny", "reasons": ["population", "design"]}).json()["session"]
        server.ask("POST", path + "/aim", {"request": "1", "coloured": ["soil, com*", "", "rose", ""]})
        document = server.ask("GET", path + "/next").json()["document"]["document"]
        server.ask("POST", path + "/ratings", {"request": "2", "document": document, "reward": 0, "tags": ["design"]})
        for wrong in (["x"] * 6, ["x" * 2001], "text", [1]):
            server.ask("POST", path + "/aim", {"request": "3", "coloured": wrong}, 422)
        server.end(9)
    with Server(program, *given, cwd=folder.path, token=first, stdin=subprocess.PIPE) as server:
        facts = server.ask("GET", path).json()
        demand((facts["reasons"], facts["coloured"]) == (["population", "design"], ["soil, com*", "", "rose"]), f"after a kill: {facts}")
        text = server.ask("GET", path + "/export?format=ris&which=everything").json()["text"]
        pool = server.ask("GET", "/pools/tiny").json()
        demand(text.count("ER  - ") == pool["documents"] and "N1  - Excluded: design\r\n" in text, "all records, with the reason")
        line = server.ask("GET", "/sessions").json()["sessions"][0]
        demand(line["last_ms"] == server.ask("GET", path + "/events").json()["events"][-1]["at_ms"], f"when it was used: {line}")
        once, code = press_enter(server)
        demand(log_in(server, server.once) is None, "the first address works after another one was printed")
        wrong = "%06d" % ((int(code) + 1) % 1_000_000)
        demand(all(log_in(server, wrong) is None for _ in range(5)) and log_in(server, code) is None, "digits work after five tries")
        demand(log_in(server, once) and log_in(server, once) is None, "the address works once")
        second = log_in(server, press_enter(server)[1])
        server.ask("GET", path, token=second)
        server.raw("POST", PREFIX + "/logout", "{}", {"Content-Type": "application/json", "Authorization": f"Bearer {first}"})
        server.end()
    with Server(program, *given, cwd=folder.path, token=second) as server:
        server.ask("GET", path)
        server.ask("GET", path, expect=401, token=first)


def several(program, folder):
    tokens = folder.tokens_of(program, "ada", "bob")
    given = ("tiny", "--searches", "several.search", "--users", "users")
    with Server(program, *given, cwd=folder.path, token=tokens["ada"]) as server:
        cookies = {name: log_in(server, token) for name, token in tokens.items()}
        server.end()
    subprocess.run([program, "serve", "--users", folder.file("users"), "--new-token", "bob"], check=True, capture_output=True)
    with Server(program, *given, cwd=folder.path, token=tokens["ada"]) as server:
        demand(server.ask("GET", "/about", token=cookies["ada"]).json()["user"] == "ada", "the login is hers")
        server.ask("GET", "/about", token=cookies["bob"], expect=401)


def main():
    program = sys.argv[1]
    with Folder(program) as folder:
        alone(program, folder)
        several(program, folder)
    print("logins survive a kill until they end; other ways in work once")


if __name__ == "__main__":
    run(main)
