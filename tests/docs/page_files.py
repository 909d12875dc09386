"""Files that commands of pages read: those that a page shows, and the few that it only names."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from docs.page_blocks import blocks_of, files_of

import axletree as at

OWN_CAR, OWN_TYRE = "docs/tutorials/own-car.md", "docs/tutorials/own-tyre.md"
MEASURED_ROAD = "docs/how-to/measured-road.md"
MEASURED_DATA = "docs/how-to/measured-data.md"
IDENTIFIED = "docs/tutorials/identify-your-car.md"
WHOLE = re.compile("^(base|like):", re.MULTILINE)
YAML_NAMES = {  # of the first whole file among the YAML blocks of a page
    OWN_CAR: "car.yaml",
    "docs/tutorials/first-drive.md": "laden.yaml",
    "docs/tutorials/drive-in-browser.md": "car.yaml",
    "docs/tutorials/tune-by-looking.md": "my-pushrod-formula-student.yaml",
    "docs/how-to/vehicles.md": "suv-in-sand.yaml",
    "docs/reference/ready-made-tyres.md": "my-tyre.yaml",
    "README.md": "car.yaml",
}


def measured_forces() -> str:
    """Of the Magic Formula at three loads, over slip and over slip angle."""
    law = at.MagicFormula61(**at.MagicFormula61.example)
    rows = ["Fz [N],S,alpha [deg],gamma,Fx,Fy,Mz"]
    sides = range(-12, 13, 2)
    for load in (2000.0, 4000.0, 6000.0):
        for slip, degrees in [*((0.0, a) for a in sides), *((s / 50, 0) for s in sides)]:
            found = law(at.Contact(load, slip, np.radians(degrees), forward_speed=16.7))
            rows.append(f"{load},{slip},{degrees},0,{found.Fx},{found.Fy},{found.Mz}")
    return "\n".join(rows)


def measured_heights() -> str:
    """By the lines of the page that make them."""
    code = next(block.text for block in blocks_of(MEASURED_ROAD) if block.language == "python")
    names: dict[str, np.ndarray] = {}
    exec(code.partition("np.savetxt")[0], names)
    return "\n".join(f"{height!r},{height!r}" for height in names["height"].tolist())


def rig_test() -> str:
    """By the lines of the page that make it."""
    code = [block.text for block in blocks_of(MEASURED_DATA) if block.language == "python"]
    names: dict[str, Any] = {"at": at, "np": np}
    exec(next(text for text in code if "rig.dat" in text).partition("Path(")[0], names)
    return "\n".join(names["heads"] + names["rows"])


def measured_drive() -> str:
    """A gentle turn, in the columns of the page's channel file."""
    rows = [f"{10 * k};{1.5 - 0.2 * min(k, 100)};{0.05 * min(k, 100)};0;72" for k in range(201)]
    return "\n".join(["Zeit;LWI;Gierrate;ay;v", "ms;deg;deg/s;g;km/h", *rows])


def noisy_drive() -> str:
    """By the lines of the page that make it."""
    code = next(block.text for block in blocks_of(IDENTIFIED) if block.language == "python")
    names: dict[str, Any] = {}
    exec(code.partition("np.savetxt")[0], names)
    rows = np.column_stack([names["run"].time, *names["columns"].values()])
    return "\n".join([names["head"], *(",".join(map(repr, row)) for row in rows.tolist())])


def cruise_control() -> str:
    """The controller of its page, with what a command connects it by."""
    code = next(b.text for b in blocks_of("docs/how-to/controllers.md") if b.language == "python")
    attributes = (
        "    reads, sets = ['vehicle.forward_speed'], ['driver.throttle']\n    interval = '10 ms'\n"
    )
    name = "class CruiseControl:\n"
    return code.partition("\n\ncar = ")[0].replace(name, f"{name}{attributes}") + "\n"


def drive_by_hand() -> str:
    """In the columns of a live page: throttle, then steering to the left."""
    names = ["vehicle.forward_speed", "vehicle.yaw_rate"]
    inputs = ["driver.steering", "driver.throttle", "driver.brake"]
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    rows = ["time [s],vehicle.forward_speed [m/s],vehicle.yaw_rate [rad/s],"
            "driver.steering [rad],driver.throttle [1],driver.brake [1]"]  # fmt: skip
    with car.stepper(step="1 ms", start={"speed": "80 km/h"}, outputs=names) as s:
        for k in range(200):
            rows.append(",".join(str(value) for value in [s.time, *(s[n] for n in names + inputs)]))
            s["driver.steering"] = 0.4 if k > 50 else 0.0
            s.advance("10 ms")
    return "\n".join(rows)


def car_with_a_law() -> str:
    """As the page says: its class, and what follows from it up to ``car``."""
    code = [block.text for block in blocks_of(OWN_TYRE) if block.language == "python"]
    of_law = next(text for text in code if "class Saturating" in text)
    of_car = next(text for text in code if "\ncar = " in text)
    return f"import axletree as at\n{of_law}\n{of_car.partition('manoeuvre = ')[0]}"


NAMED: dict[str, Callable[[], str]] = {  # where the page itself does not show them
    "car.yaml": lambda: _shown(OWN_CAR)["car.yaml"],
    "my.tir": lambda: _shown(OWN_TYRE)["mine.tir"],
    "my_model.py": lambda: 'import axletree as at\n\ncar = at.read_model("bicycle-car")\n',
    "measured.csv": measured_forces,
    "profile.csv": measured_heights,  # which measured.yaml names
    "mycar.py": car_with_a_law,
    "cruise.py": cruise_control,
    "rig.dat": rig_test,
    "drive.csv": measured_drive,
    "car.csv": drive_by_hand,
    "limits.yaml": lambda: "bump_steer: [-6, 2]\ncaster: {lower: 4 deg}\nanti_dive: {upper: 40}\n",
    "toe.csv": lambda: "Wheel travel [mm],Toe [deg]\n-50,0.1\n0,0.05\n50,0\n",
    "kc.csv": lambda: "Wheel travel [mm],Toe [deg]\n-50,0.1\n0,0.05\n50,0\n",
    "points.csv": lambda: "name,x,y,z\nwheel centre,1500,760,310\nlower ball joint,1495,710,185\n",
    "channels.yaml": lambda: _shown(MEASURED_DATA)["channels.yaml"],
}


OF_PAGES = {(IDENTIFIED, "drive.csv"): noisy_drive}  # another file than elsewhere


@cache
def _shown(page: str) -> dict[str, str]:
    whole = (b.text for b in blocks_of(page) if b.language == "yaml" and WHOLE.search(b.text))
    named = {YAML_NAMES[page]: next(whole)} if page in YAML_NAMES else {}
    return {**named, **files_of(page)}


@cache
def file_text(page: str, name: str) -> str | None:
    """The text of a file that the page shows or names; None where there is no such file."""
    if name in _shown(page):
        return _shown(page)[name]
    if (page, name) in OF_PAGES:
        return OF_PAGES[page, name]()
    return NAMED[name]() if name in NAMED else None


def file_key(page: str, name: str) -> str | None:
    """What tells files of one name apart: the text, or the name of what is computed for all pages,
    which takes a while."""
    if (page, name) in OF_PAGES:
        return f"{name} of {page}"
    is_computed = name in NAMED and NAMED[name].__name__ != "<lambda>"
    return name if is_computed and name not in _shown(page) else file_text(page, name)


def write_files(page: str, words: tuple[str, ...]) -> None:
    """Those that words of a command name, and those that they name, into the working folder."""
    wanted = [part for word in words for part in re.split("[=:]", word)]
    while wanted:
        name = wanted.pop()
        text = file_text(page, name)
        if text is not None and not Path(name).exists():
            Path(name).write_text(text, encoding="utf-8")
            wanted += re.findall(r"[\w-]+\.(?:yaml|tir|csv)", text)
