"""Cylinders: pistons with oil on one side or on both, the transducers between oil and a force.

With the stroke x, its rate v, the areas A and B of the sides (the rod takes from the second), and
the dead volumes VA and VB at the ends (Merritt 1967, section 6-1),

    (VA + A x) / Ke dpA/dt = QA - A v - G (pA - pB),
    (VB + B (s - x)) / Ke dpB/dt = QB + B v + G (pA - pB),                                   (1)
    F = A pA - B pB - c v + dry friction + end stops,

where F drives x up and G is the leakage of the seal. Pressures are counted from ambient pressure,
which acts on the rod, too, so that it has no part in F. As an edge of the graph each side is a
volume beside a source of flow; the latter and the force are a transducer, A pA v on both sides.

A side stores V e(pA) (`fluids`). While the volume changes at a pressure, oil goes in and out that
is compressed already: e(pA) dV/dt of energy by which the balance of a cylinder does not close, less
than p / (2 K) of its work.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.components.contract import (
    Component,
    Instant,
    JointLoad,
    Load,
    NamedOutput,
    NetworkTerms,
    RangeLimit,
    Response,
    SetValued,
    dry_friction,
    load_edges,
    reaction_symbol,
)
from axletree.components.edges import TRANSLATION, Domain, Edge, Variable
from axletree.components.fields import parameter, positive
from axletree.components.frames import Frame, frame
from axletree.components.hydraulics.fluids import HydraulicFluid
from axletree.components.hydraulics.ports import (
    OPEN_TANK,
    fluid,
    gauge_pressure,
    port,
    resistance_edge,
    source_edge,
    storage_edge,
)
from axletree.components.joints import slide_of, sliding_joint
from axletree.expr import ZERO, Expr, Vector, as_expr, maximum, minimum, sqrt, where

_FRICTION = Variable("friction_force", "N", "dry friction, driving the stroke up")
_DEAD_SHARE = 0.05  # of the displaced volume: a dead volume, if no other is given
_LEAST_SHARE = 0.2  # of the dead volume: what a side has at least, however far its stop gives

_BEYOND = (
    "its end stop gives by so much that no dead volume is left, and the volume of the oil there is "
    "taken for constant: give it a stiffer stop or a larger dead_volume"
)


@dataclass(frozen=True)
class _Side:
    """One side of the piston."""

    label: str  # of its volume
    source: str  # the label of its displacement
    node: str
    suffix: str
    where: str
    sign: float  # of the stroke's rate: 1 where the volume grows with it


@dataclass(frozen=True, eq=False, kw_only=True)
class Piston(Component):
    """What cylinders share: sides, chambers, friction, end stops."""

    port_a: str = port("port of the side whose pressure drives the stroke up")
    port_b: str | None = port(
        "port of the side of the rod; left out, that side is open to the air: single acting",
        default=None,
    )
    piston_diameter: float = positive("m", "diameter of the piston")
    rod_diameter: float | None = positive(
        "m", "diameter of the rod on side B; none unless given", default=None
    )
    stroke: float = positive("m", "stroke from end to end")
    dead_volume: float | None = positive(
        "m^3", "oil of each side at its end of the stroke, with that of its hose; 5 % of the "
        "piston's area times the stroke unless given", default=None,
    )  # fmt: skip
    leakage: float = parameter(
        "m^3/(s*Pa)", "flow past the piston by pressure difference", lower=0.0, default=0.0
    )
    friction: float = parameter("N", "dry friction of the seals", lower=0.0, default=0.0)
    viscous_friction: float = parameter("N*s/m", "friction over speed", lower=0.0, default=0.0)
    slow_speed: float = positive(
        "m/s", "speed below which dry friction is in proportion to it, where a method does not "
        "solve for it", default=0.005,
    )  # fmt: skip
    stop_stiffness: float = positive("N/m", "of the stops at both ends", default=1e8)
    stop_damping: float = parameter("N*s/m", "likewise", lower=0.0, default=1e5)
    fluid: HydraulicFluid = fluid()

    @property
    def is_stiff(self) -> bool:
        return True

    def problems(self) -> list[str]:
        found = []
        if self.rod_diameter is not None and self.rod_diameter >= self.piston_diameter:
            found.append(
                f"rod_diameter {self.rod_diameter:g} m is not below piston_diameter "
                f"{self.piston_diameter:g} m"
            )
        if self.port_a == self.port_b:
            found.append(f"port_a and port_b are the same port, {self.port_a}")
        if OPEN_TANK in (self.port_a, self.port_b):
            found.append(
                "the port 'ground' is the open tank, whose pressure is given: put a line or an "
                "orifice between it and the cylinder, or leave port_b out"
            )
        return found

    def _sides(self) -> Iterator[_Side]:
        yield _Side("H1", "H2", self.port_a, "pressure_a", "on side A", 1.0)
        if self.port_b is not None:
            yield _Side("H3", "H4", self.port_b, "pressure_b", "on side B", -1.0)

    def _hydraulic_edges(self) -> Iterator[Edge]:
        """Of each side a volume and a displacement; of the seal a leak."""
        for one in self._sides():
            state = gauge_pressure(one.suffix, one.where)
            yield storage_edge(self.name, one.label, one.node, state)
            yield source_edge(self.name, one.source, one.node, OPEN_TANK, "Q = A v")
        if self.leakage and self.port_b is not None:
            gap = 1.0 / self.symbol("leakage")
            yield resistance_edge(self.name, "H5", self.port_a, self.port_b, gap)

    def _area(self, side: _Side) -> Expr:
        squares = self.symbol("piston_diameter") * self.symbol("piston_diameter")
        if side.sign < 0.0 and self.rod_diameter is not None:
            squares = squares - self.symbol("rod_diameter") * self.symbol("rod_diameter")
        return 0.25 * math.pi * squares

    def _dead_volume(self) -> Expr:
        if self.dead_volume is not None:
            return self.symbol("dead_volume")
        d = self.symbol("piston_diameter")
        return 0.25 * math.pi * _DEAD_SHARE * d * d * self.symbol("stroke")

    def _swept(self, side: _Side, stroke: Expr) -> Expr:
        """The volume of a side beside its dead volume."""
        way = stroke if side.sign > 0.0 else self.symbol("stroke") - stroke
        return self._area(side) * way

    def _volume(self, side: _Side, stroke: Expr) -> Expr:
        dead = self._dead_volume()
        return as_expr(maximum(dead + self._swept(side, stroke), _LEAST_SHARE * dead))

    def _terms_at(self, now: Instant, stroke: Expr, rate: Expr) -> NetworkTerms:
        """(1)."""
        p = self.numbers_of("fluid")
        capacities = {
            one.label: as_expr(
                self._volume(one, stroke) * self.fluid.compressibility(now.across[one.label], p)
            )
            for one in self._sides()
            if one.label in now.across
        }
        throughs = {one.source: one.sign * self._area(one) * rate for one in self._sides()}
        return NetworkTerms(throughs, capacities)

    def _response_at(
        self, now: Instant, stroke: Expr, rate: Expr, **along: Any
    ) -> tuple[Expr, Response]:
        """The force that drives the stroke up but for dry friction, and all that is not a load;
        ``along`` are the loads of a unit force."""
        p, travel = self.numbers_of("fluid"), self.symbol("stroke")
        sides = list(self._sides())
        k, c = self.symbol("stop_stiffness"), self.symbol("stop_damping")
        before, beyond = minimum(stroke, 0.0), maximum(stroke - travel, 0.0)
        # A damper alone does not act where a stop is not touched.
        pushed = where(stroke < 0.0, as_expr(maximum(-k * before - c * rate, 0.0)), ZERO)
        held = where(stroke > travel, as_expr(maximum(k * beyond + c * rate, 0.0)), ZERO)
        oil = sum((one.sign * self._area(one) * now.across[one.label] for one in sides), ZERO)
        force = oil + as_expr(pushed - held) - self.symbol("viscous_friction") * rate
        stored = as_expr(0.5 * k * (before * before + beyond * beyond))
        for one in sides:
            density = self.fluid.energy_density(now.across[one.label], p)
            stored = stored + as_expr(self._volume(one, stroke) * density)
        friction, dry = self._dry_friction(rate, **along)
        whole = force + dry
        outputs = [
            NamedOutput("position", "m", "stroke from the end where it is retracted", stroke),
            NamedOutput("speed", "m/s", "rate of the stroke", rate),
            NamedOutput("force", "N", "force that drives the stroke up", whole),
            NamedOutput("power", "W", "mechanical power delivered", whole * rate),
            *self._flows(now, sides),
        ]
        return force, Response(
            set_valued=friction,
            internal_energy=stored,
            outputs=tuple(outputs),
            limits=tuple(self._limits(now, sides, stroke)),
        )

    def _dry_friction(self, rate: Expr, **along: Any) -> tuple[tuple[SetValued, ...], Expr]:
        if not self.friction:
            return (), ZERO
        bound, slow = self.symbol("friction"), self.symbol("slow_speed")
        force = replace(dry_friction(_FRICTION, rate, bound, slow), **along)
        return (force,), reaction_symbol(self.name, _FRICTION)

    def _flows(self, now: Instant, sides: list[_Side]) -> Iterator[NamedOutput]:
        leak = now.through.get("H5", ZERO)
        for one in sides:
            flow = now.through[one.label] + now.through[one.source] + one.sign * leak
            letter = one.suffix[-1]
            yield NamedOutput(f"flow_{letter}", "m^3/s", f"flow into port {letter.upper()}", flow)

    def _limits(self, now: Instant, sides: list[_Side], stroke: Expr) -> Iterator[RangeLimit]:
        p, dead = self.numbers_of("fluid"), self._dead_volume()
        for one in sides:
            yield self.fluid.cavitation(now.across[one.label], p)
            yield RangeLimit(-(1.0 - _LEAST_SHARE) * dead - self._swept(one, stroke), _BEYOND)


_SHORTEST = 1e-9  # [m]; below it the line has no direction, and the force fades to zero


@dataclass(frozen=True, eq=False, kw_only=True)
class HydraulicCylinder(Piston):
    """A cylinder between two points: pressure on side A drives them apart.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> load = model.add(at.RigidBody("load", mass=800.0))
    >>> way = model.add(at.Prismatic("way", model.ground, load, axis="z"))
    >>> ends = {"tail": model.ground, "head": load, "retracted_length": "0.6 m"}
    >>> size = {"piston_diameter": "50 mm", "stroke": "0.4 m"}
    >>> ram = model.add(at.HydraulicCylinder("ram", **ends, **size, port_a="a"))
    >>> hose = model.add(at.Orifice("hose", "a", "ground", area="1 mm^2", opening=0.0))
    >>> steady = model.formulate().trim(start={"way.position": 0.8, "ram.pressure_a": "40 bar"})
    >>> print(f"{steady['ram.force']:.0f} N, {steady['ram.pressure_a'] / 1e5:.2f} bar")
    7845 N, 39.96 bar
    """

    summary: ClassVar[str] = "hydraulic cylinder between two points"
    measured_domains: ClassVar[tuple[Domain, ...]] = (TRANSLATION,)

    tail: Frame = frame("frame at one end")
    head: Frame = frame("frame at the other end")
    retracted_length: float = positive("m", "distance of the points at the beginning of the stroke")

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.tail, self.head),)

    def edges(self) -> tuple[Edge, ...]:
        return (*load_edges(self, self.measured_domains), *self._hydraulic_edges())

    def _along(self, now: Instant) -> tuple[Vector, Expr, Expr]:
        """Direction from tail to head, stroke and its rate."""
        r, v = now.motions[0].displacement, now.motions[0].velocity
        length = as_expr(sqrt(maximum(r.dot(r), _SHORTEST**2)))
        unit = r * (1.0 / length)
        return unit, length - self.symbol("retracted_length"), unit.dot(v)

    def network_terms(self, now: Instant) -> NetworkTerms:
        _, stroke, rate = self._along(now)
        return self._terms_at(now, stroke, rate)

    def respond(self, now: Instant) -> Response:
        unit, stroke, rate = self._along(now)
        unit_load = Load(self.tail, self.head, force=unit)
        force, response = self._response_at(now, stroke, rate, loads=(unit_load,))
        return replace(response, loads=(Load(self.tail, self.head, force=unit * force),))


@dataclass(frozen=True, eq=False, kw_only=True)
class SlideCylinder(Piston):
    """A cylinder along a sliding joint: pressure on side A drives its position up.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> table = model.add(at.RigidBody("table", mass=200.0))
    >>> way = model.add(at.Prismatic("way", model.ground, table))
    >>> size = {"piston_diameter": "40 mm", "rod_diameter": "20 mm", "stroke": "0.5 m"}
    >>> ram = model.add(at.SlideCylinder("ram", joint=way, port_a="a", port_b="b", **size))
    >>> system = model.formulate()
    >>> state = {"way.position": 0.2, "ram.pressure_a": "10 bar", "ram.pressure_b": "10 bar"}
    >>> print(f"{system.rhs(system.state(state))['way.speed']:.3f} m/s^2")  # of the rod's area
    1.571 m/s^2
    """

    summary: ClassVar[str] = "hydraulic cylinder along a sliding joint"

    joint: Component = sliding_joint("joint whose position it drives")
    retracted_position: float = parameter(
        "m", "position of the joint at the beginning of the stroke", default=0.0
    )

    def measured_joints(self) -> tuple[str, ...]:
        return (slide_of(self.joint)[0].name,)

    def edges(self) -> tuple[Edge, ...]:
        return (*super().edges(), *self._hydraulic_edges())

    def _along(self, now: Instant) -> tuple[Expr, Expr]:
        travel = now.travels[0]
        return travel.travel - self.symbol("retracted_position"), travel.rate

    def network_terms(self, now: Instant) -> NetworkTerms:
        return self._terms_at(now, *self._along(now))

    def respond(self, now: Instant) -> Response:
        name = self.measured_joints()[0]
        unit = JointLoad(name, as_expr(1.0))
        force, response = self._response_at(now, *self._along(now), joint_loads=(unit,))
        return replace(response, joint_loads=(JointLoad(name, force),))
