"""Which instants pictures show, and which colours wheels and bodies have."""

from __future__ import annotations

import numpy as np
from mechanisms.shipped_run import shipped_system
from reports.animated_runs import skidder_run

import axletree as at
from axletree.reports.animation.pictures import even_instants, unlike_instants
from axletree.reports.animation.scene import ON_DARK, body_colour, wheel_colour


def test_a_swing_is_not_shown_in_one_place_only() -> None:
    """Even instants of a run of three periods would be whole periods apart."""
    model = at.read_model("pendulum")
    system = model.formulate()
    run = system.simulate(8.0, step=1e-2, outputs=[])
    angle = run["pin.angle"]
    downwards = run.time[1:][(angle[:-1] > 0.0) & (angle[1:] <= 0.0)]
    period = float(np.diff(downwards).mean())
    run = system.simulate(3.0 * period, step=period / 100.0, outputs=[])
    scene = at.animation(model, run).scene
    even, unlike = even_instants(scene, 4), unlike_instants(scene, 4)
    angles = np.interp(scene.time, run.time, run["pin.angle"])

    def least(chosen: list[int]) -> float:
        return float(np.diff(np.sort(angles[chosen])).min() / np.ptp(angles))

    assert least(even) < 0.02
    assert least(unlike) > 0.2
    assert unlike[0] == 0
    assert unlike == sorted(unlike)


def test_bodies_have_no_colour_of_a_wheel() -> None:
    for wheels in range(1, 15):
        taken = [wheel_colour(k) for k in range(wheels)]
        assert len(set(taken)) == wheels
        shown = [body_colour(k, wheels) for k in range(12)]
        assert set(shown).isdisjoint(taken)
        assert len(set(shown[:4])) == 4
        assert set(shown) | set(taken) <= set(ON_DARK)
    assert len(set(ON_DARK.values())) == len(ON_DARK)
    model, system = at.read_model("skidder"), shipped_system("skidder")
    scene = at.animation(model, skidder_run(), system=system).scene
    rims = {scene.actor(f"{end}_{side}_tyre").colour
            for end in ("front", "rear") for side in ("left", "right")}  # fmt: skip
    assert len(rims) == 4
    assert rims.isdisjoint({scene.actor("front_body").colour, scene.actor("rear_body").colour})
