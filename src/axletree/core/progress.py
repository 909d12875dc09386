"""A progress bar for runs that take long, and a line for what else does, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_PATIENCE: Final = 2.0  # s before the bar appears


class Progress:
    """Shows how much of the simulated time is done; nothing for a short run or a file."""

    def __init__(self, duration: float, doing: str = "simulating", unit: str = "s") -> None:
        """``duration`` is the whole of what is done, in the unit that is shown."""
        self._duration, self._doing, self._unit = duration, doing, unit
        self._begin = time.monotonic()
        self._bar: Bar | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: float) -> None:
        """``done`` of the whole is done."""
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
