"""The analyst's language: mechanics written by hand in SymPy.

After Lot and Massaro 2017, *A symbolic approach to the multi-body modelling of road vehicles*:
frames, points and vectors, a base that moves, small variables, bodies and loads, constraints;
Newton's, Lagrange's and Kane's equations; and the way to a system that runs.

Read ``variables`` and ``expressions`` (with ``Equation``), ``transformations``, ``frames`` (points
and vectors, too) and ``world`` (a base that moves, what is small); ``bodies`` and their loads,
``constraints`` and ``joints``; ``assembly`` with its equations in ``newton``, ``lagrange``
(cyclic coordinates, too) and ``kane``; at last ``first_order``, ``implicit_form`` and
``state_space``.

Example:
>>> from axletree.language import Body, Force, Load, POINT_MASS, TIME, World, rate, variable
>>> base = World().base
>>> stone = Body("stone", base, 2, POINT_MASS)  # kg; nothing turns it
>>> isinstance(Force("push", base.vector(1), base.origin, stone), Load)  # N; a Torque is, too
True
>>> rate(variable("x")) == variable("x").diff(TIME)  # m/s; TIME is in s
True
"""

from __future__ import annotations

from axletree.language.assembly import Assembly
from axletree.language.bodies import POINT_MASS, Body, Force, Load, Torque, inertia
from axletree.language.constraints import Constraint
from axletree.language.expressions import Equation, readable, written
from axletree.language.frames import Frame, Point, Vector
from axletree.language.joints import Mount, cylindrical, planar, prismatic, revolute, rod, spherical
from axletree.language.kane import GeneralisedSpeeds
from axletree.language.lagrange import cyclic
from axletree.language.state_space import StateSpace, state_space
from axletree.language.transformations import (
    rotation,
    rotation_x,
    rotation_y,
    rotation_z,
    translation,
)
from axletree.language.variables import TIME, LanguageError, parameters, rate, variable, variables
from axletree.language.world import MovingBase, Small, World

__all__ = [
    "POINT_MASS", "TIME", "Assembly", "Body", "Constraint", "Equation", "Force", "Frame",
    "GeneralisedSpeeds", "LanguageError", "Load", "Mount", "MovingBase", "Point", "Small",
    "StateSpace", "Torque", "Vector", "World", "cyclic", "cylindrical", "inertia", "parameters",
    "planar", "prismatic", "rate", "readable", "revolute", "rod", "rotation", "rotation_x",
    "rotation_y", "rotation_z", "spherical", "state_space", "translation", "variable",
    "variables", "written",
]  # fmt: skip
