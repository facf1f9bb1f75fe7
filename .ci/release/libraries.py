"""The libraries that a program or module loads or holds: where each is, its Debian package, version and licence."""

from __future__ import annotations

import dataclasses
import re
import subprocess
from importlib import metadata
from pathlib import Path

GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
# Of each library that Inkling is linked with, by its name in SPDX. One that is not here ends a release.
LICENCES = {
    **dict.fromkeys(("libamd", "libcamd", "libccolamd", "libcolamd", "libsuitesparseconfig"), "BSD-3-Clause"),
    **dict.fromkeys(("libblas", "liblapack", "libopenblas"), "BSD-3-Clause"),
    **dict.fromkeys(("libgcc_s", "libgfortran", "libgomp", "libstdc++"), GCC),
    **dict.fromkeys(
        ("libc", "libm", "libacl", "libquadmath", "ld-linux-x86-64", "ld-linux-aarch64"), "LGPL-2.1-or-later"
    ),
    "libarchive": "BSD-2-Clause",
    "libboost": "BSL-1.0",
    "libboost_program_options": "BSL-1.0",
    "libbz2": "bzip2-1.0.6",
    "libc++": "Apache-2.0 WITH LLVM-exception",
    "libcholmod": "GPL-2.0-or-later AND LGPL-2.1-or-later",
    "libfmt": "MIT",
    "libicudata": "ICU",
    "libicui18n": "ICU",
    "libicuuc": "ICU",
    "liblz4": "BSD-2-Clause",
    "liblzma": "LicenseRef-Public-Domain",
    "libmetis": "Apache-2.0",
    "libnettle": "LGPL-3.0-or-later",
    "libsimdjson": "Apache-2.0",
    "libsqlite3": "blessing",
    "libtbb": "Apache-2.0",
    "libxml2": "MIT",
    "libxxhash": "BSD-2-Clause",
    "libz": "Zlib",
    "libzstd": "BSD-3-Clause",
    "nanobind": "BSD-3-Clause",
    "robin-map": "MIT",
}
# By the source package that .ci/libraries/build.sh builds them of; zig brings the last one along.
BUILT = {
    "boost1.74": "libboost",
    "bzip2": "libbz2",
    "doctest": "",  # of the tests alone
    "fmtlib": "libfmt",
    "icu": "libicuuc",
    "libarchive": "libarchive",
    "libzstd": "libzstd",
    "lz4": "liblz4",
    "nettle": "libnettle",
    "onetbb": "libtbb",
    "robin-map-dev": "robin-map",
    "simdjson": "libsimdjson",
    "sqlite3": "libsqlite3",
    "xxhash": "libxxhash",
    "xz-utils": "liblzma",
    "zlib": "libz",
    "libc++": "libc++",
}
# Compiled in, so that nothing shows them afterwards: each with a file by which its Debian package is found.
COMPILED_IN = {"libboost": "/usr/include/boost/beast.hpp", "robin-map": "/usr/include/tsl/robin_map.h"}
STATIC_ARCHIVE = "/usr/include/archive.h"  # libarchive, where no shared one is loaded


@dataclasses.dataclass(frozen=True, order=True)
class Library:
    """One library; `file` is its name where it is loaded, and empty where it is compiled in."""

    name: str
    file: str
    path: str
    package: str
    version: str

    @property
    def licence(self) -> str:
        return LICENCES[self.name]


def said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def owner_of(path: str) -> tuple[str, str]:
    """The Debian package that a file belongs to, and its version. Where /lib is a link, packages may name either."""
    tail = re.sub(r"^/usr(?=/)", "", path)
    package = said("dpkg", "-S", f"*{tail}").splitlines()[0].split(": ")[0].split(",")[0]
    return package.split(":")[0], said("dpkg-query", "--show", "--showformat=${Version}", package)


def library(name: str, file: str, path: str) -> Library:
    if name not in LICENCES:
        raise SystemExit(
            f"{path}: the licence of {name} is not known; expected it in LICENCES of {Path(__file__).name}"
        )
    return Library(name, file, path, *owner_of(path))


def loaded(program: Path) -> dict[str, str]:
    """Where each library is that the program or module loads, by the name that it is loaded by."""
    lines = re.findall(r"^\s*(?:(\S+) => )?(/\S+) \(0x", said("ldd", str(program)), re.MULTILINE)
    return {name or Path(path).name: str(Path(path).resolve()) for name, path in lines}


def libraries_of(*programs: Path) -> list[Library]:
    files = {file: path for program in programs for file, path in loaded(program).items()}
    found = [library(re.sub(r"\.so.*$", "", file), file, path) for file, path in files.items()]
    found += [library(name, "", path) for name, path in COMPILED_IN.items()]
    if not any(one.name == "libarchive" for one in found):
        found.append(library("libarchive", "", STATIC_ARCHIVE))
    if any(program.name.startswith("_core") for program in programs):
        found.append(Library("nanobind", "", "", "", metadata.version("nanobind")))
    return sorted(found)


def libraries_in(prefix: Path) -> list[Library]:
    """What .ci/libraries/build.sh has built there, and nanobind. Its list has "PACKAGE VERSION" in each line."""
    lines = [line.split() for line in (prefix / "libraries").read_text().splitlines()]
    unknown = [name for name, _ in lines if name not in BUILT]
    if unknown:
        raise SystemExit(
            f"{prefix}/libraries: {unknown[0]} is not known; expected it in BUILT of {Path(__file__).name}"
        )
    found = [Library(BUILT[name], "", "", name, version) for name, version in lines if BUILT[name]]
    return sorted([*found, Library("nanobind", "", "", "", metadata.version("nanobind"))])
