#!/usr/bin/env python3
"""paths.py WINDOWS WINE: paths, files in use and consoles as they are on Windows.

WINDOWS is what starts the program here, WINE starts any other. Drive letters, backslashes, blanks, letters that no code page of Western
Europe has, 440 letters, a file that another program writes, line ends of Windows, and a console in code page 1252.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "serve"))
from served import Server, demand, run, tool  # noqa: E402

RECORDS = b"id,text\r\nx,a bean and a rose\r\ny,a rose\r\n"
NAMES = ["plain", "Eigene Dateien", "Übersicht (größer)", "данные", "資料", "a" * 120, "b" * 120, "c" * 120]


def on_drive(path):
    return "Z:" + path.replace("/", "\\")


def check_places(program, folder):
    """A pool, a search and an export in places with such names, given as Windows writes them."""
    deep = folder
    for name in NAMES:
        deep = os.path.join(deep, name)
        os.mkdir(deep)
        with open(os.path.join(deep, f"{name}.csv"), "wb") as file:
            file.write(RECORDS)
        source, pool = on_drive(os.path.join(deep, f"{name}.csv")), on_drive(os.path.join(deep, "pool"))
        tool(program, "build", source, "--keep-text", "--out", pool, cwd=folder)
        facts = json.loads(tool(program, "info", pool, "--json", cwd=folder))
        demand(facts["documents"] == 2, f"the pool in {pool}: {facts}")
        os.mkdir(os.path.join(deep, "texts"))
        with open(os.path.join(deep, "texts", "one.txt"), "wb") as file:
            file.write(b"a bean")
        tool(program, "build", on_drive(os.path.join(deep, "texts")), "--force", "--out", "of texts", cwd=folder)
        demand(json.loads(tool(program, "info", "of texts", "--json", cwd=folder))["documents"] == 1, f"a folder of texts in {deep}")
        said = tool(program, "search", pool, "--searches", on_drive(os.path.join(deep, "kept")), "--json", "--words", "bean", cwd=folder,
                    given=b'{"rate":1}\n{"rate":0,"document":"y"}\n')
        demand(len(said.splitlines()) == 2 and "error" not in said, f"a search in {deep}: {said}")
        tool(program, "sessions", "--searches", on_drive(os.path.join(deep, "kept")), "--write", "work", "--out",
             on_drive(os.path.join(deep, "out.csv")), cwd=folder)
        with open(os.path.join(deep, "out.csv"), encoding="utf-8-sig", newline="") as file:
            demand("a bean and a rose" in file.read(), "what was said is written")
        beside = sorted(name for name in os.listdir(deep) if name not in NAMES)
        kept = [name for name in beside if not name.endswith(".csv") and not name.startswith("kept")]
        demand(kept == ["pool", "texts"], f"nothing else is left: {kept}")
    return deep


def check_relative(program, folder):
    """Backslashes in paths from here, a drive of its own, and names that the page shows."""
    os.makedirs(os.path.join(folder, "in", "here"))
    with open(os.path.join(folder, "in", "here", "two.csv"), "wb") as file:
        file.write(RECORDS)
    tool(program, "build", "in\\here\\two.csv", "--out", ".\\in\\here\\two pool", "--keep-text", cwd=folder)
    with Server(program, "in\\here\\two pool", "--searches", "in\\here\\kept", cwd=folder) as server:
        names = [pool["pool"] for pool in server.ask("GET", "/pools").json()["pools"]]
        brought = server.ask("POST", "/pools?name=late.csv", RECORDS, headers={"Content-Type": "application/octet-stream"}).json()["pool"]
        demand(names == ["two_pool"] and brought == "late.csv.pool", f"pools are called {names} and {brought}")
        server.process.kill()


def check_in_use(program, wine, folder):
    """A table that another program writes is left alone, and the message names it; then it is written."""
    out = os.path.join(folder, "held.csv")
    search = ("sessions", "--searches", "in\\here\\kept2", "--write", "work", "--out", "held.csv")
    tool(program, "search", "in\\here\\two pool", "--searches", "in\\here\\kept2", "--json", cwd=folder, given=b'{"rate":1}\n')
    with subprocess.Popen([wine, "cmd", "/c", "pause > held.csv"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as holder:
        while not os.path.exists(out):
            demand(holder.poll() is None, "a program that holds a file")
        done = subprocess.run([os.path.abspath(program), *search], cwd=folder, capture_output=True, timeout=120, check=False)
        demand(done.returncode == 0 or b"held.csv" in done.stderr, f"what it says: {done.returncode} {done.stderr}")
        holder.communicate(b"\r\n", timeout=60)
    if done.returncode:
        tool(program, *search, cwd=folder)
    with open(out, "rb") as file:
        demand(b"bean" in file.read(), "and then it is written")


def check_console(wine, program, folder):
    """Where the console has another code page, files and pipes get UTF-8 all the same."""
    exe = os.environ["INKLING_EXE"]
    with open(os.path.join(folder, "Grüße.csv"), "wb") as file:
        file.write("id,text\r\nx,Äpfel\r\ny,Äpfel und Grüße\r\n".encode("cp1252"))
    done = subprocess.run([wine, "cmd", "/c", f"chcp 1252 >nul & {on_drive(exe)} build Grüße.csv --keep-text --out Grüße"], cwd=folder,
                          capture_output=True, timeout=120, check=False)
    demand(done.returncode == 0 and "Grüße: a pool of 2 documents" in done.stderr.decode(), f"in code page 1252: {done}")
    shown = tool(program, "show", "Grüße", "1", cwd=folder)
    demand("Äpfel und Grüße" in shown, f"its text: {shown}")


def main():
    program, wine = sys.argv[1:3]
    with tempfile.TemporaryDirectory(prefix="inkling ") as folder:
        deep = check_places(program, folder)
        check_relative(program, folder)
        check_in_use(program, wine, folder)
        check_console(wine, program, folder)
    print(f"paths of up to {len(deep)} letters, drives, backslashes, files in use, code page 1252")


if __name__ == "__main__":
    run(main)
