"""Runs that end early: values that are not finite, and the keyboard."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from axletree.expr import sqrt, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.simulation import fixed_step
from axletree.simulation.simulate import StoppedRunError, simulate
from axletree.system.system import Definition, System

pytestmark = pytest.mark.shipped_flags


@pytest.mark.parametrize("compiler", ["", "none"])
def test_a_state_that_is_not_finite_stops_the_run(
    runaway: System, compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXLETREE_CC", compiler)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(StoppedRunError) as caught:
            simulate(runaway, 3.0, step=0.01)
    message, run = str(caught.value), caught.value.trajectory
    last = run.time[-1]
    assert f"at t = {last + 0.01:.9g} s the state 'x'" in message
    assert f"its last good value was {run['x'][-1]:.9g} m at t = {last:.9g} s" in message
    assert "smaller step" in message
    assert not run.complete
    assert 1.0 <= last < 1.5
    assert np.isfinite(run["x"]).all()


def test_an_output_that_is_not_finite_stops_the_run(runaway: System) -> None:
    """sqrt(2 - x) has no value once x = 1 / (1 - t) has passed 2, at t = 0.5."""
    quantity = Quantity("depth", "m", "Depth.", Role.OUTPUT)
    output = Definition(quantity, sqrt(2.0 - symbol("x")))
    system = System(
        runaway.name, runaway.time, runaway.states, (), (), runaway.derivatives, (output,), (), None
    )
    for settings in ({"step": 0.001}, {"method": "rk45", "record_interval": 0.001}):
        with pytest.raises(StoppedRunError, match="the output 'depth' is nan") as caught:
            simulate(system, 0.8, **settings)
        assert caught.value.trajectory.time[-1] == pytest.approx(0.5, abs=0.002)
    assert simulate(system, 0.8, step=0.001, outputs=[]).complete


def test_an_output_of_states_that_ran_away_blames_the_step(runaway: System) -> None:
    """x = exp(1000 t) is finite long after its square is not."""
    x = symbol("x")
    area = Definition(Quantity("area", "m^2", "Area.", Role.OUTPUT), x * x)
    still = runaway.derivatives[0]
    system = replace(runaway, derivatives=(still, 1000.0 * x), outputs=(area,))
    with pytest.raises(StoppedRunError, match="for 'x' has grown to .*e.* m; try a smaller step"):
        simulate(system, 1.0, step=0.001)


def test_an_interrupt_keeps_what_was_recorded(
    oscillator: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Impatient:
        """Stands for a user who presses Ctrl-C at the second look at the keyboard."""

        def __init__(self, duration: float) -> None:
            self.looks = 0

        def __enter__(self) -> Impatient:
            return self

        def __exit__(self, *details: object) -> None:
            pass

        def show(self, done: float) -> None:
            self.looks += 1
            if self.looks == 2:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(fixed_step, "Progress", Impatient)
    run = simulate(oscillator, 1000.0, step=0.01, record_interval=0.1)
    assert not run.complete
    assert run.note == "interrupted from the keyboard"
    assert fixed_step.FIRST_CHUNK // 10 < len(run) < 10001
    np.testing.assert_allclose(run["mass.position"], np.cos(2.0 * run.time), atol=1e-3)


LONG_RUN = """
from axletree.core.progress import Progress
from axletree.expr import symbol
from axletree.expr.quantity import Quantity, Role
from axletree.simulation import fixed_step
from axletree.simulation.simulate import simulate
from axletree.system.system import System
class Watched(Progress):
    def show(self, done):
        print("stepping", flush=True)
        Watched.show = Progress.show
        super().show(done)
x, v = symbol("x"), symbol("v")
states = (Quantity("v", "m/s", "", Role.SPEED), Quantity("x", "m", "", Role.COORDINATE, 1.0))
time = Quantity("time", "s", "", Role.TIME)
system = System("long", time, states, (), (), (-x, v), (), (), None)
fixed_step.Progress = Watched
run = simulate(system, 1e9, step=1e-3, record_interval=1e6)
print("complete" if run.complete else "incomplete", len(run) > 0)
"""


def test_a_real_signal_ends_a_long_run() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_RUN],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "stepping\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60.0)
    finally:
        process.kill()  # one that does not hear stays behind otherwise
        process.communicate()
    assert out == "incomplete True\n", err


@pytest.mark.slow
def test_tests_hear_ctrl_c_in_the_background() -> None:
    """A shell starts what runs in the background with the signal ignored."""
    tests = f"{__file__}::{test_a_real_signal_ends_a_long_run.__name__}"
    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    script = ["/bin/sh", "-c", 'trap "" INT; exec "$0" "$@"', *call]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    root = Path(__file__).parents[2]
    done = subprocess.run(script, env=environment, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
