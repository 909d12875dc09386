"""Machines of a Dask cluster that work through tasks, as processes of one machine do.

Tasks travel in chunks, which last so long that the scheduler is not what is waited for: it hands
out one task in some ``TASK_COST``, whatever the task is, so that with n workers a chunk should last
several n ``TASK_COST``. How tasks are put into chunks changes no result.

A worker that is killed takes its chunk with it, and the scheduler gives the chunk to another one.
A chunk that goes with several of them is taken apart, and its tasks are done one by one: the one
that ends its worker every time is lost, and nothing else.
"""

from __future__ import annotations

import platform
import threading
import time
import warnings
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, TypeVar

from axletree.analysis.studies.sweep_plan import PACKAGES, SweepError
from axletree.analysis.studies.workers import DoneTask, Executor, LocalProcesses, LostTask
from axletree.core.cores import usable_cores
from axletree.core.errors import AxletreeError, ModelWarning

_T = TypeVar("_T")
_R = TypeVar("_R")

MOST_WORKERS: Final = 256  # processes of this machine
TASK_COST: Final = (
    5e-4  # s of the scheduler for a task, from benchmarks/bench_cluster.py, rounded up
)
SHORTEST_CHUNK: Final = 1.0  # s
_SLACK: Final = 4.0  # times what the scheduler needs to hand out a task to every worker
_AHEAD: Final = 2  # chunks for each worker: one that is done, and one that waits there
_PULSE: Final = 0.5  # s between looks at whether all is well
_LONELY: Final = 30.0  # s without a worker, after which it is told


def executor_of(workers: int | None, client: Any) -> Executor:
    """Who runs the tasks of a study: processes of this machine, or the machines of a cluster."""
    if client is not None:
        if workers is not None:
            raise SweepError(
                f"{workers} workers are processes of this machine, and a cluster has its own; "
                "leave out either of them"
            )
        return DaskMachines(_connected(client))
    if workers is None:
        return LocalProcesses(usable_cores())
    if not 1 <= workers <= MOST_WORKERS:
        raise SweepError(f"{workers} workers: expected 1 to {MOST_WORKERS}")
    return LocalProcesses(workers)


def _connected(client: Any) -> Any:
    """A client of Dask as it is; of an address, one that is connected with its scheduler."""
    try:
        from distributed import Client
    except ImportError:
        raise SweepError(
            'machines of a cluster need Dask: pip install "axletree[cluster]"'
        ) from None
    if isinstance(client, Client):
        return client
    if not isinstance(client, str):
        raise SweepError(
            f"client is {client!r}; expected a client of Dask, or the address of its scheduler, "
            "such as tcp://10.0.0.1:8786"
        )
    try:
        return Client(client, timeout="10s", set_as_default=False)
    except (OSError, ValueError, TimeoutError, RuntimeError) as error:
        raise SweepError(f"no scheduler answers at {client}: {error}") from None


@dataclass(frozen=True)
class DaskMachines:
    """The workers of a Dask cluster."""

    client: Any

    def work_through(
        self, tasks: Sequence[_T], work: Callable[[_T], _R]
    ) -> Generator[DoneTask[_T, _R] | None, None, None]:
        """Results as they come, and None now and then while there are none."""
        travelling = getattr(work, "travelling", None)
        crew = _Chunks(self.client, work if travelling is None else travelling(), list(tasks))
        try:
            yield from crew.results()
        finally:
            crew.cancel()


@dataclass(frozen=True)
class _Sent:
    """Tasks that are on their way together; ``is_alone``: a suspect, beside which nothing is."""

    tasks: list[Any]
    is_alone: bool = False


@dataclass
class _Chunks:
    """Tasks that wait, chunks on their way, and how long a task takes."""

    client: Any
    work: Callable[[Any], Any]
    waiting: list[Any]
    suspects: list[Any] = field(default_factory=list)  # of chunks whose workers ended
    futures: dict[Any, _Sent] = field(default_factory=dict)
    seconds: float = 0.0
    done: int = 0

    def __post_init__(self) -> None:
        self.waiting.reverse()
        self._begin = time.monotonic()
        self._is_lonely = False
        # As a task of its own: what is lost with a worker is made again on another one.
        self.work = self.client.submit(_as_it_is, self.work, pure=False)

    def results(self) -> Generator[DoneTask[Any, Any] | None, None, None]:
        while self.waiting or self.futures or self.suspects:
            self._send()
            finished = self._finished()
            if not finished:
                yield None
            for future in finished:
                yield from self._received(future, self.futures.pop(future))

    def _send(self) -> None:
        """Chunks for all workers; suspects one at a time, when nothing else can suffer by them."""
        workers = sum(self.client.nthreads().values())
        self._tell_of_workers(workers)
        size = self._size(max(workers, 1))
        while self.waiting and len(self.futures) < _AHEAD * max(workers, 1):
            chunk = [self.waiting.pop() for _ in range(min(size, len(self.waiting)))]
            self._submit(_Sent(chunk))
        if not self.waiting and not self.futures and self.suspects:
            self._submit(_Sent([self.suspects.pop()], is_alone=True))

    def _size(self, workers: int) -> int:
        """Of a chunk: so long as the scheduler needs it to be, and so short that all have some."""
        if not self.done:
            return 1
        wanted = max(SHORTEST_CHUNK, _SLACK * TASK_COST * workers)
        fair = -(-len(self.waiting) // (_AHEAD * workers))
        return max(1, min(int(wanted * self.done / max(self.seconds, 1e-9)), fair))

    def _submit(self, sent: _Sent) -> None:
        future = self.client.submit(_do_chunk, self.work, sent.tasks, _versions(), pure=False)
        self.futures[future] = sent

    def _finished(self) -> list[Any]:
        from distributed import TimeoutError as NothingYet
        from distributed import wait

        if not self.futures:
            return []
        try:
            with self.client.as_current():
                found = wait(list(self.futures), timeout=_PULSE, return_when="FIRST_COMPLETED")
        except NothingYet:
            return []
        return list(found.done)

    def _received(
        self, future: Any, sent: _Sent
    ) -> Generator[DoneTask[Any, Any] | None, None, None]:
        from distributed import KilledWorker

        tasks = sent.tasks
        error = future.exception() if future.status != "finished" else None
        if isinstance(error, AxletreeError):
            raise error
        if isinstance(error, KilledWorker) and not sent.is_alone:
            self.suspects += reversed(tasks)
            return
        if error is not None or future.status != "finished":
            reason = "its worker ended without a result, each time that it was tried"
            if error is not None and not isinstance(error, KilledWorker):
                reason = f"{type(error).__name__}: {error}"
            for task in tasks:
                yield DoneTask(task, LostTask(reason))
            return
        results, seconds = future.result()
        self.seconds += seconds
        self.done += len(tasks)
        for task, result in zip(tasks, results, strict=True):
            yield DoneTask(task, result)

    def _tell_of_workers(self, workers: int) -> None:
        if workers:
            self._begin, self._is_lonely = time.monotonic(), False
        elif not self._is_lonely and time.monotonic() - self._begin > _LONELY:
            self._is_lonely = True
            address = self.client.scheduler.address
            warnings.warn(f"{address} has no workers yet; start some there: dask worker {address} "
                          "--nthreads 1 --nworkers -1", ModelWarning, stacklevel=2)  # fmt: skip

    def cancel(self) -> None:
        """What is on its way is not wanted any more."""
        self.client.cancel([*self.futures, self.work], force=True)


def _as_it_is(work: Any) -> Any:
    return work


_ONE_AT_A_TIME: Final = threading.Lock()  # warnings, which runs listen to, are those of a process


def _do_chunk(
    work: Callable[[Any], Any], chunk: Sequence[Any], versions: dict[str, str]
) -> tuple[list[Any], float]:
    """On a worker: the results, and the seconds that they took."""
    own = _versions()
    if own != versions:
        other = ", ".join(f"{name} {own[name]} for {versions[name]}" for name in own
                          if own[name] != versions[name])  # fmt: skip
        raise SweepError(
            f"a worker on {platform.node()} has other versions than this machine: {other}; results "
            "would not be the same. Install these there"
        )
    with _ONE_AT_A_TIME:
        begin = time.perf_counter()
        return [work(task) for task in chunk], time.perf_counter() - begin


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # used from its sources
            found[name] = "not installed"
    return found
