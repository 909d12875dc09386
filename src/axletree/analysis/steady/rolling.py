"""Where a run with wheels starts: of translation, rotation and slip two are given, the third is
found, and wheels are put on the ground (Andres 2009, section 4.4).

First the coordinates: every tyre is deflected as asked for. Then speeds and what tyres have as
states of their own: the slip as asked for, no deflection that changes, and states of tyres that
stay as they are. Constraints hold in both. As few unknowns change as there are conditions: the
rates of axles before other speeds, and of coordinates those that lift the wheels most.

``rolling_states`` finds it, as the ``wheels`` of a trim ask for it; ``rolling_guess`` is the short
form, from which the search for a steady motion starts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from axletree.analysis.linear.jacobians import values_of
from axletree.analysis.steady.newton import find_root
from axletree.core.errors import TrimError
from axletree.core.registry import refuse_unknown
from axletree.core.units import to_si
from axletree.equations.equations import Equations
from axletree.equations.responses import ComponentResponse
from axletree.expr import Expr, directional_derivative, evaluate, jacobian, substitute, symbols_of
from axletree.expr.evaluation import evaluate_matrix
from axletree.expr.quantity import Role
from axletree.simulation.problem import Problem
from axletree.system.mechanism import independent_columns, measured_travels
from axletree.system.system import System

Values = Mapping[str, float | str]

_ROUNDING = 1e-14
MET = 1e-8  # a condition counts as met below this, in its own unit
_RESTING = 1.0  # rad/s, of rolling: slower wheels creep, and are no matter
_LEAST_ROLLING = 0.02  # of the rate at which a wheel rolls


@dataclass(frozen=True)
class RollingWheels:
    """Wheels that roll on the ground as asked for.

    ``slip`` is the longitudinal slip by tyre. A tyre that is not named does not slip, unless the
    rate of its axle is given: then its slip follows, as it does with None. One that is named, on
    an axle whose rate is given, finds its speed over the ground. ``deflection`` [m] is how far
    tyres are pressed in, for all or by tyre; those not named touch. With None, heights stay as
    they are: wheels may be in the air.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("bicycle-car").formulate()
    >>> start = car.trim({"chassis.vx": "9 m/s"}, wheels=at.RollingWheels())
    >>> print(f"{start['front_axle.rate']:.1f} rad/s")  # on a radius of 0.3 m
    30.0 rad/s
    >>> locked = at.RollingWheels(slip={"front_tyre": -1.0})
    >>> car.trim({"chassis.vx": "9 m/s"}, wheels=locked)["front_axle.rate"]
    0.0
    """

    slip: Mapping[str, float | str | None] = field(default_factory=dict)
    deflection: float | str | Values | None = 0.0


def rolling_states(
    system: System, problem: Problem, kept: Mapping[str, float], wheels: RollingWheels
) -> tuple[np.ndarray, float]:
    """First values of all states, of which some are ``kept``; and the largest residual.

    Raises ``TrimError`` with the conditions that cannot be met.
    """
    tyres = tyres_at_start(system)
    slips = _slips(wheels.slip, tyres, set(kept))
    depths = _depths(wheels.deflection, tyres)
    search = _Search(system, problem, kept)
    standing = position_conditions(system, tyres, depths) if depths is not None else []
    moving = motion_conditions(system, tyres, slips, set(kept), with_ground=depths is not None)
    groups = _groups(system, tyres, search)
    x = search.solve(search.start, standing, [search.coordinates])
    x = search.solve(x, moving, groups)
    if search.missed(x, standing):  # a belt on springs has moved the tread by its weight
        own, *speeds = groups
        x = search.solve(x, [*standing, *moving], [own, search.coordinates, *speeds])
    residual = max(map(abs, search.lacks(x, [*standing, *moving])), default=0.0)
    return np.where(np.abs(x) > _ROUNDING, x, 0.0), residual


def _groups(system: System, tyres: Sequence[TyreAtStart], search: _Search) -> list[list[int]]:
    """What may change for the motion: states of tyres first, axles next, then other speeds."""
    internal = {name for tyre in tyres for name in tyre.states}
    axles = {name for tyre in tyres for name in tyre.axle_speeds}
    own = [k for k in search.internal if system.states[k].name in internal]
    turning = [k for k in search.speeds if system.states[k].name in axles]
    return [own, turning, [k for k in search.speeds if k not in turning]]


# -- what is asked for ---------------------------------------------------------------------------


def _slips(
    asked: Mapping[str, float | str | None], tyres: Sequence[TyreAtStart], kept: set[str]
) -> dict[str, float]:
    """The slips that are to be, by tyre; not those that follow."""
    numbers = _by_tyre({name: value or 0.0 for name, value in asked.items()}, tyres, "1")
    found = {name: value for name, value in numbers.items() if asked[name] is not None}
    stuck = [tyre.name for tyre in tyres if tyre.slip is None and found.get(tyre.name)]
    if stuck:
        raise TrimError(f"{stuck[0]} cannot slip; leave its slip out")
    open_ones = [t.name for t in tyres if t.name in asked or kept & set(t.axle_speeds)]
    return dict.fromkeys((t.name for t in tyres if t.name not in open_ones), 0.0) | found


def _by_tyre(values: Values, tyres: Sequence[TyreAtStart], unit: str) -> dict[str, float]:
    refuse_unknown("tyre", values, [tyre.name for tyre in tyres], "this system")
    return {name: to_si(value, expected=unit) for name, value in values.items()}


def _depths(
    deflection: float | str | Values | None, tyres: Sequence[TyreAtStart]
) -> dict[str, float] | None:
    if deflection is None:
        return None
    if isinstance(deflection, Mapping):
        touching = dict.fromkeys((tyre.name for tyre in tyres), 0.0)
        return touching | _by_tyre(deflection, tyres, "m")
    return dict.fromkeys((tyre.name for tyre in tyres), to_si(deflection, expected="m"))


# -- the search ---------------------------------------------------------------------------


class _Search:
    """States that conditions are to hold for."""

    def __init__(self, system: System, problem: Problem, kept: Mapping[str, float]) -> None:
        self._symbols = [quantity.symbol for quantity in system.states]
        self._values = values_of(problem)
        free = [k for k, q in enumerate(system.states) if q.name not in kept]
        self.speeds = [k for k in free if system.states[k].role is Role.SPEED]
        self.coordinates = [k for k in free if system.states[k].role is Role.COORDINATE]
        self.internal = [k for k in free if k not in {*self.speeds, *self.coordinates}]
        # Speeds from the model, not from its constraints: which of them give way is decided here.
        self.start = problem.states.copy()
        for k, quantity in enumerate(system.states):
            if quantity.role is Role.SPEED:
                self.start[k] = kept.get(quantity.name, quantity.default)

    def values(self, x: np.ndarray) -> dict[Expr, float]:
        return self._values | dict(zip(self._symbols, x.tolist(), strict=True))

    def solve(
        self, x: np.ndarray, conditions: Sequence[StartCondition], groups: Sequence[Sequence[int]]
    ) -> np.ndarray:
        """``x`` with the conditions met; unknowns of an earlier group change first."""
        columns = [k for group in groups for k in group]
        lacks = [condition.lack for condition in conditions]
        entries = jacobian(lacks, [self._symbols[k] for k in columns])

        def slopes_at(state: np.ndarray) -> np.ndarray:
            return evaluate_matrix(entries, (len(lacks), len(columns)), self.values(state))

        def with_unknowns(y: np.ndarray) -> np.ndarray:
            state = x.copy()
            state[chosen] = y
            return state

        def residual(y: np.ndarray) -> np.ndarray:
            return np.array(evaluate(lacks, self.values(with_unknowns(y))), dtype=float)

        sizes = [len(group) for group in groups]
        kept = _fewest(slopes_at(x), np.split(np.arange(len(columns)), np.cumsum(sizes)[:-1]))
        chosen = [columns[k] for k in kept]
        if chosen:
            root = find_root(residual, lambda y: slopes_at(with_unknowns(y))[:, kept], x[chosen])
            x = with_unknowns(root.unknowns)
        missed = self.missed(x, conditions)
        if missed:
            raise TrimError(
                f"no start was found in which all wheels roll as asked for; missed: "
                f"{', '.join(missed)}; give fewer values, or others"
            )
        return x

    def missed(self, x: np.ndarray, conditions: Sequence[StartCondition]) -> list[str]:
        """The conditions that are not met, and by how much."""
        pairs = zip(conditions, self.lacks(x, conditions), strict=True)
        return [f"{c.name} by {lack:.3g}" for c, lack in pairs if not abs(lack) < MET]

    def lacks(self, x: np.ndarray, conditions: Sequence[StartCondition]) -> list[float]:
        found = evaluate([condition.lack for condition in conditions], self.values(x))
        return [float(lack) for lack in found]


def _fewest(slopes: np.ndarray, groups: Sequence[np.ndarray]) -> list[int]:
    """As few columns as span all of them, those of earlier groups first."""
    scale = np.abs(slopes).max(axis=1, initial=0.0)
    rest = slopes / np.where(scale > 0.0, scale, 1.0)[:, None]
    found: list[int] = []
    for group in groups:
        new = [int(group[k]) for k in independent_columns(rest[:, group])]
        if new:
            span, _ = np.linalg.qr(rest[:, new])
            rest = rest - span @ (span.T @ rest)
        found += new
    return found


@dataclass(frozen=True)
class StartCondition:
    """Something that is to vanish."""

    name: str
    lack: Expr


@dataclass(frozen=True)
class TyreAtStart:
    """A tyre's expressions over the states."""

    name: str
    deflection: Expr  # [m]
    deflection_rate: Expr  # [m/s]
    slip: Expr | None  # [1], None for a tyre that cannot slip
    sliding_speed: Expr | None  # [m/s], at the effective radius; likewise
    axle_speeds: tuple[str, ...]  # names of states; none where the tree has not the axle
    states: tuple[str, ...]  # names of its own


@lru_cache(maxsize=8)
def tyres_at_start(system: System) -> tuple[TyreAtStart, ...]:
    """The tyres of a system, in the order of its model."""
    equations = system.source
    if equations is None:
        return ()
    wheels = (a for a in equations.answers if {"loaded_radius", "spin_rate"} <= _told(a).keys())
    return tuple(_tyre(equations, answer) for answer in wheels)


def _told(answer: ComponentResponse) -> dict[str, Expr]:
    response = answer.response
    return {c.suffix: c.expression for c in (*response.intermediates, *response.outputs)}


def _tyre(equations: Equations, answer: ComponentResponse) -> TyreAtStart:
    name, told = answer.component, _told(answer)
    radius = next(q.symbol for q in equations.parameters if q.name == f"{name}.unloaded_radius")
    deflection = radius - told["loaded_radius"]
    own = (state.quantity.name for state in equations.internal)
    return TyreAtStart(
        name=name,
        deflection=deflection,
        deflection_rate=directional_derivative([deflection], equations.rates)[0],
        slip=told.get("slip"),
        sliding_speed=told.get("VEx"),
        axle_speeds=_axle_speeds(equations, answer),
        states=tuple(state for state in own if state.startswith(f"{name}.")),
    )


def _axle_speeds(equations: Equations, answer: ComponentResponse) -> tuple[str, ...]:
    held = [load for one in answer.response.constraints for load in one.joint_loads]
    axles = {load.joint for load in (*answer.response.joint_loads, *held)}
    links = equations.dynamics.kinematics.links
    return tuple(q.name for c in links.rotations if c.edge.name in axles for q in c.speeds)


def position_conditions(
    system: System, tyres: Sequence[TyreAtStart], depths: Mapping[str, float]
) -> list[StartCondition]:
    """Of coordinates: constraints hold, and tyres are deflected by ``depths`` [m]."""
    equations = system.source
    travels = measured_travels(equations) if equations is not None else {}
    closed = substitute([c.position for c in system.constraints], travels)
    pairs = zip(system.constraints, closed, strict=True)
    found = [StartCondition(constraint.reaction.name, e) for constraint, e in pairs]
    found += [StartCondition(f"{t.name}, deflection", t.deflection - depths[t.name]) for t in tyres]
    return _of_states(system, found)


def motion_conditions(
    system: System,
    tyres: Sequence[TyreAtStart],
    slips: Mapping[str, float],
    kept: set[str],
    *,
    with_ground: bool,
) -> list[StartCondition]:
    """Of speeds and states of tyres: slips as asked for, and nothing that changes within."""
    found = [StartCondition(f"rate of {c.reaction.name}", c.velocity) for c in system.constraints]
    rates = dict(zip((q.name for q in system.states), system.derivatives, strict=True))
    for tyre in tyres:
        if tyre.slip is not None and tyre.name in slips:
            found.append(StartCondition(f"{tyre.name}, slip", tyre.slip - slips[tyre.name]))
        if with_ground:
            found.append(StartCondition(f"{tyre.name}, rate of deflection", tyre.deflection_rate))
        found += [
            StartCondition(f"rate of {name}", rates[name])
            for name in tyre.states
            if name not in kept
        ]
    return _of_states(system, found)


def _of_states(system: System, conditions: Sequence[StartCondition]) -> list[StartCondition]:
    """Those that states have a part in: of a plane vehicle the height is none."""
    states = {quantity.symbol for quantity in system.states}
    return [c for c in conditions if states.intersection(symbols_of([c.lack]))]


# A guess of how fast axles turn, from which the search for a steady motion starts.
#
# A model that stands at its start has wheels that stand, too. At the speed that is asked for these
# would slide, and Newton's method ends in motions of wheels that spin or slide, or nowhere.


def rolling_guess(system: System, problem: Problem, held: Collection[int]) -> np.ndarray:
    """The states of the problem, axles that stand turned so that their tyres do not slide.

    A sliding speed is linear in the rate of an axle, but for tyres whose shape depends on it.
    """
    others, states = values_of(problem), problem.states.copy()
    for sliding_speed, _, place in _single_axles(system):
        if place not in held:
            states[place] = _rolling_rate(system, sliding_speed, place, states, others)
    return states


def _single_axles(system: System) -> Iterator[tuple[Expr, Expr, int]]:
    """Sliding speeds of tyres with their deflections, and the place among the states of the one
    rate of their axle."""
    index = {quantity.name: k for k, quantity in enumerate(system.states)}
    for tyre in tyres_at_start(system):
        places = [index[name] for name in tyre.axle_speeds]
        if tyre.sliding_speed is not None and len(places) == 1:
            yield tyre.sliding_speed, tyre.deflection, places[0]


def _rolling_rate(
    system: System,
    sliding_speed: Expr,
    place: int,
    states: np.ndarray,
    others: Mapping[Expr, float],
) -> float:
    """The rate of an axle at which its tyre does not slide [rad/s]; 0 where none is felt."""
    symbols, trial = [quantity.symbol for quantity in system.states], states.copy()
    sliding = []
    for rate in (0.0, 1.0):
        trial[place] = rate
        values = {**others, **dict(zip(symbols, trial.tolist(), strict=True))}
        sliding.append(float(evaluate([sliding_speed], values)[0]))
    change = sliding[1] - sliding[0]
    return -sliding[0] / change if change else 0.0


# The equations are met, too, by wheels that are braked harder than the ground can drive them:
# these are locked, or turn backwards as fast as their bearings lose what the brake would gain.


def stuck_wheels(
    system: System, states: np.ndarray, values: Mapping[Expr, float]
) -> dict[str, float]:
    """Rates [rad/s] of axles by name which are locked, or turn against the way that they go, with
    wheels on the ground: in the air they may."""
    found = {}
    for sliding_speed, deflection, place in _single_axles(system):
        if evaluate([deflection], values)[0] < 0.0:
            continue
        rolling = _rolling_rate(system, sliding_speed, place, states, values)
        if abs(rolling) > _RESTING and states[place] / rolling < _LEAST_ROLLING:
            found[system.states[place].name] = float(states[place])
    return found
