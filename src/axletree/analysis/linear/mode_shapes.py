"""Shapes of modes, free of units, and the names that engineers give to modes of vehicles."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.modes import Eigenmode, Mode, eigenmodes

_LEAST_SHARE = 0.02  # of a mode, of a state that is named


@dataclass(frozen=True)
class ModePart:
    """What a state does in a mode."""

    state: str
    share: float  # of all states in the mode, 0 to 1
    amplitude: float  # in the unit of the state, that of the state with the greatest share being 1
    phase: float  # [rad], -pi to pi, ahead of the state with the greatest share


@dataclass(frozen=True)
class ModeShape:
    """A real eigenvalue, or the one above the real axis of a pair, and its states."""

    eigenvalue: complex  # [1/s]
    parts: tuple[ModePart, ...]  # the greatest share first


def mode_shapes(linear: Linearisation) -> tuple[ModeShape, ...]:
    """In the order of ``linear.modes``, the fastest growing first.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.linear.mode_shapes import mode_shapes
    >>> shapes = mode_shapes(at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0}))
    >>> [(part.state, round(part.share, 3)) for part in shapes[0].parts]
    [('pin.rate', 0.5), ('pin.angle', 0.5)]
    """
    return tuple(_shape(linear.states, one) for one in eigenmodes(linear.A))


def _shape(states: Sequence[str], mode: Eigenmode) -> ModeShape:
    share, vector = mode.shares, mode.vector
    first = int(np.argmax(share))
    relative = vector / vector[first] if vector[first] else vector
    parts = [
        ModePart(states[k], float(share[k]), float(abs(relative[k])),
                 float(np.angle(relative[k])))
        for k in np.argsort(-share)
        if share[k] >= _LEAST_SHARE
    ]  # fmt: skip
    return ModeShape(mode.value, tuple(parts))


# Modes of vehicles by the names that engineers give them.
#
# 1. A state belongs to a motion by its name, which all vehicles have alike: chassis.vy and
# chassis.wz
#    to yaw-sideslip, front_left_suspension.travel to the front wheels' hop, and so on
# (``MOTIONS``).
# 2. A mode has the name of the motion with the greatest share in it, where shares are
# participation
#    factors: free of units, and 1 in all. Tyres that lag have as many modes as they have states:
#    those in which they have the greatest shares, and more than half. In others they do not count.
# 3. Wheels of an axle that go up and down in turns, or a beam that rolls, tramp; else they hop.
# 4. Of two-wheelers the modes of lean, yaw and steer are named by what they do (``_two_wheeled``).

_BODY = "(?:chassis|rear_frame)"
# Of states by name, the first that matches; <> is what the group stands for.
MOTIONS: tuple[tuple[str, str], ...] = (
    (rf"{_BODY}\.(vy|wz|rate|angle|yaw|y)", "yaw-sideslip"),
    (rf"{_BODY}\.(wx|roll)", "roll"),
    (rf"{_BODY}\.(wy|pitch)", "pitch"),
    (rf"{_BODY}\.(vz|z)", "bounce"),
    (rf"{_BODY}\.(vx|x)", "speed"),
    (r".+_hitch\.(angle|rate)", "snaking"),
    (r"(.+)_hitch_(roll|pitch)\.(?:angle|rate)", "<> <>"),
    (r"(.+)_(?:left|right)_suspension\.(?:travel|speed)", "<> hop"),
    (r"(.+)_heave\.(?:position|speed)", "<> hop"),
    (r"(.+)_roll\.(?:angle|rate)", "<> tramp"),
    (r"(.+)_(?:left|right)_kingpin\.(?:angle|rate)", "<> steering"),
    (r"(.+)_(?:left|right)_(?:axle\.(?:angle|rate)|tyre\.(?:q1|carcass_x))", "<> wheel spin"),
    (r"(.+)_(?:left|right)_tyre\..+", "<> tyre lag"),
    (r"(.+)_(?:left|right)_brake\.wind_up", "<> brake wind-up"),
)
LAG = "tyre lag"
HALF = 0.5  # share from which on the lag of tyres names a mode
TWO_WHEELER = (r"steer\.angle", r".+\.roll")  # states that a two-wheeler has
_LATERAL = {
    "lean": r"(.+)\.(roll|wx)",
    "yaw": r"(.+)\.(wz|vy|yaw)",
    "steer": r"steer\.(angle|rate)",
}


@dataclass(frozen=True)
class NamedMode:
    """A mode with its name, and what has a share in it.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> mode = at.vehicle_modes(sedan, 20.0)[-1]  # m/s
    >>> print(f"{mode.name}: {mode.mode.frequency:.2f} Hz, damping {mode.mode.damping_ratio:.2f}")
    yaw-sideslip: 0.61 Hz, damping 0.92
    """

    name: str
    mode: Mode
    shares: Mapping[str, float]  # of motions, the greatest first

    def __repr__(self) -> str:
        """Its name and eigenvalue, without shares."""
        return f"NamedMode({self.name!r}, {self.eigenvalue:.4g} 1/s)"

    @property
    def eigenvalue(self) -> complex:
        """Of the mode [1/s]."""
        return self.mode.eigenvalue


def named_modes(linear: Linearisation) -> tuple[NamedMode, ...]:
    """Modes of a linearisation by name, in the order of its ``modes``: the fastest growing first.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.linear.mode_shapes import named_modes
    >>> (swing,) = named_modes(at.read_model("pendulum").formulate().linearise())
    >>> print(f"{swing.name}: {swing.mode.frequency:.2f} Hz")
    pin: 0.60 Hz
    """
    shapes = eigenmodes(linear.A)
    names = mode_names(linear.states, shapes)
    rows = zip(names, linear.modes, shapes, strict=True)
    return tuple(NamedMode(n, mode, _by_motion(linear.states, shape)) for n, mode, shape in rows)


def mode_names(states: Sequence[str], shapes: Sequence[Eigenmode]) -> list[str]:
    """Of all modes, because some are distinguished by the others."""
    lags = _of_lags(states, shapes)
    names = [_named(states, shape, k in lags) for k, shape in enumerate(shapes)]
    leans = all(any(re.fullmatch(pattern, name) for name in states) for pattern in TWO_WHEELER)
    return _two_wheeled(states, shapes, names) if leans else names


def _of_lags(states: Sequence[str], shapes: Sequence[Eigenmode]) -> set[int]:
    """Places of the modes that are those of lags of tyres."""
    lagging = np.array([motion_of(state).endswith(LAG) for state in states], dtype=bool)
    shares = [float(shape.shares[lagging].sum()) for shape in shapes]
    left, found = int(lagging.sum()), set()
    for k in sorted(range(len(shapes)), key=lambda place: -shares[place]):
        left -= 2 if shapes[k].value.imag else 1
        if left >= 0 and shares[k] > HALF:
            found.add(k)
    return found


def motion_of(state: str) -> str:
    """What a state belongs to: a motion of ``MOTIONS``, or the component that has it."""
    for pattern, motion in MOTIONS:
        match = re.fullmatch(pattern, state)
        if match:
            for word in match.groups() if "<>" in motion else ():
                motion = motion.replace("<>", word.replace("_", " "), 1)
            return motion
    return state.partition(".")[0]


def _by_motion(states: Sequence[str], shape: Eigenmode) -> dict[str, float]:
    sums: defaultdict[str, float] = defaultdict(float)
    for state, share in zip(states, shape.shares.tolist(), strict=True):
        sums[motion_of(state)] += share
    return dict(sorted(sums.items(), key=lambda pair: -pair[1]))


def _named(states: Sequence[str], shape: Eigenmode, is_lag: bool) -> str:
    shares = _by_motion(states, shape)
    chosen = {m: share for m, share in shares.items() if m.endswith(LAG) is is_lag}
    name = next(iter(chosen), next(iter(shares)))
    return _told_apart(states, shape, name) if name.endswith(" hop") else name


def _told_apart(states: Sequence[str], shape: Eigenmode, name: str) -> str:
    """Hop where both wheels go up at once, tramp where they do in turns."""
    axle = name.removesuffix(" hop")
    wheel = axle.replace(" ", "_")
    sides = [f"{wheel}_{side}_suspension.travel" for side in ("left", "right")]
    if not set(sides) <= set(states):
        return name
    left, right = (shape.vector[list(states).index(side)] for side in sides)
    return name if (left * np.conj(right)).real >= 0.0 else f"{axle} tramp"


def _two_wheeled(
    states: Sequence[str], shapes: Sequence[Eigenmode], plain: Sequence[str]
) -> list[str]:
    """Weave is the slowest swing of lean, yaw and steer, wobble a faster one, mostly of steer.

    Capsize is the slowest mode of these that does not swing, castering a faster one, mostly of
    steer. Other modes have their ``plain`` names.
    """
    names = list(plain)
    sideways = [k for k, shape in enumerate(shapes) if sum(_lateral(states, shape).values()) > HALF]
    sideways.sort(key=lambda k: abs(shapes[k].value))
    for swings, slow, fast in ((True, "weave", "wobble"), (False, "capsize", "castering")):
        alike = [k for k in sideways if bool(shapes[k].value.imag) is swings]
        for k in alike:
            shares = _lateral(states, shapes[k])
            most = max(shares, key=lambda motion: shares[motion])
            names[k] = fast if most == "steer" else most
        for k in alike[:1]:
            names[k] = slow
    return names


def _lateral(states: Sequence[str], shape: Eigenmode) -> dict[str, float]:
    pairs = list(zip(states, shape.shares.tolist(), strict=True))
    return {
        motion: sum(share for state, share in pairs if re.fullmatch(pattern, state))
        for motion, pattern in _LATERAL.items()
    }
