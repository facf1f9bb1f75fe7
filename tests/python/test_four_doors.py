"""The same requests through four doors: a pipe, the server, Python, and a terminal without a screen."""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import inkling as ink

from conftest import ROOT, Pipe, made_up_texts

SECONDS = 30


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> ink.Pool:
    place = tmp_path_factory.mktemp("four_doors") / "pool"
    return ink.Pool.from_text(made_up_texts(120, 5)[0], out=place)


def piped(program: str, pool: str, file: Path, kills: bool = False, name: str = "search") -> Pipe:
    return Pipe(program, pool, "--searches", str(file), "--name", name, kills=kills)


class Python:
    """`Session.ask`."""

    def __init__(self, pool: ink.Pool, file: Path) -> None:
        is_new = not file.exists()
        self.session = ink.Session(pool, file=file) if is_new else ink.Session.open(file, pool=pool)

    def ask(self, request: dict[str, Any]) -> str:
        try:
            return str(self.session.ask(json.dumps(request)))
        except ink.FormatError as error:
            return json.dumps({"error": str(error)})

    def end(self) -> None:
        self.session.close()


class Server:
    """`inkling serve`: each request at its address."""

    FORMS = {
        "next": ("GET", "/next", ""),
        "rate": ("POST", "/ratings", "reward"),
        "skip": ("POST", "/skips", ""),
        "separate": ("POST", "/separations", "document"),
        "query": ("POST", "/queries", "words"),
        "mark": ("POST", "/marks", "words"),
        "sample": ("POST", "/samples", "count"),
        "note": ("POST", "/notes", "note"),
        "aim": ("POST", "/aim", ""),
        "undo": ("POST", "/undo", "count"),
        "redo": ("POST", "/redo", "count"),
        "unmark": ("DELETE", "/words/{}", ""),
        "why": ("GET", "/documents/{}/why", ""),
        "words": ("GET", "/words?limit={}", ""),
        "ranking": ("GET", "/ranking?top={}", ""),
        "found": ("GET", "/found", ""),
        "tags": ("GET", "/tags", ""),
        "copies": ("GET", "/copies?limit={}", ""),
        "progress": ("GET", "/progress", ""),
        "events": ("GET", "/events?limit={}", ""),
        "report": ("GET", "/report", ""),
    }

    def __init__(self, program: str, pool: str, file: Path, kills: bool = False) -> None:
        self.kills, self.number = kills, time.monotonic_ns()
        self.child = subprocess.Popen(
            [program, "serve", pool, "--searches", str(file), "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.child.stdout is not None
        found = re.match(r"Open http://[^:]+:(\d+)/\?once=([0-9a-f]+)", self.child.stdout.readline().decode())
        assert found
        self.port = int(found[1])
        cookie = self.send("GET", f"/?once={found[2]}").headers["Set-Cookie"].split(";")[0]
        self.headers = {"Cookie": cookie, "Content-Type": "application/json"}
        kept = json.loads(self.text("GET", "/api/v1/sessions"))["sessions"]
        made = {"name": "search", "pool": Path(pool).name}
        one = kept[0] if kept else json.loads(self.text("POST", "/api/v1/sessions", made))
        self.path = "/api/v1/sessions/" + one["session"]

    def send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        connection.request(method, path, None if body is None else json.dumps(body), headers or {})
        return connection.getresponse()

    def text(self, method: str, path: str, body: Any = None) -> str:
        response = self.send(method, path, body, self.headers)
        answer = response.read().decode()
        if response.status == 410:
            return "null"
        return answer if response.status < 300 else json.dumps({"error": answer})

    def ask(self, request: dict[str, Any]) -> str:
        verb = next(name for name in self.FORMS if name in request)
        method, path, member = self.FORMS[verb]
        self.number += 1
        if method == "GET":
            part = request["document"] if verb == "why" else request[verb]
            return self.text(method, self.path + path.format(part))
        if method == "DELETE":
            return self.text(method, f"{self.path}{path.format(request[verb])}?request={self.number}")
        body = {name: value for name, value in request.items() if name not in (verb, "full")}
        if member:
            body[member] = request[verb]
        if verb in ("rate", "skip") and "document" not in body:
            offer = json.loads(self.text("GET", self.path + "/next"))
            body["document"] = offer["document"]["document"]
        return self.text(method, self.path + path, {"request": str(self.number), **body})

    def end(self) -> None:
        self.child.send_signal(signal.SIGKILL if self.kills else signal.SIGTERM)
        self.child.communicate()


class Terminal:
    """`inkling search` on a dumb terminal: a key and the text after it, line by line."""

    def __init__(self, program: str, pool: str, file: Path, kills: bool = False, name: str = "search") -> None:
        self.kills = kills
        self.child, self.place = pty.fork()
        if self.child == 0:
            os.environ["TERM"] = "dumb"
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 1000, 0, 0))
            os.execv(program, [program, "search", pool, "--searches", str(file), "--name", name])
        self.shown = self.read()

    def read(self) -> str:
        text = ""
        until = time.monotonic() + SECONDS
        while not text.endswith("A key and Enter: ") and time.monotonic() < until:
            if not select.select([self.place], [], [], 1)[0]:
                continue
            with contextlib.suppress(OSError):
                text += os.read(self.place, 65536).decode(errors="replace")
        return text

    def type(self, line: str) -> None:
        os.write(self.place, line.encode() + b"\n")
        self.shown = self.read()

    @staticmethod
    def words(words: list[Any]) -> str:
        return " ".join(("-" if isinstance(one, dict) and one["rate"] < 0 else "") + (one["word"] if isinstance(one, dict) else one) for one in words)

    def ask(self, request: dict[str, Any]) -> None:
        if "document" in request:
            self.type(f"g {request['document']}")
        if "rate" in request:
            if request.get("words"):
                self.type("w " + self.words(request["words"]))
            if "tags" in request:
                self.type("#")
                self.type(", ".join(request["tags"]))
            self.type({0: "n", 0.25: "2", 0.5: "3", 0.75: "4", 1: "y"}[request["rate"]])
        elif "skip" in request:
            self.type("s")
        elif "query" in request:
            self.type("k " + self.words(request["query"]))
        elif "sample" in request:
            self.type(f"a {request['sample']}")
        elif "note" in request:
            self.type("o " + request["note"])
        elif "aim" in request:
            self.type("i " + request["question"])
        elif "undo" in request or "redo" in request:
            self.type("u" if "undo" in request else "r")

    def end(self) -> None:
        if self.kills:
            os.kill(self.child, signal.SIGKILL)
        else:
            os.write(self.place, b"q\n")
            with contextlib.suppress(OSError):
                while os.read(self.place, 65536):
                    pass
        os.waitpid(self.child, 0)
        os.close(self.place)


def some_words(chance: random.Random, pool: ink.Pool, only_good: bool = False) -> list[Any]:
    words = [str(pool.word(feature)) for feature in chance.sample(range(pool.shape[1]), chance.randrange(1, 4))]
    return [one if only_good or chance.random() < 0.6 else {"word": one, "rate": -1} for one in words]


def requests(chance: random.Random, pool: ink.Pool, count: int) -> Iterator[dict[str, Any]]:
    """Random requests of people and programs, some of which are refused."""
    for _ in range(count):
        kind = chance.randrange(20)
        some = chance.randrange(pool.shape[0])
        if kind < 8:
            yield {"rate": chance.choice([0, 0.25, 0.5, 0.75, 1]), "words": some_words(chance, pool), "note": chance.choice(["", "so"]), **chance.choice([{}, {"tags": ["animals", "too old"]}])}
        elif kind == 8:
            yield {"rate": chance.choice([0, 1]), "document": some}
        elif kind == 9:
            yield {"skip": True}
        elif kind == 10:
            yield {"query": some_words(chance, pool)}
        elif kind == 11:
            yield {"sample": chance.randrange(1, 4)}
        elif kind == 12:
            yield {"undo": chance.randrange(1, 4)}
        elif kind == 13:
            yield {"redo": chance.randrange(1, 3)}
        elif kind == 14:
            yield {"aim": True, "question": f"what is {some}?", "rule": chance.choice([None, {"good": 9, "left_at_most": 20}])}
        elif kind == 15:
            yield chance.choice([{"note": f"note {some}"}, {"mark": some_words(chance, pool), "document": some}])
        elif kind == 16:
            yield {"unmark": chance.randrange(pool.shape[1])}
        else:
            yield chance.choice([{"why": True, "document": some}, {"words": 20}, {"ranking": 9}, {"found": True}, {"copies": 9}, {"separate": some}, {"progress": True}, {"tags": True}, {"next": True}])


def test_three_hundred_requests_have_the_same_answers_at_each_door(shelf: ink.Pool, inkling_program: str, tmp_path: Path) -> None:
    """Answers are equal byte by byte, with kills on the way; an invalid request is refused at every door."""
    assert shelf.path is not None
    files = [tmp_path / f"{name}.search" for name in ("pipe", "server", "python")]

    def opened() -> list[Any]:
        return [piped(inkling_program, shelf.path, files[0], True), Server(inkling_program, shelf.path, files[1], True), Python(shelf, files[2])]

    doors = opened()
    refused = 0
    for number, request in enumerate(requests(random.Random(300), shelf, 300)):
        if number % 60 == 59:  # each door is ended or killed, and goes on with the file of another
            for door in doors:
                door.end()
            files.append(files.pop(0))
            doors = opened()
        answers = [door.ask({**request, "full": True}) for door in doors]
        mistakes = [answer.startswith('{"error"') for answer in answers]
        refused += all(mistakes)
        assert all(mistakes) or answers[1] == answers[0] == answers[2], (number, request)
    assert 5 < refused < 150
    for door in doors:
        door.end()


def at_a_terminal(request: dict[str, Any]) -> dict[str, Any] | None:
    """The part of the request that keys can express: one word, one step back."""
    said = {name: 1 if name in ("undo", "redo") else value for name, value in request.items() if name != "rule"}
    if not set(said) & {"rate", "skip", "query", "sample", "aim", "undo", "redo", "note"}:
        return None
    if "rate" in said:
        said["words"] = [one for one in said.get("words", []) if isinstance(one, str)][:1]
        said.pop("note", None)
    if "query" in said:
        said["query"] = [said["query"][0]]
    return said


def rated_in(door: Any) -> set[int]:
    events = json.loads(door.ask({"events": 10_000}))["events"]
    return {event["document"] for event in events if event["kind"] == "rated" and event["holds"]}


def all_events(door: Any) -> list[dict[str, Any]]:
    """The events of a search that a door has open, and closes."""
    events: list[dict[str, Any]] = json.loads(door.ask({"events": 10_000}))["events"]
    door.end()
    for event in events:
        del event["at_ms"]
    return events


def test_each_door_goes_on_with_the_file_of_each_other(shelf: ink.Pool, inkling_program: str, tmp_path: Path) -> None:
    """A hundred searches, each through all doors in a random order, equal those on one pipe from start to end."""
    assert shelf.path is not None
    for seed in range(100):
        chance = random.Random(seed)
        file, other = tmp_path / f"{seed}.search", tmp_path / f"{seed}.twin.search"
        twin = piped(inkling_program, shelf.path, other)
        twin.ask({"next": True})
        doors: list[Any] = [Terminal, piped, *([Server] if seed % 4 == 0 else []), Python]
        chance.shuffle(doors)
        for kind in doors:
            kills = chance.random() < 0.5
            door = Python(shelf, file) if kind is Python else kind(inkling_program, shelf.path, file, kills)
            if kind is not Terminal:
                door.ask({"next": True})
            for request in requests(chance, shelf, 5):
                said = at_a_terminal(request)
                if said is not None and "rate" in said and said.get("document") in rated_in(twin):
                    continue  # when a terminal rates a document again it keeps words that the request does not have
                if said is not None and not twin.ask(said).startswith('{"error"'):
                    door.ask(said)
            door.end()
        assert all_events(Python(shelf, file)) == all_events(twin), (seed, doors)


def parted(answer: str) -> Any:
    """An answer without what depends on when it was given."""
    return json.loads(re.sub(r'"at_ms":\d+,', "", answer))


def words_said(event: dict[str, Any]) -> str:
    return ", ".join(("-" if word.get("rate", 1) * word["confidence"] < 0 else "") + word["word"] for word in event.get("words", []))


def history_line(event: dict[str, Any]) -> str:
    """A line of the terminal's page of history: what the pipe says of an answer, a note or an aim."""
    document = f"document {event.get('document', 0):,}"
    marks = words_said(event)
    what = {
        "rated": lambda: f"the rating {event['reward']:g} of {document}{f' ({marks})' if marks else ''}"
        + (" with the tags " + "; ".join(event["tags"]) if "tags" in event else ""),
        "marked": lambda: f"the words {marks} of {document}" if "document" in event else f"what to look for ({marks})",
        "forgot": lambda: f"that {event['word']} was not meant",
        "skipped": lambda: f"{document} for later",
        "sampled": lambda: f"the sample of {event['count']} documents",
        "noted": lambda: "the note",
        "aimed": lambda: "what you look for and when to stop",
        "separated": lambda: f"{document} as a record of its own",
    }[event["kind"]]()
    note = f": {event['note']}" if "note" in event else ""
    undone = " (taken back)" if "number" in event and not event["holds"] else ""
    return f"{event.get('number', ''):>7}  {'good' if event.get('good') else '':<5}{what}{note}{undone}"


def progress_lines(answer: dict[str, Any]) -> list[str]:
    """Sentences of the terminal's page of progress, from the pipe's answer."""
    now = answer["progress"]
    left, unread = now["good_left"], now["documents"] - now["rated"]
    lines = [f"You read {now['rated']} of {now['documents']} documents and found {now['good']} good {'one' if now['good'] == 1 else 'ones'} (rated 0.5 or more)."]
    if now["waiting"]:
        lines.append(f"{now['waiting']} put off for later.")
    if answer["rewards"]:
        lines.append(
            f"Of the last {now['lately']} {now['good_lately']} were good; {now['without_good']} since the last good one. "
            f"At random you would have found {int(answer['at_random'] + 0.5)} of these {now['good']}."
        )
        lines.append("The last ratings: " + " ".join(f"{reward:g}" for reward in answer["rewards"][-20:]))
    if left["draws"]:
        were = "was" if left["good_draws"] == 1 else "were"
        lines.append(
            f"Of {left['draws']} document{'' if left['draws'] == 1 else 's'} drawn at random {left['good_draws']} {were} good: "
            f"at most {left['at_most']} of the {unread} unread ones are good (95 %), about {max(left['about'], 0):.0f}."
        )
    if now["sample_left"]:
        drawn = "document is" if now["sample_left"] == 1 else f"{now['sample_left']} documents are"
        lines.append(f"The next {drawn} drawn at random, as you asked.")
    return lines


def page_of(terminal: Terminal, key: str) -> list[str]:
    terminal.type(key)
    return [line.rstrip() for line in terminal.shown.replace("\r", "").split("\n")]


LISTS = {"found": "f"}  # each request whose answer is a list of documents, and its key at a terminal


def check_terminal(terminal: Terminal, answers: dict[str, Any]) -> None:
    for name, key in LISTS.items():
        listed = [line for line in page_of(terminal, key) if re.match(r"[> ] [0-9.]* *Document ", line)]
        assert len(listed) == len(answers[name]["documents"])
        for line, one in zip(listed, answers[name]["documents"]):
            value = f"{one['rating']:<5g} " if "rating" in one else ""
            assert line[2:].startswith(f"{value}Document {one['document']:,}  {one['beginning'][:40]}"), (line, one)
    events = answers["events"]
    shown = [event for event in reversed(events["events"]) if "number" in event or event["kind"] in ("noted", "aimed")]
    lines = page_of(terminal, "h")
    begin = lines.index("History, the latest first") + 2
    assert lines[begin : begin + len(shown)] == ([history_line(event).rstrip() for event in shown] or [])
    text = " ".join(page_of(terminal, "p"))
    for sentence in progress_lines(answers["progress"]):
        assert sentence in text, sentence
    terminal.type("q")  # back to the document


def check_page(page: Any, answers: dict[str, Any]) -> None:
    """The page shows the same documents, answers and figures, in the same order."""
    progress, events = answers["progress"], answers["events"]
    now = progress["progress"]
    assert page["found"] == [f"Document {one['document']}" for one in answers["found"]["documents"]]
    figures = ["rated", "good", "good_lately", "without_good", "documents"]
    assert page["progress"] == [str(now[name]) for name in figures]
    assert page["points"] == (len(progress["rewards"]) + 1 if progress["rewards"] else 0)
    latest = [event for event in reversed(events["events"])]
    wanted = {
        "All answers": [event for event in latest if "number" in event],
        "Good ones": [event for event in latest if event.get("good")],
        "Ones that were not good": [event for event in latest if event.get("good") is False],
        "Notes": [event for event in latest if "note" in event],
    }
    for name, some in wanted.items():
        rows = page["history"][name]
        assert len(rows) == len(some), name
        for row, event in zip(rows, some):
            assert row.startswith(str(event["number"]) if "number" in event else "Note"), (row, event)
            assert ("document" not in event or f"Document {event['document']}" in row) and event.get("note", "") in row
            assert all(word["word"] in row for word in event.get("words", [])) and all(tag in row for tag in event.get("tags", []))
            assert ("taken back" in row) == ("number" in event and not event["holds"])


def test_the_report_in_each_language_is_the_same_at_every_interface(
    shelf: ink.Pool, inkling_program: str, tmp_path: Path
) -> None:
    """Byte for byte; and a language that is not known is refused, by name, with those that are."""
    assert shelf.path is not None
    file = tmp_path / "all.search"
    pipe = piped(inkling_program, shelf.path, file)
    for reward in (1, 0, 1, 0.25):
        pipe.ask({"rate": reward, "tags": ["größer"]})
    pages = {language: json.loads(pipe.ask({"report": "html", "language": language}))["text"] for language in ("en", "de", "es")}
    refusals = [pipe.ask({"report": "html", "language": "dee"})]
    pipe.end()
    assert json.dumps(pages).count("Datens\\u00e4tze gesichtet") == 1
    written = tmp_path / "report.html"
    command = [inkling_program, "sessions", "--searches", str(file), "--write", "report", "--out", str(written), "--language"]
    for language, page in pages.items():
        subprocess.run([*command, language], check=True, timeout=SECONDS)
        assert written.read_bytes() == page.encode()
    refusals.append(subprocess.run([*command, "dee"], capture_output=True, text=True, timeout=SECONDS).stderr)
    with ink.Session.open(file, pool=shelf) as session:
        for language, page in pages.items():
            session.report(written, language=language)  # type: ignore[arg-type]
            assert written.read_bytes() == page.encode()
            assert session.ask({"report": "html", "language": language})["text"] == page
        session.report(written)
        assert written.read_bytes() == pages["en"].encode()
        with pytest.raises(ink.FormatError, match=r"language 'dee': expected en, de or es \(did you mean de\?\)") as caught:
            session.report(written, language="dee")  # type: ignore[arg-type]
        refusals.append(str(caught.value))
    server = Server(inkling_program, shelf.path, file)
    for language, page in pages.items():
        assert server.text("GET", f"{server.path}/report?as=html&language={language}") == page
    refusals.append(server.text("GET", f"{server.path}/report?as=html&language=dee"))
    server.end()
    for refusal in refusals:
        assert all(name in refusal for name in ("dee", "en, de", "es")), refusal


def test_lists_are_the_same_at_every_interface(shelf: ink.Pool, inkling_program: str, tmp_path: Path) -> None:
    """A hundred random searches: found, history with its notes, and progress, at pipe, HTTP, Python, terminal and page."""
    assert shelf.path is not None
    file = tmp_path / "all.search"
    answers: dict[str, dict[str, str]] = {}
    lists: dict[str, Any] = {**dict.fromkeys(LISTS, True), "progress": True, "report": True, "events": 10_000}

    def all_lists(ask: Callable[[dict[str, Any]], str]) -> dict[str, str]:
        return {name: ask({name: value, "full": True}) for name, value in lists.items()}

    for seed in range(100):
        chance = random.Random(seed)
        name = f"s{seed}"
        pipe = piped(inkling_program, shelf.path, file, name=name)
        for request in requests(chance, shelf, 15):
            rated = rated_in(pipe) if "rate" in request and chance.random() < 0.2 else set()
            pipe.ask({**request, "document": chance.choice(sorted(rated))} if rated else request)
        answers[name] = all_lists(pipe.ask)
        pipe.end()
        terminal = Terminal(inkling_program, shelf.path, file, name=name)
        check_terminal(terminal, {name: parted(answer) for name, answer in answers[name].items()})
        terminal.end()
        with ink.Session.open(file, pool=shelf, name=name) as session:
            assert all_lists(lambda request: str(session.ask(json.dumps(request)))) == answers[name]
    server = Server(inkling_program, shelf.path, file)
    given = []
    for one in json.loads(server.text("GET", "/api/v1/sessions"))["sessions"]:
        server.path = "/api/v1/sessions/" + one["session"]
        assert all_lists(server.ask) == answers[one["name"]]
        facts = json.loads(server.text("GET", server.path))
        of_page = {f"sessions/{one['session']}/{name}": json.loads(answer) for name, answer in answers[one["name"]].items()}
        of_page[f"sessions/{one['session']}/events?after=0&limit=10000"] = of_page[f"sessions/{one['session']}/events"]
        given.append({"facts": facts, "answers": {**of_page, "about": {"user": facts["owner"]}}})
    server.end()
    node = shutil.which("node")
    if node is None:
        pytest.skip("the other interfaces agree; node, which runs the code of the page, is not installed")
    command = [node, str(Path(__file__).with_name("page_texts.mjs")), str(ROOT / "io/doors/serve/page")]
    shown = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=SECONDS)
    assert shown.returncode == 0, shown.stderr
    for page, one in zip(json.loads(shown.stdout), given, strict=True):
        check_page(page, {name: parted(answer) for name, answer in answers[one["facts"]["name"]].items()})
