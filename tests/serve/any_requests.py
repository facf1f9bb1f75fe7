#!/usr/bin/env python3
"""any_requests.py PROGRAM [--examples N]: schemathesis sends requests of every kind that openapi.json allows, and many that it
does not. No answer may be an error of the server (5xx), and each must be as openapi.json says.

Only this test needs the package schemathesis, from the environment of this Python or from a virtual environment at
$INKLING_SCHEMATHESIS. If it is not installed the test is skipped (exit code 77). It cannot write JSON lines, so imports are
tested by refusals.py and tests/fuzz/serve_fuzz.cpp.
"""

import argparse
import os
import shutil
import subprocess
import sys

from served import PREFIX, Folder, Server, demand, run, tool

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance"


def schemathesis():
    """The path of schemathesis, or None if it is not installed."""
    home = os.environ.get("INKLING_SCHEMATHESIS")
    beside = os.path.join(home, "bin") if home else os.path.dirname(sys.executable)
    return shutil.which("schemathesis", path=beside + os.pathsep + os.environ.get("PATH", ""))


def send_all(server, folder, examples, parts, which):
    with open(folder.file("schemathesis.toml"), "w", encoding="utf-8") as file:
        file.write("[parameters]\n" + "".join(f'"path.{name}" = "{value}"\n' for name, value in parts.items()))
    result = subprocess.run(
        [schemathesis(), "run", f"http://127.0.0.1:{server.port}{PREFIX}/openapi.json", "--checks", CHECKS,
         "--header", f"Authorization: Bearer {server.token}", "--max-examples", str(examples), "--seed", "1",
         "--phases", "examples,coverage,fuzzing", *which, "--no-color"],
        cwd=folder.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    for line in result.stdout.decode(errors="replace").splitlines():
        print(line if len(line) <= 400 else f"{line[:300]} ... {len(line)} characters")
    demand(result.returncode == 0, "an answer is not as it must be")
    demand(server.end() == 0, "the server ends well")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--examples", type=int, default=25)
    options = parser.parse_args()
    if schemathesis() is None:
        print("skipped: schemathesis is not here (pip install schemathesis)")
        raise SystemExit(77)
    with Folder(options.program) as folder:
        with Server(options.program, "tiny", "--searches", "a.search", cwd=folder.path) as server:
            # With an existing search, requests get further than a 404.
            session = server.ask("POST", "/sessions", {"name": "n", "pool": "tiny"}).json()["session"]
            send_all(server, folder, options.examples, {"session": session, "pool": "tiny"}, ["--exclude-operation-id", "import_session", "--exclude-operation-id", "logout"])
        tokens = folder.tokens_of(options.program, "ada", "bob")
        with Server(options.program, "tiny", "--searches", "b.search", "--users", "users", cwd=folder.path, token=tokens["ada"]) as server:
            session = server.ask("POST", "/sessions", {"name": "n", "pool": "tiny"}).json()["session"]
            pair = server.ask("POST", f"/sessions/{session}/pairs", {"readers": ["ada", "bob"], "count": 3}).json()["pair"]
            names = ("share", "draw_pair", "pairs", "pair", "export_pair", "decide", "logout", "session", "sessions", "about", "next", "events")
            send_all(server, folder, options.examples, {"session": session, "pair": pair},
                     [word for name in names for word in ("--include-operation-id", name)])
        tool(options.program, "sessions", "--searches", "b.search", "--verify", cwd=folder.path)
        tool(options.program, "sessions", "--searches", "a.search", "--verify", cwd=folder.path)


if __name__ == "__main__":
    run(main)
