"""Processes that work through tasks, and a bar that shows how many are done.

Each process has a pipe of its own, so that one that ends without a word takes its task with it
and nothing else. They leave Ctrl-C to the process that started them, and end when that one
does. A pool of ``concurrent.futures``, and that of ``loky`` after it, has one queue for all: when a
process of it ends, the pool is broken, and all tasks that wait fail alike
(``tests/analysis/test_executors.py`` shows it).
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from axletree.core.progress import note_progress

if TYPE_CHECKING:
    from rich.progress import Progress

_T = TypeVar("_T")
_R = TypeVar("_R")

_PULSE = 0.5  # s between looks at whether all is well


@dataclass(frozen=True)
class LostTask:
    """A task whose process ended before it was done."""

    reason: str


@dataclass(frozen=True)
class DoneTask(Generic[_T, _R]):
    """A task and what came of it."""

    task: _T
    result: _R | LostTask


class Executor(Protocol):
    """Who works through tasks: processes of this machine, or the machines of a cluster."""

    def work_through(
        self, tasks: Sequence[_T], work: Callable[[_T], _R]
    ) -> Generator[DoneTask[_T, _R] | None, None, None]:
        """Results as they come, and None now and then while there are none; closed, it ends."""
        ...


@dataclass(frozen=True)
class LocalProcesses:
    """So many processes of this machine, at most one for each task."""

    count: int

    def work_through(
        self, tasks: Sequence[_T], work: Callable[[_T], _R]
    ) -> Generator[DoneTask[_T, _R] | None, None, None]:
        return work_through(tasks, work, min(self.count, len(tasks)))


def work_through(
    tasks: Sequence[_T], work: Callable[[_T], _R], processes: int
) -> Generator[DoneTask[_T, _R] | None, None, None]:
    """Results as they come, and None now and then while there are none.

    When the iterator is closed, the processes end at once.
    """
    waiting = list(reversed(tasks))
    crew: dict[Any, tuple[Any, _T]] = {}  # by connection: process and task
    try:
        while waiting or crew:
            while waiting and len(crew) < processes:
                connection, process = _start(work)
                crew[connection] = process, _hand(connection, waiting.pop())
            ready: list[Any] = wait(list(crew), timeout=_PULSE)
            if not ready:
                yield None
            for connection in ready:
                process, task = crew.pop(connection)
                result = _receive(connection, process)
                if waiting and not isinstance(result, LostTask):
                    crew[connection] = process, _hand(connection, waiting.pop())
                else:
                    _dismiss(connection, process)
                yield DoneTask(task, result)
    finally:
        for connection, (process, _) in crew.items():
            process.terminate()
            _dismiss(connection, process)


def _start(work: Callable[[Any], Any]) -> tuple[Connection, Any]:
    """Forked where that is safe: what was prepared need not be prepared again."""
    safe = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    context: Any = multiprocessing.get_context("fork" if safe else "spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work, os.getpid()), daemon=True)
    with warnings.catch_warnings():
        # Threads of numerical libraries are no danger: those libraries see to forks.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    theirs.close()
    return ours, process


def _hand(connection: Connection, task: _T) -> _T:
    connection.send(task)
    return task


def _receive(connection: Connection, process: Any) -> Any:
    try:
        return connection.recv()
    except (EOFError, OSError):
        process.join()
        code = process.exitcode
        name = signal.Signals(-code).name if code and code < 0 else f"exit code {code}"
        return LostTask(f"its process ended without a result ({name})")


def _dismiss(connection: Connection, process: Any) -> None:
    with contextlib.suppress(OSError):  # it may have ended
        connection.send(None)
    connection.close()
    process.join(_PULSE)
    if process.is_alive():
        process.kill()
        process.join()


def _serve(connection: Connection, work: Callable[[Any], Any], parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - several progress bars are none
    while True:
        while not connection.poll(_PULSE):
            if os.getppid() != parent:
                return
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        if task is None:
            return
        connection.send(work(task))


class PointBar:
    """On a terminal only; drawn on request, without a thread of its own."""

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
        note_progress("sweep", self._known + done, self._total, self._word)
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
