"""FMUs that several tests look at, written once."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import axletree as at
from axletree.export.fmu.binaries import this_platform
from axletree.export.fmu.write import write_fmu
from axletree.system.system import System

OUTPUTS = {
    "pendulum": ("energy.total", "rod.rotation.11"),
    "four-bar": ("energy.total", "rocker.angular_velocity.y"),
    "bicycle-car": ("front_tyre.Fy", "rear_tyre.slip_angle", "chassis.vy_dot"),
}
_FOLDER = tempfile.TemporaryDirectory(prefix="axletree-test-fmu-")


@cache
def system_of(name: str) -> System:
    return at.read_model(name).formulate()


@cache
def fmu_of(name: str, version: int, *, method: str | None = None) -> Path:
    file = Path(_FOLDER.name) / f"{name}-{version}-{method}.fmu"
    outputs = OUTPUTS.get(name)
    return write_fmu(
        at.read_model(name), file, fmi=version, method=method, outputs=outputs,
        platforms=[this_platform()],
    )  # fmt: skip
