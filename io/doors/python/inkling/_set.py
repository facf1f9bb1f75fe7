"""A set: the file that names the shards of one large pool."""

from __future__ import annotations

import json
import os
from typing import Any

from ._errors import CorruptFileError, FormatError


def shards_of_set(path: str) -> list[str]:
    """Where the shards of a set lie, in order; each is in the state in which it was joined."""
    try:
        with open(path, encoding="utf-8") as file:
            record: Any = json.load(file)
    except ValueError as error:
        raise FormatError(path, f"expected an inkling set, found {error}") from None
    if not isinstance(record, dict) or record.get("format") != "inkling set":
        raise FormatError(path, "expected an inkling set, as inkling parts join writes it")
    folder = os.path.dirname(os.path.abspath(path))
    shards = []
    for shard in record["shards"]:
        place = os.path.join(folder, shard["path"])
        with open(os.path.join(place, "manifest.json"), encoding="utf-8") as file:
            manifest: Any = json.load(file)
        if manifest.get("checksum") != shard["manifest"]:
            expectation = f"expected the shard that {path} names, found another, or another state"
            raise CorruptFileError(place, expectation)
        shards.append(place)
    return shards


def is_set(path: str) -> bool:
    """Whether a path is that of a file, as sets are: pools are folders."""
    return os.path.isfile(path)
