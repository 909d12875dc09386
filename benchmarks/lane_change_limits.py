"""What limits vehicles in the lane changes of ISO 3888: driver, yaw dynamics or grip.

For each vehicle the highest speed that passes is found three times, beside the bound that the lanes
set to anything of its outline:

- by the driver as shipped, with hands of a lag of 50 ms that turn the wheel by 1000 deg/s at most;
- by a driver whose hands have next to no lag and turn it as quickly as they like, which searches
  with bells of curvature half as far apart: what is gained is the driver's share of the limit;
- by that driver in the vehicle with a quarter of its yaw inertia: what is gained is the share of
  yaw dynamics, which the bound does not know.

    python benchmarks/lane_change_limits.py sedan suv

Takes some minutes a vehicle on one core. Without names: all ten vehicles.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import axletree as at
from axletree.analysis import practice
from axletree.analysis.procedures.contract import ProcedureResult
from axletree.model.model import Model

VEHICLES = (
    "sedan", "compact-car", "sports-car", "formula-student", "suv", "van", "truck-4x2",
    "car-with-caravan", "car-with-tail-heavy-caravan", "tractor-semitrailer",
)  # fmt: skip
PROCEDURES = {"iso-3888-1": at.DoubleLaneChange, "iso-3888-2": at.ObstacleAvoidance}
QUICK = {"driver.reaction": 2e-3, "driver.hand_rate": 150.0}  # s, rad/s
LIGHTER = 0.25
INERTIAS = ("body.inertia.yy", "body.inertia.zz")  # no body has one of them without the other


@contextmanager
def unlimited_hands() -> Iterator[None]:
    with patch.object(practice, "QUICKEST_HANDS", math.inf), patch.object(practice, "_APART", 0.1):
        yield


def highest(model: Model, name: str, parameters: Mapping[str, float]) -> ProcedureResult:
    """With other parameters of the manoeuvre than the vehicle proposes."""
    known: Any = model.manoeuvres[name]
    object.__setattr__(known, "parameters", {**known.parameters, **parameters})
    return model.procedure(PROCEDURES[name]())


def measure(vehicle: str, name: str) -> str:
    begun = time.process_time()
    plain = highest(at.read_model(vehicle), name, {})
    shipped = time.process_time() - begun
    speeds = [plain["highest_speed"]]
    with unlimited_hands():
        speeds.append(highest(at.read_model(vehicle), name, QUICK)["highest_speed"])
        own = at.read_model(vehicle).formulate().parameters
        light = {**QUICK, **{name: LIGHTER * own[name].default for name in INERTIAS}}
        speeds.append(highest(at.read_model(vehicle), name, light)["highest_speed"])
    cells = [vehicle, name, *(f"{one:.0f}" for one in (*speeds, plain["bound_speed"]))]
    return " | ".join([*cells, f"{plain['grip_share']:.0f}", f"{shipped:.0f}"])


if __name__ == "__main__":
    print("vehicle | course | driver | hands without limits | and a quarter of the yaw inertia | "
          "bound [km/h] | peak over steady lateral acceleration [%] | CPU [s]")  # fmt: skip
    for one in sys.argv[1:] or VEHICLES:
        for course in PROCEDURES:
            print(measure(one, course), flush=True)
