#!/usr/bin/env python3
"""page_commands.py PROGRAM PAGE: runs every block of commands of a page, in order and as it stands there, on an export that is
made for it, and looks at what the commands wrote.

A command that reads answers gets some: it rates what it is shown. A server is asked whether it is there, and ended. It fails where a
command fails, where a command of the page writes no file, or where the files do not hold what was said. Before that, each
command is broken once, which it must see.
"""

import csv
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

TOPICS = ["insulin lowers glucose in adults", "statins and the heart", "sleep of children", "glucose after meals"]
RECORDS = 24


def write_export(folder):
    """As PubMed writes it (its help, "Save": the format PubMed)."""
    with open(os.path.join(folder, "export.nbib"), "w", encoding="utf-8") as file:
        for n in range(RECORDS):
            topic = TOPICS[n % len(TOPICS)]
            file.write(f"PMID- {1000 + n}\nOWN - NLM\nTI  - Study {n} of {topic.split()[0]},\n      and more.\nAB  - BACKGROUND: {topic}.\n"
                       f"      RESULTS: group {n}.\nFAU - Núñez, José\nAU  - Nunez J\nDP  - {2000 + n} May\nTA  - J X\n"
                       f"AID - 10.1000/{n} [doi]\nOT  - trial\n\n")


def blocks_of(page):
    with open(page, encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    return [command for block in blocks for command in block.splitlines() if command]


def serve(command, folder, environment):
    """Waits for the address that it prints, asks there, and ends it as Ctrl-C does."""
    process = subprocess.Popen(["bash", "-c", "exec " + command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        said = ""
        for line in process.stdout:
            said += line
            address = re.search(r"http://\S+", line)
            if address:
                base = re.match(r"http://[^/?#\s]+", address.group()).group()
                with urllib.request.urlopen(base + "/healthz", timeout=20) as answer:
                    assert answer.status == 200, f"{command}: status {answer.status}"
                break
        else:
            raise AssertionError(f"{command}: printed no address:\n{said}")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


def answers():
    """Good are the documents with the word glucose in them, as the export has them."""
    lines = []
    for n in range(RECORDS // 2):
        good = "glucose" in TOPICS[n % len(TOPICS)]
        words = ', "words": ["glucose"]' if good else ""
        lines.append(f'{{"rate": {int(good)}, "document": "{1000 + n}"{words}, "note": "seen, by {n}"}}\n')
    return "".join(lines)


def run(command, folder, environment):
    if command.startswith("inkling serve "):
        return serve(command, folder, environment)
    reads = command.startswith("inkling search ") and "--out" not in command and "--rated-by" not in command
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=environment, input=answers() if reads else "",
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{command}: ended with {done.returncode}:\n{done.stderr}"
    assert not reads or '"error"' not in done.stdout, f"{command}: {done.stdout}"
    written = re.search(r"--out (\S+)", command)
    if written:
        path = os.path.join(folder, written.group(1))
        assert os.path.getsize(path) > 0, f"{command}: wrote nothing"
    return None


def rows_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def check_files(folder):
    work = rows_of(folder, "work.csv")
    assert len(work) == RECORDS // 2, f"work.csv has {len(work)} rows"
    assert work["1000"]["included"] == "1" and work["1000"]["words_for"] == "glucose", work["1000"]
    assert work["1001"]["included"] == "0" and work["1001"]["note"] == "seen, by 1", work["1001"]
    assert work["1000"]["title"] == "Study 0 of insulin, and more." and work["1000"]["doi"] == "10.1000/0", work["1000"]
    assert len(rows_of(folder, "unread.csv")) == RECORDS - len(work)
    with open(os.path.join(folder, "good.ris"), encoding="utf-8") as file:
        assert file.read().count("ASReview_relevant") == RECORDS // 4
    checked = rows_of(folder, "checked.csv")
    assert {key: row["included"] for key, row in checked.items()} == {key: row["included"] for key, row in work.items()}
    assert all(checked[key][name] == work[key][name] for key in work for name in ("title", "authors", "year", "abstract"))
    assert len(rows_of(folder, "colleague.csv")) == RECORDS // 2


def run_page(commands, inkling):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(inkling, os.path.join(folder, "inkling"))
        environment = {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"], "XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder}
        write_export(folder)
        for command in commands:
            broken = re.sub(r"^inkling (\S+)", r"inkling \1 --no-such-option", command)
            try:
                run(broken, folder, environment)
            except AssertionError:
                run(command, folder, environment)
            else:
                raise AssertionError(f"the test does not see that this command is broken: {broken}")
        check_files(folder)


def main():
    inkling, page = os.path.abspath(sys.argv[1]), sys.argv[2]
    commands = blocks_of(page)
    assert len(commands) >= 10 and all(command.startswith("inkling ") for command in commands), commands
    run_page(commands, inkling)
    print(f"{len(commands)} commands of {os.path.basename(page)} do what it says")


if __name__ == "__main__":
    main()
