"""The contract of back ends: every one has the same numbers, constants, steps and layout."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

from axletree.code.backends.c_backend import C, CBackEnd
from axletree.code.backends.contract import BackEnd
from axletree.code.backends.python_backend import PYTHON
from axletree.code.layout import program_layout
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import SINGLE
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, SEMI_IMPLICIT, StepLine, runge_kutta
from axletree.core.errors import CompilerError, SimulationError
from axletree.core.registry import UnknownNameError
from axletree.export.folder import with_assembled_start
from axletree.expr import exp, symbol
from axletree.simulation.simulate import simulate
from axletree.system.system import System

BACK_ENDS = {"C": C, "Python": PYTHON}
RULES = {"rk4": runge_kutta(CLASSICAL), "semi-implicit-euler": SEMI_IMPLICIT}
every_back_end = pytest.mark.parametrize("back_end", BACK_ENDS.values(), ids=BACK_ENDS)


def ready(name: str, outputs: Sequence[str] | None = ()) -> tuple[System, Program]:
    system = with_assembled_start(shipped_system(name))
    return system, lower(system, outputs, [Extra.SPLIT_RATES])


@every_back_end
@pytest.mark.parametrize("value", [0.1, -3.0, 1e-300, 1 / 3])
def test_literals_are_exact(back_end: BackEnd, value: float) -> None:
    text = back_end.number.literal(value)
    assert float(text.removeprefix("AXL_N(").rstrip(")")) == value
    assert value < back_end.number.largest


@every_back_end
def test_constants_are_where_the_accessor_says(back_end: BackEnd) -> None:
    _, program = ready("car")
    text = back_end.text(program)
    assert back_end.constant(program.constants.size - 1) in text
    loaded = back_end.load(program)
    assert loaded.language == back_end.name
    found = loaded.constants([q.default for q in program.parameters])
    expected = PYTHON.load(program).constants([q.default for q in program.parameters])
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@every_back_end
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["four-bar", pytest.param("skidder", marks=pytest.mark.slow)])
def test_a_stepper_takes_the_steps_of_a_run(back_end: BackEnd, rule: str, name: str) -> None:
    """With the projection of a closed loop inside."""
    outputs = [shipped_system(name).outputs[0].quantity.name]
    system, program = ready(name, outputs)
    stepper = back_end.stepper(program, RULES[rule], step=1e-3)
    stepper.advance(20)
    run = simulate(system, 0.02, step=1e-3, method=rule, outputs=outputs)
    assert stepper.time == pytest.approx(0.02, rel=1e-14)
    for column in run.names:
        scale = max(np.abs(run[column]).max(), 1e-3)
        assert stepper[column] == pytest.approx(run[column][-1], rel=1e-11, abs=1e-11 * scale)
    stepper.reset(start=0.5)
    assert stepper.time == 0.5
    first = [stepper[q.name] for q in program.states]
    assert first == pytest.approx([q.default for q in program.states], rel=1e-15)


@every_back_end
def test_an_input_goes_over_smoothly_with_its_rates(back_end: BackEnd) -> None:
    """As a run does whose table is the same polynomial, set anew before it has ended."""
    system, program = ready("skidder", ["articulation.angle", "articulation.angle_rate"])
    stepper = back_end.stepper(program, RULES["rk4"], step=1e-3)
    stepper.set_input("articulation.angle", 0.2, over=0.02)
    seen = []
    for k in range(40):
        if k == 10:
            stepper.set_input("articulation.angle", -0.1, over=0.02)
        seen.append((stepper["articulation.angle"], stepper["articulation.angle_rate"]))
        stepper.advance()
    angle, rate = np.array(seen).T
    assert angle[5] == pytest.approx(0.2 * (10 - 15 / 4 + 6 / 16) / 4**3, rel=1e-12)
    assert angle[10] == pytest.approx(0.1, rel=1e-12)
    assert rate[10] == pytest.approx(0.2 / 0.02 * 30 / 16, rel=1e-12)
    assert angle[-1] == -0.1
    assert rate[-1] == 0.0
    slope = np.gradient(angle, 1e-3, edge_order=2)
    assert np.abs(slope - rate)[1:-1].max() < 0.02 * np.abs(rate).max()


@pytest.mark.slow
@every_back_end
def test_an_input_that_jumps_is_that_of_a_run(back_end: BackEnd) -> None:
    system, program = ready("car", ["rear_left_brake.torque"])
    stepper = back_end.stepper(program, RULES["rk4"], step=1e-3)
    stepper.advance(5)
    stepper.set_input("rear_left_brake.torque", -200.0)
    stepper.advance(5)
    freely = simulate(system, 0.005, step=1e-3, outputs=())
    braked = simulate(
        system,
        0.005,
        step=1e-3,
        start=0.005,
        initial={name: freely[name][-1] for name in freely.states},
        inputs={"rear_left_brake.torque": -200.0},
        outputs=(),
    )
    for column in ("chassis.vx", "rear_left_axle.rate"):
        assert stepper[column] == pytest.approx(braked[column][-1], rel=1e-12)
    assert stepper["rear_left_brake.torque"] == -200.0
    assert abs(stepper["rear_left_axle.rate"] - freely["rear_left_axle.rate"][-1]) > 0.1


@every_back_end
def test_states_and_parameters_are_set_by_name(back_end: BackEnd) -> None:
    system, program = ready("pendulum")
    stepper = back_end.stepper(program, RULES["rk4"], step=1e-3)
    mass = next(q.name for q in program.parameters if q.name.endswith("mass"))
    stepper.set_parameter(mass, 3.0)
    stepper.set_state("pin.angle", 0.7)
    stepper.advance(50)
    run = simulate(system, 0.05, step=1e-3, initial={"pin.angle": 0.7}, parameters={mass: 3.0})
    assert stepper["pin.angle"] == pytest.approx(run["pin.angle"][-1], rel=1e-13)
    with pytest.raises(UnknownNameError, match="did you mean 'pin.angle'"):
        stepper["pin.angel"]
    with pytest.raises(UnknownNameError, match="unknown input"):
        stepper.set_input("pin.angle", 1.0)


@every_back_end
def test_a_rate_is_not_set_beside_its_input(back_end: BackEnd) -> None:
    stepper = back_end.stepper(ready("car")[1], RULES["rk4"], step=1e-3)
    with pytest.raises(UnknownNameError, match="steer.angle_rate"):
        stepper.set_input("steer.angle_rate", 1.0)


@every_back_end
@pytest.mark.parametrize("lines", RULES.values(), ids=RULES)
def test_a_run_that_diverges_says_so(build, back_end: BackEnd, lines: Sequence[StepLine]) -> None:
    program = lower(build({"x": exp(symbol("x"))}), extras=[Extra.SPLIT_RATES])
    stepper = back_end.stepper(program, lines, step=1.0)
    with pytest.raises(SimulationError, match="x is not finite any more"):
        stepper.advance(100)


def test_text_of_another_number_type_is_for_other_machines() -> None:
    single = CBackEnd(SINGLE)
    _, program = ready("pendulum")
    assert "#define AXL_REAL float" in single.text(program, RULES["rk4"])
    with pytest.raises(CompilerError, match="numbers of type double, not float"):
        single.load(program)


def test_the_layout_says_what_is_where() -> None:
    system, program = ready("car", None)
    layout = json.loads(json.dumps(program_layout(program)))
    for title, quantities in (
        ("states", program.states), ("inputs", program.inputs),
        ("parameters", program.parameters), ("outputs", program.outputs),
    ):  # fmt: skip
        assert [e["name"] for e in layout[title]] == [q.name for q in quantities]
        assert [e["index"] for e in layout[title]] == list(range(len(quantities)))
        assert layout["sizes"][title] == len(quantities)
    steer = layout["inputs"][1]
    assert (steer["unit"], steer["derivative_of"]) == ("rad/s", "steer.angle")
    assert {e["tuning"] for e in layout["parameters"]} == {"tunable"}
    assert layout["states"][0]["start"] == 20.0
    shared = program_layout(lower(system, (), equal_laws=True))
    structural = [e for e in shared["parameters"] if e["tuning"] == "structural"]
    assert len(structural) == len(lower(system, (), equal_laws=True).ties)
    assert structural[0]["equal_to"].partition(".")[2] == structural[0]["name"].partition(".")[2]
