"""The ground under a run: level planes, uneven ones as a mesh, patches, plates of posts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from axletree.library.contacts.soil_wheel import SoilWheel
from axletree.library.frame import GROUND
from axletree.library.part import within
from axletree.library.soils.soil_map import SoilMap
from axletree.library.soils.soil_patch import SoilPatch
from axletree.library.surfaces.contract import Surface
from axletree.library.surfaces.flat import Flat
from axletree.model.model import Model
from axletree.report.animation.courses import Courses, Poses
from axletree.report.animation.joined_bodies import Wheel
from axletree.report.animation.mesh import Mesh, box
from axletree.report.animation.scene import Actor, GroundMesh, Piece, quaternions

if TYPE_CHECKING:
    from axletree.report.animation.wheel_actors import ShownWheel

POINTS = 40_000  # of an uneven ground
MOST_POINTS = 65_535  # that indices of two bytes reach, of a ground that is very long
LEAST_GAP, MOST_GAP = 0.05, 1.0  # [m] between points
SLIPPERY = 0.999  # factors on friction below this are shown
PATCH_CELLS = 24  # along each side of a patch
LIFT = 0.004  # [m], of a patch over the ground


def numbers_of(wheel: Wheel, courses: Courses) -> dict[str, float]:
    """The numbers of a wheel's surface, as the run had them."""
    own = wheel.surface.numbers
    return {name: courses.number(f"{wheel.name}.surface.{name}", x) for name, x in own.items()}


def on_ground(wheel: Wheel, points: np.ndarray, poses: Poses) -> np.ndarray:
    """Places straight below or above points, on the wheel's ground; instants by points by 3."""
    R, road = poses.axes(wheel.road), poses.place(wheel.road)
    local = np.einsum("tji,tkj->tki", R, points - road[:, None, :])
    height = wheel.surface.height(local[..., 0], local[..., 1], numbers_of(wheel, poses.courses))
    local[..., 2] = np.broadcast_to(np.asarray(height, dtype=float), local.shape[:-1])
    return np.asarray(road[:, None, :] + np.einsum("tij,tkj->tki", R, local))


@dataclass(frozen=True)
class _Region:
    """Where wheels have been on a surface, in the axes of its road frame [m]."""

    wheel: Wheel
    low: np.ndarray
    high: np.ndarray


def grounds(wheels: Sequence[ShownWheel], poses: Poses, margin: float) -> list[GroundMesh]:
    """A mesh for each surface that is part of the ground, and those of its patches.

    They reach past the ways of the wheels by the margin [m].
    """
    return [mesh for region in _regions(wheels, poses, margin) for mesh in _meshes(region, poses)]


def _regions(wheels: Sequence[ShownWheel], poses: Poses, margin: float) -> list[_Region]:
    found: dict[tuple[object, ...], _Region] = {}
    for shown in wheels:
        wheel = shown.component
        if wheel.road.body != GROUND.body:
            continue
        R, road = poses.axes(wheel.road)[0], poses.place(wheel.road)[0]
        local = (shown.contact - road) @ R
        low, high = local.min(axis=0) - margin, local.max(axis=0) + margin
        key = (wheel.road.name, wheel.surface, type(wheel))
        if key in found:
            low, high = np.minimum(low, found[key].low), np.maximum(high, found[key].high)
        found[key] = _Region(wheel, low, high)
    return list(found.values())


def _meshes(region: _Region, poses: Poses) -> Iterator[GroundMesh]:
    wheel = region.wheel
    numbers = numbers_of(wheel, poses.courses)
    soft = isinstance(wheel, SoilWheel)
    flat = isinstance(wheel.surface, Flat)
    xs, ys = _axes(region, 12.0 if flat else 0.0)
    x, y = np.meshgrid(xs, ys, indexing="ij")
    label, colour = ("soft ground", "soil") if soft else ("road", "road")
    yield _placed(wheel, poses, label, colour, x, y, numbers, endless=flat)
    if not soft:
        yield from _slippery(wheel, poses, region, numbers)
    elif isinstance(wheel.law, SoilMap):
        own = {n: poses.courses.number(f"{wheel.name}.law.{n}", v)
               for n, v in wheel.law.numbers.items()}  # fmt: skip
        for k, patch in enumerate(wheel.law.patches, start=1):
            yield _patch(wheel, poses, patch, within(own, f"patches.{k}"), numbers)


def _axes(region: _Region, least_gap: float) -> list[np.ndarray]:
    spans = (region.high - region.low)[:2]
    gap = float(np.clip(np.sqrt(spans[0] * spans[1] / POINTS), LEAST_GAP, MOST_GAP))
    gap = max(gap, float(np.sqrt(spans[0] * spans[1] / POINTS)), least_gap)
    counts = [max(2, int(np.ceil(span / gap)) + 1) for span in spans]
    counts = [min(n, MOST_POINTS // min(counts)) for n in counts]
    return [np.linspace(a, b, n) for a, b, n in
            zip(region.low[:2], region.high[:2], counts, strict=True)]  # fmt: skip


def _placed(
    wheel: Wheel,
    poses: Poses,
    label: str,
    colour: str,
    x: np.ndarray,
    y: np.ndarray,
    numbers: Mapping[str, float],
    *,
    lift: float = 0.0,
    endless: bool = False,
) -> GroundMesh:
    """From the axes of the road frame to those of the ground."""
    surface: Surface = wheel.surface
    z = np.broadcast_to(np.asarray(surface.height(x, y, numbers), dtype=float), x.shape) + lift
    points = np.stack([x, y, z], axis=-1) @ poses.axes(wheel.road)[0].T + poses.place(wheel.road)[0]
    return GroundMesh(label, colour, points[..., 0], points[..., 1], points[..., 2], endless)


def _slippery(
    wheel: Wheel, poses: Poses, region: _Region, numbers: Mapping[str, float]
) -> Iterator[GroundMesh]:
    """Strips along x over ground that is smoother than elsewhere."""
    fine = _axes(_Region(region.wheel, region.low, region.high), 0.0)
    x, y = np.meshgrid(*fine, indexing="ij")
    factor = wheel.surface.friction(x, y, numbers)
    factor = np.broadcast_to(np.asarray(factor, dtype=float), x.shape)
    if np.ptp(factor) < 1e-9 or factor.min() > SLIPPERY:
        return
    low = factor < 0.5 * (factor.min() + factor.max())
    word = f"slippery, friction times {factor.min():.2g}"
    for first, last in _runs(low.mean(axis=0) > 0.5):
        if last - first > 1:
            columns = slice(first, last)
            yield _placed(
                wheel, poses, word, "ice", x[:, columns], y[:, columns], numbers, lift=LIFT
            )


def _runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """First and past-the-last places where a mask holds, one after the other."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(int), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _patch(
    wheel: Wheel, poses: Poses, patch: SoilPatch, p: Mapping[str, float], n: Mapping[str, float]
) -> GroundMesh:
    along = np.linspace(-0.5, 0.5, PATCH_CELLS + 1) * p["length"]
    aside = np.linspace(-0.5, 0.5, PATCH_CELLS + 1) * p["width"]
    u, v = np.meshgrid(along, aside, indexing="ij")
    c, s = np.cos(p["heading"]), np.sin(p["heading"])
    x, y = p["x"] + c * u - s * v, p["y"] + s * u + c * v
    word = type(patch.law).__name__
    soil = getattr(patch.law, "soil", None)
    label = f"patch: {soil if isinstance(soil, str) else getattr(soil, 'name', word)}"
    return _placed(wheel, poses, label, "patch", x, y, n, lift=LIFT)


def plates(model: Model, wheels: Sequence[ShownWheel], poses: Poses) -> list[Actor]:
    """What wheels stand on where that is no part of the ground: plates on columns."""
    found: dict[str, Actor] = {}
    for shown in wheels:
        body = shown.component.road.body
        if body == GROUND.body or body in found:
            continue
        r = shown.size.radius
        mesh: Mesh = box((-1.1 * r, -0.8 * r, -0.12 * r), (1.1 * r, 0.8 * r, 0.0))
        mesh += box((-0.25 * r, -0.25 * r, -1.6 * r), (0.25 * r, 0.25 * r, -0.12 * r))
        place, turns = poses.place(shown.component.road), poses.axes(shown.component.road)
        found[body] = Actor(body, (Piece(mesh, "plate"),), place, quaternions(turns))
    return list(found.values())
