"""Lines that a driver follows."""

from __future__ import annotations

PATHS = {
    "straight": "axletree.library.paths.straight:StraightPath",
    "circle": "axletree.library.paths.circle:CirclePath",
    "skid-pad": "axletree.library.paths.skid_pad:SkidPadPath",
    "slalom": "axletree.library.paths.slalom:SlalomPath",
    "iso-3888-1": "axletree.library.paths.lane_change:Iso38881Path",
    "iso-3888-2": "axletree.library.paths.lane_change:Iso38882Path",
    "circuit": "axletree.library.paths.circuit:CircuitPath",
    "centre-line": "axletree.library.paths.centre_line_path:CentreLinePath",
}
