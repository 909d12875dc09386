"""The ground: its shape and its friction from place to place."""

from __future__ import annotations

SURFACES = {
    "flat": "axletree.library.surfaces.flat:Flat",
    "bump": "axletree.library.surfaces.bump:Bump",
    "step": "axletree.library.surfaces.step:Step",
    "ramp": "axletree.library.surfaces.ramp:Ramp",
    "sine": "axletree.library.surfaces.sine:Sine",
    "hill": "axletree.library.surfaces.hill:Hill",
    "banked-curve": "axletree.library.surfaces.banked_curve:BankedCurve",
    "bicubic": "axletree.library.surfaces.bicubic:Bicubic",
    "random-road": "axletree.library.surfaces.random_road:RandomRoad",
    "sum": "axletree.library.surfaces.surface_sum:SurfaceSum",
}

FRICTION_MAPS = {
    "none": "axletree.library.friction_maps.none:NoFrictionMap",
    "uniform": "axletree.library.friction_maps.uniform:UniformFriction",
    "split": "axletree.library.friction_maps.split:SplitFriction",
    "cells": "axletree.library.friction_maps.cells:FrictionCells",
}
