"""What is told apart in a picture of a mechanism: bodies, or several that stay together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from axletree.core.plot_style import COLOURS, colour, dash
from axletree.report.mechanism_poses import Poses

TOGETHER: Final = 0.02  # of the size of the mechanism, that main frames are apart at most


@dataclass(frozen=True, eq=False)
class Part:
    """Bodies at one place, in one colour and line; no two parts have both alike."""

    name: str
    paths: tuple[np.ndarray, ...]  # of each body: instants by frames by 3; the main frame first
    colour: str
    dash: Any


def mechanism_parts(poses: Poses) -> list[Part]:
    """Wheels have the first colours, as in plots and animations; other parts of a vehicle have the
    last ones."""
    near = TOGETHER * _size(poses)
    groups = _groups(poses.bodies, near)
    turning = [k for wheel in poses.wheels if (k := _carrier(wheel, groups, near)) is not None]
    first = list(dict.fromkeys(turning))
    rest = [k for k in range(len(groups)) if k not in first]
    last = list(range(len(COLOURS) - 1, len(first) - 1, -1)) if first else []
    # After the last colour they begin again, with another line.
    free = [*last, *range(len(first) + len(last), len(first) + len(last) + len(rest))]
    number = dict(zip([*first, *rest], [*range(len(first)), *free], strict=False))
    return [
        Part(_named(list(group)), tuple(group.values()), colour(number[k]),
             dash(number[k] // len(COLOURS)))
        for k, group in enumerate(groups)
    ]  # fmt: skip


def _size(poses: Poses) -> float:
    together = np.concatenate([*poses.bodies.values(), *poses.wheels], axis=1)
    return float(np.ptp(together, axis=1).max())


def _groups(bodies: Mapping[str, np.ndarray], near: float) -> list[dict[str, np.ndarray]]:
    """Bodies whose main frames stay near that of the first of them."""
    groups: list[dict[str, np.ndarray]] = []
    for name, path in bodies.items():
        for group in groups:
            first = next(iter(group.values()))
            if np.linalg.norm(first[:, 0] - path[:, 0], axis=1).max() <= near:
                group[name] = path
                break
        else:
            groups.append({name: path})
    return groups


def _carrier(
    wheel: np.ndarray, groups: Sequence[Mapping[str, np.ndarray]], near: float
) -> int | None:
    """The group at the centre of a wheel."""
    centre = wheel.mean(axis=1)
    firsts = [next(iter(group.values()))[:, 0] for group in groups]
    away = [float(np.linalg.norm(first - centre, axis=1).max()) for first in firsts]
    k = int(np.argmin(away))
    return k if away[k] <= near else None


def _named(names: Sequence[str]) -> str:
    """``front left: carrier, wheel``, of front_left_carrier and front_left_wheel."""
    words = [name.split("_") for name in names]
    shared = 0
    if len(words) > 1:
        while all(len(w) > shared + 1 and w[shared] == words[0][shared] for w in words):
            shared += 1
    ends = ", ".join(" ".join(word[shared:]) for word in words)
    return f"{' '.join(words[0][:shared])}: {ends}" if shared else ends
