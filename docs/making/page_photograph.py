"""A page as a browser shows it: one picture, taken with Chromium."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--hide-scrollbars", "--virtual-time-budget=5000",
)  # fmt: skip


def browser() -> str:
    """The program, or the end of this one."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise SystemExit("no Chromium on the PATH; the pictures stay as they are")
    return found


def photograph(page: Path | str, picture: Path, size: tuple[int, int], beginning: str = "") -> Path:
    """A PNG of a page, by its file or its address, in a window of this size [pixels], at an
    address with this ending."""
    place = page if isinstance(page, str) else page.resolve().as_uri()
    address = place + (f"#{beginning}" if beginning else "")
    with tempfile.TemporaryDirectory() as profile:
        given = (
            f"--window-size={size[0]},{size[1]}", f"--user-data-dir={profile}",
            f"--screenshot={picture}", address,
        )  # fmt: skip
        subprocess.run(
            [browser(), *OPTIONS, *given], check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    return picture
