"""The private cache: what is read is what was written, or nothing."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from axletree.core import cache
from axletree.core.cache import cache_folder, key_of, read_entry, write_entry

CONTENT = {"states": [0.1, -2.5e-300, float("inf")], "name": "Ä"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path / "cache"))


def entry(key: str) -> Path:
    return cache_folder() / f"{key}.json"


def test_what_was_kept_is_read_bit_by_bit() -> None:
    key = key_of("a run", 1.0)
    assert read_entry(key) is None
    write_entry(key, CONTENT)
    assert read_entry(key) == CONTENT
    assert [path.name for path in cache_folder().iterdir()] == [f"{key}.json"]
    assert entry(key).stat().st_mode & 0o777 == 0o600


def test_another_part_is_another_key() -> None:
    assert len({key_of(1.0), key_of(1), key_of("1"), key_of(1.0, None), key_of((1.0,))}) == 5


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-5]),  # a disk that was full
        lambda path: path.write_bytes(path.read_bytes().replace(b"0.1", b"0.2")),
        lambda path: path.write_bytes(b""),
        lambda path: path.chmod(0o666),  # anybody may have written it
        lambda path: path.rename(path.with_name(f"{key_of('other')}.json")),
    ],
)
def test_what_is_damaged_or_may_be_anothers_is_not_read(damage) -> None:  # type: ignore[no-untyped-def]
    key = key_of("run")
    write_entry(key, CONTENT)
    damage(entry(key))
    assert read_entry(key) is None
    assert read_entry(key_of("other")) is None


def test_a_cache_that_cannot_be_written_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path / "file" / "below"))
    write_entry(key_of("run"), CONTENT)
    assert read_entry(key_of("run")) is None


def test_another_state_of_the_program_has_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of("run")
    monkeypatch.setattr(cache, "package_digest", lambda: "of another version")
    assert key_of("run") != before


def test_what_is_not_used_for_long_is_forgotten() -> None:
    unused, used, new = key_of("unused"), key_of("used"), key_of("new")
    for key in (unused, used):
        write_entry(key, CONTENT)
        long_ago = time.time() - 40 * 86400.0
        os.utime(entry(key), (long_ago, long_ago))
    assert read_entry(used) == CONTENT
    write_entry(new, CONTENT)
    assert not entry(unused).exists()
    assert read_entry(used) == read_entry(new) == CONTENT
