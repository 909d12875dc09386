"""Links as components of a model against Lagrange's equations of what positions say.

An axle whose body is held has the travels of its wheels as freedoms, and the angle of the pitman
arm where it has one. With the rates V_i, W_i of its links by these,

    M = sum_i m_i V_i^T V_i + W_i^T J_i W_i,   Q = sum_c F_c dL_c - sum_i m_i g dz_i

and from rest at design M z" = Q.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from vehicles.linkages.linkage_samples import SAMPLES

import axletree as at
from axletree.core.arrays import FloatArray
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.linkages.components import place_linkage
from axletree.vehicles.linkages.corner import CornerSuspension
from axletree.vehicles.linkages.curves.forces import design_forces
from axletree.vehicles.linkages.linkage import Link, rod_link
from axletree.vehicles.suspensions import AxlePlace

CARRIED = 3000.0  # N, by the springs of each wheel
RACKS = ("double-wishbone", "macpherson", "multi-link", "four-link")  # have none here


def sample(name: str) -> CornerSuspension:
    given: dict[str, Any] = {"steered": False} if name in RACKS else {}
    return SAMPLES[name](**given, static_toe=0.0, static_camber=0.0)


def tensor(link: Link) -> FloatArray:
    xx, yy, zz, xy, xz, yz = link.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def by_lagrange(suspension: CornerSuspension) -> FloatArray:
    """Accelerations of both wheels upward [m/s^2]."""
    kinematics = suspension.kinematics
    linkage, here = kinematics.linkage, kinematics.design
    M, Q = np.zeros((kinematics.inputs,) * 2), np.zeros(kinematics.inputs)
    for link in linkage.links:
        V, W = here.point_rate(link.name, link.centre)[0], here.turn_rate(link.name)[0]
        M += link.mass * V.T @ V + W.T @ tensor(link) @ W
        Q -= link.mass * STANDARD_GRAVITY * V[2]
    forces = design_forces(kinematics, CARRIED)
    for coil in linkage.coils:
        Q += forces[coil.name] * here.length_rate((coil.first, coil.second), coil.ends)[0]
    return np.asarray(np.linalg.solve(M, Q)[:2])


def by_components(suspension: CornerSuspension) -> FloatArray:
    """The same of a model whose body is held; sensors see the plane of x and z from above."""
    model = at.Model("axle")
    body = model.add(at.RigidBody("body", 1000.0, (400.0, 1000.0, 1000.0)))
    model.add(at.Weld("holds", model.ground, body))
    _, y, z = suspension.kinematics.linkage.carriers["left"].centre
    place = AxlePlace("front", body, x=0.0, z=z, track=2.0 * y, carried=CARRIED)
    hubs = place_linkage(model, place, suspension).hubs
    upright = model.add(at.MasslessBody("upright_plane"))
    model.add(at.Weld("turned", model.ground, upright, turn=(("x", 0.5 * np.pi),)))
    for side, hub in hubs.items():
        model.add(at.MotionSensor(f"{side}_hub", upright.main_frame, hub))
    system = model.formulate()
    names = [f"{side}_hub.lateral_acceleration" for side in hubs]
    told = system.outputs_at(system.state(), names)
    return np.array([told[name] for name in names])


SLOW = ("steered-beam", "four-link-by-pitman")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in SAMPLES]
)
def test_wheels_start_as_lagranges_equations_say(name: str) -> None:
    suspension = sample(name)
    expected = by_lagrange(suspension)
    assert np.abs(expected).min() > 10.0
    np.testing.assert_allclose(by_components(suspension), expected, rtol=1e-8)


def test_a_link_of_one_line_is_a_round_rod() -> None:
    """m (3 r^2 + l^2) / 12 across it and m r^2 / 2 along it, whichever way it lies."""
    link = rod_link("rod", 3.0, ((0.1, 0.2, 0.3), (0.4, 0.6, 0.3)))
    found = np.linalg.eigvalsh(tensor(link))
    across = 3.0 * (3.0 * 0.015**2 + 0.5**2) / 12.0
    np.testing.assert_allclose(found, [3.0 * 0.015**2 / 2.0, across, across], rtol=1e-12)
    assert link.centre == pytest.approx((0.25, 0.4, 0.3))


def test_a_hub_adds_its_mass_where_it_is() -> None:
    """About one point the inertias of rod and hub add up."""
    rod, at_end = (
        rod_link("rod", 3.0, ((0.0, -0.7, 0.3), (0.0, 0.7, 0.3))),
        np.array([0.1, 0.7, 0.3]),
    )
    both = rod.with_hub(5.0, tuple(at_end))
    assert both.mass == 8.0

    def about_origin(mass: float, centre: FloatArray, J: FloatArray) -> FloatArray:
        return J + mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))

    parts = about_origin(3.0, np.array(rod.centre), tensor(rod))
    parts += about_origin(5.0, at_end, 5.0 * 0.01 * np.eye(3))
    whole = about_origin(8.0, np.array(both.centre), tensor(both))
    np.testing.assert_allclose(whole, parts, rtol=0.0, atol=1e-12)


ARMS = {
    "double-wishbone": "lower_arm", "macpherson": "lower_arm", "four-link": "lower_arm",
    "integral-link": "lower_arm", "trailing-arm": "arm", "semi-trailing-arm": "arm",
}  # fmt: skip


@pytest.mark.parametrize("name", ARMS)
def test_arms_may_turn_in_bushings(name: str) -> None:
    """Two on each side, along the hinge; the same links without them are rigid as before."""
    arm = ARMS[name]
    soft = SAMPLES[name](**{f"{arm}_bushings": {"radial": 1e7, "axial": 1e6}})
    linkage, rigid = soft.linkage(), SAMPLES[name]().linkage()
    assert linkage.has_bushings()
    assert not rigid.has_bushings()
    model = at.Model("axle")
    body = model.add(at.RigidBody("body", 1000.0, (400.0, 1000.0, 1000.0)))
    place = AxlePlace("front", body, x=0.0, z=0.3, track=1.5, carried=CARRIED)
    place_linkage(model, place, soft, bushings=True)
    for side, mirror in (("left", 1.0), ("right", -1.0)):
        ends = np.array(linkage.hinge(f"{side}_{arm}_bearings").ends)
        along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        found = [model[f"front_{side}_{arm}_bearings_{end}"] for end in ("front", "rear")]
        for bushing in found:
            assert isinstance(bushing, at.Bushing)
            axis = np.array(bushing.tail.turn)[:, 2]
            np.testing.assert_allclose(np.abs(axis @ along), 1.0, rtol=1e-12)
        left = np.array(linkage.hinge(f"left_{arm}_bearings").ends)
        assert mirror * ends[0][1] == pytest.approx(left[0][1])


def test_a_cross_member_may_bend() -> None:
    """Its hinge is then two bushings across it, which have its bending and its torsion."""
    beam = SAMPLES["twist-beam"](bending_stiffness=4e5, torsion_stiffness=3e3)
    model = at.Model("axle")
    body = model.add(at.RigidBody("body", 1000.0, (400.0, 1000.0, 1000.0)))
    model.add(at.Weld("holds", model.ground, body))
    place = AxlePlace("rear", body, x=0.0, z=0.3, track=1.48, carried=CARRIED)
    place_linkage(model, place, beam, bushings=True)
    mounts = [model[f"rear_cross_member_{end}"] for end in ("front", "rear")]
    ends = np.array(beam.linkage().hinge("cross_member").ends)
    apart = np.linalg.norm(ends[1] - ends[0])
    radial = [np.diag(one.stiffness)[0] for one in mounts]  # type: ignore[attr-defined]
    assert sum(radial) * (0.5 * apart) ** 2 == pytest.approx(4e5)
    torsion = [np.diag(one.rotational_stiffness)[2] for one in mounts]  # type: ignore[attr-defined]
    assert sum(torsion) == pytest.approx(3e3)
    assert "rear_cross_member_torsion" not in model
    assert model.formulate().degrees_of_freedom == 7
