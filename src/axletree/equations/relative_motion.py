"""Motion of one frame in another: what loads and closures are written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from axletree.components.contract import RelativeMotion
from axletree.equations.kinematics import (
    Kinematics,
    centripetal,
    child_acceleration,
    child_angular_acceleration,
    child_angular_velocity,
    child_velocity,
    rotation_bias,
    translation_bias,
)
from axletree.equations.links import LinkFrame
from axletree.expr.vectors import NULL, Matrix, Vector


@dataclass(frozen=True)
class RelativeBias:
    """Second derivatives of a relative motion with all speeds constant, tail components."""

    acceleration: Vector  # of the displacement, as seen in the tail
    angular_acceleration: Vector


@dataclass(frozen=True)
class MotionSeen:
    """Velocities, and accelerations at constant speeds, as seen from a link that counts as resting.

    Of a link angular vectors are in its own axes, linear ones in its linear axes.
    """

    w: Vector = NULL
    v: Vector = NULL
    angular: Vector = NULL
    linear: Vector = NULL


def relative_motion(k: Kinematics, tail: LinkFrame, head: LinkFrame) -> RelativeMotion:
    """The head frame in the tail frame, tail and head components."""
    base = _base(k, tail.link, head.link)
    r = _displacement(k, base, tail, head)
    velocity, turning = _relative_velocity(k, base, tail, head, tail.link, r)
    r_head = k.rotation(head.link, tail.link) @ r
    velocity_head, turning_head = _relative_velocity(k, base, tail, head, head.link, r_head)
    to_tail, to_head = tail.R_LF.T, head.R_LF.T
    return RelativeMotion(
        displacement=to_tail @ r,
        velocity=to_tail @ velocity,
        R_tail_head=rotation_of(k, tail, head),
        angular_velocity=to_tail @ turning,
        velocity_head=to_head @ velocity_head,
        angular_velocity_head=to_head @ turning_head,
    )


def _relative_velocity(
    k: Kinematics, base: int, tail: LinkFrame, head: LinkFrame, axes: int, r: Vector
) -> tuple[Vector, Vector]:
    """Velocity and angular velocity of the head in the tail, in the axes of a link, like r."""
    a, b = _point(k, base, tail, axes), _point(k, base, head, axes)
    return b.v - a.v - a.w.cross(r), b.w - a.w


def relative_bias(k: Kinematics, tail: LinkFrame, head: LinkFrame) -> RelativeBias:
    """What is left of the second derivatives when the speeds do not change."""
    base = _base(k, tail.link, head.link)
    r = _displacement(k, base, tail, head)
    a, b = _point(k, base, tail, tail.link), _point(k, base, head, tail.link)
    relative = b.v - a.v - a.w.cross(r)
    swept = a.angular.cross(r) + centripetal(a.w, r) + (a.w * 2.0).cross(relative)
    to_tail = tail.R_LF.T
    return RelativeBias(
        acceleration=to_tail @ (b.linear - a.linear - swept),
        angular_acceleration=to_tail @ (b.angular - a.angular - a.w.cross(b.w - a.w)),
    )


def separation(k: Kinematics, tail: LinkFrame, head: LinkFrame) -> tuple[Vector, Vector]:
    """How fast the head leaves the tail, and its rate at constant speeds, tail components.

    As seen from the nearest link above both, which counts as resting, not from the tail.
    """
    base = _base(k, tail.link, head.link)
    a, b = _point(k, base, tail, tail.link), _point(k, base, head, tail.link)
    to_tail = tail.R_LF.T
    return to_tail @ (b.v - a.v), to_tail @ (b.linear - a.linear)


def _base(k: Kinematics, a: int, b: int) -> int:
    """The nearest link that carries both: what it does cannot matter to their relative motion."""
    return next(link for link in k.ancestors(a) if links_up_to(k, link, (a, b)) is not None)


def links_up_to(k: Kinematics, base: int, links: Iterable[int]) -> set[int] | None:
    """These links and all that move them in either tree, up to a link that carries them.

    None where it does not carry them: where something moves them that does not hang on it.
    """
    waiting, found = set(links), set[int]()
    while waiting:
        link = waiting.pop()
        if link == base or link in found:
            continue
        if not link:
            return None
        found.add(link)
        waiting |= {k.turning_of[link].connection.parent, k.sliding_of[link].connection.parent}
    return found


def _displacement(k: Kinematics, base: int, tail: LinkFrame, head: LinkFrame) -> Vector:
    """From the tail's origin to the head's, in the axes of the tail's link."""
    from_base = _position(k, base, head)
    if tail.link == base:
        return from_base - tail.r_LF_L
    return k.rotation(tail.link, base) @ (from_base - _position(k, base, tail))


def _position(k: Kinematics, base: int, place: LinkFrame) -> Vector:
    """From the origin of a link above to a frame's origin, in the axes of that link."""
    if place.link == base:
        return place.r_LF_L
    return k.origin_in(base, place.link) + k.rotation(base, place.link) @ place.r_LF_L


def _point(k: Kinematics, base: int, place: LinkFrame, axes: int) -> MotionSeen:
    """A frame's origin, everything in the axes of a link."""
    at, r = _link_motion(k, base, place.link), place.r_LF_L
    from_own = k.rotation(axes, place.link)
    from_linear = k.rotation(axes, k.linear_axes[place.link])
    swept = at.angular.cross(r) + centripetal(at.w, r)
    return MotionSeen(
        w=from_own @ at.w,
        v=from_linear @ at.v + from_own @ at.w.cross(r),
        angular=from_own @ at.angular,
        linear=from_linear @ at.linear + from_own @ swept,
    )


def _link_motion(k: Kinematics, base: int, link: int) -> MotionSeen:
    """A link's motion as seen from a resting base, speeds constant."""
    if base == 0:
        w, v, bias = k.angular_velocity[link], k.velocity[link], k.bias
        return MotionSeen(w, v, bias.angular[link], bias.linear[link])
    seen = {base: MotionSeen()}

    def motion(one: int) -> MotionSeen:
        if one not in seen:
            turned = motion(k.turning_of[one].connection.parent)
            slid = motion(k.sliding_of[one].connection.parent)
            seen[one] = moved_child(k, one, turned, slid)
        return seen[one]

    return motion(link)


def motion_of_child(k: Kinematics, child: int, at: MotionSeen) -> MotionSeen:
    """Of a link, from that of its parent in both trees."""
    return moved_child(k, child, at, at)


def moved_child(k: Kinematics, child: int, turned: MotionSeen, slid: MotionSeen) -> MotionSeen:
    """Of a link, from those of its parents in the rotation and in the translation tree."""
    t, s = k.turning_of[child], k.sliding_of[child]
    c = s.connection
    R_XP = k.rotation(k.linear_axes[child], c.parent)
    w = child_angular_velocity(t, turned.w)
    angular = child_angular_acceleration(t, turned.angular, rotation_bias(t, turned.w))
    rate = translation_bias(s, slid.w if c.forward else w, k.rotation(c.head.link, c.tail.link))
    v_parent, a_parent = k.to_own(c.parent, slid.v), k.to_own(c.parent, slid.linear)
    at_parent = (a_parent, slid.angular, slid.w)
    return MotionSeen(
        w=w,
        v=child_velocity(s, R_XP, v_parent, slid.w, w),
        angular=angular,
        linear=child_acceleration(s, R_XP, at_parent, (angular, w), rate, k.known),
    )


def rotation_of(k: Kinematics, tail: LinkFrame, head: LinkFrame) -> Matrix:
    """R of the head frame in the tail frame."""
    return tail.R_LF.T.times(k.rotation(tail.link, head.link)).times(head.R_LF)
