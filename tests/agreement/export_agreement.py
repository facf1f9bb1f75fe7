#!/usr/bin/env python3
"""export_agreement.py PROGRAM: ASReview 3, and Zotero by its rules for RIS, read what `inkling search --out` writes.

ASReview's own readers find every record of the CSV, the XLSX and the RIS, with title, abstract, authors, year, DOI and rating.
ASReview is that of this Python, or of the virtual environment at $INKLING_ASREVIEW. If it is not installed, only the rules of
Zotero are checked, and the test is reported as skipped.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

RECORDS = [
    {"id": "a", "title": "Gold mines", "abstract": "ounces of gold, and \"more\"", "authors": ["Doe, Jane", "Müller, Karl"], "year": 1999,
     "doi": "10.1/a", "journal": "J. of X", "keywords": ["gold", "mine"], "VL": "7", "colour": "red: blue", "N1": ["ASReview_irrelevant"]},
    {"id": "b", "title": "Silver", "abstract": "sterling", "authors": ["Roe, R"], "year": 2001, "lines": "one\nER  - \ntwo"},
    {"id": "c", "title": "Copper", "abstract": "wires\nTY  - JOUR", "authors": [], "year": 2003},
]
LABELS = {"Gold mines": 1, "Silver": 0, "Copper": None}


def write_exports(program, folder):
    with open(os.path.join(folder, "in.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in RECORDS)
    def run(*arguments, told=""):
        subprocess.run([program, *arguments], cwd=folder, input=told, text=True, check=True, capture_output=True)
    run("build", "in.jsonl", "--out", "pool", "--keep-text", "--text-field", "title,abstract")
    run("search", "pool", told='{"rate": 1, "document": "a", "words": ["gold"], "note": "sure"}\n{"rate": 0, "document": "b", "tags": ["no control", "old"]}\n')
    for ending in ("csv", "ris", "xlsx"):
        run("search", "pool", "--out", f"rated.{ending}")
        run("search", "pool", "--out", f"unread.{ending}", "--which", "unread")


# The rules of Zotero's translator RIS.js: a line of this form is an entry, and any other line belongs to the entry before it. TY
# begins an item and ER ends it. N1 and unknown tags become notes.
RIS_LINE = re.compile(r"^([A-Z][A-Z0-9]) {1,2}-(?: (.*))?$")


def zotero_items(text):
    items, item = [], None
    for line in text.split("\r\n"):
        entry = RIS_LINE.match(line)
        if not line:
            continue
        assert entry, f"Zotero would append this line to the value before it: {line!r}"
        tag, value = entry.group(1), entry.group(2) or ""
        if tag == "TY":
            assert item is None, "a record begins before the one before it ends"
            item = {"TY": [value]}
        elif tag == "ER":
            items.append(item)
            item = None
        else:
            item.setdefault(tag, []).append(value)
    assert item is None, "the last record has no end"
    return items


def check_zotero(folder):
    with open(os.path.join(folder, "rated.ris"), encoding="utf-8", newline="") as file:
        first, second = zotero_items(file.read())
    assert first["TI"] == ["Gold mines"] and first["AU"] == ["Doe, Jane", "Müller, Karl"], first
    assert first["PY"] == ["1999"] and first["DO"] == ["10.1/a"] and first["JF"] == ["J. of X"] and first["VL"] == ["7"], first
    assert first["KW"] == ["gold", "mine"] and first["N1"][0] == "ASReview_relevant" and "sure" in first["N1"], first
    assert not any("irrelevant" in note for note in first["N1"]), first
    assert json.loads(first["N1"][-1].partition(": ")[2])["colour"] == "red: blue", first
    assert json.loads(second["N1"][-1].partition(": ")[2])["lines"] == "one\nER  - \ntwo", second
    assert "Excluded: no control; old" in second["N1"], second


def check_asreview(folder):
    from asreview.data.ris import RISReader
    from asreview.data.tabular import CSVReader, ExcelReader
    for reader, ending in ((RISReader, "ris"), (CSVReader, "csv"), (ExcelReader, "xlsx")):
        seen = {}
        for name in ("rated", "unread"):
            frame = reader.clean_data(reader.read_data(os.path.join(folder, f"{name}.{ending}")))
            for row in frame.to_dict("records"):
                label = row.get("included")
                seen[row["title"]] = (row, None if label is None or label != label or str(label) == "<NA>" else int(label))
        assert {title: label for title, (_, label) in seen.items()} == LABELS, (ending, seen)
        for record in RECORDS:
            row = seen[record["title"]][0]
            assert row["abstract"] == record["abstract"].replace("\n", " " if ending == "ris" else "\n"), (ending, row)
            assert str(record["year"]) in str(row["year"]), (ending, row)
            assert all(author in str(row["authors"]) for author in record["authors"]), (ending, row)
            assert "doi" not in record or record["doi"] in str(row["doi"]), (ending, row)


def main():
    program = os.path.abspath(sys.argv[1])
    if home := os.environ.pop("INKLING_ASREVIEW", None):
        python = os.path.join(home, "bin", "python")
        os.execv(python, [python, *sys.argv])
    with tempfile.TemporaryDirectory() as folder:
        write_exports(program, folder)
        os.chdir(folder)  # ASReview writes a cache into the current folder when it is imported
        check_zotero(folder)
        try:
            check_asreview(folder)
        except ModuleNotFoundError as missing:
            print(f"skipped: ASReview is not installed ({missing.name}); Zotero's rules hold")
            sys.exit(77)
    print("ASReview reads every record and its rating, and Zotero's rules hold")


if __name__ == "__main__":
    main()
