#!/usr/bin/env python3
"""pair_returns.py PROGRAM [--schedules N] [--seed S] [--records M]: what two people say apart reaches the search that their documents were drawn from.

While they read, that search offers none of these documents to anybody and shows nothing that either said, in random orders of
answers, undo, restarts and second tabs. When both are done it has what they agree on, then what was decided, and chooses as a search in which
one person gave these ratings.
"""

import argparse
import csv
import io
import json
import random

from served import PREFIX, Folder, Person, Server, demand, run, tool

PEOPLE = ("ada", "bob", "eve", "dan")
COUNT = 12
WORDS = [f"{a}{b}" for a in ("soil", "crop", "water", "seed", "root", "leaf") for b in ("age", "ing", "s", "less")]


def make_pool(program, folder, records):
    dice = random.Random(4)
    with open(folder.file("records.jsonl"), "w", encoding="utf-8") as file:
        texts = [" ".join(dice.choices(WORDS, k=25)) for _ in range(records)]
        for number, text in enumerate([*texts, *texts[:2]]):  # the last two are copies of the first two
            file.write(json.dumps({"id": f"r{number}", "text": text}) + "\n")
    tool(program, "build", "records.jsonl", "--keep-text", "--min-df", "1", "--out", "pool", cwd=folder.path)


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
            words = [word["word"] for word in one["words"]]
            twin.say("ratings", document=one["document"], reward=one["reward"], words=words)
        other = readers_of(server, tokens, second["pair"])["bob"]
        for number in range(COUNT):  # the second pair ends, too
            say_next(other, 1, False)
        rest = rated(server, tokens["ada"], ada.path)[len(events):]
        demand([one["document"] for one in rest] == others, f"the second pair: {rest}")
        for one in rest:
            twin.say("ratings", document=one["document"], reward=one["reward"])
        for number in range(20):
            shown = [say_next(person, number % 4 == 0, number % 2) for person in (ada, twin)]
            demand(shown[0] == shown[1], f"round {number}: {shown}")


SEEN = ("", "/next", "/events?limit=10000", "/progress", "/ranking?top=1000", "/found", "/tags", "/copies", "/words?limit=1000", "/documents/0/why",
        "/export?format=csv", "/export?format=jsonl&which=everything", "/report", "/report?as=html")


def what_one_sees(server, tokens, name, paths):
    """All that this reader can ask of the search that both share, of their own and of the pair."""
    seen = []
    for path in paths[:2]:
        for rest in SEEN:
            seen.append(path + rest)
    return [(path, response.status, response.body) for path in (*seen, "/pairs", "/sessions", "/pools", paths[-1])
            for response in [server.raw("GET", PREFIX + path, None, {"Authorization": f"Bearer {tokens[name]}"})]]


def check_schedules(program, folder, tokens, arguments, schedules, seed):
    dice = random.Random(seed)
    server = Server(program, *arguments, cwd=folder.path, token=tokens["ada"]).__enter__()
    acts = 0
    for schedule in range(schedules):
        ada = Person(server, tokens["ada"], begin(server, f"shared {schedule}"))
        server.ask("POST", ada.path + "/share", {"with": ["bob", "eve"]}, 200)
        for number in range(3):
            say_next(ada, number % 2, True)
        pair = server.ask("POST", ada.path + "/pairs", {"readers": ["bob", "eve"], "count": 4}).json()["pair"]
        readers = readers_of(server, tokens, pair)
        left, answered = {"bob": 4, "eve": 4}, {"bob": [], "eve": []}
        tabs = {name: Person(server, tokens[name], reader.path.rpartition("/")[2]) for name, reader in readers.items()}
        for tab in tabs.values():
            tab.number = 1_000  # names of requests that the first tab does not use
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
                dice.choice((readers, tabs))[who].say("undo")
                answered[who].pop()
                left[who] += 1
            elif act < 0.18:
                server.__exit__(None, None, None)
                server = Server(program, *arguments, cwd=folder.path, token=tokens["ada"]).__enter__()
                for person in (ada, *readers.values(), *tabs.values()):
                    person.server = server
            elif act < 0.35 and answered[who]:  # a tab that still shows a document which was answered in the other one
                known = readers[who].get("/events?limit=10000")["events"][-1]["sequence"]
                tabs[who].say("ratings", 409, match=known - 1, document=answered[who][-1], reward=1)
                tabs[who].say("notes", note=f"{who} {acts}")
            else:
                answered[who].append(say_next(dice.choice((readers, tabs))[who], dice.random() < 0.5, dice.random() < 0.5))
                left[who] -= 1
            acts += 1
            if max(left.values()) > 0:
                after = what_one_sees(server, tokens, other, paths)
                demand(before == after, f"schedule {schedule}: {other} sees what {who} did: "
                       f"{next(((b, a) for b, a in zip(before, after) if b != a), None)}")
        demand(server.ask("GET", f"/pairs/{pair}", token=tokens["bob"]).json()["agreement"] is not None, "they are compared")
        agreement = server.ask("GET", f"/pairs/{pair}").json()["agreement"]
        agreed = agreement["both_good"] + agreement["neither_good"]
        demand(ada.get()["progress"]["rated"] == 3 + agreed, "what they agree on is rated in the search")
    server.__exit__(None, None, None)
    return acts


def kappa_of(both, first, second, neither):
    total = both + first + second + neither
    agreed = (both + neither) / total
    by_chance = ((both + first) * (both + second) + (neither + second) * (neither + first)) / total**2
    return (agreed - by_chance) / (1 - by_chance)


def check_double(program, folder, tokens, arguments, records):
    """All records to two people with 5 % mistakes each; a third decides. The server is killed now and then."""
    dice = random.Random(11)
    server = Server(program, *arguments, cwd=folder.path, token=tokens["ada"]).__enter__()
    ada = Person(server, tokens["ada"], begin(server, "double"))
    for number in range(4):
        say_next(ada, number % 2, True)
    before = {one["document"] for one in rated(server, tokens["ada"], ada.path)}
    ada.say("separations", document=records)  # it stays in this search: to the readers it is a copy
    server.ask("POST", ada.path + "/pairs", {"readers": ["bob", "eve"]}, 422)
    pair = server.ask("POST", ada.path + "/pairs", {"readers": ["bob", "eve"], "all": True, "decider": "dan"}).json()["pair"]
    server.ask("POST", ada.path + "/pairs", {"readers": ["bob", "dan"], "all": True}, 409)
    people = readers_of(server, tokens, pair)
    truth = {document: dice.random() < 0.2 for document in range(records)}
    said, offered, answers, dan = {"bob": {}, "eve": {}}, {"bob": [], "eve": []}, 0, None

    def next_of(person):
        response = server.raw("GET", PREFIX + person.path + "/next", None, {"Authorization": f"Bearer {person.token}"})
        demand(response.status in (200, 410), f"the next one: {response.status} {response.body!r:.300}")
        return json.loads(response.body)["document"] if response.status == 200 else None

    reading = ["bob", "eve"]
    while reading:
        if dice.random() < 0.02:
            server.process.kill()
            server.process.wait()
            server = Server(program, *arguments, cwd=folder.path, token=tokens["ada"]).__enter__()
            for person in (ada, *people.values(), *([dan] if dan else [])):
                person.server = server
        who = dice.choice(reading) if dice.random() < 0.7 or len(reading) == 1 else "bob"  # bob is ahead
        document = next_of(people[who])
        if document is None:
            reading.remove(who)
            continue
        number = document["document"]
        good = truth[number] != (dice.random() < 0.05)
        if dice.random() < 0.05 and offered[who]:
            status = server.raw("POST", PREFIX + people[who].path + "/undo", json.dumps({"request": f"u{dice.random()}"}).encode(),
                                {"Authorization": f"Bearer {people[who].token}", "Content-Type": "application/json"}).status
            demand(status in (201, 409), f"undo: {status}")
            if status == 201:
                said[who].pop(offered[who].pop())
            continue
        people[who].say("ratings", document=number, reward=int(good), words=[document["words"][0]["word"]] if good else [])
        said[who][number] = good
        offered[who].append(number)
        answers += 1
        if dan is None:
            line = next(one for one in server.ask("GET", "/pairs", token=tokens["dan"]).json()["pairs"] if one["pair"] == pair)
            dan = Person(server, tokens["dan"], line["decisions"]) if line["decisions"] else None
        elif dice.random() < 0.1:
            document = next_of(dan)
            if document is not None:
                number = document["document"]
                demand(said["bob"][number] != said["eve"][number], "only what the two differ on is decided")
                dan.say("ratings", document=number, reward=int(truth[number]))
    while dan is not None and (document := next_of(dan)) is not None:
        dan.say("ratings", document=document["document"], reward=int(truth[document["document"]]))
    demand(said["bob"].keys() == said["eve"].keys() and len(said["bob"]) == records - len(before), "both read all")
    demand(not before & said["bob"].keys(), "and nothing that was read before")
    ada.say("ratings", 409, document=0, reward=1)
    demand(next_of(ada) is None, "ada is offered nothing meanwhile")
    server.ask("POST", f"/pairs/{pair}/end", {}, 403, token=tokens["bob"])
    known = server.ask("POST", f"/pairs/{pair}/end", {}, 200).json()
    counts = [sum(said["bob"][one] == b and said["eve"][one] == e for one in said["bob"]) for b, e in ((1, 1), (1, 0), (0, 1), (0, 0))]
    found = [known["agreement"][name] for name in ("both_good", "first_only", "second_only", "neither_good")]
    demand(found == counts and abs(known["agreement"]["kappa"] - kappa_of(*counts)) < 1e-12, f"agreement: {known['agreement']}, {counts}")
    last = {one["document"]: one for one in rated(server, tokens["ada"], ada.path)}
    for number in said["bob"]:
        agree = said["bob"][number] == said["eve"][number]
        wanted = ("bob + eve", said["bob"][number]) if agree else ("dan", truth[number])
        demand((last[number]["by"], bool(last[number]["reward"])) == wanted, f"document {number}: {last[number]}")
    exported = csv.DictReader(io.StringIO(server.ask("GET", f"/pairs/{pair}/export").json()["text"]))
    rows = [row for row in exported if not row["same_as"]]
    demand(len(rows) == len(said["bob"]) and {row["decided_by"] for row in rows} == {"", "dan"}, "all is exported")
    demand(ada.get()["progress"]["rated"] == records and next_of(ada)["document"] == records, "all is rated but the separated copy")
    # Bob was ahead: what he got after 20 came as the search chose, so more good ones came early than late.
    early = sum(truth[one] for one in offered["bob"][: len(offered["bob"]) // 2])
    server.__exit__(None, None, None)
    return answers, found, early


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    for name, value in (("schedules", 10), ("seed", 7), ("records", 150)):
        parser.add_argument(f"--{name}", type=int, default=value)
    chosen = parser.parse_args()
    program, schedules = chosen.program, chosen.schedules
    with Folder(program) as folder:
        make_pool(program, folder, chosen.records)
        tokens = folder.tokens_of(program, *PEOPLE)
        arguments = ("pool", "--searches", "pairs.search", "--users", "users")
        check_all(program, folder, tokens, arguments)
        acts = check_schedules(program, folder, tokens, arguments, schedules, chosen.seed)
        double = check_double(program, folder, tokens, arguments, chosen.records)
        shown = tool(program, "sessions", "--searches", "pairs.search", "--verify", cwd=folder.path)
    print(f"{schedules} schedules with {acts} acts, each unseen by the other; double: {double}; {shown.strip().splitlines()[-1]}")


if __name__ == "__main__":
    run(main)
