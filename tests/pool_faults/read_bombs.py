#!/usr/bin/env python3
"""read_bombs.py PROGRAM [--short] [--python PYTHON]: files that make a careless reader take much time or memory are read or refused in bounds.

Gives each of the files of `tests/support/bombs.py` to `inkling build`, with bad records refused and left out, to `inkling add`, and
to the package of Python. Each must end with an exit code of its own, within 10 seconds of the processor, in at most --memory and 256 MB. With --short one file
in twelve is given, to `build` alone. Prints the slowest and the largest ones. The exit code is 1 if a promise is broken.
"""

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))

import bombs  # noqa: E402

PATIENCE = float(os.environ.get("INKLING_PATIENCE", "1"))
SECONDS, MEMORY, BESIDE = int(10 * PATIENCE), 512 << 20, 256 << 20
ENDS = (0, 2, 3)  # done, a wrong option, a wrong input


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def given(arguments):
    """Runs the program. Returns its exit code or signal, its seconds of the processor, its peak memory, and its message."""
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          preexec_fn=limited) as process:
        message = process.stderr.read().decode("utf-8", "replace")
        _, status, use = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, use.ru_utime + use.ru_stime, use.ru_maxrss << 10, message


OF_PYTHON = """
import sys, inkling
try:
    inkling.Pool.from_files(sys.argv[1], format=sys.argv[2], memory=int(sys.argv[3]))
except (ValueError, OSError, MemoryError):
    sys.exit(3)
"""


def ways(program, python, folder, path, form, is_short):
    build = [program, "build", path, "--format", form, "--memory", str(MEMORY), "--force"]
    is_matrix = form in ("svmlight", "mtx")
    yield "build", build + ([] if is_matrix else ["--strict"]) + ["--out", os.path.join(folder, "pool")]
    if is_short:
        return
    yield "build, bad records left out", build + (["--skip-bad"] if is_matrix else []) + ["--allow-empty", "--out", os.path.join(folder, "pool")]
    if not is_matrix:
        if python:
            yield "Python", [*python, "-c", OF_PYTHON, path, form, str(MEMORY)]
        yield "add", [program, "add", os.path.join(folder, "base"), path, "--format", form, "--memory", str(MEMORY)]


def check(program, python, is_short):
    found, worst = [], []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "texts.txt"), "w", encoding="utf-8") as file:
            file.write("soil water\nwater plants\n" * 5)
        base = [program, "build", os.path.join(folder, "texts.txt"), "--format", "lines", "--keep-text", "--out"]
        for number, (name, content) in enumerate(bombs.bombs()):
            if is_short and number % 12 != 0:
                continue
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(content)
            subprocess.run(base + [os.path.join(folder, "base"), "--force"], check=True, capture_output=True)
            for way, arguments in ways(program, python, folder, path, bombs.format_of(name), is_short):
                code, seconds, memory, message = given(arguments)
                worst.append((seconds, memory, name, way))
                if code not in ENDS or seconds > SECONDS or memory > MEMORY + BESIDE:
                    found.append(f"{name}, {way}: exit code {code}, {seconds:.1f} s, {memory >> 20} MB: {message[-200:]}")
                    print(found[-1], flush=True)
            os.remove(path)
    print(f"{len(worst)} runs, {len(found)} broke a promise")
    for place in (0, 1):
        for seconds, memory, name, way in sorted(worst, key=lambda one: one[place])[-4:]:
            print(f"  {name}, {way}: {seconds:.1f} s, {memory >> 20} MB")
    return 1 if found else 0


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("program")
    words.add_argument("--short", action="store_true")
    words.add_argument("--python", type=shlex.split, help="the words of a command that knows the package")
    chosen = words.parse_args()
    sys.exit(check(chosen.program, chosen.python, chosen.short))
