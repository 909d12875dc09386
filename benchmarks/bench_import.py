"""Time of ``import axletree`` in a fresh interpreter; it is to stay well below a second."""

from __future__ import annotations

import subprocess
import sys

from pytest_benchmark.fixture import BenchmarkFixture


def bench_import(benchmark: BenchmarkFixture) -> None:
    benchmark(subprocess.run, [sys.executable, "-c", "import axletree"], check=True)
