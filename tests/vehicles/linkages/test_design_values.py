"""Quantities of suspensions at design against those of an independent solver.

Of the left wheel, with s its spin axis outward, W its centre, C the lowest point of its rim and k
the kingpin upward: toe = atan2(s_x, s_y), camber = -asin(s_z), caster = atan2(-k_x, k_z), kingpin
inclination = atan2(-k_y, k_z); heading h = s x e_z, outward n = e_z x h, both level.
"""

from __future__ import annotations

import numpy as np
import pytest
from vehicles.linkages.design_values import DOUBLE_WISHBONE, MACPHERSON
from vehicles.linkages.linkage_samples import SAMPLES

from axletree.vehicles.linkages.kingpin import kingpin_axis
from axletree.vehicles.linkages.positions import LinkageKinematics

EZ = np.array([0.0, 0.0, 1.0])
WHEELBASE, HEIGHT, FRONT_SHARE = 2.7, 0.55, 0.65  # m, m, of braking


def quantities(name: str) -> dict[str, float]:
    """All of them, by the names of the published ones."""
    kinematics = LinkageKinematics(SAMPLES[name]().linkage())
    linkage = kinematics.linkage
    at, carrier = kinematics.at(np.zeros((1, 3))), linkage.carriers["left"]
    s, W = np.array(carrier.spin_axis), np.array(carrier.centre)
    w, v = at.w[0, at.order[carrier.link]].T, at.point_rate(carrier.link, carrier.centre)[0].T
    down = -(EZ - s[2] * s) / np.linalg.norm(EZ - s[2] * s)
    C = W + W[2] * down
    contact = at.point_rate(carrier.link, tuple(C))[0].T
    turning = np.cross(w, s)
    toe = (turning[:, 0] * s[1] - s[0] * turning[:, 1]) / (s[0] ** 2 + s[1] ** 2)
    camber = -turning[:, 2] / np.sqrt(1.0 - s[2] ** 2)
    found = {
        "toe": np.arctan2(s[0], s[1]), "camber": -np.arcsin(s[2]),
        "dtoe_dz": toe[0], "dcamber_dz": camber[0],
        "dtoe_drack": toe[2], "dcamber_drack": camber[2],
        "roll_centre_height": C[1] * contact[0, 1] / contact[0, 2],
        "front_view_ic_y": W[1] - v[0, 2] / w[0, 0], "front_view_ic_z": W[2] + v[0, 1] / w[0, 0],
        "side_view_ic_x": W[0] + v[0, 2] / w[0, 1], "side_view_ic_z": W[2] - v[0, 0] / w[0, 1],
        "tan_brake": contact[0, 0] / contact[0, 2], "tan_drive": v[0, 0] / v[0, 2],
    }  # fmt: skip
    dive = 100.0 * FRONT_SHARE * WHEELBASE / HEIGHT
    found["anti_dive_outboard_pct"] = dive * found["tan_brake"]
    found["anti_dive_inboard_pct"] = dive * found["tan_drive"]
    point, along = (one[0] for one in kingpin_axis(kinematics, at, "left"))
    found |= {"caster": np.arctan2(-along[0], along[2]), "kpi": np.arctan2(-along[1], along[2])}
    h = np.cross(s, EZ) / np.linalg.norm(np.cross(s, EZ))
    n = np.cross(EZ, h)
    G, H = (point + along * (z - point[2]) / along[2] for z in (C[2], W[2]))
    found |= {"trail": (G - C) @ h, "scrub": (C - G) @ n}
    found |= {"hub_trail": (H - W) @ h, "hub_offset": (W - H) @ n}
    coil = linkage.coils[0]
    links = coil.first, coil.second
    found["spring_length"] = at.length(links, coil.ends)[0]
    found["motion_ratio"] = -at.length_rate(links, coil.ends)[0, 0]
    return {name: float(value) for name, value in found.items()}


@pytest.mark.parametrize(
    ("name", "published"), [("double-wishbone", DOUBLE_WISHBONE), ("macpherson", MACPHERSON)]
)
def test_values_at_design(name: str, published: dict[str, float]) -> None:
    found = quantities(name)
    assert found.keys() == published.keys()
    for what, value in published.items():
        assert found[what] == pytest.approx(value, rel=1e-10, abs=1e-12), what
