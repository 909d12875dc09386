"""Runs that tests of animations look at, made once for all of them."""

from __future__ import annotations

from functools import cache

import numpy as np
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.reports.animation.animation import Animation
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.trajectory import Trajectory


@cache
def skidder_run() -> Trajectory:
    """Two seconds of an articulated machine that turns."""
    model, system = at.read_model("skidder"), shipped_system("skidder")
    return system.simulate(2.0, step=model.run.step, inputs=model.run.inputs, record_interval=0.01)


def soil_bin_ride(sunk: np.ndarray, steer: str = "0") -> Animation:
    """Drawn along at 0.5 m/s for 2 s: no run, but states that give the sinkages [m] away."""
    model, system = at.read_model("soil-bin"), shipped_system("soil-bin")
    time = np.linspace(0.0, 2.0, len(sunk))
    columns = {q.name: np.full_like(time, q.default) for q in system.states}
    columns |= {"lift.position": 0.4 - sunk, "lift.speed": -np.gradient(sunk, time)}
    units = {q.name: q.unit for q in system.states}
    run = Trajectory(system.name, time, columns, units, tuple(columns))
    facts = RunFacts({**model.run.inputs, "slip_angle.angle": steer})
    return at.animation(model, run, system=system, facts=facts)
