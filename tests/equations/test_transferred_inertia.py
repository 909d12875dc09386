"""Inertia that moves between links: the mass matrix and the loads of every motion stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.equations.articulated_bodies.transferred_inertia import transferred_inertias
from axletree.equations.derivation import derive_equations
from axletree.equations.dynamics import Dynamics
from axletree.expr import evaluate, symbols_of
from axletree.expr.expression import ZERO

INERTIA = (0.31, 0.22, 0.17, 0.02, -0.03, 0.04)  # kg m^2
CENTRE = (0.11, -0.07, 0.2)  # m, off every axis


def chain(*, turned_round: bool) -> Any:
    """A free body that carries two hinged ones, one on the other, and a wheel."""
    model = at.Model("chain")
    at_hinge = {"place": {"position": [0.3, -0.2, 0.1], "turn": [["z", 0.4], ["x", -0.3]]}}
    bodies = [
        model.add(
            at.RigidBody(f"b{i}", 2.0 + i, INERTIA, centre_of_mass=CENTRE, frames_at=at_hinge)
        )
        for i in range(3)
    ]
    wheel = model.add(at.BodyOfRevolution("wheel", 5.0, 0.4, 0.25, axis="y"))
    model.add(at.Free("free", model.ground, bodies[0]))
    for i, axis in enumerate("xz"):
        ends = [bodies[i].frame("place"), bodies[i + 1]]
        if turned_round:
            ends = [bodies[i + 1].point(0.2, -0.4, 0.3, "pin"), bodies[i].frame("place")]
        model.add(at.Revolute(f"hinge{i}", *ends, axis=axis))
    model.add(at.Revolute("axle", bodies[2].frame("place"), wheel, axis="y"))
    return model


def moved(dynamics: Dynamics) -> Dynamics:
    inertias = transferred_inertias(dynamics.kinematics, dynamics.inertias, (), ())
    return replace(dynamics, inertias=inertias)


@pytest.mark.parametrize("turned_round", [False, True])
def test_mass_matrix_and_loads_are_those_of_the_bodies(turned_round: bool) -> None:
    dynamics = derive_equations(chain(turned_round=turned_round)).dynamics
    model = chain(turned_round=turned_round)
    other = moved(dynamics)
    places = sorted({*dynamics.mass, *other.mass})
    exact, found = (
        [*(one.mass.get(p, ZERO) for p in places), *one.forcing] for one in (dynamics, other)
    )
    random = np.random.default_rng(7)
    known = {q.symbol: q.default for q in model.parameters}
    for _ in range(3):
        states = {x: random.normal() for x in symbols_of([*exact, *found])} | known
        a, b = (np.array(evaluate(e, states)) for e in (exact, found))
        np.testing.assert_allclose(b, a, atol=1e-12 * np.abs(a).max())


def test_a_hinged_link_keeps_what_its_turning_needs() -> None:
    """No mass, nothing along the axis; a wheel keeps its moment of inertia about the axle alone."""
    model = chain(turned_round=False)
    equations = derive_equations(model)
    links = equations.dynamics.kinematics.links.places
    found = moved(equations.dynamics).inertias
    for body, axis in (("b1", 0), ("b2", 2), ("wheel", 1)):
        own = found[links[body].link]
        assert own.mass.is_zero, body
        assert own.moment[axis].is_zero, body
    wheel = found[links["wheel"].link]
    assert wheel.moment.is_zero
    assert [[e.is_zero for e in row] for row in wheel.tensor] == [
        [True, True, True], [True, False, True], [True, True, True],
    ]  # fmt: skip
