"""Ways for a head to translate in its tail: the across spaces of translational edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.core.expr import Expr
from axletree.core.vectors import IDENTITY, NULL, Matrix, Vector
from axletree.library.edge import Basis, Space, TranslationLaw, TranslationMotion, Variable

Axis = tuple[float, float, float]
XYZ: tuple[Axis, Axis, Axis] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def normals(axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """Unit vectors that span what the orthonormal ``axes`` leave; coordinate axes if they do."""
    chosen: list[np.ndarray] = [np.array(a) for a in axes]
    found: list[Axis] = []
    for candidate in XYZ:
        rest = np.array(candidate)
        for taken in chosen:
            rest = rest - (rest @ taken) * taken
        length = float(np.linalg.norm(rest))
        if length > 0.5:
            unit = rest / length
            chosen.append(unit)
            found.append((float(unit[0]), float(unit[1]), float(unit[2])))
    return tuple(found)


def directions(axes: Sequence[Axis], frame: str) -> tuple[str, ...]:
    """Unit vectors as text: ``x of the tail``, or their components."""
    found = []
    for axis in axes:
        named = [letter for letter, unit in zip("xyz", XYZ, strict=True) if unit == axis]
        text = named[0] if named else "(" + ", ".join(f"{c:.4g}" for c in axis) + ")"
        found.append(f"{text} of the {frame}")
    return tuple(found)


def reactions_along(
    directions: Sequence[Axis], unit: str, letter: str, what: str
) -> tuple[Variable, ...]:
    names = []
    for k, direction in enumerate(directions, start=1):
        axis = XYZ.index(direction) if direction in XYZ else None
        suffix = f"{letter}{'xyz'[axis]}" if axis is not None else f"{letter}{k}"
        shown = ", ".join(f"{c:g}" for c in direction)
        names.append(Variable(suffix, unit, f"{what} on the head along ({shown}) of the tail"))
    return tuple(names)


@dataclass(frozen=True)
class AlongAxes(TranslationLaw):
    """Free along orthonormal axes of the tail, held along their normals.

    No axis: the origins coincide. One: a slide. Two: a plane. Three: free.
    """

    axes: tuple[Axis, ...] = ()
    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    @property
    def reactions(self) -> tuple[Variable, ...]:
        return reactions_along(normals(self.axes), "N", "F", "force")

    @property
    def freedom(self) -> Vector | None:
        return Vector(self.axes[0]) if len(self.axes) == 1 else None

    def terminal_equations(self) -> tuple[str, ...]:
        if not self.axes:
            return ("r = 0", "v = 0", "a = 0")
        names = [v.suffix for v in self.coordinates]
        space = " + ".join(f"{name} u{k}" for k, name in enumerate(names, start=1))
        return (f"r = {space}", f"v = d/dt ({space})", f"a = d2/dt2 ({space})")

    def spaces(self) -> tuple[Space, Space]:
        space = Space(directions(self.axes, "tail"), directions(normals(self.axes), "tail"))
        return space, space

    def motion(
        self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix, w_head: Vector
    ) -> TranslationMotion:
        vectors = tuple(Vector(axis) for axis in self.axes)
        return TranslationMotion(
            displacement=sum((a * x for a, x in zip(vectors, q, strict=True)), NULL),
            velocity=sum((a * x for a, x in zip(vectors, p, strict=True)), NULL),
            partials=vectors,
            bias=NULL,
        )

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        return tuple(Vector(n).dot(r_tail) for n in normals(self.axes))


@dataclass(frozen=True)
class FixedOffset(TranslationLaw):
    """A rigid arm: the head stands at a fixed position in the tail."""

    offset: Vector = NULL
    reactions: tuple[Variable, ...] = reactions_along(XYZ, "N", "F", "force")
    is_rigid: bool = True

    def terminal_equations(self) -> tuple[str, ...]:
        return ("r = constant in the tail", "v = w x r", "a = dw/dt x r + w x v")

    def spaces(self) -> tuple[Space, Space]:
        space = Space((), directions(XYZ, "tail"))
        return space, space

    def motion(
        self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix, w_head: Vector
    ) -> TranslationMotion:
        return TranslationMotion(self.offset, NULL, (), NULL)

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        return tuple(r_tail - self.offset)


@dataclass(frozen=True)
class WithHeadSpeeds(TranslationLaw):
    """Free, positions along the tail's axes, speeds along the head's (Morency 2007, 2.4.5)."""

    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    def terminal_equations(self) -> tuple[str, ...]:
        return (
            "r = x i + y j + z k of the tail",
            "v = vx i + vy j + vz k of the head",
            "a = dv/dt",
        )

    def spaces(self) -> tuple[Space, Space]:
        return Space(directions(XYZ, "tail"), ()), Space(directions(XYZ, "head"), ())

    def motion(
        self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix, w_head: Vector
    ) -> TranslationMotion:
        velocity = Vector(p)
        # d/dt (R p) = R (dp/dt + w x p)
        return TranslationMotion(
            Vector(q), velocity, tuple(IDENTITY), w_head.cross(velocity), Basis.HEAD
        )

    def rates(self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix) -> tuple[Expr, ...]:
        return tuple(R_tail_head @ Vector(p))

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        return ()


@dataclass(frozen=True)
class AtDistance(TranslationLaw):
    """A massless rod: the head stays at a fixed distance.

    In the tree its three coordinates are those of a free edge, and the distance remains
    a constraint.
    """

    length: Expr = NULL[0]
    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()
    reactions: tuple[Variable, ...] = (
        Variable("tension_per_length", "N/m", "tension over length, positive where it pulls"),
    )
    closes_as_branch: bool = True

    def terminal_equations(self) -> tuple[str, ...]:
        return ("r . r = L^2", "r . v = 0", "r . a + v . v = 0")

    def spaces(self) -> tuple[Space, Space]:
        space = Space(("two directions normal to r",), ("r / L",))
        return space, space

    def motion(
        self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix, w_head: Vector
    ) -> TranslationMotion:
        return TranslationMotion(Vector(q), Vector(p), tuple(IDENTITY), NULL)

    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        # In this sense a positive reaction on the head is towards the tail.
        return ((self.length * self.length - r_tail.dot(r_tail)) * 0.5,)

    def efforts(self, reactions: Mapping[str, Expr]) -> tuple[tuple[Variable, Expr], ...]:
        tension = Variable("tension", "N", "tension, positive where it pulls the ends together")
        return ((tension, reactions["tension_per_length"] * self.length),)
