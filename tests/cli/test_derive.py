"""``derive`` on models with calls: blocks, statements, counts of a component."""

from __future__ import annotations

import re

from typer.testing import CliRunner, Result

from axletree.cli.app import EXIT_USER_ERROR, app


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def output(*arguments: str) -> str:
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_blocks_of_the_car_are_counted() -> None:
    text = output("derive", "car")
    for title in (
        "1  intermediate variables",
        "2  external calls",
        r"     magic_formula_52, each of 4",
        "3  system equations",
        "right-hand side, total",
    ):
        assert re.search(rf"^{title} +\d+ +\d+ +\d+ +\d+$", text, re.MULTILINE), title


def test_long_equations_are_shown_on_request_only() -> None:
    text = output("derive", "car")
    assert "operations in full; --equations shows them" in text
    assert "M[chassis.vx" not in text
    assert "front_left_tyre.law.*" in text
    assert "M[strut.speed, strut.speed] = upright.mass + wheel.mass" in output(
        "derive", "quarter-car"
    )
    assert "M[" not in output("derive", "quarter-car", "--no-equations")


def test_intermediate_variables_stand_with_unit_and_statement() -> None:
    text = output("derive", "quarter-car")
    assert re.search(
        r"^  tyre\.VEx +\[m/s\] +sliding speed at the effective radius\n"
        r"      = -axle\.rate\*tyre\.loaded_radius$",
        text,
        re.MULTILINE,
    )


def test_the_statements_of_a_block() -> None:
    text = output("derive", "car", "--block", "2")
    assert text.startswith("car, block 2: external calls\n")
    assert re.search(r"^  front_left_tyre\.Fy = magic_formula_52_\d\.Fy$", text, re.MULTILINE)
    last = output("derive", "pendulum", "--block", "3")
    assert last.splitlines() == [
        "pendulum, block 3: system equations",
        "  d(pin.rate)/dt = sin(pin.angle)*c[0]",
        "  d(pin.angle)/dt = pin.rate",
        "constants, computed once",
        "  c[0] = rod.top.z*rod.mass*gravity.z/(rod.inertia.yy + rod.top.z*rod.mass*rod.top.z)",
    ]


def test_a_block_that_there_is_not() -> None:
    result = invoke("derive", "pendulum", "--block", "4")
    assert result.exit_code == EXIT_USER_ERROR
    assert "--block" in result.output


def test_a_component_is_counted_in_both_ways() -> None:
    text = output("derive", "car", "--component", "front_left_tyre")
    assert re.search(
        r"^V\*_Ex +446 +1208 +11 +2957 +\| +1 +1 +0 +0 +R_eff, Omega, V_Ex$", text, re.M
    )
    assert re.search(r"^VEx +35 +70 +4 +82 .* effective_radius, VCx$", text, re.MULTILINE)
    spring = output("derive", "car", "--component", "front_left_spring")
    assert "Morency" not in spring
    assert re.search(r"^force +2 +2 +0 +0", spring, re.MULTILINE)


def test_an_unknown_component_is_refused() -> None:
    result = invoke("derive", "car", "--component", "front_left_tire")
    assert result.exit_code == EXIT_USER_ERROR
    assert "did you mean 'front_left_tyre'" in result.output
