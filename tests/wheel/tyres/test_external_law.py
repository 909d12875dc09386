"""A law in C: declared in the model, defined afterwards, exchanged without deriving again."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.code.backends.c import find_compiler
from axletree.code.backends.runnable import compile_program
from axletree.code.external_functions import declared_functions
from axletree.code.lowering import Extra, lower
from axletree.core.errors import AxletreeError, CompilerError, ModelError
from axletree.export.c_project import write_c_project
from axletree.model.model import Model
from axletree.model_files.write import write_model
from axletree.system.system import System
from axletree.wheel.contract import Contact
from axletree.wheel.tyre import Tyre
from axletree.wheel.tyres.external_law import ExternalLaw
from axletree.wheel.tyres.ideal_laws import LinearTyre

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")

# The linear law of the bicycle car, once more, in C.
LINEAR_IN_C = """\
void my_law(const double *input, double *output)
{
    const double slip = input[0], alpha = input[1];
    output[0] = input[2] * slip;
    output[1] = -input[3] * alpha;
    output[2] = 0.0;
    output[3] = 0.0;
    output[4] = 0.0;
}

void my_law_slopes(const double *input, double *output)
{
    int i;
    for (i = 0; i < 20; ++i) {
        output[i] = 0.0;
    }
    output[0] = input[2];
    output[2] = input[0];
    output[5] = -input[3];
    output[7] = -input[1];
}
"""


def law(**fields: object) -> ExternalLaw:
    given = {"longitudinal": 40000.0, "lateral": 60000.0}
    return ExternalLaw(
        function="my_law", inputs=("longitudinal_slip", "slip_angle"), parameters=given, **fields
    )


def car_with(law: object) -> Model:
    described, model = at.read_model("bicycle-car"), at.Model("bicycle_car")
    for part in described:
        model.add(replace(part, law=law) if isinstance(part, Tyre) else part)
    model.start.update(described.start)
    return model


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "my_law.c"
    path.write_text(LINEAR_IN_C)
    return path


@pytest.fixture
def system(source: Path) -> System:
    return car_with(law(slopes=True)).formulate().with_functions({"my_law": source})


def linear() -> LinearTyre:
    return LinearTyre(slip_stiffness=40000.0, cornering_stiffness=60000.0)


def test_it_drives_as_the_same_law_in_python_does(system: System) -> None:
    settings = {
        "step": 1e-3,
        "outputs": ["front_tyre.Fy"],
        "inputs": {"steer.angle": "0.02*sin(t)"},
    }
    own = system.simulate(3.0, **settings)
    built_in = car_with(linear()).formulate().simulate(3.0, **settings)
    for name in ("chassis.vy", "front_tyre.Fy"):
        assert own[name] == pytest.approx(built_in[name], rel=1e-10, abs=1e-10)
    assert max(abs(own["front_tyre.Fy"])) > 100.0


def test_it_is_a_call_in_block_two(system: System) -> None:
    program = lower(system, outputs=())
    titles = {block.title: block for block in program.rhs.blocks}
    assert titles["external calls"].operations.functions >= 2


def test_another_text_needs_no_derivation(system: System, tmp_path: Path) -> None:
    slippery = tmp_path / "ice.c"
    slippery.write_text(LINEAR_IN_C.replace("-input[3] * alpha", "-0.1 * input[3] * alpha"))
    other = system.with_functions({"my_law": slippery})
    assert other.source is system.source
    turned = {q.name: q.default for q in system.states} | {"front_tyre.q2": 0.02}
    values = [s.rhs(turned)["chassis.vy"] for s in (system, other)]
    assert values[0] < -0.5
    assert values[1] == pytest.approx(0.1 * values[0], rel=1e-9)


def test_its_slopes_are_those_it_gives(system: System) -> None:
    built_in = car_with(linear()).formulate()
    matrices = []
    for s in (system, built_in):
        program = lower(s, outputs=(), extras=[Extra.JACOBIAN])
        run = compile_program(program)
        x = np.array([q.default for q in s.states]) + 0.01
        c = run.constants([q.default for q in s.parameters])
        dense = np.zeros(program.jacobian.shape)
        dense[program.jacobian.rows, program.jacobian.columns] = run.jacobian(
            0.0, x, [0.0] * len(s.inputs), c
        )
        matrices.append(dense)
    assert matrices[0] == pytest.approx(matrices[1], rel=1e-9, abs=1e-9)


def test_a_law_without_slopes_is_not_one_with_them(system: System) -> None:
    """Both have one name and no text yet; that the other exists must not show."""
    plain = car_with(law()).formulate()
    with pytest.raises(AxletreeError, match="no derivative rule"):
        lower(plain, extras=(Extra.JACOBIAN,))


def test_the_exported_project_holds_it(system: System, tmp_path: Path) -> None:
    folder = write_c_project(system, tmp_path / "project", outputs=["front_tyre.Fy"])
    assert "void my_law(" in (folder / "model.c").read_text()
    subprocess.run(["make", "run"], cwd=folder, check=True, capture_output=True)
    last = (folder / "run.csv").read_text().splitlines()[-1].split(",")
    run = system.simulate(1.0, step=1e-3, outputs=[])
    assert float(last[1]) == pytest.approx(run[run.names[0]][-1], rel=1e-12, abs=1e-12)


def test_without_a_text_nothing_runs() -> None:
    with pytest.raises(CompilerError, match=r"'my_law' is declared.*--function my_law=FILE"):
        car_with(law()).formulate().simulate(0.1, step=1e-3)


def test_a_text_that_does_not_define_it(tmp_path: Path) -> None:
    path = tmp_path / "other.c"
    path.write_text("void another(const double *input, double *output) {}\n")
    system = car_with(law()).formulate()
    with pytest.raises(CompilerError, match="does not define it"):
        system.with_functions({"my_law": path})
    with pytest.raises(CompilerError, match="no such file"):
        system.with_functions({"my_law": tmp_path / "nowhere.c"})
    with pytest.raises(AxletreeError, match="my_law"):
        system.with_functions({"mylaw": path})


@pytest.mark.parametrize(
    "text",
    ["void my_law(const double *input, double *output);", "/* void my_law(double *i) { } */"],
)
def test_a_declaration_or_a_comment_is_no_definition(tmp_path: Path, text: str) -> None:
    path = tmp_path / "declared.c"
    path.write_text(text)
    with pytest.raises(CompilerError, match="does not define it"):
        car_with(law()).formulate().with_functions({"my_law": path})


def test_one_file_may_define_two_laws(tmp_path: Path) -> None:
    """Both call a function beside them, which must not be defined twice."""
    path = tmp_path / "laws.c"
    texts = [
        "static double force(double stiffness, double slip) { return stiffness * slip; }",
        *(
            f"void {name}(const double *input, double *output)\n"
            "{ int i; for (i = 2; i < 5; ++i) { output[i] = 0.0; }\n"
            "output[0] = force(40000.0, input[0]); output[1] = force(-60000.0, input[1]); }"
            for name in ("front_law", "rear_law")
        ),
    ]
    path.write_text("\n".join(texts))
    described, model = at.read_model("bicycle-car"), at.Model("bicycle_car")
    for part in described:
        if isinstance(part, Tyre):
            name = "front_law" if "front" in part.name else "rear_law"
            inputs = ("longitudinal_slip", "slip_angle")
            part = replace(part, law=ExternalLaw(function=name, inputs=inputs, parameters={}))
        model.add(part)
    model.start.update(described.start)
    system = model.formulate().with_functions({"front_law": path, "rear_law": path})
    steered = {"inputs": {"steer.angle": "0.02*t"}, "step": 1e-3}
    run = system.simulate(1.0, **steered)
    wanted = car_with(linear()).formulate().simulate(1.0, **steered)
    for name in ("chassis.angle", "chassis.y"):
        assert run[name] == pytest.approx(wanted[name], rel=1e-10, abs=1e-10)


def test_results_that_a_law_does_not_write_end_the_run(tmp_path: Path) -> None:
    path = tmp_path / "short.c"
    path.write_text("void my_law(const double *input, double *output) { output[0] = input[0]; }")
    system = car_with(law()).formulate().with_functions({"my_law": path})
    with pytest.raises(AxletreeError, match="nan"):
        system.simulate(0.1, step=1e-3)


def test_slopes_that_are_promised_must_be_there(tmp_path: Path) -> None:
    path = tmp_path / "short.c"
    path.write_text(LINEAR_IN_C.partition("void my_law_slopes")[0])
    with pytest.raises(CompilerError, match="my_law_slopes"):
        car_with(law(slopes=True)).formulate().with_functions({"my_law": path})


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"function": "my law"}, "name of a C function"),
        ({"function": "f", "inputs": ["load"]}, "'load' is not one of normal_load"),
        ({"function": "f", "inputs": "slip_angle"}, "expected a list"),
        ({"function": "f", "parameters": {"a b": 1.0}}, "cannot name a parameter"),
        ({"function": "f", "parameters": {"a": "much"}}, "much"),
        ({"function": "f", "parameters": 3.0}, "expected a mapping"),
    ],
)
def test_wrong_declarations(fields: dict[str, object], expected: str) -> None:
    with pytest.raises(ModelError, match=expected):
        ExternalLaw(**fields)


def test_a_law_that_wants_what_the_tyre_does_not_have() -> None:
    wants = ExternalLaw(function="f", inputs=("inflation_pressure",))
    with pytest.raises(ModelError, match="asks for inflation_pressure"):
        wants(Contact(1.0, 0.0, 0.0))


def test_in_a_model_file(tmp_path: Path, source: Path) -> None:
    model = car_with(law())
    path = tmp_path / "own.yaml"
    write_model(model, path)
    assert "type: external" in path.read_text()
    again = at.read_model(path).formulate().with_functions({"my_law": source})
    names = [q.name for q in again.parameters]
    assert "front_tyre.law.lateral" in names
    assert again.simulate(0.1, step=1e-3).complete


def test_a_mistake_in_the_text_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "wrong.c"
    path.write_text(LINEAR_IN_C.replace("output[2] = 0.0;", "output[2] = nothing;"))
    with pytest.raises(CompilerError, match=r"(?s)wrong\.c does not compile.*wrong\.c:6") as told:
        car_with(law()).formulate().with_functions({"my_law": path})
    assert "generated" not in str(told.value)


def test_mathematics_is_there(tmp_path: Path) -> None:
    """As in generated code, so in the function that Python calls."""
    path = tmp_path / "tanh.c"
    path.write_text(LINEAR_IN_C.replace("input[2] * slip", "tanh(input[2] * slip)"))
    system = car_with(law()).formulate().with_functions({"my_law": path})
    (function,) = declared_functions(system).values()
    assert function.evaluate([0.5, 0.0, 2.0, 0.0])[0] == pytest.approx(np.tanh(1.0))
