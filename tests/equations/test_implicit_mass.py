"""Mass and resistance, solved link by link, against dense matrices; derivatives by differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from mechanisms.bushed_wishbone_car import bushed_wishbone_car
from mechanisms.model import build_model
from mechanisms.random_mechanism import random_mechanism
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.components.contract import Instant, RelativeMotion
from axletree.components.edges import Basis
from axletree.equations.articulated_bodies.implicit_mass import ImplicitMass
from axletree.equations.articulated_bodies.spatial import SpatialVector
from axletree.equations.articulated_bodies.stiff_loads import (
    FramePort,
    Resistance,
    StiffLoad,
    resistances,
    stiff_loads,
)
from axletree.equations.equations import Equations
from axletree.equations.loads import LinkLoads, accumulate
from axletree.equations.relative_motion import relative_motion
from axletree.expr import Expr, evaluate, jacobian, number, symbol
from axletree.expr.evaluation import evaluate_matrix
from axletree.expr.vectors import Matrix, Vector

FREE = ("Revolute", "Prismatic", "Cylindrical", "Universal", "Spherical", "Planar", "Free")
STEP = symbol("g")


def drawn(seed: int, **options: Any) -> tuple[Equations, dict[Expr, float]]:
    """A tree of three bodies with four loads, in any state."""
    random = Random(seed)
    m = random_mechanism(random, 3, loads=4, kinds=FREE, **options)
    source = build_model(m).formulate().source
    return source, state_of(source, random)


def state_of(source: Equations, random: Random) -> dict[Expr, float]:
    values = {q.symbol: q.default for q in (*source.inputs, *source.parameters)}
    for quantity in (*source.speeds, *source.coordinates):
        values[quantity.symbol] = random.uniform(-1.0, 1.0)
    return values | {STEP: 0.3, symbol("t"): 0.0}


def dense(source: Equations, loads: list[StiffLoad], values: Mapping[Expr, float]) -> np.ndarray:
    """M + sum J^T Z J, with J by differentiating the velocities that components are handed."""
    n, k = len(source.speeds), source.dynamics.kinematics
    lower = evaluate_matrix(source.dynamics.mass, (n, n), values)
    found = lower + np.tril(lower, -1).T
    speeds = [q.symbol for q in source.speeds]
    for load in loads:
        rates = [rate for port in load.ports for rate in port.rates(k)]
        J = evaluate_matrix(jacobian(rates, speeds), (len(rates), n), values)
        B, S = (np.array([evaluate(row, values) for row in rows], dtype=float)
                for rows in (load.by_rate, load.by_displacement))  # fmt: skip
        g = values[STEP]
        found -= J.T @ (g * B + g * g * S) @ J
    return found


def check_solution(source: Equations, values: Mapping[Expr, float], seed: int) -> None:
    k, loads = source.dynamics.kinematics, list(stiff_loads(source))
    assert loads
    felt_by_links = list(resistances(k, loads))
    mass = ImplicitMass(k, source.dynamics.inertias, felt_by_links, STEP)
    efforts = np.random.default_rng(seed).normal(size=len(source.speeds))
    rates, motions = mass.solve([number(e) for e in efforts])
    expected = np.linalg.solve(dense(source, loads, values), efforts)
    np.testing.assert_allclose(
        np.array(evaluate(rates, values), dtype=float), expected,
        rtol=0.0, atol=1e-10 * np.abs(expected).max(),
    )  # fmt: skip
    check_corrections(source, felt_by_links, values, motions, expected)


def check_corrections(
    source: Equations,
    felt: list[Resistance],
    values: Mapping[Expr, float],
    motions: Sequence[SpatialVector],
    accelerations: np.ndarray,
) -> None:
    """Along the speeds: J^T (g B + 3 g^2 S) J a, and that of the dense matrices."""
    k, n = source.dynamics.kinematics, len(source.speeds)
    loads = LinkLoads.none(k)
    for resistance in felt:
        gained = resistance.felt(motions)
        damped, moved = [STEP * a for a in gained], [3.0 * STEP * STEP * a for a in gained]
        for link, load in resistance.loads(resistance.efforts(damped, moved)):
            loads.moments[link] += Vector(load[:3])
            loads.forces[link] += Vector(load[3:])
    found = np.array(evaluate(accumulate(k, loads).efforts, values), dtype=float)
    lower = evaluate_matrix(source.dynamics.mass, (n, n), values)
    M, g = lower + np.tril(lower, -1).T, values[STEP]
    stiff = list(stiff_loads(source))
    at_g, at_3g = (dense(source, stiff, {**values, STEP: size}) - M for size in (g, 3.0 * g))
    # of g B + g^2 S and 3 g B + 9 g^2 S
    gB, ggS = 1.5 * at_g - at_3g / 6.0, at_3g / 6.0 - 0.5 * at_g
    expected = -(gB + 3.0 * ggS) @ accelerations
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(12))
def test_any_tree_is_solved_as_its_dense_matrix(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at.Bushing, "frames_stay_close", False)
    source, values = drawn(seed)
    check_solution(source, values, seed)


def test_close_frames_are_exact_where_they_coincide() -> None:
    """The bushings of a car as it is drawn; here the ties of both rods to one rack, too."""
    model = bushed_wishbone_car(("front_left", "front_right"), tyres=False)
    source = model.formulate().source
    values = state_of(source, Random(1))
    turned = {q.symbol for q in source.coordinates if q.name.startswith("free.")}
    values |= {q.symbol: 0.0 for q in source.coordinates if q.symbol not in turned}
    values[STEP] = 3e-4
    check_solution(source, values, 1)


@pytest.mark.parametrize("seed", range(6))
def test_derivatives_of_loads_are_those_of_differences(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at.Bushing, "frames_stay_close", False)
    source, values = drawn(seed)
    by_ends = {(tail.name, head.name): c for c in source.components for tail, head in c.measures()}
    checked = 0
    for load in stiff_loads(source):
        port = load.ports[0]
        if not isinstance(port, FramePort):
            continue
        component = by_ends[port.ends]
        for rows, way in ((load.by_displacement, 0), (load.by_rate, 1)):
            found = np.array([evaluate(row, values) for row in rows], dtype=float)
            slopes = differences(component, port, source, values, way)
            scale = 1.0 + np.abs(slopes).max()
            np.testing.assert_allclose(found, 0.5 * (slopes + slopes.T), atol=1e-6 * scale)
            checked += 1
    assert checked or seed


def differences(
    component: Any, port: FramePort, source: Equations, values: dict[Expr, float], way: int
) -> np.ndarray:
    """Of force and moment, tail components, by displacements (0) or by rates (1)."""
    actual = relative_motion(source.dynamics.kinematics, port.tail, port.head)
    vectors = (actual.displacement, actual.velocity, actual.angular_velocity)
    d, v, w = (np.array(evaluate(vector, values), dtype=float) for vector in vectors)
    R = np.array([evaluate(row, values) for row in actual.R_tail_head], dtype=float)

    def load(moved: np.ndarray) -> np.ndarray:
        at_place, at_rate = (moved, np.zeros(6)) if way == 0 else (np.zeros(6), moved)
        turned = Rotation.from_rotvec(at_place[3:]).as_matrix() @ R
        motion = RelativeMotion(
            Vector(d + at_place[:3]), Vector(v + at_rate[:3]), Matrix(turned),
            Vector(w + at_rate[3:]),
        )  # fmt: skip
        (one,) = component.respond(Instant([motion])).loads
        felt = np.array(evaluate([*one.force, *one.moment], values), dtype=float).reshape(2, 3)
        return (felt @ turned.T if one.basis is Basis.HEAD else felt).ravel()

    size = 1e-6
    return np.column_stack([(load(size * e) - load(-size * e)) / (2 * size) for e in np.eye(6)])
