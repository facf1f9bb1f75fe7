#!/usr/bin/env python3
"""kill_under_load.py PROGRAM [--kills N] [--seed N]: kills `inkling serve` at random moments while eight people search.

After each kill Python's own sqlite3 reads the log: every answer that was acknowledged is there as it was given, in its place;
events of a search are numbered 1, 2, 3 without a gap; no request is there twice; `inkling sessions --verify` finds the chain
intact. Then the server goes on with the same searches. Prints what was tried; exit code 1 where a promise is broken.
"""

import argparse
import http.client
import json
import random
import threading
import time

from served import PREFIX, Folder, Server, demand, rows_of, run, tool

PEOPLE = 8
KILLS_OF_A_FILE = 10
DOCUMENTS = 20


class Person(threading.Thread):
    """Rates documents until the server is gone, and remembers all acknowledged answers."""

    def __init__(self, server, session, number, seen):
        super().__init__()
        self.server, self.session, self.number, self.seen, self.wrong = server, session, number, seen, []

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        headers = {"Authorization": f"Bearer {self.server.token}", "Content-Type": "application/json"}
        chosen = random.Random(f"{self.session}{self.number}")
        try:
            while True:
                name = f"{self.number}-{len(self.seen)}"
                body = {"request": name, "document": chosen.randrange(DOCUMENTS), "reward": round(chosen.random(), 6)}
                connection.request("POST", f"{PREFIX}/sessions/{self.session}/ratings", json.dumps(body), headers)
                response = connection.getresponse()
                answer = json.loads(response.read())
                if response.status != 201:
                    self.wrong.append(answer)
                    return
                self.seen[name] = (answer["sequence"], body)
        except (OSError, http.client.HTTPException, ValueError):
            return  # killed
        finally:
            connection.close()


def check_offer(session, events):
    """Checks that a rating and the document shown next, if any is left, are kept together or not at all.

    Only rating a document again may leave the offer unchanged, and then no new document is shown.
    """
    kinds = [event[0] for event in events]
    shown = len(kinds) - 1 - kinds[::-1].index("shown") if "shown" in kinds else -1
    before = {event[1] for event in events[: shown + 1] if event[0] == "rated"}
    after = {event[1] for event in events[shown + 1 :] if event[0] == "rated"}
    demand(after <= before or len(before | after) == DOCUMENTS, f"search {session}: half of an answer is kept")


def check_log(path, acknowledged):
    rows = rows_of(path, "SELECT session, seq, kind, document, body, request FROM event ORDER BY session, seq")
    by_session = {}
    for session, sequence, kind, document, body, request in rows:
        events = by_session.setdefault(session, [])
        demand(sequence == len(events) + 1, f"search {session}: event {sequence} follows {len(events)}")
        events.append((kind, document, json.loads(body), request))
    for session, answers in acknowledged.items():
        events = by_session.get(session, [])
        names = [event[3] for event in events if event[3]]
        demand(len(names) == len(set(names)), f"search {session}: a request is there twice")
        for name, (sequence, body) in answers.items():
            demand(sequence <= len(events), f"search {session}: acknowledged event {sequence} of {len(events)} is lost")
            kind, document, kept, request = events[sequence - 1]
            demand((kind, document, kept["reward"], request) == ("rated", body["document"], body["reward"], name),
                   f"search {session}: event {sequence} is {events[sequence - 1]}, acknowledged was {body}")
        check_offer(session, events)
    return sum(len(events) for events in by_session.values())


def answers_of(acknowledged):
    return sum(len(one) for one in acknowledged.values())


def try_kills(program, folder, name, kills, chosen):
    """Kills the server of one file of searches this often. Returns the acknowledged answers and the events."""
    acknowledged, events = {}, 0
    for kill in range(kills):
        with Server(program, "tiny", "--searches", name, cwd=folder.path) as server:
            while len(acknowledged) < PEOPLE:
                made = server.ask("POST", "/sessions", {"name": str(len(acknowledged)), "pool": "tiny"}).json()
                server.ask("GET", f"/sessions/{made['session']}/next")
                acknowledged[made["session"]] = {}
            people = [Person(server, session, kill, seen) for session, seen in acknowledged.items()]
            before, begin = answers_of(acknowledged), time.monotonic()
            for person in people:
                person.start()
            while answers_of(acknowledged) == before and time.monotonic() - begin < 10:
                time.sleep(0.001)
            time.sleep(chosen.uniform(0.0, 0.1))
            server.process.kill()
            for person in people:
                person.join()
                demand(not person.wrong, f"an answer that is no 201: {person.wrong}")
        events = check_log(folder.file(name), acknowledged)
    tool(program, "sessions", "--searches", name, "--verify", cwd=folder.path)
    return answers_of(acknowledged), events


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chosen = random.Random(options.seed)
    answers = events = 0
    with Folder(options.program) as folder:
        for first in range(0, options.kills, KILLS_OF_A_FILE):
            count = min(KILLS_OF_A_FILE, options.kills - first)
            more = try_kills(options.program, folder, f"k{first}.search", count, chosen)
            answers, events = answers + more[0], events + more[1]
            if (first + count) % 100 == 0:
                print(f"{first + count} kills, {answers} acknowledged answers", flush=True)
    demand(answers >= options.kills, "hardly anything was acknowledged")
    print(f"{options.kills} kills, {answers} acknowledged answers, {events} events: none lost, none half, the chain intact")


if __name__ == "__main__":
    run(main)
