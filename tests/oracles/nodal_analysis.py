"""Rates of capacitor voltages and inductor currents from one dense linear system.

Unknown are the potentials of all nodes, the currents of all elements, and the rates of
both. Kirchhoff's current law holds for currents and for their rates, and every element
adds its law, differentiated where that says something. No tree, no order of elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Element:
    kind: str  # "R", "L", "C", "V" (constant voltage), "I" (constant current)
    name: str
    positive: int  # node; 0 is the ground
    negative: int
    value: float


def solve(
    elements: Sequence[Element], nodes: int, states: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Voltages, currents and rates of the storages, from the states that are known by name."""
    system = _System(nodes - 1, len(elements))
    system.balance_currents(elements)
    for k, e in enumerate(elements):
        voltage, current = system.voltage(e), system.current(k)
        if e.kind == "R":
            system.add(voltage - e.value * current, 0.0)
            system.add(system.rate(voltage) - e.value * system.rate(current), 0.0)
        elif e.kind == "C":
            system.add(current - e.value * system.rate(voltage), 0.0)
        elif e.kind == "L":
            system.add(voltage - e.value * system.rate(current), 0.0)
        else:
            held = voltage if e.kind == "V" else current
            system.add(held, e.value)
            system.add(system.rate(held), 0.0)
        if e.name in states:
            system.add(voltage if e.kind == "C" else current, states[e.name])
    x = system.solved()
    voltages = {e.name: float(system.voltage(e) @ x) for e in elements}
    currents = {e.name: float(system.current(k) @ x) for k, e in enumerate(elements)}
    rates = {}
    for k, e in enumerate(elements):
        if e.kind in "CL":
            stored = system.voltage(e) if e.kind == "C" else system.current(k)
            rates[e.name] = float(system.rate(stored) @ x)
    return voltages, currents, rates


class _System:
    def __init__(self, potentials: int, currents: int) -> None:
        self._potentials, self._half = potentials, potentials + currents
        self._rows: list[np.ndarray] = []
        self._rhs: list[float] = []

    def potential(self, node: int) -> np.ndarray:
        return np.eye(2 * self._half)[node - 1] if node else np.zeros(2 * self._half)

    def voltage(self, e: Element) -> np.ndarray:
        return self.potential(e.positive) - self.potential(e.negative)

    def current(self, number: int) -> np.ndarray:
        return np.eye(2 * self._half)[self._potentials + number]

    def rate(self, row: np.ndarray) -> np.ndarray:
        return np.roll(row, self._half)

    def add(self, row: np.ndarray, value: float) -> None:
        self._rows.append(row)
        self._rhs.append(value)

    def balance_currents(self, elements: Sequence[Element]) -> None:
        for node in range(1, self._potentials + 1):
            row = np.zeros(2 * self._half)
            for k, e in enumerate(elements):
                row += self.current(k) * ((e.positive == node) - float(e.negative == node))
            self.add(row, 0.0)
            self.add(self.rate(row), 0.0)

    def solved(self) -> np.ndarray:
        matrix, rhs = np.array(self._rows), np.array(self._rhs)
        x = np.linalg.lstsq(matrix, rhs, rcond=1e-12)[0]
        np.testing.assert_allclose(matrix @ x, rhs, atol=1e-8)
        return x
