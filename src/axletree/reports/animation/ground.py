"""The ground under a run: level planes, uneven ones as a mesh, patches, plates of posts; and the
path of a driver on it, with the bounds of its lanes and its cones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.components.frames import GROUND
from axletree.ground.path_driver import PathDriver
from axletree.ground.surfaces import Flat, Surface
from axletree.model.model import Model
from axletree.plot.style import COLOURS
from axletree.reports.animation.mesh import Mesh, box, lathe
from axletree.reports.animation.motion import BodyPoses
from axletree.reports.animation.scene import Actor, GroundMesh, ShownLine, ShownPiece, quaternions
from axletree.reports.animation.wheels import ShownWheel
from axletree.wheel.wheel import GroundPatch, Wheel

POINTS = 40_000  # of an uneven ground
_MOST_POINTS = 65_535  # that indices of two bytes reach, of a ground that is very long
LEAST_GAP, MOST_GAP = 0.05, 1.0  # [m] between points
SLIPPERY = 0.999  # factors on friction below this are shown
_MOST_SLIPPERY = 60  # rectangles of them
PATCH_CELLS = 24  # along each side of a patch
PATCH_LIFT = 0.004  # [m], of a patch over the ground


_Grid = np.ndarray  # x or y [m], by rows and columns


@dataclass(frozen=True)
class _Region:
    """Where wheels have been on a surface, in the axes of its road frame [m]."""

    wheel: Wheel
    low: np.ndarray
    high: np.ndarray


def grounds(wheels: Sequence[ShownWheel], poses: BodyPoses, margin: float) -> list[GroundMesh]:
    """A mesh for each surface that is part of the ground, and those of its patches.

    They reach past the ways of the wheels by the margin [m].
    """
    return [mesh for region in _regions(wheels, poses, margin) for mesh in _meshes(region, poses)]


def _regions(wheels: Sequence[ShownWheel], poses: BodyPoses, margin: float) -> list[_Region]:
    found: dict[tuple[object, ...], _Region] = {}
    for shown in wheels:
        wheel = shown.component
        if wheel.road.body != GROUND.body:
            continue
        local = (shown.contact - poses.place(wheel.road)[0]) @ poses.axes(wheel.road)[0]
        low, high = local.min(axis=0) - margin, local.max(axis=0) + margin
        key = (wheel.road.name, wheel.surface, wheel.is_soft_ground)
        if key in found:
            low, high = np.minimum(low, found[key].low), np.maximum(high, found[key].high)
        found[key] = _Region(wheel, low, high)
    return list(found.values())


def _meshes(region: _Region, poses: BodyPoses) -> Iterator[GroundMesh]:
    wheel = region.wheel
    xs, ys = _axes(region, 12.0 if isinstance(wheel.surface, Flat) else 0.0)
    x, y = np.meshgrid(xs, ys, indexing="ij")
    label, colour = ("soft ground", "soil") if wheel.is_soft_ground else ("road", "road")
    yield _placed(wheel, poses, label, colour, x, y)
    if not wheel.is_soft_ground:
        yield from _slippery(wheel, poses, region)
    for patch in wheel.patches(poses.courses.facts.parameters):
        yield _patch(wheel, poses, patch)


def _axes(region: _Region, least_gap: float) -> list[np.ndarray]:
    spans = (region.high - region.low)[:2]
    gap = float(np.clip(np.sqrt(spans[0] * spans[1] / POINTS), LEAST_GAP, MOST_GAP))
    gap = max(gap, float(np.sqrt(spans[0] * spans[1] / POINTS)), least_gap)
    counts = [max(2, int(np.ceil(span / gap)) + 1) for span in spans]
    counts = [min(n, _MOST_POINTS // min(counts)) for n in counts]
    return [np.linspace(a, b, n) for a, b, n in
            zip(region.low[:2], region.high[:2], counts, strict=True)]  # fmt: skip


def _placed(
    wheel: Wheel, poses: BodyPoses, label: str, colour: str, x: _Grid, y: _Grid, lift: float = 0.0
) -> GroundMesh:
    """From the axes of the road frame to those of the ground; level ground itself has no end."""
    surface: Surface = wheel.surface
    numbers = wheel.values_of("surface", poses.courses.facts.parameters)
    endless = isinstance(surface, Flat) and not lift
    z = np.broadcast_to(np.asarray(surface.height(x, y, numbers), dtype=float), x.shape) + lift
    points = np.stack([x, y, z], axis=-1) @ poses.axes(wheel.road)[0].T + poses.place(wheel.road)[0]
    return GroundMesh(label, colour, points[..., 0], points[..., 1], points[..., 2], endless)


def _slippery(wheel: Wheel, poses: BodyPoses, region: _Region) -> Iterator[GroundMesh]:
    """Rectangles over ground that is smoother than elsewhere."""
    x, y = np.meshgrid(*_axes(region, 0.0), indexing="ij")
    numbers = wheel.values_of("surface", poses.courses.facts.parameters)
    factor = wheel.surface.friction(x, y, numbers)
    factor = np.broadcast_to(np.asarray(factor, dtype=float), x.shape)
    if np.ptp(factor) < 1e-9 or factor.min() > SLIPPERY:
        return
    low = factor < 0.5 * (factor.min() + factor.max())
    word = f"low friction, factor {factor.min():.2g}"
    for rows, columns in _rectangles(low):
        yield _placed(
            wheel, poses, word, "ice", x[rows, columns], y[rows, columns], lift=PATCH_LIFT
        )


def _rectangles(mask: np.ndarray) -> list[tuple[slice, slice]]:
    """The largest ones, of two points at least each way, in which a mask holds."""
    begun: dict[tuple[int, int], int] = {}  # first rows, by columns
    found: list[tuple[int, int, int, int]] = []
    for k, row in enumerate([*mask, np.zeros(mask.shape[1], dtype=bool)]):
        runs = set(_runs(row))
        found += [(begun.pop(run), k, *run) for run in list(begun) if run not in runs]
        begun |= {run: begun.get(run, k) for run in runs}
    wide = [one for one in found if one[1] - one[0] > 1 and one[3] - one[2] > 1]
    wide.sort(key=lambda one: (one[0] - one[1]) * (one[3] - one[2]))
    return [(slice(a, b), slice(c, d)) for a, b, c, d in wide[:_MOST_SLIPPERY]]


def _runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """First and past-the-last places where a mask holds, one after the other."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(int), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _patch(wheel: Wheel, poses: BodyPoses, patch: GroundPatch) -> GroundMesh:
    along = np.linspace(-0.5, 0.5, PATCH_CELLS + 1) * patch.length
    aside = np.linspace(-0.5, 0.5, PATCH_CELLS + 1) * patch.width
    u, v = np.meshgrid(along, aside, indexing="ij")
    c, s = np.cos(patch.heading), np.sin(patch.heading)
    x, y = patch.x + c * u - s * v, patch.y + s * u + c * v
    return _placed(wheel, poses, f"patch: {patch.label}", "patch", x, y, lift=PATCH_LIFT)


def plates(model: Model, wheels: Sequence[ShownWheel], poses: BodyPoses) -> list[Actor]:
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
        found[body] = Actor(body, (ShownPiece(mesh, "plate"),), place, quaternions(turns))
    return list(found.values())


CONE = lathe([(0.0, 0.0), (0.15, 0.0), (0.02, 0.5), (0.0, 0.5)], 12, closed=False)  # 0.5 m high
LINE_LIFT = 0.01  # [m] of lines, over the ground


def path_marks(
    model: Model, poses: BodyPoses, wheels: Sequence[ShownWheel]
) -> tuple[tuple[ShownLine, ...], tuple[ShownPiece, ...]]:
    """Lines and cones; none of a model without a driver who follows a path."""
    driver = next((c for c in model if isinstance(c, PathDriver)), None)
    if driver is None or driver.ground.body != GROUND.body:
        return (), ()
    line = driver.path.line
    named = [("path", "edge", np.column_stack([line.x, line.y]))]
    named += [("lane boundaries", "bound", lane) for lane in driver.path.boundaries()]
    lift = np.array([0.0, 0.0, LINE_LIFT])
    lines = [ShownLine(n, colour, _on(xy, driver, poses, wheels) + lift) for n, colour, xy in named]
    cones = np.array([(cone.x, cone.y) for cone in driver.path.cones()]).reshape(-1, 2)
    places = _on(cones, driver, poses, wheels)
    pieces = [ShownPiece(CONE.placed(np.eye(3), place), COLOURS[4]) for place in places]
    return tuple(lines), tuple(pieces)


def _on(
    points: np.ndarray, driver: PathDriver, poses: BodyPoses, wheels: Sequence[ShownWheel]
) -> np.ndarray:
    """Places x, y of the driver's ground, in the axes of the ground and on what wheels roll on."""
    flat = np.column_stack([points, np.zeros(len(points))])
    places = poses.place(driver.ground)[0] + flat @ poses.axes(driver.ground)[0].T
    roads = [wheel.component for wheel in wheels if wheel.component.road.body == GROUND.body]
    if not roads or not len(points):
        return np.asarray(places)
    wheel = roads[0]
    R, road = poses.axes(wheel.road)[0], poses.place(wheel.road)[0]
    local = (places - road) @ R
    height = wheel.surface.height(
        local[:, 0], local[:, 1], wheel.values_of("surface", poses.courses.facts.parameters)
    )
    local[:, 2] = np.broadcast_to(np.asarray(height, dtype=float), len(local))
    return np.asarray(road + local @ R.T)
