"""A progress bar for runs that take long, and a line for what else does, on a terminal only.

Where ``AXLETREE_PROGRESS`` names a file, progress is written there, too, for a program that started
this one and shows it itself.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_PATIENCE: Final = 2.0  # s before the bar appears
PROGRESS_FILE: Final = "AXLETREE_PROGRESS"  # the variable that names it
_PACE: Final = 0.2  # s between two writings


class Progress:
    """Shows how much of the simulated time is done; nothing for a short run or a file."""

    def __init__(self, duration: float, doing: str = "simulating", unit: str = "s") -> None:
        """``duration`` is the whole of what is done, in the unit that is shown."""
        self._duration, self._doing, self._unit = duration, doing, unit
        self._begin = time.monotonic()
        self._bar: Bar | None = None
        self._noted = 0.0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: float) -> None:
        """``done`` of the whole is done."""
        if (now := time.monotonic()) - self._noted > _PACE:
            self._noted = now
            note_progress(self._doing, done, self._duration, self._unit)
        if self._bar is None:
            if time.monotonic() - self._begin < _PATIENCE or not sys.stderr.isatty():
                return
            self._bar = _bar(self._unit)
            self._bar.start()
            self._bar.add_task(self._doing, total=self._duration)
        self._bar.update(self._bar.task_ids[0], completed=done)


@contextmanager
def doing(what: str) -> Iterator[None]:
    """A line that says what takes its time, gone when that is done.

    Example:
    >>> from axletree.core.progress import doing
    >>> with doing("compiling"):  # shown on a terminal
    ...     pass
    """
    note_progress(what)
    if not sys.stderr.isatty():
        yield
        return
    line = f"{what} ..."
    sys.stderr.write(line)
    sys.stderr.flush()
    try:
        yield
    finally:
        sys.stderr.write(f"\r{' ' * len(line)}\r")
        sys.stderr.flush()


def note_progress(doing: str, done: float = 0.0, whole: float = 0.0, unit: str = "") -> None:
    """Write to the file of ``AXLETREE_PROGRESS``, if there is one; without a whole nobody knows
    how much is done.

    Example:
    >>> from axletree.core.progress import note_progress
    >>> note_progress("simulating", 1.0, 4.0, "s")  # nobody asked for it
    """
    file = os.environ.get(PROGRESS_FILE)
    if not file:
        return
    noted = {"doing": doing, "done": done, "whole": whole, "unit": unit}
    try:
        with open(f"{file}.new", "w", encoding="utf-8") as stream:
            json.dump(noted, stream)
        os.replace(f"{file}.new", file)
    except OSError:  # whoever reads it may be gone
        return


def _bar(unit: str) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    return Bar(
        TextColumn(f"{{task.description}} {{task.completed:.3g}} of {{task.total:.3g}} {unit}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
