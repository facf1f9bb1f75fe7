"""A server to test, a client, and a check of every answer against openapi.json."""

import http.client
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PREFIX = "/api/v1"
# The factor for limits of time: a program is slow with sanitizers, and beside other tests (CMakePresets.json).
PATIENCE = float(os.environ.get("INKLING_PATIENCE", "1"))


class Wrong(Exception):
    """A check failed. The message says what must hold, or what was found."""


def demand(truth, what):
    if not truth:
        raise Wrong(what)


def processor_seconds(process):
    """What a process has used so far, all its threads together."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Schemas:
    """The part of JSON Schema that openapi.json uses."""

    def __init__(self, api):
        self.api, self.seen = api, set()
        self.templates = []
        for path in api["paths"]:
            pattern = re.sub(r"\{[a-z]+\}", "[^/]+", path)
            self.templates.append((path, re.compile("^" + pattern + "$")))
        self.templates.sort(key=lambda pair: pair[0].count("{"))

    def resolve(self, node):
        while "$ref" in node:
            found = self.api
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            node = found
        return node

    def fault(self, value, schema, where="body"):
        """The first fault of the value, or None."""
        schema = self.resolve(schema)
        if "anyOf" in schema:
            faults = [self.fault(value, one, where) for one in schema["anyOf"]]
            if all(faults):
                return f"{where}: none of {len(faults)}: {faults[0]}"
        if "enum" in schema and value not in schema["enum"]:
            return f"{where}: {value!r} is not in {schema['enum']}"
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}

        def fits(name):
            if name in ("integer", "number"):
                allowed = int if name == "integer" else (int, float)
                return isinstance(value, allowed) and not isinstance(value, bool)
            return isinstance(value, kinds[name])

        if types and not any(fits(name) for name in types):
            return f"{where}: {value!r:.80} is not of type {types}"
        if isinstance(value, dict):
            known = schema.get("properties", {})
            for name in schema.get("required", []):
                if name not in value:
                    return f"{where}: lacks {name}"
            for name, member in value.items():
                if name in known:
                    found = self.fault(member, known[name], f"{where}.{name}")
                    if found:
                        return found
                elif schema.get("additionalProperties") is False:
                    return f"{where}: has {name}"
        if isinstance(value, list):
            if len(value) < schema.get("minItems", 0) or len(value) > schema.get("maxItems", len(value)):
                return f"{where}: has {len(value)} items"
            for number, item in enumerate(value):
                found = self.fault(item, schema.get("items", {}), f"{where}[{number}]")
                if found:
                    return found
        return None

    def check(self, method, target, response):
        path = target.split("?")[0]
        if path == "/" or path.startswith("/assets/"):
            return
        template = next((one for one, pattern in self.templates if pattern.match(path)), None)
        if template is None:
            demand(response.status in (400, 401, 403, 404), f"{method} {path} is not in openapi.json")
            return
        operation = self.api["paths"][template].get(method.lower())
        if operation is None:
            demand(response.status in (400, 403, 405), f"{method} {template} is not in openapi.json")
            return
        known = operation["responses"].get(str(response.status))
        demand(known, f"{method} {template}: {response.status} is not in openapi.json")
        self.seen.add((method.lower(), template, response.status))
        known = self.resolve(known)
        for name in known.get("headers", {}):
            demand(response.headers.get(name), f"{method} {template}: {response.status} lacks {name}")
        content = known.get("content", {})
        if not content:
            demand(not response.body, f"{method} {template}: {response.status} has a body")
            return
        kind = response.headers.get("Content-Type", "").split(";")[0]
        demand(kind in content, f"{method} {template}: {response.status} is {kind}")
        if kind.endswith("json") and not kind.endswith("ndjson"):
            fault = self.fault(response.json(), content[kind]["schema"])
            demand(not fault, f"{method} {template}: {response.status}: {fault}")


class Response:
    def __init__(self, message):
        self.status, self.headers, self.body = message.status, message.headers, message.read()

    def json(self):
        return json.loads(self.body)


def tool(program, *arguments, cwd=None, given=None):
    result = subprocess.run([os.path.abspath(program), *arguments], cwd=cwd, input=given, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, timeout=120, check=False)
    demand(result.returncode == 0, f"inkling {' '.join(arguments)}: {result.stderr.decode(errors='replace')}")
    return result.stdout.decode()


def is_sanitized(program):
    """Whether a sanitizer allocates its memory, and ends it by itself where none is left."""
    with open(program, "rb") as file:
        text = file.read()
    return b"__asan_init" in text or b"__tsan_init" in text


class Server:
    """`inkling serve` on a port of its own. Use it in a `with`."""

    def __init__(self, program, *arguments, cwd=None, token=None, before=(), stdin=subprocess.DEVNULL):
        self.process = subprocess.Popen([*before, os.path.abspath(program), "serve", *arguments, "--port", "0"], cwd=cwd,
                                        stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline().decode()
        found = re.match(r"Open http://([^/]+):(\d+)/(?:\?once=([0-9a-f]+))?\n", line)
        if not found:
            self.process.kill()
            raise Wrong(f"no address: {line!r} {self.process.stderr.read().decode()}")
        self.host, self.port, self.once = found[1], int(found[2]), found[3]
        self.api = Schemas(json.loads(self.raw("GET", PREFIX + "/openapi.json").body))
        self.cookie = None
        if token is None:
            first = self.raw("GET", f"/?once={self.once}")
            demand(first.status == 303 and first.headers["Location"] == "/", "the printed address leads to the page")
            self.cookie = first.headers["Set-Cookie"].split(";")[0]
        self.token = token or self.cookie.split("=")[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()

    def raw(self, method, target, body=None, headers=None):
        """Sends any request on a new connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30 * PATIENCE)
        try:
            connection.request(method, target, body=body, headers=headers or {})
            return Response(connection.getresponse())
        finally:
            connection.close()

    def ask(self, method, path, body=None, expect=None, headers=None, token=None):
        """Sends a request to the interface, and checks the answer against openapi.json."""
        target = path if path.startswith(("/healthz", "/metrics")) else PREFIX + path
        sent = {"Authorization": f"Bearer {token or self.token}", **(headers or {})}
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent.setdefault("Content-Type", "application/json")
        response = self.raw(method, target, data, sent)
        self.api.check(method, target, response)
        wanted = expect or (200 if method == "GET" else 201)
        demand(response.status == wanted, f"{method} {path}: {response.status}, expected {wanted}: {response.body!r}")
        return response

    def end(self, how=signal.SIGTERM):
        """Ends the server by a signal, and returns its exit code."""
        self.process.send_signal(how)
        return self.process.wait(timeout=30 * PATIENCE)


class Person:
    """One who reads in a search on the server."""

    def __init__(self, server, token, session):
        self.server, self.token, self.path, self.number = server, token, f"/sessions/{session}", 0

    def get(self, rest="", expect=None):
        return self.server.ask("GET", self.path + rest, token=self.token, expect=expect).json()

    def offer(self):
        return self.get("/next")["document"]["document"]

    def say(self, what, expect=201, match=None, **body):
        self.number += 1
        headers = {"If-Match": f'"{match}"'} if match is not None else None
        return self.server.ask("POST", f"{self.path}/{what}", {"request": f"say{self.number}", **body}, expect, headers, self.token).json()


class Folder:
    """A folder for one test, with the tiny pool in it. Use it in a `with`."""

    def __init__(self, program):
        self.path = tempfile.mkdtemp(prefix="inkling-serve-")
        documents = os.path.join(ROOT, "datasets", "tiny", "documents.jsonl")
        tool(program, "build", documents, "--keep-text", "--stop-words", "english", "--out", "tiny", cwd=self.path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)

    def tokens_of(self, program, *names):
        """Adds these users to the file "users", and returns their tokens."""
        return {name: tool(program, "serve", "--users", "users", "--add-user", name, cwd=self.path).strip() for name in names}


def rows_of(path, query, values=()):
    """What Python's own sqlite3 reads in a file of searches."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return database.execute(query, values).fetchall()
    finally:
        database.close()


def quoted(text):
    return urllib.parse.quote(text, safe="")


def run(main):
    """Runs a test. Returns exit code 0, or 1 after printing the failed check."""
    try:
        main()
    except Wrong as wrong:
        print(f"FAIL: {wrong}")
        raise SystemExit(1) from None
    raise SystemExit(0)
