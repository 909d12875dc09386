"""Line and speed together in the least time, within the car's envelope.

The car is a point that turns and accelerates as its envelope allows at each speed
(Veneri and Massaro 2020, "A free-trajectory quasi-steady-state optimal-control method for minimum
lap-time of race vehicles"): with throttle p, brake b and lateral acceleration a = v^2 k,

    v' = (p driving(v) - b braking(v)) / (ds/dt),
    p^m + |a / lateral(v)|^m <= 1,   b^l + |a / lateral(v)|^l <= 1.

The curvature changes at a rate whose square has a small weight, in place of the inertia that a
point does not have. On a track with heights the limits are those of the load that presses the car
onto the road, and slope and banking ask for a part of them (``road_loads``). Energy and work of the
tyres are states that end within a limit, and friction changes with the place (``lap_limits``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from axletree.expr import Expr, cos, exp, log, sin, symbol
from axletree.expr.functions import Value
from axletree.optimisation.dynamics import dynamics
from axletree.optimisation.ipopt import Ipopt
from axletree.optimisation.lap_time.envelope import CarEnvelope
from axletree.optimisation.lap_time.lap_limits import (
    GRIPS,
    LapLimits,
    LapWork,
    TrackFriction,
)
from axletree.optimisation.lap_time.quasi_steady import load_notes
from axletree.optimisation.lap_time.result import TimedLap, columns_of
from axletree.optimisation.lap_time.road_loads import LEAST_LOAD, RELIEF_INPUTS, RoadLoads
from axletree.optimisation.lap_time.track import Track
from axletree.optimisation.optimise import optimal_control
from axletree.optimisation.problem import OptimalControlProblem, Range
from axletree.optimisation.solution import OptimalSolution
from axletree.system.system import System

_TINY: Final = 1e-4  # of squared shares, so that powers have slopes at 0
BEND_WEIGHT: Final = 10.0  # s m^3, of the squared rate of the curvature
_BOTH_WEIGHT: Final = 1e-4  # s/m, of driving and braking at once, where neither is at its limit
_PUSH_WEIGHT: Final = 1e-6  # s^3/m^2, of what the drive pushes where energy is left
_PEDAL_WEIGHT: Final = 0.02  # s m, of squared rates of pedals


def _power(share: Expr, exponent: Expr) -> Expr:
    """|share|^exponent, smooth at 0."""
    found: Expr = exp(0.5 * exponent * log(share * share + _TINY))
    return found


@dataclass(frozen=True)
class _FreeLine:
    """The problem of a car on a track, in parts."""

    envelope: CarEnvelope
    track: Track
    limits: LapLimits

    @property
    def in_space(self) -> bool:
        return self.track.relief is not None

    @cached_property
    def friction(self) -> TrackFriction | None:
        own = self.limits.friction
        return None if own is None else TrackFriction(self.track, own, self.envelope.width)

    @cached_property
    def budgets(self) -> dict[str, float]:
        """What is used up along the lap, by its name, with what there is [J]."""
        given = {"energy": self.limits.energy, "tyre_energy": self.limits.tyre_energy}
        return {name: value for name, value in given.items() if value is not None}

    def point(self) -> System:
        v, n, xi, k = (symbol(one) for one in ("speed", "offset", "heading_error", "bend"))
        c, throttle, brake = symbol("curvature"), symbol("throttle"), symbol("brake")
        relief = {name: symbol(name) if self.in_space else 0.0 for name in RELIEF_INPUTS}
        loads = RoadLoads.at(relief, n, xi, c)
        weight = loads.weight(v * v)
        lateral, driving, braking, forward, backward = self._accelerations(v, n, weight)
        slowness = (1.0 - n * c) / (v * cos(xi))
        given, across = throttle * driving - brake * braking, v * v * k + loads.across
        share = across / lateral
        rates = {
            "speed [m/s]": (given - loads.along) * slowness,
            "offset [m]": v * sin(xi) * slowness,
            "heading_error [rad]": v * k * slowness - c,
            "bend [1/m]": symbol("bend_rate"),
            **self._work(given, across, v, slowness),
        }
        outputs = {
            "slowness [s/m]": slowness,
            "effort [1/m^4]": symbol("bend_rate") ** 2,
            "driven_share": _power(throttle, forward) + _power(share, forward),
            "braked_share": _power(brake, backward) + _power(share, backward),
            "room_left [m]": symbol("left") - n,
            "room_right [m]": symbol("right") + n,
            "acceleration [m/s^2]": given - loads.along,
            "lateral_acceleration [m/s^2]": v * v * k,
            **({"load_factor": weight} if self.in_space else {}),
            **self._further(given, v, throttle * brake),
            **{f"{one}_left [J]": symbol(f"{one}_limit") - symbol(one) for one in self.budgets},
        }
        known = [f"{name} [{unit}]" for name, unit in self._given_units().items()]
        controls = ["bend_rate [1/m^2]", "throttle", "brake", *known]
        if "energy" in self.budgets:
            controls.append("push [m/s^2]")
        limits = {f"{name}_limit [J]": value for name, value in self.budgets.items()}
        return dynamics("point", rates, controls, limits, outputs)

    def _accelerations(self, v: Expr, n: Expr, weight: Value) -> tuple[Expr, ...]:
        own = self.envelope
        found = own.limits_by_weight(v, weight) if self.in_space else own.limits(v)
        if self.friction is None:
            return found
        grip = self.friction.factor(n, {name: symbol(name) for name in self.friction.given})
        shares = own.shares_of_grip(v, GRIPS, grip)
        return (*(a * b for a, b in zip(found[:3], shares, strict=True)), *found[3:])

    def _work(self, given: Expr, across: Expr, v: Expr, slowness: Expr) -> dict[str, Expr]:
        """Rates of what is used up, per metre of the centre line."""
        if not self.budgets:
            return {}
        work = LapWork.of(self.envelope.pace.vehicle)
        push = work.push(given, v)
        rates = {
            "energy": work.mass * symbol("push"),
            "tyre_energy": work.of_tyres(push, across),
        }
        return {f"{name} [J]": rates[name] * v * slowness for name in self.budgets}

    def _further(self, given: Expr, v: Expr, both: Expr) -> dict[str, Expr]:
        """What keeps pedals apart, and the push of the drive no less than what the car has."""
        if not self.budgets:
            return {}
        found = {"both_pedals": both}
        if "energy" in self.budgets:
            push = LapWork.of(self.envelope.pace.vehicle).push(given, v)
            found["push_over [m/s^2]"] = symbol("push") - push
            found["pushing [m/s^2]"] = symbol("push")
        return found

    def _given_units(self) -> dict[str, str]:
        found = {"curvature": "1/m", "left": "m", "right": "m"}
        if self.in_space:
            found |= RELIEF_INPUTS
        return found | dict.fromkeys(self.friction.given if self.friction else (), "1")

    def problem(self) -> OptimalControlProblem:
        closed, half = self.track.closed, 0.5 * self.envelope.width
        room, share = Range(half, nominal=5.0), Range(upper=1.0 + 2.0 * _TINY, nominal=1.0)
        pressed = {"load_factor": Range(LEAST_LOAD, nominal=1.0)} if self.in_space else {}
        own = self.envelope.pace.limits.speeds
        pedal = Range(0.0, 1.0, periodic=closed, rate_weight=_PEDAL_WEIGHT)
        grips = self.friction.given if self.friction else {}
        has_energy = "energy" in self.budgets
        named = [name for name in self._given_units() if name not in grips]
        return OptimalControlProblem(
            system=self.point(),
            states={
                "speed": Range(0.5 * float(own[0]), self.envelope.top, periodic=closed),
                "offset": Range(-50.0, 50.0, periodic=closed, nominal=3.0),
                "heading_error": Range("-60 deg", "60 deg", periodic=closed, nominal=0.2),
                "bend": Range(-0.3, 0.3, periodic=closed, nominal=0.02),
                **{name: Range(initial=0.0, nominal=most) for name, most in self.budgets.items()},
            },
            controls={
                "bend_rate": Range(-0.02, 0.02, periodic=closed, nominal=1e-3),
                "throttle": pedal, "brake": pedal,
                **({"push": Range(0.0, periodic=closed, nominal=5.0)} if has_energy else {}),
            },
            given={**{name: partial(self.track.at, name) for name in named}, **grips},
            path={
                "driven_share": share, "braked_share": share, "room_left": room,
                "room_right": room, **pressed,
                **({"push_over": Range(0.0, nominal=5.0)} if has_energy else {}),
            },
            end={f"{k}_left": Range(0.0, nominal=most) for k, most in self.budgets.items()},
            length=self.track.length,
            integral={
                "slowness": 1.0, "effort": BEND_WEIGHT,
                **({"both_pedals": _BOTH_WEIGHT} if self.budgets else {}),
                **({"pushing": _PUSH_WEIGHT} if has_energy else {}),
            },
            told=("acceleration", "lateral_acceleration"),
            along="distance",
            along_unit="m",
        )  # fmt: skip


def free_line_lap(
    envelope: CarEnvelope, track: Track, start: TimedLap, limits: LapLimits | None = None
) -> TimedLap:
    """From another lap, such as that along the line of least curvature; within further limits."""
    own = _FreeLine(envelope, track, limits or LapLimits())
    return _lap(own, _solved(own, start))


def free_line_solution(
    envelope: CarEnvelope, track: Track, start: TimedLap, limits: LapLimits | None = None
) -> OptimalSolution:
    """Likewise, as the solution of the optimal control problem."""
    return _solved(_FreeLine(envelope, track, limits or LapLimits()), start)


def _solved(own: _FreeLine, start: TimedLap) -> OptimalSolution:
    own.track.refuse_width(own.envelope.width)
    names = {"speed": "speed", "offset": "offset", "heading_error": "heading_error",
             "bend": "curvature", "throttle": "throttle", "brake": "brake"}  # fmt: skip
    begin = {name: (start["station"], start[column]) for name, column in names.items()}
    # Below the speeds of the start, which are those of its own line on dry ground.
    begin["speed"] = (start["station"], (0.6 if own.friction else 0.9) * start["speed"])
    for name, most in own.budgets.items():
        s = start["station"]
        begin[name] = (s, most * s / s[-1])
    mesh = own.track.station[::2]  # the other stations are in the middle of intervals
    problem = own.problem()
    how: dict[str, Any] = {"rule": "hermite-simpson", "mesh": mesh}
    return optimal_control(problem, start=begin, settings=Ipopt(tolerance=1e-7), **how)


def _lap(own: _FreeLine, found: OptimalSolution) -> TimedLap:
    s = found.places
    time = found.transcription.rule.integrated(found.nodes, found["slowness"])  # type: ignore[union-attr]
    weights = found.cost - float(time[-1])
    given = {
        "time": time, "speed": found["speed"], "heading_error": found["heading_error"],
        "curvature": found["bend"], "acceleration": found["acceleration"],
        "lateral_acceleration": found["lateral_acceleration"],
        "throttle": found["throttle"], "brake": found["brake"],
        **{name: found[name] for name in own.budgets},
    }  # fmt: skip
    notes = [f"weights of slopes of curvature and pedals cost {weights:.3f} s beside the time"]
    if own.in_space:
        given["load_factor"] = found["load_factor"]
        notes += load_notes(found["load_factor"])
    slopes = {}
    if own.budgets:
        by_limit = found.sensitivities([f"{name}_limit" for name in own.budgets])
        slopes = {name: by_limit[f"{name}_limit"] for name in own.budgets}
    for name, most in own.budgets.items():
        notes.append(
            f"{name.replace('_', ' ')}: {found[name][-1] / 1e3:.1f} of {most / 1e3:.1f} kJ are "
            f"used; 1 % more of it is worth {-0.01 * most * slopes[name]:.4f} s"
        )
    columns = columns_of(own.track, s, found["offset"], given)
    return TimedLap(
        own.envelope.name, "free-line", own.track, columns, tuple(notes), slopes, own.budgets
    )
