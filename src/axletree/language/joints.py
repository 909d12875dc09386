"""Ready-made constraints, scaled so that their multipliers are forces and torques.

Lot and Massaro 2017, section 2.5. A positive multiplier acts on the first body along the
direction that the constraint measures, and against it on the second. One of the two bodies may
be None: the joint then holds the other to a point or a frame of the base.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from axletree.language.constraints import Constraint
from axletree.language.errors import LanguageError
from axletree.language.frames import Frame, same_world
from axletree.language.mount import End, Mount, NoOffset, Row, Square, held_by, in_line, no_offset
from axletree.language.points import Point
from axletree.language.transformations import AXES
from axletree.language.variables import Scalar, variable

Multipliers = Sequence[sympy.Expr] | None


def spherical(
    name: str,
    first: End,
    second: End,
    multipliers: Multipliers = None,
    axes: Frame | None = None,
) -> Constraint:
    """Two points coincide; the force on the first body in the axes, the base's if none.

    Example:
    >>> from axletree.language import POINT_MASS, Body, World, spherical, translation, variables
    >>> base, (x, y, z) = World().base, variables("x y z")  # m
    >>> bob = Body("bob", base.moved("B", translation(x, y, z)), 1, POINT_MASS)
    >>> ball = spherical("ball", (bob, bob.centre), (None, base.point(z=2)))
    >>> print(*ball.equations)
    -x(t) -y(t) 2 - z(t)
    """
    (body_1, P_1), (body_2, P_2) = _ends(name, first, second)
    frame = axes or P_1.frame.world.base
    gap = (P_2 - P_1).in_frame(frame)
    named = _named(name, multipliers, ("Fx", "Fy", "Fz"))
    held = held_by(name, frame.vector(*named), (body_1, P_1), (body_2, P_2))
    return Constraint(name, frame.world, list(gap.exact), named, (held,))


def rod(
    name: str,
    first: End,
    second: End,
    length: Scalar,
    multipliers: Multipliers = None,
) -> Constraint:
    """Two points keep their distance [m]; the multiplier is the tension.

    Example:
    >>> from axletree.language import POINT_MASS, Body, World, rod, translation, variables
    >>> base, (x, z) = World().base, variables("x z")  # m
    >>> bob = Body("bob", base.moved("B", translation(x, 0, z)), 1, POINT_MASS)
    >>> print(*rod("string", (bob, bob.centre), (None, base.origin), 2).equations)  # m, of 2 m
    x(t)**2/4 + z(t)**2/4 - 1
    """
    (body_1, P_1), (body_2, P_2) = _ends(name, first, second)
    if sympy.sympify(length).is_positive is False:
        raise LanguageError(f"the length of rod {name!r} is {length} m; it is above 0")
    gap = (P_2 - P_1).in_frame(P_1.frame.world.base)
    named = _named(name, multipliers, ("tension",))
    held = held_by(name, gap * (named[0] / length), (body_1, P_1), (body_2, P_2))
    stretch = (gap.dot(gap) - length**2) / (2 * length)
    return Constraint(name, P_1.frame.world, [stretch], named, (held,))


def revolute(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames share their origin and an axis: five equations.

    Example:
    >>> from axletree.language import POINT_MASS, Body, Mount, World, revolute, rotation_z, variable
    >>> base = World().base
    >>> arm = Body("arm", base.moved("A", rotation_z(variable("turn"))), 1, POINT_MASS)
    >>> pin = revolute("pin", Mount(arm, arm.frame), Mount(None, base))
    >>> pin.equations, len(pin.multipliers)  # this motion meets them; three forces, two torques
    ((0, 0, 0, 0, 0), 5)
    """
    k = _axis(name, first, second, axis)
    rows = [no_offset(first, second, i) for i in range(3)] + in_line(first, second, k)
    return _joint(name, first, second, rows, multipliers)


def cylindrical(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames share an axis, and slide and turn along it: four equations.

    Example:
    >>> from axletree.language import POINT_MASS, Body, Mount, World, cylindrical
    >>> from axletree.language import translation, variables
    >>> base, (x, y) = World().base, variables("x y")  # m
    >>> sleeve = Body("sleeve", base.moved("S", translation(x, y)), 1, POINT_MASS)
    >>> print(*cylindrical("shaft", Mount(sleeve, sleeve.frame), Mount(None, base)).equations)
    -x(t) -y(t) 0 0
    """
    k = _axis(name, first, second, axis)
    rows = [no_offset(first, second, k + 1), no_offset(first, second, k + 2)]
    return _joint(name, first, second, rows + in_line(first, second, k), multipliers)


def prismatic(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The frames are parallel and slide along an axis: five equations.

    Example:
    >>> from axletree.language import POINT_MASS, Body, Mount, World, prismatic
    >>> from axletree.language import translation, variables
    >>> base, (x, y) = World().base, variables("x y")  # m
    >>> slider = Body("slider", base.moved("S", translation(x, y)), 1, POINT_MASS)
    >>> print(*prismatic("way", Mount(slider, slider.frame), Mount(None, base)).equations)
    -x(t) -y(t) 0 0 0
    """
    k = _axis(name, first, second, axis)
    rows = [no_offset(first, second, k + 1), no_offset(first, second, k + 2)]
    rows += [*in_line(first, second, k), Square(second.axis(k + 1), first.axis(k + 2))]
    return _joint(name, first, second, rows, multipliers)


def planar(
    name: str, first: Mount, second: Mount, axis: str = "z", multipliers: Multipliers = None
) -> Constraint:
    """The second origin stays in the plane across the axis, which both share: three equations.

    Example:
    >>> from axletree.language import POINT_MASS, Body, Mount, World, planar, translation, variables
    >>> base, (x, z) = World().base, variables("x z")  # m
    >>> plate = Body("plate", base.moved("P", translation(x, 0, z)), 1, POINT_MASS)
    >>> print(*planar("table", Mount(plate, plate.frame), Mount(None, base)).equations)
    -z(t) 0 0
    """
    k = _axis(name, first, second, axis)
    rows = [no_offset(first, second, k), *in_line(first, second, k)]
    return _joint(name, first, second, rows, multipliers)


def _joint(
    name: str, first: Mount, second: Mount, rows: Sequence[Row], multipliers: Multipliers
) -> Constraint:
    letters = [f"{'F' if isinstance(row, NoOffset) else 'M'}{i}" for i, row in enumerate(rows, 1)]
    named = _named(name, multipliers, letters)
    pairs = list(zip(rows, named, strict=True))
    loads = [row.load(name, multiplier, first, second) for row, multiplier in pairs]
    equations = [row.equation for row in rows]
    return Constraint(name, first.frame.world, equations, named, loads)


def _ends(name: str, *ends: End) -> tuple[End, ...]:
    for end in ends:
        if not isinstance(end, tuple) or len(end) != 2 or not isinstance(end[1], Point):
            raise LanguageError(f"joint {name!r} holds a body and a point of it, not {end!r}")
    same_world(ends[0][1], ends[1][1])
    return ends


def _named(name: str, given: Multipliers, letters: Sequence[str]) -> tuple[sympy.Expr, ...]:
    if given is None:
        return tuple(variable(f"{name}_{letter}") for letter in letters)
    if len(given) != len(letters):
        raise LanguageError(
            f"joint {name!r} has {len(letters)} equations, so as many multipliers; "
            f"{len(given)} were given"
        )
    return tuple(given)


def _axis(name: str, first: Mount, second: Mount, axis: str) -> int:
    """The axis by its number, after a look at what the joint holds."""
    for mount in (first, second):
        if not isinstance(mount, Mount):
            raise LanguageError(f"joint {name!r} holds Mount(body, frame), not {mount!r}")
    same_world(first.frame, second.frame)
    if axis not in AXES or len(axis) != 1:
        raise LanguageError(f"the axis of joint {name!r} is 'x', 'y' or 'z', not {axis!r}")
    return AXES.index(axis)
