#!/usr/bin/env python3
"""refusals.py PROGRAM: every refusal that openapi.json names is given, at every address of it, and changes nothing.

400 an invalid address, 401 no valid token or cookie, 403 another host, 404 an unknown name, 409 a search whose pool is not
served, 413 a body that is too long, 415 a body of another type, 422 an invalid body. 410 and 503 are tested by
search_walk.py and disk_faults.py, 429 by http_server_test.cpp.
"""

import http.client
import os
import sys

from served import PREFIX, ROOT, Folder, Response, Server, demand, run, tool

ELSEWHERE = {"410", "429", "503"}


class Asker:
    """Sends an address requests that must be refused, with one method."""

    def __init__(self, server, method, template, operation, sessions):
        self.server, self.method, self.template, self.operation = server, method.upper(), template, operation
        self.session, self.unserved = sessions
        body = operation.get("requestBody")
        self.type = next(iter(body["content"])) if body else None

    def parameters(self):
        return [self.server.api.resolve(one) for one in self.operation.get("parameters", [])]

    def target(self, session=None, pool="tiny", number="0", query=""):
        path = self.template.replace("{session}", session or self.session).replace("{pool}", pool)
        path = path.replace("{document}", number).replace("{feature}", number).replace("{pair}", "none").replace("{user}", "none")
        needed = "".join(f"&{one['name']}=tiny" for one in self.parameters()
                         if one.get("required") and one["in"] == "query" and one["name"] not in query)
        return path + "?" + (query + needed).lstrip("&") if query or needed else path

    def send(self, target, body=None, headers=None, known=True):
        sent = {"Authorization": f"Bearer {self.server.token}"} if known else {}
        if self.type:
            body = b"{}" if body is None else body
            sent["Content-Type"] = self.type
        response = self.server.raw(self.method, target, body, {**sent, **(headers or {})})
        self.server.api.check(self.method, target, response)
        return response

    def refuse_400(self):
        return self.send(self.target(query="x=1&x=2"))

    def refuse_401(self):
        if self.template.endswith("/login"):
            return self.send(self.target(), b'{"token":"nobody\'s"}')
        return self.send(self.target(), known=False)

    def refuse_403(self):
        return self.send(self.target(), headers={"Host": "evil.example"})

    def refuse_404(self):
        if "{user}" in self.template:
            return None  # where there are users: let_in.py
        if "{pair}" in self.template:
            return self.send(self.target())
        if "{session}" in self.template:
            return self.send(self.target(session="none"))
        if "{pool}" in self.template:
            return self.send(self.target(pool="none"))
        if self.template.endswith("/import"):
            return self.send(self.target(query="pool=none"), b"")
        return self.send(self.target(), b'{"name":"n","pool":"none"}')

    def refuse_409(self):
        if self.template.endswith("/close") or "{pair}" in self.template or (self.method == "DELETE" and "{pool}" in self.template):
            return None  # closing needs no pool; pairs are tested by blind_pair.py, pools that are brought by search_walk.py
        return self.send(self.target(session=self.unserved), b'{"name":"dan"}' if self.template.endswith("/users") else None)

    def refuse_413(self):
        longer = {"/import": "70000000", "/pools": "270000000"}.get("/" + self.template.rsplit("/", 1)[1])
        if longer is None:
            return self.send(self.target(), b" " * 70_000)
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:  # the header with the length is enough
            connection.putrequest(self.method, self.target())
            for name, value in (("Authorization", f"Bearer {self.server.token}"), ("Content-Type", self.type), ("Content-Length", longer)):
                connection.putheader(name, value)
            connection.endheaders()
            return Response(connection.getresponse())
        finally:
            connection.close()

    def refuse_415(self):
        return self.send(self.target(), headers={"Content-Type": "application/x-www-form-urlencoded"})

    def refuse_422(self):
        if self.type:
            return self.send(self.target(), b'{"' if self.type == "application/json" else b"{\n")
        if self.method == "DELETE" and "{pool}" not in self.template:
            return self.send(self.target(query="request="))
        if self.template.endswith("/asked"):
            return self.send(self.target(query="text=" + "x" * 10_001))
        optional = [one["name"] for one in self.parameters() if one["in"] == "query"]
        query = next((f"{name}=x" for name in optional if name in ("limit", "top", "after", "format", "as")), "")
        return self.send(self.target(query=query))

    def refuse_431(self):
        return self.send(self.target(), headers={"X-Long": "x" * 16_384})


def served_and_not(program, folder):
    """The ids of two searches in one file: the pool of the first will be served, that of the second will not."""
    documents = os.path.join(ROOT, "datasets", "tiny", "documents.jsonl")
    tool(program, "build", documents, "--out", "other", cwd=folder.path)
    with Server(program, "tiny", "other", "--searches", "r.search", cwd=folder.path) as server:
        made = [server.ask("POST", "/sessions", {"name": "n", "pool": pool}).json() for pool in ("tiny", "other")]
        demand([one["pool"] for one in made] == ["tiny", "other"], "each search has its pool")
        return [one["session"] for one in made]


def main():
    program, given = sys.argv[1], 0
    with Folder(program) as folder:
        sessions = served_and_not(program, folder)
        with Server(program, "tiny", "--searches", "r.search", cwd=folder.path) as server:
            before = server.ask("GET", "/sessions").json()
            for template, operations in server.api.api["paths"].items():
                for method, operation in operations.items():
                    asker = Asker(server, method, template, operation, sessions)
                    for status in sorted(operation["responses"]):
                        if status.startswith("2") or status in ELSEWHERE:
                            continue
                        response = getattr(asker, f"refuse_{status}")()
                        if response is None:
                            continue
                        demand(response.status == int(status), f"{method} {template}: {response.status}, expected {status}: {response.body!r}")
                        problem = response.json()
                        demand(problem["status"] == int(status) and problem["detail"], f"{method} {template}: {problem}")
                        given += 1
            after = server.ask("GET", "/sessions").json()
            demand(after == before, f"refusals change nothing: {before} became {after}")
            demand(after["sessions"][0]["pool"] is None, "the pool that is not served is null")
    print(f"{given} refusals, each as openapi.json says, and nothing changed")


if __name__ == "__main__":
    run(main)
