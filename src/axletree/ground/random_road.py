"""Random roads of the classes of ISO 8608."""

from __future__ import annotations

import enum
import functools
import math
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from axletree.components.fields import Parameters, choice, fixed_number, parameter
from axletree.expr.functions import Value
from axletree.ground.functions import smooth_step
from axletree.ground.grid_surfaces import HermiteGrid
from axletree.ground.surfaces import Surface, radius_of

REFERENCE: Final = 0.1  # spatial frequency n0 of the classes [1/m]
_PER_WAVE: Final = 6  # vertices in the shortest wave, each with its slope: off by less than 1 %
_LARGEST: Final = 125_000  # vertices along the road


class RoadClass(enum.Enum):
    """Classes of ISO 8608, from very smooth to very rough; each is 4 times the one before."""

    A, B, C, D, E, F, G, H = "ABCDEFGH"

    @property
    def roughness(self) -> float:
        """The geometric mean of the class: Gd(n0) [m^3]."""
        return 16e-6 * 4.0 ** "ABCDEFGH".index(self.value)


@dataclass(frozen=True)
class RandomRoad(Surface):
    """Waves with random phases whose spectrum is Gd(n) = Gd(n0) (n / n0)^-waviness.

    Gd is the one-sided power spectral density of the height [m^3] over the spatial frequency
    n [1/m]. All waves fit into the length, after which the road repeats. With a width it has
    two tracks, which are alike for long waves and independent for short ones: their coherence
    is that of ground which looks the same in every direction, s K1(s) with s = 2 pi n width
    for a waviness of 2. Both tracks are level across; between them one leads over to the other.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> road = at.RandomRoad(road_class="B")
    >>> heights = road.height(np.linspace(50.0, 150.0, 2001), 0.0, road.numbers)
    >>> print(f"{1e3 * heights.std():.1f} mm")  # of all such roads 7.6 mm, by the spectrum
    7.7 mm
    """

    summary: ClassVar[str] = "a random road of a class of ISO 8608"

    road_class: RoadClass = choice(RoadClass, "class of ISO 8608")
    realisation: int = fixed_number(
        "1", "which of the roads of the class: another number, another road", default=1,
        lower=0, whole=True,
    )  # fmt: skip
    length: float = fixed_number(
        "m", "length after which it repeats", default=200.0, lower=0.0, above=True
    )
    width: float = fixed_number(
        "m", "distance between the left and the right track; alike across if 0", default=0.0,
        lower=0.0,
    )  # fmt: skip
    longest: float = fixed_number("m", "length of the longest wave", default=90.0, lower=0.0,
                                  above=True)  # fmt: skip
    shortest: float = fixed_number("m", "length of the shortest wave", default=0.35, lower=0.0,
                                   above=True)  # fmt: skip
    waviness: float = fixed_number("1", "exponent w of the spectrum", default=2.0, lower=1.0,
                                   upper=4.0)  # fmt: skip
    lead_in: float = fixed_number(
        "m", "length along which it grows out of flat ground; it has no beginning if 0",
        default=0.0, lower=0.0,
    )  # fmt: skip
    x: float = parameter("m", "x of its start", default=0.0)
    y: float = parameter("m", "y of the middle between the tracks", default=0.0)

    def problems(self) -> list[str]:
        found = []
        if not self.shortest < self.longest <= self.length:
            found.append(
                f"waves from {self.shortest:g} m to {self.longest:g} m do not fit into a length "
                f"of {self.length:g} m; expected shortest < longest <= length"
            )
        elif self._count > _LARGEST:
            found.append(
                f"a length of {self.length:g} m with waves of {self.shortest:g} m takes "
                f"{self._count} vertices, the limit is {_LARGEST}; make it shorter or smoother"
            )
        return found

    @property
    def _count(self) -> int:
        """Vertices along the road."""
        return math.ceil(_PER_WAVE * self.length / self.shortest)

    @property
    def frequencies(self) -> np.ndarray:
        """Spatial frequencies n of the waves [1/m]."""
        first = math.ceil(self.length / self.longest - 1e-9)
        last = math.floor(self.length / self.shortest + 1e-9)
        return np.arange(first, last + 1) / self.length

    def density(self, n: np.ndarray) -> np.ndarray:
        """Gd [m^3] at the spatial frequency n [1/m].

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> road = at.RandomRoad(road_class="C")
        >>> (1e6 * road.density(np.array([0.05, 0.1, 0.2]))).round(1).tolist()  # 1e-6 m^3
        [1024.0, 256.0, 64.0]
        """
        return self.road_class.roughness * (n / REFERENCE) ** -self.waviness

    @functools.cached_property
    def _grid(self) -> HermiteGrid:
        profiles = [self._profile(phases) for phases in self._phases()]
        level = np.zeros_like(profiles[0][0])
        vertices = np.stack([np.stack([z, dz, level, level], -1) for z, dz in profiles], axis=1)
        return HermiteGrid(vertices, self.length / self._count, self.width or 1.0, repeats=True)

    def _phases(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the waves of the right and of the left track [rad]."""
        count = len(self.frequencies)
        # Raw bits, which are the same in every version of NumPy, other than its distributions.
        bits = np.random.PCG64(self.realisation).random_raw(2 * count)
        mean = 2.0 * math.pi * (bits[:count] >> np.uint64(11)) / 2.0**53
        aside = np.where(bits[count:] >> np.uint64(63), 0.5, -0.5)
        # A difference of +-arccos(c), with either sign as often, has the mean exp(i d) = c.
        difference = aside * np.arccos(coherence(self.frequencies * self.width, self.waviness))
        return mean - difference, mean + difference

    def _profile(self, phases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Heights [m] and slopes [m per cell] along a track."""
        n = self.frequencies
        waves = np.sqrt(2.0 * self.density(n) / self.length) * np.exp(1j * phases)
        spectrum = np.zeros((2, self._count // 2 + 1), dtype=complex)
        places = np.rint(n * self.length).astype(int)
        spectrum[0, places] = waves
        spectrum[1, places] = waves * 2j * math.pi * n * (self.length / self._count)
        heights, slopes = np.fft.irfft(spectrum, self._count) * self._count / 2.0
        return heights, slopes

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        distance = x - p["x"]
        z = self._grid.at(distance, y - p["y"] + 0.5 * self.width)[0]
        return z * smooth_step(distance / self.lead_in) if self.lead_in else z

    @functools.cached_property
    def least_radius(self) -> float:
        """With what the growing adds: at most 2 w' z' + w'' z, where w is the smooth step."""
        curvature = self._grid.largest_curvature()
        if self.lead_in:
            heights, slopes = np.abs(self._grid.vertices[:, :, :2]).max(axis=(0, 1))
            curvature += 3.0 / self.lead_in * slopes / self._grid.step_x
            curvature += 6.0 / self.lead_in**2 * heights
        return radius_of(float(curvature))


def coherence(n_width: np.ndarray, waviness: float) -> np.ndarray:
    """How alike two tracks are at a spatial frequency times their distance [1].

    Ground with the same spectrum in every direction has 2 s^v K_v(2 s) / Gamma(v) with
    s = pi n width and v = waviness / 2.
    """
    from scipy.special import gamma, kv

    v = 0.5 * waviness
    s = math.pi * np.where(n_width > 0.0, n_width, 1.0)
    apart = 2.0 * s**v * kv(v, 2.0 * s) / gamma(v)
    return np.where(n_width > 0.0, np.clip(apart, 0.0, 1.0), 1.0)
