"""A fifth wheel, as that of tractors and semitrailers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import optional_parameter, parameter
from axletree.library.forces.rotational_spring_damper import RotationalSpringDamper
from axletree.library.frame import Frame
from axletree.model.model import Model
from axletree.vehicles.hitches.contract import Hitch, X, Y, Z


@dataclass(frozen=True)
class FifthWheel(Hitch):
    """A plate that pitches on the towing unit, and the kingpin of the trailer that turns in it.

    The trailer rolls with the towing unit as long as it is straight behind it. With a
    ``roll_stiffness`` there is a spring about x of the towing unit below the plate: what its frame
    and the plate give way.

    Example:
    >>> from axletree.vehicles.hitches.fifth_wheel import FifthWheel
    >>> plate = FifthWheel(position=-2.8, height=1.2, coupling=5.5, roll_stiffness="3 MN*m/rad")
    >>> plate.roll_stiffness, plate.couples_roll  # N m/rad
    (3000000.0, True)
    """

    summary: ClassVar[str] = "a fifth wheel: pitch and yaw are free, roll is rigid or a spring"
    couples_roll: ClassVar[bool] = True
    usual_share: ClassVar[tuple[float, float]] = (0.15, 0.55)

    roll_stiffness: float | None = optional_parameter(
        "N*m/rad", "about x of the towing unit; rigid without it", lower=0.0, above=True
    )
    roll_damping: float = parameter(
        "N*m*s/rad", "likewise; only with a roll_stiffness", default=0.0, lower=0.0
    )

    def problems(self) -> list[str]:
        if self.roll_damping and self.roll_stiffness is None:
            return ["roll_damping needs a roll_stiffness; without it the hitch is rigid in roll"]
        return []

    def add(self, model: Model, name: str, tail: Frame, head: Frame) -> None:
        roll = f"{name}_roll"
        springs = ((roll, X),) if self.roll_stiffness is not None else ()
        self._add_turns(model, tail, head, (*springs, (f"{name}_pitch", Y), (name, Z)))
        if self.roll_stiffness is not None:
            spring = RotationalSpringDamper(
                f"{roll}_stiffness", model[roll], self.roll_stiffness, self.roll_damping
            )
            model.add(spring)
        self._add_resistance(model, name)
