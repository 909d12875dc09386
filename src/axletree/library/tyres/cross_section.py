"""The cross-section of a tyre: where it touches a plane that it leans on.

From the wheel's centre the contact point is

    r_P = -ring q - aside u + lift n

with u the wheel's axis, n the plane's normal and q the direction in the wheel plane that goes
up; n = cos(gamma) q + sin(gamma) u. A tyre of radius R has a crown that is an arc of radius
r_c about a ring of radius R - r_c. On a plane it rests on the point of the arc whose outward
normal is -n, or on the edge of the tread where the arc does not reach so far:

    beta = gamma, kept within +-asin(half width / r_c)
    r_P = -(R - r_c + r_c cos(beta)) q - r_c sin(beta) u
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from axletree.core.expr import Expr, maximum, minimum, sqrt
from axletree.core.expr.expression import ZERO


@dataclass(frozen=True)
class Lean:
    """The inclination gamma of a wheel to a plane's normal."""

    sine: Expr
    cosine: Expr
    secant: Expr


@dataclass(frozen=True)
class Reach:
    """The contact point from the wheel's centre [m], see above."""

    ring: Expr
    aside: Expr
    lift: Expr

    def left(self, lean: Lean) -> Expr:
        """How far it lies to the left of the centre [m], in the plane."""
        return self.ring * lean.sine - self.aside * lean.cosine

    def below(self, lean: Lean) -> Expr:
        """How far it lies below the centre [m], along the normal."""
        return self.ring * lean.cosine + self.aside * lean.sine - self.lift


class CrossSection(ABC):
    """A cross-section, and how it is deflected."""

    moves_with_lean = False  # whether the deflection's rate takes a lean that changes into account

    @abstractmethod
    def loaded_radius(self, height: Expr, lean: Lean) -> Expr:
        """R_l [m], the unloaded radius less the deflection, at a height of the centre [m]."""

    @abstractmethod
    def reach(self, radius: Expr, lean: Lean) -> Reach:
        """The contact point of a tyre deflected to this radius [m]."""


@dataclass(frozen=True)
class RoundSection(CrossSection):
    """A whole circle, or a point: a torus or a disc. The ring comes nearer to the centre."""

    crown: Expr = ZERO  # r_c [m]

    def loaded_radius(self, height: Expr, lean: Lean) -> Expr:
        return (height - self.crown) * lean.secant + self.crown

    def reach(self, radius: Expr, lean: Lean) -> Reach:
        return Reach(radius - self.crown, ZERO, -self.crown)


@dataclass(frozen=True)
class EdgedSection(CrossSection):
    """An arc that ends at the edges of the tread. The ring comes nearer to the centre."""

    crown: Expr  # r_c [m]
    edge: Expr  # sine of the inclination from which on it stands on an edge

    def loaded_radius(self, height: Expr, lean: Lean) -> Expr:
        sine, cosine = self._touching(lean)
        below = self.crown * (cosine * lean.cosine + sine * lean.sine)
        return (height - below) * lean.secant + self.crown

    def reach(self, radius: Expr, lean: Lean) -> Reach:
        sine, cosine = self._touching(lean)
        return Reach(radius - self.crown + self.crown * cosine, self.crown * sine, ZERO)

    def _touching(self, lean: Lean) -> tuple[Expr, Expr]:
        """Sine and cosine of beta."""
        sine = maximum(minimum(lean.sine, self.edge), -self.edge)
        return sine, sqrt(1.0 - sine * sine)


@dataclass(frozen=True)
class PressedSection(CrossSection):
    """A cross-section that keeps its shape and is pressed into the plane, along the normal."""

    shape: CrossSection
    unloaded: Expr  # R [m]

    moves_with_lean = True

    def loaded_radius(self, height: Expr, lean: Lean) -> Expr:
        return self.unloaded - (self.shape.reach(self.unloaded, lean).below(lean) - height)

    def reach(self, radius: Expr, lean: Lean) -> Reach:
        free = self.shape.reach(self.unloaded, lean)
        return Reach(free.ring, free.aside, free.lift + (self.unloaded - radius))
