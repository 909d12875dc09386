"""The register: one ``"module:attribute"`` line for each thing that can be asked for by name.

A new entry is one new file and one line here; the object is loaded when it is first used.
"""

from __future__ import annotations

INTEGRATORS = {
    "explicit-euler": "axletree.simulation.integrators.explicit_euler:METHOD",
    "semi-implicit-euler": "axletree.simulation.integrators.semi_implicit_euler:METHOD",
    "rk4": "axletree.simulation.integrators.rk4:METHOD",
    "rk45": "axletree.simulation.integrators.rk45:METHOD",
    "dop853": "axletree.simulation.integrators.dop853:METHOD",
    "radau": "axletree.simulation.integrators.radau:METHOD",
    "bdf": "axletree.simulation.integrators.bdf:METHOD",
    "lsoda": "axletree.simulation.integrators.lsoda:METHOD",
    "cvode": "axletree.simulation.integrators.cvode:METHOD",
    "ida": "axletree.simulation.integrators.ida:METHOD",
}

EXPORTS = {
    "c": "axletree.export.c_project:write_c_project",
}
