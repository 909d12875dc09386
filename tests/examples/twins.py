"""The car with trailer written by hand and from components, at the same state, by the same names.

``Vehicle`` speaks in the paper's letters. The values of both are those of table 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import sympy
from scipy.optimize import linear_sum_assignment

from axletree.examples.car_and_trailer import components, spaces
from axletree.examples.car_and_trailer import mechanics as m
from axletree.examples.car_and_trailer.components import TABLE_1
from axletree.examples.car_and_trailer.mechanics import Mechanics
from axletree.expr import Expr, directional_derivative, evaluate
from axletree.language.variables import Scalar
from axletree.system.system import System

P = TABLE_1
HITCH_LOAD = P["m_t"] * P["g"] * P["a_3"] / (P["a_3"] + P["j_x"])  # [N], of the level trailer

CAR = {
    "z": "suspension.z", "mu": "suspension.mu", "phi": "suspension.phi",
    "v": "base.vy", "r": "base.wz",
    "V_z": "suspension.V_z", "Omega_mu": "suspension.Omega_mu",
    "Omega_phi": "suspension.Omega_phi",
    "Y_R1": "front.Y_R", "Y_L1": "front.Y_L", "Y_R2": "rear.Y_R", "Y_L2": "rear.Y_L",
}  # fmt: skip
TRAILER = {
    "x_t": "place.x", "y_t": "place.y", "z_t": "place.z",
    "alpha": "place.yaw", "beta": "place.pitch",
    "V_xt": "place.vx", "V_yt": "place.vy", "V_zt": "place.vz",
    "Omega_alpha": "place.yaw_rate", "Omega_beta": "place.pitch_rate",
    "Y_R3": "axle.Y_R", "Y_L3": "axle.Y_L",
}  # fmt: skip
OUTPUTS = {
    "N_R1": "front.N_R", "N_L1": "front.N_L", "N_R2": "rear.N_R", "N_L2": "rear.N_L",
    "X_2": "drive.X",
}  # fmt: skip
TRAILER_OUTPUTS = {"N_R3": "axle.N_R", "N_L3": "axle.N_L"}


@dataclass(frozen=True)
class Levelled(Mechanics):
    """The car's springs are set so that it stands level with the trailer on its hitch."""

    def car_load(self, x: Scalar, y: Scalar) -> sympy.Expr:
        on_hitch = m.m_t * m.g * m.a_3 / (m.a_3 + m.j_x)
        lever = m.a_2 - m.f_x if x == m.a_1 else m.a_1 + m.f_x
        return super().car_load(x, y) + on_hitch * lever / (2 * (m.a_1 + m.a_2))


@dataclass(frozen=True)
class Vehicle:
    """Names by the paper's letters, of states and of outputs, in a system."""

    system: System
    states: Mapping[str, str]
    outputs: Mapping[str, str]
    speed: str
    steer: str
    at_speed: str = ""  # the state that the speed is, too
    changed: Mapping[str, float] = field(default_factory=dict)  # parameters not of table 1

    def rates(
        self, x: Mapping[str, float], u: float = 20.0, delta: float = 0.0
    ) -> dict[str, float]:
        """Of all states, and the reactions; states that are not given are zero."""
        values = self._values(x, u, delta)
        named = dict(
            zip((q.name for q in self.system.states), self.system.derivatives, strict=True)
        )
        told = {d.quantity.name: d.expression for d in self.system.outputs}
        wanted = {name: named[own] for name, own in self.states.items()}
        wanted |= {name: told[own] for name, own in self.outputs.items()}
        found = evaluate(list(wanted.values()), values)
        return dict(zip(wanted, map(float, found), strict=True))

    def slopes(
        self, x: Mapping[str, float], move: Mapping[str, float], u: float, delta: float = 0.0
    ) -> dict[str, float]:
        """Of the rates of all states, exact, along a change of states."""
        symbols = {q.name: q.symbol for q in self.system.states}
        named = dict(zip(symbols, self.system.derivatives, strict=True))
        along = {symbols[self.states[name]]: value for name, value in move.items()}
        wanted = [named[own] for own in self.states.values()]
        found = evaluate(directional_derivative(wanted, along), self._values(x, u, delta))
        return dict(zip(self.states, map(float, found), strict=True))

    def _values(self, x: Mapping[str, float], u: float, delta: float) -> dict[Expr, float]:
        given = {self.states[name]: value for name, value in x.items()}
        given |= {self.at_speed: u} if self.at_speed else {}
        known = {q.name: 0.0 for q in self.system.states} | given
        known |= {q.name: q.default for q in self.system.parameters}
        known |= {**self.changed, self.speed: u, self.steer: delta}
        quantities = (*self.system.states, *self.system.inputs, *self.system.parameters)
        return {q.symbol: known[q.name] for q in quantities}

    def eigenvalues(self, u: float, **x: float) -> np.ndarray:
        """Of straight running at u, about the state x."""
        state = {self.states[name]: value for name, value in x.items()}
        state |= {self.at_speed: u} if self.at_speed else {}
        linear = self.system.linearise(state, parameters={**self.changed, self.speed: u})
        return linear.without_drift().eigenvalues


def by_hand(trailer: bool, levelled: bool = False) -> Vehicle:
    states, outputs = [*CAR], [*OUTPUTS]
    if trailer:
        states, outputs = [*states, *TRAILER], [*outputs, *TRAILER_OUTPUTS, "H_x", "H_y", "H_z"]
    same = ({name: name for name in names} for names in (states, outputs))
    return Vehicle(_written(trailer, levelled), *same, speed="u", steer="delta")


def from_components(trailer: bool, levelled: bool = False) -> Vehicle:
    states, outputs = CAR, OUTPUTS
    if trailer:
        reactions = {f"H_{k}": f"hitch.F{k}" for k in "xyz"}
        states, outputs = CAR | TRAILER, OUTPUTS | TRAILER_OUTPUTS | reactions
    system = _composed(trailer, levelled)
    return Vehicle(system, states, outputs, "drive.speed", "front.steer", "base.vx")


@cache
def _written(trailer: bool, levelled: bool) -> System:
    mechanics = Levelled() if levelled else Mechanics()
    return (spaces.train_space if trailer else spaces.car_space)(mechanics).system()


@cache
def _composed(trailer: bool, levelled: bool) -> System:
    load = HITCH_LOAD if levelled else 0.0
    model = components.car_with_trailer if trailer else components.car
    return model(hitch_load=load).formulate()


def relative_distance(found: np.ndarray, expected: np.ndarray) -> float:
    """The greatest, with each value paired with the nearest."""
    assert found.shape == expected.shape
    apart = np.abs(found[:, None] - expected[None, :])
    rows, columns = linear_sum_assignment(apart)
    return float(np.max(apart[rows, columns] / np.abs(expected[columns])))
