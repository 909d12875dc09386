"""The state of a described mechanism in the variables of any tree, and what follows from it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from mechanisms.description import Mechanism
from scipy.spatial.transform import Rotation

from axletree.components.edges import TranslationLaw
from axletree.components.frames import Frame
from axletree.components.motion_laws import AlongAxes
from axletree.components.signals import TIME
from axletree.equations.equations import Equations
from axletree.equations.links import Connection, LinkFrame
from axletree.equations.relative_motion import relative_motion
from axletree.expr import Expr, directional_derivative, evaluate, symbol
from axletree.expr.vectors import IDENTITY, NULL

BODY = re.compile(r"b\d+")
ORIGIN = LinkFrame(0, NULL, IDENTITY)


class Singular(Exception):
    """Euler angles that are not determined, or nearly so, by the orientation they describe."""


class State:
    """A mechanism's state as numbers for the symbols of equations or of a system."""

    def __init__(self, m: Mechanism, frames: Mapping[str, Frame], equations: Equations) -> None:
        self._m, self._frames, self.equations = m, frames, equations
        self.values: dict[Expr, Any] = {TIME: m.time}
        self.values |= {q.symbol: q.default for q in (*equations.inputs, *equations.parameters)}
        self.signal_rates: dict[Expr, float] = {TIME: 1.0}
        for k, drive in enumerate(m.drives):
            if drive.as_input:
                self._take_input(f"drive{k}.{'angle' if drive.rotational else 'position'}", drive)
        links = equations.dynamics.kinematics.links
        for connection in (*links.translations, *links.rotations):
            symbols = [q.symbol for q in connection.coordinates]
            self.values |= zip(symbols, self._coordinates(connection), strict=True)
        for internal in equations.internal:
            joint = int(internal.quantity.name.split(".")[0][1:])
            self.values[internal.quantity.symbol] = m.travels[joint][0]
        self.values |= dict.fromkeys((q.symbol for q in equations.speeds), 0.0)
        self.values |= zip((q.symbol for q in equations.speeds), self._speeds(), strict=True)

    def _take_input(self, name: str, drive: Any) -> None:
        travel = self._m.travels[drive.joint][0 if drive.rotational else 1]
        value, rate = symbol(name), symbol(f"{name}_rate")
        self.values |= {value: travel, rate: drive.rate}
        self.values[symbol(f"{name}_acceleration")] = drive.acceleration
        self.signal_rates |= {value: drive.rate, rate: drive.acceleration}

    def _coordinates(self, connection: Connection) -> Sequence[float]:
        """Measured from the poses of the two frames, by the definition of each coordinate."""
        (r_tail, R_tail), (r_head, R_head) = (
            self._pose(name) for name in (connection.edge.tail, connection.edge.head)
        )
        d, R, law = R_tail.T @ (r_head - r_tail), R_tail.T @ R_head, connection.edge.law
        if isinstance(law, TranslationLaw):
            axes = np.array(law.axes if isinstance(law, AlongAxes) else np.eye(3)).reshape(-1, 3)
            return (axes @ d).tolist()[: len(law.coordinates)]
        count = len(law.coordinates)
        if count == 4:
            x, y, z, w = Rotation.from_matrix(R).as_quat()
            return [w, x, y, z]
        if count == 3:
            letters = "".join("XYZ"[axis.index(1.0)] for axis in law.axes)
            return _euler_angles(letters, R)
        return _turns(np.array(law.axes), R) if count else []

    def _pose(self, frame_name: str) -> tuple[np.ndarray, np.ndarray]:
        body_name, _, _ = frame_name.partition(".")
        frame = self._frames[frame_name]
        position, turn = np.array(frame.position), np.array(frame.turn)
        if body_name == "ground":
            return position, turn
        motion = self._m.motions[int(body_name[1:])]
        return motion.r + motion.R @ position, motion.R @ turn

    # -- speeds ----------------------------------------------------------------------------
    def _speeds(self) -> list[float]:
        """The speeds that move all bodies as they move: their motion is affine in the speeds."""
        speeds = [q.symbol for q in self.equations.speeds]
        columns = np.hstack([np.zeros((len(speeds), 1)), np.eye(len(speeds))])
        trials = dict(zip(speeds, columns, strict=True))
        found = evaluate(body_velocities(self.equations), self.values | trials)
        table = np.array([np.broadcast_to(row, (len(speeds) + 1,)) for row in found])
        partials = table[:, 1:] - table[:, :1]
        wanted = np.concatenate([x for m in self._m.motions for x in (m.v, m.w)]) - table[:, 0]
        solved = np.linalg.lstsq(partials, wanted, rcond=1e-12)[0]
        np.testing.assert_allclose(partials @ solved, wanted, atol=1e-9)
        return solved.tolist()

    @property
    def coordinates(self) -> np.ndarray:
        return np.array([self.values[q.symbol] for q in self.equations.coordinates])

    def accelerations(self, speed_rates: Sequence[Expr]) -> np.ndarray:
        """Per body: acceleration of its origin and angular acceleration, ground axes."""
        rates = self.rates(speed_rates)
        changes = directional_derivative(body_velocities(self.equations), rates)
        return np.array(evaluate(changes, self.values), dtype=float).reshape(-1, 6)

    def rates(self, speed_rates: Sequence[Expr]) -> dict[Expr, float]:
        """The time derivatives of all symbols that change."""
        e = self.equations
        changing = [q.symbol for q in (*e.speeds, *e.coordinates)]
        changing += [state.quantity.symbol for state in e.internal]
        expressions = (*speed_rates, *e.coordinate_rates, *(state.rate for state in e.internal))
        values = evaluate(expressions, self.values)
        return self.signal_rates | dict(zip(changing, map(float, values), strict=True))


def body_velocities(equations: Equations) -> list[Expr]:
    """Velocity of the origin and angular velocity of b0, b1 ..., ground axes."""
    k = equations.dynamics.kinematics
    found: list[Expr] = []
    names = sorted((n for n in k.links.places if BODY.fullmatch(n)), key=lambda n: int(n[1:]))
    for name in names:
        motion = relative_motion(k, ORIGIN, k.links.places[name])
        found += [*motion.velocity, *motion.angular_velocity]
    return found


def _euler_angles(letters: str, R: np.ndarray) -> list[float]:
    """About the axes of the sequence one after another; the middle one must not be too small."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SciPy's warning of what is raised below
        angles = Rotation.from_matrix(R).as_euler(letters).tolist()
    measure = np.sin if letters[0] == letters[2] else np.cos
    if abs(measure(angles[1])) < 0.05:
        raise Singular(f"{letters} at {angles}")
    return angles


def _turns(axes: np.ndarray, R: np.ndarray) -> list[float]:
    """Angles of a hinge or of a universal joint."""
    if len(axes) == 1:
        (a,) = axes
        rotvec = Rotation.from_matrix(R).as_rotvec()
        return [float(a @ rotvec)]
    a, b = axes
    turned, back = R @ b, R.T @ a
    first = np.arctan2(a @ np.cross(b, turned), b @ turned)
    return [float(first), float(-np.arctan2(b @ np.cross(a, back), a @ back))]
