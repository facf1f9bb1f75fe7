#!/usr/bin/env python3
"""round_trip.py PROGRAM [--short]: what a search exports of hostile records is read back the same, field by field.

2,000 records (300 with --short) with formulas, cells above 32,767 characters, control characters, line ends, tags and
right-to-left marks are rated and exported as CSV, XLSX, JSONL and RIS. A pool is built of each export, and its own export as JSON
lines must have every field of the first one. RIS may lose what io/search/service/EXPORTS.md says.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

PIECES = ["=1+1", "+a", "-b", "@c", "\t", "\n", "\r\n", "\r", "\n\n", "'", "''", "'=", '"', '""', ",", ";", "|", "<p>", "</p>", "&amp;", "&",
          "_x0041_", "_x000D_", "\x01", "\x07", "\x1f", "\x7f", "\u200f", "\u202e", "שלום", "مرحبا", "é", "e\u0301", "😀", "\ufffe", "\uffff",
          "\ufeff", "\u00a0", "ER  - ", "TY  - JOUR", "\nER  - \n", "\nTY  - A\n", "N1  - x", "inkling_fields: {}", "; ", " ", "  ", "soil",
          "0", "-5", "1e5", "007", "{", "}", "[1]", "\\", "\\n", "＝1", "−1", "\u2028", "(continued 2)"]
SAID = {"rating", "included", "words_for", "words_against", "looked_for", "tags", "note", "rated_at", "chosen", "by"}


def records_of(count):
    rng = random.Random(5)

    def text(most):
        return "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, most)))

    for number in range(count):
        record = {"id": f"r{number}", "title": "t " + text(8), "abstract": "soil a " + text(20), "memo": text(20), "year": str(1900 + number % 120)}
        record["authors"] = [text(4) for _ in range(rng.randrange(1, 4))]
        record["keywords"] = [text(4) for _ in range(rng.randrange(1, 4))]
        record["score"] = rng.choice([1, 0.5, -3, True, "007"])
        if number % 100 == 7:
            record["abstract"] += "x" * 40_000
        if number % 100 == 8:
            record["memo"] = "😀" * 20_000
        yield record


def plain(value):
    """A value as tables show it."""
    if isinstance(value, list):
        return "; ".join(map(plain, value))
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


def plain_of_ris(value):
    """Lines and tabs are blanks, those at the ends are not kept, nor are values without anything else."""
    values = [re.sub(r"[\t\n\r]", " ", plain(one)).strip(" ") for one in (value if isinstance(value, list) else [value])]
    return "; ".join(one for one in values if one)


class Folder:
    def __init__(self, program, path, count):
        self.program, self.path, self.count = program, path, count

    def run(self, *args, said=""):
        done = subprocess.run([self.program, *args], input=said.encode(), capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{args}: {done.stderr.decode()}")

    def pool(self, name, source):
        """A pool of the source, with ratings of all its records."""
        path = os.path.join(self.path, name)
        self.run("build", source, "--keep-text", "--min-df", "1", "--out", path)
        ratings = [{"rate": 1 - n % 3 / 4, "document": n, **({"note": PIECES[n % len(PIECES)] + "x"} if n % 5 == 0 else {})} for n in range(self.count)]
        self.run("search", path, said="".join(json.dumps(rating) + "\n" for rating in ratings))
        return path

    def exported(self, pool, name):
        path = os.path.join(self.path, name)
        self.run("search", pool, "--out", path)
        return path


def by_id(path):
    with open(path, encoding="utf-8") as file:
        return {record["id"]: record for record in map(json.loads, file)}


def check(folder, first, kind, source):
    shown = plain_of_ris if kind == "ris" else plain
    found = by_id(folder.exported(folder.pool("of_" + kind, source), f"of_{kind}.jsonl"))
    wrong = []
    for name, record in first.items():
        for key, value in record.items():
            got = found.get(name, {}).get(key + "_before" if key in SAID else key)
            if key not in SAID - {"note", "rating"} and shown(value) != shown(got):
                wrong.append(f"{kind} {name} {key}: {value!a:.200} became {got!a:.200}")
    print(f"{kind}: {len(first)} records, {len(wrong)} fields differ")
    return wrong


def main():
    program, count = os.path.abspath(sys.argv[1]), 300 if "--short" in sys.argv else 2000
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(program, path, count)
        source = os.path.join(path, "source.jsonl")
        with open(source, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records_of(count))
        pool = folder.pool("first", source)
        exports = {kind: folder.exported(pool, "work." + kind) for kind in ("csv", "xlsx", "jsonl", "ris")}
        first = by_id(exports["jsonl"])
        wrong = [line for kind, export in exports.items() for line in check(folder, first, kind, export)]
    if wrong:
        sys.exit("\n".join(wrong[:20]))


if __name__ == "__main__":
    main()
