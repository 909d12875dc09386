"""Equations in SymPy: the hand formula of the pendulum, and the program's own numbers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import sympy

import axletree as at
from axletree.core.errors import FormulationError
from axletree.expr import evaluate
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity, Role
from axletree.system.latex_names import latex_names
from axletree.system.system import System


def pendulum() -> Any:
    model = at.Model("pendulum")
    rod = model.add(at.RigidBody("rod", mass=1.0, inertia=(0.083, 0.083, 0.0)))
    model.add(at.Revolute("pin", model.ground, rod.point(0, 0, 0.5, "top"), axis="y"))
    return model


def slider_crank() -> Any:
    model = at.Model("slider_crank")
    crank = model.add(at.RigidBody("crank", 1.0, (0.1, 0.2, 0.2)))
    rod = model.add(at.RigidBody("rod", 2.0, (0.1, 0.7, 0.7)))
    slider = model.add(at.RigidBody("slider", 0.5, (0.1, 0.1, 0.1)))
    model.add(at.Revolute("a", model.ground, crank.point(-0.5, 0, 0), axis="y"))
    model.add(at.Revolute("b", crank.point(0.5, 0, 0), rod.point(-1, 0, 0), axis="y"))
    model.add(at.Revolute("c", rod.point(1, 0, 0), slider, axis="y"))
    model.add(at.Prismatic("guide", model.ground, slider, axis="x"))
    wall = model.ground.point(3, 0, 0)
    model.add(at.SpringDamper("spring", wall, slider, stiffness=30.0, damping=2.0))
    return model


def driven_motor() -> Any:
    """A DC machine on the arm of a driven carriage: inputs, and a state of its own."""
    model = at.Model("motor")
    cart = model.add(at.RigidBody("cart", 3.0, (1.0, 1.0, 1.0)))
    arm = model.add(at.RigidBody("arm", 1.0, (0.1, 0.2, 0.3), centre_of_mass=(0.2, 0.0, 0.1)))
    rail = model.add(at.Prismatic("rail", model.ground, cart, axis="x"))
    hinge = model.add(at.Revolute("hinge", cart, arm, axis="y"))
    model.add(at.JointForce("push", rail))
    model.add(at.ElectricalGround("earth", "minus"))
    model.add(at.VoltageSource("battery", "plus", "minus"))
    model.add(at.DCMachine("machine", hinge, "plus", "minus", 0.5, 2.0, 0.1))
    return model


MIXED = {"translation": ["rod"], "rotation": ["pin"]}
CASES = [
    (pendulum, None),
    (pendulum, ["rod"]),
    (pendulum, MIXED),
    (slider_crank, None),
    (slider_crank, ["crank", "rod", "slider"]),
    (driven_motor, None),
]


@pytest.mark.parametrize(("build", "tree"), CASES)
def test_the_equations_give_the_rates_of_the_program(build: Any, tree: Any) -> None:
    system = build().formulate(tree=tree)
    equations = system.equations()
    values = numbers(system)
    wanted = evaluate(list(system.derivatives), values)
    assert solved_rates(system, equations, values) == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def numbers(system: System) -> dict[Any, float]:
    """Random states and inputs, parameters as they are."""
    generator = random.Random(3)
    moving = (*system.states, *system.inputs)
    found = {q.symbol: generator.uniform(0.2, 1.2) for q in moving}
    found |= {q.symbol: q.default for q in system.parameters}
    return found | {system.time.symbol: 0.4}


def solved_rates(system: System, equations: Any, values: dict[Any, float]) -> list[float]:
    """M dp/dt + C^T f = b and C dp/dt = gamma, solved by NumPy; then dq/dt and dz/dt."""
    quantities = (system.time, *system.states, *system.inputs, *system.parameters)
    arguments = [equations[q.name] for q in quantities]
    numeric = [values[q.symbol] for q in quantities]

    def at_values(matrix: Any) -> np.ndarray:
        return np.array(sympy.lambdify(arguments, matrix, "numpy", cse=True)(*numeric), dtype=float)

    M, C = at_values(equations.mass_matrix), at_values(equations.constraint_jacobian)
    C = C.reshape(-1, len(M))
    whole = np.block([[M, C.T], [C, np.zeros((len(C), len(C)))]])
    right = np.concatenate(
        [
            at_values(equations.forcing).ravel(),
            at_values(equations.constraint_accelerations).ravel(),
        ]
    )
    rates = np.linalg.solve(whole, right)[: len(M)]
    others = (equations.kinematics, equations.internal_rates)
    return [*rates, *(x for matrix in others for x in at_values(matrix).ravel())]


def test_the_pendulum_by_hand() -> None:
    equations = pendulum().formulate().equations()
    m, inertia, z, g = (
        equations[name] for name in ("rod.mass", "rod.inertia.yy", "rod.top.z", "gravity.z")
    )
    angle, rate = equations["pin.angle"], equations["pin.rate"]
    assert equations.mass_matrix == sympy.Matrix([[inertia + m * z**2]])
    assert sympy.simplify(equations.forcing[0] - m * g * z * sympy.sin(angle)) == 0
    assert equations.kinematics == sympy.Matrix([rate])
    assert equations.multipliers.shape == equations.constraints.shape == (0, 1)


def test_the_constraint_jacobian_is_the_derivative_of_the_constraints() -> None:
    equations = pendulum().formulate(tree=MIXED).equations()
    t = equations.time
    pairs = zip(equations.coordinates, equations.kinematics, strict=True)
    by_time = equations.constraints.diff(t).subs({q.diff(t): h for q, h in pairs})
    difference = by_time - equations.constraint_jacobian * equations.speeds
    assert difference.shape == (3, 1)
    assert difference.applyfunc(sympy.simplify) == sympy.zeros(3, 1)


def test_what_changes_is_a_function_of_time() -> None:
    equations = pendulum().formulate().equations()
    assert equations["pin.angle"].diff(equations.time) != 0
    assert equations["rod.mass"].diff(equations.time) == 0


def test_simplify_is_on_request() -> None:
    model = at.Model("top")
    body = model.add(at.RigidBody("body", 1.0, (0.2, 0.2, 0.1)))
    model.add(at.Spherical("ball", model.ground, body.point(0, 0, -0.3)))
    system = model.formulate()
    plain, simple = (system.equations(simplify=wish).kinematics for wish in (False, True))
    assert simple.has(sympy.tan)
    assert not plain.has(sympy.tan)
    assert (plain - simple).applyfunc(sympy.simplify) == sympy.zeros(*plain.shape)


def test_the_text_names_every_entry() -> None:
    text = pendulum().formulate().equations().text().splitlines()
    assert text == [
        "M[pin.rate, pin.rate] = rod.inertia.yy + rod.mass*rod.top.z**2",
        "b[pin.rate] = gravity.z*rod.mass*rod.top.z*sin(pin.angle)",
        "d(pin.angle)/dt = pin.rate",
    ]


def test_the_latex_of_the_pendulum() -> None:
    latex = pendulum().formulate().equations().latex()
    assert r"M \dot{p} &= b" in latex
    assert r"I_{yy,\mathrm{rod}} + m_{\mathrm{rod}} z_{\mathrm{rod.top}}^{2}" in latex
    assert "(t" not in latex


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("build", "tree"), CASES)
def test_latex_is_balanced_and_each_name_is_legible(build: Any, tree: Any) -> None:
    from matplotlib.mathtext import MathTextParser

    system = build().formulate(tree=tree)
    latex = system.equations().latex()
    assert latex.count("{") == latex.count("}")
    assert latex.count(r"\left") == latex.count(r"\right")
    assert latex.count(r"\begin") == latex.count(r"\end")
    parser = MathTextParser("path")
    for name in latex_names(system.equations().symbols).values():
        assert parser.parse(f"${name}$").width > 0.0


def test_names_that_would_look_alike_are_spelt_out() -> None:
    names = latex_names(["joint.angle", "joint.pitch", "joint.yaw"])
    assert names["joint.yaw"] == r"\psi_{\mathrm{joint}}"
    assert names["joint.angle"] == r"\mathrm{angle}_{\mathrm{joint}}"
    assert len(set(names.values())) == 3


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(at.AxletreeError, match="pin.angel"):
        pendulum().formulate().equations()["pin.angel"]


def test_a_system_written_by_hand_has_no_mass_matrix() -> None:
    time = Quantity("time", "s", "time", Role.TIME)
    system = System("hand", time, (), (), (), (), (), (), None)
    with pytest.raises(FormulationError, match="written by hand"):
        system.equations()


def test_operations_of_the_pendulum() -> None:
    counts = pendulum().formulate().operations
    assert (counts.total.multiplications, counts.total.functions) == (1, 1)
    assert counts.constants.total == 5  # 1 / (I + m l^2) * m g l
    assert counts.projection.total == 0
    assert "right-hand side, total" in str(counts)


def test_blocks_add_up_to_the_right_hand_side() -> None:
    system = slider_crank().formulate()
    counts = system.operations
    assert counts.total == system.program(outputs=()).rhs.operations
    assert counts.projection.total > 0


def test_nothing_is_lost_where_nothing_moves() -> None:
    time = Quantity("time", "s", "time", Role.TIME)
    state = Quantity("a.b", "1", "a state", Role.STATE)
    system = System("still", time, (state,), (), (), (ZERO,), (), (), None)
    assert system.operations.total.total == 0
