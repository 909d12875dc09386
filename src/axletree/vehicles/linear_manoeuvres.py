"""Manoeuvres that a linear single-track model can drive: steered, at constant speed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.follow_path import FollowPath
from axletree.model.manoeuvres.frequency_sweep import FrequencySweep
from axletree.model.manoeuvres.pulse_steer import PulseSteer
from axletree.model.manoeuvres.ramp_steer import RampSteer
from axletree.model.manoeuvres.sine_steer import SineSteer
from axletree.model.manoeuvres.sine_with_dwell import SineWithDwell
from axletree.model.manoeuvres.step_steer import StepSteer
from axletree.model.model import Model

STEERED = (
    StepSteer, RampSteer, SineSteer, PulseSteer, FrequencySweep, SineWithDwell, FollowPath
)  # fmt: skip
REASON = (
    "the linear model goes on at constant speed and is steered alone: it has no drive, no brakes "
    "and no resistance; take another fidelity, such as single-track"
)


def keep_steered(model: Model, manoeuvres: Mapping[str, Manoeuvre]) -> None:
    """Give a model those that only steer, and the reason why it does not have the others."""
    for name, manoeuvre in manoeuvres.items():
        if isinstance(manoeuvre, STEERED):
            # Nothing slows it down, and no throttle has to make up for that.
            model.manoeuvres[name] = replace(manoeuvre, driven_by=())
        else:
            model.left_out[name] = REASON
