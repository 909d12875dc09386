"""Time of a fresh interpreter for ``import axletree``, for a model to be read and for the help.

Processor time on a busy machine with two cores, interpreter included: 0.03 s, 1.3 s and 0.09 s.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

PROGRAMS = {
    "import": "import axletree",
    "read-model": "import axletree; axletree.read_model('sedan')",
    "help": "import sys; sys.argv[1:] = ['--help']; import axletree.__main__ as a; a.main()",
}


@pytest.mark.parametrize("name", PROGRAMS)
def bench_start(benchmark: BenchmarkFixture, name: str) -> None:
    command = [sys.executable, "-c", PROGRAMS[name]]
    benchmark(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
