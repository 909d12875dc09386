"""``trim``: the one entry to steady motions, solved and not guessed.

What is asked for is said by conditions (``problem``); what is steady follows from the equations
alone (``conditions``), whatever the vehicle is made of. A run can start in what is found.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from axletree.analysis.steady.problem import (
    MOST_NAMED,
    PATH_LATERAL,
    PATH_RADIUS,
    PATH_SPEED,
    SteadyProblem,
    forward_state_of,
    in_si,
    known_quantities,
    path_quantities,
    pose,
)
from axletree.analysis.steady.result import Trim, as_trim, excursion_of, trim_at
from axletree.analysis.steady.rolling import (
    RollingWheels,
    Values,
    rolling_states,
    stuck_wheels,
)
from axletree.analysis.steady.search import find_motion
from axletree.analysis.steady.settle import come_to_rest
from axletree.core.arguments import check_arguments
from axletree.core.errors import TrimError
from axletree.core.registry import few_names, refuse_unknown
from axletree.expr import symbols_of
from axletree.metrics.vehicle_signals import BRAKE, STEERING, THROTTLE
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.simulation.problem import wrong_parameters
from axletree.system.edit import with_smooth_forces
from axletree.system.formulation import formulate
from axletree.system.system import System

AGREEING = 1e-9  # share of a speed's square to which a = V^2 / R holds of values that are given


def trim(
    of: Model | System | str | Path,
    given: Values | None = None,
    find: Sequence[str | Sequence[str]] | None = None,
    *,
    speed: float | str | None = None,
    lateral_acceleration: float | str | None = None,
    radius: float | str | None = None,
    inputs: Values | None = None,
    parameters: Values | None = None,
    wheels: RollingWheels | None = None,
    start: Values | Trim | None = None,
    time: float = 0.0,
) -> Trim:
    """The steady motion of a model or system, or of the model of a name or file; numbers are SI,
    texts may carry units.

    Parameters
    ----------
    given: values of states, inputs, parameters and outputs, and of expressions of these such
        as ``"chassis.vx/chassis.wz"``. Inputs that are neither given nor found are 0.
    find: inputs and parameters whose levels are found; names within a sequence of their own
        share one level. Left out, a vehicle that is asked for by its speed finds its throttle,
        and one that is asked for by a turn its steering, too.
    speed: m/s, over the ground. Without a turn it is that of the state which is the forward
        speed; 0 is rest.
    lateral_acceleration, radius: m/s^2 and m, of a turn, positive to the left. Two of these
        three say which turn it is; three must agree.
    inputs, parameters: more that is given, as ``simulate`` takes it.
    wheels: for first values in which wheels roll on the ground as asked for, without a balance
        of forces.
    start: first guesses of states and of what is found, or a steady motion nearby. Without one
        the search begins near the model's start and prefers a stable motion.
    time: s, where the equations depend on it.

    Where nothing that is given moves, the system rests if it can. Where more states are given
    than inputs are found, a system that moves coasts: all its speeds fall in one proportion,
    which is found, too. So does a vehicle without a throttle that is asked for by its path.
    States that turn with the whole, such as a velocity along the axes of the ground, do so at the
    yaw rate. More may be given than is needed if it agrees. Raises ``TrimError`` with the
    conditions that are not met and by how much, the closest motion that was reached, or what is
    left open. Warns of variables that were declared small and are larger than that.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> turn = at.trim(sedan, speed="72 km/h", lateral_acceleration=4.0)
    >>> print(f"{turn['radius']:.1f} m, {turn['vehicle.yaw_rate']:.2f} rad/s")
    100.0 m, 0.20 rad/s
    >>> stands = at.read_model("quarter-car").formulate().trim()
    >>> print(f"{18e3 * (0.5 - stands['strut.position']):.2f} N")  # its spring: 300 kg
    2941.99 N
    """
    check_arguments(trim, locals())
    whole = of if isinstance(of, System) else formulate(model_of(of))
    system = with_smooth_forces(whole)
    asked = {"speed": speed, "lateral_acceleration": lateral_acceleration, "radius": radius}
    path = {name: value for name, value in asked.items() if value is not None}
    where = f"system {system.name!r}"
    refuse_unknown("input", inputs or {}, [q.name for q in system.inputs], where)
    refuse_unknown("parameter", parameters or {}, [q.name for q in system.parameters], where)
    values = {
        **_named(system, path), **(given or {}),
        **(inputs or {}), **(parameters or {}),
    }  # fmt: skip
    if wheels is not None:
        if find or start is not None:
            raise TrimError("wheels that roll are set without find and start; leave these out")
        return _rolling(pose(system, values, (), None, time), wheels)
    sought = _keepers(system, path, values) if find is None else find
    problem = pose(system, values, sought, start, time, at_rest=_is_rest(system, path))
    found = _found(problem, whole)
    names = {symbol.name for symbol in problem.sought}
    constants = {name: x for name, x in found.parameters.items() if name in names}
    if problems := wrong_parameters(system, constants):
        raise TrimError(
            f"{system.name}: what was found cannot be: {'; '.join(problems)}; give other values, "
            "or let something else be found"
        )
    if start is None:
        _refuse_stuck_wheels(found)
    if remark := excursion_of([found], lambda _: "in this steady motion"):
        warnings.warn(remark, stacklevel=2)
    return found


def _found(problem: SteadyProblem, whole: System) -> Trim:
    """By the smooth laws, or where these have no rest and set-valued forces do, by those."""
    try:
        return as_trim(find_motion(problem))
    except TrimError:
        if whole.rows is None or not problem.may_rest or problem.found:
            raise
    return come_to_rest(replace(problem, system=whole))


def _rolling(problem: SteadyProblem, wheels: RollingWheels) -> Trim:
    """First values with wheels on the ground; given speeds may not fit before they are there."""
    kept = problem.held_values
    if problem.rows:
        name = problem.given.targets[problem.rows[0]].name
        raise TrimError(f"{name!r} is no state; with wheels that roll give states alone")
    speeds = {problem.system.states[k].name for k in problem.speeds}
    places = {name: value for name, value in kept.items() if name not in speeds}
    numbers = problem.start.numbers(problem.system, places)
    states, residual = rolling_states(problem.system, numbers, kept, wheels)
    return trim_at(problem, replace(numbers, states=states), residual)


def _refuse_stuck_wheels(found: Trim) -> None:
    """Unless their rates are given: the equations are met, but nobody drives so."""
    system = found.system
    states = np.array([found.states[q.name] for q in system.states])
    stuck = stuck_wheels(system, states, found.values)
    if told := [
        f"{name} = {rate:.4g} rad/s" for name, rate in stuck.items() if name not in found.held
    ]:
        pressed = found.inputs.get(BRAKE, 0.0)
        brake = (
            f"With {BRAKE} = {pressed:g} the brakes are stronger than the grip: begin with less, "
            f'and press it later, as by inputs={{"{BRAKE}": ([0, 1, 1.1], [0, 0, {pressed:g}])}}'
            if pressed
            else "Give less torque, or begin near another motion with start=..."
        )
        raise TrimError(
            f"{system.name}: no steady motion was found in which all wheels roll; in the one that "
            f"was found wheels lock or turn backwards: {few_names(told, MOST_NAMED)}. {brake}"
        )


# -- speed, lateral acceleration and radius --------------------------------------------------


def _named(system: System, path: Mapping[str, float | str]) -> dict[str, float | str]:
    """What is asked of the path, by names of the system."""
    known = known_quantities(system)
    if not path or _is_rest(system, path):
        return {}
    if path.keys() == {"speed"} and not _is_own(system, "speed"):
        return {forward_state_of(system): in_si("speed", path["speed"], PATH_SPEED)}
    for name in path:
        if name not in known:
            raise TrimError(
                f"{system.name} has no output {name!r}, and no outputs vehicle.forward_speed, "
                "vehicle.lateral_speed and vehicle.yaw_rate that it follows from; give values of "
                'states and of expressions, as given={"chassis.vx": 20, "chassis.vx*chassis.wz": 4}'
            )
    if any(_is_own(system, name) for name in path):
        return dict(path)
    return _turn(path)


def _is_rest(system: System, path: Mapping[str, float | str]) -> bool:
    """Whether the speed that is asked for is 0."""
    if path.keys() != {"speed"} or _is_own(system, "speed"):
        return False
    return in_si("speed", path["speed"], PATH_SPEED) == 0.0


def _is_own(system: System, name: str) -> bool:
    """Whether a system has a quantity of this name itself."""
    path = path_quantities(system).get(name)
    known = known_quantities(system).get(name)
    return known is not None and (path is None or known[0] is not path[0])


def _turn(path: Mapping[str, float | str]) -> dict[str, float | str]:
    """Two of the three; the third must agree with them."""
    units = {q.name: q for q in (PATH_SPEED, PATH_LATERAL, PATH_RADIUS)}
    turn = {name: in_si(name, value, units[name]) for name, value in path.items()}
    if len(turn) < 2:
        (name,) = turn
        raise TrimError(f"{name} alone says no turn; give the speed, or another of {[*units]}, too")
    if len(turn) == 3:
        V, a, R = turn["speed"], turn["lateral_acceleration"], turn.pop("radius")
        off = a - V * V / R if R else float("inf")
        if not abs(off) <= AGREEING * max(abs(a), V * V / abs(R) if R else 0.0):
            raise TrimError(
                f"speed = {V:g} m/s, lateral_acceleration = {a:g} m/s^2 and radius = {R:g} m do "
                f"not agree: by speed and radius the lateral acceleration is {a - off:.6g} m/s^2, "
                f"and lateral_acceleration is off by {off:.6g} m/s^2; give two of them"
            )
    if turn.get("speed") == 0.0:
        raise TrimError("a vehicle that stands makes no turn; give a speed above 0 m/s")
    return dict(turn)


def _keepers(system: System, path: Mapping[str, float | str], given: Values) -> list[str]:
    """The inputs of a vehicle that keep what is asked of its path."""
    if not path or _is_rest(system, path):
        return []
    names = [THROTTLE] if len(path) == 1 else [STEERING, THROTTLE]
    seen = symbols_of(system.derivatives)
    own = {q.name for q in system.inputs if q.symbol in seen}
    return [name for name in names if name in own and name not in given]
