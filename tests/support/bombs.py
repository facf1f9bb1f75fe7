"""Files below 1 MB that make a careless reader take much time or memory: ten kinds for each format.

`bombs()` yields (name, bytes). A name is KIND.ENDING, and `FORMATS` gives the `--format` of an ending. The bytes depend on
nothing else, so that a finding can be made again from its name alone.
"""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile

MOST_BYTES, MOST_TIMES = 1_000_000, 100_000
FORMATS = {"txt": "lines", "jsonl": "jsonl", "csv": "csv", "tsv": "tsv", "ris": "ris", "nbib": "nbib", "ciw": "wos", "enw": "enw",
           "embase": "embase", "end.xml": "endnote-xml", "pub.xml": "pubmed-xml", "csl.json": "csl", "eric": "medline", "bib": "bibtex", "tex.bib": "bibtex", "mbox": "mbox", "eml": "eml", "html": "html", "xlsx": "csv",
           "strings.xlsx": "csv", "xls": "csv", "tar": "dir", "zip": "dir", "svmlight": "svmlight", "mtx": "mtx"}


def times(piece, beside=0):
    """The piece so often that the file stays below the limit."""
    return piece * min(MOST_TIMES, max(1, (MOST_BYTES - beside - 1024) // max(1, len(piece))))


def zipped(parts, packing=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as archive:
        for name, content in parts:
            archive.writestr(zipfile.ZipInfo(name), content, packing)
    return out.getvalue()


SHEET = "<worksheet><sheetData>", "</sheetData></worksheet>"
TEXT_ROW = '<row r="1"><c t="inlineStr"><is><t>text</t></is></c></row>'


def workbook(sheet, strings="", styles=""):
    sheets = '<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>'
    links = '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>'
    return zipped([("xl/workbook.xml", sheets), ("xl/_rels/workbook.xml.rels", links), ("xl/sharedStrings.xml", strings),
                   ("xl/styles.xml", styles), ("xl/worksheets/sheet1.xml", sheet)])


class Grammar:
    """How a format writes the things that bombs are made of. `head` and `tail` enclose a record; `once` begins the file.

    `open` and `close` nest; `field` begins another value of the record; `escape` is a character in other letters; `gap`
    separates two values of which the first is empty; `grown` is a text that refers to itself; `shared` a record in which many
    places show one text."""

    def __init__(self, head, tail, open, close, field, escape, gap, once="", grown=None, shared=None, pack=None):
        self.head, self.tail, self.open, self.close, self.field = head, tail, open, close, field
        self.escape, self.gap, self.once = escape, gap, once
        self.grown, self.shared = grown or doubled(open + "soil" + close), shared or field + times("soil ", 0)
        self.pack = pack or (lambda text: text.encode("utf-8"))

    def texts(self):
        beside = len(self.once + self.head + self.tail)
        deep = min(MOST_TIMES, (MOST_BYTES - beside - 1024) // (len(self.open) + len(self.close)))
        within = {
            "deep": self.open * deep + "soil" + self.close * deep,
            "unclosed": times(self.open, beside),
            "closed": times(self.close, beside),
            "fields": times(self.field, beside),
            "escapes": times(self.escape, beside),
            "gaps": times(self.gap, beside),
            "long": times("soil" * 16, beside),
            "grown": self.grown,
            "shared": self.shared,
        }
        for kind, text in within.items():
            ends = "" if kind == "unclosed" else self.tail
            yield kind, self.pack(self.once + self.head + text + ends)
        yield "records", self.pack(self.once + times(self.head + "soil" + self.tail, len(self.once)))


def doubled(text):
    """The text within itself, again and again."""
    half = len(text) // 2
    while len(text) < MOST_BYTES // 3:
        text = text[:half] + text + text[half:]
        half = len(text) // 2
    return text


def definitions(count, size, copies, use):
    """BibTeX: each name is `copies` of the name before."""
    lines = ["@string{a0 = {" + "x" * size + "}}\n"]
    lines += [f"@string{{a{n} = " + " # ".join([f"a{n - 1}"] * copies) + "}\n" for n in range(1, count)]
    return "".join(lines) + "@misc{grown, title = " + " # ".join([f"a{count - 1}"] * use) + "}\n"


def entities(count, copies):
    """XML: each entity is `copies` of the one before; the reader should know of none."""
    lines = ['<!DOCTYPE x [<!ENTITY a0 "soil">']
    lines += [f'<!ENTITY a{n} "' + f"&a{n - 1};" * copies + '">' for n in range(1, count)]
    return "".join(lines) + "]>"


def letter(headers, body):
    return "From: a@b\nSubject: soil\n" + headers + "\n" + body


MIXED = 'Content-Type: multipart/mixed; boundary="b"\n'


def nested_parts(depth):
    text = "Content-Type: text/plain\n\nsoil\n"
    for n in range(depth):
        text = f'Content-Type: multipart/alternative; boundary="b{n}"\n\n--b{n}\n' + text + f"--b{n}\n" + ("soil\n" if n % 2 else "\n")
    return text


def tag_format(head, tail, field, gap, escape, once="", shared=None):
    """Formats of tagged lines, which do not nest: a line that goes on is the nearest to it."""
    return Grammar(head, tail, field + "soil\n   ", "\n", field + "soil\n", escape, gap, once, shared=shared)


def sheet_of(within):
    return workbook(SHEET[0] + TEXT_ROW + within)


def strings_of(text, cells=1000):
    row = '<row r="2">' + '<c t="s"><v>0</v></c>' * cells + "</row>"
    return workbook(SHEET[0] + TEXT_ROW.replace("<c ", "<c/>" * cells + "<c ") + row + SHEET[1], text)


GRAMMARS = {
    "txt": Grammar("", "\n", "(", ")", "soil\r", "\u0301", "\n", shared=times("\u00e9" * 4)),
    "jsonl": Grammar('{"text":"soil","x":', "}\n", '{"a":[', "]}", '"a","x":', '"\\u0041\\ud83d\\ude00","x":', ',"":',
                     grown="[" * 250 + times("[],", 600) + "[]" + "]" * 250, shared=times('1e999,"x":')),
    "csv": Grammar('1,"', '"\n', '""', '"', '","', '""', "\",\"", once="id,text\n", shared='",' + times("soil,")),
    "tsv": Grammar("1\tsoil", "\n", "\tsoil", "\t", "\t1", "\\t", "\t\t", once="id\ttext\n"),
    "ris": tag_format("TY  - JOUR\nTI  - soil\n", "ER  - \n", "AU  - ", "KW  - \n", "AB  - &amp;\\'\n"),
    "nbib": tag_format("PMID- 1\nTI  - soil\n", "\n", "FAU - ", "MH  - \n", "AB  - &amp;\n"),
    "ciw": tag_format("PT J\nTI soil\n", "ER\n\n", "AU ", "DE \n", "AB &amp;\n", once="FN a\nVR 1.0\n"),
    "enw": tag_format("%0 a\n%T soil\n", "\n", "%A ", "%K \n", "%X &amp;\n"),
    "embase": tag_format('"TITLE","soil"\n', '"SOURCE","a"\n\n', '"AUTHOR NAMES","', '"EMTREE DRUG INDEX TERMS","",""\n',
                         '"ABSTRACT","' + '""' * 50 + '"\n', shared='"ABSTRACT","' + '""' * 400_000 + '"\n'),
    "eric": tag_format("OWN - ERIC\nTI  - soil\n", "\n", "AU  - ", "OT  - \n", "AB  - &amp;\n"),
    "end.xml": Grammar("<record><titles><title>soil", "</title></titles></record>", "<style>", "</style>", "</title><author>a</author><title>",
                       "&#x41;&amp;", "<year></year><!---->", once="<xml><records>", grown='<a b="' + times('"c"="') + '"></x>',
                       shared=times("<title>", 600) + times("&", 900_000)),
    "pub.xml": Grammar("<PubmedArticle><Article><ArticleTitle>soil", "</ArticleTitle></Article></PubmedArticle>", "<i>", "</i>",
                       '</ArticleTitle><ELocationID EIdType="doi">1</ELocationID><ArticleTitle>', "&#x41;&amp;", "<sup></sup>",
                       once="<PubmedArticleSet>", grown=times("<ArticleIdList><ArticleId>"), shared=times("<![CDATA[]]>")),
    "csl.json": Grammar('{"id":1,"title":"soil","x":', "},\n", '{"a":[', "]}", '"a","x":', '"\\u0041\\ud83d\\ude00","x":', ',"":', once="[",
                        grown=times('"{') + '"', shared='"a","author":[' + times('{"family":"a"},') + '{}]'),
    "bib": Grammar("@misc{k, title = {soil}, note = {", "}}\n", "{", "}", "}, note = {", "\\'", "}, author = { and ", once="\n",
                   grown="}}\n" + definitions(40, 64, 2, 1) + "@misc{k, title = {",
                   shared="}}\n" + definitions(14, 64, 2, 2000) + "@misc{k, title = {"),
    "tex.bib": Grammar("@misc{k, title = {", " soil}, author = {A and B}}\n", "\\'{", "}", "\\c \\'", "{\\'e}", "\\ ",
                       grown="\\'" * 60_000 + "e", shared="}, keywords = {" + times(",a", 99)),
    "mbox": Grammar("From a@b Thu Jan  1 00:00:00 1970\n", "\n\n", MIXED + "\n--b\n", "--b--\n", "X: soil\n", "=?utf-8?q?=41?= ",
                    " \n", grown="Subject: " + times("=?u?q?"), shared="Subject: soil\n" + MIXED + times("\n--b\nsoil", 99)),
    "eml": Grammar(letter("", "")[:-1], "\n", "Content-Type: message/rfc822\n\n", "--b--\n", "To: soil\n", "X: =?u?q?=41 ?=\n",
                   "Content-Type: text/plain" + ";" * 900_000 + "\n", grown=nested_parts(3000), shared="Subject: " + times("=?u?q?soil")),
    "html": Grammar("<html><body>soil ", "</body></html>\n", "<div><table>", "</table></div>", '<p a="', "&#x41;&amp;",
                    "<!-->", grown=times("<script><title>"), shared=times("<svg></sv") + times("&", 900_000)),
    "xlsx": Grammar("<row>", "</row>" + SHEET[1], "<c><v>", "</v></c>", '<c r="XFD1"><v>1</v></c>', "_x0041_&#65;",
                    '<c t="s"></c>', shared="</row>" + times('<row><c r="A2"></c></row>') + "<row>", pack=sheet_of,
                    grown='<c a="' + times('"a"="') + '"></x></y>'),
    "strings.xlsx": Grammar("<sst><si><t>", "</t></si></sst>", "<rPh><t>", "</t></rPh>", "</t></si><si><t>", "_x0041_&#x41;",
                            "<si/>", grown="</t></si></sst>" + entities(40, 10) + "<sst><si><t>&a39;",
                            shared="soil " * 160_000, pack=strings_of),
}


# A record that holds nothing, or as little as the format allows.
EMPTY = {"txt": "\n", "jsonl": "{}\n", "csv": "\n", "tsv": "\t\n", "ris": "TY  -\rER  -\r", "nbib": "PMID-\r", "ciw": "PT \n", "enw": "%0 \n",
         "embase": '"TITLE",\n', "end.xml": "<record></record>", "pub.xml": "<PubmedArticle>", "csl.json": "{}", "eric": "OWN - ERIC\n", "bib": "@a{b}\n", "mbox": "From a 00:00 1970\n", "svmlight": "0\n", "mtx": "%\n"}


def empty_records():
    """Files that unpack to millions of records."""
    for ending, record in EMPTY.items():
        once = GRAMMARS[ending].once if ending in GRAMMARS else MATRIX_HEAD if ending == "mtx" else ""
        yield f"empty.{ending}.gz", gzip.compress((once + record * ((63 << 20) // len(record))).encode(), 1, mtime=0)
    names = definitions(8, 64, 2, 1) + "@misc{k,title=a7}\n" * (3 << 20)
    yield "uses.bib.gz", gzip.compress(names.encode(), 1, mtime=0)


def packed():
    """Bombs in archives: ten kinds for each of three ways to pack."""
    text, large = b"soil water\n", bytes(1) * (100 << 20)
    layers = text * 1000
    for _ in range(30):
        layers = gzip.compress(layers, mtime=0)
    yield "layers.txt.gz", layers
    yield "zeros.txt.gz", gzip.compress(large, mtime=0)
    yield "lines.txt.gz", gzip.compress(b"\n" * (64 << 20), mtime=0)
    yield "one_line.txt.gz", gzip.compress(b"soil " * (14 << 20), mtime=0)
    yield "members.txt.gz", gzip.compress(b"", mtime=0) * 45_000
    yield "cut.txt.gz", gzip.compress(text * 100_000, mtime=0)[:-9]
    yield "name.txt.gz", b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * 900_000
    yield "bzip.txt.gz", bz2.compress(large[:20 << 20])
    yield "window.txt.gz", lzma.compress(large[:20 << 20], preset=9)
    yield "frames.txt.gz", struct.pack("<II", 0x184D2A50, 0) * 120_000

    def tar(names, content=b"soil", kind=tarfile.REGTYPE, link=""):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for name in names:
                info = tarfile.TarInfo(name)
                info.size, info.type, info.linkname = (len(content) if kind == tarfile.REGTYPE else 0), kind, link
                archive.addfile(info, io.BytesIO(content))
        return out.getvalue()

    yield "members.tar", tar([f"d/{n}" for n in range(900)])
    yield "same.tar", tar(["d/a"] * 900)
    yield "folders.tar", tar(["d/" * 40 + "a"] * 900)
    yield "name.tar", tar(["d/" * 400_000 + "a"])
    yield "links.tar", tar([f"d/{n}" for n in range(1, 1800)], kind=tarfile.SYMTYPE, link="0")
    yield "loop.tar", tar(["d/a", "d/b"], kind=tarfile.SYMTYPE, link="a")
    yield "hard.tar", tar(["d/a"])[:-10240] + tar([f"d/h{n}" for n in range(900)], kind=tarfile.LNKTYPE, link="d/a")
    yield "headers.tar", gzip.compress(tar([f"d/{n}" for n in range(50_000)], b""), mtime=0)
    yield "zeros.tar", gzip.compress(bytes(100 << 20), mtime=0)
    yield "sparse.tar", tar(["d/a"])[:156] + b"S" + tar(["d/a"])[157:]

    yield "members.zip", zipped([(f"d/{n}", "") for n in range(9000)], zipfile.ZIP_STORED)
    yield "same.zip", zipped([("d/a", "soil")] + [(f"d/a{n % 7}", "soil") for n in range(7)])
    yield "large.zip", zipped([("d/a", large)])
    yield "many_large.zip", zipped([(f"d/{n}", large[:10 << 20]) for n in range(20)])
    yield "nested.zip", zipped([("d/a.zip", zipped([("d/b.zip", zipped([("d/c", large)]))]))])
    yield "texts.zip", zipped([(f"d/{n}", b"soil " * 2_000_000) for n in range(6)])
    yield "name.zip", zipped([("d/" * 20_000 + "a", "soil")])
    yield "bzip.zip", zipped([("d/a", large[:20 << 20])], zipfile.ZIP_BZIP2)
    yield "lzma.zip", zipped([("d/a", large[:20 << 20])], zipfile.ZIP_LZMA)
    yield "list.zip", zipped([(f"d/{n}", "") for n in range(9000)], zipfile.ZIP_STORED)[:-22] + b"PK\5\6" + bytes(18)


END_OF_CHAIN, NO_SECTOR, TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def compound(book, is_circle=False, is_small=False, more_tables=END_OF_CHAIN):
    """The file of files in which Excel 97 keeps a book: tables of sectors, names, the book."""
    book = book.ljust(4096, b"\0")
    sectors = -(-len(book) // 512)
    tables = sectors // 120 + 1
    links = [TABLE] * tables + [END_OF_CHAIN] + [tables + 2 + n for n in range(sectors)]
    links[-1] = tables + 1 if is_circle else END_OF_CHAIN
    links += [NO_SECTOR] * (tables * 128 - len(links))

    def entry(name, kind, first, size):
        letters = name.encode("utf-16-le")
        return (letters.ljust(64, b"\0") + struct.pack("<HBBIII", len(letters) + 2, kind, 1, NO_SECTOR, NO_SECTOR, 1) + bytes(36) +
                struct.pack("<IQ", first, size))

    size = 4095 if is_small else 0xFFFFFFF0 if is_circle else len(book)
    names = (entry("Root Entry", 5, tables + 5 if is_small else tables + 1, len(book)) +
             entry("Workbook", 2, 3 if is_small else tables + 1, size))
    first_tables = (list(range(tables)) + [NO_SECTOR] * 109)[:109]
    head = (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + bytes(16) + struct.pack("<5H", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10) +
            struct.pack("<8I", tables, tables, 0, 4096, 0 if is_small else END_OF_CHAIN, 1, more_tables, 1) + struct.pack("<109I", *first_tables))
    if is_small:  # this table names the small sectors, too, and the fourth leads to itself
        links[:4] = [END_OF_CHAIN, END_OF_CHAIN, 3, 3]
    return head + struct.pack(f"<{len(links)}I", *links) + names.ljust(512, b"\0") + book.ljust(sectors * 512, b"\0")


def xls(kind, *bodies):
    return struct.pack("<HH", kind, sum(map(len, bodies))) + b"".join(bodies)


XLS_BEGIN, XLS_END = xls(0x809, struct.pack("<HHII", 0x600, 5, 0, 0)), xls(0x0A)


def xls_texts(*texts, count=None):
    """The texts that cells share."""
    number = len(texts) if count is None else count
    return xls(0xFC, struct.pack("<II", number, number), *(struct.pack("<HB", len(text), 0) + text for text in texts))


def xls_cell(row, column, text=0):
    return xls(0xFD, struct.pack("<HHHI", row, column, 0, text))


def old_book(beside, cells, sheets=1, end=XLS_END):
    def beginning(place):
        return XLS_BEGIN + beside + xls(0x85, struct.pack("<IBBB", place, 0, 0, 1), b"\0a") * sheets + XLS_END

    return beginning(len(beginning(0))) + XLS_BEGIN + cells + end


def old_workbooks():
    texts, head = xls_texts(b"text", b"soil"), xls_cell(0, 0)
    rows = head + b"".join(xls_cell(n, 0, 1) for n in range(1, 50_000))
    formula = xls(6, struct.pack("<HHHQIH", 1, 0, 0, 0xFFFF000000000000, 0, 0))
    yield "deep.xls", compound(old_book(texts, times(XLS_BEGIN, 9999) + XLS_END))
    yield "unclosed.xls", compound(old_book(texts, rows, end=b""))
    yield "closed.xls", compound(old_book(texts, head + times(XLS_END, 9999)))
    yield "records.xls", compound(old_book(texts, rows))
    yield "gaps.xls", compound(old_book(texts, head + b"".join(xls_cell(n, 255, 1) for n in range(1, 50_000))))
    yield "backward.xls", compound(old_book(texts, b"".join(xls_cell(n, n % 7, 1) for n in range(50_000, 0, -1)) + head))
    yield "shared.xls", compound(old_book(xls_texts(b"text", b"soil " * 1600), rows))
    yield "continued.xls", compound(old_book(xls_texts(b"text", count=9) + times(xls(0x3C), 9999), rows[:14 * 700]))
    yield "grown.xls", compound(old_book(xls_texts(b"text", b"s" * 8000) + xls(0x3C, b"\0") * 50_000, head + xls_cell(1, 0, 1)))
    yield "counts.xls", compound(old_book(xls_texts(b"text", count=0xFFFFFFFF), rows))
    yield "formulas.xls", compound(old_book(texts, head + times(formula + xls(0x207, struct.pack("<HB", 9, 1), b"so" * 9), 9999)))
    yield "formats.xls", compound(old_book(texts + times(xls(0x41E, struct.pack("<HHB", 170, 60, 0), b"[h]" * 20), 9999), head))
    yield "styles.xls", compound(old_book(texts + times(xls(0xE0, bytes(20)), 9999), head))
    yield "sheets.xls", compound(old_book(texts, rows[:14 * 700], sheets=60_000))
    yield "numbers.xls", compound(old_book(texts, head + times(xls(0xBD, struct.pack("<HH", 1, 0), bytes(6) * 256, bytes(2)), 99)))
    yield "circle.xls", compound(old_book(texts, rows), is_circle=True)
    yield "small.xls", compound(old_book(texts, head), is_small=True)
    yield "tables.xls", compound(old_book(texts, rows), more_tables=9)


MATRIX_HEAD = "%%MatrixMarket matrix coordinate real general\n"


def matrices():
    for ending, head, line in (("svmlight", "", "1 1:1 2:1\n"), ("mtx", MATRIX_HEAD, "1 1 1\n")):
        begin = head + ("4 4 3\n" if head else "")
        yield f"long.{ending}", (begin + times("9", 99)).encode()
        yield f"wide.{ending}", (begin + "1 2000000000:1\n" if not head else head + "2000000000 2000000000 1\n1 1 1\n").encode()
        yield f"entries.{ending}", (begin + "1" + times(" 1:1")).encode()
        yield f"blanks.{ending}", (begin + times(" \n")).encode()
        yield f"comments.{ending}", (head + times("%#\n")).encode()
        yield f"lines.{ending}", (begin + times(line, 99)).encode()
        yield f"columns.{ending}", (begin + "1" + "".join(f" {n}:1" for n in range(1, 90_000))).encode()
        yield f"digits.{ending}", (begin + "1 1:" + times("0.1", 99)).encode()
        yield f"exponents.{ending}", (begin + times("1e-999999999 ", 99)).encode()
        yield f"counts.{ending}", (head + "1 1 99999999999999999999\n").encode()


def bombs():
    for ending, grammar in GRAMMARS.items():
        for kind, content in grammar.texts():
            yield f"{kind}.{ending}", content
    yield from packed()
    yield from empty_records()
    yield from matrices()
    yield from old_workbooks()
    yield "header.csv", ('text,"' + '""' * 400_000 + '"\n').encode()
    yield "uses.bib", (definitions(8, 64, 2, 1) + times("@misc{k,title=a7}\n", 999)).encode()
    yield "redefined.bib", (definitions(14, 64, 2, 1) + times("@string{b=a13}\n", 9999)).encode()


def format_of(name):
    return FORMATS[name.split(".", 1)[1].removesuffix(".gz")]
