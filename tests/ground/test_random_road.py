"""Random roads: the spectrum of their class, their height, two tracks, and their beginning."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees

from axletree.core.errors import ModelError
from axletree.ground.random_road import RandomRoad, RoadClass, coherence

# Lower limit, geometric mean and upper limit of Gd(n0) [1e-6 m^3], from ISO 8608.
CLASSES = {
    "A": (None, 16.0, 32.0),
    "B": (32.0, 64.0, 128.0),
    "C": (128.0, 256.0, 512.0),
    "D": (512.0, 1024.0, 2048.0),
    "E": (2048.0, 4096.0, 8192.0),
    "F": (8192.0, 16384.0, 32768.0),
    "G": (32768.0, 65536.0, 131072.0),
    "H": (131072.0, 262144.0, None),
}


def profile(road: RandomRoad, y: float = 0.0, step: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    x = np.arange(0.0, road.length, step)
    return x, road.height(x, y, road.numbers)


@pytest.mark.validation("vehicles")
def test_the_classes_are_those_of_the_standard(agrees: Agrees) -> None:
    agrees(
        "roughness of road classes A to H", [RoadClass(word).roughness for word in CLASSES],
        [mean * 1e-6 for _, mean, _ in CLASSES.values()], rel=1e-6, unit="m³",
        source="ISO 8608, geometric means of the classes",
    )  # fmt: skip


@pytest.mark.parametrize("word", CLASSES)
def test_the_spectrum_lies_within_the_class(word: str) -> None:
    """Estimated by Welch's method from heights alone, smoothed over octaves."""
    from scipy.signal import welch

    road = RandomRoad(word, length=2000.0)
    step = 0.1
    _, z = profile(road, step=step)
    n, density = welch(z, fs=1.0 / step, nperseg=4096, detrend="constant")
    lower, _, upper = CLASSES[word]
    for low in (0.03, 0.06, 0.12, 0.24, 0.48, 0.96):
        band = (n >= low) & (n < 2.0 * low)
        # In each band the mean of Gd (n / n0)^2, which the class bounds.
        level = float(np.mean(density[band] * (n[band] / 0.1) ** 2)) * 1e6
        assert (lower or 0.0) < level < (upper or math.inf)


@pytest.mark.validation("vehicles")
def test_the_height_is_that_of_the_spectrum(agrees: Agrees) -> None:
    """The mean square is the integral of Gd between the longest and the shortest wave."""
    road = RandomRoad("C", length=3000.0, longest=60.0, shortest=0.6)
    _, z = profile(road)
    expected = 256e-6 * 0.1**2 * (60.0 - 0.6)  # of Gd(n0) n0^2 / n^2
    agrees(
        "random road of class C: mean square of the height", np.mean(z**2), expected, rel=0.02,
        unit="m²", source="Closed form, integral of the spectrum",
    )  # fmt: skip
    assert np.mean(z) == pytest.approx(0.0, abs=1e-4)


def test_the_waviness_is_the_slope_of_the_spectrum() -> None:
    road = RandomRoad("B", waviness=1.5, length=500.0)
    _, z = profile(road)
    lines = 2.0 * np.abs(np.fft.rfft(z) / len(z)) ** 2 * road.length
    n = np.arange(len(lines)) / road.length
    used = (n > 0.02) & (n < 1.0)
    exponent, level = np.polyfit(np.log(n[used] / 0.1), np.log(lines[used]), 1)
    assert exponent == pytest.approx(-1.5, abs=2e-3)
    assert math.exp(level) == pytest.approx(64e-6, rel=2e-3)


def test_it_repeats_without_a_seam() -> None:
    road = RandomRoad("C", length=100.0)
    x = np.linspace(99.0, 101.0, 2001)
    z, (slope, _) = road.height(x, 0.0, road.numbers), road.slopes(x, 0.0, road.numbers)
    assert np.abs(np.gradient(z, x) - slope)[1:-1].max() < 1e-2 * np.abs(slope).max()
    assert road.height(5.0, 0.0, road.numbers) == pytest.approx(
        road.height(705.0, 0.0, road.numbers), abs=1e-12
    )
    assert road.height(-5.0, 0.0, road.numbers) == pytest.approx(
        road.height(95.0, 0.0, road.numbers), abs=1e-12
    )


def test_a_number_says_which_road_it_is() -> None:
    roads = [RandomRoad("C", realisation=k) for k in (1, 1, 2)]
    first, same, other = (profile(road)[1] for road in roads)
    assert np.all(first == same)
    assert abs(np.corrcoef(first, other)[0, 1]) < 0.5


def test_two_tracks_are_as_alike_as_isotropic_ground_is() -> None:
    road = RandomRoad("C", length=4000.0, width=1.5, shortest=1.0)
    (_, right), (_, left) = profile(road, -0.75, 0.1), profile(road, 0.75, 0.1)
    assert np.mean(left**2) == pytest.approx(np.mean(right**2), rel=1e-3)
    n = np.arange(len(left) // 2 + 1) / road.length
    left_lines, right_lines = np.fft.rfft(left), np.fft.rfft(right)
    for low in (0.02, 0.04, 0.08, 0.16, 0.32):
        band = (n >= low) & (n < 1.5 * low)
        crossed = np.mean(left_lines[band] * np.conj(right_lines[band]) * n[band] ** 2)
        own = np.mean(np.abs(left_lines[band]) ** 2 * n[band] ** 2)
        expected = np.mean(coherence(n[band] * 1.5, 2.0))
        scatter = 4.0 / math.sqrt(np.count_nonzero(band))
        assert crossed.real / own == pytest.approx(expected, abs=scatter)
        assert abs(crossed.imag / own) < scatter


@pytest.mark.parametrize("waviness", [1.5, 2.0, 2.5])
@pytest.mark.parametrize("n_width", [0.02, 0.1, 0.3, 0.8])
def test_coherence_is_the_integral_over_waves_of_all_directions(
    waviness: float, n_width: float
) -> None:
    """Waves with the density (n^2 + m^2)^(-(w+1)/2), seen on two lines at a distance."""
    from scipy.integrate import quad

    def density(m: float) -> float:
        return (1.0 + m * m) ** (-(waviness + 1.0) / 2.0)

    both = quad(density, 0.0, np.inf, weight="cos", wvar=2.0 * math.pi * n_width)[0]
    alone = quad(density, 0.0, np.inf)[0]
    assert coherence(np.array([n_width]), waviness)[0] == pytest.approx(both / alone, rel=1e-6)


def test_the_tracks_are_level_across_and_lead_over_to_one_another() -> None:
    road = RandomRoad("E", width=1.6)
    p = road.numbers
    for x in (3.0, 47.1):
        assert road.slopes(x, 0.8, p)[1] == 0.0
        assert road.slopes(x, -0.8, p)[1] == 0.0
        left, right = road.height(x, 0.8, p), road.height(x, -0.8, p)
        assert road.height(x, 0.0, p) == pytest.approx((left + right) / 2.0)
        assert road.height(x, 3.0, p) == left
        assert left != right


def test_without_a_width_it_is_alike_across() -> None:
    road = RandomRoad("E")
    y = np.linspace(-5.0, 5.0, 11)
    assert np.ptp(road.height(12.3, y, road.numbers)) == 0.0


def test_it_grows_out_of_flat_ground() -> None:
    road = RandomRoad("D", lead_in=10.0, x=5.0)
    endless = RandomRoad("D", x=5.0)
    p = road.numbers
    assert road.height(np.linspace(-50.0, 5.0, 56), 0.0, p) == pytest.approx(0.0)
    for x in (10.0, 15.0, 40.0):
        share = min((x - 5.0) / 10.0, 1.0)
        expected = endless.height(x, 0.0, p) * share**2 * (3.0 - 2.0 * share)
        assert road.height(x, 0.0, p) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"road_class": "J"}, "road_class: 'J' is not one of A, B, C"),
        ({"longest": 300.0}, "expected shortest < longest <= length"),
        ({"shortest": 95.0}, "expected shortest < longest <= length"),
        ({"realisation": 1.5}, "realisation: 1.5 is not a whole number"),
        ({"realisation": -1}, "realisation: -1 is not allowed"),
        ({"length": 1e6}, "vertices, the limit is 125000; make it shorter or smoother"),
    ],
)
def test_mistakes(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        RandomRoad(**{"road_class": "C", **fields})
