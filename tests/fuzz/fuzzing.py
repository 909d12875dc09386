"""Changed files for every reader: `python tests/fuzz/fuzzing.py 100000` tries so many.

A second number is that of the first file of each reader: `fuzzing.py 100000 5000000` tries others.

A file is read, or refused by an error of the package in words; no library warns, no number is
anything but finite, and nothing takes long. What a reader does otherwise is printed with the number
that makes the same file again: `python tests/fuzz/fuzzing.py vehicle 4711` reads it once more.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.readers import READERS, Reader

from axletree.core.errors import AxletreeError, ModelWarning

LONGEST = 60.0  # s for one file, on a busy machine
TOGETHER = 100  # files that one process reads


class Fault(Exception):
    """What no file may bring about."""


def changed_file(name: str, number: int) -> bytes:
    reader, random = READERS[name], Random(f"{name} {number}")
    return reader.change(random, random.choice(reader.originals()))


def laid_out(reader: Reader, content: bytes, folder: Path) -> Path:
    path = folder / reader.file
    path.write_bytes(content)
    for beside, text in reader.beside:
        (folder / beside).write_text(text)
    return path


def try_file(name: str, number: int, folder: Path) -> str:
    """The message of a file that is refused; empty for one that is read."""
    reader = READERS[name]
    path = laid_out(reader, changed_file(name, number), folder)
    try:
        with warnings.catch_warnings(), _limited():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ModelWarning)  # words of the package for the user
            return _read(reader, path)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        raise Fault(f"{name} {number}: {type(error).__name__}: {error}") from error


def _read(reader: Reader, path: Path) -> str:
    try:
        numbers = np.asarray(reader.read(path), dtype=float)
    except AxletreeError as error:
        text = str(error)
        if not text.strip():
            raise Fault("a message without words") from error
        return text
    if not np.isfinite(numbers).all():
        raise Fault(f"numbers that are none: {numbers}")
    return ""


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Fault(f"more than {LONGEST:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def shares(count: int) -> dict[str, int]:
    """So many files in all, each reader with its share."""
    whole = sum(reader.share for reader in READERS.values())
    return {name: max(1, round(count * one.share / whole)) for name, one in READERS.items()}


def try_many(count: int, start: int = 0) -> int:
    """In processes of their own, which a file may end; how many faults there were."""
    faults = 0
    for name, files in shares(count).items():
        found = 0
        for first in range(start, start + files, TOGETHER):
            found += _in_process(name, range(first, min(first + TOGETHER, start + files)))
        print(f"{name}: {files} files, {found} faults", flush=True)
        faults += found
    return faults


def _in_process(name: str, numbers: range) -> int:
    with tempfile.TemporaryDirectory() as folder:
        reached = Path(folder, "reached")
        child = os.fork()
        if child == 0:
            os._exit(_work(name, numbers, Path(folder), reached))
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)
        last = int(reached.read_text())
        print(f"{name} {last}: ended the process by signal {os.WTERMSIG(status)}", flush=True)
    return 1 + (_in_process(name, range(last + 1, numbers.stop)) if last + 1 in numbers else 0)


def _work(name: str, numbers: range, folder: Path, reached: Path) -> int:
    faults = 0
    for number in numbers:
        reached.write_text(str(number))
        try:
            try_file(name, number, folder)
        except Fault as fault:
            faults += 1
            cause = fault.__cause__ or fault
            place = traceback.extract_tb(cause.__traceback__)[-1]
            print(f"{str(fault)[:300]}\n    {place.filename}:{place.lineno}", flush=True)
    return faults


def main(words: list[str]) -> int:
    if len(words) in (1, 2) and all(word.isdigit() for word in words):
        return min(try_many(*map(int, words)), 1)
    if len(words) == 2 and words[0] in READERS and words[1].isdigit():
        print(changed_file(words[0], int(words[1])).decode("utf-8", "backslashreplace"))
        with tempfile.TemporaryDirectory() as folder:
            print(try_file(words[0], int(words[1]), Path(folder)) or "read without complaint")
        return 0
    print(f"{__doc__}\nReaders: {', '.join(READERS)}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
