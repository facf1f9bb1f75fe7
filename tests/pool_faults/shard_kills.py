#!/usr/bin/env python3
"""shard_kills.py PROGRAM [--short]: kills the steps of a build in parts at random moments, and runs some of them twice.

A corpus is planned, counted, merged, built and joined once without a fault. Then a driver does the same again and again in
new folders. Every step may be killed (kill -9) at any moment and is then run again, as a scheduler of jobs does; some steps
run twice at the same time. Each time all outputs must be the same as those of the first run, byte for byte, and nothing else
may be left. Prints how many steps were killed. The exit code is 1 if a promise is broken.
"""

import filecmp
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

PARTS = 3
WORDS = [f"word{n}" for n in range(3000)]


class Broken(Exception):
    """A promise that does not hold."""


def write_corpus(path, chance):
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,text,label\n")
        for number in range(6000):
            words = " ".join(chance.choices(WORDS, k=chance.randrange(30)))
            file.write(f'{number},"{words}\nand ""quoted""",{number % 7}\n')


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(root, name), folder) for root, _, names in os.walk(folder) for name in names)


class Build:
    """One build in parts, in a folder of its own, whose name is the same for all: so that sets are, too."""

    def __init__(self, program, folder, corpus, kills):
        self.program, self.folder, self.corpus, self.kills = program, folder, corpus, kills
        self.killed = self.twice = self.found = 0
        self.longest = {}  # seconds that a step of each kind took, at most

    def start(self, arguments):
        return subprocess.Popen([self.program, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def finish(self, process, arguments):
        error = process.communicate(timeout=120)[1].decode(errors="replace")
        self.found += "stands already" in error
        if process.returncode not in (0, -9):
            raise Broken(f"inkling {' '.join(arguments)}: exit code {process.returncode}: {error}")
        return process.returncode == 0

    def step(self, *arguments):
        """Runs a step until it ends by itself."""
        chance, kind = self.kills, arguments[1]
        while True:
            begin = time.monotonic()
            runs = [self.start(arguments)]
            if chance and chance.random() < 0.2:
                runs.append(self.start(arguments))
                self.twice += 1
            if chance and chance.random() < 0.6:
                time.sleep(chance.uniform(0, 1.1 * self.longest.get(kind, 0.05)))
                runs[0].kill()
            ended = [self.finish(run, arguments) for run in runs]
            self.killed += ended.count(False)
            if any(ended):
                self.longest[kind] = max(self.longest.get(kind, 0), time.monotonic() - begin)
            if all(ended):
                return

    def run(self):
        self.step("parts", "plan", self.corpus, "--parts", str(PARTS), "--keep-text", "--min-df", "2", "--max-features", "2000",
                  "--out", "plan.json")
        parts = [str(part) for part in range(PARTS)]
        for part in parts:
            # One thread, so that terms are numbered alike in all rows that are kept.
            self.step("parts", "count", "plan.json", "--part", part, "--keep-rows", "--threads", "1", "--out", "counts" + part)
        self.step("parts", "merge", "counts2", "counts0", "--out", "counts20")
        self.step("parts", "merge", "counts1", "counts20", "--out", "all")
        for part in parts:
            rows = ["--rows", "counts" + part] if part != "1" else []
            self.step("parts", "build", "plan.json", "--part", part, "--counts", "all", *rows, "--out", "shard" + part)
        self.step("parts", "join", *("shard" + part for part in parts), "--out", "set.json")


def compare(expected, found):
    if files_below(expected) != files_below(found):
        raise Broken(f"other files: {set(files_below(expected)) ^ set(files_below(found))}")
    different = filecmp.cmpfiles(expected, found, files_below(expected), shallow=False)[1:]
    if any(different):
        raise Broken(f"other bytes: {different}")


def main():
    os.environ["XDG_CACHE_HOME"] = os.devnull  # no record that a pool was checked is read or kept
    program = os.path.abspath(sys.argv[1])
    rounds = 4 if "--short" in sys.argv[2:] else 40
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    place = tempfile.mkdtemp(prefix="inkling-shards-")
    killed = twice = found = 0
    try:
        corpus = os.path.join(place, "corpus.csv")
        write_corpus(corpus, random.Random(7))
        expected, tried = os.path.join(place, "expected"), os.path.join(place, "tried")
        os.mkdir(expected)
        first = Build(program, expected, corpus, None)
        first.run()
        longest = {}
        for number in range(rounds):
            os.mkdir(tried)
            build = Build(program, tried, corpus, chance)
            build.longest = longest
            build.run()
            compare(expected, tried)
            shutil.rmtree(tried)
            killed, twice, found = killed + build.killed, twice + build.twice, found + build.found
    except Broken as broken:
        print(f"FAIL (seed {seed}): {broken}")
        return 1
    finally:
        shutil.rmtree(place)
    print(f"{rounds} builds in parts: {killed} steps killed, {twice} run twice at once, {found} found their output; "
          "all bytes the same")
    return 0 if killed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
