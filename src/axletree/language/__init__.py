"""The analyst's language: mechanics written by hand in SymPy.

After Lot and Massaro 2017, *A symbolic approach to the multi-body modelling of road vehicles*:
frames, points and vectors, a base that moves, small variables, bodies and loads, constraints;
Newton's, Lagrange's and Kane's equations; and the way to a system that runs.

Example:
>>> from axletree.language import POINT_MASS, TIME, Body, Force, Load, World, rate, variable
>>> base = World().base
>>> stone = Body("stone", base, 2, POINT_MASS)  # kg; nothing turns it
>>> isinstance(Force("push", base.vector(1), base.origin, stone), Load)  # N; a Torque is, too
True
>>> rate(variable("x")) == variable("x").diff(TIME)  # m/s; TIME is in s
True
"""

from axletree.language.assembly import Assembly
from axletree.language.bodies import POINT_MASS, Body, Force, Load, Torque, inertia
from axletree.language.constraints import Constraint
from axletree.language.cyclic import cyclic
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.frames import Frame
from axletree.language.generalised_speeds import GeneralisedSpeeds
from axletree.language.joints import (
    cylindrical,
    planar,
    prismatic,
    revolute,
    rod,
    spherical,
)
from axletree.language.mount import Mount
from axletree.language.moving_base import MovingBase
from axletree.language.points import Point
from axletree.language.readable import readable, written
from axletree.language.small import Small
from axletree.language.state_space import StateSpace, state_space
from axletree.language.transformations import (
    rotation,
    rotation_x,
    rotation_y,
    rotation_z,
    translation,
)
from axletree.language.variables import TIME, parameters, rate, variable, variables
from axletree.language.vectors import Vector
from axletree.language.world import World

__all__ = [
    "POINT_MASS",
    "TIME",
    "Assembly",
    "Body",
    "Constraint",
    "Equation",
    "Force",
    "Frame",
    "GeneralisedSpeeds",
    "LanguageError",
    "Load",
    "Mount",
    "MovingBase",
    "Point",
    "Small",
    "StateSpace",
    "Torque",
    "Vector",
    "World",
    "cyclic",
    "cylindrical",
    "inertia",
    "parameters",
    "planar",
    "prismatic",
    "rate",
    "readable",
    "revolute",
    "rod",
    "rotation",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "spherical",
    "state_space",
    "translation",
    "variable",
    "variables",
    "written",
]
