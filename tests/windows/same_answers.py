#!/usr/bin/env python3
"""same_answers.py LINUX WINDOWS [--requests N] [--seed N]: the program for Windows answers as that for Linux, byte for byte.

Both make pools of the same files and write every export, and both get the same N requests on a pipe, and N over HTTP. WINDOWS is what
starts it here. Times of the clock are left out, and nothing else.
"""

import argparse
import base64
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "serve"))
from served import PREFIX, ROOT, Server, demand, run, tool  # noqa: E402

TINY = os.path.join(ROOT, "datasets", "tiny", "documents.jsonl")
CLOCK = re.compile(rb'"[a-z]+_ms":\d+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?')
WORDS = ["soil", "compost", "ferry", "bean", "harbour", "rose", "nosuchword", "two words", "grüße"]


def texts_of_records():
    """Files as people have them: CRLF, umlauts of Windows, RIS, a workbook's CSV."""
    rows = [f'{n};"Über Äpfel {n}: Grüße, “{word}”";{n % 3}' for n, word in enumerate(WORDS * 40)]
    ris = "".join(f"TY  - JOUR\r\nTI  - Title {n} {word}\r\nAB  - Of {word} and others, {n}.\r\nPY  - {1990 + n % 30}\r\nER  - \r\n\r\n"
                  for n, word in enumerate(WORDS * 30))
    return {"semicolons.csv": ("id;text;included\r\n" + "\r\n".join(rows) + "\r\n").encode("cp1252"),
            "plain.ris": ris.encode(), "bom.csv": b"\xef\xbb\xbf" + b"id,text\r\nx,a bean\r\ny,a rose\r\n"}


class Side:
    """One program in a folder of its own, which is called alike in both."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def tool(self, *arguments):
        return tool(self.program, *arguments, cwd=self.folder)

    def bytes_in(self, place):
        found = {}
        for path, _, names in os.walk(os.path.join(self.folder, place)):
            for name in names:
                where = os.path.join(path, name)
                with open(where, "rb") as file:
                    found[os.path.relpath(where, self.folder)] = file.read()
        return found

    def pipe(self, lines, *arguments):
        given = "".join(json.dumps(line) + "\n" for line in lines).encode()
        done = subprocess.run([os.path.abspath(self.program), "search", *arguments, "--json"], cwd=self.folder, input=given,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
        demand(done.returncode == 0, f"search: {done.returncode} {done.stderr}")
        return [without_clock(line) for line in done.stdout.splitlines(keepends=True)]


def same(linux, windows, what):
    """Demands that these are equal, or says where they begin to differ."""
    if linux != windows:
        texts = [one if isinstance(one, bytes) else repr(one).encode() for one in (linux, windows)]
        at = len(os.path.commonprefix(texts))
        demand(False, f"{what}: after {texts[0][max(0, at - 80):at]!r} Linux has {texts[0][at:at + 120]!r}, Windows {texts[1][at:at + 120]!r}")


def without_clock(text):
    """The text without times; of a workbook, its parts, which hold the time of each answer."""
    found = re.search(rb'"text":"(UEsD[^"]*)"', text)
    if found or text.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(found[1]) if found else text)) as book:
            text = b"".join(b"%r %s" % (part.filename, book.read(part)) for part in book.infolist())
    return CLOCK.sub(b"", text)


def random_request(chosen, documents):
    document, words = chosen.randrange(documents), chosen.sample(WORDS, chosen.randrange(3))
    return chosen.choice([
        {"next": True}, {"rate": chosen.choice([0, 0, 1, 0.5])}, {"rate": 1, "words": words, "tags": ["später"], "note": "é\u2028"},
        {"rate": chosen.choice([0, 1]), "document": document}, {"skip": True}, {"mark": words, "document": document},
        {"query": [{"word": word, "rate": chosen.choice([-1, 1, 0.25])} for word in words]}, {"unmark": chosen.choice(WORDS)},
        {"aim": True, "question": "Äpfel?", "rule": {"left_at_most": chosen.randrange(1, 9)}}, {"undo": chosen.randrange(1, 3)}, {"redo": 1},
        {"sample": chosen.randrange(1, 4)}, {"note": "x\r\ny"}, {"why": True}, {"why": True, "document": document}, {"words": 20},
        {"tags": True}, {"asked": "soil, -\"rose bean\" Grüße"}, {"ranking": 10}, {"found": True}, {"copies": 5}, {"progress": True, "full": True},
        {"events": 100}, {"report": True}, {"separate": document}, {"rate": 7}, {"unknown": True}, {"rate": 1, "document": "nobody's"},
        *({"export": form, "which": which} for form in ("csv", "jsonl", "ris", "xlsx") for which in ("all", "good", "unread", "everything"))])


def check_files(sides):
    for name, body in texts_of_records().items():
        for side in sides:
            with open(os.path.join(side.folder, name), "wb") as file:
                file.write(body)
    count = 0
    for number, files in enumerate([[TINY], ["semicolons.csv"], ["plain.ris"], ["bom.csv"], ["semicolons.csv", "plain.ris"]]):
        said = [side.tool("build", *files, "--keep-text", "--out", f"pool{number}") for side in sides]
        pools = [side.bytes_in(f"pool{number}") for side in sides]
        same(*(sorted(pool) for pool in pools), f"files of the pool of {files}")
        for name in pools[0]:
            same(pools[0][name], pools[1][name], name)
        same(*(CLOCK.sub(b"", re.sub(r"in [0-9.]+ m?s", "", one).encode()) for one in said), f"what a build of {files} says")
        count += len(pools[0])
    return count


def check_pipe(sides, requests, chosen):
    for number, documents in ((0, 20), (4, 500)):
        asked = [random_request(chosen, documents) for _ in range(requests // 2)]
        arguments = (f"pool{number}", "--searches", f"log{number}", "--words", "soil,-ferry")
        answers = [side.pipe(asked, *arguments) for side in sides]
        demand(len(answers[0]) == len(answers[1]) == len(asked), "one answer to a request")
        for request, linux, windows in zip(asked, *answers, strict=True):
            same(linux, windows, f"pipe: {request}")
        for what, ends in (("work", ("csv", "jsonl", "ris", "xlsx")), ("ratings", ("jsonl",)), ("events", ("jsonl",)), ("report", ("html", "json", "csv"))):
            for end in ends:
                for side in sides:
                    side.tool("sessions", "--searches", f"log{number}", "--write", what, "--out", f"{what}.{end}")
                same(*(without_clock(side.bytes_in(".")[f"{what}.{end}"]) for side in sides), f"export of {what} as {end}")


def check_http(sides, requests, chosen):
    servers = [Server(side.program, "pool4", "pool0", "--searches", "served", cwd=side.folder) for side in sides]
    try:
        begin = {"name": "one", "pool": "pool4", "words": ["soil"], "question": "Äpfel"}
        names = [server.ask("POST", "/sessions", begin).json()["session"] for server in servers]
        for number in range(requests):
            document = chosen.randrange(500)
            words = chosen.sample(WORDS, chosen.randrange(3))
            name = {"request": f"r{number}"}
            method, rest, body = chosen.choice([
                ("GET", "/next", None), ("GET", "", None), ("GET", "/words?limit=9", None), ("GET", "/ranking?top=5", None), ("GET", "/found", None),
                ("GET", "/progress", None), ("GET", "/tags", None), ("GET", "/events?after=0&limit=200", None), ("GET", "/copies?limit=5&after=0", None),
                ("GET", f"/documents/{document}/why", None), ("GET", "/report?as=csv", None), ("GET", "/report?as=html&language=de", None),
                ("GET", f"/export?format={chosen.choice(['csv', 'jsonl', 'ris', 'xlsx'])}&which=everything", None), ("GET", "/nothing", None),
                ("POST", "/ratings", {**name, "document": document, "reward": chosen.choice([0, 0, 1]), "words": words, "note": "ü\u2028\r\n"}),
                ("POST", "/ratings", {**name, "document": -1, "reward": 1}), ("POST", "/ratings", {**name, "reward": "x"}),
                ("POST", "/marks", {**name, "document": document, "words": words}), ("POST", "/queries", {**name, "words": words}),
                ("POST", "/skips", {**name, "document": document}), ("POST", "/undo", name), ("POST", "/redo", name), ("POST", "/notes", {**name, "note": "x"}),
                ("POST", "/samples", {**name, "count": 2}), ("POST", "/aim", {**name, "rule": {"rated": 9}}),
            ])
            answers = []
            for server, session in zip(servers, names, strict=True):
                sent = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
                answer = server.raw(method, f"{PREFIX}/sessions/{session}{rest}", None if body is None else json.dumps(body).encode(), sent)
                headers = sorted((key, value) for key, value in answer.headers.items() if key not in ("Date", "Content-Length"))
                answers.append((answer.status, headers, without_clock(answer.body.replace(session.encode(), b"SESSION"))))
            same(*answers, f"{method} {rest} {body}")
        for server in servers:
            server.process.kill()
    finally:
        for server in servers:
            server.__exit__()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("linux")
    parser.add_argument("windows")
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="inkling-") as folder:
        sides = []
        for name in ("linux", "windows"):
            os.makedirs(os.path.join(folder, name))
            sides.append(Side(getattr(options, name), os.path.join(folder, name)))
        files = check_files(sides)
        check_pipe(sides, options.requests, random.Random(options.seed))
        check_http(sides, options.requests, random.Random(options.seed + 1))
    print(f"{files} files of pools, {options.requests} requests on a pipe and {options.requests} over HTTP: the same bytes")


if __name__ == "__main__":
    run(main)
