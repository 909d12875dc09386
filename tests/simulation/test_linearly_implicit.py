"""ROS2 and ROW3: stability against closed forms, order, rigid limits, the same steps elsewhere."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from mechanisms.bushed_wishbone_car import bushed_wishbone_car
from mechanisms.model import build_model
from mechanisms.random_mechanism import random_mechanism

import axletree as at
from axletree.code.implicit_stages import ROS2_TABLEAU, ROW3_TABLEAU, ImplicitTableau
from axletree.code.lowering import Extra, lower
from axletree.components.signals import TIME
from axletree.expr import OperationCount, cos, sin
from axletree.system.system import System

TABLEAUS = {"ros2": ROS2_TABLEAU, "row3": ROW3_TABLEAU}
QUIET = {"outputs": [], "watch": False}


def oscillator(stiffness: float, damping: float) -> at.Model:
    """1 kg on a spring along x, displaced by 1 m."""
    model = at.Model("oscillator", gravity=(0.0, 0.0, 0.0))
    block = model.add(at.RigidBody("block", 1.0, (1.0, 1.0, 1.0)))
    model.add(at.Prismatic("way", model.ground, block, axis="x"))
    mount = {"stiffness": (stiffness, 0.0, 0.0), "damping": (damping, 0.0, 0.0)}
    model.add(at.Bushing("mount", model.ground, block, **mount))
    model.start = {"way.position": 1.0}
    return model


def growth(method: str, z: complex) -> complex:
    """R(z) of as many stages as its order, with R(infinity) = 0: exp(z) (1 - gamma z)^s up to
    z^(s - 1), over (1 - gamma z)^s (Hairer and Wanner 1996, IV.7)."""
    gamma, stages = TABLEAUS[method].gamma, {"ros2": 2, "row3": 4}[method]
    below = np.polynomial.polynomial.polypow([1.0, -gamma], stages)
    series = [1.0 / math.factorial(k) for k in range(stages)]
    above = np.polynomial.polynomial.polymul(series, below)[:stages]
    return complex(np.polynomial.polynomial.polyval(z, above)) / (1.0 - gamma * z) ** stages


@pytest.mark.parametrize("method", TABLEAUS)
@pytest.mark.parametrize(("stiffness", "damping"), [(1e4, 20.0), (1e8, 0.0), (1e10, 4e5)])
def test_a_step_of_an_oscillator_is_that_of_the_stability_function(
    method: str, stiffness: float, damping: float
) -> None:
    h = 1e-3
    decay, swing = 0.5 * damping, complex(stiffness - 0.25 * damping**2) ** 0.5
    first, second = -decay + 1j * swing, -decay - 1j * swing
    # x = a exp(first t) + b exp(second t) with x = 1 and no speed at first
    a, b = -second / (first - second), first / (first - second)
    expected = (a * growth(method, first * h) + b * growth(method, second * h)).real
    run = oscillator(stiffness, damping).formulate().simulate(h, step=h, method=method)
    assert run["way.position"][-1] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("method", TABLEAUS)
def test_gamma_makes_it_l_stable(method: str) -> None:
    assert abs(growth(method, -1e12)) < 1e-11
    assert max(abs(growth(method, 1j * 10.0**k)) for k in np.linspace(-3, 9, 400)) <= 1.0 + 1e-12


def coefficients(tableau: ImplicitTableau) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """b, and the matrices of alpha and of gamma, both of x + h sum alpha k and of A."""
    gamma, stages = tableau.gamma, 1 + len(tableau.shares)
    alpha, Gamma = np.zeros((stages, stages)), gamma * np.eye(stages)
    alpha[1:, 0] = tableau.ahead
    of_differences = np.array([tableau.c21])  # of k1, w, e3 and so on, which k_i is the sum of
    Gamma[1, 0] = gamma * tableau.c21
    for i, row in enumerate(tableau.later, start=2):
        of_differences = np.append(of_differences, 0.0) + row
        Gamma[i, :i] = gamma * -np.diff(of_differences, append=0.0)
    b = -np.diff([1.0, *tableau.shares, 0.0])
    return b, alpha, Gamma


@pytest.mark.parametrize("method", TABLEAUS)
def test_order_2_for_any_matrix_and_order_3_of_row3_with_the_jacobian(method: str) -> None:
    b, alpha, Gamma = coefficients(TABLEAUS[method])
    beta = alpha + Gamma
    conditions = [
        (b.sum(), 1.0),
        (b @ alpha.sum(axis=1), 0.5),
        (b @ Gamma.sum(axis=1), 0.0),  # what A is does not matter
    ]
    if method == "row3":
        conditions += [
            (b @ alpha.sum(axis=1) ** 2, 1.0 / 3.0),
            (b @ beta @ beta.sum(axis=1), 1.0 / 6.0),
            (b @ beta @ alpha.sum(axis=1), 1.0 / 6.0),  # of inputs, which A does not know
        ]
        # What pushes stiff parts slowly is seen as it changes, however stiff they are.
        for _ in range(len(b)):
            b = b @ beta
            conditions.append((b @ Gamma.sum(axis=1), 0.0))
    for found, expected in conditions:
        assert found == pytest.approx(expected, abs=1e-13)


def orders(system: System, method: str, duration: float, **initial: float) -> list[float]:
    """Of the largest error at the end over the range of each state, from one step to its half."""
    settings = {"initial": initial, "record_interval": duration / 10.0, **QUIET}
    exact = system.simulate(duration, step=5e-5, method="rk4", **settings)
    moving = {q.name: np.ptp(exact[q.name]) for q in system.states if np.ptp(exact[q.name]) > 1e-6}
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        run = system.simulate(duration, step=step, method=method, **settings)
        errors.append(max(abs(run[n][-1] - exact[n][-1]) / size for n, size in moving.items()))
    assert errors[1] < 2e-3
    return [math.log2(a / b) for a, b in zip(errors, errors[1:], strict=False)]


@pytest.mark.parametrize(
    ("name", "method", "order"),
    [("quarter-car", "ros2", 2), ("four-bar", "ros2", 2), ("four-bar", "row3", 3)],
)
def test_it_has_its_order_with_and_without_constraints(name: str, method: str, order: int) -> None:
    assert orders(at.read_model(name).formulate(), method, 0.5)[-1] == pytest.approx(order, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("method", TABLEAUS)
@pytest.mark.parametrize("seed", [3, 6])
def test_it_has_order_2_where_mounted_bodies_turn_far(seed: int, method: str) -> None:
    """Bushings that are not close to rest, a mass matrix that changes, springs along joints."""
    kinds = ("Revolute", "Prismatic", "Cylindrical", "Universal", "Spherical", "Planar", "Free")
    model = build_model(random_mechanism(Random(seed), 3, loads=4, kinds=kinds))
    assert any(isinstance(component, at.Bushing) for component in model)
    system, random = model.formulate(), np.random.default_rng(seed)
    first = {q.name: float(random.uniform(-1.0, 1.0)) for q in system.states}
    assert orders(system, method, 0.2, **first) == pytest.approx([2.0, 2.0], abs=0.05)


def test_an_input_that_is_an_expression_acts_in_every_stage() -> None:
    model = at.Model("driven", gravity=(0, 0, 0))
    table, load = (model.add(at.RigidBody(name, 1.0, (1, 1, 1))) for name in ("table", "load"))
    way = model.add(at.Prismatic("way", model.ground, table, axis="y"))
    model.add(at.TranslationDriver("shaker", way))
    spring = model.add(at.Prismatic("spring", table, load, axis="y"))
    model.add(at.SlideSpringDamper("coil", spring, stiffness=100.0))
    system = model.formulate()
    course = {"shaker.position": 0.01 * sin(7.0 * TIME)}
    runs = [
        system.simulate(1.0, step=1e-3, method=method, inputs=course, **QUIET)["spring.position"]
        for method in ("rk4", "ros2", "row3")
    ]
    assert np.ptp(runs[0]) > 0.01
    np.testing.assert_allclose(runs[1], runs[0], atol=2e-3 * np.ptp(runs[0]))
    np.testing.assert_allclose(runs[2], runs[0], atol=1e-4 * np.ptp(runs[0]))


@pytest.mark.parametrize("method", TABLEAUS)
@pytest.mark.parametrize("name", ["four-bar", "quarter-car"])
def test_a_stepper_takes_the_same_steps(name: str, method: str) -> None:
    system = at.read_model(name).formulate()
    run = system.simulate(0.1, step=1e-3, method=method, **QUIET)
    with system.stepper(step=1e-3, method=method, outputs=[]) as stepper:
        stepper.advance(steps=100)
        assert [stepper[q.name] for q in system.states] == [run[q.name][-1] for q in system.states]


def test_operations_of_a_step_are_told_before_it_is_taken() -> None:
    """Both routines, and for the two states a h, gamma h, x + a h k1 and x + h (k1 + more)."""
    system = oscillator(100.0, 1.0).formulate()
    with system.stepper(step=1e-3, method="ros2", outputs=[]) as stepper:
        told = stepper.operations
    program = lower(system, [], (Extra.ROS2_STAGES,))
    assert program.first_stage is not None
    assert program.second_stage is not None
    stages = program.first_stage.operations + program.second_stage.operations
    assert told == stages + OperationCount(additions=6, multiplications=6)


def test_row3_follows_oscillations_within_a_step_or_two() -> None:
    """At one radian a step it is off by 0.1 %, where three stages of order 3 would be by 1.8 %."""
    gamma = 0.43586652  # of three
    three = np.polynomial.polynomial.polymul(
        [1.0, 1.0, 0.5], np.polynomial.polynomial.polypow([1.0, -gamma], 3)
    )[:3]
    other = np.polynomial.polynomial.polyval(1j, three) / (1.0 - 1j * gamma) ** 3
    assert abs(growth("row3", 1j) - np.exp(1j)) < 1.2e-3
    assert abs(other - np.exp(1j)) > 1.7e-2


def pushed_slowly(method: str) -> float:
    """Error of the acceleration of an oscillator of 840 rad/s under a force of 4 rad/s, over
    the range of that acceleration, where steps are 1 ms."""
    model = oscillator(840.0**2, 0.26 * 840.0)
    model.start = {"way.position": 0.0}
    model.add(at.ForceDriver("push", model.ground, model["block"], direction="x"))
    outputs = ["way.speed_dot"]
    course = {"push.force": 1e3 * sin(4.0 * TIME)}
    settings = {"inputs": course, "outputs": outputs, "watch": False, "record_interval": 1e-3}
    system = model.formulate()
    run = system.simulate(2.0, step=1e-3, method=method, **settings)["way.speed_dot"][100:]
    fine = system.simulate(2.0, step=5e-5, method="rk4", **settings)["way.speed_dot"][100:]
    return float(np.abs(run - fine).max() / np.ptp(fine))


def test_row3_has_accelerations_of_stiff_parts_that_are_pushed_slowly() -> None:
    assert pushed_slowly("row3") < 2e-3
    assert pushed_slowly("ros2") > 1.0


@pytest.mark.slow
def test_a_step_of_the_bushed_car_takes_at_most_so_many_operations() -> None:
    """66 degrees of freedom; asserted as they are, so that nothing is added unseen."""
    system = bushed_wishbone_car().formulate()
    assert system.degrees_of_freedom == 66
    program = lower(system, [], (Extra.ROW3_STAGES,))
    assert program.first_stage is not None
    assert program.second_stage is not None
    stages = program.first_stage.operations + program.second_stage.operations
    assert stages.additions <= 42_527
    assert stages.multiplications <= 50_307


@pytest.mark.slow
def test_a_bushed_corner_tends_to_the_rigid_one_as_its_bushings_stiffen() -> None:
    """Its error is in proportion to the compliance; steps of 0.1 ms do not see the bushings."""
    chassis = [f"free.{name}" for name in ("x", "y", "z", "yaw", "pitch", "roll")]
    settings = {"step": 1e-4, "record_interval": 5e-3, **QUIET}
    corner = {"names": ("front_left",), "tyres": False}
    ideal = bushed_wishbone_car(**corner, ideal=True).formulate()
    exact = ideal.simulate(0.1, method="rk4", **settings)
    system, errors = bushed_wishbone_car(**corner).formulate(), []
    for stiffness in (1.0, 4.0, 16.0):
        given = bushed_wishbone_car(**corner, stiffness=stiffness).parameters
        values = {q.name: q.default for q in given}
        run = system.simulate(0.1, method="row3", parameters=values, **settings)
        off = [np.abs(run[name] - exact[name]).max() for name in chassis]
        errors.append((max(off[:3]), max(off[3:])))  # m, rad
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert ratios == pytest.approx(np.full((2, 2), 4.0), rel=0.05)


@pytest.mark.slow
def test_forces_of_bushings_at_a_millisecond_are_right_to_a_percent() -> None:
    """Of a corner that is steered within 0.2 s, against RK4 with steps of 20 us, over ranges; those
    of accelerations of the chassis, too."""
    system = bushed_wishbone_car(("front_left",), tyres=False).formulate()
    names = [one.quantity.name for one in system.outputs]
    bushing = ("_front.F", "_rear.F", "_bushing.F")
    outputs = [n for n in names if n[:-1].endswith(bushing)]
    outputs += [f"free.{n}_dot" for n in ("vx", "vy", "vz", "wx", "wy", "wz")]
    assert len(outputs) == 21
    settled = system.simulate(1.5, step=1e-3, method="row3", **QUIET).final_state
    w = 2.0 * math.pi / 0.2
    course = {"steering.position": 0.005 * (1.0 - cos(w * TIME)) ** 2}
    settings = {"initial": settled, "inputs": course, "outputs": outputs, "watch": False,
                "record_interval": 2e-3}  # fmt: skip
    exact = system.simulate(0.2, step=2e-5, method="rk4", **settings)
    run = system.simulate(0.2, step=1e-3, method="row3", **settings)
    vectors: dict[str, list[str]] = {}
    for name in outputs:
        vectors.setdefault(name[:6] if name.startswith("free") else name[:-1], []).append(name)
    for vector, own in vectors.items():
        off = max(np.abs(run[n] - exact[n]).max() for n in own)
        assert off < 0.01 * max(np.ptp(exact[n]) for n in own), vector
