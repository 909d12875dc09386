"""Fields of gearboxes and axles, which the drive of an axle and a vehicle's description share."""

from __future__ import annotations

from typing import Any

from axletree.core.errors import ModelError
from axletree.library.curve import numbers_in
from axletree.library.fields import optional_parameter, parameter, structure


def gear_ratios() -> Any:
    """Ratios, each above 0 and below the one before."""

    def check(value: Any) -> tuple[float, ...]:
        ratios = numbers_in(value, "1", "ratios")
        falls = all(a > b for a, b in zip(ratios, ratios[1:], strict=False))
        if not ratios or min(ratios) <= 0.0 or not falls:
            raise ModelError(
                f"{list(ratios)} are no gears: expected ratios above 0 that fall, first gear first"
            )
        return ratios

    return structure("ratios", "ratios of the gears, first gear first", check, (1.0,))


def shift_rate() -> Any:
    """The speed at which gears are changed."""
    return parameter(
        "rad/s", "speed of the source at which the next gear is taken", default=0.0, lower=0.0
    )


def cruise_rate() -> Any:
    """Likewise with the pedal released."""
    return optional_parameter(
        "rad/s", "likewise with the pedal released, in proportion between; left out: the same",
        lower=0.0, above=True,
    )  # fmt: skip


def final_drive() -> Any:
    """The ratio behind the gearbox."""
    return parameter(
        "1", "turns of the gearbox's shaft per turn of the wheels", default=1.0, lower=0.0,
        above=True,
    )  # fmt: skip


def torque_share() -> Any:
    """What an axle gets of a source."""
    return parameter(
        "1", "of the source's torque, where it drives other axles too", default=1.0, lower=0.0,
        upper=1.0, above=True,
    )  # fmt: skip


def gear_efficiency() -> Any:
    """What is left of torque that drives."""
    return parameter(
        "1", "of gears and shafts, for torque that drives", default=1.0, lower=0.0, upper=1.0,
        above=True,
    )  # fmt: skip
