"""What live pages take a frame.

``python benchmarks/bench_live_pages.py [--pages FOLDER] [MODEL...]``: the pages of the gallery, or
those of these models, are made, or taken from the folder of ``make live-pages``, and driven at full
throttle at 60 pictures a second, for twelve seconds. Pictures are small, and drawn by headless
Chromium without a graphics card, so that the browser's own time is not told, but that of the
script. Of physics and script there are the mean of the middle half and the 99th percentile of a
second, each the least of twelve, which other programs disturbed least, and what the page itself
prints then; of the understeer curve, and of wheel travel, the least of ten. Needs the extra ``cc``,
Chromium.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parents[1]
sys.path += [str(HERE / "tests"), str(HERE / "docs" / "making")]

from make_live_pages import PAGES, make_pages  # noqa: E402
from reports.headless_page import Page, headless_page, wait_for  # noqa: E402

SECONDS, SETTLED = 12, 1  # of the drive; the browser compiles in the first
DRIVEN = f"""(() => {{
  live.stop();
  for (const one of live.data.controls.inputs) {{
    if (one.name.endsWith('voltage')) live.drive.set(one.name, one.high);
  }}
  live.pedals.press('ArrowUp', true);
  const windows = [];
  live.running = true; // numbers and curves are drawn ten times a second
  for (let second = 0; second < {SECONDS + SETTLED}; second++) {{
    live.times.physics.length = live.times.script.length = 0;
    for (let k = 0; k < 60; k++) live.frame(1 / 60);
    const found = ['physics', 'script'].map((word) => live.costOf(word));
    if (second >= {SETTLED}) windows.push([...found, live.cost]);
  }}
  live.running = false;
  live.pedals.held.clear();
  const best = (k, n) => windows.reduce((a, b) => (b[k][n] < a[k][n] ? b : a));
  const both = (k) => [0, 1].map((n) => best(k, n)[k][n]);
  const least = (part) => {{
    if (!part.possible) return null;
    let found = Infinity;
    for (let k = 0; k < 10; k++) {{ // the browser compiles what is called often
      part.update();
      found = Math.min(found, part.cost);
    }}
    return found;
  }};
  return {{
    step: 1000 * live.stepper.step, physics: both(0), script: both(1), said: best(0, 0)[2],
    turns: least(live.handling), travel: least(live.travel), failed: live.drive.failed,
  }};
}})()"""


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--pages", type=Path)
    arguments.add_argument("models", nargs="*")
    given = arguments.parse_args()
    print(
        f"{'page':<22}{'size':>9}{'step':>8}{'physics, 99 %':>16}{'script, 99 %':>16}"
        f"{'curve':>9}{'travel':>9}"
    )
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        headless_page(Path(folder) / "browser", (320, 240)) as page,
    ):
        for name in given.models or list(PAGES):
            if given.pages is None:
                (made,) = make_pages(Path(folder), [name])
            else:
                made = (given.pages / f"{name}.html").resolve()
            _measure(page, name, made)


def _measure(page: Page, name: str, made: Path) -> None:
    page.open(made.as_uri())
    wait_for(lambda: bool(page.value("!!window.live")))
    found = page.value(DRIVEN)
    asked = [one for one in page.requests() if not one.startswith(("data:", "about:", "blob:"))]
    assert not found["failed"], found["failed"]
    assert asked[-1] == made.as_uri(), "it asks for something"
    times = "".join(f"{a:>8.2f} {b:>4.2f} ms" for a, b in (found["physics"], found["script"]))
    curves = "".join(
        f"{'' if one is None else f'{one:.0f} ms':>9}" for one in (found["turns"], found["travel"])
    )
    print(
        f"{name:<22}{made.stat().st_size / 1e6:>6.2f} MB{found['step']:>5.0f} ms{times}{curves}\n"
        f"    the page: {found['said']}",
        flush=True,
    )


if __name__ == "__main__":
    main()
