"""Every reader with files that it reads, how they are changed, and what is made of them."""

from __future__ import annotations

import io
import json
import math
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from fuzz import mutations
from ruamel.yaml import YAML

import axletree
from axletree.analysis.kinematics_and_compliance.tables import (
    curves_text,
    read_hard_points,
    read_rig_table,
)
from axletree.analysis.kinematics_and_compliance.targets import read_targets
from axletree.analysis.measurements.measurement import read_measurement
from axletree.analysis.studies.comparison import read_result
from axletree.analysis.studies.sweep_plan import read_swept_values
from axletree.analysis.studies.tyre_characteristics import slip_sweep
from axletree.catalogue import TYRES
from axletree.cli.options import read_assigned_signals, read_assigned_values
from axletree.components.fields import kind_of, part
from axletree.core.problems import Problems
from axletree.core.registry import load
from axletree.core.yaml_document import read_document
from axletree.export.fmu.write import write_fmu
from axletree.expr.quantity import Quantity, Role
from axletree.ground.height_map import height_map_surface
from axletree.ground.opencrg import crg_surface
from axletree.ground.opendrive import read_opendrive
from axletree.ground.race_track import track_of_file
from axletree.model_files.build import build_model
from axletree.optimisation.lap_time.track_files import read_track
from axletree.reports.results import read_recipe
from axletree.simulation.fmu.archive import (
    DESCRIPTION,
    FmuDescription,
    open_archive,
    read_description,
)
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.data_sheet import data_sheet
from axletree.wheel.soils.soil_file import read_soils
from axletree.wheel.tyres.law_files import read_tyre_law
from axletree.wheel.tyres.rig_data import read_rig_data
from axletree.wheel.tyres.tyre_data import read_tyre_data

DATA = Path(axletree.__file__).parent / "data"


@dataclass(frozen=True)
class Reader:
    """``read`` makes something of a file and returns numbers, or raises an error of the package."""

    file: str  # name of the file
    originals: Callable[[], Sequence[bytes]]  # which are read
    change: Callable[[Random, bytes], bytes]
    read: Callable[[Path], Any]
    share: float = 1.0  # of the mutations, less where a reader is slow
    beside: tuple[tuple[str, str], ...] = ()  # further files, name and text


def of_text(file: str, texts: Sequence[str], read: Callable[[Path], Any], **more: Any) -> Reader:
    """Half of the changes are of numbers and lines, half of characters."""

    def change(random: Random, content: bytes) -> bytes:
        how = random.choice((mutations.changed_text, mutations.changed_numbers))
        return how(random, content.decode()).encode("utf-8", "surrogatepass")

    return Reader(file, lambda: [text.encode() for text in texts], change, read, **more)


def of_yaml(file: str, texts: Sequence[str], read: Callable[[Path], Any], **more: Any) -> Reader:
    @cache
    def values(content: bytes) -> Any:
        return YAML(typ="safe", pure=True).load(content.decode())

    def change(random: Random, content: bytes) -> bytes:
        made = mutations.changed_values(random, values(content))
        return mutations.as_yaml(made).encode("utf-8", "surrogatepass")

    return Reader(file, lambda: [text.encode() for text in texts], change, read, **more)


def of_bytes(
    file: str, content: Callable[[], bytes], read: Callable[[Path], Any], **more: Any
) -> Reader:
    return Reader(file, cache(lambda: [content()]), mutations.changed_bytes, read, **more)


# Models and vehicles ---------------------------------------------------------------------------


def models(*names: str) -> tuple[str, ...]:
    return tuple((DATA / "models" / f"{name}.yaml").read_text("utf-8") for name in names)


def model(path: Path) -> Any:
    """With the equations, and the rates at the initial state, of a model that is small."""
    made = build_model(
        path.read_bytes().decode("utf-8", "replace"), path.name, path.stem, path.parent
    )
    system = made.formulate()
    return list(system.rhs(system.state({})).values())


def parts(path: Path) -> Any:
    """A model of any size, as far as its components."""
    text = path.read_bytes().decode("utf-8", "replace")
    return len(build_model(text, path.name, path.stem, path.parent).components)


def vehicle(path: Path) -> Any:
    """With its data sheet, which stands it on its springs."""
    text = path.read_bytes().decode("utf-8", "replace")
    made = build_model(text, path.name, path.stem, path.parent)
    found = made.described.get("vehicle")
    if found is None:
        return []
    sheet = data_sheet(found)
    said = " ".join(sheet.warnings)  # that it falls over, for example
    return [row.value for row in sheet.rows if not (math.isinf(row.value) and row.name in said)]


def driven(path: Path) -> Any:
    """With the equations of its smallest model."""
    text = path.read_bytes().decode("utf-8", "replace")
    changes = {"vehicle": {"fidelity": "single-track"}}
    system = build_model(text, path.name, path.stem, path.parent, changes).formulate()
    return list(system.rhs(system.state({})).values())


# Tyres, soils, ground --------------------------------------------------------------------------

TYRE_FILE = """[MDI_HEADER]
FILE_TYPE = 'tir'
[UNITS]
LENGTH = 'meter'
FORCE = 'newton'
ANGLE = 'radians'
MASS = 'kg'
TIME = 'second'
[MODEL]
PROPERTY_FILE_FORMAT = 'PAC2002'
FITTYP = 6
[DIMENSION]
UNLOADED_RADIUS = 0.331
WIDTH = 0.2
[VERTICAL]
VERTICAL_STIFFNESS = 2.1e5
FNOMIN = 4100
[SCALING_COEFFICIENTS]
LFZO = 1
LMUX = 1
[LONGITUDINAL_COEFFICIENTS]
PCX1 = 1.6
PDX1 = 1.1
PKX1 = 21
[LATERAL_COEFFICIENTS]
PCY1 = 1.3
PDY1 = -0.99
PKY1 = -14.9
PKY2 = 1.9
[ALIGNING_COEFFICIENTS]
QBZ1 = 8.9
QCZ1 = 1.2
QDZ1 = 0.09
"""
TYRE_LAWS = [
    json.dumps({"type": name, **load("tyre law", name, TYRES).example})
    for name in TYRES
    if name not in ("external", "composed", "property-file", "no-slip")
]
TYRE_DATA = "Fz [N],alpha [deg],kappa,gamma [deg],Fx [N],Fy [N],Mz [N*m]\n" + "".join(
    f"{load},{angle},0,0,0,{-900 * angle},{20 * angle}\n"
    for load in (2000, 4000) for angle in (-4, -2, 0, 2, 4)
)  # fmt: skip
SOILS = """
field: {type: dry-sand-lll, cohesion: 1.2 kPa}
own: {type: bekker, cohesive_modulus: 1e3, frictional_modulus: 2e6, sinkage_exponent: 1,
      cohesion: 1 kPa, friction_angle: 30 deg, shear_modulus: 2 cm}
"""
CURVE = [(20.0 * math.cos(a), 12.0 * math.sin(a)) for a in np.linspace(0.0, 6.1, 30)]
TRACK = "x, y, width\n" + "".join(f"{x:.3f}, {y:.3f}, 4.0\n" for x, y in CURVE)
HILLY_TRACK = "x,y,z,width,banking_deg\n" + "".join(
    f"{x:.3f},{y:.3f},{0.01 * x:.3f},4.0,{0.1 * y:.3f}\n" for x, y in CURVE
)
XODR = """<?xml version="1.0"?>
<OpenDRIVE><header revMajor="1" revMinor="7"/>
<road name="a" length="71.5" id="1" junction="-1">
<link><successor elementType="road" elementId="2" contactPoint="start"/></link>
<planView>
<geometry s="0" x="0" y="0" hdg="0" length="20"><line/></geometry>
<geometry s="20" x="20" y="0" hdg="0" length="31.5"><arc curvature="0.02"/></geometry>
<geometry s="51.5" x="49.45" y="9.59" hdg="0.63" length="20">
<poly3 a="0" b="0" c="0" d="0"/></geometry>
</planView>
<elevationProfile><elevation s="0" a="1" b="0.02" c="0.001" d="0"/></elevationProfile>
<lateralProfile><superelevation s="10" a="0.02" b="0.001" c="0" d="0"/></lateralProfile>
<lanes><laneOffset s="0" a="0.5" b="0" c="0" d="0"/><laneSection s="0">
<left><lane id="1" type="driving"><width sOffset="0" a="4" b="0" c="0" d="0"/></lane></left>
<right><lane id="-1" type="driving"><border sOffset="0" a="-4" b="0" c="0" d="0"/></lane></right>
</laneSection></lanes></road>
<road name="b" length="30" id="2" junction="-1"><planView>
<geometry s="0" x="65.611" y="21.373" hdg="0.63" length="15">
<spiral curvStart="0" curvEnd="0.03"/></geometry>
<geometry s="15" x="76.983" y="31.098" hdg="0.855" length="15">
<paramPoly3 pRange="arcLength" aU="0" bU="1" cU="0" dU="0" aV="0" bV="0" cV="0" dV="0"/></geometry>
</planView>
<elevationProfile><elevation s="0" a="7.542" b="0" c="0" d="0"/></elevationProfile>
<lanes><laneSection s="0">
<left><lane id="1" type="driving"><width sOffset="0" a="4" b="0" c="0" d="0"/></lane></left>
</laneSection></lanes></road>
</OpenDRIVE>
"""
HEIGHTS = "\n".join(",".join(f"{0.01 * i * k:g}" for k in range(5)) for i in range(6))
ROAD = "\n".join([
    "$CT", "a road", "$", "$ROAD_CRG", "reference_line_start_u = 0.0", "reference_line_end_u = 4.0",
    "reference_line_increment = 0.5", "reference_line_start_x = 0.0",
    "reference_line_start_y = 0.0", "reference_line_end_x = 4.0", "reference_line_end_y = 0.0",
    "reference_line_start_phi = 0.0", "reference_line_end_phi = 0.0", "$",
    "$ROAD_CRG_MODS", "$", "$KD_DEFINITION", "#:LRFI",
    "U:reference line u,m,0.0,0.5",
    *(f"D:long section at v = {v},m" for v in (-1.0, 0.0, 0.5, 2.0)),
    "$", "$" * 72, *("".join(f"{0.01 * i * k:10.4f}" for k in range(4)) for i in range(9)),
]) + "\n"  # fmt: skip


def tyre_law(path: Path) -> Any:
    law = read_tyre_law(path)
    forces = slip_sweep(law, 4000.0, 0.02, np.linspace(-0.2, 0.2, 5))
    return np.concatenate([forces.Fx, forces.Fy, forces.Mz])


def tyre_data(path: Path) -> Any:
    found = read_tyre_data(path)
    return found.normal_load


def soils(path: Path) -> Any:
    return [value for soil in read_soils(path).values() for value in soil.numbers.values()]


def surface(make: Callable[[Mapping[str, Any]], Any], **fields: Any) -> Callable[[Path], Any]:
    def read(path: Path) -> Any:
        made = make({"file": str(path), **fields})
        x, y = np.meshgrid(np.linspace(0.0, 1.0, 4), np.linspace(0.0, 1.0, 4))
        return np.ravel(made.height(x, y, made.numbers))

    return read


def track(path: Path) -> Any:
    return along(track_of_file({"file": str(path)}))


def lap_track(path: Path) -> Any:
    """A track as laps have it."""
    found = read_track(path)
    return [found.length, *found.x, *found.y, *found.curvature, *found.left, *found.right]


def road_line(path: Path) -> Any:
    """The middle of an OpenDRIVE road, beside its widths and banking."""
    road = read_opendrive(path).in_the_middle()
    return [*road.points.ravel(), *road.banking, *road.left, *road.right]


def along(path: Any) -> Any:
    """The line of a path, as drivers have it."""
    line = path.line
    width = path.half_width(line.station)
    tables = (*line.places, line.headings, line.curvatures)
    values = [table.evaluate(0.3 * line.length) for table in tables]
    return [line.length, path.finish, *values, *([] if width is None else width)]


def part_of_file(section: str, use: Callable[[Any], Any]) -> Callable[[Path], Any]:
    """A part of a model as its section of the catalogue reads it."""

    def read(path: Path) -> Any:
        problems = Problems(path.name)
        entry = read_document(path.read_bytes().decode("utf-8", "replace"), problems)
        kind = kind_of(part(section, "a part"))
        assert kind is not None
        return use(kind.check(entry.plain))

    return read


def around(surface: Any) -> Any:
    x, y = np.meshgrid(np.linspace(-5.0, 30.0, 6), np.linspace(-3.0, 3.0, 5))
    numbers = surface.numbers
    values = [surface.height(x, y, numbers), surface.friction(x, y, numbers)]
    return np.ravel([np.broadcast_to(np.asarray(value, float), x.shape) for value in values])


PATHS = (
    "{type: circle, radius: 40 m}", "{type: straight}", "{type: slalom}", "{type: skid-pad}",
    "{type: centre-line, through: [[0, 0], [60, 0], [100, 15], [110, 50], [80, 80]]}",
    json.dumps({"type": "circuit", "through": [[x, y, 4.0] for x, y in CURVE[::3]]}),
)  # fmt: skip
SURFACES = (
    "{type: bump, rise: 0.1, length: 2, x: 1, heading: 10 deg}",
    "{type: flat, friction_map: {type: split, left: 1, right: 0.3, begin: 15 m}}",
    "{type: flat, friction_map: "
    "{type: cells, factors: [[1, 0.3], [0.5, 0.8]], length_x: 10, length_y: 4}}",
    "{type: random-road, road_class: D, lead_in: 20, x: 10}",
    "{type: ramp, rise: 1, length: 5, edge: 1}",
    "{type: bicubic, heights: [[0, 0.1, 0], [0.2, 0.1, 0], [0, 0, 0.1]], length_x: 2, length_y: 2}",
    "{type: sum, surfaces: "
    "[{type: sine, amplitude: 0.1, wavelength: 3}, {type: step, rise: 0.1, length: 1}]}",
    "{type: hill, rise: 2, radius: 30}",
    "{type: banked-curve, radius: 50, angle: 40 deg, bank: 10 deg, width: 8, transition: 3}",
)


def array() -> bytes:
    stream = io.BytesIO()
    np.save(stream, 0.01 * np.arange(30.0).reshape(6, 5))
    return stream.getvalue()


def picture() -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(6, 8)).save(stream, format="PNG")
    return stream.getvalue()


# Results -------------------------------------------------------------------------------------


def records(kind: str, suffix: str) -> Callable[[], bytes]:
    def content() -> bytes:
        import tempfile

        time = np.linspace(0.0, 1.0, 30)
        columns = {"a.x": np.sin(time), "b.y": time**2}
        run = Trajectory("m", time, columns, {"a.x": "m", "b.y": "rad/s"}, ("a.x",))
        with tempfile.TemporaryDirectory() as folder:
            return run.write(kind, Path(folder, f"run{suffix}")).read_bytes()

    return content


def trajectory(path: Path) -> Any:
    found = Trajectory.read(path)
    return np.concatenate([found.time, *found.columns.values(), list(found.final_state.values())])


DRIVE = "Zeit;LWI;r\nms;deg;deg/s\n" + "".join(
    f"{10 * k};{math.sin(0.3 * k):.4f};{2.5 * k:g}\n".replace(".", ",") for k in range(20)
)
CHANNELS = """
time: {column: Zeit, unit: ms}
channels:
  driver.steering: {column: LWI, unit: deg, sign: -1, delay: 20 ms, offset: 0.5 deg}
  vehicle.yaw_rate: {column: r, unit: deg/s, tolerance: [0.5 deg/s, 5 %]}
interval: 10 ms
bridge: 0.1 s
filter: {order: 2, cutoff: 10 Hz}
"""
RIG = "Test 1234\nSA\tIA\tFZ\tFY\tMZ\ndeg\tdeg\tN\tN\tN-m\n" + "".join(
    f"{angle}\t0\t{-load}\t{-500 * angle}\t{20 * angle}\n"
    for load in (2000, 4000) for angle in range(-8, 9)
)  # fmt: skip


def measurement(path: Path) -> Any:
    """The drive by its channels, with the filter that they ask for."""
    found = read_measurement(path.parent / "drive.csv", path.parent / "channels.yaml")
    if found.filter is not None:
        found = found.filtered(found.filter)
    return np.concatenate([found.time, *found.columns.values()])


def rig_test(path: Path) -> Any:
    found = read_rig_data(path)
    return np.concatenate([found.data.normal_load, *found.data.forces.values()])


TARGETS = """bump_steer: [-6, 2]
caster: {lower: 4 deg, upper: 7 deg}
kingpin_inclination: {lower: 9}
wheel_rate: [20 kN/m, 60 kN/m]
"""
TARGET_TABLE = "metric,lower,upper\nbump_steer,-6,2\ncaster,4 deg,\nkingpin_inclination,,14\n"
RIG_CURVES = "Wheel travel [mm];Toe [deg];Camber Angle [deg];Track change [mm]\n" + "".join(
    f"{z};{0.1 - 0.003 * z:g};{-1.0 - 0.02 * z:g};{0.05 * z:g}\n" for z in range(-60, 70, 10)
)
HARD_POINTS = """name;x [mm];y [mm];z [mm]
Wheel Centre;1500;760;310
Lower Arm Front;1350;385;193
Lower Arm Rear;1700;375;207
Lower Ball Joint left;1492;710;185
Lower Ball Joint right;1492;-710;185
"""


def rig_curves(path: Path) -> Any:
    """With what a suspension by curves takes of it."""
    table = read_rig_table(path)
    curves_text(table)
    changes = (table.curve(name) for name in ("toe", "camber", "outward"))
    return np.concatenate([table.travel, *(c.y for c in changes if c is not None)])


def targets(path: Path) -> Any:
    limits = [limit for one in read_targets(path) for limit in (one.lower, one.upper)]
    return [limit for limit in limits if limit is not None]


def points(path: Path) -> Any:
    found = read_hard_points(path, signs=(-1.0, 1.0, 1.0), origin=(1.5, 0.0, 0.0))
    return [x for point in found.values() for x in point]


METRICS = json.dumps({
    "sha256": "0", "model": {"name": "m", "sha256": {"m.yaml": "0"}}, "manoeuvre": {"name": "step"},
    "settings": {"fidelity": None, "soil": None, "method": "rk4", "parameters": {"a": 1.0}},
    "inputs": {"u": "sin(t)"}, "versions": {"numpy": "2"}, "complete": True,
    "metrics": {"overshoot": {"value": 1.0, "unit": "1", "description": "overshoot"}},
})  # fmt: skip
RECORDS = "time [s],a [m]\n0,1\n1,2\n"


def metrics(path: Path) -> Any:
    for finding in read_result(path.parent, "a").findings:
        assert isinstance(finding.name, str)
        assert isinstance(finding.unit, str)
        finding.in_words  # noqa: B018 - it is printed
    read_recipe(path.parent)
    return []


# Settings of commands ------------------------------------------------------------------------

SETTINGS = (
    "pin.angle=0.3", "pin.angle=20 deg", "mass=2.5 kg", "mass=1500 g", "force=10*sin(2*pi*t)",
    "force=where(t < 1, 3, 0)", "force=3 kN", "mass=1:2:5", "mass=1 kg,2 kg,3 kg",
    "mass=1 kg:9 kg:3",
)  # fmt: skip
QUANTITIES = (
    Quantity("pin.angle", "rad", "", Role.COORDINATE), Quantity("mass", "kg", "", Role.PARAMETER),
    Quantity("force", "N", "", Role.INPUT),
)  # fmt: skip
TIME = Quantity("time", "s", "", Role.TIME)


def settings(path: Path) -> Any:
    """One line, as the parameter, as the input, and as the values of a sweep."""
    text = path.read_bytes().decode("utf-8", "replace")
    refusals = []
    for read in (
        lambda: read_assigned_values([text], "--parameter", QUANTITIES),
        lambda: read_assigned_signals([text], "--input", QUANTITIES, TIME),
        lambda: read_swept_values(*text.partition("=")[::2]),
    ):
        try:
            read()
        except axletree.AxletreeError as error:
            refusals.append(error)
    if len(refusals) == 3:
        raise refusals[0]
    return []


SMALL = models("pendulum", "rlc-circuit", "quarter-car")
LARGE = models("four-bar", "car", "soil-track", "motorcycle", "four-post", "gyroscope", "skidder")
VEHICLES = models("sedan", "truck-4x2", "formula-student")
LINKED = models(
    "double-wishbone-sports-car", "five-link-sedan", "beam-axle-truck", "pushrod-formula-student"
)


@cache
def small_fmu() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = write_fmu(axletree.read_model("pendulum"), f"{folder}/it.fmu", platforms=())
        return file.read_bytes()


def fmu_text() -> str:
    with zipfile.ZipFile(io.BytesIO(small_fmu())) as archive:
        return archive.read(DESCRIPTION).decode()


def fmu(path: Path) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        return starts_of(open_archive(path, Path(folder)))


def fmu_description(path: Path) -> list[float]:
    return starts_of(read_description(path.read_bytes(), path))


def starts_of(said: FmuDescription) -> list[float]:
    return [one.start for one in said.signals.values() if one.start is not None]


READERS = {
    "FMU": of_bytes("it.fmu", small_fmu, fmu, share=0.3),
    "description of an FMU": of_text("modelDescription.xml", [fmu_text()], fmu_description),
    "model": of_yaml("model.yaml", SMALL, model, share=0.5),
    "text of a model": of_text("model.yaml", SMALL, parts, share=0.5),
    "parts of a model": of_yaml("model.yaml", LARGE, parts, share=0.2),
    "vehicle": of_yaml("car.yaml", VEHICLES, vehicle, share=0.2),
    "vehicle by hard points": of_yaml("car.yaml", LINKED, vehicle, share=0.1),
    "targets of a rig": of_yaml("targets.yaml", [TARGETS], targets),
    "targets in a table": of_text("targets.csv", [TARGET_TABLE], targets),
    "curves of a rig": of_text("curves.csv", [RIG_CURVES], rig_curves),
    "hard points": of_text("points.csv", [HARD_POINTS], points),
    "equations of a vehicle": of_yaml("car.yaml", VEHICLES, driven, share=0.02),
    "tyre property file": of_text("tyre.tir", [TYRE_FILE], tyre_law),
    "tyre law": of_yaml("tyre.yaml", TYRE_LAWS, tyre_law),
    "tyre data": of_text("data.csv", [TYRE_DATA], tyre_data),
    "tyre rig": of_text("rig.dat", [RIG], rig_test),
    "measured drive": of_text(
        "drive.csv", [DRIVE], measurement, beside=(("channels.yaml", CHANNELS),)
    ),
    "channels": of_yaml("channels.yaml", [CHANNELS], measurement, beside=(("drive.csv", DRIVE),)),
    "soils": of_yaml("soils.yaml", [SOILS], soils),
    "track of a lap": of_text("centre.csv", [TRACK, HILLY_TRACK], lap_track, share=0.3),
    "OpenDRIVE": of_text("road.xodr", [XODR], road_line, share=0.5),
    "race track": of_text("track.csv", [TRACK], track, share=0.3),
    "path": of_yaml("path.yaml", PATHS, part_of_file("PATHS", along)),
    "surface": of_yaml("surface.yaml", SURFACES, part_of_file("SURFACES", around)),
    "OpenCRG": of_text("road.crg", [ROAD], surface(crg_surface)),
    "heights as CSV": of_text("map.csv", [HEIGHTS], surface(height_map_surface, spacing=0.1)),
    "heights as NumPy": of_bytes("map.npy", array, surface(height_map_surface, spacing=0.1)),
    "heights as PNG": of_bytes(
        "map.png", picture, surface(height_map_surface, spacing=0.1, low=0.0, high=0.1)
    ),
    "CSV": of_text("run.csv", [records("csv", ".csv")().decode()], trajectory),
    "NPZ": of_bytes("run.npz", records("npz", ".npz"), trajectory),
    "MAT": of_bytes("run.mat", records("mat", ".mat"), trajectory),
    "Parquet": of_bytes("run.parquet", records("parquet", ".parquet"), trajectory),
    "MDF": of_bytes("run.mf4", records("mdf4", ".mf4"), trajectory, share=0.002),
    "metrics": of_yaml("metrics.json", [METRICS], metrics, beside=(("run.csv", RECORDS),)),
    "settings of commands": of_text("setting.txt", SETTINGS, settings),
}
