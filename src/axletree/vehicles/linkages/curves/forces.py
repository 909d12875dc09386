"""Forces of a linkage at rest, by virtual work: what springs carry at design, and wheel rates.

With L_c the length of a coil that pushes its ends apart by F_c, and z_t the travel of a wheel, the
linkage pushes that wheel down with

    Q_t = -sum_c F_c dL_c/dz_t + sum_i m_i g dz_i/dz_t ... (1)

where z_i are heights of the links' centres. At rest Q_t is what the ground carries of body and
links at this wheel, which gives the F_c at design.
"""

from __future__ import annotations

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.linkages.linkage import AxleLinkage, Coil, Hinge
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions

_WHEELS = 2  # inputs of positions that are wheel travels


def design_forces(kinematics: LinkageKinematics, carried: float) -> dict[str, float]:
    """With which each coil pushes at design [N], its gas apart, where the springs of each wheel
    carry a load [N] of the body; by (1)."""
    linkage = kinematics.linkage
    at = kinematics.design
    own = sum(link.mass for link in linkage.links) * STANDARD_GRAVITY
    wanted = np.full(_WHEELS, carried + 0.5 * own) - _weights(linkage, at)[0]
    wanted -= sum((coil.gas_force * _shortens(coil, at)[0] for coil in linkage.coils), 0.0)
    names, ratios = _ratios(kinematics, at)
    if not names or np.linalg.matrix_rank(ratios, tol=1e-6) < _WHEELS:
        raise ModelError(
            f"{kinematics.name}: its springs do not carry both wheels; each needs one whose length "
            "changes with its travel, and a tie rod has to pass beside the kingpin, else it holds "
            "the spring's link where it should hold the upright"
        )
    forces = np.linalg.pinv(ratios.T) @ wanted
    found = dict.fromkeys((coil.name for coil in linkage.coils), 0.0)
    return found | dict(zip(names, forces.tolist(), strict=True))


def spring_pushes(
    kinematics: LinkageKinematics, at_wheels: tuple[float, float]
) -> dict[str, float]:
    """Further pushes of coils [N] that push the wheels down by so much at design [N]."""
    names, ratios = _ratios(kinematics, kinematics.design)
    pushes = np.linalg.pinv(ratios.T) @ np.array(at_wheels)
    return dict(zip(names, pushes.tolist(), strict=True))


def pushes_elsewhere(
    kinematics: LinkageKinematics, at: Positions, at_wheels: FloatArray
) -> FloatArray:
    """What further pushes of the coils make at the wheels at design [N], which make as much there
    as is wanted at another position [N]."""
    _, ratios = _ratios(kinematics, at)
    _, design = _ratios(kinematics, kinematics.design)
    found: FloatArray = design.T @ (np.linalg.pinv(ratios.T) @ at_wheels)
    return found


def _ratios(kinematics: LinkageKinematics, at: Positions) -> tuple[list[str], FloatArray]:
    """Names of coils that are springs, and by how much travels shorten each (coils, wheels)."""
    springs = [coil for coil in kinematics.linkage.coils if coil.is_spring]
    return [coil.name for coil in springs], np.array([_shortens(coil, at)[0] for coil in springs])


def forces_at_wheels(kinematics: LinkageKinematics, carried: float, at: Positions) -> FloatArray:
    """What pushes each wheel down [N], (N, 2), by (1): springs, torsion bars, gas, and weights of
    links; stops are left out."""
    linkage, design = kinematics.linkage, design_forces(kinematics, carried)
    found = _weights(linkage, at)
    for coil in linkage.coils:
        links = coil.first, coil.second
        shorter = float(np.linalg.norm(np.subtract(*coil.ends))) - at.length(links, coil.ends)
        push = design[coil.name] + coil.gas_force + coil.stiffness * shorter
        found = found + push[:, None] * _shortens(coil, at)
    for bar in linkage.bars:
        twist, rate = _twist(linkage, bar.hinges, at)
        found = found + bar.stiffness * twist[:, None] * rate
    return found


STIFFNESS_STEP = 1e-3  # m, of the travels of one wheel alone that a stiffness is a difference of


def stiffness_travels() -> FloatArray:
    """The left wheel alone up and down, and the right one (4, 3) [m]."""
    step = STIFFNESS_STEP
    return np.array([[step, 0.0, 0.0], [-step, 0.0, 0.0], [0.0, step, 0.0], [0.0, -step, 0.0]])


def wheel_stiffness(kinematics: LinkageKinematics, carried: float, at: Positions) -> FloatArray:
    """Forces at the wheels by their travels at design [N/m], (2, 2), by central differences over
    positions at ``stiffness_travels``."""
    forces = forces_at_wheels(kinematics, carried, at)
    columns = (forces[0] - forces[1], forces[2] - forces[3])
    stiffness: FloatArray = np.stack(columns, axis=1) / (2.0 * STIFFNESS_STEP)
    return stiffness


def _shortens(coil: Coil, at: Positions) -> FloatArray:
    """By the travels of the wheels, (N, 2)."""
    rates: FloatArray = -at.length_rate((coil.first, coil.second), coil.ends)[:, :_WHEELS]
    return rates


def _weights(linkage: AxleLinkage, at: Positions) -> FloatArray:
    """What links push down with at the wheels [N], (N, 2)."""
    found = np.zeros((len(at.r), _WHEELS))
    for link in linkage.links:
        if link.mass:
            rises = at.point_rate(link.name, link.centre)[:, 2, :_WHEELS]
            found += STANDARD_GRAVITY * link.mass * rises
    return found


def _twist(
    linkage: AxleLinkage, hinges: tuple[str, ...], at: Positions
) -> tuple[FloatArray, FloatArray]:
    """Of a torsion bar [rad], (N,), with rates by the wheels' travels (N, 2): the angle of its one
    hinge, or that of the second less that of the first, about the first one's axis."""
    joints = {joint.name: joint for joint in linkage.joints if isinstance(joint, Hinge)}
    angles = [_hinge_angle(joints[name], joints[hinges[0]], at) for name in hinges]
    if len(angles) == 1:
        return angles[0]
    return angles[1][0] - angles[0][0], angles[1][1] - angles[0][1]


def _hinge_angle(hinge: Hinge, axis_of: Hinge, at: Positions) -> tuple[FloatArray, FloatArray]:
    start, end = (np.array(p) for p in axis_of.ends)
    axis = (end - start) / np.linalg.norm(end - start)
    least = np.eye(3)[int(np.argmin(np.abs(axis)))]
    across = np.cross(axis, least)
    across /= np.linalg.norm(across)
    x, y, z = across.tolist()
    first, second = (at.direction(link, (x, y, z)) for link in (hinge.first, hinge.second))
    a, b, c = axis.tolist()
    along = at.direction(hinge.first, (a, b, c))
    cosine = (first * second).sum(axis=1)
    sine = (np.cross(first, second) * along).sum(axis=1)
    turns = at.turn_rate(hinge.second) - at.turn_rate(hinge.first)
    rate = np.einsum("ni,nit->nt", along, turns)[:, :_WHEELS]
    return np.arctan2(sine, cosine), rate
