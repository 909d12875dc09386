"""The node of ROS 2 and the S-function, against small stand-ins of these tools."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from mechanisms.shipped_run import shipped_system

from axletree.analysis.steady_start import steady_start
from axletree.catalogue import EXPORTS
from axletree.code.backends.c import find_compiler
from axletree.code.lowering import derivative_extras
from axletree.core.registry import load
from axletree.export.ros2_node import write_ros2_node
from axletree.export.s_function import write_s_function
from axletree.simulation.stepper.step_program import StartPoint
from axletree.simulation.stepper.stepper import Stepper

pytestmark = [
    pytest.mark.shipped_flags,
    pytest.mark.skipif(find_compiler() is None, reason="no C compiler"),
]
STAND_IN = Path(__file__).with_name("stand_in")
STRICT = ["-Wall", "-Wextra", "-Werror"]
OUTPUTS = ["front_tyre.Fy"]


def cruise() -> StartPoint:
    return steady_start(shipped_system("bicycle-car"), {"chassis.vx": "72 km/h"})


def driven() -> Stepper:
    """Ten steps, the input, and thirty more, as the stand-ins do."""
    s = shipped_system("bicycle-car").stepper(step=1e-3, outputs=OUTPUTS)
    s.reset(cruise())
    s.advance(steps=10)
    s["steer.angle"] = 0.02
    s.advance(steps=30)
    return s


def flags() -> list[str]:
    compiler = find_compiler()
    assert compiler is not None
    return [flag for flag in compiler.flags if flag not in ("-shared", "-fPIC", "-std=c99")]


def test_the_s_function_gives_what_the_stepper_gives(tmp_path: Path) -> None:
    compiler = find_compiler()
    assert compiler is not None
    system = shipped_system("bicycle-car")
    folder = write_s_function(system, tmp_path, starts=[cruise()], outputs=OUTPUTS)
    command = [
        *compiler.command, "-std=c99", *flags(), *STRICT, f"-I{STAND_IN}", "-o", "block",
        "model_sfun.c", "model.c", "-lm",
    ]  # fmt: skip
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (0, "")
    done = subprocess.run(["./block"], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr.startswith("an input of the model is not finite, or beyond the bounds")
    head, *values = done.stdout.splitlines()
    s = driven()
    assert head == f"2 {len(s.states) + 1} 1 0.001"
    expected = [*s.states.values(), s[OUTPUTS[0]]]
    assert [float.fromhex(value) for value in values] == expected


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
def test_the_node_gives_what_the_stepper_gives(tmp_path: Path) -> None:
    compiler = find_compiler()
    assert compiler is not None
    system = shipped_system("bicycle-car")
    folder = write_ros2_node(system, tmp_path, starts=[cruise()], outputs=OUTPUTS)
    ElementTree.parse(folder / "package.xml")
    source = folder / "src"
    for command in (
        [*compiler.command, "-std=c99", *flags(), *STRICT, "-c", "model.c"],
        ["g++", "-std=c++17", "-O1", *STRICT, f"-I{STAND_IN}", "-o", "node", "node.cpp", "model.o",
         "-lm"],
    ):  # fmt: skip
        made = subprocess.run(command, cwd=source, capture_output=True, text=True)
        assert (made.returncode, made.stderr) == (0, "")
    done = subprocess.run(["./node"], cwd=source, capture_output=True, text=True, check=True)
    first, second = done.stderr.splitlines()
    assert first == "3 inputs came; expected 2"
    assert second.startswith("input 1 is -inf; expected a value from -1.79769e+308 to")
    head, *values = done.stdout.splitlines()
    assert head == "1000000 40"
    s = driven()
    expected = [s.time, 0.0, *s.states.values(), s[OUTPUTS[0]]]
    assert [float.fromhex(value) for value in values] == expected


def test_every_project_in_c_has_the_same_model_with_its_derivatives(tmp_path: Path) -> None:
    system, names = shipped_system("bicycle-car"), ("c", "realtime", "ros2", "s-function")
    extras = derivative_extras(["jacobian", "hessian"], ["body.mass"])
    for name in names:
        load("export", name, EXPORTS)(
            system, tmp_path / name, outputs=OUTPUTS, extras=extras, by_parameters=["body.mass"]
        )
    sources = {path.read_text() for path in tmp_path.rglob("model.c")}
    headers = [path.read_text() for path in tmp_path.rglob("model.h")]
    assert (len(sources), len(headers)) == (1, len(names))
    for text in headers:
        for matrix in ("full_jacobian", "parameter_jacobian", "hessian"):
            assert f"void model_{matrix}(" in text
            assert f"extern const int model_{matrix}_starts[" in text


def test_the_catalogue_leads_here() -> None:
    assert load("export", "ros2", EXPORTS) is write_ros2_node
    assert load("export", "s-function", EXPORTS) is write_s_function
