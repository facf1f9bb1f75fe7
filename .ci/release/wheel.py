"""wheel.py WHEEL OUT: a copy of the wheel in the folder OUT that runs where none of its libraries is installed.

auditwheel puts the libraries inside and says on which systems they run. The program stays a native one among the scripts:
auditwheel would start it by Python, which takes longer than the program. It finds the libraries from where pip puts
scripts. Licences of what is inside and the bill of materials are added, and the same input gives the same bytes.
"""

from __future__ import annotations

import base64
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
from libraries import Library, libraries_of, loaded

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


def copyright_of(package: str) -> str:
    """What Debian says of it. Of Boost only the licences: its files take 2 MB, and nothing of them need be said in a binary."""
    text = Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace")
    if not package.startswith("libboost"):
        return text
    first, *paragraphs = re.split(r"\n\n(?=\S)", text)
    return "\n\n".join([first, *(one for one in paragraphs if one.startswith(("License:", "Files: *\n")))])


def add_licences(folder: Path, libraries: list[Library]) -> None:
    """The texts of the packages whose libraries are inside, and those that they name and Debian keeps in one place."""
    folder.mkdir(parents=True)
    for package in sorted({library.package for library in libraries if library.package}):
        text = copyright_of(package)
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


def main(wheel: Path, out: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        unpack(wheel, work / "old")
        (program,) = (work / "old").glob("*.data/scripts/inkling")
        (module,) = (work / "old").glob("inkling/_core*.so")
        lean.make(loaded(program), work)
        all_libraries = libraries_of(program, module)
        environment = os.environ | {
            "LD_LIBRARY_PATH": str(work),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        repair = [
            sys.executable,
            "-m",
            "auditwheel",
            "repair",
            str(wheel),
            "--wheel-dir",
            str(work / "repaired"),
        ]
        subprocess.run(repair, check=True, env=environment)
        (repaired,) = (work / "repaired").glob("*.whl")
        new = work / "new"
        unpack(repaired, new)

        (inside,) = new.glob("*.libs")
        (info,) = new.glob("*.dist-info")
        (script,) = new.glob("*.data/scripts/inkling")
        (native,) = new.glob("*.scripts/inkling")
        native.replace(script)
        native.parent.rmdir()
        tag = repaired.stem.split("-", 2)[2]
        subprocess.run(
            ["patchelf", "--set-rpath", places_of_libraries(tag, inside.name), script],
            check=True,
            env=environment,
        )
        script.chmod(0o755)

        names = {re.sub(r"-[0-9a-f]{8}\.so.*$", "", path.name) for path in inside.iterdir()}
        bundled = [one for one in all_libraries if not one.file or one.name in names]
        add_licences(info / "licenses" / "bundled", bundled)
        metadata = info / "METADATA"
        metadata.write_text(
            re.sub(r"(?m)^(License-Expression: ).*$", rf"\g<1>{licence_of(bundled)}", metadata.read_text())
        )
        shutil.rmtree(info / "sboms", ignore_errors=True)
        (info / "sboms").mkdir()
        (info / "sboms" / "inkling.cdx.json").write_text(bill.bill(wheel.stem.split("-")[1], all_libraries))
        out.mkdir(parents=True, exist_ok=True)
        pack(new, out / repaired.name)
        print(out / repaired.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
