"""bill.py VERSION PROGRAM...: the bill of materials of these programs and modules, as JSON of CycloneDX on standard output."""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

from libraries import Library, libraries_of


def component(library: Library) -> dict[str, object]:
    properties = [{"name": "inkling:file", "value": library.file or "compiled in"}]
    system = platform.freedesktop_os_release()["ID"]
    where = (
        f"pkg:deb/{system}/{library.package}@{library.version}"
        if library.package
        else f"pkg:pypi/{library.name}@{library.version}"
    )
    return {
        "type": "library",
        "bom-ref": f"{library.name}@{library.version}",
        "name": library.name,
        "version": library.version,
        "licenses": [{"expression": library.licence}],
        "purl": where.replace("+", "%2B")
        .replace("~", "%7E")
        .replace(":", "%3A")
        .replace("pkg%3A", "pkg:", 1),
        "properties": properties,
    }


def bill(version: str, libraries: list[Library]) -> str:
    """No date and no random number: the same libraries give the same bytes."""
    free = not any(library.name == "libcholmod" for library in libraries)
    made = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": f"inkling@{version}",
                "name": "inkling",
                "version": version,
                "licenses": [{"expression": "Apache-2.0" if free else "GPL-3.0-or-later"}],
            }
        },
        "components": [component(library) for library in libraries],
        "dependencies": [
            {
                "ref": f"inkling@{version}",
                "dependsOn": sorted({f"{one.name}@{one.version}" for one in libraries}),
            }
        ],
    }
    return json.dumps(made, indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(bill(sys.argv[1], libraries_of(*map(Path, sys.argv[2:]))))
