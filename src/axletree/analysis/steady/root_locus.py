"""Eigenvalues of steady motions against a parameter, an input or a given value."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.modes import (
    Spectrum,
    find_departures,
    find_stability_crossing,
    match_modes,
    spectrum_of,
)
from axletree.analysis.steady.continuation import check_followed, followed_equations
from axletree.analysis.steady.equations import SteadyPoint
from axletree.analysis.steady.problem import known_quantities, pose
from axletree.analysis.steady.result import Trim, as_trim, excursion_of
from axletree.analysis.steady.rolling import Values
from axletree.analysis.steady.search import SteadySearch
from axletree.core.arguments import check_arguments
from axletree.core.errors import TrimError
from axletree.core.progress import Progress
from axletree.expr.quantity import Role
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System


@dataclass(frozen=True)
class CriticalValue:
    """Where a mode becomes stable or unstable.

    It crosses the imaginary axis, or leaves it: modes without damping lie on it and grow from where
    two of them meet, or from where something drives one of them.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> damper = model.add(at.RotationalSpringDamper("damper", model["pin"], damping=2.0))
    >>> locus = model.formulate().root_locus("gravity.z", [-5, 4], {"pin.angle": 0})
    >>> round(abs(locus.critical[0].value), 6), locus.critical[0].unstable_above  # m/s^2
    (0.0, True)
    >>> print(locus.critical[0].in_words)
    a real eigenvalue passes zero; unstable above: grows without oscillation
    """

    value: float  # of what the locus is along, SI
    eigenvalue: complex  # [1/s], on the imaginary axis
    unstable_above: bool  # whether the mode grows beyond this value, and not below
    branch: int  # column of the eigenvalues
    leaves_axis: bool = False  # or crosses it
    meets: bool = False  # whether it leaves the axis where it meets another mode

    @property
    def swings(self) -> bool:
        """Whether the mode oscillates there."""
        return self.eigenvalue.imag != 0.0

    @property
    def in_words(self) -> str:
        """What happens there."""
        side = "above" if self.unstable_above else "below"
        hertz = f"{self.eigenvalue.imag / (2.0 * np.pi):.4g} Hz"
        events = {
            (False, False): "a real eigenvalue passes zero",
            (False, True): f"the damping of an oscillation of {hertz} passes zero",
            (True, False): "the frequency of an undamped oscillation falls to zero",
            (True, True): f"two undamped oscillations meet at {hertz}",
        }
        if self.leaves_axis and not self.meets:
            kind = f"an undamped oscillation of {hertz}" if self.swings else "a mode at zero"
            events[True, self.swings] = f"{kind} begins to grow"
        growth = "as an oscillation" if self.swings else "without oscillation"
        return f"{events[self.leaves_axis, self.swings]}; unstable {side}: grows {growth}"


@dataclass(frozen=True)
class RootLocus:
    """The eigenvalues at each value; each column follows one mode.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> locus = system.root_locus("rod.mass", [1.0, 2.0], {"pin.angle": 0})
    >>> locus.unit, abs(locus.eigenvalues[:, 0]).round(3).tolist()  # rad/s
    ('kg', [3.837, 4.101])
    """

    system: str
    along: str
    unit: str
    values: np.ndarray  # SI
    eigenvalues: np.ndarray  # [1/s], complex, values by modes
    states: tuple[str, ...]
    points: tuple[Trim, ...]
    critical: tuple[CriticalValue, ...]  # in the order of their values

    @property
    def is_stable(self) -> np.ndarray:
        """At each value: whether no mode grows."""
        signs = [[Spectrum(row, row).sign(k) for k in range(len(row))] for row in self.eigenvalues]
        return np.array([max(row, default=-1) <= 0 for row in signs])


def root_locus(
    system: System,
    along: str,
    values: Sequence[float] | np.ndarray,
    given: Values | None = None,
    find: Sequence[str | Sequence[str]] = (),
    *,
    start: Values | Trim | None = None,
    time: float = 0.0,
) -> RootLocus:
    """Eigenvalues along values, with a steady motion at each, and critical values.

    Parameters
    ----------
    along: a state, output or expression that is given, an input or a parameter.
    values: of it, SI, at least two, rising or falling. Between neighbours more are tried where
        modes may reach the imaginary axis, or meet on it, and return; what happens within a small
        share of an interval is still passed over.
    given, find, start, time: as those of ``trim``.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> damper = model.add(at.RotationalSpringDamper("damper", model["pin"], damping=0.1))
    >>> locus = model.formulate().root_locus("gravity.z", [-9, 8], {"pin.angle": 0})  # m/s^2
    >>> locus.is_stable.tolist()
    [True, False]
    """
    check_arguments(root_locus, locals())
    system = with_smooth_forces(system)
    numbers = monotonic_values(along, values)
    family = SteadyFamily(system, along, {**(given or {}), along: numbers[0]}, find, start, time)
    family.check(numbers)
    return follow_family(family, numbers)


def monotonic_values(along: str, values: Sequence[float] | np.ndarray) -> np.ndarray:
    """The values of a locus as numbers, if they rise or fall."""
    numbers = np.asarray(values, dtype=float)
    steps = np.diff(numbers)
    if len(numbers) < 2 or not ((steps > 0.0).all() or (steps < 0.0).all()):
        raise TrimError(
            f"a root locus needs two or more values of {along} that rise or fall, got {values!r}"
        )
    return numbers


def follow_family(family: SteadyFamily, values: Sequence[float] | np.ndarray) -> RootLocus:
    """The root locus of a family, some of whose motions may be known."""
    system, along = family.system, family.along
    numbers = monotonic_values(along, values)
    points: list[Trim] = []
    linear: list[Linearisation] = []
    spectra: list[Spectrum] = []
    with Progress(float(len(numbers)), "finding", "steady motions") as progress:
        for k, value in enumerate(numbers.tolist()):
            points.append(family.at(value))
            linear.append(family.linearised(points[-1]))
            found = spectrum_of(linear[-1].A)
            expected = _expected(spectra)
            spectra.append(match_modes(spectra[-1], found, expected) if spectra else found)
            progress.show(k + 1.0)
        _refuse_changed(along, linear)
        if remark := excursion_of(points, lambda k: f"from {along} = {numbers[k]:.4g} on"):
            warnings.warn(remark, stacklevel=3)
        finer = _closer(family, numbers, spectra)
        critical = sorted(_critical(family, *finer), key=lambda one: one.value)
    quantity = known_quantities(system).get(along)
    return RootLocus(
        system.name, along, quantity[0].unit if quantity else "", numbers,
        np.array([spectrum.values for spectrum in spectra]), linear[0].states,
        tuple(points), tuple(critical),
    )  # fmt: skip


class SteadyFamily:
    """Steady motions that differ by one value; each is sought from the nearest one known."""

    def __init__(
        self,
        system: System,
        along: str,
        given: Values,
        find: Sequence[str | Sequence[str]],
        start: Values | Trim | None,
        time: float,
    ) -> None:
        self.system, self.along = system, along
        self._problem = pose(system, given, find, start, time)
        self._equations = followed_equations(self._problem, along)
        self._search = SteadySearch(self._equations, prefers_stable=False)
        self._known: dict[float, tuple[SteadyPoint, Trim]] = {}
        self._kept: tuple[str, ...] = ()
        speeds = {q.name: k for k, q in enumerate(system.states) if q.role is Role.SPEED}
        self._speeds = list(speeds.values()) if along in speeds else []

    def check(self, values: np.ndarray) -> None:
        """An error where a parameter takes values that no component could have."""
        check_followed(self._problem, self.along, values.tolist())

    def at(self, value: float) -> Trim:
        """The steady motion at a value, SI; its error says which value had none."""
        if value not in self._known:
            found = self._search.solve(self._guessed(value))
            self._known[value] = found.point, as_trim(found)
        return self._known[value][1]

    def linearised(self, state: Trim) -> Linearisation:
        """All in the independent states of the first, so that their modes can be matched."""
        found = state.linearise(keep=self._kept)
        self._kept = self._kept or found.states
        return found

    def spectrum(self, value: float) -> Spectrum:
        return spectrum_of(self.linearised(self.at(value)).A)

    def _guessed(self, value: float) -> SteadyPoint:
        """The nearest one moved; if a speed is followed, with all speeds, so that wheels roll."""
        equations = self._equations
        if not self._known:
            return equations.moved(equations.guess, value)
        near = min(self._known, key=lambda known: abs(known - value))
        point, _ = self._known[near]
        if self._speeds and near:
            states = point.states.copy()
            states[self._speeds] *= value / near
            point = point._replace(states=states)
        return equations.moved(point, value)


def _expected(spectra: Sequence[Spectrum]) -> np.ndarray | None:
    """Eigenvalues of the next point if they go on as before."""
    if len(spectra) < 2 or len(spectra[-2].values) != len(spectra[-1].values):
        return None
    return np.asarray(2.0 * spectra[-1].values - spectra[-2].values)


def _refuse_changed(along: str, points: Sequence[Linearisation]) -> None:
    names = [set(point.states) for point in points]
    changed = [k for k in range(1, len(names)) if names[k] != names[0]]
    if changed:
        lost = ", ".join(sorted(names[0] ^ names[changed[0]]))
        raise TrimError(
            f"the independent states differ along {along}: {lost} are so at some values only; "
            "take a shorter range"
        )


_FEWEST_INTERVALS = 8  # of a locus, in which critical values are sought
_COINCIDE = 1e-4  # share of the greatest eigenvalue, more than rounding makes of modes at zero
_MOST_HALVINGS = 4  # of an interval in which modes may reach the axis and return


def _closer(
    family: SteadyFamily, values: np.ndarray, spectra: Sequence[Spectrum]
) -> tuple[np.ndarray, list[Spectrum]]:
    """Values and spectra with more of them in between, where something may begin and end."""
    numbers, found = values.tolist(), list(spectra)
    for _ in range(_MOST_HALVINGS):
        inserted = 0
        for k in _doubtful(np.array(numbers), found):
            place = k + inserted
            middle = 0.5 * (numbers[place] + numbers[place + 1])
            try:
                between = family.spectrum(middle)
            except TrimError:
                continue  # what the values themselves show stays
            below, above = found[place : place + 2]
            expected = 0.5 * (below.values + above.values)
            numbers.insert(place + 1, middle)
            found.insert(place + 1, match_modes(below, between, expected))
            inserted += 1
        if not inserted:
            break
    return np.array(numbers), found


def _doubtful(values: np.ndarray, spectra: Sequence[Spectrum]) -> list[int]:
    """Intervals in which modes may get to the imaginary axis or to one another, and back.

    As far as they change in half of an interval, at the rate of this and the neighbouring ones.
    """
    if len({len(spectrum.values) for spectrum in spectra}) > 1:
        return []
    halves = 0.5 * np.abs(np.diff(values))
    if len(halves) < _FEWEST_INTERVALS:
        return list(range(len(halves)))
    course = np.array([spectrum.values for spectrum in spectra])
    neutral = [[s.sign(k) == 0 for k in range(len(s.values))] for s in spectra]
    on_axis = np.array(neutral)
    away = np.abs(course.real)
    reached = _least(away) < _rates(course.real, halves) * halves[:, None]
    damped = reached & ~on_axis[1:] & ~on_axis[:-1]
    gaps = np.abs(course[:, :, None] - course[:, None, :])
    small = _COINCIDE * max(spectrum.scale for spectrum in spectra)
    met = _least(gaps) < _rates(gaps, halves) * halves[:, None, None]
    met &= np.maximum(gaps[1:], gaps[:-1]) > small  # two that always coincide do not meet
    swings = on_axis & (np.abs(course) > small)  # what stays at zero meets nothing, either
    still = swings[1:] & swings[:-1]
    pairs = met & still[:, :, None] & still[:, None, :]
    found = np.flatnonzero(damped.any(axis=1) | pairs.any(axis=(1, 2)))
    return [int(k) for k in found]


def _least(sizes: np.ndarray) -> np.ndarray:
    """Of the two ends of each interval."""
    return np.asarray(np.minimum(sizes[1:], sizes[:-1]))


def _rates(course: np.ndarray, halves: np.ndarray) -> np.ndarray:
    """The fastest change by value, in each interval and its neighbours."""
    widths = (2.0 * halves).reshape(-1, *[1] * (course.ndim - 1))
    rates = np.abs(np.diff(course, axis=0)) / widths
    padded = np.concatenate([rates[:1], rates, rates[-1:]])
    return np.asarray(np.maximum(np.maximum(padded[:-2], padded[1:-1]), padded[2:]))


def _critical(
    family: SteadyFamily, values: np.ndarray, spectra: Sequence[Spectrum]
) -> Iterator[CriticalValue]:
    crossed = list(_crossings(family, values, spectra))
    yield from crossed
    departing = _with_departures(family, values, spectra)
    for k in range(len(spectra) - 1):
        near = _TOGETHER * abs(values[k + 1] - values[k])
        low, high = sorted(values[k : k + 2].tolist())
        seen = [one for one in crossed if low - near <= one.value <= high + near]
        if k not in departing and (seen or _same_number_grows(*spectra[k : k + 2])):
            continue
        below, above = sorted((k, k + 1), key=lambda place: values[place])
        ends = (low, spectra[below]), (high, spectra[above])
        for found in find_departures(family.spectrum, ends):
            if any(abs(found.value - one.value) <= near for one in crossed):
                continue  # a mode begins to grow there, too, and is found more closely
            grown = spectra[above if found.grows_above else below]
            branches = departing.get(k) or grown.growing(0.0)
            branch = min(branches, key=lambda j: abs(grown.values[j].imag - found.eigenvalue.imag))
            yield CriticalValue(
                found.value,
                found.eigenvalue,
                found.grows_above,
                branch,
                leaves_axis=k in departing,
                meets=found.meets or grown.mirrors(branch),
            )


def _same_number_grows(one: Spectrum, other: Spectrum) -> bool:
    """Whether as many modes grow: where columns are mixed up, numbers are not."""
    counts = [sum(s.sign(k) > 0 for k in range(len(s.values))) for s in (one, other)]
    return counts[0] == counts[1]


_TOGETHER = 1e-3  # share of an interval, within which two findings are one


def _crossings(
    family: SteadyFamily, values: np.ndarray, spectra: Sequence[Spectrum]
) -> Iterator[CriticalValue]:
    for branch in range(len(spectra[0].values)):
        course = [complex(spectrum.values[branch]) for spectrum in spectra]
        signs = [spectrum.sign(branch) for spectrum in spectra]
        definite = [k for k, sign in enumerate(signs) if sign]
        for k, after in pairwise(definite):
            if signs[k] == signs[after] or min(course[k].imag, course[after].imag) < 0.0:
                continue
            if _rests(family, values, spectra, branch, (k, after)):
                continue
            before, beyond = sorted((k, after), key=lambda place: values[place])
            ends = (
                (float(values[before]), spectra[before]),
                (float(values[beyond]), spectra[beyond]),
            )
            found = find_stability_crossing(family.spectrum, ends, branch)
            if found is not None:
                grows = signs[beyond] > 0
                yield CriticalValue(*found, unstable_above=grows, branch=branch)


_ASIDE = 0.01  # share of an interval, to where a mode is looked at beside a value
_LEAST_PART = 1e-9  # share of the greatest eigenvalue: a real part that is more than rounding


def _rests(
    family: SteadyFamily,
    values: np.ndarray,
    spectra: Sequence[Spectrum],
    branch: int,
    ends: tuple[int, int],
) -> bool:
    """Whether a mode lies on the imaginary axis between two places, and does not just cross it.

    Where it crosses, its real part goes on in one direction.
    """
    before, after = ends
    inside = spectra[before + 1 : after]
    if not inside:
        return False
    if len(inside) == 1:
        here, place = inside[0], before + 1
        beside = [
            float((1.0 - _ASIDE) * values[place] + _ASIDE * values[end]) for end in (before, after)
        ]
        low, high = (match_modes(here, family.spectrum(value)) for value in beside)
        if low.sign(branch) and high.sign(branch):
            return False
        inside = [low, here, high]
    parts = np.array([spectrum.values[branch].real for spectrum in inside])
    steps = np.diff(parts)
    in_one_direction = (steps > 0.0).all() or (steps < 0.0).all()
    large = np.abs(parts).max() > _LEAST_PART * max(spectrum.scale for spectrum in inside)
    return not (in_one_direction and large)


def _with_departures(
    family: SteadyFamily, values: np.ndarray, spectra: Sequence[Spectrum]
) -> dict[int, list[int]]:
    """Places after which modes part from the imaginary axis or come to lie on it: their columns.

    A mode that is neutral between decay and growth crosses the axis there, unless it rests on it.
    """
    found: dict[int, list[int]] = {}
    for branch in range(len(spectra[0].values)):
        signs = [spectrum.sign(branch) for spectrum in spectra]
        for k, (sign, after) in enumerate(pairwise(signs)):
            if {sign, after} != {0, 1}:
                continue
            upper = spectra[k if after == 0 else k + 1].values[branch].imag >= 0.0
            if not upper:
                continue
            places = range(k + 1, len(signs)) if after == 0 else range(k, -1, -1)
            other = next((place for place in places if signs[place]), None)
            if other is None or signs[other] > 0:
                found.setdefault(k, []).append(branch)
                continue
            ends = (k, other) if after == 0 else (other, k + 1)
            if _rests(family, values, spectra, branch, ends):
                found.setdefault(k, []).append(branch)
    return found
