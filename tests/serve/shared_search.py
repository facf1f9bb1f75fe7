#!/usr/bin/env python3
"""shared_search.py PROGRAM [--ratings N] [--seed N]: two people search together while the server is killed again and again.

Both rate from one queue as fast as they can. After each kill Python's own sqlite3 reads the log: no document was on offer to both
at the same time, no acknowledged answer is lost, and each has the name of the person who gave it. Then the rules are checked: who
may share, whose answers may be taken back, and what happens to documents that somebody left on offer.
"""

import argparse
import csv
import http.client
import io
import json
import random
import threading
import time

from served import PREFIX, Folder, Person, Server, demand, is_sanitized, rows_of, run, tool

WORDS = "soil compost rose lamp garden water seed bed root leaf stone wind rain bean pea moss fern oak elm ash".split()
EVENTS = "SELECT session, seq, actor, kind, document, body FROM event ORDER BY session, seq"


def many_documents(program, folder, count):
    chosen = random.Random(1)
    with open(folder.file("many.txt"), "w", encoding="utf-8") as file:
        for number in range(count):
            file.write(" ".join([f"n{number}", *chosen.sample(WORDS, 6)]) + "\n")
    tool(program, "build", "many.txt", "--format", "lines", "--keep-text", "--out", "many", cwd=folder.path)


class Reader(threading.Thread):
    """Rates documents on offer until the server is gone or there are enough ratings. Remembers acknowledged answers."""

    def __init__(self, server, token, session, name, said, enough, run):
        super().__init__()
        self.server, self.token, self.session, self.name_, self.said, self.enough = server, token, session, name, said, enough
        self.run_ = run
        self.wrong = []

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        path = f"{PREFIX}/sessions/{self.session}"

        def ask(method, rest, body=None, more=None):
            connection.request(method, path + rest, json.dumps(body) if body else None, {**headers, **(more or {})})
            response = connection.getresponse()
            return response.status, json.loads(response.read())

        try:
            status, offered = ask("GET", "/next")
            while status in (200, 201) and not self.enough():
                document, match = offered["document"]["document"], offered["choice"]["shown"]
                name = f"{self.run_}-{len(self.said)}"  # the other reader uses the same names
                status, answer = ask("POST", "/ratings", {"request": name, "document": document, "reward": document % 2},
                                     {"If-Match": f'"{match}"'})
                if status != 201:
                    self.wrong.append(answer)
                    return
                self.said[document] = answer["sequence"]
                offered = answer["next"]
                if offered is None:
                    return
        except (OSError, http.client.HTTPException, ValueError):
            return  # killed
        finally:
            connection.close()


def check_log(path, session, said):
    """Checks the log, and returns the number of ratings."""
    offers, rated, ratings = {}, {}, 0
    for owner, sequence, actor, kind, document, body in rows_of(path, EVENTS):
        if owner != session:
            continue
        if kind == "shown" and "beside" in json.loads(body):
            for other, held in offers.items():
                demand(other == actor or held != document, f"event {sequence}: {other} and {actor} are both shown {document}")
            demand(document not in rated, f"event {sequence}: {document} is shown to {actor} after it was rated")
            offers[actor] = document
        if kind == "rated":
            demand(document not in rated, f"event {sequence}: {document} is rated twice")
            demand(offers.get(actor) == document, f"event {sequence}: {actor} rates {document}, on offer is {offers.get(actor)}")
            rated[document] = (actor, sequence)
            ratings += 1
            del offers[actor]
    for name, answers in said.items():
        for document, sequence in answers.items():
            demand(rated.get(document) == (name, sequence), f"{name} rated {document} in event {sequence}: {rated.get(document)}")
    return ratings


def search_together(program, folder, wanted, chosen):
    tokens = folder.tokens_of(program, "ada", "bob")
    many_documents(program, folder, wanted + 50)
    arguments = ("many", "--searches", "shared.search", "--users", "users")
    said, session, kills, begin = {"ada": {}, "bob": {}}, None, 0, time.monotonic()

    def count():
        return sum(len(answers) for answers in said.values())

    while count() < wanted:
        with Server(program, *arguments, cwd=folder.path, token=tokens["ada"]) as server:
            if session is None:
                session = server.ask("POST", "/sessions", {"name": "ours", "pool": "many", "words": ["soil"]}).json()["session"]
                server.ask("GET", f"/sessions/{session}/next")
                server.ask("GET", f"/sessions/{session}", expect=404, token=tokens["bob"])
                server.ask("POST", f"/sessions/{session}/share", {"with": ["bob"]}, 200)
            readers = [Reader(server, tokens[name], session, name, said[name], lambda: count() >= wanted, kills) for name in said]
            for reader in readers:
                reader.start()
            if kills < 5:
                before, until = count(), time.monotonic() + 10
                while count() < before + wanted // 8 and time.monotonic() < until:
                    time.sleep(0.001)
                time.sleep(chosen.uniform(0.0, 0.02))
                server.process.kill()
                kills += 1
            for reader in readers:
                reader.join()
                demand(not reader.wrong, f"{reader.name_} is refused: {reader.wrong}")
        check_log(folder.file("shared.search"), session, said)
    ratings = check_log(folder.file("shared.search"), session, said)
    tool(program, "sessions", "--searches", "shared.search", "--verify", cwd=folder.path)
    demand(min(len(answers) for answers in said.values()) > wanted // 10, "both read")
    work = tool(program, "sessions", "--searches", "shared.search", "--write", "work", "--out", "w.csv", cwd=folder.path)
    with open(folder.file("w.csv"), encoding="utf-8", newline="") as file:
        by = {row["id"] if "id" in row else row["document"]: row["by"] for row in csv.DictReader(file)}
    demand(not work and len(by) == ratings and set(by.values()) == {"ada", "bob"}, "the export says who said what")
    return tokens, session, ratings, kills, time.monotonic() - begin


def check_rules(server, tokens, session):
    ada, bob = (Person(server, tokens[name], session) for name in ("ada", "bob"))
    server.ask("POST", ada.path + "/share", {"with": []}, 403, token=tokens["bob"])
    server.ask("POST", ada.path + "/pairs", {"readers": ["ada", "bob"], "count": 1}, 403, token=tokens["bob"])
    for wrong in (["ada"], ["eve"], ["bob", "bob"], "bob", [1]):
        server.ask("POST", ada.path + "/share", {"with": wrong}, 422)
    hers, his = ada.offer(), bob.offer()
    demand(hers != his and ada.offer() == hers and bob.offer() == his, "each has an offer of their own, which stays")
    problem = bob.say("ratings", 409, document=hers, reward=1)
    demand("ada" in problem["detail"], f"it says who reads it: {problem}")
    sequence = ada.get()["sequence"]
    answered = bob.say("ratings", document=his, reward=1)
    demand(ada.offer() == hers, "bob's answer does not change her offer")
    again = ada.say("ratings", match=sequence, document=hers, reward=0)
    demand(again["sequence"] > answered["sequence"], "an answer of another reader is no conflict")
    ada.say("ratings", 409, match=sequence, document=ada.offer(), reward=0)  # an answer of her own is one
    ada.say("ratings", 409, document=his, reward=0)
    ada.say("marks", 409, document=his, words=["soil"])
    ada.say("undo", 409, sequence=answered["sequence"])
    next_of_bob = bob.offer()
    undone = ada.say("undo")
    demand(undone["document"] == hers and undone["next"]["document"]["document"] == hers, "her own answer comes back to her")
    demand(bob.offer() == next_of_bob, "her undo does not change his offer")
    bob.say("skips", 409, document=hers, hand_on=True)
    handed = ada.say("skips", document=hers, hand_on=True)
    demand(handed["next"]["document"]["document"] != hers, "a document that she handed on is no longer hers")
    demand(ada.get(f"/events?after={handed['sequence'] - 1}&limit=1")["events"][0]["hand_on"] is True, "history shows that")
    undone = bob.say("undo")
    demand(undone["document"] == his and bob.offer() == his, "he takes back his own answer although hers came later")
    bob.say("redo")
    demand(bob.offer() == hers, "he gets next what she handed on")
    bob.say("skips", document=hers)
    demand(bob.offer() != hers, "he may skip it")
    events = [event for event in ada.get("/events?after=0&limit=10000")["events"] if event["kind"] == "rated"]
    demand({event["by"] for event in events} == {"ada", "bob"}, "history says who")
    listed = server.ask("GET", "/sessions", token=tokens["bob"]).json()["sessions"]
    demand([one["owner"] for one in listed] == ["ada"], "bob finds it among his")
    exported = server.ask("GET", ada.path + "/export?format=csv", token=tokens["bob"]).json()["text"]
    demand({row["by"] for row in csv.DictReader(io.StringIO(exported))} == {"ada", "bob"}, "the export says who")
    server.ask("POST", ada.path + "/share", {"with": []}, 200)
    bob.get(expect=404)
    bob.say("ratings", 404, document=bob.number, reward=1)
    demand(ada.get()["shared"] == [], "it is hers alone again")
    ada.say("skips", 422, document=ada.offer(), hand_on=True)
    ada.say("ratings", document=ada.offer(), reward=1)
    server.ask("POST", ada.path + "/share", {"with": ["bob"]}, 200)
    demand(bob.offer() != ada.offer(), "and shared once more")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--ratings", type=int, help="default: 1000; 300 with sanitizers, with which they take too long to learn again")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wanted = options.ratings or (300 if is_sanitized(options.program) else 1000)
    with Folder(options.program) as folder:
        tokens, session, ratings, kills, seconds = search_together(options.program, folder, wanted, random.Random(options.seed))
        serve = ("many", "--searches", "shared.search", "--users", "users")
        with Server(options.program, *serve, cwd=folder.path, token=tokens["ada"]) as server:
            check_rules(server, tokens, session)
        tool(options.program, "sessions", "--searches", "shared.search", "--verify", cwd=folder.path)
    print(f"{ratings} ratings of two people, {kills} kills, {seconds:.1f} s: no document shown to both, none lost, each by who said it")


if __name__ == "__main__":
    run(main)
