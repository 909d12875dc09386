"""Small deviations from a steady motion, in axes that move along with it.

Where states turn with the whole, dx/dt = w g(x), deviations seen from axes that turn along
obey d/dt dx = (df/dx - w dg/dx) dx. A deviation along g is a change of the heading alone, which
nothing feels: one coordinate that it moves is left out, and the others count at equal heading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from axletree.analysis.linearise import UNSEEN, Linearisation, linearise_at
from axletree.analysis.slopes import Values
from axletree.analysis.tangent import LinearisationError
from axletree.analysis.yaw_symmetry import symmetry_of
from axletree.core.quantity import Role
from axletree.system.system import System


def linearise_steady(
    system: System,
    values: Values,
    yaw_rate: float | None,
    outputs: Sequence[str],
    drifting: Sequence[str],
    keep: Sequence[str] = (),
) -> Linearisation:
    """At values of all symbols; ``yaw_rate`` [rad/s] is None where no state turns.

    ``drifting`` are coordinates that need not keep their values.
    """
    if yaw_rate is None:
        linear = linearise_at(system, values, keep, outputs)
        return _without(linear, set(drifting) & set(linear.drifting))
    found = symmetry_of(system, values).generator(values)
    index = {q.name: k for k, q in enumerate(system.states)}
    linear = linearise_at(system, values, keep, outputs, -yaw_rate * found.slopes)
    linear = _without(linear, set(drifting) & set(linear.drifting))
    g = found.field[[index[name] for name in linear.states]]
    coordinates = {q.name for q in system.states if q.role is Role.COORDINATE}
    sizes = [abs(x) if n in coordinates else 0.0 for n, x in zip(linear.states, g, strict=True)]
    heading = int(np.argmax(sizes))
    share = g / g[heading]
    C = linear.C.copy()
    C[:, heading] = linear.C @ share  # 0 where an output is the same whatever the heading
    share[heading] = 0.0
    at_equal_heading = replace(
        linear,
        A=linear.A - np.outer(share, linear.A[heading]),
        B=linear.B - np.outer(share, linear.B[heading]),
        C=C,
    )
    return _without(at_equal_heading, {linear.states[heading]})


def _without(linear: Linearisation, names: set[str]) -> Linearisation:
    """Refuses outputs that would lose what they have of the coordinates."""
    gone = [k for k, name in enumerate(linear.states) if name in names]
    seen = np.abs(linear.C) > UNSEEN * np.abs(linear.C).max(axis=1, initial=0.0, keepdims=True)
    for output, row in zip(linear.outputs, seen, strict=True):
        lost = [linear.states[k] for k in gone if row[k]]
        if lost:
            raise LinearisationError(
                f"the output {output!r} depends on {', '.join(lost)}, which drifts in this motion "
                "and is left out of its linear system; take System.linearise at the motion's "
                "states, which keeps it, or an output that does not depend on it"
            )
    return replace(linear, drifting=tuple(names)).without_drift()
