"""Processes that work through tasks.

Each has a pipe of its own, so that one that ends without a word takes its task with it and
nothing else. They leave Ctrl-C to the process that started them, and end when that one does.
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
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

PULSE = 0.5  # s between looks at whether all is well


@dataclass(frozen=True)
class Lost:
    """A task whose process ended before it was done."""

    reason: str


@dataclass(frozen=True)
class Done(Generic[T, R]):
    """A task and what came of it."""

    task: T
    result: R | Lost


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work_through(
    tasks: Sequence[T], work: Callable[[T], R], processes: int
) -> Generator[Done[T, R] | None, None, None]:
    """Results as they come, and None now and then while there are none.

    When the iterator is closed, the processes end at once.
    """
    waiting = list(reversed(tasks))
    crew: dict[Any, tuple[Any, T]] = {}  # by connection: process and task
    try:
        while waiting or crew:
            while waiting and len(crew) < processes:
                connection, process = _start(work)
                crew[connection] = process, _hand(connection, waiting.pop())
            ready: list[Any] = wait(list(crew), timeout=PULSE)
            if not ready:
                yield None
            for connection in ready:
                process, task = crew.pop(connection)
                result = _receive(connection, process)
                if waiting and not isinstance(result, Lost):
                    crew[connection] = process, _hand(connection, waiting.pop())
                else:
                    _dismiss(connection, process)
                yield Done(task, result)
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


def _hand(connection: Connection, task: T) -> T:
    connection.send(task)
    return task


def _receive(connection: Connection, process: Any) -> Any:
    try:
        return connection.recv()
    except (EOFError, OSError):
        process.join()
        code = process.exitcode
        name = signal.Signals(-code).name if code and code < 0 else f"exit code {code}"
        return Lost(f"its process ended without a result ({name})")


def _dismiss(connection: Connection, process: Any) -> None:
    with contextlib.suppress(OSError):  # it may have ended
        connection.send(None)
    connection.close()
    process.join(PULSE)
    if process.is_alive():
        process.kill()
        process.join()


def _serve(connection: Connection, work: Callable[[Any], Any], parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - several progress bars are none
    while True:
        while not connection.poll(PULSE):
            if os.getppid() != parent:
                return
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        if task is None:
            return
        connection.send(work(task))
