"""What a rig is told of an axle: a model whose body is fixed to the ground, and its frames."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.errors import ModelError
from axletree.model.model import Model


@dataclass(frozen=True)
class WheelOnRig:
    """Names of the frames of one wheel in the model; a frame is ``body.frame`` or a body.

    ``hub`` has its origin at the wheel centre and is fixed to the upright, with y along the spin
    axis to the left. The kingpin goes from ``kingpin[0]``, the lower point, to ``kingpin[1]``;
    an axle without a kingpin has none. ``spring`` and ``damper`` are the frames at their ends.
    ``spin`` is the coordinate of the wheel's own rotation, where the model has a wheel.
    """

    hub: str
    kingpin: tuple[str, str] | None = None
    spring: tuple[str, str] | None = None
    damper: tuple[str, str] | None = None
    spin: str | None = None


@dataclass(frozen=True)
class AxleOnRig:
    """An axle whose body is fixed to the ground, in axes with x forward, y left, z up and the
    origin on the road under the wheel centres at design.

    ``rack`` is the coordinate of the rack, positive to the left, of an axle that is steered.
    """

    model: Model
    left: WheelOnRig
    right: WheelOnRig
    wheel_height: float  # [m] of the wheel centres above the road at design
    tyre_radius: float  # [m] of the rigid disc that stands on the road
    rack: str | None = None

    @property
    def wheels(self) -> tuple[WheelOnRig, WheelOnRig]:
        """Left, right."""
        return self.left, self.right

    def check(self) -> None:
        """Refuse what no rig can hold."""
        for name in ("wheel_height", "tyre_radius"):
            value = getattr(self, name)
            if not 0.0 < value < 10.0:
                raise ModelError(
                    f"{self.model.name}: {name} is {value:g} m; a rig takes wheels with a height "
                    "and a radius between 0 and 10 m"
                )
