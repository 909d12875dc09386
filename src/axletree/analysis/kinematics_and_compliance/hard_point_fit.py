"""Hard points from target curves, by least squares with exact derivatives of the closure.

A linkage with hard points p has positions q(p) with F(q, p) = 0: joints closed, wheels at their
heights, the rack at its travel. By the implicit function theorem

    dq/dp = -F_q^{-1} F_p,    dy/dp = y_q dq/dp

for what is measured of the carrier's motion, y(q). F_q are the slopes of the closure; F_p follows
from its rows by a complex step along the motion of all points of the joints with p.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

import numpy as np

from axletree.analysis.kinematics_and_compliance.tables import COORDINATES, RigTable
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import few_names, unknown_name
from axletree.core.units import units_in
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.linkages.elements import elements_of, steering_element
from axletree.vehicles.linkages.linkage import AxleLinkage, Point
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions, _solved, _State

_STEP, _COMPLEX = 1e-4, 1e-30  # [m] of points in the linkage's own construction; of rows
QUANTITIES = ("toe", "camber", "outward", "forward", "contact_outward")
# What a residual is divided by: errors that weigh alike.
_SCALES = {"toe": np.radians(0.01), "camber": np.radians(0.05)}
_STEEPEST = np.radians(45.0)  # as far as a wheel may stand
_LENGTH_SCALE = 1e-4  # [m]
_AT_BOUND = 1e-6  # [m]


@dataclass(frozen=True)
class Coordinate:
    """A coordinate of a hard point."""

    point: str
    axis: int

    @property
    def name(self) -> str:
        return f"{self.point}.{COORDINATES[self.axis]}"


def hard_points(suspension: LinkedSuspension) -> dict[str, Point]:
    """Of a suspension, by name; those of rods as ``rods.toe.inner``."""
    return dict(_points_in(suspension.points))  # type: ignore[attr-defined]


def _points_in(part: Any, before: str = "") -> Iterator[tuple[str, Point]]:
    if isinstance(part, tuple) and len(part) == 3 and all(isinstance(x, float) for x in part):
        yield before, (part[0], part[1], part[2])
        return
    for name, one in _named(part):
        yield from _points_in(one, f"{before}.{name}" if before else name)


def _named(part: Any) -> list[tuple[str, Any]]:
    if isinstance(part, Mapping):
        return list(part.items())
    if is_dataclass(part) and not isinstance(part, type):
        return [(field.name, getattr(part, field.name)) for field in fields(part) if field.init]
    return []


def coordinates_of(suspension: LinkedSuspension, free: Sequence[str] = ()) -> list[Coordinate]:
    """Those that are free: names of points, or of coordinates as ``tie_rod_outer.z``; if none is
    given, all but the wheel centre's."""
    known = [name for name in hard_points(suspension) if name != "wheel_centre"]
    found = []
    for word in free or known:
        point, _, axis = word.rpartition(".")
        if word in known:
            found += [Coordinate(word, k) for k in range(3)]
        elif point in known and axis in COORDINATES:
            found.append(Coordinate(point, COORDINATES.index(axis)))
        else:
            raise unknown_name("hard point", word, known, "this suspension")
    return list(dict.fromkeys(found))


def moved_points(
    suspension: LinkedSuspension, coordinates: Sequence[Coordinate], moves: Sequence[float]
) -> LinkedSuspension:
    """The suspension with coordinates moved [m]."""
    places = {name: list(at) for name, at in hard_points(suspension).items()}
    for coordinate, move in zip(coordinates, moves, strict=True):
        places[coordinate.point][coordinate.axis] += float(move)
    changed = _placed(suspension.points, places)  # type: ignore[attr-defined]
    other: LinkedSuspension = replace(suspension, points=changed)  # type: ignore[call-arg]
    return other


def _placed(part: Any, places: Mapping[str, Sequence[float]], before: str = "") -> Any:
    if before in places:
        return tuple(places[before])
    if not _named(part):
        return part
    found = {
        name: _placed(one, places, f"{before}.{name}" if before else name)
        for name, one in _named(part)
    }
    return found if isinstance(part, Mapping) else replace(part, **found)


# -- curves and their derivatives ------------------------------------------------------------


def wheel_curves(
    linkage: AxleLinkage, travel: FloatArray, tyre_radius: float
) -> tuple[dict[str, FloatArray], Positions]:
    """Of the left wheel over the travel of both at held rack, by name; lengths from design."""
    kinematics = LinkageKinematics(linkage)
    inputs = np.zeros((len(travel), kinematics.inputs))
    inputs[:, :2] = travel[:, None]
    at = kinematics.at(inputs)
    carrier = linkage.carriers["left"]
    k = at.order[carrier.link]
    found = _measured(at.r[:, k], at.R[:, k], carrier.centre, carrier.spin_axis, tyre_radius)
    return found, at


def _measured(r: Any, R: Any, centre: Any, spin: Any, radius: float) -> dict[str, Any]:
    centre, spin = np.array(centre), np.array(spin)
    s, shift = R @ spin, r + R @ centre - centre
    down = s[:, 2:] * s - np.array([0.0, 0.0, 1.0])
    contact = radius * down[:, 1] / np.sqrt(1.0 - s[:, 2] ** 2)
    start = radius * spin[2] * spin[1] / np.sqrt(1.0 - spin[2] ** 2)
    return {
        "toe": np.arctan(s[:, 0] / s[:, 1]), "camber": -np.arcsin(s[:, 2]),
        "outward": shift[:, 1], "forward": shift[:, 0],
        "contact_outward": shift[:, 1] + contact - start,
    }  # fmt: skip


def curve_slopes(
    suspension: LinkedSuspension,
    coordinates: Sequence[Coordinate],
    at: Positions,
    tyre_radius: float,
) -> dict[str, FloatArray]:
    """By coordinates of hard points, (N, coordinates)."""
    linkage = suspension.in_axle
    carrier = linkage.carriers["left"]
    k = at.order[carrier.link]
    by_points = _motion_by_points(suspension, coordinates, at)[:, 6 * k : 6 * k + 6]
    moves = np.moveaxis(by_points, 2, 0)  # (P, N, 6)
    found: dict[str, list[FloatArray]] = {name: [] for name in QUANTITIES}
    for move in moves:
        r = at.r[:, k] + 1j * _COMPLEX * move[:, :3]
        turn = 1j * _COMPLEX * np.cross(move[:, 3:, None], np.eye(3)[None], axis=1)
        R = at.R[:, k] + turn @ at.R[:, k]
        values = _measured(r, R, carrier.centre, carrier.spin_axis, tyre_radius)
        for name, value in values.items():
            found[name].append(value.imag / _COMPLEX)
    return {name: np.stack(columns, axis=1) for name, columns in found.items()}


def _motion_by_points(
    suspension: LinkedSuspension, coordinates: Sequence[Coordinate], at: Positions
) -> FloatArray:
    """-F_q^{-1} F_p, (N, 6 links, coordinates)."""
    linkage = suspension.in_axle
    real = _State(at.order, at.r, at.R)
    A = np.concatenate([slopes for _, slopes in _closure(linkage, real)], axis=1)
    columns = []
    state = _State(at.order, at.r.astype(complex), at.R.astype(complex))
    for coordinate in coordinates:
        ends = [moved_points(suspension, [coordinate], [step]).in_axle for step in (_STEP, -_STEP)]
        joints = _along(linkage.joints, ends[0].joints, ends[1].joints)
        changed = _Changed(linkage, joints)
        rows = [values for values, _ in _closure(changed, state)]
        columns.append(np.concatenate(rows, axis=1).imag / _COMPLEX)
    return -_solved(A, np.stack(columns, axis=2).astype(float))


@dataclass(frozen=True)
class _Changed:
    """A linkage with complex points in its joints, which is not checked as a real one is."""

    linkage: AxleLinkage
    joints: tuple[Any, ...]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.linkage, name)

    def hinge(self, name: str) -> Any:
        return next(joint for joint in self.joints if joint.name == name)


def _closure(linkage: Any, state: _State) -> Iterator[tuple[Any, Any]]:
    """Rows of all joints, of the heights of the wheels and of the steering, with slopes by the
    motion of all links; the numbers that targets have do not matter to slopes."""
    plain = _Changed(linkage, linkage.joints)
    bare = _WithoutSprings(plain)
    steering = steering_element(bare)  # type: ignore[arg-type]
    elements = list(elements_of(bare, elastic=False))  # type: ignore[arg-type]
    for element in (*elements, *(() if steering is None else (steering,))):
        yield element.of(state)
    for carrier in linkage.carriers.values():
        height = state.point(carrier.link, carrier.centre)[:, 2:]
        yield height, state.slope(carrier.link, carrier.centre)[:, 2:]


@dataclass(frozen=True)
class _WithoutSprings:
    """Of a linkage, what closes it."""

    linkage: _Changed
    coils: tuple[Any, ...] = ()
    bars: tuple[Any, ...] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.linkage, name)


def _along(here: Any, ahead: Any, behind: Any) -> Any:
    """What is here, with an imaginary part along the motion of its numbers by a coordinate."""
    if isinstance(here, float):
        return complex(here, _COMPLEX * (ahead - behind) / (2.0 * _STEP))
    if isinstance(here, tuple):
        return tuple(_along(*one) for one in zip(here, ahead, behind, strict=True))
    if is_dataclass(here) and not isinstance(here, type):
        names = ("ends", "at", "along", "axes", "normal", "direction")
        moved = {
            name: _along(getattr(here, name), getattr(ahead, name), getattr(behind, name))
            for name in names
            if hasattr(here, name)
        }
        return replace(here, **moved)
    return here


# -- the fit ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class HardPointFit:
    """Fitted points, and the curves before and after.

    Example:
    >>> import axletree as at
    >>> target = {"travel": [-0.05, 0.0, 0.05], "toe": [0.001, 0.001, 0.001]}  # m, rad
    >>> free = ["tie_rod_inner.z"]
    >>> fit = at.fit_suspension("double-wishbone-sports-car", "front", target, free=free)
    >>> print(f"{1e3 * (fit.after[0] - fit.before[0]):.1f} mm")
    -3.3 mm
    """

    suspension: LinkedSuspension  # with the fitted points
    coordinates: tuple[Coordinate, ...]
    before: FloatArray  # (coordinates,) [m]
    after: FloatArray
    bounds: FloatArray  # (coordinates, 2) [m]
    target: RigTable
    curves: tuple[Mapping[str, FloatArray], Mapping[str, FloatArray]]  # before, after
    iterations: int

    def __repr__(self) -> str:
        lines = [f"Fit of {few_names([one.name for one in self.coordinates], 6)} in "
                 f"{self.iterations} steps; RMS difference to the target"]  # fmt: skip
        for name in self.names:
            shown, unit = ("deg", "rad") if name in ("toe", "camber") else ("mm", "m")
            before, after = (units_in(shown, unit) * self.rms(name, k) for k in (0, 1))
            lines.append(
                f"  {name.replace('_', ' ')} {after:.4g} {shown}, was {before:.4g} {shown}"
            )
        return "\n".join(lines)

    def rms(self, name: str, k: int) -> float:
        """Of the difference to the target, before (0) or after (1).

        Example:
        >>> import axletree as at
        >>> target = {"travel": [-0.05, 0.0, 0.05], "toe": [0.001, 0.001, 0.001]}  # m, rad
        >>> free = ["tie_rod_inner.z"]
        >>> fit = at.fit_suspension("double-wishbone-sports-car", "front", target, free=free)
        >>> print(f"{1e3 * fit.rms('toe', 0):.2f} mrad, {1e3 * fit.rms('toe', 1):.2f} mrad")
        3.14 mrad, 0.41 mrad
        """
        difference = self.curves[k][name] - self.target.curves[name]
        return float(np.sqrt(np.mean(difference**2)))

    @property
    def at_bounds(self) -> list[bool]:
        """Which coordinates would move further."""
        room = np.minimum(self.after - self.bounds[:, 0], self.bounds[:, 1] - self.after)
        return [bool(one < _AT_BOUND) for one in room]

    @property
    def names(self) -> list[str]:
        """Quantities that were fitted."""
        return [name for name in QUANTITIES if name in self.target.curves]


def fit_hard_points(
    suspension: LinkedSuspension,
    target: RigTable,
    tyre_radius: float,
    *,
    free: Sequence[str] = (),
    reach: float = 0.02,
) -> HardPointFit:
    """Move hard points by at most ``reach`` [m] in each free coordinate so that the wheel's curves
    over travel come as near to the targets as they can.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> from axletree.analysis.kinematics_and_compliance.hard_point_fit import fit_hard_points
    >>> from axletree.analysis.kinematics_and_compliance.tables import RigTable
    >>> car = at.read_model("double-wishbone-sports-car").described["vehicle"]
    >>> travel = np.linspace(-0.06, 0.06, 9)  # m
    >>> flat = RigTable(travel, {"toe": np.full(9, np.radians(0.05))})
    >>> front = car.axles["front"]
    >>> fit = fit_hard_points(front.suspension, flat, 0.33, free=["tie_rod_outer"])
    >>> fit.rms("toe", 1) < 0.1 * fit.rms("toe", 0)
    True
    """
    from scipy.optimize import least_squares

    names = [name for name in QUANTITIES if name in target.curves]
    if not names:
        raise ModelError(f"the target has none of the curves {', '.join(QUANTITIES)}")
    for name in {*names} & {*_SCALES}:
        farthest = float(np.abs(target.curves[name]).max(initial=0.0))
        if farthest > _STEEPEST:
            raise ModelError(
                f"{name} of the target comes to {np.degrees(farthest):.4g} deg, and a wheel stands "
                f"within {np.degrees(_STEEPEST):.0f} deg; in Python angles are in rad"
            )
    coordinates = coordinates_of(suspension, free)
    scale = {name: _SCALES.get(name, _LENGTH_SCALE) for name in names}
    known: dict[bytes, tuple[LinkedSuspension, dict[str, FloatArray], Positions]] = {}

    def at(moves: FloatArray) -> tuple[LinkedSuspension, dict[str, FloatArray], Positions]:
        key = moves.tobytes()
        if key not in known:
            other = moved_points(suspension, coordinates, moves.tolist())
            known[key] = (other, *wheel_curves(other.in_axle, target.travel, tyre_radius))
        return known[key]

    def residuals(moves: FloatArray) -> FloatArray:
        _, curves, _ = at(moves)
        return np.concatenate([(curves[n] - target.curves[n]) / scale[n] for n in names])

    def slopes(moves: FloatArray) -> FloatArray:
        other, _, positions = at(moves)
        found = curve_slopes(other, coordinates, positions, tyre_radius)
        return np.concatenate([found[name] / scale[name] for name in names])

    start = np.zeros(len(coordinates))
    try:
        solved = least_squares(
            residuals, start, slopes, bounds=(-reach, reach), x_scale=reach, xtol=1e-12
        )
    except AxletreeError as error:
        raise ModelError(
            f"points within {1e3 * reach:g} mm do not always close, or do not reach the travel of "
            f"the target; allow less: {error}"
        ) from None
    points = hard_points(suspension)
    before = np.array([points[c.point][c.axis] for c in coordinates])
    bounds = np.stack([before - reach, before + reach], axis=1)
    return HardPointFit(
        at(solved.x)[0], tuple(coordinates), before, before + solved.x, bounds, target,
        (at(start)[1], at(solved.x)[1]), int(solved.nfev),
    )  # fmt: skip
