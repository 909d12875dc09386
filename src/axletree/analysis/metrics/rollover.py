"""How near a vehicle is to tipping over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric, several_named

SIDES = ("left", "right")


@dataclass(frozen=True)
class Rollover(Metric):
    """By the loads of the wheels of axles that roll together.

    The load transfer ratio is |sum of (left - right)| / sum of (left + right); at 1 all wheels of a
    side are off the ground.
    """

    summary: ClassVar[str] = "load transfer ratio and wheels that lift"
    needs: ClassVar[tuple[str, ...]] = ()

    axles: tuple[str, ...] = several_named("axles by their names in the model")

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(f"{axle}_{side}_tyre.Fz" for axle in self.axles for side in SIDES)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        loads = np.array([run[name] for name in self.reads])
        left, right = loads[::2], loads[1::2]
        difference, total = (left - right).sum(axis=0), (left + right).sum(axis=0)
        moved = np.abs(difference) / np.maximum(total, np.finfo(float).tiny)
        standing = np.maximum(loads[:, :1], np.finfo(float).tiny)
        least = float(np.min(loads / standing))
        lifted = int(np.sum(np.any(loads <= 0.0, axis=1)))
        return (
            Finding("load_transfer_ratio", float(np.max(moved)), "1",
                    "greatest load transfer ratio"),
            Finding("least_wheel_load", 100.0 * least, "%",
                    "least load of a wheel over that at the beginning"),
            Finding("wheels_lifted", float(lifted), "1", "number of wheels that left the ground"),
        )  # fmt: skip
