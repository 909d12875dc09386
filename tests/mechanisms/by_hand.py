"""Systems written by hand: rates as texts, for tests of what is done with any system."""

from __future__ import annotations

from collections.abc import Mapping

from axletree.expr import parse_expression
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import System, output


def by_hand(
    name: str,
    rates: Mapping[str, str],
    *,
    inputs: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    outputs: Mapping[str, str] | None = None,
    start: Mapping[str, float] | None = None,
    coordinates: tuple[str, ...] = (),
) -> System:
    """dx/dt as texts over states, inputs and parameters; all in units of 1."""
    first = start or {}

    def made(names: Mapping[str, object], role: Role, values: Mapping[str, float]) -> tuple:
        return tuple(
            Quantity(
                n, "1", f"{n} of {name}", Role.COORDINATE if n in coordinates else role,
                values.get(n, 0.0),
            )
            for n in names
        )  # fmt: skip

    states = made(rates, Role.STATE, first)
    levels = made(inputs or {}, Role.INPUT, inputs or {})
    constants = made(parameters or {}, Role.PARAMETER, parameters or {})
    symbols = {q.name: q.symbol for q in (*states, *levels, *constants)}
    return System(
        name=name,
        time=Quantity("t", "s", "time", Role.TIME),
        states=states,
        inputs=levels,
        parameters=constants,
        derivatives=tuple(parse_expression(text, symbols) for text in rates.values()),
        outputs=tuple(
            output(n, "1", n, parse_expression(text, symbols))
            for n, text in (outputs or {}).items()
        ),
        intermediates=(),
        projection=None,
    )


def single_track(front: str, rear: str, **parameters: float) -> System:
    """A single-track car at constant speed u; axle forces are functions of the slip angles.

    SI throughout: mass 1500, yaw inertia 2500, axles 1.2 ahead and 1.5 behind, u = 20.
    """
    values = {"u": 20.0, "m": 1500.0, "I": 2500.0, "a": 1.2, "b": 1.5} | parameters
    slips = {"alpha_f": "(delta - (v + a*r)/u)", "alpha_r": "((b*r - v)/u)"}
    for short, text in slips.items():
        front, rear = front.replace(short, text), rear.replace(short, text)
    return by_hand(
        "single_track",
        {"v": f"({front} + {rear})/m - u*r", "r": f"(a*({front}) - b*({rear}))/I"},
        inputs={"delta": 0.0},
        parameters=values,
        outputs={"lateral_acceleration": "u*r", "radius": "u/r", "Ff": front, "Fr": rear},
    )
