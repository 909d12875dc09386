"""Lines: friction, inertance and compliance of the oil in a pipe; a laminar restriction.

Over a length l of the diameter d a flow Q of the density rho and the kinematic viscosity nu loses
the greater of what Hagen and Poiseuille and what Blasius 1913 have for smooth pipes (Merritt 1967,
section 3-2):

    p = R Q,          R = 128 rho nu l / (pi d^4);                                         (1)
    p = B Q^(7/4),    B = 0.3164 rho l / (2 d) (nu / d)^(1/4) (4 / (pi d^2))^(7/4).          (2)

They meet at the Reynolds number 1187, so that the transition, which real pipes have somewhere
between 1187 and 2300, has no jump here. The inertance is rho l / A, the compliance A l / Ke.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import (
    Instant,
    NamedOutput,
    NetworkTerms,
    RangeLimit,
    Response,
)
from axletree.components.edges import HYDRAULIC, Edge, NetworkLaw, NetworkRole, Variable
from axletree.components.fields import fixed_number, flag, positive
from axletree.components.hydraulics.fluids import HydraulicFluid
from axletree.components.hydraulics.ports import (
    MAIN,
    OPEN_TANK,
    BetweenPorts,
    fluid,
    gauge_pressure,
    law_edge,
    loss,
    pressure_drop,
    resistance_edge,
    storage_edge,
    through_flow,
)
from axletree.expr import ZERO, Expr, absolute, as_expr, maximum, power, where


@dataclass(frozen=True, eq=False)
class LaminarRestriction(BetweenPorts):
    """A pressure drop in proportion to the flow: a gap, a capillary, a leak.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> pump = model.add(at.FlowSource("pump", "ground", "a", flow="6 l/min"))
    >>> gap = model.add(at.LaminarRestriction("gap", "a", "ground", resistance=5e10))
    >>> print(f"{model.formulate().trim()['gap.pressure_drop'] / 1e5:.0f} bar")
    50 bar
    """

    summary: ClassVar[str] = "laminar restriction"

    resistance: float = positive("Pa*s/m^3", "pressure drop over flow")

    def edges(self) -> tuple[Edge, ...]:
        resistance = self.symbol("resistance")
        return (resistance_edge(self.name, MAIN, self.inlet, self.outlet, resistance),)

    def respond(self, now: Instant) -> Response:
        return Response(outputs=self._flow_outputs(now))


_BLASIUS = 0.3164
_LARGEST_REYNOLDS = 1e5  # of the law of Blasius

_TOO_FAST = (
    "its Reynolds number is above 1e5, where the law of Blasius for friction in smooth pipes ends: "
    "it loses more than the run says; take a wider line"
)


@dataclass(frozen=True, eq=False)
class HydraulicLine(BetweenPorts):
    """A pipe or hose in lumps: flows with inertance between volumes with compliance.

    With ``segments`` n it has n flows; the volumes between them are those of a segment, those at
    its ends half as large. So both its ends are volumes, which valves and pumps may be put to
    directly. Left out, ``inertance`` makes the flow follow the pressures at once, ``compliance``
    leaves the ends without a volume.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> pump = model.add(at.FlowSource("pump", "ground", "a", flow="20 l/min"))
    >>> line = model.add(at.HydraulicLine("line", "a", "ground", length="5 m", diameter="10 mm"))
    >>> print(f"{model.formulate().trim()['line.pressure_drop'] / 1e5:.2f} bar")
    2.72 bar
    """

    summary: ClassVar[str] = "line: friction, inertance and compliance of a pipe"

    length: float = positive("m", "length")
    diameter: float = positive("m", "inner diameter")
    segments: int = fixed_number(
        "1", "pieces that it is cut into", default=1, lower=1, upper=100, whole=True
    )
    inertance: bool = flag("whether its oil has inertia", default=True)
    compliance: bool = flag("whether its oil gives", default=True)
    wall_modulus: float | None = positive(
        "Pa", "bulk modulus of its wall, which makes a hose softer than its oil", default=None
    )
    fluid: HydraulicFluid = fluid()

    @property
    def is_stiff(self) -> bool:
        return True

    def edges(self) -> tuple[Edge, ...]:
        nodes = [self.inlet, *(f"{self.name}.{k}" for k in range(1, self.segments)), self.outlet]
        flows = [
            self._flow_edge(f"H{k}", k, *ends)
            for k, ends in enumerate(zip(nodes[:-1], nodes[1:], strict=True), start=1)
        ]
        stores = [
            storage_edge(self.name, label, nodes[k], gauge_pressure(suffix, where_))
            for label, k, suffix, where_ in self._volumes()
        ]
        return (*flows, *stores)

    def _flow_edge(self, label: str, k: int, tail: str, head: str) -> Edge:
        if not self.inertance:
            return law_edge(self.name, label, tail, head, "Q = Q(p)")
        suffix = "flow" if self.segments == 1 else f"flow_{k}"
        state = Variable(suffix, "m^3/s", "volume flow from inlet to outlet")
        law = NetworkLaw(
            NetworkRole.THROUGH_STORAGE,
            self._inertance(),
            state=state,
            equation="p = I dQ/dt + r(Q)",
        )
        return Edge(self.name, label, HYDRAULIC, tail, head, law)

    def _volumes(self) -> Iterator[tuple[str, int, str, str]]:
        """(label, place of the node, suffix, where) of each volume."""
        if not self.compliance:
            return
        last = self.segments
        for k in range(last + 1):
            suffix = {0: "inlet_pressure", last: "outlet_pressure"}.get(k, f"pressure_{k}")
            is_open = (k == 0 and self.inlet == OPEN_TANK) or (
                k == last and self.outlet == OPEN_TANK
            )
            if not is_open:
                where_ = {0: "at the inlet", last: "at the outlet"}.get(k, f"after segment {k}")
                yield f"H{last + 1 + k}", k, suffix, where_

    def network_terms(self, now: Instant) -> NetworkTerms:
        p = self.numbers_of("fluid")
        capacities = {}
        for label, k, _, _ in self._volumes():
            softness = self.fluid.compressibility(now.across[label], p)
            capacities[label] = as_expr(self._share(k) * (softness + self._wall_softness()))
        flows = [f"H{k}" for k in range(1, self.segments + 1)]
        if self.inertance:
            losses = {label: self._loss(now.through[label]) for label in flows}
            return NetworkTerms(capacities=capacities, losses=losses)
        throughs = {label: self._flow(now.across[label]) for label in flows if label in now.across}
        return NetworkTerms(throughs=throughs, capacities=capacities)

    def _area(self) -> Expr:
        d = self.symbol("diameter")
        return 0.25 * math.pi * d * d

    def _piece(self) -> Expr:
        return self.symbol("length") / float(self.segments)

    def _inertance(self) -> Expr:
        return self.symbol("fluid.density") * self._piece() / self._area()

    def _share(self, k: int) -> Expr:
        """Of the volume of the line that is at a node."""
        whole = self._area() * self._piece()
        return whole if 0 < k < self.segments else 0.5 * whole

    def _wall_softness(self) -> Expr:
        return ZERO if self.wall_modulus is None else 1.0 / self.symbol("wall_modulus")

    def _coefficients(self) -> tuple[Expr, Expr]:
        """R and B of a segment."""
        d, rho, nu = (self.symbol(n) for n in ("diameter", "fluid.density", "fluid.viscosity"))
        laminar = 128.0 / math.pi * rho * nu * self._piece() / (d * d * d * d)
        slowness = power(nu / d, 0.25) * power(1.0 / self._area(), 1.75)
        return laminar, as_expr(0.5 * _BLASIUS * rho * self._piece() / d * slowness)

    def _loss(self, flow: Expr) -> Expr:
        """What a segment loses."""
        laminar, blasius = self._coefficients()
        # From where the two meet on; so the root has a slope at rest, too.
        meeting = power(laminar / blasius, 4.0 / 3.0)
        size = absolute(flow)
        turbulent = blasius * power(maximum(size, meeting), 0.75) * flow
        return as_expr(where(as_expr(size) > as_expr(meeting), turbulent, laminar * flow))

    def _flow(self, drop: Expr) -> Expr:
        """Of a segment without inertance: the inverse."""
        laminar, blasius = self._coefficients()
        meeting = laminar * power(laminar / blasius, 4.0 / 3.0)
        size = absolute(drop)
        turbulent = power(maximum(size, meeting) / blasius, 4.0 / 7.0)
        forward = where(as_expr(size) > as_expr(meeting), turbulent, size / laminar)
        return as_expr(where(drop >= 0.0, forward, -forward))

    def respond(self, now: Instant) -> Response:
        p = self.numbers_of("fluid")
        stored, limits = ZERO, []
        for label, k, _, _ in self._volumes():
            pressure = now.across[label]
            walls = 0.5 * pressure * pressure * self._wall_softness()
            stored = stored + self._share(k) * (self.fluid.energy_density(pressure, p) + walls)
            limits.append(self.fluid.cavitation(pressure, p))
        flow = now.through[MAIN]
        limits.append(RangeLimit(self._reynolds(flow) - _LARGEST_REYNOLDS, _TOO_FAST))
        drop = sum((now.across[f"H{k}"] for k in range(1, self.segments + 1)), ZERO)
        taken = sum(
            (now.across[f"H{k}"] * now.through[f"H{k}"] for k in range(1, self.segments + 1)), ZERO
        )
        outputs: list[NamedOutput] = [pressure_drop(drop), loss(taken)]
        if not (self.inertance and self.segments == 1):
            outputs.append(through_flow(flow))
        return Response(internal_energy=stored, outputs=tuple(outputs), limits=tuple(limits))

    def _reynolds(self, flow: Expr) -> Expr:
        d, nu = self.symbol("diameter"), self.symbol("fluid.viscosity")
        return as_expr(4.0 / math.pi * absolute(flow) / (d * nu))
