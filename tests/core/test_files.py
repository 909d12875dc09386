"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from axletree.core import files
from axletree.core.errors import FileError, FullDiskError
from axletree.core.files import (
    check_writable,
    temporary_files,
    whole_file,
    whole_folder,
    write_text,
)


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


def test_a_file_of_a_new_folder_is_named_by_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    target = tmp_path / "run"
    with (
        pytest.raises(
            FullDiskError, match=f"cannot write {target}/a.csv: No space left.*; there is space in"
        ),
        whole_folder(target) as made,
    ):
        write_text(made / "a.csv", "text")
    assert not list(tmp_path.iterdir())


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


WRITERS = {
    "a file": "with whole_file(folder + '/run.csv') as stream:\n    stream.write(b'half')\n    ",
    "a folder": "with whole_folder(folder + '/run.csv') as made:\n    (made / 'a').touch()\n    ",
}


@pytest.mark.parametrize("kind", WRITERS)
def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path, kind: str) -> None:
    """While it lives, others leave it alone."""
    program = "import sys\nfrom axletree.core.files import whole_file, whole_folder\n"
    program += f"folder = sys.argv[1]\n{WRITERS[kind]}print('there', flush=True)\n    input()\n"
    (tmp_path / ".run.csv.mine").touch()
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as writer:  # fmt: skip
        assert writer.stdout is not None
        assert writer.stdout.readline() == "there\n"
        files._TIDIED.clear()
        write_text(tmp_path / "other", "")
        assert len(list(tmp_path.iterdir())) == 3  # the half, the other, and what is nobody's
        writer.send_signal(signal.SIGKILL)
    files._TIDIED.clear()
    write_text(tmp_path / "other", "")
    assert {path.name for path in tmp_path.iterdir()} == {".run.csv.mine", "other"}


def test_a_folder_does_not_get_the_name_of_a_picture(tmp_path: Path) -> None:
    """`animate --out x.png` would make one; a folder that is there has the name it has."""
    with pytest.raises(FileError, match=r"x.png: this is the name of a file.*; try .*/x$"):
        check_writable(tmp_path / "x.png")
    with pytest.raises(FileError, match=r"tyre.yaml: this is the name of a file"):
        check_writable(tmp_path / "tyre.yaml")
    (tmp_path / "x.png").mkdir()
    check_writable(tmp_path / "x.png")
    check_writable(tmp_path / "v1.2")


def test_a_device_or_a_pipe_is_never_replaced(tmp_path: Path) -> None:
    """`--out /dev/null` of the superuser would take it from all programs."""
    pipe, link = tmp_path / "pipe", tmp_path / "folder" / "report.html"
    os.mkfifo(pipe)
    link.parent.mkdir()
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(FileError, match=f"{path.name}: it is a device or a pipe; expected a"):
            write_text(path, "text")
    with whole_folder(link.parent) as made:
        (made / "report.html").write_text("text")
    assert link.read_text() == "text"
    assert pipe.is_fifo()


def test_to_try_a_folder_leaves_nothing_in_it(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    for place in ("old", "new", "new/er"):
        check_writable(tmp_path / place)
    assert [path.name for path in tmp_path.rglob("*")] == ["old"]
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="cannot write .*file"):
        check_writable(tmp_path / "file")


def test_a_folder_of_a_long_name_of_long_letters_is_written(tmp_path: Path) -> None:
    with whole_folder(tmp_path / ("ä" * 120)) as made:
        (made / "a").touch()
    assert [path.name for path in (tmp_path / ("ä" * 120)).iterdir()] == ["a"]


def test_a_name_may_have_bytes_that_are_no_text(tmp_path: Path) -> None:
    write_text(tmp_path / os.fsdecode(b"a\xff"), "text")
    assert os.listdir(os.fsencode(tmp_path)) == [b"a\xff"]


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.ENOSPC, "No space left"), "temporary files to .*: No space left; set"),
        (OSError(errno.ENOENT, "No usable temporary directory"), "temporary files: No usable"),
    ],
)
def test_a_full_disk_of_temporary_files_is_named(error: OSError, says: str) -> None:
    with pytest.raises(FullDiskError, match=says), temporary_files():
        raise error
    with pytest.raises(FileNotFoundError), temporary_files():
        raise FileNotFoundError(errno.ENOENT, "No such file", "model.c")
