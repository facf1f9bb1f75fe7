"""Small libraries that take the place of large ones in a wheel, with all of them that Inkling asks for. As a program, lean.py FILE
writes the tables of such a file of ICU to standard output.

ICU: 5 MB of tables of 31. Characters and their usual composed forms are in libicuuc itself. Names of fields are compared
in their simplest form (nfkc.nrm), mail and web pages come in any encoding (*.cnv, and their names in cnvalias.icu), and
`--tokens dictionary` cuts words by rules and dictionaries (brkitr/; Chinese, too, asks for ja.res).
LAPACK: what CHOLMOD calls, of 7 MB. It complains by the xerbla of BLAS, so that no library of Fortran comes along.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

# Without the encodings of mainframes and of X11, and those of Taiwan and Japan that nobody sends: each is large.
UNWANTED = (
    r"euc-tw|icu-internal-compound|ibm-(?:33722|930|933|935|937|939|954|964|1364|1371|1388|1390|1399|5471)_"
)
WANTED = re.compile(
    rf"/(nfkc\.nrm|cnvalias\.icu|brkitr/((root|ja)\.res|word\.brk|\w+\.dict)|(?!{UNWANTED})[^/]+\.cnv)$"
)


def tables_of(library: Path) -> tuple[str, bytes]:
    """The symbol of the tables, and their bytes."""
    from elftools.elf.elffile import ELFFile

    with library.open("rb") as file:
        elf = ELFFile(file)
        symbol = next(
            one for one in elf.get_section_by_name(".dynsym").iter_symbols() if one.name.endswith("_dat")
        )
        section = elf.get_section(symbol["st_shndx"])
        at = symbol["st_value"] - section["sh_addr"]
        return symbol.name, section.data()[at : at + symbol["st_size"]]


def only_wanted(tables: bytes) -> bytes:
    """The same archive with the wanted tables: a header, their number, where each name and each table is, then these."""
    (head,) = struct.unpack_from("<H", tables)
    body = tables[head:]
    (count,) = struct.unpack_from("<I", body)
    places = [struct.unpack_from("<II", body, 4 + 8 * index) for index in range(count)]
    ends = [begin for _, begin in places[1:]] + [len(body)]
    names = [body[name : body.index(b"\0", name)] for name, _ in places]
    kept = [
        (name, body[begin:end])
        for name, (_, begin), end in zip(names, places, ends)
        if WANTED.search(name.decode())
    ]
    name_at = 4 + 8 * len(kept)
    table_at = name_at + sum(len(name) + 1 for name, _ in kept)
    directory, texts, data = struct.pack("<I", len(kept)), b"", b""
    for name, table in kept:
        data += bytes(-(head + table_at + len(data)) % 16)
        directory += struct.pack("<II", name_at + len(texts), table_at + len(data))
        texts += name + b"\0"
        data += table
    return tables[:head] + directory + texts + data


def version_name(library: str) -> str:
    """The name by which programs load the library at that path."""
    return re.sub(r"(\.so\.\d+)\..*", r"\1", Path(library).name)


def link(name: str, folder: Path, *what: str | Path) -> None:
    command = ["gcc", "-shared", f"-Wl,-soname,{name}", "-Wl,-z,relro,-z,now", "-o", folder / name, *what]
    subprocess.run(command, check=True)


def make_icu_tables(library: str, folder: Path) -> None:
    symbol, tables = tables_of(Path(library))
    (folder / "tables").write_bytes(only_wanted(tables))
    source = folder / "tables.s"
    source.write_text(
        f".section .rodata\n.balign 16\n.globl {symbol}\n.type {symbol}, %object\n{symbol}:\n"
        f'.incbin "{folder / "tables"}"\n.size {symbol}, . - {symbol}\n.section .note.GNU-stack,"",%progbits\n'
    )
    link(version_name(library), folder, "-nostdlib", source)


def names_in(*arguments: str) -> set[str]:
    """Of the symbols that nm tells of."""
    told = subprocess.run(["nm", *arguments], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in told.splitlines() if line.strip()}


def make_lapack(libraries: dict[str, str], folder: Path) -> None:
    """Of the archive that Debian keeps for this. BLAS stays as it is. CHOLMOD looks for it beside itself."""
    library = next(path for file, path in libraries.items() if file.startswith("liblapack."))
    cholmod, blas = (
        next(path for file, path in libraries.items() if file.startswith(f"lib{name}."))
        for name in ("cholmod", "blas")
    )
    archive = Path(cholmod).parent / "liblapack_pic.a"
    called = names_in("-D", "--undefined-only", cholmod) & names_in("--defined-only", str(archive))
    wanted = [f"-Wl,-u,{name}" for name in sorted(called)]
    link(version_name(library), folder, "-Wl,-z,defs,--no-as-needed", *wanted, blas, archive, "-lm")
    shutil.copyfile(cholmod, folder / version_name(cholmod))


def make(libraries: dict[str, str], folder: Path) -> None:
    """The small ones of these libraries, as `loaded` tells of them."""
    make_icu_tables(next(path for file, path in libraries.items() if file.startswith("libicudata.")), folder)
    if any(file.startswith("liblapack.") for file in libraries):
        make_lapack(libraries, folder)


if __name__ == "__main__":
    sys.stdout.buffer.write(only_wanted(Path(sys.argv[1]).read_bytes()))
