"""Rubber bushings in place of ideal joints, where bushings are modelled.

``HingeBushing``     by radial and axial stiffness, at both ends of a hinge
``JointBushing``     at any joint, by six stiffnesses, dampings and curves along its own axes
``with_bushings``    a linkage with mounts at the joints that are named
``elastic_linkage``  the same with a link for each rod and strut that is mounted
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import Part, parameter, positive, vector_parameter
from axletree.components.signals import Curve, Interpolation, curve
from axletree.components.springs import BUSHING_FORCES, BUSHING_MOMENTS
from axletree.core.arrays import euclidean_norm
from axletree.core.errors import ModelError, gathered
from axletree.core.registry import unknown_name
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Bar,
    Coil,
    Cross,
    Hinge,
    Link,
    LinkJoint,
    Mount,
    Plane,
    Point,
    Sleeve,
    axes_with_z,
    mirrored_point,
    rod_link,
)


@dataclass(frozen=True, kw_only=True)
class HingeBushing(Part):
    """One at each end of a hinge, whose line is its axis. At design it is free of load.

    Example:
    >>> from axletree.vehicles.linkages.parts.mounts import HingeBushing
    >>> bushing = HingeBushing(radial="12 kN/mm", axial="1.5 kN/mm", torsion="60 N*m/rad")
    >>> bushing.mount(((0.0, 0.4, 0.2), (-0.3, 0.4, 0.2))).stiffness  # N/m
    (12000000.0, 12000000.0, 1500000.0)
    """

    summary: ClassVar[str] = "a rubber bushing at each end of a hinge"

    radial: float = positive("N/m", "stiffness across its axis")
    axial: float = positive("N/m", "stiffness along its axis")
    torsion: float = parameter("N*m/rad", "stiffness about its axis", default=0.0, lower=0.0)
    conical: float = parameter("N*m/rad", "stiffness across, as it tilts", default=0.0, lower=0.0)
    damping_time: float = parameter("s", "damping over stiffness", default=5e-4, lower=0.0)

    def mount(self, ends: tuple[Point, Point]) -> Mount:
        """With the line between two points as its axis."""
        forces = self.radial, self.radial, self.axial
        moments = self.conical, self.conical, self.torsion
        x, y, z = np.subtract(ends[1], ends[0]).tolist()
        return Mount(forces, moments, self._damped(forces), self._damped(moments), (x, y, z))

    def _damped(self, stiffness: Point) -> Point:
        a, b, c = stiffness
        return (self.damping_time * a, self.damping_time * b, self.damping_time * c)


def hinge_mounts(
    bushings: HingeBushing | None, ends: tuple[Point, Point]
) -> tuple[Mount, Mount] | None:
    """Of both ends of a hinge; none of an ideal one."""
    if bushings is None:
        return None
    mount = bushings.mount(ends)
    return mount, mount


_STEEP = 1e-3  # [m] from where a stop acts to the next point of its curve
_NOTHING = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class JointBushing(Part):
    """Given for the left side, in its own axes; the right one is its mirror image.

    Its z is along the hinge, the rod or the strut, and upward at a ball joint, if ``axis`` does not
    say otherwise. A rod by its own name takes the stiffness along it alone, that of rod and
    bushings; an end of it, with ``_inner`` or ``_outer``, takes a bushing, and so does an end of a
    hinge with ``_front`` or ``_rear``. An arm that bends is a bushing at its ball joint.

    Example:
    >>> from axletree.vehicles.linkages.parts.mounts import JointBushing
    >>> rubber = JointBushing(
    ...     stiffness=("4 kN/mm", "9 kN/mm", "0.5 kN/mm"), rotational_stiffness=(400, 400, 60)
    ... )
    >>> print(f"{rubber.mount((1.0, 0.0, 0.0), 1.0).damping[1]:.0f} N s/m")  # half a ms of 9 kN/mm
    4500 N s/m
    """

    summary: ClassVar[str] = "a rubber bushing in place of an ideal joint"

    stiffness: Point = vector_parameter("N/m", "along x, y, z of the bushing", default=_NOTHING)
    rotational_stiffness: Point = vector_parameter("N*m/rad", "about them", default=_NOTHING)
    damping: Point | None = vector_parameter(
        "N*s/m", "along them; left out: the stiffness times damping_time", default=None
    )
    rotational_damping: Point | None = vector_parameter("N*m*s/rad", "likewise", default=None)
    damping_time: float = parameter("s", "damping over stiffness", default=5e-4, lower=0.0)
    axis: Point | None = vector_parameter(
        "1", "direction of its z; left out: that of the joint", default=None
    )
    across: Point | None = vector_parameter(
        "1", "direction of its x; left out: normal to its axis and to y of the axle", default=None
    )
    force_x: Curve | None = curve("m", "N", "in place of the stiffness along x", default=None)
    force_y: Curve | None = curve("m", "N", "likewise along y", default=None)
    force_z: Curve | None = curve("m", "N", "likewise along z", default=None)
    moment_x: Curve | None = curve("rad", "N*m", "likewise about x", default=None)
    moment_y: Curve | None = curve("rad", "N*m", "likewise about y", default=None)
    moment_z: Curve | None = curve("rad", "N*m", "likewise about z", default=None)
    clearance: Point | None = vector_parameter(
        "m", "displacement along each axis, both ways, at which a stop begins to act; a stop adds "
        "its stiffness", default=None,
    )  # fmt: skip
    stop_stiffness: float = positive("N/m", "of these stops", default=1e7)
    rod_mass: float = positive(
        "kg", "of the rod or strut that it is on; counts with what carries the wheel where rods "
        "are rigid", default=1.0,
    )  # fmt: skip

    def problems(self) -> list[str]:
        found = []
        for name in ("stiffness", "rotational_stiffness", "damping", "rotational_damping"):
            if min(getattr(self, name) or _NOTHING) < 0.0:
                found.append(f"{name}: {list(getattr(self, name))} has a negative entry")
        for names, values in (
            (BUSHING_FORCES, self.stiffness),
            (BUSHING_MOMENTS, self.rotational_stiffness),
        ):
            for name, stiffness in zip(names, values, strict=True):
                points = getattr(self, name)
                if points is None:
                    continue
                if stiffness:
                    found.append(f"{name}: there is a stiffness of {stiffness:g}, too; give one")
                if abs(points.table.evaluate(0.0)) > _OFF * max(map(abs, points.y)):
                    found.append(f"{name}: it is not zero where the bushing is at rest, at 0")
        for k, name in enumerate(BUSHING_FORCES):
            if self.clearance is not None and getattr(self, name) is not None:
                found.append(f"{name}: a curve has its stop in it; leave clearance out")
            if self.clearance is not None and self.clearance[k] <= 0.0:
                found.append(f"clearance: {self.clearance[k]:g} m; expected more than 0")
        z = self.axis
        if z is not None and not any(z):
            found.append("axis: it has no direction")
        if self.across is not None and not any(self.across):
            found.append("across: it has no direction")
        elif z is not None and self.across is not None and not np.cross(z, self.across).any():
            found.append("across: it is along axis; expected a direction across it")
        has = [*self._stiffnesses, *self._given_curves(), self.clearance]
        return list(dict.fromkeys(found)) if any(has) else ["it has neither stiffness nor curve"]

    @property
    def _stiffnesses(self) -> tuple[float, ...]:
        return (*self.stiffness, *self.rotational_stiffness)

    @property
    def along_only(self) -> float | None:
        """The stiffness along z [N/m] if it has nothing else."""
        x, y, z = self.stiffness
        other = [x, y, *self.rotational_stiffness, *self._given_curves(), self.clearance]
        return None if any(other) or not z else z

    def _given_curves(self) -> dict[str, Curve]:
        found = {name: getattr(self, name) for name in (*BUSHING_FORCES, *BUSHING_MOMENTS)}
        return {name: points for name, points in found.items() if points is not None}

    def mount(self, along: Point, side: float) -> Mount:
        """At a joint with this direction, on the left (1) or right (-1).

        In a mirror z and x go over, and y is the other way; so are turns about z and x.
        """
        axis = along if self.axis is None else _sided(self.axis, side)
        curves = self._given_curves() | self._stops()
        turned = ("force_y", "moment_x", "moment_z") if side < 0.0 else ()
        return Mount(
            self.stiffness, self.rotational_stiffness,
            self.damping or self._damped(BUSHING_FORCES, self.stiffness),
            self.rotational_damping or self._damped(BUSHING_MOMENTS, self.rotational_stiffness),
            axis, None if self.across is None else _sided(self.across, side),
            {k: points.turned() if k in turned else points for k, points in curves.items()},
        )  # fmt: skip

    def _stops(self) -> dict[str, Curve]:
        found = {}
        for name, c in zip(BUSHING_FORCES, self.clearance or (), strict=False):
            F = self.stop_stiffness * _STEEP
            x, y = (-c - _STEEP, -c, c, c + _STEEP), (-F, 0.0, 0.0, F)
            found[name] = Curve(x, y, Interpolation.LINEAR)
        return found

    def _damped(self, names: tuple[str, ...], stiffness: Point) -> Point:
        """By the slope at rest where a curve takes the place of the stiffness."""
        curves = self._given_curves()
        slopes = [
            float(curves[name].table.derivative().evaluate(0.0)) if name in curves else k
            for name, k in zip(names, stiffness, strict=True)
        ]
        x, y, z = (self.damping_time * max(slope, 0.0) for slope in slopes)
        return (x, y, z)


_OFF = 1e-9  # share of the greatest force of a curve


def _sided(direction: Point, side: float) -> Point:
    return direction if side > 0.0 else mirrored_point(direction)


# Mounts at the joints of a linkage.


def with_bushings(linkage: AxleLinkage, given: Mapping[str, JointBushing]) -> AxleLinkage:
    """With bushings at joints by their names, of both sides or with the side before it.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.linkages.parts.mounts import JointBushing, with_bushings
    >>> car = at.read_model("double-wishbone-sports-car").described["vehicle"]
    >>> rubber = JointBushing(stiffness=(1e7, 1e7, 2e6), rotational_stiffness=(9, 9, 9))
    >>> soft = with_bushings(car.axles["front"].suspension.linkage(), {"tie_rod_inner": rubber})
    >>> soft.has_bushings()
    True
    """
    if not given:
        return linkage
    used: set[str] = set()
    joints: list[LinkJoint] = []
    added: dict[str, list[tuple[float, Point]]] = {}
    problems: list[str] = []
    for joint in linkage.joints:
        own = {place: name for place, name in _names_of(joint, given).items() if name is not None}
        used |= set(own.values())
        with gathered(problems, "bushings: "):
            joint = _mounted(linkage, joint, {k: (name, given[name]) for k, name in own.items()})
        joints.append(joint)
        if isinstance(joint, Bar | Sleeve) and joint.mass:
            added[joint.second] = [*added.get(joint.second, []), (joint.mass, _far_end(joint))]
    for name in given:
        if name not in used:
            places = [k for joint in linkage.joints for k in _places_of(joint)]
            known = dict.fromkeys(word.removeprefix(f"{_side_of(word)}_") for word in places)
            problems.append(f"bushings: {unknown_name('joint', name, known, 'this axle')}")
    if problems:
        raise ModelError(problems)
    links = tuple(_heavier(link, added.get(link.name, [])) for link in linkage.links)
    return replace(linkage, joints=tuple(joints), links=links)


def _far_end(joint: Bar | Sleeve) -> Point:
    """Where the mass of a rod counts where it is rigid: on the link that carries the wheel."""
    return joint.ends[1] if isinstance(joint, Bar) else joint.along


def _heavier(link: Link, masses: list[tuple[float, Point]]) -> Link:
    for mass, at in masses:
        link = link.with_point_mass(mass, at)
    return link


def _side_of(name: str) -> str:
    return next((side for side in ("left", "right") if name.startswith(f"{side}_")), "")


def _places_of(joint: LinkJoint) -> list[str]:
    """Names of the places of a joint that may have a bushing, that of all first."""
    match joint:
        case Hinge():
            return [joint.name, f"{joint.name}_front", f"{joint.name}_rear"]
        case Bar():
            return [joint.name, f"{joint.name}_inner", f"{joint.name}_outer"]
        case Ball() | Cross() | Sleeve():
            return [joint.name]
        case _:
            return []


def _names_of(joint: LinkJoint, given: Mapping[str, JointBushing]) -> dict[str, str | None]:
    """The entry of each of its places, with the side before it or without."""
    found = {}
    for place in _places_of(joint):
        plain = place.removeprefix(f"{_side_of(place)}_")
        found[place] = next((name for name in (place, plain) if name in given), None)
    return found


def _mounted(
    linkage: AxleLinkage, joint: LinkJoint, given: Mapping[str, tuple[str, JointBushing]]
) -> LinkJoint:
    """With the bushings of its places."""
    if not given:
        return joint
    side = -1.0 if _side_of(joint.name) == "right" else 1.0
    whole = given.get(joint.name)
    match joint:
        case Hinge():
            return _mounted_hinge(linkage, joint, given, side)
        case Bar():
            return _mounted_bar(joint, given, side)
        case Ball() if whole is not None:
            return replace(joint, mount=whole[1].mount((0.0, 0.0, 1.0), side))
        case Cross() if whole is not None:
            x, y, z = np.cross(*joint.axes).tolist()
            return replace(joint, mount=whole[1].mount((x, y, z), side))
        case Sleeve() if whole is not None:
            if BODY not in (joint.first, joint.second):
                raise ModelError(f"{whole[0]}: {joint.name} slides along a line; it has no bushing")
            x, y, z = np.subtract(joint.at, joint.along).tolist()
            mass = whole[1].rod_mass if joint.first == BODY else 0.0
            return replace(joint, mount=whole[1].mount((x, y, z), side), mass=mass)
    return joint


def _mounted_hinge(
    linkage: AxleLinkage,
    joint: Hinge,
    given: Mapping[str, tuple[str, JointBushing]],
    side: float,
) -> Hinge:
    name = next(iter(given.values()))[0]
    turned = {name for bar in linkage.bars for name in bar.hinges}
    turned |= {name for one in linkage.couplings for name in one.hinges}
    if joint.name in turned or joint.name == linkage.steering_hinge:
        raise ModelError(f"{name}: {joint.name} turns a spring or steers, and stays a hinge")
    if joint.mounts is not None:
        raise ModelError(f"{name}: {joint.name} has bushings already; give them once")
    x, y, z = np.subtract(joint.ends[1], joint.ends[0]).tolist()
    whole = given.get(joint.name)
    ends = [given.get(f"{joint.name}_{end}", whole) for end in ("front", "rear")]
    if ends[0] is None or ends[1] is None:
        raise ModelError(f"{name}: the other end of {joint.name} needs a bushing, too")
    first, second = (one[1].mount((x, y, z), side) for one in ends if one is not None)
    return replace(joint, mounts=(first, second))


def _mounted_bar(joint: Bar, given: Mapping[str, tuple[str, JointBushing]], side: float) -> Bar:
    whole = given.get(joint.name)
    ends = [given.get(f"{joint.name}_{end}") for end in ("inner", "outer")]
    if whole is not None:
        name, bushing = whole
        if any(ends):
            raise ModelError(f"{name}: give the whole rod, or its ends with _inner and _outer")
        if bushing.along_only is None:
            raise ModelError(
                f"{name}: a rod by its own name gives along itself alone, by the third stiffness: "
                f"[0, 0, 20 kN/mm]; name an end of it, {name}_inner or {name}_outer, for a bushing"
            )
        damping = bushing.damping or bushing.mount((0.0, 0.0, 1.0), side).damping
        return replace(joint, stiffness=bushing.along_only, damping=damping[2])
    if joint.stiffness is not None:
        raise ModelError(f"{joint.name} has a stiffness along it already; leave that out")
    x, y, z = np.subtract(joint.ends[1], joint.ends[0]).tolist()
    mounts = [None if one is None else one[1].mount((x, y, z), side) for one in ends]
    spins = not any(mount is not None and _resists_spin(mount, (x, y, z)) for mount in mounts)
    if mounts[0] is not None and spins:
        raise ModelError(
            f"{joint.name} could turn about itself; give one of its bushings a "
            "rotational_stiffness about its z"
        )
    mass = max(one[1].rod_mass for one in ends if one is not None)
    return replace(joint, mounts=(mounts[0], mounts[1]), mass=mass)


def _resists_spin(mount: Mount, along: Point) -> bool:
    e = np.array(along) / np.linalg.norm(along)
    by = np.abs(mount.axes.T @ e) > 1e-6
    curved = [name in mount.curves for name in BUSHING_MOMENTS]
    return bool(np.any(by & (np.array(mount.rotational_stiffness) + curved > 0.0)))


# Links of mounted rods.


def elastic_linkage(linkage: AxleLinkage) -> AxleLinkage:
    """With a link for each rod with mounts at its ends, and for the rod of each mounted strut; the
    spring of such a strut stands on the rod. Ideal ends of rods are a cross on the inner side, so
    that rods do not turn about themselves, and a ball on the outer one.

    A point that slides on a line of the body, as the eye of a leaf, is held by its mount alone. If
    that is stiff along the line, no middle of an axle is held sideways beside it. A rack whose tie
    rods give has a mass of its own, which elsewhere is the body's.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.linkages.parts import mounts
    >>> car = at.read_model("double-wishbone-sports-car").described["vehicle"]
    >>> rubber = mounts.JointBushing(stiffness=(1e7, 1e7, 2e6), rotational_stiffness=(9, 9, 9))
    >>> rear = car.axles["rear"].suspension.linkage()
    >>> rear = mounts.with_bushings(rear, {"tie_rod_inner": rubber})
    >>> [link.name for link in mounts.elastic_linkage(rear).links if "rod" in link.name]
    ['left_tie_rod', 'right_tie_rod']
    """
    links = {link.name: link for link in linkage.links}
    joints: list[LinkJoint] = []
    coils, held_by_mounts = linkage.coils, any(map(_holds_sideways, linkage.joints))
    for joint in linkage.joints:
        if isinstance(joint, Bar) and any(joint.mounts):
            _take(links, joint.second, joint.mass, _far_end(joint))
            links[joint.name] = rod_link(joint.name, joint.mass, joint.ends)
            joints += _rod_joints(joint)
        elif isinstance(joint, Sleeve) and joint.mount is not None and joint.second == BODY:
            joints.append(Ball(joint.name, BODY, joint.first, joint.at, joint.mount))
        elif isinstance(joint, Sleeve) and joint.mount is not None:
            if joint.mass:
                _take(links, joint.second, joint.mass, _far_end(joint))
            rod = f"{joint.name}_rod"
            links[rod] = rod_link(rod, joint.mass, (joint.at, joint.along))
            joints += _strut_joints(joint, rod)
            coils = tuple(_on_rod(coil, joint, rod) for coil in coils)
        elif not (isinstance(joint, Plane) and held_by_mounts):
            joints.append(joint)
    if RACK in links and any(map(_is_soft_rod_of_rack, linkage.joints)):
        links[RACK] = rod_link(RACK, _RACK_MASS, _inner_ends(linkage))
    return replace(linkage, links=tuple(links.values()), joints=tuple(joints), coils=coils)


_RACK_MASS = 2.5  # kg


def _is_soft_rod_of_rack(joint: LinkJoint) -> bool:
    soft = isinstance(joint, Bar) and (joint.stiffness is not None or any(joint.mounts))
    return soft and joint.first == RACK


def _inner_ends(linkage: AxleLinkage) -> tuple[Point, Point]:
    """Of the rods that a rack moves."""
    first, *_, last = (j.ends[0] for j in linkage.joints if isinstance(j, Bar) and j.first == RACK)
    return first, last


def _holds_sideways(joint: LinkJoint) -> bool:
    if not isinstance(joint, Sleeve) or joint.second != BODY or joint.mount is None:
        return False
    along = np.abs(joint.mount.axes.T @ np.subtract(joint.along, joint.at))
    curved = [name in joint.mount.curves for name in BUSHING_FORCES]
    return bool(np.any((along > _STEEP) & (np.array(joint.mount.stiffness) + curved > 0.0)))


def _take(links: dict[str, Link], name: str, mass: float, at: Point) -> None:
    links[name] = links[name].with_point_mass(-mass, at)


def _across(along: Any) -> tuple[Point, Point]:
    x, y = axes_with_z(np.array(along) / euclidean_norm(np.array(along))).T[:2].tolist()
    return (x[0], x[1], x[2]), (y[0], y[1], y[2])


def _rod_joints(rod: Bar) -> Iterator[LinkJoint]:
    (inner, outer), (first, second) = rod.ends, rod.mounts
    axes = _across(np.subtract(outer, inner))
    yield Cross(f"{rod.name}_inner", rod.first, rod.name, inner, axes, first)
    yield Ball(f"{rod.name}_outer", rod.name, rod.second, outer, second)


def _strut_joints(strut: Sleeve, rod: str) -> Iterator[LinkJoint]:
    """The rod slides in what carries the wheel and turns in it: two of its points on one line."""
    along = np.subtract(strut.along, strut.at)
    x, y, z = (strut.along + 0.5 * along).tolist()
    yield Cross(strut.name, strut.first, rod, strut.at, _across(along), strut.mount)
    yield Sleeve(f"{strut.name}_top", rod, strut.second, strut.at, strut.along)
    yield Sleeve(f"{strut.name}_piston", rod, strut.second, strut.along, (x, y, z))


def _on_rod(coil: Coil, strut: Sleeve, rod: str) -> Coil:
    stands = coil.first == strut.first and coil.second == strut.second
    return replace(coil, first=rod) if stands and coil.ends[0] == strut.at else coil
