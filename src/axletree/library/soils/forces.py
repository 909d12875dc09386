"""What the soil exerts on a wheel."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.library.soils.soil import Value


@dataclass(frozen=True)
class SoilForces:
    """What the soil exerts on a wheel that travels forward, and where."""

    sinkage: Value  # z [m]; of laws that know none, 0
    entry_angle: Value  # theta_1 [rad], ahead of the lowest point
    peak_angle: Value  # theta_m [rad], of the greatest pressure
    exit_angle: Value  # theta_2 [rad], negative behind the lowest point
    normal_force: Value  # F_n [N], upward
    gross_traction: Value  # F_t [N], forward
    compaction_resistance: Value  # F_c [N], backward
    rolling_moment: Value  # T_rr [N m], against the rotation
    lateral_force: Value  # F_y [N], to the left
    torque: Value  # T [N m], that the wheel needs to turn steadily
    aligning_moment: Value = 0.0  # M_z [N m], about the normal
    overturning_moment: Value = 0.0  # M_x [N m], about the forward direction
    plastic_force: Value = 0.0  # [N], part of F_n that a wheel which rises does not get back
    touch_stiffness: Value = 0.0  # [N/m], that meets a wheel from the air
    stored_energy: Value = 0.0  # U [J], that it takes to sink in so far

    @property
    def drawbar_pull(self) -> Value:
        """F_t - F_c [N], what is left to pull with."""
        return self.gross_traction - self.compaction_resistance
