#!/usr/bin/env python3
"""blind_pair.py PROGRAM: two people read the same documents, and neither sees what the other says before both are done.

First one reader rates all documents, with words, notes and a question that nobody else can know. Then all others ask for these at
every address, in many ways: each answer must be the same as if the reader had said nothing. Then the other reader rates, and
both see their agreement. A third person decides, and the export has both answers and the decision.
"""

import csv
import io
import json
import sys

from served import PREFIX, Folder, Person, Server, demand, quoted, run, tool

READERS = ("bob", "eve")
SECRET = "zebra-note-of-bob"  # in all answers of bob
COUNT = 8


def attempts(pair, his, hers, first):
    """Requests that may show bob's answers to others: method, path, body."""
    gets = [
        "", "/next", "/events", "/events?after=0&limit=10000", "/words", "/words?limit=10000", "/progress", "/ranking",
        "/ranking?top=1000", "/found", "/export", "/export?format=csv", "/export?format=jsonl", "/export?format=ris",
        "/export?format=csv&which=good", "/export?format=csv&which=unread", "/export?format=jsonl&which=all",
        "/export?format=ris&which=good", "/report", "/report?as=html", f"/documents/{first}/why", "/documents/0/why", "/documents/1/why",
    ]
    tries = [("GET", his + rest, None) for rest in gets]
    tries += [("GET", hers + rest, None) for rest in gets]
    writes = [
        ("/ratings", {"document": first, "reward": 1}), ("/skips", {"document": first}), ("/undo", {}), ("/redo", {}),
        ("/undo", {"count": 1}), ("/undo", {"sequence": 1}), ("/notes", {"note": "x"}), ("/aim", {"question": "x"}),
        ("/samples", {"count": 1}), ("/queries", {"words": ["soil"]}), ("/marks", {"document": first, "words": ["soil"]}),
    ]
    tries += [("POST", his + rest, {"request": f"try{number}", **body}) for number, (rest, body) in enumerate(writes)]
    tries += [
        ("DELETE", his + "/words/0?request=try", None), ("POST", his + "/close", {}), ("POST", his + "/share", {"with": ["eve"]}),
        ("POST", his + "/share", {"with": []}), ("POST", his + "/pairs", {"readers": ["bob", "eve"], "count": 1}),
        ("POST", hers + "/share", {"with": ["bob"]}), ("POST", hers + "/pairs", {"readers": ["bob", "eve"], "count": 1}),
        ("GET", "/pairs", None), ("GET", f"/pairs/{pair}", None), ("GET", f"/pairs/{pair}/export", None),
        ("POST", f"/pairs/{pair}/decisions", {}), ("GET", "/pairs/" + pair.upper(), None), ("GET", "/pairs/%2e%2e", None),
        ("GET", "/sessions", None), ("GET", "/pools", None), ("GET", "/pools/tiny", None), ("GET", f"/pools/tiny/documents/{first}", None),
        ("GET", "/pools/tiny/words?prefix=s", None), ("GET", "/pools/tiny/search?words=soil", None),
        ("GET", "/about", None), ("GET", "/openapi.json", None), ("GET", "/metrics", None), ("GET", his.replace("/sessions", "/Sessions"), None),
        ("GET", his + "%00", None), ("GET", his.upper(), None), ("GET", his + "/next?user=bob", None), ("HEAD", his + "/events", None),
    ]
    return tries


def asked(server, token, method, path, body):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    response = server.raw(method, path if path == "/metrics" else PREFIX + path, json.dumps(body).encode() if body is not None else None, headers)
    return response.status, response.body


def check_nothing_is_seen(server, tokens, pair, his, hers, before, first):
    """Checks that no request of others shows bob's answers. Returns the number of requests."""
    tries = attempts(pair, his, hers, first)
    for name in ("eve", "ada", "dan", "mallory"):
        for method, path, body in tries:
            if path.startswith(hers) and name == "eve" and method == "POST":
                continue  # she may send these
            status, answer = asked(server, tokens[name], method, path, body)
            where = f"{name}: {method} {path}"
            demand(status < 500 and SECRET.encode() not in answer, f"{where}: {status} {answer!r:.300}")
            if path.startswith(his):
                demand(status in (400, 404), f"{where}: {status} {answer!r:.300}")
        for method, path, _ in tries:
            key = (name, method, path)
            if key in before:
                found = asked(server, tokens[name], method, path, None)
                demand(found == before[key], f"{name}: {method} {path} tells that bob is done: {before[key]} became {found}")
    return len(tries)


def as_seen(server, tokens, pair, his, hers, first):
    """What others see before bob has said anything."""
    seen = {}
    for name in ("eve", "mallory"):
        for method, path, body in attempts(pair, his, hers, first):
            if method == "GET" and body is None and not (path == "/metrics" and name == "mallory"):
                seen[name, method, path] = asked(server, tokens[name], method, path, None)
    return seen


class Reader(Person):
    def read_all(self, reward_of, note=""):
        """Rates all documents. Returns them in the order in which they were shown."""
        order = []
        shown = self.get("/next")
        while shown is not None:
            document = shown["document"]["document"]
            order.append(document)
            more = {"note": note, "tags": [note], "words": [shown["document"]["words"][0]["word"]]} if note else {}
            shown = self.say("ratings", document=document, reward=reward_of(len(order) - 1), **more)["next"]
        return order


def read_and_compare(server, tokens):
    made = server.ask("POST", "/sessions", {"name": "review", "pool": "tiny", "words": ["soil"], "question": "soil?"}).json()
    path = f"/sessions/{made['session']}"
    for wrong in ({"readers": ["bob"], "count": 1}, {"readers": ["bob", "bob"], "count": 1}, {"readers": ["bob", "none"], "count": 1},
                  {"readers": list(READERS), "count": 0}, {"readers": list(READERS), "count": 1, "decider": "none"}):
        server.ask("POST", path + "/pairs", wrong, 422)
    pair = server.ask("POST", path + "/pairs", {"readers": list(READERS), "count": COUNT, "decider": "dan"}).json()["pair"]
    sessions = {name: next(one for one in server.ask("GET", "/pairs", token=tokens[name]).json()["pairs"])["session"] for name in READERS}
    bob, eve = (Reader(server, tokens[name], sessions[name]) for name in READERS)
    demand(server.ask("GET", "/pairs", token=tokens["mallory"]).json()["pairs"] == [], "others do not know of it")
    demand(bob.get("/next")["document"] == eve.get("/next")["document"], "both begin with the same document")
    first = bob.offer()
    bob.say("samples", 422, count=1)
    before = as_seen(server, tokens, pair, bob.path, eve.path, first)
    bob.say("aim", question=SECRET)
    bob.say("notes", note=SECRET)
    order = bob.read_all(lambda n: 1 if n < 5 else 0, SECRET)
    demand(len(order) == COUNT, f"he gets {COUNT} documents: {order}")
    tries = check_nothing_is_seen(server, tokens, pair, bob.path, eve.path, before, first)
    demand(tries >= 54, f"{tries} tries")
    seen = {name: server.ask("GET", f"/pairs/{pair}", token=tokens[name]).json() for name in (*READERS, "ada", "dan")}
    demand(seen["eve"]["left"] == [None, COUNT] and seen["bob"]["left"] == [0, None], f"a reader knows of themselves: {seen}")
    demand(seen["dan"]["left"] == [0, COUNT] and all(one["agreement"] is None for one in seen.values()), "who decides knows how far they are")
    bob.say("undo")
    last = bob.offer()
    demand(last == order[-1], "he may change his mind while she reads")
    bob.say("ratings", document=last, reward=0)
    theirs = eve.read_all(lambda n: 1 if n in (0, 1, 2, 6) else 0)
    demand(theirs == order, f"the same order: {order} and {theirs}")
    return pair, bob, eve, order


def decide(server, tokens, pair, bob, eve, order):
    known = server.ask("GET", f"/pairs/{pair}", token=tokens["eve"]).json()
    agreement = known["agreement"]
    shown = {name: agreement[name] for name in ("documents", "both_good", "neither_good", "first_only", "second_only")}
    demand(shown == {"documents": 8, "both_good": 3, "neither_good": 2, "first_only": 2, "second_only": 1}, f"{agreement}")
    # By hand: they agree on 5 of 8, by chance on 5/8 * 4/8 + 3/8 * 4/8 = 1/2.
    demand(abs(agreement["kappa"] - 0.25) < 1e-12 and agreement["low"] < 0.25 < agreement["high"], f"kappa: {agreement}")
    demand([one["document"] for one in known["conflicts"]] == [order[3], order[4], order[6]], f"conflicts: {known['conflicts']}")
    demand(known["conflicts"][0]["ratings"] == [1, 0] and known["conflicts"][0]["notes"] == [SECRET, ""], "what each said")
    for what, body in (("ratings", {"document": order[0], "reward": 0}), ("undo", {}), ("skips", {"document": order[0]})):
        bob.say(what, 409, **body)
        eve.say(what, 409, **body)
    server.ask("GET", f"/pairs/{pair}", token=tokens["mallory"], expect=404)
    server.ask("POST", f"/pairs/{pair}/decisions", {}, 403, token=tokens["bob"])
    made = server.ask("POST", f"/pairs/{pair}/decisions", {}, token=tokens["dan"]).json()
    demand(server.ask("POST", f"/pairs/{pair}/decisions", {}, 200, token=tokens["dan"]).json()["session"] == made["session"], "once")
    dan = Reader(server, tokens["dan"], made["session"])
    demand(dan.read_all(lambda n: (1, 0, 1)[n], "so it is") == [order[3], order[4], order[6]], "he reads the documents on which they differ")
    decided = server.ask("GET", f"/pairs/{pair}", token=tokens["bob"]).json()
    demand([one["decision"] for one in decided["conflicts"]] == [1, 0, 1], f"decisions: {decided['conflicts']}")
    demand(decided["agreement"] == agreement, "a decision changes no agreement")


def check_export(server, tokens, pair, order):
    text = server.ask("GET", f"/pairs/{pair}/export", token=tokens["eve"]).json()["text"]
    rows = list(csv.DictReader(io.StringIO(text)))
    shown = [(row["rating_bob"], row["rating_eve"], row["decision"], row["decided_by"], row["included"]) for row in rows]
    demand(len(rows) == COUNT and shown[0] == ("1", "1", "", "", "1") and shown[3] == ("1", "0", "1", "dan", "1"), f"export: {shown}")
    demand(shown[4] == ("1", "0", "0", "dan", "0") and shown[7] == ("0", "0", "", "", "0"), f"export: {shown}")
    demand(rows[3]["note_bob"] == SECRET and rows[3]["note"] == "so it is", "notes are there")
    demand(rows[3]["tags_bob"] == SECRET and rows[3]["tags"] == "so it is", "and tags")


def compare_files(program, folder):
    """Two people with a file each: the same agreement is computed without a server."""
    for name, good in (("hers", {0, 1, 2, 3, 4}), ("his", {0, 1, 2, 6})):
        lines = "".join(json.dumps({"rate": int(one in good), "document": one}) + "\n" for one in range(COUNT))
        tool(program, "search", "tiny", "--searches", f"{name}.search", "--json", cwd=folder.path, given=lines.encode())
    asked = ("sessions", "hers.search", "his.search", "--agreement")
    shown = json.loads(tool(program, *asked, "--json", "--out", "differ.csv", cwd=folder.path))
    demand(shown["readers"] == ["hers", "his"] and shown["documents"] == 8 and abs(shown["kappa"] - 0.25) < 1e-12, f"two files: {shown}")
    with open(folder.file("differ.csv"), encoding="utf-8", newline="") as file:
        rows = [(row["rating_hers"], row["rating_his"], row["rating"]) for row in csv.DictReader(file)]
    demand(rows == [("1", "0", ""), ("1", "0", ""), ("0", "1", "")], f"where they differ: {rows}")
    demand("kappa 0.250" in tool(program, *asked, cwd=folder.path), "it is said in words")


def main():
    program = sys.argv[1]
    with Folder(program) as folder:
        tokens = folder.tokens_of(program, "ada", "bob", "eve", "dan", "mallory")
        arguments = ("tiny", "--searches", "pairs.search", "--users", "users")
        with Server(program, *arguments, cwd=folder.path, token=tokens["ada"]) as server:
            pair, bob, eve, order = read_and_compare(server, tokens)
            decide(server, tokens, pair, bob, eve, order)
            check_export(server, tokens, pair, order)
            server.process.kill()
        with Server(program, *arguments, cwd=folder.path, token=tokens["ada"]) as server:
            check_export(server, tokens, pair, order)
            random_pair = server.ask("POST", "/sessions", {"name": "r", "pool": quoted("tiny")}).json()["session"]
            drawn = server.ask("POST", f"/sessions/{random_pair}/pairs", {"readers": ["ada", "bob"], "count": 50, "at_random": True}).json()
            demand(drawn["documents"] == 20 and drawn["decider"] == "ada", f"all that there are: {drawn}")
        shown = tool(program, "sessions", "--searches", "pairs.search", "--verify", cwd=folder.path)
        compare_files(program, folder)
    print(f"{len(attempts('p', 'b', 'e', 0))} tries by four people, each in vain; {shown.strip()}")


if __name__ == "__main__":
    run(main)
