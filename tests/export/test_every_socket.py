"""The script that tries all shipped models in all sockets, with the smallest of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from axletree.code.backends.c import find_compiler
from axletree.export.fmu.binaries import this_platform

SCRIPT = Path(__file__).parents[2] / "benchmarks/every_socket.py"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.shipped_flags,
    pytest.mark.skipif(
        find_compiler() is None
        or shutil.which("valgrind") is None
        or this_platform() != "x86_64-linux",
        reason="binaries are made, run and counted on linux64 alone",
    ),
]


def test_a_model_is_a_component_by_one_command() -> None:
    pytest.importorskip("fmpy")
    done = subprocess.run(
        [sys.executable, SCRIPT, "double-pendulum"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [
        ["double-pendulum", socket] for socket in ("c", "fmu", "realtime")
    ]
    assert lines[-1] == "0 failed"
