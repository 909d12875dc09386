"""Curves over wheel travel that a linkage has: what makes it an independent suspension by curves.

The hub turns about z by the toe angle psi, then about x by phi, then about y by theta, as
``WheelGuide`` turns it: with R its rotation in the body, whose columns are its axes,

    psi = atan2(-R_xy, R_yy),   phi = asin(R_zy),   theta = atan2(-R_zx, R_zz) ... (1)

Both sides move alike; where their points differ a curve is the mean of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axletree.components.signals import Curve, Interpolation
from axletree.core.arrays import FloatArray, euclidean_norm
from axletree.vehicles.linkages.curves.forces import (
    forces_at_wheels,
    stiffness_travels,
    wheel_stiffness,
)
from axletree.vehicles.linkages.linkage import WheelCarrier
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions, UnreachableTravel
from axletree.vehicles.suspensions import (
    SIDES,
    Independent,
    RollMotion,
    SolidAxle,
    StaticAngles,
    slow_damping,
)

_FARTHEST = 0.08  # m, of the travel that curves show where no stop says how far it goes
_BEYOND_STOPS = 0.02  # m
_POINTS = 33
_SHORTER, _SHORTEST = 0.8, 0.005  # share, m: where the linkage does not go so far


@dataclass(frozen=True, eq=False)
class WheelCurves:
    """What the wheels of an axle do over their common travel: means of both sides, each with the
    signs of ``Independent``.

    Example:
    >>> import axletree as at
    >>> curves = at.suspension_curves("double-wishbone-sports-car", "front")
    >>> print(f"{1e3 * curves.travel[-1]:.1f} mm, {57.29578 * curves.camber[-1]:.2f} deg")
    62.6 mm, -2.61 deg
    """

    travel: FloatArray  # [m]
    outward: FloatArray  # [m]
    forward: FloatArray  # [m]
    toe: FloatArray  # [rad], from design
    camber: FloatArray  # [rad], likewise
    caster: FloatArray  # [rad], turn about y
    force: FloatArray  # [N], at each wheel, from design

    def __repr__(self) -> str:
        first, last = (1e3 * float(self.travel[k]) for k in (0, -1))
        return f"Wheel curves: {len(self.travel)} positions from {first:.4g} mm to {last:.4g} mm"


class AxleSweep:
    """Positions of a linkage at travels of its wheels, and what follows at held rack."""

    def __init__(self, kinematics: LinkageKinematics) -> None:
        self.kinematics = kinematics
        self._stiffnesses: dict[float, FloatArray] = {}
        self._rolls: dict[tuple[float, float], RollMotion] = {}

    @cached_property
    def stops(self) -> StopTravels:
        """Where stops begin to act."""
        return stop_travels(self.kinematics)

    @cached_property
    def travel(self) -> FloatArray:
        """Of both wheels [m], design in the middle of their order."""
        down, up = (_limit(self.kinematics, self.stops, sign) for sign in (REBOUND, BUMP))
        half = _POINTS // 2
        below = np.linspace(down, 0.0, half, endpoint=False)
        return np.concatenate([below, [0.0], np.linspace(0.0, up, half + 1)[1:]])

    @cached_property
    def positions(self) -> Positions:
        """There."""
        return self.kinematics.at(_parallel(self.travel))

    @cached_property
    def _nearby(self) -> Positions:
        return self.kinematics.at(stiffness_travels())

    def stiffness(self, carried: float) -> FloatArray:
        """Forces at the wheels by their travels at design [N/m], (2, 2), where the springs of each
        wheel carry a load [N]."""
        if carried not in self._stiffnesses:
            found = wheel_stiffness(self.kinematics, carried, self._nearby)
            self._stiffnesses[carried] = found
        return self._stiffnesses[carried]

    def in_roll(self, track: float, travel: float) -> RollMotion:
        """The right wheel goes up and the left one down by half of the track for each radian."""
        if (track, travel) not in self._rolls:
            half = 0.5 * track * np.array([-1.0, 1.0])
            at = (
                self.kinematics.design
                if travel == 0.0
                else self.kinematics.at(_parallel(np.array([travel])))
            )
            carriers = self.kinematics.linkage.carriers.values()
            ways = [at.point_rate(one.link, one.centre)[0, :, :2] @ half for one in carriers]
            turns = [at.turn_rate(one.link)[0, :, :2] @ half for one in carriers]
            way, turn = np.mean(ways, axis=0), np.mean(turns, axis=0)
            self._rolls[track, travel] = RollMotion(-float(way[1]), float(turn[0]), float(turn[2]))
        return self._rolls[track, travel]

    @property
    def is_beam(self) -> bool:
        """Whether both wheels are on one axle, with which they lean."""
        left, right = (self.kinematics.linkage.carriers[side].centre[1] for side in SIDES)
        return self.in_roll(left - right, 0.0).lean < _BEAM_LEAN

    def curves(self, carried: float) -> WheelCurves:
        """Over the travel between the stops and somewhat beyond, as far as the linkage goes."""
        at, carriers = self.positions, self.kinematics.linkage.carriers
        sides = [_of_side(carriers[side], SIDES[side], at) for side in SIDES]
        means = {name: 0.5 * (sides[0][name] + sides[1][name]) for name in sides[0]}
        force = forces_at_wheels(self.kinematics, carried, at).mean(axis=1)
        return WheelCurves(self.travel, **means, force=force - force[_middle(force)])


def common_rate(stiffness: FloatArray) -> float:
    """Of each wheel where both go up [N/m]."""
    return 0.5 * float(stiffness.sum())


def coupling_rate(stiffness: FloatArray) -> float:
    """Force at each wheel by the difference of their travels [N/m], as of an anti-roll bar."""
    return -0.5 * float(stiffness[0, 1] + stiffness[1, 0])


def equivalent_suspension(
    sweep: AxleSweep, angles: StaticAngles, carried: float
) -> Independent | SolidAxle:
    """With the curves of a linkage, and springs, dampers and stops at wheel rates.

    Wheels on one beam that leans with them have a solid axle, which heaves and rolls about its
    middle and has neither curves nor stops.
    """
    if sweep.is_beam:
        return _solid_axle(sweep, carried)
    curves, K = sweep.curves(carried), sweep.stiffness(carried)
    links = sum(link.mass for link in sweep.kinematics.linkage.links)
    named = {
        name: _curve(curves.travel, getattr(curves, name))
        for name in ("outward", "forward", "toe", "camber", "caster", "force")
    }
    return Independent(
        stiffness=common_rate(K),
        mass=0.5 * links,
        anti_roll=max(coupling_rate(K), 0.0),
        static_camber=angles.camber,
        static_toe=angles.toe,
        **named,  # type: ignore[arg-type]
        **_of_coils(sweep.kinematics, sweep.stops),  # type: ignore[arg-type]
    )


def _solid_axle(sweep: AxleSweep, carried: float) -> SolidAxle:
    """Its springs are as far apart as roll stiffness asks for: k b^2 / 2 of rates k at the wheels,
    a track t apart, which roll with k' t^2 / 2, where k' = K_ll - K_lr."""
    K, linkage = sweep.stiffness(carried), sweep.kinematics.linkage
    left, right = (linkage.carriers[side].centre[1] for side in SIDES)
    against = 0.5 * float(K[0, 0] + K[1, 1] - K[0, 1] - K[1, 0])
    common, track = common_rate(K), left - right
    apart = track * float(np.sqrt(max(against, _LEAST_SHARE * common) / common))
    inertia = sum(link.inertia[0] + link.mass * link.centre[1] ** 2 for link in linkage.links)
    found = _of_coils(sweep.kinematics, {})
    curve = found.get("damper")
    damping = slow_damping(curve) if isinstance(curve, Curve) else found["damping"]
    return SolidAxle(
        stiffness=common, spring_track=apart, mass=sum(link.mass for link in linkage.links),
        roll_inertia=inertia, damping=damping,  # type: ignore[arg-type]
    )  # fmt: skip


_BEAM_LEAN = -0.9  # rad/rad, of wheels in roll: -1 of a beam, some -0.5 to 0.3 of others
_LEAST_SHARE = 1e-3


def _parallel(travel: FloatArray) -> FloatArray:
    return np.stack([travel, travel, np.zeros(len(travel))], axis=1)


def _limit(kinematics: LinkageKinematics, stops: StopTravels, sign: float) -> float:
    ends = [abs(travel) for (_, side), travel in stops.items() if side == sign]
    limit = sign * (max(ends) + _BEYOND_STOPS if ends else _FARTHEST)
    while abs(limit) > _SHORTEST:
        try:
            kinematics.at(_parallel(np.array([limit])))
        except UnreachableTravel:
            limit *= _SHORTER
        else:
            return limit
    return limit


BUMP, REBOUND = 1.0, -1.0
StopTravels = dict[tuple[str, float], float]  # [m], by coil and direction
_ITERATIONS, _FLAT, _FAR, _CLOSE = 8, 1e-3, 0.25, 1e-9  # 1, m/m, m, m


def stop_travels(kinematics: LinkageKinematics) -> StopTravels:
    """The common travel of the wheels at which each stop begins to act, by Newton's method; those
    that no travel comes to are left out."""
    wanted = {
        (coil.name, sign): (coil, float(np.linalg.norm(np.subtract(*coil.ends))) - sign * clearance)
        for coil in kinematics.linkage.coils
        for sign, clearance in ((BUMP, coil.bump_clearance), (REBOUND, coil.rebound_clearance))
        if clearance is not None
    }
    travels, steps = np.zeros(len(wanted)), np.ones(len(wanted))
    for _ in range(_ITERATIONS if wanted else 0):
        try:
            at = kinematics.at(_parallel(travels))
        except UnreachableTravel:
            travels *= 0.5
            continue
        steps = np.ones(len(wanted))
        for k, (coil, length) in enumerate(wanted.values()):
            links = coil.first, coil.second
            slope = float(at.length_rate(links, coil.ends)[k, :2].sum())
            if abs(slope) > _FLAT:
                steps[k] = (length - float(at.length(links, coil.ends)[k])) / slope
        travels = np.clip(travels + steps, -_FAR, _FAR)
        if np.abs(steps).max() < _CLOSE:
            break
    found = zip(wanted, travels.tolist(), steps.tolist(), strict=True)
    return {key: travel for key, travel, left in found if abs(left) < _CLOSE}


def _of_side(carrier: WheelCarrier, sign: float, at: Positions) -> dict[str, FloatArray]:
    x0, y0, _ = carrier.centre
    centre, R = (
        at.point(carrier.link, carrier.centre),
        at.rotation(carrier.link) @ hub_axes(carrier),
    )
    toe, camber, caster = (angle - angle[_middle(angle)] for angle in _guide_angles(R))
    return {
        "outward": sign * (centre[:, 1] - y0),
        "forward": centre[:, 0] - x0,
        "toe": -sign * toe,
        "camber": -sign * camber,
        "caster": caster,
    }


def _middle(values: FloatArray) -> int:
    return len(values) // 2


def hub_axes(carrier: WheelCarrier) -> FloatArray:
    """Of a hub in the axle's axes at design, by columns: y along the spin axis, x level."""
    y = np.array(carrier.spin_axis)
    x = np.cross(y, [0.0, 0.0, 1.0])
    x /= euclidean_norm(x)
    axes: FloatArray = np.column_stack([x, y, np.cross(x, y)])
    return axes


def _guide_angles(R: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Toe, camber and caster turns [rad] by (1)."""
    toe = np.arctan2(-R[:, 0, 1], R[:, 1, 1])
    camber = np.arcsin(R[:, 2, 1])
    return toe, camber, np.arctan2(-R[:, 2, 0], R[:, 2, 2])


def _curve(x: FloatArray, y: FloatArray) -> Curve | None:
    if np.abs(y).max() < 1e-12:
        return None
    return Curve(tuple(x.tolist()), tuple(y.tolist()), Interpolation.SPLINE)


def _of_coils(kinematics: LinkageKinematics, stops: StopTravels) -> dict[str, object]:
    """Damping, damper and stops at a wheel; of stops on both sides the left ones show them.

    Of coils that the common travel of both wheels shortens by r of itself, with damper forces F(v),
    a wheel feels half of the sum of r F(r v) over both sides.
    """
    at = kinematics.design
    found: dict[str, object] = {}
    damping = stop = 0.0
    dampers: list[tuple[float, Curve]] = []
    for coil in kinematics.linkage.coils:
        left, right = (-at.length_rate((coil.first, coil.second), coil.ends)[0, :2]).tolist()
        ratio = left + right  # shortens by the common travel
        if coil.damper is None:
            damping += 0.5 * coil.damping * ratio**2
        elif abs(ratio) > _LEAST_SHARE:
            dampers.append((ratio, coil.damper))
        if abs(left) < abs(right):
            continue
        for word, sign in (("bump_clearance", BUMP), ("rebound_clearance", REBOUND)):
            if (coil.name, sign) in stops:
                found[word] = abs(stops[coil.name, sign])
                stop = max(stop, coil.stop_stiffness * ratio**2)
    if dampers:
        found["damper"] = _joint_damper(dampers, damping)
    else:
        found["damping"] = damping
    return found | ({"stop_stiffness": stop} if stop else {})


def _joint_damper(dampers: list[tuple[float, Curve]], damping: float) -> Curve:
    """At a wheel, from ratios and curves on both sides and what is linear [N s/m]."""
    speeds = np.unique([v / ratio for ratio, points in dampers for v in points.x])
    # Those of both sides are the same but for rounding.
    speeds = speeds[np.append(True, np.diff(speeds) > 1e-9 * np.ptp(speeds))]
    forces = damping * speeds
    for ratio, points in dampers:
        forces = forces + 0.5 * ratio * np.asarray(points.table.evaluate(ratio * speeds))
    return Curve(tuple(speeds.tolist()), tuple(forces.tolist()), dampers[0][1].kind)
