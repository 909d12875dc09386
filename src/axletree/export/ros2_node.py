"""A system as a package of ROS 2: a node that steps it by a timer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from axletree.code.lowering import Extra
from axletree.export.c_project import model_files
from axletree.export.folder import fill, with_assembled_start, write_files
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.stepper.step_program import StartPoint, step_program
from axletree.system.system import System


def write_ros2_node(
    system: System,
    folder: str | Path,
    *,
    method: str | FixedStep | None = None,
    starts: Sequence[StartPoint] = (),
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
    by_parameters: Collection[str] | None = (),
) -> Path:
    """Write a package of ROS 2: ``package.xml``, ``CMakeLists.txt`` and ``src``.

    The node subscribes to inputs and publishes time, status, states and outputs, as arrays in the
    order of ``layout.json``. The arguments are those of ``write_c_project``. The sources are
    compiled and run against small stand-ins of ROS 2 by the tests, and not tried with ROS 2.

    Example:
    >>> import axletree as at
    >>> from axletree.export.ros2_node import write_ros2_node
    >>> folder = write_ros2_node(at.read_model("pendulum").formulate(), "node")
    >>> sorted(file.name for file in (folder / "src").iterdir())
    ['model.c', 'model.h', 'node.cpp']
    """
    prepared = step_program(
        with_assembled_start(system), method, outputs=outputs, extras=extras,
        by_parameters=by_parameters, starts=starts,
    )  # fmt: skip
    model = model_files(prepared)
    texts = {
        "package.xml": fill("ros2_package.xml"),
        "CMakeLists.txt": fill("ros2_CMakeLists.txt"),
        "layout.json": model["layout.json"],
        "src/node.cpp": fill(
            "ros2_node.cpp.jinja",
            places=[one.places[0] for one in prepared.shaped],
            bounds=prepared.input_bounds,
        ),
        "src/model.c": model["model.c"],
        "src/model.h": model["model.h"],
    }
    return write_files(folder, texts, "the node")
