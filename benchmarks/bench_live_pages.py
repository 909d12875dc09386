"""What live pages take a frame: ``python benchmarks/bench_live_pages.py [MODEL...]``.

The pages of the gallery, or those of these models, are made and driven for 4 s at 60 pictures a
second, at full throttle; pictures are drawn by headless Chromium without a graphics card, so that
the browser's own time is not told, but that of the page's script, the median of all frames; of the
understeer curve the least of ten. Needs the extra ``cc``, Chromium.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parents[1]
sys.path += [str(HERE / "tests"), str(HERE / "docs" / "making")]

from make_live_pages import PAGES, make_pages  # noqa: E402
from reports.headless_page import Page, headless_page, wait_for  # noqa: E402

FRAMES = 240
DRIVEN = f"""(() => {{
  live.stop();
  for (const one of live.data.controls.inputs) {{
    if (one.name.endsWith('voltage')) live.drive.set(one.name, one.high);
  }}
  live.pedals.press('ArrowUp', true);
  const times = {{ physics: [], script: [] }};
  for (let k = 0; k < {FRAMES}; k++) {{
    live.frame(1 / 60);
    if (k < 60) continue;
    times.physics.push(live.times.physics.at(-1));
    times.script.push(live.times.script.at(-1));
  }}
  live.pedals.held.clear();
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  let curve = null;
  if (live.handling.possible) {{
    curve = Infinity;
    for (let k = 0; k < 10; k++) {{ // the browser compiles what is called often
      live.handling.update();
      curve = Math.min(curve, live.handling.cost);
    }}
  }}
  return [1000 * live.stepper.step, median(times.physics), median(times.script), curve,
          live.drive.failed];
}})()"""


def main() -> None:
    names = sys.argv[1:] or list(PAGES)
    print(f"{'page':<22}{'size':>9}{'step':>9}{'physics':>10}{'script':>9}{'curve':>9}")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        headless_page(Path(folder) / "browser", (1280, 760)) as page,
    ):
        for name in names:
            _measure(page, name, Path(folder))


def _measure(page: Page, name: str, folder: Path) -> None:
    (made,) = make_pages(folder, [name])
    page.open(made.as_uri())
    wait_for(lambda: bool(page.value("!!window.live")))
    step, physics, script, curve, failed = page.value(DRIVEN)
    turns = "" if curve is None else f"{curve:.0f} ms"
    asked = [one for one in page.requests() if not one.startswith(("data:", "about:", "blob:"))]
    assert not failed, failed
    assert asked[-1] == made.as_uri(), "it asks for something"
    print(
        f"{name:<22}{made.stat().st_size / 1e6:>6.2f} MB{step:>6.0f} ms{physics:>7.2f} ms"
        f"{script:>6.2f} ms{turns:>9}",
        flush=True,
    )


if __name__ == "__main__":
    main()
