#!/usr/bin/env python3
"""troubleshooting.py: the messages that io/docs/troubleshooting.md quotes are those of the sources.

What a message fills in is `...`, a number or a name in capitals on the page; the pieces between these must be in the text of one source.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "io" / "docs" / "troubleshooting.md"
OF_THE_SYSTEM = re.compile(r": Address already in use|: Permission denied|No space left on device|, exit code \d")
FILLED_IN = re.compile(r"\.\.\.|\d+|\b[A-Z]{3,}\b|^--listen: |\(process|a PDF file|windows-1252|\"text\"")


def text_of(source):
    """A source in which the pieces of a string are one."""
    return re.sub(r'"\s*(?:R?"|fmt::format\(")', "", source.read_text(encoding="utf-8")).replace("\\\"", "\"")


def main():
    sources = [text_of(path) for ending in ("cpp", "hpp", "js") for path in sorted((ROOT / "io").rglob("*." + ending))]
    quoted = 0
    for row in re.findall(r"^\| (?!message|what you see|---)(.*?) \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        for message in re.findall(r"`([^`]+)`", row) + re.findall(r"^\*([^*]+)\*", row):
            pieces = [piece.strip(' :,()"') for piece in FILLED_IN.split(OF_THE_SYSTEM.sub("", message))]
            for piece in filter(None, pieces):
                assert any(piece in source for source in sources), f"{PAGE.name}: no source has {piece!r}"
            quoted += 1
    assert quoted > 20, quoted
    print(f"{quoted} messages are those of the sources")


if __name__ == "__main__":
    main()
