"""The register: one ``"module:attribute"`` line for each thing that can be asked for by name.

A new entry is one new file and one line in a part of this package; the object is loaded when
it is first used. ``__all__`` has the sections in the order in which they are shown.
"""

from __future__ import annotations

from axletree.catalogue.components import (
    COMPONENTS,
    DIFFERENTIALS,
    HITCHES,
    POWER_SOURCES,
    SUSPENSIONS,
)
from axletree.catalogue.files import FILE_SECTIONS, MODELS, PART_FILES, READY_TYRES, VEHICLES
from axletree.catalogue.friction import (
    ALIGNING_TORQUES,
    BORE_TORQUES,
    CAMBER_EFFECTS,
    FRICTION_SLIPS,
    LOAD_INFLUENCES,
    OVERTURNING_TORQUES,
    ROLLING_RESISTANCES,
)
from axletree.catalogue.paths import PATHS
from axletree.catalogue.runs import (
    EXPORTS,
    FORMS,
    INTEGRATORS,
    MANOEUVRES,
    METRICS,
    TRAJECTORY_FILES,
)
from axletree.catalogue.soils import (
    CONE_INDEX_LAWS,
    SOIL_LAWS,
    SOIL_PATCHES,
    SOIL_SUPPORTS,
    SOILS,
    TRACTION_SCHEMES,
)
from axletree.catalogue.surfaces import FRICTION_MAPS, SURFACES
from axletree.catalogue.tyres import (
    BELTS,
    BENCHES,
    CONTACT_DYNAMICS,
    CONTACTS,
    LEVERS,
    NORMAL_FORCES,
    RIMS,
    ROLLING_RADII,
    SLIPS,
    TYRES,
)

__all__ = [
    "COMPONENTS",
    "SUSPENSIONS",
    "HITCHES",
    "POWER_SOURCES",
    "DIFFERENTIALS",
    "NORMAL_FORCES",
    "CONTACTS",
    "RIMS",
    "BELTS",
    "CONTACT_DYNAMICS",
    "LEVERS",
    "SLIPS",
    "ROLLING_RADII",
    "TYRES",
    "READY_TYRES",
    "FRICTION_SLIPS",
    "ROLLING_RESISTANCES",
    "BORE_TORQUES",
    "CAMBER_EFFECTS",
    "LOAD_INFLUENCES",
    "OVERTURNING_TORQUES",
    "ALIGNING_TORQUES",
    "SURFACES",
    "FRICTION_MAPS",
    "PATHS",
    "SOILS",
    "SOIL_LAWS",
    "SOIL_PATCHES",
    "CONE_INDEX_LAWS",
    "SOIL_SUPPORTS",
    "TRACTION_SCHEMES",
    "PART_FILES",
    "FILE_SECTIONS",
    "MANOEUVRES",
    "METRICS",
    "BENCHES",
    "FORMS",
    "INTEGRATORS",
    "TRAJECTORY_FILES",
    "EXPORTS",
    "VEHICLES",
    "MODELS",
]
