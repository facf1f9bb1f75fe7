"""Outputs of Python never replace a device, a pipe, a link or a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

import inkling as ink

TEXTS = ["soil and sea", "sea and salt", "salt and soil", "ash"]


def session(_: Path) -> ink.Session:
    made = ink.Session(ink.Pool.from_text(TEXTS), random_state=1)
    made.rate(0, 1.0)
    return made


# How each function writes to a path, and whether it writes a stream, which a device or a pipe can take.
DOORS: dict[str, tuple[Callable[[Path, Path], object], bool]] = {
    "Session.save_events": (lambda folder, path: session(folder).save_events(path), True),
    "Session.save": (lambda folder, path: session(folder).save(path), False),
    "Session(file=)": (lambda _, path: ink.Session(ink.Pool.from_text(TEXTS), file=path), False),
    "Pool.save": (lambda _, path: ink.Pool.from_text(TEXTS).save(path), False),
    "Pool.save of a matrix": (lambda _, path: ink.Pool.from_csr(ink.Pool.from_text(TEXTS).X).save(path), False),
    "Pool.from_text": (lambda _, path: ink.Pool.from_text(TEXTS, out=path), False),
    "Pool.from_csr": (lambda _, path: ink.Pool.from_csr(ink.Pool.from_text(TEXTS).X, out=path), False),
}
doors = pytest.mark.parametrize("door", DOORS)


def try_to_write(door: str, folder: Path, path: Path) -> bool:
    """Writes to the path, and returns whether that succeeded."""
    try:
        DOORS[door][0](folder, path)
    except (OSError, ValueError):
        return False
    return True


@doors
def test_a_device_stays_one(door: str, tmp_path: Path) -> None:
    device = tmp_path / "device"
    try:
        os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 3))  # like /dev/null
    except PermissionError:
        pytest.skip("only root can make a device")
    assert try_to_write(door, tmp_path, device) == DOORS[door][1]
    assert stat.S_ISCHR(device.lstat().st_mode)
    assert list(tmp_path.iterdir()) == [device]


@doors
def test_a_pipe_stays_one(door: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        assert try_to_write(door, tmp_path, pipe) == DOORS[door][1]
        if DOORS[door][1]:
            assert b'"reward"' in os.read(reader, 65_536)
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


@doors
def test_a_link_stays_one(door: str, tmp_path: Path) -> None:
    link, other = tmp_path / "link", tmp_path / "other.txt"
    other.write_text("other")
    link.symlink_to(other)
    if try_to_write(door, tmp_path, link):
        assert '"reward"' in other.read_text()
    else:
        assert other.read_text() == "other"
    assert link.is_symlink()


@doors
def test_a_folder_with_something_in_it_stays_as_it_is(door: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "own.txt").write_text("own")
    assert not try_to_write(door, tmp_path, folder)
    assert [path.name for path in folder.iterdir()] == ["own.txt"]
    assert list(tmp_path.iterdir()) == [folder]
