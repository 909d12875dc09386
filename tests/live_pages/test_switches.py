"""Controllers in the steps of a page: off until they are switched on, then as in a stepper in C."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from live_pages.test_live_page import needs_browser, needs_zig
from reports.headless_page import headless_page, wait_for
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app

CAR = {"vehicle": {"fidelity": "two-track"}}


@pytest.mark.slow
@needs_zig
@needs_browser
def test_abs_is_switched_on_the_page(tmp_path: Path) -> None:
    model = at.read_model("sedan", CAR)
    page_file = at.live(model, speeds=["80 km/h"], controllers=["abs"]).save(tmp_path / "car.html")
    with headless_page(tmp_path / "browser", (1280, 760)) as page:
        page.open(page_file.as_uri())
        wait_for(lambda: bool(page.value("!!window.live")))
        page.value("live.stop(); live.draw = () => {}")
        assert page.value("document.getElementById('switches').innerText.trim()") == "ABS"
        found = {}
        for active in (0, 1):
            page.value(
                f"""{{
                  const box = document.getElementById('switch-abs');
                  if (box.checked !== Boolean({active})) box.click();
                  live.restart('80 km/h');
                  live.drive.set('driver.throttle', 0);
                  live.drive.set('driver.brake', 1);
                  live.drive.advance(1000);
                }}"""
            )
            names = ["front_left_axle.rate", "rear_right_axle.rate", "vehicle.forward_speed"]
            found[active] = page.value(f"{names}.map((name) => live.stepper.get(name))")
            own = model.stepper(
                step="1 ms", start={"speed": "80 km/h"}, controllers=["abs"],
                outputs=["vehicle.forward_speed"],
            )  # fmt: skip
            own["abs.active"] = active
            own["driver.throttle"], own["driver.brake"] = 0.0, 1.0
            own.advance(steps=1000)
            expected = [own[name] for name in names]
            np.testing.assert_allclose(found[active], expected, rtol=1e-8, atol=1e-7)
        assert abs(found[0][0]) < 1.0  # rad/s: locked
        assert found[1][0] > 20.0
        assert found[1][2] < found[0][2] - 0.5  # m/s: it stops sooner
        # A drive that is replayed has what was switched.
        orders = page.value("live.drive.recording().orders.filter((o) => o[1] === 'abs.active')")
        assert orders == [[0, "abs.active", 1]]
        # What it commands, and its switch, have no slider.
        sliders = page.value("live.data.controls.inputs.map((one) => one.name)")
        assert not [name for name in sliders if name.endswith((".share", ".active"))]


def test_an_unknown_controller_is_told() -> None:
    result = CliRunner().invoke(app, ["live", "sedan", "--controller", "abd"])
    assert result.exit_code != 0
    assert "did you mean 'abs'" in " ".join(result.output.split())
    with pytest.raises(at.AxletreeError, match="pendulum"):
        at.live(at.read_model("pendulum"), controllers=["abs"])
