"""Steppers of models and systems, and the steady motions that they start from.

A stepper of a vehicle begins as its manoeuvres do: in a steady motion, which is solved for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from axletree.analysis.drive import begin_drive, first_levels, with_manoeuvre
from axletree.controllers.built_in import with_controllers
from axletree.controllers.contract import ReferenceController
from axletree.core.arguments import check_arguments
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.simulation.control.built_in_controllers import built_in
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import SettingsError, state_problem
from axletree.simulation.simulate import form_for, load_integrator
from axletree.simulation.stepper.shaping import InputShape
from axletree.simulation.stepper.step_program import (
    SOLVED_METHOD,
    StartPoint,
    explicit_or_implicit,
    motion_start,
    usual_method,
)
from axletree.simulation.stepper.stepper import Stepper, system_stepper
from axletree.system.system import System

if TYPE_CHECKING:
    from axletree.analysis.steady.result import Trim

PATH_WORDS: Final = (
    "speed",
    "lateral_acceleration",
    "radius",
)  # words of ``trim`` for a vehicle's path


def stepper(
    driven: Model | System,
    *,
    step: float | str | None = None,
    start: str | Manoeuvre | Mapping[str, float | str] | Trim | None = None,
    starts: Mapping[str, Mapping[str, float | str] | Trim] | None = None,
    method: str | FixedStep | None = None,
    parts: int = 1,
    initial: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, float | str] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    outputs: Sequence[str] | None = None,
    shapes: Mapping[str, InputShape] | None = None,
    record: Sequence[str] = (),
    record_interval: float | str | None = None,
    controllers: Sequence[ReferenceController | str] = (),
) -> Stepper:
    """A run that goes on as it is told, from here or from a steady motion.

    Parameters
    ----------
    step: s, of steps that are taken at once, 1 ms unless given; ``parts``: in how many equal
        parts each is computed.
    start: what a steady motion is asked for by, as for ``trim``: ``speed`` [m/s] (the throttle
        that keeps it is found), with ``lateral_acceleration`` [m/s^2] or ``radius`` [m] (and the
        steering for it), or values of states and inputs; or a steady motion that was found; or
        a manoeuvre, by its name or itself, that it begins as.
    starts: more steady motions by names of one's own, for ``reset``.
    method: of steps of one length, such as "rk4" or "semi-implicit-euler"; unless given rk4, with
        bushings row4, and where forces are unknowns of each step complementarity-sweeps.
    initial, inputs: first values without a start, as ``simulate`` takes them; the rest is the
        model's own.
    parameters: other values than the model's own.
    outputs: those that are computed; all unless given, which takes longer to compile.
    shapes: how inputs go over into values that are set, by name. Unless given, an input whose
        rates are inputs, too, is filtered (5 ms), and any other is held.
    record: names to keep a row of, each ``record_interval`` [s] and where an ``advance`` ends.
    controllers: reference controllers that act in the steps, as ``drive`` takes them: words of the
        catalogue ("esc") or objects. Each has a switch, the input ``esc.active`` (1: on).

    Vehicles by body and axles have ``driver.steering`` [rad], the angle of the steering wheel,
    ``driver.throttle``, ``driver.brake`` and ``driver.clutch``, from 0 to 1; gears change by
    themselves.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> with car.stepper(step="1 ms", start={"speed": "80 km/h"}) as s:
    ...     s["driver.steering"] = 0.1
    ...     s.advance("2 s")
    ...     print(f"{s['vehicle.yaw_rate']:.3f} rad/s, throttle {s['driver.throttle']:.3f}")
    0.041 rad/s, throttle 0.176
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> with pendulum.stepper(step="1 ms", initial={"pin.angle": "10 deg"}) as s:
    ...     s.advance("0.5 s")
    ...     print(f"{s['pin.angle']:.4f} rad")
    -0.0589 rad
    """
    check_arguments(stepper, locals())
    if start is not None and (initial or inputs):
        raise SettingsError(
            "initial values or inputs are given beside a start; put them among its conditions"
        )
    driven, acting = built_in(driven, controllers)
    driven, manoeuvre = _begun_as(driven, start)
    system, chosen = _formulated(driven, method)
    system = with_controllers(system, acting) if acting else system
    given = dict(parameters or {})
    if starts is not None and not isinstance(starts, Mapping):
        raise SettingsError(f"starts is {starts!r}; expected steady motions by name")
    more = [steady_start(system, one, given, name) for name, one in (starts or {}).items()]
    first = None
    if manoeuvre is not None:
        name = start if isinstance(start, str) else manoeuvre.tested
        given, first = manoeuvre_start(system, manoeuvre, given, name)
    elif isinstance(start, Mapping) or hasattr(start, "states"):
        first = steady_start(system, cast("Mapping[str, float | str] | Trim", start), given)
    return system_stepper(
        system, step=1e-3 if step is None else step, method=chosen, parts=parts, initial=initial,
        inputs=inputs, parameters=given, outputs=outputs, shapes=shapes, record=record,
        record_interval=record_interval, starts=[*([first] if first else ()), *more],
        start=None if first is None else first.name,
    )  # fmt: skip


def _begun_as(driven: Model | System, start: object) -> tuple[Model | System, Manoeuvre | None]:
    """A model with what the manoeuvre that it begins as changes, and the manoeuvre."""
    if isinstance(start, str | Manoeuvre):
        return with_manoeuvre(driven, start)
    return driven, None


def _formulated(
    driven: Model | System, method: str | FixedStep | None
) -> tuple[System, str | FixedStep]:
    from axletree.system.formulation import formulate

    if isinstance(driven, Model):
        chosen = method or fixed_cost_method(driven)
        return formulate(driven, form=form_for(chosen)), chosen
    return driven, method or usual_method(driven)


def fixed_cost_method(model: Model) -> str:
    """The method of a stepper, whose steps all take the same operations: complementarity-sweeps for
    models whose own run solves for set-valued forces, row4 for those with bushings, else rk4."""
    own = model.run.method
    solves = own is not None and form_for(load_integrator(own)).set_valued
    return SOLVED_METHOD if solves else explicit_or_implicit(model.components)


def steady_start(
    system: System,
    asked: Mapping[str, float | str] | Trim,
    parameters: Mapping[str, float | str] | None = None,
    name: str = "",
) -> StartPoint:
    """A steady motion as the start of a stepper: conditions as for ``trim``, or what was found.

    Its name, unless given, is what it is asked for by.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.steady_start import steady_start
    >>> system = at.read_model("bicycle-car").formulate()
    >>> start = steady_start(system, {"chassis.vx": "72 km/h"})
    >>> start.name, float(start.states[0])  # m/s
    ('chassis.vx 72 km/h', 20.0)
    """
    from axletree.analysis.steady.trim import trim

    if not isinstance(asked, Mapping):
        title = name or ", ".join(f"{key} {value:.6g}" for key, value in asked.given.items())
        return motion_start(system, asked, title, f"steady motion: {title}")
    own = {q.name for q in system.parameters}
    if wrong := [key for key in asked if key in own]:
        raise SettingsError(
            f"{', '.join(wrong)} is a parameter, and no condition of a start; give it by "
            "parameters={...}"
        )
    path: dict[str, Any] = {key: asked[key] for key in PATH_WORDS if key in asked}
    others = {key: value for key, value in asked.items() if key not in PATH_WORDS}
    title = ", ".join(f"{key} {_told(value)}" for key, value in asked.items()) or "at rest"
    found = trim(system, others, parameters=parameters, **path)
    return motion_start(system, found, name or title, f"steady motion: {title}")


def manoeuvre_start(
    system: System, manoeuvre: Manoeuvre, parameters: Mapping[str, float | str], name: str
) -> tuple[dict[str, float | str], StartPoint]:
    """Parameters and start of a stepper that begins as a manoeuvre does."""
    begun = begin_drive(system, manoeuvre, parameters)
    levels = first_levels(system, begun.inputs)
    problem = state_problem(
        system, initial=begun.initial, inputs=levels, parameters=begun.parameters
    )
    text = f"beginning of the manoeuvre {name}: {manoeuvre.tested}"
    return dict(begun.parameters), StartPoint(name, text, problem.states, problem.inputs)


def _told(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"
