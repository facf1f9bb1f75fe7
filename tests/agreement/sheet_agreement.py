#!/usr/bin/env python3
"""sheet_agreement.py PROGRAM: LibreOffice runs nothing that `inkling search --out` and `inkling score` write.

Formulas, commands and links in every way in which programs for tables take them are put into every column. LibreOffice opens the
CSV with a German and an English locale and with each divider, and the XLSX; no cell may be a formula. Then Inkling reads both files
again: every column holds the text as it was. If LibreOffice (`soffice`) is not installed, the test is reported as skipped.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ACTS = ["=1+1", "=cmd|' /C calc'!A0", "+1+cmd|' /C calc'!A0", "-1+cmd|' /C calc'!A0", "-2+3+HYPERLINK(\"http://evil\")", "@SUM(1;2)"]
BEFORE = ["", "foo;", "foo\t", "foo\n", "foo\r\n", " ", "  \t", "\u00a0", "\u200b", "\""]
OTHERS = ["\uff1d1+1", "\uff0b1", "\uff0d1+2", "\uff201", "'=1+1", "''=1+1", "'tis", "-5", "-0.25", "-5;=1+1", "- a point", "\r=1+1", "\ufeff=1+1", "a\";=1+1;\"",
          "5;-1+2\n=3", "'\"=1", "a,=1+1", "=\"a\"\"b\"&1", "-1e3", "{=1+1}"]
PAYLOADS = [before + act for act, before in itertools.product(ACTS, BEFORE)] + OTHERS
COLUMNS = ["title", "abstract", "authors", "place", "=HYPERLINK(\"x\")"]
LOCALES = {"de-DE": 1031, "en-US": 1033}


def run(*command, lines=None):
    done = subprocess.run(command, input=lines, text=True, check=False, capture_output=True)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def write_exports(program, folder):
    with open(f"{folder}/in.jsonl", "w", encoding="utf-8") as file:
        for number, text in enumerate(PAYLOADS):
            record = {name: text for name in COLUMNS} | {"id": f"{text}{number}", "label": re.sub("[\r\n]", "", text)}
            record["abstract"] = f"{text} word{number}"
            file.write(json.dumps(record) + "\n")
    run(program, "build", f"{folder}/in.jsonl", "--out", f"{folder}/pool", "--keep-text", "--text-field", "title,abstract")
    lines = [{"rate": number % 2, "document": number, "note": text, "tags": ["=x", re.sub("[;\x00-\x20]+", " ", text).strip()]} for number, text in enumerate(PAYLOADS)]
    answers = run(program, "search", f"{folder}/pool", lines="".join(json.dumps(one) + "\n" for one in lines))
    assert '"error"' not in answers, answers
    for ending in ("csv", "xlsx", "jsonl"):
        run(program, "search", f"{folder}/pool", "--out", f"{folder}/work.{ending}")
    scores = run(program, "score", f"{folder}/pool", "--events", f"{folder}/work.csv", "--all", "--format", "csv", "--policy", "oful")
    with open(f"{folder}/scores.csv", "w", encoding="utf-8", newline="") as file:
        file.write(scores)


def check_read_back(program, folder):
    """Every column, by JSON lines, which have no apostrophes of ours."""
    def rows(name):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    expected = rows("work.jsonl")
    assert len(expected) == len(PAYLOADS)
    assert [row["title"] for row in expected] == PAYLOADS
    for ending in ("csv", "xlsx"):
        again = f"{folder}/again-{ending}"
        run(program, "build", f"{folder}/work.{ending}", "--out", again, "--keep-text", "--text-field", "title,abstract")
        run(program, "search", again, lines="")
        run(program, "search", again, "--out", f"{again}.jsonl", "--which", "unread")
        found = {row["id"]: row for row in rows(f"again-{ending}.jsonl")}
        for row in expected:
            read = found[row["id"]]
            for name in ("id", "label", *COLUMNS, "note", "chosen"):
                before = read[name if name in read and name not in ("note", "chosen") else f"{name}_before"]
                assert before == row[name], (ending, name, row[name], before)
            assert read["tags_before"] == "; ".join(row["tags"]), (ending, row["tags"], read["tags_before"])
        words = run(program, "score", f"{folder}/pool", "--events", f"{folder}/work.{ending}", "--top", "1000", "--format", "jsonl")
        assert words.count("\n") == 0, "every document was rated, so none is left"


def formulas_in(folder, locale, names, divider):
    """Opens files, with a divider if they are CSV. Returns the formulas that LibreOffice finds in each."""
    profile = f"{folder}/profile-{locale}"
    os.makedirs(f"{profile}/user", exist_ok=True)
    with open(f"{profile}/user/registrymodifications.xcu", "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?><oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">'
                   f'<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>{locale}</value></prop></item></oor:items>')
    # Divider, quote, UTF-8, first line, formats, locale, quoted fields as text, special numbers, ..., evaluate formulas.
    csv = [] if divider is None else [f"--infilter=CSV:{ord(divider)},34,76,1,,{LOCALES[locale]},false,true,false,false,false,-1,true"]
    out = f"{folder}/out"
    shutil.rmtree(out, ignore_errors=True)
    run("soffice", "--headless", f"-env:UserInstallation=file://{profile}", *csv, "--convert-to", "fods", "--outdir", out,
        *(f"{folder}/{name}" for name in names))
    found = {}
    for name in names:
        with open(f"{out}/{name.rpartition('.')[0]}.fods", encoding="utf-8") as file:
            sheet = file.read()
        assert sheet.count("<table:table-cell") >= 2, (locale, name, divider)
        found[name] = re.findall(r'table:formula="([^"]*)"', sheet)
    return found


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        write_exports(program, folder)
        check_read_back(program, folder)
        print(f"{len(PAYLOADS)} texts come back from CSV and XLSX in every column")
        if shutil.which("soffice") is None:
            print("skipped: LibreOffice is not installed (Debian: libreoffice-calc)")
            sys.exit(77)
        for locale, divider in itertools.product(LOCALES, (",", ";", "\t", None)):
            names = ["work.xlsx"] if divider is None else ["work.csv", "scores.csv", "control.csv"]
            with open(f"{folder}/control.csv", "w", encoding="utf-8") as file:
                file.write(f"a{divider}=1+1\n")
            found = formulas_in(folder, locale, names, divider)
            if divider is not None:
                assert found.pop("control.csv"), "the control: LibreOffice takes a formula of CSV as one"
            assert not any(found.values()), (locale, divider, found)
            print(f"{locale}: no formula in {' and '.join(found)}{'' if divider is None else f', divided by {divider!r}'}")


if __name__ == "__main__":
    main()
