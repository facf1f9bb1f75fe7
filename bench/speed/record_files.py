#!/usr/bin/env python3
"""record_files.py JSONL FOLDER: the documents of `inkling-bench corpus --format jsonl` as other programs write records.

One file for each format that `inkling-bench ingest --format` takes, with title, authors, year, DOI, journal and keywords beside
the text, and folders of .eml and .html, for figures of how fast each is read.
"""

import base64
import csv
import json
import os
import quopri
import sys
import textwrap


def record_of(line, number):
    words = json.loads(line)["text"].split()
    return {
        "title": " ".join(words[:12]).capitalize(),
        "abstract": " ".join(words[12:]) or "None.",
        "authors": [f"{words[n % len(words)].capitalize()}, {chr(65 + n)}." for n in range(1, 4)],
        "year": str(1990 + number % 35),
        "doi": f"10.1000/{number}",
        "journal": " ".join(words[:3]).title(),
        "keywords": words[3:7],
    }


def ris(record):
    yield "TY  - JOUR\r\n"
    yield from (f"AU  - {author}\r\n" for author in record["authors"])
    yield f"TI  - {record['title']}\r\nAB  - {record['abstract']}\r\nPY  - {record['year']}\r\n"
    yield f"DO  - {record['doi']}\r\nJO  - {record['journal']}\r\n"
    yield from (f"KW  - {word}\r\n" for word in record["keywords"])
    yield "ER  - \r\n\r\n"


def nbib(record, number):
    def field(tag, text):
        return "\n".join(textwrap.wrap(text, 82, initial_indent=f"{tag:<4}- ", subsequent_indent="      ")) + "\n"

    yield f"PMID- {number + 1}\n" + field("TI", record["title"]) + field("AB", record["abstract"])
    yield from (field("FAU", author) for author in record["authors"])
    yield field("DP", record["year"]) + field("LID", record["doi"] + " [doi]") + field("JT", record["journal"])
    yield from (field("OT", word) for word in record["keywords"])
    yield "\n"


def bibtex(record, number):
    yield f"@article{{key{number},\n  title = {{{record['title']}}},\n  abstract = {{{record['abstract']}}},\n"
    yield f"  author = {{{' and '.join(record['authors'])}}},\n  year = {{{record['year']}}},\n"
    yield f"  doi = {{{record['doi']}}},\n  journal = {{{record['journal']}}},\n"
    yield f"  keywords = {{{', '.join(record['keywords'])}}}\n}}\n\n"


def html(record):
    paragraphs = "".join(f"<p class=\"text\">{part} <b>&amp;</b></p>\n" for part in textwrap.wrap(record["abstract"], 300))
    return (
        f"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{record['title']}</title>\n"
        "<style>p { margin: 1em }</style><script>if (1 < 2) { run(); }</script></head>\n"
        f"<body><h1>{record['title']}</h1>\n{paragraphs}<a href=\"/next\">Next</a></body></html>\n"
    )


def mail(record, number):
    """Plain, quoted-printable and base64 by turns, with a second part in HTML in every fourth one."""
    text = "\n".join(textwrap.wrap(record["abstract"], 72)).encode()
    kind = number % 3
    body = [text, quopri.encodestring(text), base64.encodebytes(text)][kind].decode()
    coding = ("7bit", "quoted-printable", "base64")[kind]
    head = (
        f"From: {record['authors'][0].replace(',', '')} <a{number}@example.org>\nTo: b@example.org\nSubject: {record['title']}\n"
        f"Date: Mon, 5 Jan 2015 10:{number % 60:02}:00 +0000\nMessage-ID: <{number}@example.org>\nMIME-Version: 1.0\n"
    )
    plain = f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {coding}\n\n{body}\n"
    if number % 4:
        return head + plain
    page = f"Content-Type: text/html; charset=utf-8\n\n{html(record)}\n"
    return f"{head}Content-Type: multipart/alternative; boundary=\"==x\"\n\n--==x\n{plain}--==x\n{page}--==x--\n"


def main():
    source, folder = sys.argv[1:]
    os.makedirs(os.path.join(folder, "eml"))
    os.makedirs(os.path.join(folder, "html"))
    os.makedirs(os.path.join(folder, "pages"))

    def opened(end):
        return open(os.path.join(folder, "records." + end), "w", encoding="utf-8", newline="")

    with (open(source, encoding="utf-8") as lines, opened("ris") as to_ris, opened("nbib") as to_nbib, opened("bib") as to_bib,
          opened("csv") as to_csv, opened("jsonl") as to_jsonl, opened("mbox") as to_mbox):
        table = csv.writer(to_csv)
        for number, line in enumerate(lines):
            record = record_of(line, number)
            if number == 0:
                table.writerow(record)
            to_ris.writelines(ris(record))
            to_nbib.writelines(nbib(record, number))
            to_bib.writelines(bibtex(record, number))
            table.writerow("; ".join(value) if isinstance(value, list) else value for value in record.values())
            to_jsonl.write(json.dumps({"text": record["title"] + "\n" + record["abstract"], **record}) + "\n")
            letter = mail(record, number)
            to_mbox.write(f"From a{number}@example.org Mon Jan  5 10:00:00 2015\n{letter}\n")
            with open(os.path.join(folder, "eml", f"{number}.eml"), "w", encoding="utf-8", newline="") as file:
                file.write(letter)
            with open(os.path.join(folder, "html", f"{number // 10}.html"), "a", encoding="utf-8", newline="") as file:
                file.write(html(record))  # ten to a page: what follows the end of one is read, too
            with open(os.path.join(folder, "pages", f"{number}.html"), "w", encoding="utf-8", newline="") as file:
                file.write(html(record))


if __name__ == "__main__":
    main()
