"""ROS2, ROW3, ROW4: stability in closed form, orders, rigid limits, the same steps elsewhere."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from mechanisms.bushed_wishbone_car import bushed_wishbone_car
from mechanisms.model import build_model
from mechanisms.random_mechanism import random_mechanism

import axletree as at
from axletree.code.lowering import Extra, lower
from axletree.components.signals import TIME
from axletree.expr import OperationCount, cos, sin
from axletree.simulation.linearly_implicit import (
    ROS2_TABLEAU,
    ROW3,
    ROW3_TABLEAU,
    ROW4,
    ROW4_TABLEAU,
    EvaluatedStage,
    ImplicitTableau,
    SolvedStage,
)
from axletree.system.system import System

TABLEAUS = {"ros2": ROS2_TABLEAU, "row3": ROW3_TABLEAU, "row4": ROW4_TABLEAU}
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
    gamma, stages = TABLEAUS[method].gamma, {"ros2": 2, "row3": 4, "row4": 4}[method]
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


Coefficients = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def coefficients(tableau: ImplicitTableau) -> Coefficients:
    """Those of a W-method (Hairer and Wanner 1996, IV.7), of which some stages evaluate nothing:
    K_i = e_i f(x + h sum alpha_ij K_j) + h A sum Gamma_ij K_j with e_i of 1 or 0; b of the K."""
    size, gamma = 1 + len(tableau.stages), tableau.gamma
    d, r, e, first = np.zeros((size, size)), gamma * np.eye(size), np.ones(size), np.zeros(size)
    for i, stage in enumerate(tableau.stages, start=1):
        if isinstance(stage, SolvedStage):
            e[i] = 0.0
            r[i, : len(stage.r)] += gamma * np.array(stage.r)
            continue
        first[i] = 1.0  # w is K - k1
        d[i, : len(stage.d)] = stage.d
        r[i] += gamma * np.eye(size)[0] - d[i] if stage.r is None else 0.0
        r[i, : len(stage.r or ())] += stage.r or ()
    of_k = np.linalg.inv(np.eye(size) + np.outer(first, np.eye(size)[0]))
    return tableau.shares @ of_k, d @ of_k, r @ of_k, e


@pytest.mark.parametrize("method", TABLEAUS)
def test_it_has_the_conditions_of_its_order(method: str) -> None:
    b, alpha, Gamma, e = coefficients(TABLEAUS[method])
    c = alpha @ e
    inner = e * c
    conditions = {
        "f": (b @ e, 1.0),
        "J f": (b @ inner, 0.5),
        "A f: what A is does not matter": (b @ Gamma @ e, 0.0),
    }
    if method != "ros2":
        conditions["f'' f f"] = (b @ (inner * c), 1.0 / 3.0)
    if method == "row3":  # of order 3 where A is the Jacobian
        beta = (e * alpha.T).T + Gamma
        conditions["J J f"] = (b @ beta @ beta @ e, 1.0 / 6.0)
        conditions["J f'"] = (b @ beta @ inner, 1.0 / 6.0)  # of inputs, which A does not know
    if method == "row4":
        conditions |= {  # of order 3 whatever A is
            "J J f": (b * e @ alpha @ inner, 1.0 / 6.0),
            "J A f": (b * e @ alpha @ Gamma @ e, 0.0),
            "A J f": (b @ Gamma @ inner, 0.0),
            "A A f": (b @ Gamma @ Gamma @ e, 0.0),
            # of order 4 without A (Hairer, Norsett and Wanner 1993, II.1)
            "f''' f f f": (b @ (inner * c**2), 0.25),
            "f'' f J f": (b * inner @ alpha @ inner, 0.125),
            "J f'' f f": (b * e @ alpha @ (inner * c), 1.0 / 12.0),
            "J J J f": (b * e @ alpha @ (e * (alpha @ inner)), 1.0 / 24.0),
        }
    for name, (found, expected) in conditions.items():
        assert found == pytest.approx(expected, abs=1e-13), name


def pushed(tableau: ImplicitTableau, z: complex, course: np.polynomial.Polynomial) -> complex:
    """A step of 1 of dx/dt = z x + n(t), with such n that x(t) is the course."""
    g, start = tableau.gamma, complex(course(0.0))

    def f(t: float, x: complex) -> complex:
        return complex(z * (x - course(t)) + course.deriv()(t))

    def mixed(shares: tuple[float, ...]) -> complex:
        return complex(np.dot(shares, vectors[: len(shares)]))

    vectors = [f(0.0, start) / (1.0 - g * z)]
    for stage in tableau.stages:
        if isinstance(stage, EvaluatedStage):
            d = mixed(stage.d)
            r = g * vectors[0] - d if stage.r is None else mixed(stage.r)
            vectors.append((f(stage.at, start + d) - vectors[0] + z * r) / (1.0 - g * z))
        else:
            vectors.append(g * z * mixed(stage.r) / (1.0 - g * z))
    return start + mixed(tableau.shares)


@pytest.mark.parametrize(("method", "degree"), [("row3", 1), ("row4", 2)])
@pytest.mark.parametrize("z", [-1e-3, -0.5 + 2.0j, -40.0, -1e5])
def test_what_is_pushed_along_a_polynomial_follows_it_however_stiff(
    method: str, degree: int, z: complex
) -> None:
    """Prothero and Robinson 1974, for solutions of this degree, and of none above it."""
    course = np.polynomial.Polynomial([0.3, -1.2, 0.7][: degree + 1])
    assert pushed(TABLEAUS[method], z, course) == pytest.approx(course(1.0), rel=1e-9)
    further = np.polynomial.Polynomial([0.3, -1.2, 0.7, 0.9][: degree + 2])
    off = abs(pushed(TABLEAUS[method], z, further) - further(1.0))
    assert off > 1e-9


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
    [
        ("quarter-car", "ros2", 2),
        ("four-bar", "ros2", 2),
        ("four-bar", "row3", 3),
        ("four-bar", "row4", 3),
    ],
)
def test_it_has_its_order_with_and_without_constraints(name: str, method: str, order: int) -> None:
    assert orders(at.read_model(name).formulate(), method, 0.5)[-1] == pytest.approx(order, abs=0.1)


@pytest.mark.sampled(3)
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
        for method in ("rk4", "ros2", "row3", "row4")
    ]
    assert np.ptp(runs[0]) > 0.01
    np.testing.assert_allclose(runs[1], runs[0], atol=2e-3 * np.ptp(runs[0]))
    for run in runs[2:]:
        np.testing.assert_allclose(run, runs[0], atol=1e-4 * np.ptp(runs[0]))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", TABLEAUS)
@pytest.mark.parametrize("name", ["four-bar", "quarter-car"])
def test_a_stepper_takes_the_same_steps(name: str, method: str) -> None:
    system = at.read_model(name).formulate()
    run = system.simulate(0.1, step=1e-3, method=method, **QUIET)
    with system.stepper(step=1e-3, method=method, outputs=[]) as stepper:
        stepper.advance(steps=100)
        assert [stepper[q.name] for q in system.states] == [run[q.name][-1] for q in system.states]


def test_operations_of_a_step_are_told_before_it_is_taken() -> None:
    """All routines, and by hand what a step does with its vectors of 14 entries: two states,
    and of six rates that the bushing feels also those of its displacements."""
    system = oscillator(100.0, 1.0).formulate()
    with system.stepper(step=1e-3, method="ros2", outputs=[]) as stepper:
        told = stepper.operations
    program = lower(system, [], (Extra.IMPLICIT_STAGES,))
    first, evaluated, solved = program.first_stage, program.evaluated_stage, program.solved_stage
    assert first is not None
    assert evaluated is not None
    assert solved is not None
    assert solved.size == 14
    # g and t + h: 0 and 2; d = h k1 and r = h (-g k1): 0 and 3 of each entry; y = x + d: 1 of each
    # state; x + h (k1 + 0.5 w): 2 and 2 of each state
    by_hand = OperationCount(additions=1 + 2 + 4, multiplications=2 + 3 * 14 + 4)
    assert told == first.operations + evaluated.operations + by_hand


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
    assert pushed_slowly("row4") < 4e-4
    assert pushed_slowly("ros2") > 1.0


@pytest.mark.slow
def test_a_step_of_the_bushed_car_takes_at_most_so_many_operations() -> None:
    """66 degrees of freedom; asserted as they are, so that nothing is added unseen."""
    system = bushed_wishbone_car().formulate()
    assert system.degrees_of_freedom == 66
    program = lower(system, [], (Extra.IMPLICIT_STAGES,))
    for method, additions, multiplications in ((ROW3, 43_582, 51_152), (ROW4, 68_192, 78_946)):
        assert method.counted is not None
        told = method.counted(program).operations
        assert told.additions <= additions, method.name
        assert told.multiplications <= multiplications, method.name


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
