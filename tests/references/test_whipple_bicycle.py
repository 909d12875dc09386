"""The Whipple bicycle on ideal wheels: the benchmark of Meijaard et al. 2007."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system
from oracles.whipple_bicycle import Bicycle, LinearBicycle, linear_bicycle
from scipy.linalg import expm
from scipy.optimize import brentq

import axletree as at
from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.linearise import linearise
from axletree.system.system import System

GRAVITY = 9.81
# Meijaard et al. 2007, section 5.
PUBLISHED = LinearBicycle(
    M=np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]]),
    C1=np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]]),
    K0=np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]]),
    K2=np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]]),
)
WEAVE, CAPSIZE = 4.2923825363, 6.0242620154  # m/s, where the modes become stable and unstable
# Table 2: speed, weave, capsize, castering.
TABLE = [
    (1.0, 3.52696170990070 + 0.80774027519930j, -3.13423125066698, -7.11008014637442),
    (2.0, 2.68234517512745 + 1.68066296590675j, -3.07158645641514, -8.67387984831735),
    (3.0, 1.70675605663975 + 2.31582447384325j, -2.63366137253667, -10.35101467245920),
    (4.0, 0.41325331521125 + 3.07910818603206j, -1.42944427361326, -12.15861426576447),
    (5.0, -0.77534188219585 + 4.46486771378823j, -0.32286642900409, -14.07838969279822),
]
RIGHT = np.diag([1.0, -1.0])  # the benchmark steers to the right, the model to the left
LEAN, STEER = "rear_frame.roll", "steer.angle"
KEPT = [LEAN, STEER, "rear_frame.wx", "steer.rate"]


@pytest.fixture(scope="module")
def bicycle() -> System:
    return shipped_system("whipple-bicycle")


def at_speed(bicycle: System, speed: float, **more) -> Linearisation:
    upright = {"rear_frame.vx": speed, "rear_frame.wx": 0.0, LEAN: 0.0, STEER: 0.0}
    return linearise(bicycle, upright | {"steer.rate": 0.0}, keep=KEPT, **more)


def matrices(bicycle: System, **more) -> LinearBicycle:
    """From the tool's linearisations at three speeds."""
    found = [
        at_speed(bicycle, speed, **more).second_order(
            [LEAN, STEER], ["lean_torque.torque", "steer_torque.torque"]
        )
        for speed in (0.0, 1.0, 4.0)
    ]
    still, slow, fast = found
    M, C1 = RIGHT @ still.M @ RIGHT, RIGHT @ slow.C @ RIGHT
    K0, K2 = still.K / GRAVITY, slow.K - still.K
    for one in found:
        assert pytest.approx(still.M, rel=1e-11) == one.M
    assert pytest.approx(4.0 * slow.C, rel=1e-10, abs=1e-10) == fast.C
    assert pytest.approx(still.K + 16.0 * K2, rel=1e-10, abs=1e-9) == fast.K
    return LinearBicycle(M, C1, RIGHT @ K0 @ RIGHT, RIGHT @ K2 @ RIGHT)


def assert_alike(found: LinearBicycle, expected: LinearBicycle) -> None:
    for name in ("M", "C1", "K0", "K2"):
        one, other = getattr(found, name), getattr(expected, name)
        assert one == pytest.approx(other, rel=1e-9, abs=1e-11), name


def test_the_formulas_give_what_is_published() -> None:
    assert_alike(linear_bicycle(Bicycle()), PUBLISHED)


@pytest.mark.validation("vehicles")
def test_the_published_matrices(bicycle: System, agrees: Agrees) -> None:
    found = matrices(bicycle)
    assert_alike(found, PUBLISHED)
    for name in ("M", "C1", "K0", "K2"):
        one, other = getattr(found, name), getattr(PUBLISHED, name)
        agrees(
            f"Whipple bicycle: matrix {name}", one, other, rel=1e-9, abs=1e-11,
            source="Meijaard et al. 2007, section 5",
        )  # fmt: skip


def test_a_bicycle_with_other_masses(bicycle: System) -> None:
    """Against the formulas: a light rider, a heavy fork, wheels that are flywheels."""
    usual = Bicycle()
    other = replace(
        usual,
        R=replace(usual.R, m=5.0, Ixx=0.2, Iyy=0.35),
        B=replace(usual.B, m=40.0, Ixx=6.0, Izz=3.5, Ixz=1.1),
        H=replace(usual.H, m=9.0, Ixx=0.3, Izz=0.25, Ixz=-0.05),
        F=replace(usual.F, m=1.5, Ixx=0.4, Iyy=0.7),
    )
    changed = {
        "rear_wheel.mass": 5.0, "rear_wheel.transverse_inertia": 0.2,
        "rear_wheel.axial_inertia": 0.35, "rear_frame.mass": 40.0,
        "rear_frame.inertia.xx": 6.0, "rear_frame.inertia.zz": 3.5, "rear_frame.inertia.xz": -1.1,
        "fork.mass": 9.0, "fork.inertia.xx": 0.3, "fork.inertia.zz": 0.25,
        "fork.inertia.xz": 0.05, "front_wheel.mass": 1.5,
        "rear_frame.inertia.yy": 8.0, "fork.inertia.yy": 0.2,  # play no part
        "front_wheel.transverse_inertia": 0.4, "front_wheel.axial_inertia": 0.7,
    }  # fmt: skip
    assert_alike(matrices(bicycle, parameters=changed), linear_bicycle(other))


@pytest.mark.parametrize(("speed", "weave", "capsize", "caster"), TABLE)
@pytest.mark.validation("vehicles")
def test_published_eigenvalues(
    bicycle: System, speed: float, weave: complex, capsize: float, caster: float, agrees: Agrees
) -> None:
    expected = [weave, weave.conjugate(), capsize, caster]
    by_matrices = PUBLISHED.eigenvalues(speed)
    found = at_speed(bicycle, speed).eigenvalues
    for value in expected:
        assert np.abs(by_matrices - value).min() < 1e-11 * abs(value)
    nearest = [found[np.abs(found - value).argmin()] for value in expected]
    agrees(
        f"Whipple bicycle at {speed:g} m/s: weave, capsize and castering", nearest, expected,
        rel=1e-11, unit="1/s", source="Meijaard et al. 2007, table 2",
    )  # fmt: skip
    assert np.sum(np.abs(found) < 1e-6) == 6  # place, heading, two angles of wheels, speed


@pytest.mark.validation("vehicles")
def test_weave_and_capsize_speeds(bicycle: System, agrees: Agrees) -> None:
    def weave(speed: float) -> float:
        return max(m.eigenvalue.real for m in at_speed(bicycle, speed).modes if m.swings)

    def capsize(speed: float) -> float:
        linear = at_speed(bicycle, speed).without_drift()
        lateral = [linear.states.index(name) for name in KEPT]
        values = np.linalg.eigvals(linear.A[np.ix_(lateral, lateral)])
        return float(values[np.abs(values).argmin()].real)

    for name, mode, low, high, expected in (
        ("weave", weave, 4.0, 4.6, WEAVE),
        ("capsize", capsize, 5.5, 6.5, CAPSIZE),
    ):
        agrees(
            f"Whipple bicycle: {name} speed", brentq(mode, low, high, xtol=1e-12), expected,
            abs=1e-10, unit="m/s", source="Meijaard et al. 2007, section 5",
        )  # fmt: skip


@pytest.mark.parametrize("speed", [3.0, 4.6, 8.0])
@pytest.mark.validation("numerics")
def test_energy_of_the_nonlinear_bicycle(bicycle: System, speed: float, agrees: Agrees) -> None:
    """Over 10 s or until it has fallen halfway over."""
    duration = {3.0: 1.2, 4.6: 10.0, 8.0: 10.0}[speed]
    run = bicycle.simulate(
        duration,
        step=1e-3,
        initial={"rear_frame.vx": speed, "rear_frame.wx": 0.3},
        outputs=["energy.total"],
        record_interval=0.01,
    )
    energy = run["energy.total"]
    assert np.abs(run[LEAN]).max() > 0.05
    agrees(
        "Whipple bicycle, falling or righting itself: energy", energy, energy[0], rel=1e-8,
        unit="J", case=f"{speed:g} m/s", source="Balance of energy, which is conserved",
    )  # fmt: skip


@pytest.mark.validation("vehicles")
def test_a_small_push_follows_the_linear_bicycle(bicycle: System, agrees: Agrees) -> None:
    speed, push = 5.0, 1e-5
    run = bicycle.simulate(
        2.0, step=1e-3, initial={"rear_frame.vx": speed, "rear_frame.wx": push, "steer.rate": 0.0}
    )
    linear = at_speed(bicycle, speed)
    first = np.zeros(len(linear.states))
    first[linear.states.index("rear_frame.wx")] = push
    last = expm(linear.A * 2.0) @ first
    for name in (LEAN, STEER):
        agrees(
            "Whipple bicycle, 2 s after a small push: angle", run[name][-1],
            last[linear.states.index(name)], rel=1e-4, unit="rad", case=name,
            source="Closed form, exponential of the linear system",
        )  # fmt: skip


@pytest.mark.validation("vehicles")
def test_wheels_carry_the_weight(bicycle: System, agrees: Agrees) -> None:
    run = bicycle.simulate(
        0.1, step=1e-3, initial={"rear_frame.vx": 4.0, "rear_frame.wx": 0.0},
        outputs=["rear_tyre.Fz", "front_tyre.Fz", "rear_tyre.Fx"],
    )  # fmt: skip
    front = (0.3 * 85.0 + 0.9 * 4.0 + 1.02 * 3.0) * GRAVITY / 1.02
    agrees(
        "Whipple bicycle: load of the front wheel", run["front_tyre.Fz"][-1], front, rel=1e-10,
        unit="N", source="Closed form, statics",
    )  # fmt: skip
    assert run["rear_tyre.Fz"][-1] == pytest.approx(94.0 * GRAVITY - front, rel=1e-10)
    assert run["rear_tyre.Fx"][-1] == pytest.approx(0.0, abs=1e-9)


def test_the_run_of_the_file_rights_itself() -> None:
    model = at.read_model("whipple-bicycle")
    settings = model.run
    run = model.formulate().simulate(
        settings.duration, step=settings.step, record_interval=0.02, outputs=settings.outputs
    )
    lean = np.abs(run[LEAN])
    assert run["rear_frame.vx"][0] == pytest.approx(4.6, rel=1e-6)
    assert 0.05 < lean.max() < 0.2
    assert lean[run.time > 4.0].max() < 0.5 * lean.max()
