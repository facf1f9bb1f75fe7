"""The contents of the installed wheel and of the source archive, and what a release says of the libraries in them."""

from __future__ import annotations

import json
import re
import resource
import shutil
import struct
import subprocess
import sys
import tarfile
import zlib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RELEASE = ROOT / ".ci" / "release"
PROGRAM = Path(sys.executable).parent / "inkling"
sys.path.insert(0, str(RELEASE))


def said(*command: str | Path) -> str:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_the_wheel_holds_the_program_and_is_small() -> None:
    distribution = metadata.distribution("inkling-search")
    files = {Path(str(file.locate())).resolve() for file in distribution.files or []}
    assert PROGRAM.resolve() in files
    assert said(PROGRAM, "--version") == f"inkling {distribution.version}\n"
    packed = sum(len(zlib.compress(file.read_bytes(), 6)) for file in files if file.suffix != ".pyc")
    assert 1_000_000 < packed < 12_000_000


def test_the_program_starts_without_work() -> None:
    """Pages of memory that it touches until it ends: they are the same on a busy machine, which its time is not."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    said(PROGRAM, "--version")
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before <= 1_500


def test_the_source_archive_holds_all_that_git_does() -> None:
    (archive,) = (ROOT / "build" / "sdist").glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        held = {name.split("/", 1)[1] for name in packed.getnames() if "/" in name}
    wanted = {name for name in said("git", "ls-files", "-z").split("\0") if name and (ROOT / name).exists()}
    assert len(wanted) > 500
    assert wanted - held == set()
    assert not {name for name in held if name.startswith(("build/", ".git/"))}


@pytest.mark.skipif(
    not shutil.which("dpkg-query"), reason="the bill of materials takes names and versions from dpkg"
)
def test_the_bill_of_materials_names_every_library() -> None:
    import inkling

    module = next(Path(inkling.__file__).parent.glob("_core*.so"))
    bill = json.loads(said(sys.executable, RELEASE / "bill.py", "1.2.3", PROGRAM, module))
    named = {component["properties"][0]["value"] for component in bill["components"]}
    for binary in (PROGRAM, module):
        loaded = re.findall(r"^\s(\S+) => /", said("ldd", binary), re.MULTILINE)
        assert len(loaded) > 10
        assert set(loaded) - named == set()
    assert {"libboost", "robin-map", "nanobind", "libcholmod"} <= {component["name"] for component in bill["components"]}
    for component in bill["components"]:
        assert component["version"] and component["licenses"][0]["expression"], component


def test_a_library_whose_licence_is_not_known_ends_a_release() -> None:
    from libraries import library

    with pytest.raises(SystemExit, match="the licence of libnew is not known"):
        library("libnew", "libnew.so.1", "/usr/lib/libnew.so.1")


def test_without_cholmod_nothing_of_a_wheel_is_under_the_gpl() -> None:
    from libraries import Library
    from wheel import licence_of

    def library(name: str) -> Library:
        return Library(name, f"{name}.so.1", f"/usr/lib/{name}.so.1", name, "1")

    assert licence_of([library("libnettle"), library("libfmt")]) == "Apache-2.0 AND LGPL-3.0-or-later AND MIT"
    assert licence_of([library("libcholmod"), library("libfmt")]) == "GPL-3.0-or-later"


def test_what_was_built_for_older_systems_is_named_with_its_licence(tmp_path: Path) -> None:
    from libraries import libraries_in

    table = tmp_path / "libraries"
    table.write_text("zlib 1.2.13.dfsg-1\ndoctest 2.4.9-1\nlibc++ 22.1.8\n")
    found = {one.name: one.licence for one in libraries_in(tmp_path) if one.name != "nanobind"}
    assert found == {"libz": "Zlib", "libc++": "Apache-2.0 WITH LLVM-exception"}
    table.write_text("new 1\n")
    with pytest.raises(SystemExit, match="new is not known"):
        libraries_in(tmp_path)


def archive_of_icu(tables: dict[str, bytes]) -> bytes:
    """An archive of tables as ICU has it, with nothing between the tables."""
    at, names, places, data = 4 + 8 * len(tables), b"", [], b""
    begin = at + sum(len(name) + 1 for name in tables)
    for name, table in tables.items():
        places.append(struct.pack("<II", at + len(names), begin + len(data)))
        names += name.encode() + b"\0"
        data += table
    return struct.pack("<H", 32) + bytes(30) + struct.pack("<I", len(tables)) + b"".join(places) + names + data


def tables_in(archive: bytes) -> dict[str, bytes]:
    body = archive[32:]
    (count,) = struct.unpack_from("<I", body)
    places = [struct.unpack_from("<II", body, 4 + 8 * index) for index in range(count)]
    ends = [place for _, place in places[1:]] + [len(body)]
    assert all(place % 16 == 0 for _, place in places)
    return {body[name:].split(b"\0")[0].decode(): body[place:end] for (name, place), end in zip(places, ends)}


def test_of_the_tables_of_icu_those_that_are_asked_for_are_kept() -> None:
    from lean import only_wanted

    tables = {"t/af.res": b"no", "t/big5.cnv": b"b" * 33, "t/cnvalias.icu": b"c", "t/coll/u.icu": b"n", "t/nfkc.nrm": b"n" * 5}
    kept = tables_in(only_wanted(archive_of_icu(tables)))
    assert {name: table.rstrip(b"\0") for name, table in kept.items()} == {
        name: table
        for name, table in tables.items()
        if name in ("t/big5.cnv", "t/cnvalias.icu", "t/nfkc.nrm")
    }
    assert tables_in(only_wanted(archive_of_icu({"t/af.res": b"no"}))) == {}


def test_the_program_looks_for_its_libraries_where_each_python_puts_them() -> None:
    from wheel import places_of_libraries

    of_one = places_of_libraries("cp310-cp310-manylinux_2_35_x86_64", "x.libs").split(":")
    assert of_one == [
        "$ORIGIN/../lib/python3.10/site-packages/x.libs",
        "$ORIGIN/../lib64/python3.10/site-packages/x.libs",
        "$ORIGIN/../lib/python3.10/dist-packages/x.libs",
        "$ORIGIN/../x.libs",
    ]
    of_many = places_of_libraries("cp312-abi3-manylinux_2_35_x86_64", "x.libs").split(":")
    for version in (12, 13, 14, 15):
        assert f"$ORIGIN/../lib/python3.{version}/site-packages/x.libs" in of_many
    assert "$ORIGIN/../lib/python3.11/site-packages/x.libs" not in of_many
