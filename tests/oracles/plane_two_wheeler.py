"""A two-wheeler in the plane on rigid wheels: Newton and Euler for each body, by hand.

x forward, z up, pitch positive nose down. The axles hold by hub forces H on the body; the
ground by a normal force at each wheel, which its law makes a force along the ground of. All
are unknowns of one nonlinear system, which SciPy solves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import fsolve

GRAVITY = 9.80665
Grip = Callable[[float, float, float], tuple[float, float]]  # load, spin rate, speed: Fx, My


@dataclass(frozen=True)
class PlaneTwoWheeler:
    """Masses [kg], inertias about y [kg m^2], hubs and radii [m] by the names of wheels."""

    mass: float
    inertia: float
    wheel_mass: float
    spin_inertia: float
    hubs: Mapping[str, tuple[float, float]]  # along and up, in the body
    radii: Mapping[str, float]
    grip: Mapping[str, Grip]

    def solve(self, pitch: float, speed: float, spins: Mapping[str, float]) -> dict[str, float]:
        """Accelerations and loads, while it neither pitches nor heaves; spins [rad/s] absolute."""
        names = list(self.hubs)
        arms = [self._arm(name, pitch) for name in names]

        def lack(u: Sequence[float]) -> list[float]:
            ax, az, turning = u[:3]
            found = [0.0, -self.mass * GRAVITY, 0.0]
            rows: list[float] = []
            for k, name in enumerate(names):
                spinning, Hx, Hz, Fz = u[3 + 4 * k : 7 + 4 * k]
                x, z = arms[k]
                hub = ax + turning * z, az - turning * x
                Fx, My = self.grip[name](Fz, spins[name], speed)
                found = [found[0] + Hx, found[1] + Hz, found[2] + z * Hx - x * Hz]
                weight = self.wheel_mass * GRAVITY
                rows += [
                    Fx - Hx - self.wheel_mass * hub[0],
                    Fz - Hz - weight - self.wheel_mass * hub[1],
                    My - self.radii[name] * Fx - self.spin_inertia * spinning,
                    hub[1],
                ]
            of_body = (self.mass * ax, self.mass * az, self.inertia * turning)
            return [*(f - a for f, a in zip(found, of_body, strict=True)), *rows]

        guess = [0.0, 0.0, 0.0, *[0.0, 0.0, 3000.0, 3000.0] * len(names)]
        solved, _, ended, text = fsolve(lack, guess, xtol=1e-14, full_output=True)
        if ended != 1 and np.abs(lack(solved)).max() > 1e-8:
            raise ArithmeticError(text)
        answer = dict(zip(("ax", "az", "pitch"), solved[:3], strict=True))
        for k, name in enumerate(names):
            answer |= {f"{name}_spin": solved[3 + 4 * k], f"{name}_load": solved[6 + 4 * k]}
        return {key: float(value) for key, value in answer.items()}

    def _arm(self, name: str, pitch: float) -> tuple[float, float]:
        """From the body's centre of mass to a hub, ground axes."""
        x, z = self.hubs[name]
        c, s = np.cos(pitch), np.sin(pitch)
        return float(c * x + s * z), float(c * z - s * x)
