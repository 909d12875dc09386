"""A bar that shows how many points are done and how long the others will take."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


class PointBar:
    """On a terminal only; drawn when it is told to, without a thread of its own."""

    def __init__(self, known: int, total: int, word: str = "points") -> None:
        self._bar = _bar() if sys.stderr.isatty() and known < total else None
        # What was known before says nothing about how long a point takes.
        self._known, self._total, self._word = known, total, word

    def __enter__(self) -> PointBar:
        if self._bar is not None:
            self._bar.start()
            self._bar.add_task("sweep", total=self._total - self._known)
            self.show(0, 0)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, failed: int) -> None:
        """So many were run now, and so many of them failed."""
        if self._bar is None:
            return
        text = f"{self._known + done} of {self._total} {self._word}"
        text += f", {failed} failed" if failed else ""
        self._bar.update(self._bar.task_ids[0], completed=done, description=text, refresh=True)


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
    )
