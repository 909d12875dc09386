"""Steady motions followed along a parameter, an input or a given value, past folds."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from axletree.analysis.arclength import Curve, CurvePoint, Step
from axletree.analysis.bifurcations import Event, Stretch, follow, real_growth
from axletree.analysis.branch import Branch, SpecialPoint
from axletree.analysis.mode_tracking import Spectrum, spectrum_of
from axletree.analysis.steady_equations import LEAST_SLOPE, SteadyEquations, SteadyPoint
from axletree.analysis.steady_given import (
    Given,
    SteadyStateError,
    Values,
    in_si,
    known_quantities,
)
from axletree.analysis.steady_motion import SteadyState, as_state, excursion_of
from axletree.analysis.steady_search import Found
from axletree.analysis.steady_state import prepare
from axletree.simulation.progress import Progress
from axletree.system.system import System

ASIDE = 0.83  # of a step, where its end sits on a special point


def continue_steady(
    system: System,
    given: Values | None = None,
    find: Sequence[str | Sequence[str]] = (),
    *,
    along: str,
    to: float | str,
    step: float | str,
    start: Values | SteadyState | None = None,
    points: int = 200,
    time: float = 0.0,
) -> Branch:
    """Steady motions from the one that ``steady_state`` finds, until a value is reached.

    Parameters
    ----------
    along: what is followed: one of ``given``, an input or a parameter.
    to: its last value, SI. A curve that turns back ends where it comes back to its first value.
    step: how far it goes in a step, or about so at most; SI.
    points: after which the curve is left at the latest.
    given, find, start, time: as those of ``steady_state``.

    Raises ``SteadyStateError`` where there is no steady motion to begin with. Warns of variables
    that were declared small and are larger than that from some point on.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    >>> branch = pendulum.formulate().continue_steady(along="motor.torque", to=4.5, step=0.5)
    >>> print(f"{branch['pin.angle'][-1]:.4f} rad")  # asin(4.5 / (1 * 9.80665 * 0.5))
    1.1624 rad
    """
    search, guess, read = prepare(system, given or {}, find, start, time, along)
    first = search.solve(guess).point
    assert search.equations.along is not None
    quantity = known_quantities(system).get(along)
    own = quantity[0] if quantity else None
    begin = search.equations.values(first)[search.equations.along]
    end, longest = in_si("to", to, own), abs(in_si("step", step, own))
    if end == begin or not longest or points < 2:
        raise SteadyStateError(
            f"nothing can be followed from {along} = {begin:g} to {end:g} in steps of {longest:g} "
            f"and {points} points; give another end, a step and at least two points"
        )
    walk = _Walk(search.equations, first, read, begin, end, longest, points)
    branch = walk.branch(system, along, own.unit if own else "")
    if remark := excursion_of(branch.points, lambda k: f"from {along} = {branch.values[k]:.4g} on"):
        warnings.warn(remark, stacklevel=2)
    return branch


@dataclass
class _Walk:
    """The way along a curve, with what was met."""

    equations: SteadyEquations
    around: SteadyPoint  # the first of them
    given: Given
    begin: float
    end: float
    longest: float
    most: int
    ended: str = ""
    known: dict[int, tuple[CurvePoint, SteadyState]] = field(default_factory=dict)

    @cached_property
    def curve(self) -> Curve:
        equations, around = self.equations, self.around
        return Curve(
            lambda z: equations.residual(z, around),
            lambda z: equations.slopes(z, around),
            np.append(equations.unknowns(around), self.begin),
            self.end - self.begin,
            LEAST_SLOPE,
        )

    def branch(self, system: System, along: str, unit: str) -> Branch:
        states: list[SteadyState] = []
        spectra: list[Spectrum] = []
        special: list[SpecialPoint] = []
        with Progress(1.0, f"following {along}", "of the way") as progress:
            for point, spectrum, events in self._steps():
                for event in events:
                    found = self.state(event.at)
                    special.append(
                        SpecialPoint(event.kind, event.at.value, found, event.eigenvalue,
                                     len(states) - 1)
                    )  # fmt: skip
                states.append(self.state(point))
                spectra.append(spectrum)
                progress.show(abs(point.value - self.begin) / abs(self.end - self.begin))
        return Branch(
            system=system.name,
            along=along,
            unit=unit,
            points=tuple(states),
            values=np.array([self._value(state, along) for state in states]),
            growth=np.array([real_growth(spectrum) for spectrum in spectra]),
            special=tuple(special),
            ended=self.ended,
        )

    def _steps(self) -> Iterator[tuple[CurvePoint, Spectrum, list[Event]]]:
        at = self.curve.first
        spectrum = self.spectrum(at)
        yield at, spectrum, []
        share = self.longest / max(abs(at.tangent[-1]), 1e-3 * at.scales[-1])
        length, count = share, 1
        while count < self.most:
            lead = abs(at.tangent[-1])
            length = min(length, self.longest / lead) if lead else length
            step = self.curve.advance(at, length, share)
            if step is None:
                self.ended = f"no steady motion was found beyond {at.value:.6g}"
                return
            last = self._cut(self._stretch(at, spectrum, step))
            yield last.last, last.spectra[1], last.events()
            if self.ended:
                return
            at, spectrum, length, count = last.last, last.spectra[1], step.following, count + 1
        self.ended = f"{self.most} points were found; more can be asked for with points=..."

    def _stretch(self, at: CurvePoint, spectrum: Spectrum, step: Step) -> Stretch:
        """A step, or a shorter one where its end sits on a special point."""
        found, length = step.point, step.length
        for _ in range(2):
            after = follow(spectrum, self.spectrum(found))
            stretch = Stretch(self.curve, at, found, length, (spectrum, after), self.spectrum)
            aside = self.curve.step(at, ASIDE * length) if stretch.is_blurred else None
            if aside is None:
                break
            found, length = aside, ASIDE * length
        return stretch

    def _cut(self, stretch: Stretch) -> Stretch:
        """The step, ended at the last value, or at the first one where the curve comes back."""
        forward = np.sign(self.end - self.begin)
        beyond = (stretch.last.value - self.end) * forward >= 0.0
        back = (stretch.last.value - self.begin) * forward <= 0.0
        if not (beyond or back):
            return stretch
        goal = self.end if beyond else self.begin
        self.ended = f"{goal:.6g} was reached" if beyond else f"it came back to {goal:.6g}"
        share = (goal - stretch.first.value) / (stretch.last.value - stretch.first.value)
        near = self.curve.step(stretch.first, max(share, 1e-6) * stretch.length)
        exact = self.curve.at_value(near or stretch.last, goal)
        if exact is None:
            return stretch
        after = follow(stretch.spectra[0], self.spectrum(exact))
        first = stretch.first
        length = float(first.tangent / first.scales**2 @ (exact.z - first.z))
        return Stretch(
            self.curve, stretch.first, exact, length, (stretch.spectra[0], after), self.spectrum
        )

    def state(self, point: CurvePoint) -> SteadyState:
        if id(point) not in self.known:
            self.known[id(point)] = point, self._state(point)
        return self.known[id(point)][1]

    def _state(self, point: CurvePoint) -> SteadyState:
        numbers = self.equations.point(point.z, self.around)
        return as_state(self.equations, Found(numbers, point.residual, ()), self.given)

    def spectrum(self, point: CurvePoint) -> Spectrum:
        return spectrum_of(self.state(point).linearisation.A)

    def _value(self, state: SteadyState, along: str) -> float:
        known = {**state.given, **state.inputs, **state.parameters}
        return float(known[along])
