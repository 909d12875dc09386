"""What classes answer that are used where those of the catalogue are."""

from __future__ import annotations

from reference_page import Page, Python

from axletree.library.contract import Component, Instant, JointLoad, Response, SetValued
from axletree.library.differentials.contract import AxleDifferential
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.friction.rolling_resistances.contract import (
    RollingResistance,
    resisting_moment,
)
from axletree.library.friction_maps.contract import FrictionMap
from axletree.library.joint_reference import slide_of, sliding_joint, turn_of, turning_joint
from axletree.library.joints.joint import Joint
from axletree.library.part import Part
from axletree.library.paths.contract import Path
from axletree.library.power_sources.contract import PowerSource
from axletree.library.soils.contract import SoilLaw
from axletree.library.surfaces.contract import Surface
from axletree.model.manoeuvres.metric import Metric
from axletree.vehicles.suspensions.contract import Suspension

CONTRACTS = Page(
    "contracts",
    "Components and parts of one's own",
    "What a class answers that stands where one of the catalogue does. Models and parts take\n"
    "objects of it as any others. [How it works](../how-it-works.md#where-to-add-what) tells\n"
    "where its file and its line go, if model files shall name it too. Laws of tyres are on\n"
    "[their page](tyre-laws.md#what-a-law-gets-and-returns).",
    (
        Python("Fields", (parameter, sliding_joint, turning_joint, slide_of, turn_of)),
        Python("Components", (Component, Joint)),
        Python(
            "What components get and answer", (Instant, Response, JointLoad, SetValued, Variable)
        ),
        Python(
            "Parts",
            (Part, Surface, FrictionMap, SoilLaw, Path, PowerSource, AxleDifferential, Suspension,
             RollingResistance, resisting_moment),
        ),
        Python("Metrics", (Metric,)),
    ),
    package="from axletree.library.contract import Component",
)  # fmt: skip
