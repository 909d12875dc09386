"""``derive``, ``run`` and ``export`` on a pendulum that is also written down by hand."""

from __future__ import annotations

import json
import re
import warnings
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from typer.testing import CliRunner, Result

from axletree.__main__ import EXIT_INTERRUPTED
from axletree.catalogue import COMPONENTS
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.code.backends.runnable import warn_of_no_compiler
from axletree.core.progress import Progress
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

MODEL = """
import axletree as at

def pendulum():
    model = at.Model("pendulum")
    rod = model.add(at.RigidBody("rod", mass=2.0, inertia=(0.1, 0.1, 0.0)))
    pin = model.add(at.Revolute("pin", model.ground, rod.point(0, 0, 0.5), axis="y"))
    model.add(at.JointTorque("motor", pin))
    return model
"""
MASS, INERTIA, ARM, GRAVITY = 2.0, 0.1, 0.5, 9.80665


@pytest.fixture
def pendulum(tmp_path: Path) -> str:
    path = tmp_path / "mechanism.py"
    path.write_text(MODEL, encoding="utf-8")
    return f"{path}:pendulum"


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def output(*arguments: str | Path) -> str:
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


# -- derive ----------------------------------------------------------------------------
def test_derive_shows_the_equations_of_the_pendulum(pendulum: str) -> None:
    text = output("derive", pendulum)
    assert "degrees of freedom: 1" in text
    assert re.search(r"pin\.T1 +ground -> rod\.point1 ", text)
    assert re.search(r"^ +pin\.angle +\[rad\]", text, re.MULTILINE)
    assert "M[pin.rate, pin.rate] = rod.inertia.yy + rod.mass*rod.point1.z**2" in text
    assert re.search(r"^right-hand side, total( +\d+){4}$", text, re.MULTILINE)


def test_derive_counts_no_freedoms_where_nothing_moves() -> None:
    assert "degrees of freedom: no mechanical freedom\n" in output("derive", "rlc-circuit")


def test_derive_writes_matrices_that_sympy_reads(pendulum: str) -> None:
    text = output("derive", pendulum, "--notation", "sympy", "--equations-only")
    matrices = dict(line.split(" = ", 1) for line in text.splitlines())
    mass = sympy.sympify(matrices["mass_matrix"])
    values = {"rod.mass": MASS, "rod.inertia.yy": INERTIA, "rod.point1.z": ARM}
    numbers = {symbol: values[symbol.name] for symbol in mass.free_symbols}
    assert float(mass.subs(numbers)[0, 0]) == pytest.approx(INERTIA + MASS * ARM**2)


def test_derive_writes_latex_alone_on_request(pendulum: str) -> None:
    text = output("derive", pendulum, "--notation", "latex", "--equations-only")
    assert text.startswith(r"\begin{aligned}")
    assert text.endswith("\\end{aligned}\n")


def test_another_tree_gives_absolute_coordinates_and_constraints(pendulum: str) -> None:
    text = output("derive", pendulum, "--tree", "rod")
    assert "degrees of freedom: 1" in text
    assert "Phi[" in text
    assert re.search(r"pin\.T1 .* chord ", text)


# -- run -------------------------------------------------------------------------------
def test_a_run_agrees_with_the_equation_written_by_hand(pendulum: str, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    output(
        "run", pendulum, "--duration", "2", "--step", "1 ms", "--out", folder,
        "--initial", "pin.angle=20 deg", "--input", "motor.torque=0.5*sin(3*t)",
        "--parameter", "rod.mass=2500 g", "--output", "energy.total",
    )  # fmt: skip
    run = Trajectory.read(folder / "run.csv")
    mass = 2.5

    def slope(t: float, x: np.ndarray) -> list[float]:
        torque = 0.5 * np.sin(3 * t) - mass * GRAVITY * ARM * np.sin(x[0])
        return [x[1], torque / (INERTIA + mass * ARM**2)]

    by_hand = solve_ivp(slope, (0, 2), [np.deg2rad(20), 0], rtol=1e-11, atol=1e-12)
    assert run["pin.angle"][0] == np.deg2rad(20)
    assert run["pin.angle"][-1] == pytest.approx(by_hand.y[0, -1], abs=1e-8)


def test_a_run_leaves_tables_a_picture_and_a_page_that_needs_no_other_file(
    pendulum: str, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    given = ["--duration", "0.1", "--step", "1 ms", "--out", folder, "--pictures"]
    text = output("run", pendulum, *given)
    names = sorted(path.name for path in folder.iterdir())
    data = ["metrics.json", "run.csv", "run.npz", "states.png"]
    assert names == sorted(["model", "report.html", *data])
    assert all(str(folder / name) in text for name in names if name != "model")
    copied = (folder / "model" / "mechanism.py").read_text(encoding="utf-8")
    assert copied == MODEL
    assert len(Trajectory.read(folder / "run.npz")) == 101
    page = (folder / "report.html").read_text(encoding="utf-8")
    sources = re.findall(r'src="([^"]{0,30})', page)
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert '<iframe title="animation of ' in page
    links = set(re.findall(r'href="([^"#]+)"', page))
    assert links == set(data)  # beside the page, not on a network
    assert "<td>pin.angle</td><td>rad</td>" in page


def test_a_run_records_what_is_asked_for(pendulum: str, tmp_path: Path) -> None:
    output(
        "run", pendulum, "--duration", "1", "--step", "1 ms", "--record-interval", "50 ms",
        "--output", "energy.total", "--output", "pin.reaction.force.z", "--out", tmp_path,
    )  # fmt: skip
    run = Trajectory.read(tmp_path / "run.npz")
    assert run.names == ("pin.rate", "pin.angle", "energy.total", "pin.reaction.force.z")
    np.testing.assert_allclose(run.time, np.linspace(0.0, 1.0, 21))


def test_an_output_that_is_not_there_is_a_message(pendulum: str, tmp_path: Path) -> None:
    result = invoke(
        "run", pendulum, "--duration", "1", "--step", "0.1", "--output", "energy.totl",
        "--out", tmp_path,
    )  # fmt: skip
    assert result.exit_code == EXIT_USER_ERROR
    assert "did you mean 'energy.total'" in result.stderr


def test_a_model_that_proposes_a_start_for_more_than_its_states_runs(tmp_path: Path) -> None:
    """``start`` may name coordinates of chords, which help to assemble and are no states."""
    settings = ("--duration", "0.01", "--output", "energy.total", "--out", tmp_path)
    output("run", "motor-driven-slider-crank", *settings)
    run = Trajectory.read(tmp_path / "run.npz")
    assert run.complete
    assert run.time[-1] == pytest.approx(0.01)


def test_without_a_compiler_a_notice_is_one_sentence(
    pendulum: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXLETREE_CC", "none")
    warn_of_no_compiler.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        result = invoke(
            "run", pendulum, "--duration", "0.01", "--step", "1 ms", "--output", "energy.total",
            "--out", tmp_path,
        )  # fmt: skip
    assert result.exit_code == 0
    assert result.stderr.startswith("axletree: no C compiler is used, so generated Python runs")
    assert len(result.stderr.splitlines()) == 1
    assert re.search("than real time, in generated Python for want of a C compiler", result.stdout)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "of motion per second, in generated Python for want of a C compiler" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--step", "1 ms"], "the model proposes no duration; give one, for example --duration 10"),
        (["--duration", "3 m"], "'3 m' is a length (m), but a time (s) is expected"),
        (["--initial", "pin.angle"], "--initial 'pin.angle': expected NAME=VALUE"),
        (["--function", "my_law"], "for example --function my_law=my_law.c"),
        (["--initial", "pin.angel=1"], "unknown quantity 'pin.angel' in this model; did you mean"),
        (["--initial", "pin.angle=1 m"], "--initial pin.angle: '1 m' is a length"),
        (["--input", "motor.torque=sin(x)"], "--input motor.torque: as a value,"),
        (["--parameter", "rod.mass=1", "--parameter", "rod.mass=2"], "gives 'rod.mass' twice"),
        (["--method", "rk5"], "unknown method 'rk5'"),
        (["--tree", "rot"], "the tree names 'rot'"),
    ],
)
def test_a_mistake_is_a_message(pendulum: str, options: list[str], message: str) -> None:
    duration = [] if "--duration" in options or options[0] == "--step" else ["--duration", "1"]
    step = [] if "--step" in options else ["--step", "1 ms"]
    result = invoke("run", pendulum, *options, *duration, *step)
    assert result.exit_code == EXIT_USER_ERROR
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_an_interrupted_run_keeps_its_results_but_does_not_pass_for_complete(
    pendulum: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "show", interrupted)
    options = ["--duration", "1", "--step", "1 ms", "--output", "energy.total"]
    result = invoke("run", pendulum, *options, "--out", tmp_path)
    assert result.exit_code == EXIT_INTERRUPTED
    assert "interrupted from the keyboard; the results are not complete" in result.stderr
    assert 0 < len(Trajectory.read(tmp_path / "run.npz")) < 1001


def test_a_missing_file_is_a_message() -> None:
    result = invoke("derive", "no-such-file.yaml")
    assert result.exit_code == EXIT_USER_ERROR
    assert "no-such-file.yaml: there is no such file" in result.stderr


def test_results_that_cannot_be_written_are_a_message_before_the_run(
    pendulum: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(System, "simulate", lambda *_, **__: pytest.fail("the run was begun"))
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    result = invoke(
        "run", pendulum, "--duration", "0.1", "--step", "0.1", "--out", tmp_path / "taken"
    )
    assert result.exit_code == EXIT_USER_ERROR
    assert "cannot write" in result.output
    assert "Traceback" not in result.output


# -- export ----------------------------------------------------------------------------
def test_an_exported_project_lists_its_files(pendulum: str, tmp_path: Path) -> None:
    text = output("export", "c", pendulum, tmp_path / "project")
    assert text == f"{tmp_path / 'project'}: Makefile, layout.json, main.c, model.c, model.h\n"
    assert "pin.angle" in (tmp_path / "project" / "model.h").read_text(encoding="utf-8")


def test_an_unknown_target_is_refused(pendulum: str, tmp_path: Path) -> None:
    result = invoke("export", "fortan", pendulum, tmp_path / "project")
    assert result.exit_code == EXIT_USER_ERROR
    assert "unknown export 'fortan'" in result.stderr


# -- graph and schema ------------------------------------------------------------------
def test_the_graph_is_a_table_or_a_picture(pendulum: str, tmp_path: Path) -> None:
    assert re.search(r"pin\.R1 +ground -> rod\.point1 .* branch ", output("graph", pendulum))
    picture = tmp_path / "graph.svg"
    assert output("graph", pendulum, "--out", picture) == f"picture: {picture}\n"
    assert picture.read_text(encoding="utf-8").count("<svg") == 1


def test_a_picture_of_an_unknown_kind_is_refused(pendulum: str, tmp_path: Path) -> None:
    result = invoke("graph", pendulum, "--out", tmp_path / "graph.gif")
    assert result.exit_code == EXIT_USER_ERROR
    assert "expected a name that ends in .svg, .png, .pdf" in result.stderr


def test_the_schema_knows_every_component() -> None:
    schema = json.loads(output("schema"))
    assert {"required": ["components"]} in schema["anyOf"]
    assert set(COMPONENTS) <= set(schema["$defs"])


def test_a_c_function_is_given_with_the_command(tmp_path: Path) -> None:
    model, source = tmp_path / "own.yaml", tmp_path / "law.c"
    text = files("axletree").joinpath("data", "models", "quarter-car.yaml").read_text()
    model.write_text(re.sub(r"law: .*", "law: {type: external, function: my_law}", text))
    source.write_text(
        "void my_law(const double *input, double *output)\n"
        "{ int i; for (i = 0; i < 5; ++i) output[i] = 0.0 * input[0]; }\n"
    )
    arguments = [
        "run",
        model,
        "--duration",
        "0.1",
        "--output",
        "tyre.Fz",
        "--out",
        tmp_path / "out",
    ]
    missing = invoke(*arguments)
    assert missing.exit_code != 0
    assert "--function my_law=FILE" in missing.output
    output(*arguments, "--function", f"my_law={source}")


def test_a_run_can_be_audited(tmp_path: Path) -> None:
    only = ("--output", "energy.total")
    text = output("run", "pendulum", "--duration", "1", "--audit", *only, "--out", tmp_path)
    for told in (text, (tmp_path / "report.html").read_text(encoding="utf-8")):
        assert re.search(r"of the [\d.]+ J exchanged", told)


def test_an_audit_that_does_not_close_says_whether_steps_are_why(tmp_path: Path) -> None:
    only = ("--output", "energy.total")
    text = output("run", "slider-crank", "--duration", "0.1", "--audit", *only, "--out", tmp_path)
    found = re.search(r"J, (\S+) of the .*\s+With subdivided steps it is (\S+): it is", text)
    assert found is not None
    assert float(found[1]) > 1e-8 > float(found[2])
