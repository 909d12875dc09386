"""Systems from equations written by hand, against closed forms and component models."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy
from mechanisms.shipped_run import shipped_system
from scipy.special import ellipk

import axletree as at
from axletree.export.c_project import write_c_project
from axletree.export.fortran import write_fortran
from axletree.export.matlab import write_matlab
from axletree.expr.quantity import Role
from axletree.language.state_space import StateSpace, state_space
from axletree.language.variables import TIME, parameters, rate, variables
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.projected import Projected

needs_make = pytest.mark.skipif(
    shutil.which("make") is None or shutil.which("cc") is None, reason="needs make and cc"
)
LENGTH, GRAVITY, MASS = 1.5, 9.81, 2.0


def rod_pendulum() -> StateSpace:
    """A mass on a rod, in Cartesian coordinates, y upwards: index 3."""
    x, y, tension = variables("x y tension")
    m, g, L = parameters("m g L")
    equations = [
        sympy.Eq(m * rate(x, 2), -tension * x / L),
        sympy.Eq(m * rate(y, 2), -m * g - tension * y / L),
    ]
    return state_space(
        "rod_pendulum",
        equations,
        [x, y],
        parameters={m: (MASS, "kg", "mass"), g: (GRAVITY, "m/s^2"), L: LENGTH},
        algebraic=[tension],
        constraints=[(x**2 + y**2 - L**2) / (2 * L)],
        units={x: "m", y: "m", tension: "N"},
        descriptions={tension: "pull of the rod on the mass"},
        start={y: -LENGTH},
        outputs={"rise": rate(y, 2), "speed": sympy.sqrt(rate(x) ** 2 + rate(y) ** 2)},
    )


@pytest.mark.parametrize("form", [Baumgarte(), Baumgarte.oscillator(1.0, 30.0), Projected()])
def test_the_period_of_a_pendulum_is_that_of_the_elliptic_integral(
    form: Baumgarte | Projected,
) -> None:
    system = rod_pendulum().system(form)
    amplitude = 2.0  # rad: above the horizontal
    start = {"x": LENGTH * np.sin(amplitude), "y": -LENGTH * np.cos(amplitude)}
    run = system.simulate(12.0, step=1e-3, initial=start)
    x, v = run.columns["x"], run.columns["V_x"]
    before = np.flatnonzero((x[:-1] > 0.0) & (x[1:] <= 0.0))
    crossings = run.time[before] - x[before] / v[before]  # there x has no curvature
    period = 4.0 * np.sqrt(LENGTH / GRAVITY) * ellipk(np.sin(amplitude / 2.0) ** 2)
    assert np.diff(crossings) == pytest.approx(period, rel=2e-7)


@pytest.mark.parametrize(("form", "gap"), [(Baumgarte(), 2e-8), (Projected(), 1e-14)])
def test_constraint_and_energy_are_kept(form: Baumgarte | Projected, gap: float) -> None:
    run = rod_pendulum().system(form).simulate(10.0, step=1e-3, initial={"x": 1.2, "y": 0.9})
    x, y, vx, vy = (run.columns[name] for name in ("x", "y", "V_x", "V_y"))
    assert np.abs(np.hypot(x, y) - LENGTH).max() < gap
    energy = 0.5 * (vx**2 + vy**2) + GRAVITY * y
    assert np.ptp(energy) < 1e-6 * GRAVITY * LENGTH
    wanted = MASS * ((vx**2 + vy**2) / LENGTH - GRAVITY * y / LENGTH)  # pull of the rod
    assert run.columns["rise"] == pytest.approx(-GRAVITY - wanted * y / (MASS * LENGTH), abs=1e-5)
    assert run.columns["tension"] == pytest.approx(wanted, rel=1e-6, abs=1e-6 * MASS * GRAVITY)


def test_roles_units_and_sentences_of_a_pendulum() -> None:
    system = rod_pendulum().system()
    roles = {q.name: (q.role, q.unit) for q in system.states}
    assert roles == {
        "x": (Role.COORDINATE, "m"),
        "y": (Role.COORDINATE, "m"),
        "V_x": (Role.SPEED, "m/s"),
        "V_y": (Role.SPEED, "m/s"),
    }
    assert [d.quantity.name for d in system.outputs] == ["tension", "rise", "speed"]
    assert system.outputs[0].quantity.description == "pull of the rod on the mass"
    assert {q.name: q.default for q in system.parameters} == {"m": 2.0, "g": 9.81, "L": 1.5}


def test_a_pendulum_hangs_and_swings_about_that() -> None:
    system = rod_pendulum().system()
    hanging = system.trim({}).states
    assert (hanging["x"], hanging["y"]) == pytest.approx((0.0, -LENGTH))
    modes = system.linearise(hanging).eigenvalues
    assert modes == pytest.approx(np.array([1j, -1j]) * np.sqrt(GRAVITY / LENGTH), rel=1e-12)


def test_matrices_of_a_pendulum() -> None:
    space = rod_pendulum()
    m, g, L = parameters("m g L")
    x, y, vx, vy, pull = space.x
    assert [str(item.func) for item in space.x] == ["x", "y", "V_x", "V_y", "tension"]
    assert sympy.diag(1, 1, m, m, 0) == space.A
    wanted = [vx, vy, -pull * x / L, -m * g - pull * y / L, (x**2 + y**2 - L**2) / (2 * L)]
    assert sympy.simplify(space.B - sympy.Matrix(wanted)) == sympy.zeros(5, 1)
    assert space.algebraic == (pull,)
    assert r"\mathbf{A} \, \dot{\mathbf{x}} &= \mathbf{B}" in space.latex()
    assert space._repr_latex_() == f"$\\displaystyle {space.latex()}$"


def double_pendulum() -> tuple[StateSpace, at.System]:
    """Lagrange's equations written out for the shipped model, and that model."""
    shipped = shipped_system("double-pendulum")
    q1, q2 = variables("q1 q2")
    m, L, inertia, g = parameters("m L I g")
    x1, z1 = L / 2 * sympy.sin(q1), -L / 2 * sympy.cos(q1)
    x2 = L * sympy.sin(q1) + L / 2 * sympy.sin(q1 + q2)
    z2 = -L * sympy.cos(q1) - L / 2 * sympy.cos(q1 + q2)
    speeds = sum(rate(p) ** 2 for p in (x1, z1, x2, z2))
    turns = rate(q1) ** 2 + (rate(q1) + rate(q2)) ** 2
    lagrangian = m * speeds / 2 + inertia * turns / 2 - m * g * (z1 + z2)
    equations = [lagrangian.diff(rate(q)).diff(TIME) - lagrangian.diff(q) for q in (q1, q2)]
    gravity = {q.name: q.default for q in shipped.parameters}["gravity.z"]
    values = {m: 1.0, L: 1.0, inertia: 0.0834, g: abs(gravity)}
    names = {q1: "w1", q2: "w2"}
    return state_space("by_hand", equations, [q1, q2], parameters=values, velocities=names), shipped


def test_a_double_pendulum_by_hand_has_the_rates_of_the_shipped_model() -> None:
    space, shipped = double_pendulum()
    system = space.system()
    random = np.random.default_rng(4)
    names = {"q1": "shoulder.angle", "q2": "elbow.angle", "w1": "shoulder.rate", "w2": "elbow.rate"}
    for _ in range(5):
        state = dict(zip(names, random.normal(scale=2.0, size=4).tolist(), strict=True))
        mine = system.rhs(state)
        theirs = shipped.rhs({names[name]: value for name, value in state.items()})
        for name in names:
            assert mine[name] == pytest.approx(theirs[names[name]], rel=1e-12, abs=1e-12)


def test_the_inverse_in_sympy_is_the_system_in_numbers() -> None:
    space, _ = double_pendulum()
    state = {"q1": 0.4, "q2": -1.1, "w1": 0.7, "w2": 2.0}
    values = {x: state[str(x.func)] for x in space.x} | dict(space.parameters)
    numbers = [float(e) for e in space.explicit().xreplace(values)]
    assert numbers == pytest.approx(list(space.system().rhs(state).values()), rel=1e-12)


def bicycle(speed: float) -> StateSpace:
    """Lateral and yaw motion with relaxed linear tyres, and the way over the ground."""
    v, r, front, rear, delta, X, Y, psi = variables("v r Y_f Y_r delta X Y psi")
    m, inertia, a, b, cf, cr, sigma, u = parameters("m I a b C_f C_r sigma u")
    equations = [
        sympy.Eq(m * (rate(v) + u * r), front + rear),
        sympy.Eq(inertia * rate(r), a * front - b * rear),
        sympy.Eq(sigma * rate(front), u * (cf * (delta - (v + a * r) / u) - front)),
        sympy.Eq(sigma * rate(rear), u * (-cr * (v - b * r) / u - rear)),
        sympy.Eq(rate(X), u * sympy.cos(psi) - v * sympy.sin(psi)),
        sympy.Eq(rate(Y), u * sympy.sin(psi) + v * sympy.cos(psi)),
        sympy.Eq(rate(psi), r),
    ]
    values = {m: 1500, inertia: 2500, a: 1.2, b: 1.5, cf: 8e4, cr: 9e4, sigma: 0.3, u: speed}
    return state_space(
        "bicycle", equations, [v, r, front, rear, X, Y, psi], [delta], values,
        outputs={"lateral_acceleration": rate(v) + u * r},
        units={"lateral_acceleration": "m/s^2", delta: "rad"},
    )  # fmt: skip


def test_a_bicycle_model_has_the_state_matrices_of_the_textbook() -> None:
    u = 25.0
    system = bicycle(u).system()
    found = system.linearise(outputs=["lateral_acceleration"])
    moving = found.without_drift()
    assert found.drifting == ("X", "Y", "psi")
    assert moving.states == ("v", "r", "Y_f", "Y_r")
    m, inertia, a, b, cf, cr, sigma = 1500, 2500, 1.2, 1.5, 8e4, 9e4, 0.3
    A = [
        [0, -u, 1 / m, 1 / m],
        [0, 0, a / inertia, -b / inertia],
        [-cf / sigma, -cf * a / sigma, -u / sigma, 0],
        [-cr / sigma, cr * b / sigma, 0, -u / sigma],
    ]
    assert pytest.approx(np.array(A), rel=1e-13) == moving.A
    assert moving.B[:, 0] == pytest.approx([0, 0, u * cf / sigma, 0], rel=1e-13)
    assert moving.C[0] == pytest.approx([0, 0, 1 / m, 1 / m], rel=1e-13)


def test_a_bicycle_turns_as_its_understeer_gradient_says() -> None:
    u, steer = 25.0, 0.02
    steady = bicycle(u).system().trim({}, inputs={"delta": steer}).states
    m, a, b, cf, cr = 1500, 1.2, 1.5, 8e4, 9e4
    gradient = m / (a + b) * (b / cf - a / cr)
    assert steady["r"] == pytest.approx(u * steer / (a + b + gradient * u**2), rel=1e-10)


def test_a_constraint_among_the_equations_is_found_by_itself() -> None:
    space = rod_pendulum()
    rod = space.equations[-1]
    x, y, *_ = space.x
    m, g, L = parameters("m g L")
    (tension,) = space.algebraic
    rows = [rod, m * rate(x, 2) + tension * x / L, m * (rate(y, 2) + g) + tension * y / L]
    mixed = state_space("mixed", rows, [x, y], parameters=space.parameters, algebraic=[tension])
    state = {"x": 0.9, "y": -1.2, "V_x": 0.8, "V_y": 0.6}
    assert mixed.system().rhs(state) == pytest.approx(space.system().rhs(state), rel=1e-13)


@needs_make
def test_the_exported_c_program_prints_what_the_run_has(tmp_path: Path) -> None:
    system = rod_pendulum().system(Projected())
    folder = write_c_project(system, tmp_path / "pendulum")
    subprocess.run(["make", "run"], cwd=folder, capture_output=True, check=True)
    text = next(folder.glob("*.csv")).read_text()
    assert text.splitlines()[0].startswith("time [s],x [m],y [m],V_x [m/s],V_y [m/s],tension [N]")
    for write in (write_matlab, write_fortran):
        assert any(write(system, tmp_path / write.__name__).iterdir())
