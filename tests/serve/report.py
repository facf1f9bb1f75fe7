#!/usr/bin/env python3
"""report.py PROGRAM [REVIEWS]: the numbers of reports equal those of a count over the log, in random reviews.

Several files with duplicates and bad records; ratings, reasons, skips, words, undo and redo, separated copies, labels that came with
the records, several people, pairs of readers and decisions. The count is made here from the files as they were written and from
the rows that Python's sqlite3 reads, by what LOG.md says.
"""

import csv
import io
import json
import pathlib
import random
import sys
import xml.etree.ElementTree

from served import PREFIX, Folder, Server, demand, rows_of, run, tool

PEOPLE = ("ada", "bob", "eve", "dan")
WORDS = [a + b for a in ("soil", "crop", "rose", "lamp", "moss", "fern") for b in ("age", "ing", "less", "ed")]
REASONS = ["wrong population", "no control", '<b>"=1+1"</b>', "מחקר לא מתאים", "+cmd"]
EVENTS = "SELECT seq, actor, kind, document, body FROM event WHERE session = ? ORDER BY seq"


class Collection:
    """A pool of some files of records, and what is known of them because they were written here."""

    def __init__(self, program, folder, dice, number):
        self.pool, self.sources, self.keys, files = f"pool{number}", [], [], []
        for n in range(dice.randrange(1, 5)):
            ending = dice.choice(["jsonl", "csv", "ris"])
            keys = [dice.randrange(25) if dice.random() < 0.3 else 1000 * n + one for one in range(dice.randrange(4, 16))]
            bad = dice.randrange(1, 4) if ending == "jsonl" and dice.random() < 0.6 else 0
            name = f"{'=' if n == 2 else ''}{number} {n} & <i>.{ending}"
            self.sources.append({"source": name, "format": ending, "identified": len(keys) + bad, "left_out": bad})
            with open(folder.file(name), "w", encoding="utf-8") as file:
                file.write(self.written(ending, keys, bad))
            files.append(name)
            self.keys += [(n, key) for key in keys]
        tool(program, "build", *files, "--keep-text", "--min-df", "1", "--out", self.pool, cwd=folder.path)
        self.rows = len(self.keys)

    @staticmethod
    def written(ending, keys, bad):
        def text_of(key):
            dice = random.Random(key)
            return " ".join(dice.choices(WORDS, k=12))

        if ending == "jsonl":
            lines = [json.dumps({"title": f"Title {key} {text_of(key)[:20]}", "text": text_of(key), "doi": f"10.1/x{key}"}) for key in keys]
            return "\n".join(lines[:2] + ['{"text": '] * bad + lines[2:]) + "\n"
        if ending == "csv":
            rows = [f'Title {key} {text_of(key)[:20]},{text_of(key)},10.1/x{key}' for key in keys]
            return "title,abstract,doi\n" + "\n".join(rows) + "\n"
        return "".join(f"TY  - JOUR\nTI  - Title {key} {text_of(key)[:20]}\nAB  - {text_of(key)}\nDO  - 10.1/x{key}\nER  - \n\n" for key in keys)

    def learn_copies(self, copies):
        """Which row of a cluster is offered is the pool's choice; the clusters are known."""
        self.original = {one["document"]: one["same_as"] for one in copies}
        clusters = {}
        for row, (_, key) in enumerate(self.keys):
            clusters.setdefault(key, set()).add(row)
        found = {}
        for row in range(self.rows):
            found.setdefault(self.original.get(row, row), set()).add(row)
        demand(sorted(map(sorted, clusters.values())) == sorted(map(sorted, found.values())), f"records of one DOI are one: {found}")


class Count:
    """The numbers of one search, from its rows in the log alone."""

    def __init__(self, file, session, collection):
        self.collection, self.events = collection, rows_of(file, EVENTS, (session,))
        self.holds = {}
        for seq, _, kind, _, body in self.events:
            if kind in ("rated", "marked", "forgot", "skipped", "sampled", "separated"):
                self.holds[seq] = True
            elif kind in ("undone", "redone"):
                self.holds[json.loads(body)["target"]] = kind == "redone"
        rows = [(seq, actor, kind, document, json.loads(body)) for seq, actor, kind, document, body in self.events if self.holds.get(seq)]
        self.separated = {document: seq for seq, _, kind, document, _ in rows if kind == "separated"}
        self.ratings, self.skipped, apart = {}, set(), {}
        for seq, actor, kind, document, body in rows:
            place = self.placed(document, seq)
            words = {(word if isinstance(word, int) else word["feature"]) for word in body.get("words", [])}
            if kind == "rated":
                self.ratings.pop(place, None)
                self.ratings[place] = {"by": actor, "good": body["reward"] >= 0.5, "tags": body.get("tags", []), "imported": "batch" in body, "words": words}
            elif kind == "marked" and document is None:
                for word in words:
                    apart.pop(word, None)
                    apart[word] = seq
            elif kind == "marked" and place in self.ratings:
                self.ratings[place]["words"] |= words
            elif kind == "forgot":
                apart.pop(body["feature"], None)
                for rating in self.ratings.values():
                    rating["words"].discard(body["feature"])
            elif kind == "skipped":
                self.skipped.add(place)
        self.apart = len(apart)
        aims = [json.loads(body) for _, _, kind, _, body in self.events if kind == "aimed"]
        self.aim = aims[-1] if aims else {"question": ""}

    def placed(self, document, seq):
        if document in self.separated and self.separated[document] < seq:
            return document
        return self.collection.original.get(document, document)

    def records(self):
        return [row for row in range(self.collection.rows) if row in self.separated or row not in self.collection.original]


def pairs_of(file, session, collection):
    """For each pair drawn from the search: names, the two counts and that of the decider, and what may be compared."""
    pairs = {}
    for one, owner, options in rows_of(file, "SELECT id, owner, options FROM session ORDER BY rowid"):
        reading = json.loads(options).get("reading")
        if reading and reading.get("from") == session:
            pair = pairs.setdefault(reading["pair"], {"set": reading})
            who = "decision" if reading.get("decision") else reading["readers"].index(owner)
            pair[who] = Count(file, one, collection)
    for pair in pairs.values():
        first, second = (pair[n].ratings for n in (0, 1))
        is_closed = all(any(event[2] == "closed" for event in pair[n].events) for n in (0, 1))
        held = [set(pair[n].aim.get("set", [])) for n in (0, 1)]
        among = [document for document in first if document in second and not any(document in one for one in held)] if pair["set"].get("grows") else pair["set"]["documents"] if is_closed else []
        pair["both"] = [document for document in among if document in first and document in second]
        pair["conflicts"] = [one for one in pair["both"] if first[one]["good"] != second[one]["good"]]
        decided = pair["decision"].ratings if "decision" in pair else {}
        pair["decided"] = [one for one in pair["conflicts"] if one in decided]
        pair["shown"] = bool(among)
    return list(pairs.values())


def kappa_of(neither, second, first, both):
    total = both + first + second + neither
    by_chance = ((both + first) * (both + second) + (neither + second) * (neither + first)) / total**2
    return None if by_chance == 1 else round(((both + neither) / total - by_chance) / (1 - by_chance), 9)


def agreement_of(pair):
    if not pair["shown"]:
        return None
    said = [(pair[0].ratings[one]["good"], pair[1].ratings[one]["good"]) for one in pair["both"]]
    counts = [said.count(one) for one in ((False, False), (False, True), (True, False), (True, True))]
    return [*counts, kappa_of(*counts) if said else None]


def counted(file, session, collection):
    """The report as it must be."""
    count, pairs = Count(file, session, collection), pairs_of(file, session, collection)
    sources = [{**one, "duplicates_within": 0, "duplicates_across": 0} for one in collection.sources]
    for copy, original in collection.original.items():
        if copy not in count.separated:
            here, there = collection.keys[copy][0], collection.keys[original][0]
            sources[here]["duplicates_within" if here == there else "duplicates_across"] += 1
    records, rated = count.records(), count.ratings
    unread = [row for row in records if row not in rated]
    awaiting = {one for pair in pairs for one in pair["conflicts"] if one in unread}
    rest = [row for row in unread if row not in awaiting]
    withheld = set(count.aim.get("withheld", []))
    excluded = [one for one in rated.values() if not one["good"]]
    row = 0
    for one in reversed(list(rated.values())):
        if one["good"]:
            break
        row += 1
    now = {"rated": len(rated), "good": len(rated) - len(excluded), "without_good": row}
    people = {}
    for one in rated.values():
        if not one["imported"]:
            people.setdefault(one["by"], [0, 0])[0 if one["good"] else 1] += 1
    found = [0]
    for one in rated.values():
        found.append(found[-1] + one["good"])
    return {
        "sources": sources, **{name: sum(one[name] for one in sources) for name in ("identified", "left_out", "duplicates_within", "duplicates_across")},
        "separated": len(count.separated), "records": len(records), "screened": len(rated) + len(awaiting), "included": now["good"],
        "excluded": len(excluded), "awaiting": len(awaiting), "not_screened": len(rest), "with_readers": sum(one in withheld for one in rest),
        "put_off": sum(one in count.skipped and one not in withheld for one in rest), "outside": 0,
        "by": [{"name": name, "included": yes, "excluded": no} for name, (yes, no) in people.items()],
        "imported": {"included": sum(one["imported"] and one["good"] for one in rated.values()), "excluded": sum(one["imported"] for one in excluded)},
        "reasons": {tag: sum(tag in one["tags"] for one in excluded) for one in excluded for tag in one["tags"]},
        "without_reason": sum(not one["tags"] for one in excluded), "several_reasons": sum(len(one["tags"]) > 1 for one in excluded),
        "read": list(range(len(found))), "found": found, "events": len(count.events), "taken_back": list(count.holds.values()).count(False),
        "marked_words": sum(len(one["words"]) for one in rated.values()), "rated_words": count.apart, "question": count.aim["question"],
        "rule": {name: [limit, now.get(name)] for name, limit in (count.aim.get("rule") or {}).items()},
        "pairs": [(pair["set"]["readers"], agreement_of(pair), len(pair["decided"])) for pair in pairs],
    }


def as_counted(report):
    """The parts of a report that are counted here, in the same form."""
    known = {name: report[name] for name in ("events", "taken_back", "question", "sources", "identified", "left_out", "duplicates_within",
             "duplicates_across", "separated", "records", "screened", "included", "excluded", "awaiting", "not_screened", "with_readers",
             "put_off", "outside", "by", "imported", "without_reason", "several_reasons", "read", "found", "marked_words", "rated_words")}
    known["reasons"] = {one["tag"]: one["documents"] for one in report["reasons"]}
    known["rule"] = {one["name"]: [one["limit"], None if one["name"] == "left_at_most" else one["now"]] for one in report["rule"]}
    known["pairs"], names = [], ("neither_good", "second_only", "first_only", "both_good", "kappa")
    for pair in report["pairs"]:
        agreement = pair["agreement"] and [pair["agreement"][name] for name in names]
        if agreement and agreement[-1] is not None:
            agreement[-1] = round(agreement[-1], 9)  # sums in another order
        known["pairs"].append((pair["readers"], agreement, pair["decided"]))
    return known


class Review:
    """A random review on the server."""

    def __init__(self, server, tokens, dice, collection, number):
        self.server, self.tokens, self.dice, self.collection, self.number = server, tokens, dice, collection, 0
        body = {"name": f"review {number} <i>&\"'", "pool": collection.pool, "seed": dice.randrange(1000), "question": dice.choice(["", "Soil & <compost>?", "שאלה\n=1"])}
        rule = {"rated": dice.randrange(1, 9), "good": dice.randrange(1, 5), "without_good": dice.randrange(1, 4), "left_at_most": dice.randrange(30)}
        body["rule"] = {name: rule[name] for name in dice.sample(sorted(rule), dice.randrange(1, 4))}
        self.session = server.ask("POST", "/sessions", body).json()["session"]
        if dice.random() < 0.2:  # labels: a search that begins with a file of ratings
            lines = [json.dumps({"document": row, "reward": dice.choice([0, 1])}) for row in dice.sample(range(collection.rows), 3)]
            log = "\n".join([*lines, json.dumps({"feature": 0, "reward": 1})]) + "\n"
            path = f"/sessions/import?name=brought&pool={collection.pool}"
            self.session = server.ask("POST", path, log.encode(), headers={"Content-Type": "application/x-ndjson"}).json()["session"]
        self.path = f"/sessions/{self.session}"

    def post(self, who, path, body):
        headers = {"Authorization": f"Bearer {self.tokens[who]}", "Content-Type": "application/json"}
        return self.server.raw("POST", PREFIX + path, json.dumps(body).encode(), headers)

    def say(self, what, who="ada", path=None, **body):
        """A request that may be refused."""
        self.number += 1
        response = self.post(who, f"{path or self.path}/{what}", {"request": f"{who}{self.number}", **body})
        demand(response.status in (201, 409, 422), f"{what} {body}: {response.status} {response.body!r}")
        return response

    def words(self):
        return [{"word": word, "rate": self.dice.choice([-1, 1])} if self.dice.random() < 0.3 else word for word in self.dice.sample(WORDS, self.dice.randrange(3))]

    def rate(self, document, who="ada", path=None):
        tags = self.dice.sample(REASONS, self.dice.choice([0, 0, 1, 1, 2]))
        return self.say("ratings", who, path, document=document, reward=self.dice.choice([0, 0, 0.25, 0.5, 1]), words=self.words(), tags=tags)

    def next_of(self, who, path):
        response = self.server.raw("GET", f"{PREFIX}{path}/next", None, {"Authorization": f"Bearer {self.tokens[who]}"})
        return json.loads(response.body)["document"]["document"] if response.status == 200 else None

    def act(self, who):
        dice, some = self.dice, self.dice.randrange(self.collection.rows)
        kind = dice.randrange(16)
        if kind < 7:
            document = self.next_of(who, self.path) if dice.random() < 0.8 else some
            return document is not None and self.rate(document, who)
        if kind < 9:
            document = self.next_of(who, self.path)
            return document is not None and self.say("skips", who, document=document)
        if kind == 9:
            return self.say("separations", who, document=dice.choice(sorted(self.collection.original) or [0]))
        what, body = [("undo", {}), ("undo", {"count": 2}), ("redo", {}), ("queries", {"words": [*self.words(), "soilage"]}), ("marks", {"document": some, "words": [*self.words(), "cropage"]}), ("samples", {"count": 2})][kind - 10]
        return self.say(what, who, **body)

    def read_by_two(self):
        dice = self.dice
        grows = dice.random() < 0.4
        wanted = {"readers": ["bob", "eve"], "decider": "dan", **({"all": True} if grows else {"count": dice.randrange(1, 5)})}
        response = self.post("ada", self.path + "/pairs", wanted)
        if response.status != 201:
            return
        pair = json.loads(response.body)["pair"]

        def path_of(who, name="session"):
            line = next(one for one in self.server.ask("GET", "/pairs", token=self.tokens[who]).json()["pairs"] if one["pair"] == pair)
            return line[name] and f"/sessions/{line[name]}"

        def read(who, path, count):
            for _ in range(count):
                document = self.next_of(who, path)
                if document is None:
                    return
                self.rate(document, who, path)

        for who in ("bob", "eve"):
            read(who, path_of(who), 5 if dice.random() < 0.8 else 1)
        if dice.random() < 0.3:
            self.post("ada", f"/pairs/{pair}/end", {})
        if not grows and dice.random() < 0.7:
            self.post("dan", f"/pairs/{pair}/decisions", {})
        decisions = path_of("dan", "decisions")
        if decisions:
            read("dan", decisions, dice.randrange(5))

    def go(self):
        people = ["ada"]
        if self.dice.random() < 0.3:
            self.server.ask("POST", self.path + "/share", {"with": ["bob"]}, 200)
            people.append("bob")
        for _ in range(self.dice.randrange(1, 30)):
            self.act(self.dice.choice(people))
        if self.dice.random() < 0.4:
            self.read_by_two()
            for _ in range(self.dice.randrange(4)):
                self.act("ada")


def check_identities(report):
    duplicates = report["duplicates_within"] + report["duplicates_across"]
    demand(report["identified"] - report["left_out"] - duplicates == report["records"], f"records: {report}")
    demand(report["screened"] + report["not_screened"] == report["records"], f"screened and not: {report}")
    demand(report["included"] + report["excluded"] + report["awaiting"] == report["screened"], f"screened: {report}")
    parts = [*report["by"], report["imported"]]
    for name in ("included", "excluded"):
        demand(sum(one[name] for one in parts) == report[name], f"{name} by whom: {report}")


# What some boxes are called in each language, and how it divides thousands.
LANGUAGES = {
    "en": ("Records screened", "Records included", "Excluded", "Not screened", ","),
    "de": ("Datensätze gesichtet", "Datensätze eingeschlossen", "Ausgeschlossen", "Nicht gesichtet", "."),
    "es": ("Registros cribados", "Registros incluidos", "Excluidos", "No cribados", "."),
}


def check_page(report, page, language):
    """It is well formed, without script, and in this language."""
    head, body = page.removeprefix("<!doctype html>\n").replace('<meta charset="utf-8">', "").replace("initial-scale=1\">", "initial-scale=1\"/>").split("</head>")
    tree = xml.etree.ElementTree.fromstring(head + "</head>" + body)
    text = "".join(tree.find("body").itertext())
    demand("<script" not in page and "<b>" not in page and "http" not in page, "nothing runs, nothing is loaded")
    demand(tree.get("lang") == language and "{" not in text, f"the page is in {language}")
    *names, comma = LANGUAGES[language]
    for name, value in zip(names, (report["screened"], report["included"], report["excluded"], report["not_screened"])):
        demand(f"{name} (n = {value:,})".replace(",", comma) in text, f"{name} on the page")
    if report["screened"] > report["awaiting"]:
        demand(f"({int(report['at_random'] + 0.5):,}".replace(",", comma) in text, "what random order finds is on the page")


def check_table(report, table):
    """CSV has the same numbers, and cells that no program runs."""
    rows = list(csv.reader(io.StringIO(table)))
    demand(rows[0] == ["part", "of", "what", "number"] and all(len(row) == 4 for row in rows), f"the columns: {rows[0]}")
    demand(not any(cell[:1] in ("=", "+", "-", "@") for row in rows for cell in row), "no cell is a formula")
    known = {(row[0], row[1].removeprefix("'"), row[2]): int(row[3]) for row in rows[1:]}
    for name in ("separated", "records", "screened", "included", "excluded", "awaiting", "not_screened"):
        demand(known["records", "", name] == report[name], f"{name} in CSV")
    for one in report["sources"]:
        demand(known["source", one["source"].removeprefix("'"), "identified"] == one["identified"], f"{one} in CSV")
    for one in report["reasons"]:
        demand(known["reason", one["tag"], "excluded"] == one["documents"], f"{one} in CSV")


def main():
    program, reviews = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 12
    dice, seen = random.Random(2020), {}
    with Folder(program) as folder:
        tokens = folder.tokens_of(program, *PEOPLE)
        file = folder.file("reviews.search")
        collections = [Collection(program, folder, dice, number) for number in range((reviews + 3) // 4)]
        with Server(program, *(one.pool for one in collections), "--searches", "reviews.search", "--users", "users", cwd=folder.path, token=tokens["ada"]) as server:
            for number in range(reviews):
                if number % 4 == 0:
                    collection = collections[number // 4]
                    first = server.ask("POST", "/sessions", {"name": "copies", "pool": collection.pool}).json()["session"]
                    collection.learn_copies(server.ask("GET", f"/sessions/{first}/copies?limit=10000").json()["documents"])
                review = Review(server, tokens, dice, collection, number)
                review.go()
                address = review.path + "/report"
                report = server.ask("GET", address).json()
                wanted = counted(file, review.session, collection)
                found = as_counted(report)
                for name, value in wanted.items():
                    demand(value == found[name], f"review {number}: {name}: counted {value}, in the report {found[name]}")
                check_identities(report)
                at_random = server.ask("GET", review.path + "/progress").json()["at_random"]
                demand(report["at_random"] == at_random, f"at random: {report['at_random']}, on the page of progress {at_random}")
                check_table(report, server.ask("GET", address + "?as=csv").body.decode())
                pages = {language: server.ask("GET", f"{address}?as=html&language={language}").body.decode() for language in LANGUAGES}
                for language, page in pages.items():
                    check_page(report, page, language)
                for name in ("left_out", "duplicates_within", "duplicates_across", "separated", "awaiting", "with_readers", "put_off", "included", "excluded", "several_reasons", "taken_back"):
                    seen[name] = seen.get(name, 0) + (report[name] > 0)
                seen["pairs"] = seen.get("pairs", 0) + sum(one["agreement"] is not None for one in report["pairs"])
                seen["decided"] = seen.get("decided", 0) + sum(one["decided"] for one in report["pairs"])
                seen["imported"] = seen.get("imported", 0) + (sum(report["imported"].values()) > 0)
                last = review.session, report, pages
            server.ask("GET", f"/sessions/{last[0]}/report?as=pdf", expect=422)
            server.ask("GET", f"/sessions/{last[0]}/report?as=html&language=xx", expect=422)
        written = tool(program, "sessions", "--searches", "reviews.search", "--name", last[0], "--write", "report", cwd=folder.path)
        demand(json.loads(written) == last[1], "the program writes the report that the server answered")
        for language, page in last[2].items():
            tool(program, "sessions", "--searches", "reviews.search", "--name", last[0], "--write", "report", "--language", language, "--out", "report.html", cwd=folder.path)
            demand(pathlib.Path(folder.file("report.html")).read_text(encoding="utf-8") == page, f"the program writes the page in {language}")
    if reviews >= 100:
        demand(all(seen.values()), f"every kind of number was there: {seen}")
    print(f"{reviews} reviews, each report as counted; with: {seen}")


if __name__ == "__main__":
    run(main)
