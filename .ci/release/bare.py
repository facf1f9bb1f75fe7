"""bare.py FILES TREES [SYSTEM...]: tries the packages of FILES in systems that hold nothing else, as root.

A system is a tree of files that debootstrap makes in the folder TREES, without a compiler; each trial has a copy of it.
In each the package is installed, and `inkling serve` of a CSV shows the first document by HTTP in less than half a minute.
A Python of $INKLING_PYTHONS is tried in the tree of Debian 12. Debian 11 has no Python that a wheel is for, but an older C library:
there the program of a wheel runs alone. It mounts file systems: start it by `unshare --mount`.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "serve"))
from served import Server, Wrong, demand  # noqa: E402

MOST_SECONDS = 30  # from the package to the first document
MOST_BYTES = {"manylinux_2_28": 16_500_000}  # whose program and module have the libraries in them, each its own
MOST_BYTES_ELSE = 12_500_000
PYTHON = ["python3", "python3-venv", "ca-certificates"]
DEBIAN = ("bookworm", "trixie", "testing", "bullseye")
OLDER = "bullseye"
UBUNTU = ("jammy", "noble")  # where $INKLING_UBUNTU_MIRROR says where they are
CYRILLIC = "\u0441\u0430\u0434 \u0438 \u043f\u043e\u0447\u0432\u0430"
GOLD = "\u9ec4\u91d1"
TEXTS = ("dig the soil", "sail the sea", "bake the bread", "mend the roof")
ROWS = [f"Garden {row},{TEXTS[row % 4]} in week {row} of the year\n" for row in range(40)]
TABLE = "title,abstract\n" + "".join(ROWS)


class Tree:
    """A copy of a system, thrown away afterwards. Use it in a `with`."""

    def __init__(self, trees: Path, system: str, *mounts: str) -> None:
        original, self.path = trees / system, trees / f"{system}-trial"
        if not (original / "ready").exists():
            remove(original)
            options = ["--variant=minbase", f"--include={','.join(PYTHON)}"]
            mirror = []
            if system in UBUNTU:  # debootstrap makes all of them like that of 2007
                options.append("--components=main,universe")
                mirror = [os.environ["INKLING_UBUNTU_MIRROR"], "gutsy"]
            run("debootstrap", *options, system, str(original), *mirror)
            (original / "ready").touch()
        remove(self.path)
        run("cp", "-a", "--reflink=auto", str(original), str(self.path))
        for name in ("/etc/resolv.conf", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt"):
            if Path(name).exists():
                shutil.copyfile(name, self.path / name[1:])
        for mount in ("/proc", *mounts):
            (self.path / mount[1:]).mkdir(parents=True, exist_ok=True)
            run("mount", "-o", "bind,ro", mount, str(self.path / mount[1:]))
        (self.path / "tmp" / "mydata.csv").write_text(TABLE, encoding="utf-8")
        (self.path / "tmp" / "letter.html").write_bytes(
            f'<html><meta charset="koi8-r"><title>{CYRILLIC}</title><p>{CYRILLIC}</html>'.encode("koi8-r")
        )
        (self.path / "tmp" / "gold.txt").write_text(f"\u4e24\u5343\u76ce\u53f8{GOLD}\n", encoding="utf-8")
        for tool in ("cc", "gcc", "g++", "cmake"):
            demand(self.run("sh", "-c", f"command -v {tool} || true") == "", f"a bare system has {tool}")

    def __enter__(self) -> Tree:
        return self

    def __exit__(self, *_: object) -> None:
        remove(self.path)

    def run(self, *command: str) -> str:
        return run("chroot", str(self.path), *command)

    def put(self, file: Path) -> str:
        shutil.copy(file, self.path / "tmp")
        return f"/tmp/{file.name}"


def run(*command: str) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    demand(done.returncode == 0, f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def remove(tree: Path) -> None:
    """First what is mounted in it, so that nothing outside of it is removed."""
    for line in reversed(Path("/proc/mounts").read_text().splitlines()):
        if line.split()[1].startswith(f"{tree}/"):
            run("umount", line.split()[1])
    shutil.rmtree(tree, ignore_errors=True)


def try_program(tree: Tree, program: str, begun: float) -> str:
    """From the file to the first document; then what a program needs of the libraries inside."""
    with Server(program, "/tmp/mydata.csv", before=("chroot", str(tree.path))) as server:
        made = server.ask(
            "POST", "/sessions", {"name": "soil", "pool": "mydata.csv.pool", "words": ["soil"]}
        ).json()
        shown = server.ask("GET", f"/sessions/{made['session']}/next").json()
        demand("Garden" in shown["document"]["title"], f"no document: {shown}")
        seconds = time.monotonic() - begun
    demand(
        seconds < MOST_SECONDS,
        f"the first document came after {seconds:.0f} s, expected fewer than {MOST_SECONDS}",
    )
    tree.run(program, "build", "/tmp/letter.html", "--keep-text", "--out", "/tmp/letters")
    demand(CYRILLIC in tree.run(program, "show", "/tmp/letters", "0"), "a page in KOI8-R is not read as such")
    tree.run(program, "build", "/tmp/gold.txt", "--tokens", "dictionary", "--out", "/tmp/gold")
    words = (tree.path / "tmp" / "gold" / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    demand(GOLD in words, f"Chinese is not cut into words: {words}")
    tree.run("ln", "-s", program, "/tmp/linked")
    tree.run("/tmp/linked", "--version")
    return f"first document after {seconds:.1f} s"


def milliseconds(tree: Tree, *command: str) -> float:
    """Of processors, the least of some runs: others may work beside this."""
    least = float("inf")
    for _ in range(7):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        tree.run(*command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return 1000 * least


def try_wheels(files: Path, trees: Path, system: str, python: str, *mounts: str) -> None:
    with Tree(trees, system, *mounts) as tree:
        version = tree.run(python, "-c", "import sys; print(*sys.version_info[:2], sep='.')").strip()
    minor = int(version.split(".")[1])
    tag = "cp312-abi3" if minor >= 12 else f"cp3{minor}-cp3{minor}"
    wheels = sorted(files.glob(f"*-{tag}-*.whl"))
    demand(len(wheels) > 0, f"there is no wheel for Python {version}")
    for wheel in wheels:
        try_wheel(wheel, trees, system, python, *mounts)


def try_wheel(wheel: Path, trees: Path, system: str, python: str, *mounts: str) -> None:
    with Tree(trees, system, *mounts) as tree:
        size, most = wheel.stat().st_size, next((most for tag, most in MOST_BYTES.items() if tag in wheel.name), MOST_BYTES_ELSE)
        demand(size <= most, f"{wheel.name}: {size} bytes, expected {most}")
        begun = time.monotonic()
        tree.run(python, "-m", "venv", "/opt/inkling")
        tree.run("/opt/inkling/bin/pip", "install", "--quiet", tree.put(wheel))
        said = try_program(tree, "/opt/inkling/bin/inkling", begun)
        code = "import inkling as ink; p = ink.Pool.from_text(['dig soil', 'cold sea']); ink.Session(p).rate(0, 1, ['soil'])"
        tree.run("/opt/inkling/bin/python", "-c", code)
        starts = milliseconds(tree, "/opt/inkling/bin/inkling", "--version") - milliseconds(tree, "/bin/true")
        python_alone = milliseconds(tree, "/opt/inkling/bin/python", "-c", "pass")
        imported, used = (
            milliseconds(tree, "/opt/inkling/bin/python", "-c", code) - python_alone
            for code in ("import inkling", "from inkling import Session")
        )
        print(
            f"{system}, {python}, {wheel.name}: {said}; --version {starts:.0f} ms, "
            f"import {imported:.0f} ms, of a session, which needs NumPy, {used:.0f} ms",
            flush=True,
        )


def try_program_alone(files: Path, trees: Path, system: str) -> None:
    """Of a wheel that asks for less than the C library of this machine."""
    for wheel in sorted(files.glob("*-cp312-abi3-manylinux_2_2*.whl")):
        with Tree(trees, system) as tree:
            begun = time.monotonic()
            with zipfile.ZipFile(wheel) as packed:
                (name,) = (one for one in packed.namelist() if one.endswith(".data/scripts/inkling"))
                program = tree.path / "usr" / "bin" / "inkling"
                program.write_bytes(packed.read(name))
            program.chmod(0o755)
            said = try_program(tree, "/usr/bin/inkling", begun)
            print(f"{system}, the program of {wheel.name} alone: {said}", flush=True)


def try_debian_package(files: Path, trees: Path, system: str) -> None:
    with Tree(trees, system) as tree:
        (package,) = files.glob("inkling_*.deb")
        begun = time.monotonic()
        tree.run("apt-get", "update", "-qq")
        tree.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", tree.put(package))
        said = try_program(tree, "/usr/bin/inkling", begun)
        tree.run("sh", "-c", "ls /usr/share/man/man1/inkling-serve.1*")
        print(f"{system}, {package.name}: {said}", flush=True)


def main() -> None:
    files, trees = (Path(argument).resolve() for argument in sys.argv[1:3])
    trees.mkdir(parents=True, exist_ok=True)
    usual = [*DEBIAN, *(UBUNTU if os.environ.get("INKLING_UBUNTU_MIRROR") else ())]
    for system in sys.argv[3:] or usual:
        if system == OLDER:
            try_program_alone(files, trees, system)
            continue
        try_wheels(files, trees, system, "python3")
        if system != "bookworm":
            continue
        try_debian_package(files, trees, system)
        for folder in filter(None, os.environ.get("INKLING_PYTHONS", "").split(":")):
            for python in sorted(Path(folder).glob("python3.1[0-9]")):
                try_wheels(files, trees, system, str(python), str(python.resolve().parents[1]))


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"FAIL: {wrong}")
