"""A rig: holds the body, moves the pads under the wheels and the rack, loads the wheels.

Static equilibrium of all links and closure of all ideal joints at once. With the motion of the
links x (six each), reactions L, loads of the pads N, the force on the rack P and the height h of
the road,

    B^T f(e) + J^T L - N g - P a - Q(loads) = 0     of each link
    joints = 0,  heights of the pads,  rack travel = r,  one row for h

are solved by Newton's method for all positions at once. The wheel is a rigid thin disc that is
locked to its carrier; the load of a pad acts at its lowest point, along the normal of the road.
Weights of links are left out: loads are those that the springs carry.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from axletree.analysis.kinematics_and_compliance.poses import AxlePoses, WheelPoses
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import few_names
from axletree.vehicles.linkages.curves.axle_curves import hub_axes
from axletree.vehicles.linkages.elements import (
    Element,
    ElementState,
    elements_of,
    steering_element,
)
from axletree.vehicles.linkages.kingpin import kingpin_axis
from axletree.vehicles.linkages.linkage import BODY, AxleLinkage, Coil, Point, WheelCarrier
from axletree.vehicles.linkages.parts.mounts import elastic_linkage
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions, _turned

WHEEL_SIDES = ("left", "right")
_UNIT = 1e6  # [N] of forces inside, so that stiffnesses are near 1
_CLOSED = 1e-11  # [m, rad or MN] an equation counts as solved below this
_MOST_ITERATIONS = 15  # of Newton's method on one step of a path
_FIRST_STEP = 1.0  # share of the path from design to a position
_FARTHEST_TURN = 0.6  # [rad] of a link in one step, lest a linkage snaps through
_SHORTEST_STEP = 1e-2
_SINGULAR = 1e-11  # share of the largest singular value that counts as zero
_COMPLEX_STEP = 1e-30


class RigError(AxletreeError):
    """A rig asks for a position or a load that the axle cannot take."""


class Pads(enum.IntEnum):
    """What the pads hold."""

    CENTRES = 0  # the heights of the wheel centres
    CONTACTS = 1  # the heights of the contacts
    LOADS = 2  # the loads on the wheels
    ROLL = 3  # a road that leans, and the load of the axle


@dataclass(frozen=True, eq=False)
class RigPlan:
    """N positions that a rig goes to; right and left are apart, nothing is mirrored."""

    pads: FloatArray  # (N,) of Pads
    heights: FloatArray  # (N, 2) [m] above design, left and right; of LOADS [N] above design
    rack: FloatArray  # (N,) [m] to the left; of a hinge that steers [rad]
    roll: FloatArray  # (N,) [rad] of the body against the road, to the right
    force: FloatArray  # (N, 2, 3) [N] at the contacts, axes of the road in straight running
    torque: FloatArray  # (N, 2, 3) [N m]
    is_driven: FloatArray  # (N,) whether the torque of longitudinal forces is held by shafts

    @classmethod
    def at_design(cls, count: int) -> RigPlan:
        """So many times the axle at design."""
        N = count
        return cls(
            np.zeros(N, dtype=int), np.zeros((N, 2)), np.zeros(N), np.zeros(N),
            np.zeros((N, 2, 3)), np.zeros((N, 2, 3)), np.zeros(N, dtype=bool),
        )  # fmt: skip

    @classmethod
    def joined(cls, plans: Sequence[RigPlan]) -> RigPlan:
        """One after another."""
        names = cls.__dataclass_fields__
        return cls(**{k: np.concatenate([getattr(plan, k) for plan in plans]) for k in names})

    def __len__(self) -> int:
        return len(self.rack)

    def part(self, rows: Any) -> RigPlan:
        """Some of its positions."""
        return RigPlan(**{k: getattr(self, k)[rows] for k in self.__dataclass_fields__})

    def on_the_way(self, share: FloatArray) -> RigPlan:
        """As far from design as the share of each says."""
        s, w = share[:, None], share[:, None, None]
        return replace(
            self, heights=s * self.heights, rack=share * self.rack, roll=share * self.roll,
            force=w * self.force, torque=w * self.torque,
        )  # fmt: skip

    @property
    def up(self) -> FloatArray:
        """The normal of the road in the body's axes, (N, 3)."""
        none = np.zeros(len(self))
        return np.stack([none, np.sin(self.roll), np.cos(self.roll)], axis=1)


@dataclass(frozen=True, eq=False)
class RigPositions:
    """Solved positions of a plan."""

    plan: RigPlan
    r: FloatArray  # (N, links, 3) [m]
    R: FloatArray  # (N, links, 3, 3)
    reactions: FloatArray  # (N, rows) [N, N m]
    loads: FloatArray  # (N, 2) [N] of the pads on the wheels
    rack_force: FloatArray  # (N,) [N], of the rig on the rack, to the left; of a hinge [N m]
    road_height: FloatArray  # (N,) [m]

    def part(self, rows: Any) -> RigPositions:
        """Some of them."""
        kept = (k for k in self.__dataclass_fields__ if k != "plan")
        return RigPositions(self.plan.part(rows), **{k: getattr(self, k)[rows] for k in kept})


class AxleRig:
    """An axle on the rig, by its hard points.

    ``load`` is what the springs carry of each wheel at design [N]; ``elastic``: with the bushings
    of its joints, else with ideal joints.
    """

    def __init__(
        self,
        linkage: AxleLinkage,
        tyre_radius: float,
        load: float,
        *,
        elastic: bool = False,
        name: str = "axle",
    ) -> None:
        if not 0.0 < tyre_radius < 10.0 or not load >= 0.0:
            raise ModelError(
                f"{name}: a rig takes wheels with a radius between 0 and 10 m and a load that is "
                f"not negative; found {tyre_radius:g} m and {load:g} N"
            )
        self._ideal = linkage
        self.linkage = linkage = elastic_linkage(linkage) if elastic else linkage
        self.name, self.tyre_radius, self.load = name, tyre_radius, load
        self.elastic = elastic
        if not elastic:
            LinkageKinematics(linkage, name)  # refuses what joints hold too tightly or not at all
        self.order = {link: k for k, link in enumerate(linkage.moving())}
        self.elements = list(elements_of(linkage, elastic=elastic))
        self._steering = steering_element(linkage)
        self.carriers: tuple[WheelCarrier, ...] = tuple(
            linkage.carriers[side] for side in WHEEL_SIDES
        )
        self._n = 6 * len(self.order)
        ideal = [element.count if element.is_ideal else 0 for element in self.elements]
        self._first = self._n + np.concatenate([[0], np.cumsum(ideal)]).astype(int)
        self._pad = int(self._first[-1])  # columns of the pads' loads, then rack, then road height
        self._size = self._pad + 4
        self._preload = [np.zeros(element.count) for element in self.elements]
        self._border = np.zeros((self._size, self._size))
        self._rest_at_design = np.zeros(self._size - self._n)
        self._check_closed()
        self._remove_idle_motions()
        self._take_up_loads()

    # -- positions -------------------------------------------------------------------------
    def __repr__(self) -> str:
        joints = "bushings" if self.elastic else "ideal joints"
        links = few_names(self.order, 12)
        return f"Rig with {self.name}: {self.load:.4g} N on each wheel, {joints}, links {links}"

    def solve(self, plan: RigPlan) -> RigPositions:
        """Each position is led from design; one that is out of reach is refused by name."""
        found, reached = self.reach(plan)
        if (stuck := np.flatnonzero(reached < 1.0)).size:
            worst = int(stuck[np.argmin(reached[stuck])])
            raise RigError(
                f"{self.name}: {_in_words(plan, worst)} is beyond the reach of the axle, which "
                f"comes to {100.0 * reached[worst]:.3g} % of it; ask for less"
            )
        return found

    def reach(
        self, plan: RigPlan, shortest_step: float = _SHORTEST_STEP
    ) -> tuple[RigPositions, FloatArray]:
        """As far as each position can be led from design, and what share of the way that is, to
        the shortest step."""
        N = len(plan)
        y = self._at_design(N)
        reached, step = np.zeros(N), np.full(N, _FIRST_STEP)
        while (open_ := np.flatnonzero((reached < 1.0) & (step >= shortest_step))).size:
            ahead = np.minimum(reached[open_] + step[open_], 1.0)
            found, off = self._newton(y.part(open_), plan.part(open_).on_the_way(ahead))
            closed = (off <= _CLOSED) & (_turn_between(y.R[open_], found.R) < _FARTHEST_TURN)
            good, bad = open_[closed], open_[~closed]
            y.put(good, found.part(closed))
            reached[good] = ahead[closed]
            step[bad] /= 2.0
        a, b = self._n, self._pad
        at = RigPositions(
            plan, y.r, y.R, y.rest[:, : b - a] * _UNIT, y.rest[:, b - a : b - a + 2] * _UNIT,
            y.rest[:, b - a + 2] * _UNIT, y.rest[:, b - a + 3],
        )  # fmt: skip
        return at, reached

    def _at_design(self, N: int) -> _Unknowns:
        L = len(self.order)
        rest = np.tile(self._rest_at_design, (N, 1))
        return _Unknowns(np.zeros((N, L, 3)), np.tile(np.eye(3), (N, L, 1, 1)), rest)

    def _newton(self, y: _Unknowns, plan: RigPlan) -> tuple[_Unknowns, FloatArray]:
        """Unknowns, and what is left of the equations; what is solved is not asked again."""
        y = y.part(slice(None))
        best = np.full(len(plan), np.inf)
        open_ = np.arange(len(plan))
        for _ in range(_MOST_ITERATIONS):
            now, asked = y.part(open_), plan.part(open_)
            residual, matrix = self._equations(now, asked)
            left = np.abs(residual).max(axis=1)
            rounding = (left >= 0.5 * best[open_]) & (left <= _CLOSED)
            best[open_] = left
            goes_on = (left > 1e-3 * _CLOSED) & ~rounding & np.isfinite(left)
            open_ = open_[goes_on]
            if not open_.size:
                break
            change = np.linalg.solve(matrix[goes_on], -residual[goes_on, :, None])[..., 0]
            y.put(open_, now.part(goes_on).moved(np.clip(change, -0.5, 0.5)))
        return y, best

    # -- equations -------------------------------------------------------------------------
    def _equations(self, y: _Unknowns, plan: RigPlan) -> tuple[FloatArray, FloatArray]:
        """Residuals (N, size) and their slopes (N, size, size)."""
        N, size = len(y.r), self._size
        residual, matrix = np.zeros((N, size)), np.tile(self._border, (N, 1, 1))
        for element, first, preload in zip(self.elements, self._first, self._preload, strict=False):
            self._add_element(element, int(first), preload, y, residual, matrix)
        for side in (0, 1):
            self._add_wheel(side, y, plan, residual, matrix)
        self._add_rack(y, plan, residual, matrix)
        road = self._pad + 3
        rolls = plan.pads == Pads.ROLL
        loads = y.rest[:, self._pad - self._n : self._pad - self._n + 2]
        surplus = loads.sum(axis=1) - 2.0 * self.load / _UNIT
        residual[:, road] = np.where(rolls, surplus, y.rest[:, -1])
        matrix[:, road, road] += ~rolls
        matrix[:, road, self._pad : self._pad + 2] += rolls[:, None]
        return residual, matrix

    def _add_element(
        self,
        element: Element,
        first: int,
        preload: FloatArray,
        y: _Unknowns,
        residual: FloatArray,
        matrix: FloatArray,
    ) -> None:
        at = first - self._n
        rows = slice(first, first + element.count)
        if element.is_ideal:
            force = y.rest[:, at : at + element.count] * _UNIT
        else:
            force = np.tile(preload, (len(y.r), 1))
        state = self._state(element, y, force)
        columns = self._columns(element.links)
        residual[:, columns] += state.gradient / _UNIT
        matrix[:, columns[:, None], columns] += state.hessian / _UNIT
        if element.is_ideal:
            residual[:, rows] += state.values
            matrix[:, rows, columns] += state.slopes
            matrix[:, columns, rows] += np.swapaxes(state.slopes, 1, 2)

    def _state(self, element: Element, y: _Unknowns, force: FloatArray) -> ElementState:
        places = [self.order[link] for link in element.links]
        return element.at(y.r[:, places], y.R[:, places], force)

    def _columns(self, links: Sequence[str]) -> FloatArray:
        firsts = [6 * self.order[link] for link in links]
        return np.concatenate([np.arange(k, k + 6) for k in firsts])

    def _add_wheel(
        self, side: int, y: _Unknowns, plan: RigPlan, residual: FloatArray, matrix: FloatArray
    ) -> None:
        columns, pad = self._columns([self.carriers[side].link]), self._pad + side
        N_pad = y.rest[:, pad - self._n] * _UNIT
        wheel = self._wheel(side, y, plan, N_pad)
        residual[:, columns] -= wheel.load / _UNIT
        matrix[:, columns[:, None], columns] -= wheel.load_slopes / _UNIT
        matrix[:, columns, pad] -= wheel.pad
        kinds = plan.pads
        row = np.select(
            [kinds == Pads.CENTRES, kinds == Pads.CONTACTS, kinds == Pads.ROLL],
            [
                wheel.centre_height - self.carriers[side].centre[2] - plan.heights[:, side],
                wheel.contact_height - self._contact_height(side) - plan.heights[:, side],
                wheel.contact_height - y.rest[:, -1],
            ],
            (N_pad - self.load - plan.heights[:, side]) / _UNIT,
        )
        residual[:, pad] = row
        by_centre, by_load = kinds == Pads.CENTRES, kinds == Pads.LOADS
        slope = np.where(by_centre[:, None], wheel.centre_slope, wheel.pad)
        matrix[:, pad, columns] += np.where(by_load[:, None], 0.0, slope)
        matrix[:, pad, pad] += by_load
        matrix[:, pad, self._pad + 3] -= kinds == Pads.ROLL

    def _contact_height(self, side: int) -> float:
        carrier = self.carriers[side]
        s = np.array(carrier.spin_axis)
        return float(carrier.centre[2] - self.tyre_radius * np.sqrt(1.0 - s[2] ** 2))

    def _add_rack(
        self, y: _Unknowns, plan: RigPlan, residual: FloatArray, matrix: FloatArray
    ) -> None:
        row = self._pad + 2
        force = y.rest[:, row - self._n]
        if self._steering is None:
            residual[:, row] = force
            matrix[:, row, row] += 1.0
            return
        state = self._state(self._steering, y, -force[:, None] * _UNIT)
        columns = self._columns(self._steering.links)
        residual[:, row] = state.values[:, 0] - plan.rack
        residual[:, columns] += state.gradient / _UNIT
        matrix[:, columns[:, None], columns] += state.hessian / _UNIT
        matrix[:, row, columns] += state.slopes[:, 0]
        matrix[:, columns, row] -= state.slopes[:, 0]

    def _wheel(self, side: int, y: _Unknowns, plan: RigPlan, N_pad: FloatArray) -> _WheelState:
        """Heights of a wheel and its loads, with slopes by the motion of its carrier."""
        carrier, k = self.carriers[side], self.order[self.carriers[side].link]
        N = len(y.r)
        moves = np.eye(6)
        r = y.r[:, k, None] + 1j * _COMPLEX_STEP * moves[:, :3]
        turn = 1j * _COMPLEX_STEP * np.cross(moves[:, 3:, None], np.eye(3)[None], axis=1)
        R = y.R[:, k, None] + turn @ y.R[:, k, None]
        up = plan.up[:, None]
        W, s = r + R @ np.array(carrier.centre), R @ np.array(carrier.spin_axis)
        C = W + self.tyre_radius * lowest_direction(s, up)
        force = plan.force[:, side, None] + N_pad[:, None, None] * up
        moment = np.cross(C - r, force) + plan.torque[:, side, None]
        shaft = (np.cross(C - W, plan.force[:, side, None]) * s).sum(axis=-1)[..., None] * s
        moment = moment - plan.is_driven[:, None, None] * shaft
        load = np.concatenate([np.broadcast_to(force, moment.shape), moment], axis=-1)
        arm = (C - r)[:, 0].real
        height = np.zeros((N, 6))
        height[:, 2] = 1.0
        out = np.cross(y.R[:, k] @ np.array(carrier.centre), [0.0, 0.0, 1.0])
        height[:, 3:] = out
        return _WheelState(
            load[:, 0].real,
            np.swapaxes(load.imag, 1, 2) / _COMPLEX_STEP,
            np.concatenate([plan.up, np.cross(arm, plan.up)], axis=1),
            W[:, 0, 2].real, height, (C[:, 0] * up[:, 0]).sum(axis=1).real,
        )  # fmt: skip

    # -- loads at design -------------------------------------------------------------------
    def _take_up_loads(self) -> None:
        """Preloads of springs and bushings, reactions of joints, that carry the loads at design.

        Bushings have the forces of a small deformation u that leaves the wheels where they are:
        [K J^T -b; J 0 0; g^T 0 0] (u, L, F) = (Q, 0, 0), with F the forces of the springs.
        """
        springs = [k for k, e in enumerate(self.elements) if self._is_spring(e)]
        if not springs or not self.load:
            return
        pads = slice(self._pad - self._n, self._pad - self._n + 2)
        self._rest_at_design[pads] = self.load / _UNIT
        y = self._at_design(1)
        residual, matrix = np.zeros((1, self._size)), np.zeros((1, self._size, self._size))
        forces = np.zeros((self._size, len(springs)))
        for k, element in enumerate(self.elements):
            state = self._state(element, y, np.zeros((1, element.count)))
            columns, rows = self._columns(element.links), self._rows(k)
            if k in springs:
                forces[columns, springs.index(k)] = -state.slopes[0, 0]
            elif element.is_ideal:
                matrix[:, rows, columns] = state.slopes
                matrix[:, columns, rows] = np.swapaxes(state.slopes, 1, 2)
            elif element.is_preloaded:
                matrix[:, columns[:, None], columns] += state.hessian / _UNIT
        plan, light = RigPlan.at_design(1), replace(y, rest=0.0 * y.rest)
        for side in (0, 1):
            self._add_wheel(side, y, plan, residual, np.zeros_like(matrix))
            self._add_wheel(side, light, plan, np.zeros_like(residual), matrix)
        self._add_rack(y, plan, residual, matrix)
        pads = slice(self._pad, self._pad + 2)  # loads are given: their columns are not unknown
        matrix[0, :, pads] = 0.0
        load = -residual[0]
        load[self._n :] = 0.0
        whole = np.hstack([matrix[0], forces])
        found = np.linalg.lstsq(whole, load, rcond=1e-13)[0]
        if np.abs(whole @ found - load).max() > 1e-9:
            raise ModelError(
                f"{self.name}: its springs and joints cannot carry {self.load:g} N of each wheel "
                "at design; a spring, a rod or a joint is missing"
            )
        self._set_preloads(found, springs, y)

    def _set_preloads(self, found: FloatArray, springs: list[int], y: _Unknowns) -> None:
        """From the solution of the linear equations at design."""
        for k, element in enumerate(self.elements):
            if k in springs:
                self._preload[k] = np.array([-found[self._size + springs.index(k)] * _UNIT])
            elif element.is_preloaded and not element.is_ideal:
                state = self._state(element, y, np.zeros((1, element.count)))
                u = found[self._columns(element.links)]
                self._preload[k] = element.stiffness_at_design @ (state.slopes[0] @ u)
        rest = self._rest_at_design
        rest[: self._pad - self._n] = found[self._n : self._pad]
        rest[self._pad + 2 - self._n] = found[self._pad + 2]
        residual, _ = self._equations(self._at_design(1), RigPlan.at_design(1))
        if np.abs(residual).max() > 1e-9:
            raise ModelError(f"{self.name}: the axle is not in equilibrium at design")

    def _is_spring(self, element: Element) -> bool:
        coils = {coil.name for coil in self.linkage.coils if coil.is_spring}
        return element.name in coils

    def _rows(self, k: int) -> slice:
        return slice(int(self._first[k]), int(self._first[k + 1]))

    def _check_closed(self) -> None:
        """Ideal joints are closed at design."""
        y = self._at_design(1)
        for element in self.elements:
            if element.is_ideal:
                state = self._state(element, y, np.zeros((1, element.count)))
                if np.abs(state.values).max() > 1e-9:
                    raise ModelError(
                        f"{self.name}: {element.name} is open by "
                        f"{1e3 * np.abs(state.values).max():.3g} mm at design"
                    )

    def _remove_idle_motions(self) -> None:
        """Rods that spin about themselves, and joints that hold the same twice, leave the equations
        singular. With l and r the singular vectors at design, A + l r^T has the same solutions: for
        a left null vector m of A and a right side b that can be met, m^T (A + l r^T) x = m^T b = 0
        gives (m^T l) (r^T x) = 0."""
        _, matrix = self._equations(self._at_design(1), RigPlan.at_design(1))
        U, sizes, V = np.linalg.svd(matrix[0])
        idle = sizes < _SINGULAR * sizes[0]
        self._check_held(V[idle].T)
        self._border = U[:, idle] @ V[idle]

    def _check_held(self, idle: FloatArray) -> None:
        """Idle motions do not move the wheels."""
        for carrier in self.carriers:
            if np.abs(idle[self._columns([carrier.link])]).max(initial=0.0) > 1e-6:
                raise ModelError(
                    f"{self.name}: its joints do not hold {carrier.link}: it can move while the "
                    "pads and the rack stay; a rod or a joint is missing"
                )

    # -- rates -----------------------------------------------------------------------------
    def rates(self, at: RigPositions, pads: Pads, loads: FloatArray | None = None) -> RigRates:
        """By heights of both pads and rack travel, and by loads (12, T) on the contacts: force and
        torque on the left, then on the right; ``is_driven`` is that of the plan."""
        plan = replace(at.plan, pads=np.full(len(at.plan), int(pads)), roll=at.plan.roll)
        y = self._unknowns(at)
        _, matrix = self._equations(y, plan)
        T = 0 if loads is None else loads.shape[1]
        right = np.zeros((len(y.r), self._size, 3 + T))
        right[:, self._pad : self._pad + 3, :3] = np.eye(3)
        for k in range(T):
            assert loads is not None
            unit = loads[:, k].reshape(2, 2, 3)
            right[:, :, 3 + k] = self._unit_load(y, plan, unit)
        found: FloatArray = np.linalg.solve(matrix, right).astype(float)
        motion = found[:, : self._n].reshape(len(y.r), -1, 6, 3 + T)
        pad = slice(self._pad, self._pad + 2)
        return RigRates(motion[:, :, :3], motion[:, :, 3:], found[:, pad] * _UNIT)

    def _unit_load(self, y: _Unknowns, plan: RigPlan, unit: FloatArray) -> FloatArray:
        """What a load adds to the right of the equations, (N, size)."""
        N = len(y.r)
        loaded = replace(
            plan, force=np.tile(unit[:, 0], (N, 1, 1)), torque=np.tile(unit[:, 1], (N, 1, 1))
        )
        found = np.zeros((N, self._size))
        for side in (0, 1):
            columns = self._columns([self.carriers[side].link])
            wheel = self._wheel(side, y, loaded, np.zeros(N))
            found[:, columns] += wheel.load / _UNIT
        return found

    def _unknowns(self, at: RigPositions) -> _Unknowns:
        extra = [at.loads, at.rack_force[:, None]]
        rest = np.concatenate([at.reactions, *extra], axis=1) / _UNIT
        return _Unknowns(at.r, at.R, np.concatenate([rest, at.road_height[:, None]], axis=1))

    # -- what is measured ------------------------------------------------------------------
    def poses(
        self, at: RigPositions, rates: RigRates, seen: Mapping[str, FloatArray] | None = None
    ) -> AxlePoses:
        """Of both wheels, each as a left one, with rates by own travel, the other's, and rack;
        ``seen`` has other inputs instead: by side, what each is of those of the rates."""
        wheels = []
        for side, sign in ((0, 1.0), (1, -1.0)):
            values, slopes = self._measured(side, at, rates)
            if seen is None:
                wheels.append(WheelPoses.of(values, slopes[:, :, :3], self.tyre_radius, sign))
            else:
                own = slopes @ seen[WHEEL_SIDES[side]]
                wheels.append(WheelPoses.seen(values, own, self.tyre_radius, sign))
        return AxlePoses(*wheels)

    def _measured(
        self, side: int, at: RigPositions, rates: RigRates
    ) -> tuple[FloatArray, FloatArray]:
        """Wheel centre, axes of the hub by rows, kingpin, lengths of spring and damper (N, 20),
        and their rates (N, 20, T)."""
        carrier = self.carriers[side]
        k = self.order[carrier.link]
        R, w = at.R[:, k], rates.w[:, k]
        hub = hub_axes(carrier)
        turned = R @ hub
        dR = np.cross(w[:, :, None], turned[:, :, :, None], axis=1)
        values = [self.point(at, carrier.link, carrier.centre), turned.reshape(-1, 9)]
        N, T = w.shape[0], w.shape[2]
        slopes = [self.point_rate(at, rates, carrier.link, carrier.centre), dR.reshape(N, 9, T)]
        if carrier.kingpin is None:
            values.append(self._virtual_kingpin(side, at))
            slopes.append(np.zeros((N, 6, T)))
        else:
            links = carrier.kingpin_links or (carrier.link, carrier.link)
            for link, end in zip(links, carrier.kingpin, strict=True):
                values.append(self.point(at, link, end))
                slopes.append(self.point_rate(at, rates, link, end))
        for coil in self.coils_of(side):
            length, rate = self._length(at, rates, coil)
            values.append(length)
            slopes.append(rate)
        return np.concatenate(values, axis=1), np.concatenate(slopes, axis=1)

    def _virtual_kingpin(self, side: int, at: RigPositions) -> FloatArray:
        """Two points of the axis that a toe link turns a wheel about, (N, 6), by ideal joints; of a
        wheel without a toe link there is none."""
        carrier = self.carriers[side]
        W = self.point(at, carrier.link, carrier.centre)
        if carrier.toe_link is None:
            return np.concatenate([W, W], axis=1)
        none = np.zeros((*at.r.shape, 0))
        where = Positions(self.order, at.r, at.R, none, none)
        foot, upward = kingpin_axis(LinkageKinematics(self._ideal), where, WHEEL_SIDES[side])
        return np.concatenate([foot, foot + upward], axis=1)

    def has_kingpin(self, side: int) -> bool:
        """Whether there is an axis about which a wheel is steered."""
        carrier = self.carriers[side]
        return carrier.kingpin is not None or carrier.toe_link is not None

    def coils_of(self, side: int) -> tuple[Coil | None, Coil | None]:
        """Spring and damper of a side; where no other damps, the spring has the damper."""
        own = [coil for coil in self.linkage.coils if coil.name.startswith(WHEEL_SIDES[side])]
        spring = next((coil for coil in own if coil.is_spring), None)
        damps = (c for c in own if not c.is_spring and (c.damping or c.damper is not None))
        return spring, next(damps, spring)

    def _length(
        self, at: RigPositions, rates: RigRates, coil: Coil | None
    ) -> tuple[FloatArray, FloatArray]:
        if coil is None:
            return np.zeros((len(at.r), 1)), np.zeros((len(at.r), 1, rates.v.shape[-1]))
        pairs = list(zip((coil.first, coil.second), coil.ends, strict=True))
        apart = self.point(at, *pairs[1]) - self.point(at, *pairs[0])
        length = np.linalg.norm(apart, axis=1)
        moved = self.point_rate(at, rates, *pairs[1]) - self.point_rate(at, rates, *pairs[0])
        along = apart / length[:, None]
        return length[:, None], np.einsum("ni,nit->nt", along, moved)[:, None]

    def point(self, at: RigPositions, link: str, place: Point) -> FloatArray:
        """Where a point of a link is, (N, 3) [m]."""
        if link == BODY:
            return np.tile(np.array(place), (len(at.r), 1))
        k = self.order[link]
        found: FloatArray = at.r[:, k] + at.R[:, k] @ np.array(place)
        return found

    def point_rate(self, at: RigPositions, rates: RigRates, link: str, place: Point) -> FloatArray:
        """How it moves, (N, 3, T)."""
        if link == BODY:
            return np.zeros((len(at.r), 3, rates.v.shape[-1]))
        k = self.order[link]
        arm = at.R[:, k] @ np.array(place)
        moved: FloatArray = rates.v[:, k] + np.cross(rates.w[:, k], arm[:, :, None], axis=1)
        return moved

    def contacts(self, at: RigPositions) -> FloatArray:
        """Lowest points of the wheels above the road, (N, 2, 3) [m]."""
        found = []
        for carrier in self.carriers:
            s = at.R[:, self.order[carrier.link]] @ np.array(carrier.spin_axis)
            down = lowest_direction(s, at.plan.up)
            found.append(self.point(at, carrier.link, carrier.centre) + self.tyre_radius * down)
        return np.stack(found, axis=1)

    def compliance(self, at: RigPositions) -> FloatArray:
        """Displacements and rotations of the contacts by forces and torques on them, (N, 12, 12):
        force and torque on the left, then on the right; the loads of the pads stay."""
        rates = self.rates(at, Pads.LOADS, np.eye(12))
        contacts = self.contacts(at)
        rows = []
        for side, carrier in enumerate(self.carriers):
            k = self.order[carrier.link]
            arm = contacts[:, side] - at.r[:, k]
            moved = rates.v[:, k] + np.cross(rates.w[:, k], arm[:, :, None], axis=1)
            rows += [moved[..., 3:], rates.w[:, k, :, 3:]]
        return np.concatenate(rows, axis=1)


@dataclass(frozen=True, eq=False)
class RigRates:
    """Of all links by T inputs: heights of both pads, rack travel, and loads."""

    v: FloatArray  # (N, links, 3, T), of the design origins
    w: FloatArray  # (N, links, 3, T), of rotation
    loads: FloatArray  # (N, 2, T), of the loads on the wheels


@dataclass(frozen=True, eq=False)
class _WheelState:
    load: FloatArray  # (N, 6) force and moment about the carrier's design origin
    load_slopes: FloatArray  # (N, 6, 6)
    pad: FloatArray  # (N, 6) of a unit load of the pad, and the slope of the contact's height
    centre_height: FloatArray
    centre_slope: FloatArray
    contact_height: FloatArray


@dataclass(frozen=True, eq=False)
class _Unknowns:
    r: FloatArray
    R: FloatArray
    rest: FloatArray  # (N, ...) reactions, loads of the pads, force on the rack; height of the road

    def part(self, rows: Any) -> _Unknowns:
        return _Unknowns(self.r[rows].copy(), self.R[rows].copy(), self.rest[rows].copy())

    def put(self, rows: Any, other: _Unknowns) -> None:
        self.r[rows], self.R[rows], self.rest[rows] = other.r, other.R, other.rest

    def moved(self, change: FloatArray) -> _Unknowns:
        N, L = self.r.shape[:2]
        motion = change[:, : 6 * L].reshape(N, L, 6)
        r, R = self.r + motion[..., :3], _turned(self.R, motion[..., 3:])
        return _Unknowns(r, R, self.rest + change[:, 6 * L :])


def _turn_between(R: FloatArray, other: FloatArray) -> FloatArray:
    """The largest angle that a link has turned by, (N,)."""
    trace = np.einsum("nlij,nlij->nl", R, other)
    return np.asarray(np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0)).max(axis=1))


def lowest_direction(s: Any, up: Any) -> Any:
    """From the centre of a disc with the axis s to its lowest point, a unit vector."""
    down = (up * s).sum(axis=-1)[..., None] * s - up
    return down / np.sqrt((down * down).sum(axis=-1))[..., None]


def _in_words(plan: RigPlan, k: int) -> str:
    """What a position asks for."""
    asked = []
    heights, unit = plan.heights[k], "N" if plan.pads[k] == Pads.LOADS else "mm"
    for side, height in zip(WHEEL_SIDES, heights, strict=True):
        if height:
            factor = 1.0 if unit == "N" else 1e3
            asked.append(f"{side} wheel {factor * height:.4g} {unit}")
    if plan.rack[k]:
        asked.append(f"steering {plan.rack[k]:.4g} m or rad")
    if plan.roll[k]:
        asked.append(f"roll {np.degrees(plan.roll[k]):.4g} deg")
    greatest = np.abs(plan.force[k]).max()
    if greatest:
        asked.append(f"force {greatest:.4g} N")
    greatest = np.abs(plan.torque[k]).max()
    if greatest:
        asked.append(f"torque {greatest:.4g} N m")
    return ", ".join(asked) or "the design position"
