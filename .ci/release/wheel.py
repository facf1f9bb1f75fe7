"""wheel.py WHEEL OUT [PREFIX]: a copy of the wheel in the folder OUT that runs where none of its libraries is installed.

auditwheel puts the libraries inside and says on which systems they run. The program stays a native one among the scripts:
auditwheel would start it by Python, which takes longer than the program. It finds the libraries from where pip puts
scripts. Licences of what is inside and the bill of materials are added, and the same input gives the same bytes.

With PREFIX, where .ci/libraries/build.sh has put them, all libraries are within the program and the module already.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import bill
import lean
from libraries import Library, libraries_in, libraries_of, loaded

LATEST_PYTHON = 24  # of those for which a wheel of the stable ABI looks for its libraries: a version a year
COMMON_LICENCES = Path("/usr/share/common-licenses")


def unpack(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        for info in packed.infolist():
            path = Path(packed.extract(info, folder))
            if not info.is_dir():
                path.chmod(info.external_attr >> 16 & 0o777 or 0o644)


def pack(folder: Path, wheel: Path) -> None:
    """Files in order, with one date, and their digests in RECORD."""
    record = next(folder.glob("*.dist-info/RECORD"))
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != record)
    lines = []
    for path in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{path.relative_to(folder)},sha256={digest},{path.stat().st_size}\n")
    record.write_text("".join(lines) + f"{record.relative_to(folder)},,\n")
    date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in [*files, record]:
            info = zipfile.ZipInfo(str(path.relative_to(folder)), date)
            info.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, path.read_bytes(), compresslevel=9)


def places_of_libraries(tag: str, libraries: str) -> str:
    """Where the folder of libraries is, as seen from the scripts: in the layouts of Python, Debian's and `pip --target`."""
    first = int(re.match(r"cp3(\d+)-", tag)[1])
    versions = range(first, LATEST_PYTHON + 1) if "-abi3-" in tag else [first]
    layouts = [("lib", "site-packages"), ("lib64", "site-packages"), ("lib", "dist-packages")]
    places = [
        f"$ORIGIN/../{lib}/python3.{version}/{site}/{libraries}"
        for version in versions
        for lib, site in layouts
    ]
    return ":".join([*places, f"$ORIGIN/../{libraries}"])


def copyright_of(package: str, prefix: Path | None) -> str:
    """What Debian says of it. Of Boost only the licences: its files take 2 MB, and nothing of them need be said in a binary."""
    path = prefix / "licences" / f"{package}.txt" if prefix else Path(f"/usr/share/doc/{package}/copyright")
    text = path.read_text(errors="replace")
    if "boost" not in package:
        return text
    first, *paragraphs = re.split(r"\n\n(?=\S)", text)
    return "\n\n".join([first, *(one for one in paragraphs if one.startswith(("License:", "Files: *\n")))])


def add_licences(folder: Path, libraries: list[Library], prefix: Path | None) -> None:
    """The texts of the packages whose libraries are inside, and those that they name and Debian keeps in one place."""
    folder.mkdir(parents=True)
    for package in sorted({library.package for library in libraries if library.package}):
        text = copyright_of(package, prefix)
        if all(text != path.read_text() for path in folder.iterdir()):  # packages of one source have the same
            (folder / f"{package}.txt").write_text(text)
    texts = "".join(path.read_text(errors="replace") for path in folder.iterdir())
    for name in sorted(set(re.findall(rf"{COMMON_LICENCES}/((?:L?GPL|Apache)-[\d.]*\d)", texts))):
        shutil.copyfile(COMMON_LICENCES / name, folder / f"{name}.txt")


def licence_of(libraries: list[Library]) -> str:
    """Without CHOLMOD inside, nothing of a wheel is under the GPL: Inkling is under the Apache License then."""
    if any(library.name == "libcholmod" for library in libraries):
        return "GPL-3.0-or-later"
    return " AND ".join(sorted({"Apache-2.0"} | {library.licence for library in libraries}))


@dataclasses.dataclass(frozen=True)
class Contents:
    """A wheel as a folder, on which systems it runs, and its libraries: those inside, and with those that systems have."""

    folder: Path
    tag: str
    inside: list[Library]
    all: list[Library]


def with_libraries(wheel: Path, work: Path) -> Contents:
    """As auditwheel makes it; the program finds the libraries, too."""
    (program,) = (work / "old").glob("*.data/scripts/inkling")
    (module,) = (work / "old").glob("inkling/_core*.so")
    lean.make(loaded(program), work)
    libraries = libraries_of(program, module)
    environment = os.environ | {
        "LD_LIBRARY_PATH": str(work),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    repair = [sys.executable, "-m", "auditwheel", "repair", str(wheel), "--wheel-dir", str(work / "repaired")]
    subprocess.run(repair, check=True, env=environment)
    (repaired,) = (work / "repaired").glob("*.whl")
    new = work / "new"
    unpack(repaired, new)

    (inside,) = new.glob("*.libs")
    (script,) = new.glob("*.data/scripts/inkling")
    (native,) = new.glob("*.scripts/inkling")
    native.replace(script)
    native.parent.rmdir()
    tag = repaired.stem.split("-", 2)[2]
    places = places_of_libraries(tag, inside.name)
    subprocess.run(["patchelf", "--set-rpath", places, script], check=True, env=environment)
    names = {re.sub(r"-[0-9a-f]{8}\.so.*$", "", path.name) for path in inside.iterdir()}
    return Contents(new, tag, [one for one in libraries if not one.file or one.name in names], libraries)


def as_it_is(wheel: Path, work: Path, prefix: Path) -> Contents:
    """Only the tag changes, to what auditwheel finds."""
    show = [sys.executable, "-m", "auditwheel", "show", str(wheel)]
    found = subprocess.run(show, check=True, capture_output=True, text=True).stdout
    platform = re.search(r'"(manylinux_\w+)"', found)
    if platform is None:
        raise SystemExit(f"{wheel}: expected one that runs on other systems; auditwheel says: {found}")
    tag = re.sub(r"[^-]+$", platform[1], wheel.stem.split("-", 2)[2])
    (about,) = (work / "old").glob("*.dist-info/WHEEL")
    about.write_text(re.sub(r"(?m)^Tag: .*$", f"Tag: {tag}", about.read_text()))
    libraries = libraries_in(prefix)
    return Contents(work / "old", tag, libraries, libraries)


def main(wheel: Path, out: Path, prefix: Path | None) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        unpack(wheel, work / "old")
        made = as_it_is(wheel, work, prefix) if prefix else with_libraries(wheel, work)
        (script,) = made.folder.glob("*.data/scripts/inkling")
        script.chmod(0o755)
        (info,) = made.folder.glob("*.dist-info")
        add_licences(info / "licenses" / "bundled", made.inside, prefix)
        metadata = info / "METADATA"
        metadata.write_text(
            re.sub(r"(?m)^(License-Expression: ).*$", rf"\g<1>{licence_of(made.inside)}", metadata.read_text())
        )
        name, version = wheel.stem.split("-")[:2]
        shutil.rmtree(info / "sboms", ignore_errors=True)
        (info / "sboms").mkdir()
        (info / "sboms" / "inkling.cdx.json").write_text(bill.bill(version, made.all))
        out.mkdir(parents=True, exist_ok=True)
        packed = out / f"{name}-{version}-{made.tag}.whl"
        pack(made.folder, packed)
        print(packed)


if __name__ == "__main__":
    wheel, out, *prefix = (Path(argument).resolve() for argument in sys.argv[1:])
    main(wheel, out, prefix[0] if prefix else None)
