"""A car of 66 degrees of freedom on bushings: cost and accuracy of linearly implicit steps.

Costs are seconds of the processor in one run, beside a step of rk4 of the same car and a step of
semi-implicit Euler of the car with rigid joints. Accelerations of all bodies, linear and angular in
ground axes, and forces of bushings and of ball joints are held against SciPy's Radau on the same
right-hand side, in a lane change and over a kerb: the largest difference of each over the largest
range of its components.
"""

from __future__ import annotations

import re
import resource
import time
from collections.abc import Callable

import numpy as np
from mechanisms.bushed_wishbone_car import bushed_wishbone_car
from mechanisms.double_wishbone_car import CORNERS, double_wishbone_car, turned_by_chassis
from scipy.integrate import solve_ivp

import axletree as at
from axletree.components.signals import TIME
from axletree.expr import cos, sin, where

SPEED, RADIUS, KERB_AT = 20.0, 0.31, 60.0  # m/s, m, m
STEPS, ROUNDS = 1000, 6
PERIOD, RACK = 1.6, 0.005  # s, m; of the lane change
INTERVAL = 2e-3  # s, between instants that are compared
ROLLING = {"free.vx": SPEED} | {f"{name}_axle.rate": SPEED / RADIUS for name in CORNERS}


def compiler_seconds() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def bench_steps_of_a_bushed_car(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """A step of ros2 takes at most one and a half times as long as one of rk4, one of row3 at most
    twice and one of row4 at most three times as long; tie rods without mass save a twentieth."""
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path))
    print()
    bushed = bushed_wishbone_car().formulate()
    light = bushed_wishbone_car(light_rods=True).formulate()
    rigid = double_wishbone_car().formulate(turned_by_chassis(), form="embedded")
    runs, best = {}, {}
    for name, system, method, step in (
        ("ros2", bushed, "ros2", 1e-3),
        ("row3", bushed, "row3", 1e-3),
        ("row4", bushed, "row4", 1e-3),
        ("tie rods without mass, row4", light, "row4", 1e-3),
        ("rk4", bushed, "rk4", 1e-5),
        ("rigid joints, semi-implicit-euler", rigid, "semi-implicit-euler", 1e-3),
    ):
        before = compiler_seconds()
        run = system.stepper(step=step, method=method, outputs=[], initial=ROLLING)
        print(f"{name}: each step {run.operations}")
        run.advance(steps=200)
        print(f"  compiler {compiler_seconds() - before:.1f} s")
        runs[name], best[name] = run, float("inf")
    for _ in range(ROUNDS):
        for name, run in runs.items():
            start = time.process_time()
            run.advance(steps=STEPS)
            best[name] = min(best[name], (time.process_time() - start) / STEPS)
    for name, seconds in best.items():
        print(f"{name}: {seconds * 1e6:.1f} us a step, {seconds / best['rk4']:.2f} of rk4's")
    assert best["ros2"] < 1.5 * best["rk4"]
    assert best["row3"] < 2.0 * best["rk4"]
    assert best["row4"] < 3.0 * best["rk4"]
    assert best["tie rods without mass, row4"] < 0.95 * best["row4"]


def rack_course(t):  # type: ignore[no-untyped-def]
    """Position of the rack in a lane change, as an expression of t."""
    a = 2.0 * np.pi / PERIOD * (t - 0.2)
    return where((t - 0.2) * (0.2 + PERIOD - t) > 0.0, RACK * sin(a) * (1.0 - cos(a)), 0.0)


def rack_motion(t: float) -> tuple[float, float, float]:
    """The same as numbers, with its rates."""
    if not 0.2 < t < 0.2 + PERIOD:
        return 0.0, 0.0, 0.0
    w = 2.0 * np.pi / PERIOD
    a = w * (t - 0.2)
    return (
        RACK * (np.sin(a) - 0.5 * np.sin(2.0 * a)),
        RACK * w * (np.cos(a) - np.cos(2.0 * a)),
        RACK * w * w * (2.0 * np.sin(2.0 * a) - np.sin(a)),
    )


class Compared:
    """A system with forces and accelerations by vectors, and its own Radau."""

    def __init__(self, system) -> None:  # type: ignore[no-untyped-def]
        self.system = system
        names = [one.quantity.name for one in system.outputs]
        forces = [name for name in names if _is_force(name)]
        motions = [name for name in names if MOTION.search(name)]
        self.f = system.functions("f", outputs=[*forces, *motions])
        self._forces = len(forces)
        vectors: dict[str, list[int]] = {}
        for k, name in enumerate([*forces, *motions]):
            found = MOTION.search(name)
            vectors.setdefault(
                name[: found.start()] + found.group()[:-2] if found else name[:-1], []
            ).append(k)
        self.vectors = vectors

    def compared(
        self, t: np.ndarray, x: np.ndarray, u: Callable[[float], tuple[float, ...]]
    ) -> np.ndarray:
        """Forces, and rates of bodies' velocities along the motion, by central differences."""
        n, size = len(self.f.states), 1e-6
        inputs = (np.array([u(instant + by) for instant in t]) for by in (0.0, size, -size))
        now = self.f.f(x, next(inputs))
        later, before = (
            self.f.f(x + by * now[:, :n], u_by)[:, n + self._forces :]
            for by, u_by in zip((size, -size), inputs, strict=True)
        )
        return np.hstack([now[:, n : n + self._forces], (later - before) / (2.0 * size)])

    def radau(
        self, start: dict[str, float], duration: float, u: Callable[[float], tuple[float, ...]]
    ) -> np.ndarray:
        n, size = len(self.f.states), 1e-6
        moved = size * np.eye(n)

        def jacobian(t: float, x: np.ndarray) -> np.ndarray:
            around = np.concatenate([x + moved, x - moved])
            rates = self.f.f(around, np.tile(u(t), (2 * n, 1)))[:, :n]
            return (rates[:n] - rates[n:]).T / (2.0 * size)

        instants = np.arange(0.0, duration + 1e-9, INTERVAL)
        x = np.array([start[name] for name in self.f.states])
        found = solve_ivp(
            lambda t, x: self.f.f(x, np.array(u(t)))[:n], (0.0, duration), x, "Radau", instants,
            rtol=1e-7, atol=1e-9, max_step=5e-3, jac=jacobian,
        )  # fmt: skip
        return self.compared(instants, found.y.T, u)

    def errors(self, run, expected: np.ndarray, u) -> dict[str, float]:  # type: ignore[no-untyped-def]
        x = np.column_stack([run[name] for name in self.f.states])
        off = self.compared(run.time, x, u) - expected
        return {
            vector: float(np.abs(off[:, own]).max() / np.ptp(expected[:, own], axis=0).max())
            for vector, own in self.vectors.items()
        }


MOTION = re.compile(r"\.(angular_)?velocity\.[xyz]$")  # of bodies


GROUPS = {
    "forces": r".*(F|force\.)",
    "accelerations of the chassis": r"chassis\..*",
    "accelerations of uprights and wheels": r".*_(upright|wheel)\..*",
    "accelerations of arms and rods": r".*_(arm|rod)\..*velocity",
}


def _is_force(name: str) -> bool:
    component, _, entry = name.partition(".")
    bushing = component.endswith(("_front", "_rear", "_bushing")) and entry in ("Fx", "Fy", "Fz")
    return bushing or (component.endswith(("_ball", "_top")) and entry[:-1] == "reaction.force.")


def bench_accuracy_against_radau() -> None:
    """Steps of 1 ms by row4 have all forces and accelerations to 1 %, by row3 all forces, and
    accelerations of the chassis.

    Arms and rods of 1 to 6 kg swing on their bushings by several radians a step; there row3 is less
    exact in accelerations, which are what large forces leave.
    """
    print()
    kerb = at.Step(x=KERB_AT, rise=0.04, length=0.4)
    system = bushed_wishbone_car(surface=kerb).formulate()
    compared = Compared(system)
    settings = {"record_interval": INTERVAL, "outputs": [], "watch": False}
    worst: dict[tuple[str, str, float], float] = {}
    for case, speed, place, duration in (
        ("lane change", 20.0, -200.0, 2.2),
        ("kerb", 10.0, 58.3, 0.6),
    ):
        share = speed / SPEED
        settled = system.simulate(
            4.0, step=1e-3, method="row4",
            initial={name: value * share for name, value in ROLLING.items()} | {"free.x": -400.0},
            **settings,
        )  # fmt: skip
        start = {name: float(settled[name][-1]) for name in compared.f.states} | {"free.x": place}
        steered = case == "lane change"
        inputs = {"steering.position": rack_course(TIME)} if steered else {}
        u = rack_motion if steered else lambda t: (0.0, 0.0, 0.0)
        expected = compared.radau(start, duration, u)
        for method in ("ros2", "row3", "row4"):
            for step in (1e-3, 5e-4):
                run = system.simulate(
                    duration, step=step, method=method, initial=start, inputs=inputs, **settings
                )
                errors = compared.errors(run, expected, u)
                for group, mask in GROUPS.items():
                    own = {name: e for name, e in errors.items() if re.fullmatch(mask, name)}
                    name = max(own, key=own.__getitem__)
                    print(f"{case}, {method}, {1e3 * step:g} ms:", end=" ")
                    print(f"{group} {100 * own[name]:.2g} % ({name})")
                    place = group, method, step
                    worst[place] = max(worst.get(place, 0.0), own[name])
    for place, group in enumerate(GROUPS):
        assert worst[group, "row4", 1e-3] < 0.001
        assert place > 1 or worst[group, "row3", 1e-3] < 0.01
    assert worst["accelerations of uprights and wheels", "row3", 5e-4] < 0.01
