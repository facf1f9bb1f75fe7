#!/usr/bin/env python3
"""page_commands.py INKLING INKLING_BENCH: runs every block of commands of each page, in order and exactly as written, on files
that it makes. A block is left out if the line before it is a comment with the reason: <!-- not run: REASON -->.

A command that reads answers gets ratings of the documents that it shows. A server gets one request, and is ended. The test fails
if a command fails, if a command of the page writes no file, or if the files do not have the answers. Before that, it breaks each
command once, and must notice. For the pages of results it checks only that the programs know the options. The tests of the Python
package also use `blocks_of`.
"""

import csv
import os
import re
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "datasets" / "README.md", *sorted((ROOT / "io" / "docs").glob("*.md")),
         ROOT / "io" / "doors" / "serve" / "PROXY.md", ROOT / "io" / "parts" / "shards" / "README.md"]
CHECKED_LIST = "from_pubmed_to_a_checked_list.md"
TOPICS = ["insulin lowers glucose in adults", "statins and the heart", "sleep of children", "glucose after meals"]
RECORDS = 24
BUILD_TINY = "inkling build datasets/tiny/documents.jsonl --keep-text --out "
RATE_TINY = "printf '{\"rate\": 1, \"document\": 0}\\n{\"rate\": %s, \"document\": 1}\\n{\"rate\": 0, \"document\": 2}\\n' | inkling search build/tiny --searches "
# Files that pages use and do not make: the name, and the command that makes it.
GIVEN = {
    "build/tiny": BUILD_TINY + "build/tiny",
    "reviews": BUILD_TINY + "reviews",
    "reviews.csv": "printf 'title,abstract\\nSoil,Compost and seed\\nSea,A cold wind\\n' >reviews.csv",
    "mydata.ris": "printf 'TY  - JOUR\\nTI  - Soil and sea\\nAB  - Compost and seed.\\nER  - \\n' >mydata.ris",
    "asreview_export.csv": "printf 'title,abstract,asreview_label\\nSoil,Compost and seed,1\\nSea,A cold wind,0\\nSun,A warm day,\\nSky,A clear night,\\n' >asreview_export.csv",
    "ada.search": "mkdir -p build && { [ -e build/tiny ] || " + BUILD_TINY + "build/tiny; } && " + RATE_TINY % 0 + "ada.search",
    "bob.search": RATE_TINY % 1 + "bob.search",
    "corpus.jsonl": "cp datasets/tiny/documents.jsonl corpus.jsonl",
    "corpus": "mkdir corpus && cp datasets/tiny/documents.jsonl corpus",
}


def blocks_of(page, *languages):
    """The blocks of code of a page in these languages, except those that are not run."""
    text = Path(page).read_text(encoding="utf-8")
    blocks = re.findall(r"(^<!-- not run: \S[^\n]* -->\n)?^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for reason, language, block in blocks if language in languages and not reason]


def commands_of(page):
    lines = "".join(blocks_of(page, "", "sh")).replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def write_export(folder):
    """Writes records as PubMed does (its help, "Save": the format PubMed)."""
    with open(os.path.join(folder, "export.nbib"), "w", encoding="utf-8") as file:
        for n in range(RECORDS):
            topic = TOPICS[n % len(TOPICS)]
            file.write(f"PMID- {1000 + n}\nOWN - NLM\nTI  - Study {n} of {topic.split()[0]},\n      and more.\nAB  - BACKGROUND: {topic}.\n"
                       f"      RESULTS: group {n}.\nFAU - Núñez, José\nAU  - Nunez J\nDP  - {2000 + n} May\nTA  - J X\n"
                       f"AID - 10.1000/{n} [doi]\nOT  - trial\n\n")


def serve(command, folder, environment):
    """Starts a server, waits for its printed address, sends a request there, and ends it as Ctrl-C does."""
    command = re.sub(r"--port \d+", "--port 0", command)
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
    """Answers to half of the exported records: those with the word glucose are good."""
    lines = []
    for n in range(RECORDS // 2):
        good = "glucose" in TOPICS[n % len(TOPICS)]
        words = ', "words": ["glucose"]' if good else ""
        lines.append(f'{{"rate": {int(good)}, "document": "{1000 + n}"{words}, "note": "seen, by {n}"}}\n')
    return "".join(lines)


def run(command, folder, environment):
    if re.match(r"\S*inkling serve ", command) and "--add-user" not in command:
        return serve(command, folder, environment)
    reads = re.match(r"\S*inkling search ", command) and "--out" not in command and "--rated-by" not in command
    told = (answers() if "export.nbib" in command else '{"rate": 1}\n{"rate": 0}\n') if reads else ""
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=environment, input=told,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{command}: ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    assert not reads or '"error"' not in done.stdout, f"{command}: {done.stdout}"
    written = re.search(r"--out ([\w./-]+)(?=\s|$)", command)
    if written:
        path = os.path.join(folder, written.group(1))
        assert os.path.getsize(path) > 0, f"{command}: wrote nothing"
    return None


def rows_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def check_checked_list(folder):
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


def give(commands, folder, environment):
    """Makes the files that commands name and none of them makes."""
    text = "\n".join(commands)
    for name, made_by in GIVEN.items():
        is_named = re.search(rf"(?<![\w/.-]){re.escape(name)}(?![\w.-])", text)
        if is_named and not re.search(rf"--out {re.escape(name)}(?![\w.-])", text):
            subprocess.run(["bash", "-euo", "pipefail", "-c", made_by], cwd=folder, env=environment, check=True, capture_output=True, timeout=60)


def run_page(commands, programs, check):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "build"))
        for program in programs:
            os.symlink(program, os.path.join(folder, "build", os.path.basename(program)))
        shutil.copytree(ROOT / "datasets" / "tiny", os.path.join(folder, "datasets", "tiny"))
        environment = {**os.environ, "PATH": os.path.join(folder, "build") + os.pathsep + os.environ["PATH"],
                       "XDG_CACHE_HOME": folder, "XDG_DATA_HOME": folder}
        write_export(folder)
        give(commands, folder, environment)
        for command in commands:
            broken = re.sub(r"\b(inkling(?:-bench)? \S+)", r"\1 --no-such-option", command, count=1)
            try:
                assert broken != command
                run(broken, folder, environment)
            except AssertionError:
                run(command, folder, environment)
            else:
                raise AssertionError(f"the test does not see that this command is broken: {broken}")
        check(folder)


def check_results(page, programs):
    """Checks only that the programs know each option, because the commands of a page of results take long."""
    known, laboratory = 0, (ROOT / "bench" / "lab" / "__main__.py").read_text(encoding="utf-8")
    for line in runpy.run_path(str(ROOT / "bench" / "report" / "run_results.py"))["commands_of"](page):
        for name, command, rest in re.findall(r"\b(inkling(?:-bench)?) ([a-z]+)([^;&|]*)", line):
            program = next(program for program in programs if os.path.basename(program) == name)
            said = subprocess.run([program, "help", command, "--all"], capture_output=True, text=True, check=True, timeout=60).stdout
            for option in [*re.findall(r"--[a-z-]+", rest), "--help"]:
                assert re.search(rf"{option}\b", said), f"{page}: {name} {command} has no {option}"
                known += 1
            assert "--no-such-option" not in said
        for option in re.findall(r"--[a-z-]+", "".join(re.findall(r"\./dev (?:paper|beyond)\b([^;&|]*)", line))):
            assert re.search(rf'"(--)?{option[2:]}"', laboratory), f"{page}: the laboratory has no {option}"
            known += 1
    assert known > 5, page
    print(f"{page.relative_to(ROOT)}: {known} options that the programs know")


def main():
    programs = [os.path.abspath(program) for program in sys.argv[1:3]]
    of_pages = {page: commands_of(page) for page in PAGES}
    assert len(of_pages[ROOT / "io" / "docs" / CHECKED_LIST]) >= 10 and sum(map(bool, of_pages.values())) >= 9, of_pages
    for page, commands in of_pages.items():
        run_page(commands, programs, check_checked_list if page.name == CHECKED_LIST else lambda folder: None)
        print(f"{page.relative_to(ROOT)}: {len(commands)} commands do what it says")
    for page in sorted(ROOT.glob("bench/*/RESULTS.md")):
        check_results(page, programs)


if __name__ == "__main__":
    main()
