"""How tyre forces steer the wheels of an axle by hard points in its bushings.

Links without mass at design, a quasi-static reduction of all of them to one freedom of each wheel:
with the stiffness K of bushings and springs and the rows J of ideal joints, of the rack that is
held and of contacts that keep their heights, loads Q at the contacts move the links by u,

    [K J^T; J 0] (u, L) = (Q, 0) ... (1)

Preloads of springs and bushings are left out. The rig (``kinematics_and_compliance``) has them.
"""

from __future__ import annotations

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.vehicles.linkages.elements import Element, elements_of, steering_element
from axletree.vehicles.linkages.linkage import AxleLinkage, WheelCarrier
from axletree.vehicles.linkages.parts.mounts import elastic_linkage
from axletree.vehicles.suspensions import SIDES, SteerCompliance

_RIGID = 1e-9  # rad/(N m), 0.06 deg/(MN m), of what does not give
_DEPENDENT = 1e-13  # share of the largest singular value below which rows hold the same twice
_FX, _FY, _MZ = range(3)  # loads, which a left wheel sees rearward, outward, to the left
_Rows = FloatArray


def steer_compliance(linkage: AxleLinkage, wheel_height: float) -> SteerCompliance | None:
    """Of a linkage at design, with wheel centres so high above the road [m]; None if nothing gives.

    Means of both sides, by forces and torques that act alike on both, as in a turn or by brakes.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.linkages.curves.compliance import steer_compliance
    >>> sedan = at.read_model("five-link-sedan").described["vehicle"]
    >>> found = steer_compliance(sedan.axles["rear"].suspension.in_axle, wheel_height=0.308)
    >>> print(f"{57.29578e3 * found.lateral_steer:.3f} deg/kN")  # outward: toe-out, into the turn
    -0.065 deg/kN
    """
    if not linkage.has_bushings():
        return None
    soft = elastic_linkage(linkage)
    order = {link: 6 * k for k, link in enumerate(soft.moving())}
    carriers = [soft.carriers[side] for side in SIDES]
    contacts = [_contact(one, order, wheel_height) for one in carriers]
    loads = np.zeros((6 * len(order), 3))
    for contact in contacts:
        loads[:, _FX] -= contact[0]  # rearward
        loads[:, _FY] += contact[1]  # to the left
        loads[:, _MZ] += contact[5]
    moves = _solved(soft, order, contacts, loads)
    toes = [
        sign * _toe_slope(one, contact @ moves)
        for one, contact, sign in zip(carriers, contacts, SIDES.values(), strict=True)
    ]
    # What is alike for the vehicle is opposite for wheels that are seen as left ones.
    braking, lateral, aligning = (
        0.5 * (toes[0][k] + factor * toes[1][k])
        for k, factor in ((_FX, 1.0), (_FY, -1.0), (_MZ, -1.0))
    )
    if not aligning < -_RIGID:
        return None
    return SteerCompliance(float(aligning), float(lateral), float(braking))


def _contact(carrier: WheelCarrier, order: dict[str, int], wheel_height: float) -> _Rows:
    """How the carrier's point at the contact moves and turns, (6, size)."""
    x, y, z = carrier.centre
    s = np.array(carrier.spin_axis)
    lowest = (s[2] * s - np.array([0.0, 0.0, 1.0])) / np.hypot(s[0], s[1])
    rx, ry, rz = np.array([x, y, z]) + wheel_height * lowest
    rows, k = np.zeros((6, 6 * len(order))), order[carrier.link]
    rows[:3, k : k + 3] = rows[3:, k + 3 : k + 6] = np.eye(3)
    rows[:3, k + 3 : k + 6] = [[0.0, rz, -ry], [-rz, 0.0, rx], [ry, -rx, 0.0]]
    return rows


def _solved(
    soft: AxleLinkage, order: dict[str, int], contacts: list[_Rows], loads: FloatArray
) -> FloatArray:
    """Motion of all links by the loads, by (1)."""
    size, held = len(loads), [contact[2:3] for contact in contacts]
    K = np.zeros((size, size))
    steering = steering_element(soft)
    for element in (*elements_of(soft, elastic=True), *((steering,) if steering else ())):
        rows = _slopes(element, order, size)
        if element.is_ideal:
            held.append(rows)
        else:
            K += rows.T @ element.stiffness_at_design @ rows
    J = np.concatenate(held)
    scale = np.abs(K).max()
    whole = np.block([[K / scale, J.T], [J, np.zeros((len(J), len(J)))]])
    right = np.concatenate([loads / scale, np.zeros((len(J), loads.shape[1]))])
    found: FloatArray = np.linalg.lstsq(whole, right, rcond=_DEPENDENT)[0][:size]
    return found


def _slopes(element: Element, order: dict[str, int], size: int) -> _Rows:
    """Of its rows at design by the motion of all links."""
    n = len(element.links)
    at = element.at(
        np.zeros((1, n, 3)), np.eye(3)[None, None].repeat(n, 1), np.zeros((1, element.count))
    )
    rows = np.zeros((element.count, size))
    for k, link in enumerate(element.links):
        first = order[link]
        rows[:, first : first + 6] = at.slopes[0][:, 6 * k : 6 * k + 6]
    return rows


def _toe_slope(carrier: WheelCarrier, contact: FloatArray) -> FloatArray:
    """By each load: of atan2(s_x, s_y), with the spin axis s that turns with its carrier."""
    s = np.array(carrier.spin_axis)
    ds = np.cross(contact[3:].T, s)
    found: FloatArray = (s[1] * ds[:, 0] - s[0] * ds[:, 1]) / (s[0] ** 2 + s[1] ** 2)
    return found
