"""The moments by which the chassis holds the unsprung body upright, from equations of each alone.

Lot and Massaro 2017 take Euler's equation of the whole car, (22), with the loads of the springs,
(30). Of the two bodies apart this asks for a moment between them, which is derived here.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy
from examples.twins import P, from_components

from axletree.examples.car_and_trailer import mechanics as m
from axletree.examples.car_and_trailer.mechanics import Mechanics
from axletree.language import Assembly, Force, Torque, rate, variables
from axletree.language.expressions import folded

F_x, F_y, T_x, T_y, T_z = variables("F_x F_y T_x T_y T_z")
CAR = Mechanics()


def bodies_alone() -> tuple[Assembly, Assembly]:
    """The unsprung body and the chassis, with F and T from the one on the other."""
    T_0, unsprung, chassis = CAR.T_0, CAR.unsprung, CAR.chassis
    push = Force("push", T_0.vector(F_x, F_y), CAR.T_C.origin, chassis, unsprung)
    turn = Torque("turn", T_0.vector(T_x, T_y, T_z), chassis, unsprung)
    on_wheels, on_chassis = [push, turn], [push, turn, CAR.drag]
    for tyre in CAR.car_tyres:
        other = m.a_2 if tyre.axle == "1" else m.a_1
        weight = other / (2 * (m.a_1 + m.a_2)) * m.m_u * m.g  # of the unsprung body
        force = tyre.wheel.vector(tyre.X, tyre.Y, -weight)
        on_wheels.append(Force(f"tyre {tyre.name}", force, tyre.contact, unsprung))
        spring = T_0.vector(0, 0, weight - tyre.N)
        on_chassis.append(Force(f"spring {tyre.name}", spring, tyre.contact, chassis))
    return (
        Assembly("unsprung", (unsprung,), tuple(on_wheels)),
        Assembly("chassis", (chassis,), tuple(on_chassis), (CAR.hitch,)),
    )


def test_the_moments_and_the_equations_of_the_whole_car() -> None:
    """The unsprung body's own equations give F and T; with these, the chassis' are (21), (22)."""
    unsprung, chassis = bodies_alone()
    A = CAR.T_0.origin
    forces = [e.residual for e in (*unsprung.newton()[:2], *unsprung.euler(A))]
    found = sympy.solve(forces, [F_x, F_y, T_x, T_y, T_z], dict=True)[0]
    across = m.m_u * (m.u * m.r + rate(m.v))
    lever = m.h_c - m.z
    assert folded(found[T_x] + lever * found[F_y] + m.h_u * across) == 0
    assert folded(found[T_y] - lever * found[F_x] + m.h_u * m.m_u * m.v * m.r) == 0
    whole = (*CAR.car.newton(), *CAR.car.euler(A))
    for alone, together in zip((*chassis.newton(), *chassis.euler(A)), whole, strict=True):
        put_in = CAR.world.small.first_order(sympy.expand(alone.residual.subs(found)))
        assert sympy.cancel(folded(put_in - together.residual)) == 0, together.name


def test_the_guide_gives_these_moments() -> None:
    """In a turn with nothing small; the guide tells what holds the body, the opposite of T."""
    twin = from_components(False)
    x = {"v": 0.4, "r": 0.3, "Y_R1": 2e3, "Y_L1": 3e3, "Y_R2": 1.5e3, "Y_L2": 2.5e3}
    moments = replace(twin, outputs={"M_x": "guide.M_x", "M_y": "guide.M_y"}).rates(x, 15.0)
    a_x, a_y = -x["v"] * x["r"], 15.0 * x["r"] + moments["v"]
    mass_height = P["h_c"] * P["m_c"] + P["h_u"] * P["m_u"]
    assert moments["M_x"] == pytest.approx(mass_height * a_y, rel=1e-9)
    assert moments["M_y"] == pytest.approx(-mass_height * a_x, rel=1e-9)
