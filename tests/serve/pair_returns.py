#!/usr/bin/env python3
"""pair_returns.py PROGRAM [--schedules N]: what two people say apart reaches the search that their documents were drawn from.

While they read, that search offers none of these documents to anybody and shows nothing that either said, in random orders of
answers, undo and restarts. When both are done it has what they agree on, then what was decided, and chooses as a search in which
one person gave these ratings.
"""

import json
import random
import sys

from served import PREFIX, Folder, Person, Server, demand, run, tool

PEOPLE = ("ada", "bob", "eve", "dan")
COUNT = 12
WORDS = [f"{a}{b}" for a in ("soil", "crop", "water", "seed", "root", "leaf") for b in ("age", "ing", "s", "less")]


def make_pool(program, folder):
    dice = random.Random(4)
    with open(folder.file("records.jsonl"), "w", encoding="utf-8") as file:
        for number in range(150):
            file.write(json.dumps({"id": f"r{number}", "text": " ".join(dice.choices(WORDS, k=25))}) + "\n")
    tool(program, "build", "records.jsonl", "--keep-text", "--min-documents", "1", "--out", "pool", cwd=folder.path)


def rated(server, token, path):
    return [one for one in server.ask("GET", path + "/events?limit=10000", token=token).json()["events"] if one["kind"] == "rated"]


def draw(server, path, **more):
    return server.ask("POST", path + "/pairs", {"readers": ["bob", "eve"], "count": COUNT, **more}).json()


def readers_of(server, tokens, pair):
    searches = {name: next(one["session"] for one in server.ask("GET", "/pairs", token=tokens[name]).json()["pairs"] if one["pair"] == pair)
                for name in ("bob", "eve")}
    return {name: Person(server, tokens[name], session) for name, session in searches.items()}


def say_next(reader, good, with_word):
    document = reader.get("/next")["document"]
    words = [document["words"][0]["word"]] if with_word else []
    reader.say("ratings", document=document["document"], reward=int(good), words=words)
    return document["document"]


def begin(server, name, **more):
    made = server.ask("POST", "/sessions", {"name": name, "pool": "pool", "seed": 5, "words": ["soils"], **more}).json()
    return made["session"]


def check_all(program, folder, tokens, arguments):
    with Server(program, *arguments, cwd=folder.path, token=tokens["ada"]) as server:
        ada = Person(server, tokens["ada"], begin(server, "review"))
        for number in range(5):
            say_next(ada, number % 2, number % 2)
        on_offer = ada.offer()
        pair = draw(server, ada.path, decider="dan")["pair"]
        readers = readers_of(server, tokens, pair)
        names = {server.ask("GET", reader.path, token=reader.token).json()["name"] for reader in readers.values()}
        demand(len(names) == 2 and "review" not in names, f"each search has a name of its own: {names}")
        demand(ada.offer() == on_offer, "what was on offer stays")
        by_hand = [say_next(ada, number % 3 == 0, False) for number in range(8)]
        order = [say_next(readers["bob"], number % 3 != 0, number % 2) for number in range(COUNT)]
        for what, body in (("ratings", {"document": order[0], "reward": 1}), ("skips", {"document": order[0]})):
            ada.say(what, 409, **body)
        second = draw(server, ada.path)
        demand(second["decider"] == "ada", "the owner decides where nobody is named")
        other = readers_of(server, tokens, second["pair"])["eve"]
        others = [say_next(other, 1, False) for _ in range(COUNT)]
        demand(len({*order, *others, *by_hand}) == 2 * COUNT + 8, f"no document twice: {order}, {others}, {by_hand}")
        demand(len(rated(server, tokens["ada"], ada.path)) == 13, "one alone changes nothing")
        for number in range(COUNT):
            say_next(readers["eve"], (number % 3 != 0) != (number % 4 == 0), number % 2)
        demand(ada.get()["withheld"] == COUNT + 3, "three wait for a decision")
        server.process.kill()
    with Server(program, *arguments, cwd=folder.path, token=tokens["ada"]) as server:
        ada.server = server
        events = rated(server, tokens["ada"], ada.path)
        agreed = [one for one in order if order.index(one) % 4]
        demand([(one["by"], one["document"]) for one in events[13:]] == [("bob + eve", one) for one in agreed], f"what they agree on: {events[13:]}")
        demand(all(one["words"] for one in events[13:] if order.index(one["document"]) % 2), "with their words")
        made = server.ask("POST", f"/pairs/{pair}/decisions", {}, token=tokens["dan"]).json()
        dan = Person(server, tokens["dan"], made["session"])
        decided = [say_next(dan, number == 1, True) for number in range(3)]
        events = rated(server, tokens["ada"], ada.path)
        demand([(one["by"], one["document"]) for one in events[22:]] == [("dan", one) for one in decided], f"what was decided: {events[22:]}")
        demand(ada.get()["progress"]["rated"] == 13 + COUNT and ada.get()["withheld"] == COUNT, "all of it counts")
        dan.say("undo", 409)
        # A search by one person: the same ratings in the same order.
        twin = Person(server, tokens["ada"], begin(server, "twin"))
        for one in events:
            words = [{"word": word["word"], "rate": word["rate"]} for word in one["words"]]
            twin.say("ratings", document=one["document"], reward=one["reward"], words=words)
        for number in range(COUNT):  # the second pair ends, too
            say_next(readers_of(server, tokens, second["pair"])["bob"], 1, False)
        rest = rated(server, tokens["ada"], ada.path)[len(events):]
        demand([one["document"] for one in rest] == others, f"the second pair: {rest}")
        for one in rest:
            twin.say("ratings", document=one["document"], reward=one["reward"])
        for number in range(20):
            shown = [say_next(person, number % 4 == 0, number % 2) for person in (ada, twin)]
            demand(shown[0] == shown[1], f"round {number}: {shown}")


SEEN = ("", "/next", "/events?limit=10000", "/progress", "/ranking?top=1000", "/found", "/words?limit=1000", "/export?format=csv")


def what_one_sees(server, tokens, name, paths):
    """All that this reader can ask of the search that both share, of their own and of the pair."""
    seen = []
    for path in paths[:2]:
        for rest in SEEN:
            seen.append(path + rest)
    return [(path, response.status, response.body) for path in (*seen, "/pairs", "/sessions", paths[-1])
            for response in [server.raw("GET", PREFIX + path, None, {"Authorization": f"Bearer {tokens[name]}"})]]


def check_schedules(program, folder, tokens, arguments, schedules):
    dice = random.Random(7)
    server = Server(program, *arguments, cwd=folder.path, token=tokens["ada"]).__enter__()
    acts = 0
    for schedule in range(schedules):
        ada = Person(server, tokens["ada"], begin(server, f"shared {schedule}"))
        server.ask("POST", ada.path + "/share", {"with": ["bob", "eve"]})
        for number in range(3):
            say_next(ada, number % 2, True)
        pair = server.ask("POST", ada.path + "/pairs", {"readers": ["bob", "eve"], "count": 4}).json()["pair"]
        readers = readers_of(server, tokens, pair)
        left = {"bob": 4, "eve": 4}
        for name in left:
            server.ask("GET", ada.path + "/next", token=tokens[name])
            readers[name].get("/next")
        while max(left.values()) > 0:
            who = dice.choice([name for name in left if left[name] > 0])
            other = "eve" if who == "bob" else "bob"
            paths = (ada.path, readers[other].path, f"/pairs/{pair}")
            before = what_one_sees(server, tokens, other, paths)
            act = dice.random()
            if act < 0.15 and left[who] < 4:
                readers[who].say("undo")
                left[who] += 1
            elif act < 0.18:
                server.__exit__(None, None, None)
                server = Server(program, *arguments, cwd=folder.path, token=tokens["ada"]).__enter__()
                ada.server = readers["bob"].server = readers["eve"].server = server
            else:
                say_next(readers[who], dice.random() < 0.5, dice.random() < 0.5)
                left[who] -= 1
            acts += 1
            if max(left.values()) > 0:
                after = what_one_sees(server, tokens, other, paths)
                demand(before == after, f"schedule {schedule}: {other} sees what {who} did: "
                       f"{next((b, a) for b, a in zip(before, after) if b != a)}")
        demand(server.ask("GET", f"/pairs/{pair}", token=tokens["bob"]).json()["agreement"] is not None, "they are compared")
        agreement = server.ask("GET", f"/pairs/{pair}").json()["agreement"]
        agreed = agreement["both_good"] + agreement["neither_good"]
        demand(ada.get()["progress"]["rated"] == 3 + agreed, "what they agree on is rated in the search")
    server.__exit__(None, None, None)
    return acts


def main():
    program = sys.argv[1]
    schedules = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    with Folder(program) as folder:
        make_pool(program, folder)
        tokens = folder.tokens_of(program, *PEOPLE)
        arguments = ("pool", "--searches", "pairs.search", "--users", "users")
        check_all(program, folder, tokens, arguments)
        acts = check_schedules(program, folder, tokens, arguments, schedules)
        shown = tool(program, "sessions", "--searches", "pairs.search", "--verify", cwd=folder.path)
    print(f"{schedules} schedules with {acts} acts, each unseen by the other; {shown.strip().splitlines()[-1]}")


if __name__ == "__main__":
    run(main)
