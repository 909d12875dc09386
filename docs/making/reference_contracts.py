"""What classes answer that are used where those of the catalogue are."""

from __future__ import annotations

from reference_page import Page, Python

from axletree.components.contract import Component, Instant, JointLoad, Response, SetValued
from axletree.components.differentials import AxleDifferential
from axletree.components.edges import Variable
from axletree.components.fields import Part, parameter
from axletree.components.joints import Joint, slide_of, sliding_joint, turn_of, turning_joint
from axletree.components.power_sources import PowerSource
from axletree.ground.friction_maps import FrictionMap
from axletree.ground.paths import Path
from axletree.ground.surfaces import Surface
from axletree.metrics.contract import Metric
from axletree.vehicles.suspensions import Suspension
from axletree.wheel.friction_effects import RollingResistance, resisting_moment
from axletree.wheel.slip import heading
from axletree.wheel.soils.contract import SoilLaw
from axletree.wheel.wheel import Wheel, WheelOutputs

CONTRACTS = Page(
    "contracts",
    "Components and parts of one's own",
    "What a class answers that stands where one of the catalogue does. Models and parts take\n"
    "objects of it as any others. [How it works](../how-it-works.md#where-to-add-what) tells\n"
    "where its file and its line go, if model files shall name it too. Laws of tyres are on\n"
    "[their page](tyre-laws.md#what-a-law-gets-and-returns).",
    (
        Python("Fields", (parameter, sliding_joint, turning_joint, slide_of, turn_of)),
        Python("Components", (Component, Joint, Wheel, WheelOutputs)),
        Python(
            "What components get and answer", (Instant, Response, JointLoad, SetValued, Variable)
        ),
        Python(
            "Parts",
            (Part, Surface, FrictionMap, SoilLaw, Path, PowerSource, AxleDifferential, Suspension,
             RollingResistance, resisting_moment, heading),
        ),
        Python("Metrics", (Metric,)),
    ),
    package="from axletree.components.contract import Component",
)  # fmt: skip
