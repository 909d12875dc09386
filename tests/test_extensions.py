"""A tyre law, a metric, an integrator and a joint, added by exactly what CONTRIBUTING says.

The blocks of the page are written into a temporary package, and its catalogue lines are added to
the sections of the catalogue: the page cannot say what does not work.
"""

from __future__ import annotations

import ast
import importlib
import math
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner
from wheel.tyres import test_laws as contract_of_laws

import axletree as at
from axletree import catalogue
from axletree.cli.app import app
from axletree.core.registry import load

PAGE = Path(__file__).parent.parent / "CONTRIBUTING.md"
PACKAGE = "own_extensions"
GRAVITY = 9.80665  # m/s^2
HEADINGS = {
    "TYRES": "### A tyre law",
    "METRICS": "### A metric",
    "INTEGRATORS": "### An integrator",
    "COMPONENTS": "### A joint",
}


def blocks(heading: str) -> tuple[str, str]:
    """The module and the catalogue line below a heading of the page."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n{heading}\n")[2]
    module, line = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[:2]
    assert module.startswith("# src/axletree/")
    return module, line


@pytest.fixture
def added(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The word by which an extension of a section of the catalogue is asked for."""
    section = request.param
    module, line = blocks(HEADINGS[section])
    ((word, place),) = ast.literal_eval(line.partition(" = ")[2]).items()
    assert line.partition(" = ")[0] == section
    name = f"{PACKAGE}_{section.lower()}"
    package = tmp_path / name
    package.mkdir()
    (package / "__init__.py").write_text("")
    file = module.splitlines()[0].removeprefix("# src/").removesuffix(".py").replace("/", ".")
    assert place.partition(":")[0] == file, "the catalogue line leads to the file of the block"
    (package / "extension.py").write_text(module)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    own = f"{name}.extension:{place.partition(':')[2]}"
    monkeypatch.setitem(getattr(catalogue, section), word, own)
    assert load("extension", word, getattr(catalogue, section))
    return str(word)


def of(section: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("added", [section], indirect=True)


@of("TYRES")
def test_a_law_keeps_the_contract_of_laws(added: str) -> None:
    law = contract_of_laws.made(added)
    contract_of_laws.test_is_declared_in_full(law)
    contract_of_laws.test_is_finite_everywhere(law)
    contract_of_laws.test_has_finite_slopes_everywhere(law)
    contract_of_laws.test_floats_arrays_and_expressions_agree(law)
    contract_of_laws.test_slopes_are_those_of_finite_differences(law)
    contract_of_laws.test_zero_load_gives_nothing(law)
    contract_of_laws.test_forces_oppose_sliding(law)
    contract_of_laws.test_a_mirror_turns_the_side_force(law)


@of("TYRES")
def test_a_law_is_in_model_files_and_runs(added: str) -> None:
    """By its name, without a line of code: the stopping distance is v^2 / (2 mu g) or more."""
    law = {"type": added, "stiffness": 20.0, "friction": 0.8}
    axles = {axle: {"tyre": {"law": law}} for axle in ("front", "rear")}
    model = at.read_model("sedan", {"vehicle": {"fidelity": "two-track", "axles": axles}})
    braking = model.manoeuvre("braking")
    run = model.formulate().drive(braking, method=model.run.method)
    found = {one.name: one.value for one in braking.findings(run)}
    least = (found["first_speed"] / 3.6) ** 2 / (2.0 * 0.8 * GRAVITY)
    assert least < found["stopping_distance"] < 2.0 * least


@of("METRICS")
def test_a_metric_is_among_the_findings_of_a_run(added: str, tmp_path: Path) -> None:
    path = tmp_path / "fast.yaml"
    path.write_text(
        "base: sedan\n"
        "vehicle: {fidelity: single-track}\n"
        "manoeuvres:\n"
        "  pulled: {type: coasting, speed: 20 m/s, forward: chassis.vx, duration: 1 s,\n"
        f"           metrics: [{{type: {added}}}]}}\n"
    )
    model = at.read_model(path)
    manoeuvre = model.manoeuvre("pulled")
    run = model.formulate().drive(manoeuvre, method=model.run.method)
    (found,) = [one for one in manoeuvre.findings(run) if one.name == "top_speed"]
    assert found.value == pytest.approx(float(run["vehicle.forward_speed"].max()))
    (mark,) = [mark for one in manoeuvre.diagrams(run) for mark in one.marks]
    assert (mark.y, mark.said) == (found.value, found)
    assert f"  {added} " in CliRunner().invoke(app, ["list", "metrics"]).output


@of("INTEGRATORS")
def test_an_integrator_is_a_method_of_runs(added: str) -> None:
    """With the order that it says, and listed by the command."""
    system = at.read_model("pendulum").formulate()
    exact = system.simulate(1.0, step=1e-4, method="rk4")["pin.angle"][-1]
    errors = [
        abs(system.simulate(1.0, step=step, method=added)["pin.angle"][-1] - exact)
        for step in (0.02, 0.01)
    ]
    order = load("method", added, catalogue.INTEGRATORS).order
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)
    assert f"  {added} " in CliRunner().invoke(app, ["list", "integrators"]).output


@of("COMPONENTS")
def test_a_joint_is_in_models_that_are_formulated(added: str, tmp_path: Path) -> None:
    """A rod on a pin in a horizontal slot: nothing pushes its centre of mass sideways, so that it
    swings about that, omega^2 = m g l / J."""
    m, J, length = 2.0, 0.3, 0.5  # kg, kg m^2, m
    path = tmp_path / "swing.yaml"
    path.write_text(
        "name: swing\n"
        "gravity: [0, 0, -9.80665]\n"
        "components:\n"
        f"  rod: {{type: rigid-body, mass: {m}, inertia: [{J}, {J}, {J}],\n"
        f"        frames: {{top: [0, 0, {length}]}}}}\n"
        f"  slot: {{type: {added}, tail: ground, head: rod.top}}\n"
    )
    system = at.read_model(path).formulate()
    assert [state.name for state in system.states] == [
        "slot.speed", "slot.rate", "slot.position", "slot.angle",
    ]  # fmt: skip
    modes = system.linearise({}).modes
    (frequency,) = {round(mode.frequency, 6) for mode in modes if mode.frequency > 1e-3}
    assert frequency == pytest.approx(math.sqrt(m * GRAVITY * length / J) / (2.0 * math.pi))
    run = system.simulate(1.0, step=1e-3, initial={"slot.angle": 0.2})
    sideways = run["slot.position"] - length * np.sin(run["slot.angle"])
    assert sideways == pytest.approx(sideways[0], abs=1e-9)
