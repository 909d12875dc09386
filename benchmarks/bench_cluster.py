"""What a Dask scheduler takes for a task: processor time of its process, with 2, 4 and 8 workers.

Tasks do nothing, so that all that is measured is handing them out and taking their results back.
From it follow how long a chunk of a sweep has to be, and with how many workers a scheduler keeps up
(docs/how-to/clusters.md). Wall time would tell of whatever else the machine does.

    python benchmarks/bench_cluster.py [tasks [workers ...]]
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

TASKS, WORKERS = 100_000, (2, 4, 8)
PATIENCE = 600  # s: processes wait for one another where eight of them share few cores
CHUNK_SLACK = 4.0  # of machines.py


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if "model name" in line), "")


def nothing(k: int) -> int:
    return k


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, int, list[int]]]:
    """The address of a scheduler, its process, and those of its workers."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "scheduler.json")
        python = [sys.executable, "-m"]
        begun = [
            subprocess.Popen(
                [*python, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0",
                 "--no-dashboard", "--scheduler-file", str(file)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        ]  # fmt: skip
        try:
            while not file.exists() or not file.read_text():
                time.sleep(0.1)
            begun += [
                subprocess.Popen(
                    [*python, "distributed.cli.dask_worker", "--scheduler-file", str(file),
                     "--nthreads", "1", "--no-nanny", "--no-dashboard",
                     "--local-directory", folder],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
                for _ in range(workers)
            ]  # fmt: skip
            yield str(file), begun[0].pid, [one.pid for one in begun[1:]]
        finally:
            for one in reversed(begun):
                one.kill()  # a worker that has lost its scheduler looks for it
                one.wait()


def processor_seconds(*processes: int) -> float:
    import psutil

    times = [psutil.Process(one).cpu_times() for one in processes]
    return float(sum(one.user + one.system for one in times))


def measure(workers: int, tasks: int) -> tuple[float, float]:
    """Microseconds of the scheduler, and of a worker, for a task."""
    from distributed import Client, wait

    with (
        cluster(workers) as (file, scheduler, own),
        Client(scheduler_file=file, timeout=PATIENCE) as client,
    ):
        client.wait_for_workers(workers, timeout=PATIENCE)
        wait(client.map(nothing, range(1000), pure=False))
        before = processor_seconds(scheduler), processor_seconds(*own)
        futures = client.map(nothing, range(tasks), pure=False, batch_size=2000)
        wait(futures)
        after = processor_seconds(scheduler), processor_seconds(*own)
        assert futures[-1].result() == tasks - 1
    return tuple(1e6 * (b - a) / tasks for a, b in zip(before, after, strict=True))  # type: ignore[return-value]


def bench_cluster(tasks: int = TASKS, numbers: Sequence[int] = WORKERS) -> None:
    print(f"\n{processor()}; {tasks} tasks that do nothing")
    print("workers   scheduler [us/task]   workers [us/task]   tasks/s   shortest chunk at 10^4")
    for workers in numbers:
        scheduler, own = measure(workers, tasks)
        chunk = CHUNK_SLACK * 1e4 * 1e-6 * scheduler
        print(f"{workers:7}{scheduler:22.0f}{own:20.0f}{1e6 / scheduler:10.0f}{chunk:20.1f} s")


if __name__ == "__main__":
    for kind in ("COMM__TIMEOUTS__TCP", "COMM__TIMEOUTS__CONNECT", "SCHEDULER__WORKER_TTL"):
        os.environ.setdefault(f"DASK_DISTRIBUTED__{kind}", f"{PATIENCE}s")
    given = [int(one) for one in sys.argv[1:]] or [TASKS]
    bench_cluster(given[0], given[1:] or WORKERS)
