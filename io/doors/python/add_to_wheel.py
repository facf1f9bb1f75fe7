"""add_to_wheel.py WHEEL ROOT FOLDER OUT: a copy of the wheel in OUT that also holds the files below ROOT/FOLDER.

Without CHOLMOD inside, nothing of the wheel is under the GPL: Inkling is under the Apache License then, and the libraries
inside are under licences that ask for no more than their text, which the wheel holds. Where libarchive is inside as a
shared library, it brings two that are under the LGPL (acl and nettle).
"""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

WITHOUT_CHOLMOD = b"Apache-2.0 AND BSD-2-Clause AND BSD-3-Clause AND BSL-1.0 AND ICU AND MIT AND Zlib AND bzip2-1.0.6"
OF_SHARED_ARCHIVE = b" AND LGPL-2.1-or-later AND LGPL-3.0-or-later"


def main(wheel: Path, root: Path, folder: str, out: Path) -> None:
    with zipfile.ZipFile(wheel) as old:
        files = {
            name: (old.read(name), old.getinfo(name).external_attr)
            for name in old.namelist()
            if name[-1] != "/"
        }
    for path in sorted((root / folder).iterdir()):
        files[f"{folder}/{path.name}"] = (path.read_bytes(), 0o644 << 16)
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    metadata = record.removesuffix("RECORD") + "METADATA"
    if not any("libcholmod" in name for name in files):
        has_archive = any("libarchive" in name and ".libs/" in name for name in files)
        licence = WITHOUT_CHOLMOD + (OF_SHARED_ARCHIVE if has_archive else b"")
        text = files[metadata][0].replace(
            b"License-Expression: GPL-3.0-or-later", b"License-Expression: " + licence
        )
        files[metadata] = (text, files[metadata][1])
    lines = []
    for name, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},," if name == record else f"{name},sha256={digest},{len(content)}")
    files[record] = ("\n".join(lines).encode() + b"\n", files[record][1])
    with zipfile.ZipFile(out / wheel.name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name, (content, attributes) in files.items():
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.external_attr = attributes
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, content, compresslevel=9)
    print(out / wheel.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
