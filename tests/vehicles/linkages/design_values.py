"""Design values of two suspensions, from a solver that is independent of the package.

SI units and radians; rates by wheel travel at held rack, and by rack at held travel.
"""

from __future__ import annotations

from typing import Final

DOUBLE_WISHBONE: Final = {
    "toe": 0.0017453292519943294,
    "camber": -0.008726646259971648,
    "dtoe_dz": -0.04291800815108147,
    "dcamber_dz": -0.46607835772290557,
    "dtoe_drack": 8.052631592082633,
    "dcamber_drack": -1.0220133529175837,
    "roll_centre_height": 0.09636611586217536,
    "front_view_ic_y": -1.3881386661398578,
    "front_view_ic_z": 0.2717661703295648,
    "side_view_ic_x": -3.1179353155272906,
    "side_view_ic_z": 0.29725214090934315,
    "tan_brake": 0.09510396399210747,
    "tan_drive": -0.004088557907911892,
    "anti_dive_outboard_pct": 30.346810328390657,
    "anti_dive_inboard_pct": -1.304621659706431,
    "caster": 0.13029215972909317,
    "kpi": 0.1539446644583497,
    "trail": 0.032276950149136285,
    "scrub": 0.023943859556305642,
    "hub_trail": -0.008258177812191675,
    "hub_offset": 0.06941107067520362,
    "spring_length": 0.47066442397954833,
    "motion_ratio": 0.604416720436909,
}

MACPHERSON: Final = {
    "toe": 0.0008726646259971649,
    "camber": -0.005235987755982988,
    "dtoe_dz": -0.1101921646358053,
    "dcamber_dz": -0.3027439087709619,
    "dtoe_drack": 7.73708433833322,
    "dcamber_drack": -0.5220166141842869,
    "roll_centre_height": 0.07169566689414592,
    "front_view_ic_y": -2.549856326723649,
    "front_view_ic_z": 0.3133339228678016,
    "side_view_ic_x": -5.488133401844842,
    "side_view_ic_z": 0.3500941262590614,
    "tan_brake": 0.06358853009536221,
    "tan_drive": 0.009127716582512768,
    "anti_dive_outboard_pct": 20.290521875883762,
    "anti_dive_inboard_pct": 2.9125713822381654,
    "caster": 0.06859450345427459,
    "kpi": 0.21057195683620386,
    "trail": 0.01701615080812538,
    "scrub": -0.005847764248623543,
    "hub_trail": -0.0035382894938097726,
    "hub_offset": 0.056720666589221806,
    "spring_length": 0.41701318923986086,
    "motion_ratio": 0.9573728737897631,
}
