"""Files are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from axletree.core.errors import FileError
from axletree.core.files import whole_file, write_text


@pytest.mark.parametrize(
    ("failure", "raised"), [(OSError("disk full"), FileError), (KeyboardInterrupt("stop"), None)]
)
def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, failure: BaseException, raised: type[BaseException] | None
) -> None:
    path = tmp_path / "run.csv"
    path.write_text("old")

    def write() -> None:
        with whole_file(path) as stream:
            stream.write(b"half")
            raise failure

    with pytest.raises(raised or type(failure), match=str(failure)):
        write()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["run.csv"]


def test_folders_are_made_and_links_followed(tmp_path: Path) -> None:
    write_text(tmp_path / "new" / "file.txt", "one")
    (tmp_path / "link").symlink_to(tmp_path / "new" / "file.txt")
    write_text(tmp_path / "link", "älter")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "new" / "file.txt").read_bytes() == b"\xc3\xa4lter"


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="it is a folder"):
        write_text(tmp_path, "text")
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="cannot write .*file.x"):
        write_text(tmp_path / "file" / "x", "text")


def test_a_file_has_the_mode_of_others_and_the_process_keeps_its_mask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mask that is changed for a moment would be that of files which other threads make."""
    (tmp_path / "other").touch()
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("the mask of the process is changed"))
    write_text(tmp_path / "file", "text")
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    write_text(tmp_path / ("n" * 250), "text")
    with pytest.raises(FileError, match="cannot write"):
        write_text(tmp_path / ("n" * 300), "text")
    assert [path.name for path in tmp_path.iterdir()] == ["n" * 250]
