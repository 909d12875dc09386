"""Branches of steady motions: followed along a parameter, an input or a given value, past folds.

``TrimBranch`` is such a curve with its special points; folds, bifurcations and changes of
stability are found between two of its points.
"""

from __future__ import annotations

import enum
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from axletree.analysis.linear.modes import (
    Spectrum,
    find_departures,
    find_stability_crossing,
    match_modes,
    spectrum_of,
)
from axletree.analysis.steady.arclength import CurvePoint, CurveStep, SolutionCurve
from axletree.analysis.steady.equations import (
    LEAST_SLOPE,
    FoundPoint,
    SteadyEquations,
    SteadyPoint,
)
from axletree.analysis.steady.newton import DEPENDENT
from axletree.analysis.steady.problem import SteadyProblem, in_si, known_quantities
from axletree.analysis.steady.result import Trim, as_trim, excursion_of
from axletree.analysis.steady.search import SteadySearch, unfelt_at
from axletree.core.errors import TrimError
from axletree.core.progress import Progress
from axletree.core.registry import unknown_name
from axletree.expr import Expr
from axletree.simulation.problem import wrong_parameters
from axletree.system.system import System


@dataclass(frozen=True)
class SpecialPoint:
    """A fold, a bifurcation or a change of stability.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    >>> branch = at.trim(pendulum).continued("motor.torque", 6, step=0.5)
    >>> print(f"{branch.folds[0].value:.4f} N m")  # no more: m g l, with the rod level
    4.9033 N m
    """

    kind: SpecialKind
    value: float  # of what was followed, SI
    state: Trim
    eigenvalue: complex | None  # [1/s], that is on the imaginary axis there
    after: int  # the point of the branch before it


@dataclass(frozen=True)
class TrimBranch:
    """A curve of steady motions; ``branch["chassis.vy"]`` is a quantity along it.

    Example:
    >>> import axletree as at
    >>> hangs = at.trim(at.read_model("pendulum"), {"pin.angle": 0})
    >>> branch = hangs.continued("gravity.z", 5, step=4)
    >>> branch.is_stable.tolist(), len(branch.folds)
    ([True, True, True, False, False], 0)
    """

    system: str
    along: str
    unit: str
    points: tuple[Trim, ...] = field(repr=False)
    values: np.ndarray  # of what was followed, SI
    growth: np.ndarray  # [1/s], the greatest real part of an eigenvalue at each point
    special: tuple[SpecialPoint, ...]  # in the order of the curve
    ended: str  # why

    def __getitem__(self, name: str) -> np.ndarray:
        return np.array([point[name] for point in self.points])

    @cached_property
    def is_stable(self) -> np.ndarray:
        """At each point: whether no mode grows."""
        return np.asarray(self.growth <= 0.0)

    @property
    def folds(self) -> tuple[SpecialPoint, ...]:
        """Where the curve turns back."""
        return tuple(s for s in self.special if s.kind is SpecialKind.FOLD)

    @property
    def bifurcations(self) -> tuple[SpecialPoint, ...]:
        """All that is special but folds."""
        return tuple(s for s in self.special if s.kind is not SpecialKind.FOLD)


STEADY = 1e-9  # [1/s], below which a decay is what rounding leaves of none
_ASIDE = 0.83  # of a step, where its end sits on a special point


def follow_branch(
    trim: Trim, along: str, to: float | str, step: float | str, points: int
) -> TrimBranch:
    """The branch that ``Trim.continued`` asks for."""
    system = trim.system
    known = {**trim.inputs, **trim.parameters}
    found = {name: known[name] for name in trim.found}
    problem = replace(trim.problem, near={**trim.states, **found})
    equations = followed_equations(problem, along, coasts=abs(trim.decay) > STEADY)
    first = SteadySearch(equations, prefers_stable=False).solve(
        equations.guess._replace(yaw_rate=trim.yaw_rate or 0.0, decay=trim.decay)
    )
    quantity = known_quantities(system).get(along)
    own = quantity[0] if quantity else None
    begin = equations.values(first.point)[followed_symbol(problem, along)]
    end, longest = in_si("to", to, own), abs(in_si("step", step, own))
    if end == begin or not longest or points < 2:
        raise TrimError(
            f"nothing can be followed from {along} = {begin:g} to {end:g} in steps of {longest:g} "
            f"and {points} points; give another end, a step and at least two points"
        )
    check_followed(problem, along, (begin, end))
    walk = _Walk(equations, first.point, begin, end, longest, points)
    branch = walk.branch(system, along, own.unit if own else "")
    if remark := excursion_of(branch.points, lambda k: f"from {along} = {branch.values[k]:.4g} on"):
        warnings.warn(remark, stacklevel=3)
    return branch


def followed_equations(
    problem: SteadyProblem, along: str, *, coasts: bool = False
) -> SteadyEquations:
    """Those of steady motions along a value, with the guess of the problem."""
    followed, numbers = followed_symbol(problem, along), problem.guess()
    unfelt = unfelt_at(problem, numbers)
    return SteadyEquations(problem, numbers, coasts=coasts, along=followed, unfelt=unfelt)


def check_followed(problem: SteadyProblem, along: str, values: Iterable[float]) -> None:
    """An error where a parameter that is followed takes values that no component could have."""
    system = problem.system
    if along not in {q.name for q in system.parameters}:
        return
    for value in values:
        if wrong := wrong_parameters(system, {**problem.given.parameters, along: value}):
            raise TrimError(
                f"{system.name}: {along} = {value:g} cannot be followed: {'; '.join(wrong)}; take "
                "another range"
            )


def followed_symbol(problem: SteadyProblem, name: str) -> Expr:
    """The symbol whose value is followed: of a target, an input or a parameter."""
    system = problem.system
    known = {target.name: target.symbol for target in problem.given.targets}
    known |= {q.name: q.symbol for q in (*system.inputs, *system.parameters)}
    if name not in known:
        if name in known_quantities(system):
            raise TrimError(f"{name!r} is followed without a first value; give it one in given")
        raise unknown_name("given value, input or parameter", name, known, system.name)
    if known[name] in problem.sought:
        raise TrimError(f"{name!r} is followed and is to be found; choose one")
    return known[name]


@dataclass
class _Walk:
    """The way along a curve, with what was met."""

    equations: SteadyEquations
    around: SteadyPoint  # the first of them
    begin: float
    end: float
    longest: float
    most: int
    ended: str = ""
    known: dict[int, tuple[CurvePoint, Trim]] = field(default_factory=dict)

    @cached_property
    def curve(self) -> SolutionCurve:
        equations, around = self.equations, self.around
        return SolutionCurve(
            lambda z: equations.residual(z, around),
            lambda z: equations.slopes(z, around),
            np.append(equations.unknowns(around), self.begin),
            self.end - self.begin,
            LEAST_SLOPE,
        )

    def branch(self, system: System, along: str, unit: str) -> TrimBranch:
        states: list[Trim] = []
        values: list[float] = []
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
                values.append(point.value)
                spectra.append(spectrum)
                progress.show(abs(point.value - self.begin) / abs(self.end - self.begin))
        return TrimBranch(
            system=system.name,
            along=along,
            unit=unit,
            points=tuple(states),
            values=np.array(values),
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

    def _stretch(self, at: CurvePoint, spectrum: Spectrum, step: CurveStep) -> Stretch:
        """A step, or a shorter one where its end sits on a special point."""
        found, length = step.point, step.length
        for _ in range(2):
            stretch = self._between(at, spectrum, found, length)
            aside = self.curve.step(at, _ASIDE * length) if stretch.is_blurred else None
            if aside is None:
                break
            found, length = aside, _ASIDE * length
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
        first = stretch.first
        length = float(first.tangent / first.scales**2 @ (exact.z - first.z))
        return self._between(first, stretch.spectra[0], exact, length)

    def _between(
        self, at: CurvePoint, spectrum: Spectrum, found: CurvePoint, length: float
    ) -> Stretch:
        after = match_modes(spectrum, self.spectrum(found))
        return Stretch(self.curve, at, found, length, (spectrum, after), self.spectrum)

    def state(self, point: CurvePoint) -> Trim:
        if id(point) not in self.known:
            numbers = self.equations.point(point.z, self.around)
            found = as_trim(FoundPoint(self.equations, numbers, point.residual))
            self.known[id(point)] = point, found
        return self.known[id(point)][1]

    def spectrum(self, point: CurvePoint) -> Spectrum:
        return spectrum_of(self.state(point).linearisation.A)


_TOGETHER = 1e-5  # share of a step within which two things that happen are one
_NEAR = 1e-3  # the same, if one of them is that a mode begins to grow faster than by rounding
ON_IT = 1e-9  # of a test function, beside 1, where a point sits on what it should tell apart


class SpecialKind(enum.Enum):
    """What is special about a steady motion on a curve of them."""

    FOLD = "fold"  # the curve turns back in the value that is followed
    BRANCHING = "branch point"  # another curve of steady motions meets this one
    HOPF = "Hopf point"  # a swing begins to grow or to die out
    DIVERGENCE = "divergence"  # a mode that does not swing begins to grow or to die out


@dataclass(frozen=True)
class Event:
    """A special point of a curve, at a share of a step."""

    kind: SpecialKind
    at: CurvePoint
    length: float
    eigenvalue: complex | None  # [1/s], that is on the imaginary axis


class Chart:
    """How a curve looks from one of its points: regular as long as nothing branches off.

    With W a basis of what is normal to the tangent and C the inverse of the slopes J on it, the
    determinant of C J W is 1 there. With J of another point it is 0 where another curve meets
    this one, and negative beyond (Allgower and Georg 1990, section 8.1).
    """

    def __init__(self, point: CurvePoint) -> None:
        self._scales = point.scales
        slopes = point.slopes * point.scales
        self._sizes = np.maximum(np.abs(slopes).max(axis=1, initial=0.0), LEAST_SLOPE)
        _, sizes, Vt = np.linalg.svd(slopes / self._sizes[:, None])
        rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
        self._basis = Vt[:rank].T
        self._inverse = np.linalg.pinv(slopes / self._sizes[:, None] @ self._basis)

    def determinant(self, point: CurvePoint) -> float:
        slopes = point.slopes * self._scales / self._sizes[:, None]
        return float(np.linalg.det(self._inverse @ slopes @ self._basis))


@dataclass(frozen=True)
class Stretch:
    """A step of a curve: both ends, and the spectra there, matched with one another."""

    curve: SolutionCurve
    first: CurvePoint
    last: CurvePoint
    length: float
    spectra: tuple[Spectrum, Spectrum]
    spectrum: Callable[[CurvePoint], Spectrum]

    @property
    def is_blurred(self) -> bool:
        """Whether the last point sits on something that its two sides would tell apart."""
        before, after = self.spectra
        if len(before.values) != len(after.values):
            return False
        lost = [k for k in range(len(before.values)) if before.sign(k) and not after.sign(k)]
        along = [abs(end.tangent[-1] / end.scales[-1]) for end in (self.first, self.last)]
        folded = along[1] < ON_IT < along[0]
        return bool(lost) or folded or abs(Chart(self.first).determinant(self.last)) < ON_IT

    def events(self) -> list[Event]:
        """In the order of the curve."""
        found, chart = [], Chart(self.first)
        if self.first.tangent[-1] * self.last.tangent[-1] < 0.0:
            found.append(self._refined(SpecialKind.FOLD, lambda point: float(point.tangent[-1])))
        if chart.determinant(self.last) < 0.0:
            found.append(self._refined(SpecialKind.BRANCHING, chart.determinant))
        for events, near in ((self._crossings(), _TOGETHER), (self._departures(), _NEAR)):
            for event in events:
                if all(abs(event.length - one.length) > near * self.length for one in found):
                    found.append(event)
        return sorted(found, key=lambda event: event.length)

    @property
    def _step(self) -> CurveStep:
        return CurveStep(self.last, self.length, self.length)

    def _refined(self, kind: SpecialKind, test: Callable[[CurvePoint], float]) -> Event:
        """Where a test function vanishes; the nearer end where it cannot be computed close by."""
        try:
            length, point = self.curve.zero_within(self.first, self._step, test)
            return Event(kind, point, length, None)
        except ArithmeticError:
            ends = abs(test(self.first)), abs(test(self.last))
            nearer = self.first if ends[0] < ends[1] else self.last
            return Event(kind, nearer, 0.0 if nearer is self.first else self.length, None)

    def _crossings(self) -> Iterator[Event]:
        before, after = self.spectra
        if len(before.values) != len(after.values):
            return
        ends = (0.0, before), (self.length, after)
        point = self.curve.within(self.first, self._step)
        for mode in range(len(before.values)):
            signs = before.sign(mode), after.sign(mode)
            below = min(before.values[mode].imag, after.values[mode].imag) < 0.0
            if signs[0] * signs[1] >= 0 or below:
                continue
            try:
                found = find_stability_crossing(lambda s: self.spectrum(point(s)), ends, mode)
                if found is None:
                    continue
                length, value = found
                kind = SpecialKind.HOPF if value.imag else SpecialKind.DIVERGENCE
                yield Event(kind, point(length), length, value)
            except ArithmeticError:
                continue

    def _departures(self) -> Iterator[Event]:
        """Where modes without damping meet, and one of them begins to grow."""
        before, after = self.spectra
        signs = [(before.sign(k), after.sign(k)) for k in range(len(after.values))]
        if len(before.values) != len(after.values) or not any({*pair} == {0, 1} for pair in signs):
            return
        point = self.curve.within(self.first, self._step)
        ends = (0.0, before), (self.length, after)
        try:
            for found in find_departures(lambda s: self.spectrum(point(s)), ends):
                kind = SpecialKind.HOPF if found.eigenvalue.imag else SpecialKind.DIVERGENCE
                yield Event(kind, point(found.value), found.value, found.eigenvalue)
        except ArithmeticError:
            return


def real_growth(spectrum: Spectrum) -> float:
    """The greatest real part [1/s], 0 where rounding alone makes it one; no modes: -inf."""
    parts = [
        0.0 if not spectrum.sign(k) else float(value.real)
        for k, value in enumerate(spectrum.values)
    ]
    return max(parts, default=-np.inf)
