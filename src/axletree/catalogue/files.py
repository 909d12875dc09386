"""What is read from files."""

from __future__ import annotations

# Models are files: "package:file".
# Vehicles of the package; docs/how-to/vehicles.md says where their numbers are from.
VEHICLES = {
    "compact-car": "axletree.models:compact-car.yaml",
    "sedan": "axletree.models:sedan.yaml",
    "sports-car": "axletree.models:sports-car.yaml",
    "suv": "axletree.models:suv.yaml",
    "van": "axletree.models:van.yaml",
    "truck-4x2": "axletree.models:truck-4x2.yaml",
    "tractor-semitrailer": "axletree.models:tractor-semitrailer.yaml",
    "car-with-caravan": "axletree.models:car-with-caravan.yaml",
    "car-with-tail-heavy-caravan": "axletree.models:car-with-tail-heavy-caravan.yaml",
    "formula-student": "axletree.models:formula-student.yaml",
    "motorcycle": "axletree.models:motorcycle.yaml",
    "whipple-bicycle": "axletree.models:whipple-bicycle.yaml",
    "skidder": "axletree.models:skidder.yaml",
    "rover": "axletree.models:rover.yaml",
    "off-road-truck": "axletree.models:off-road-truck.yaml",
    "three-wheeler": "axletree.models:three-wheeler.yaml",
    "car": "axletree.models:car.yaml",
}

MODELS = {
    **VEHICLES,
    "pendulum": "axletree.models:pendulum.yaml",
    "double-pendulum": "axletree.models:double-pendulum.yaml",
    "slider-crank": "axletree.models:slider-crank.yaml",
    "four-bar": "axletree.models:four-bar.yaml",
    "six-bar": "axletree.models:six-bar.yaml",
    "andrews-squeezer": "axletree.models:andrews-squeezer.yaml",
    "bricard": "axletree.models:bricard.yaml",
    "lagrange-top": "axletree.models:lagrange-top.yaml",
    "gyroscope": "axletree.models:gyroscope.yaml",
    "rlc-circuit": "axletree.models:rlc-circuit.yaml",
    "motor-driven-slider-crank": "axletree.models:motor-driven-slider-crank.yaml",
    "car-multibody": "axletree.models:car-multibody.yaml",
    "quarter-car": "axletree.models:quarter-car.yaml",
    "quarter-vehicle-on-soil": "axletree.models:quarter-vehicle-on-soil.yaml",
    "soil-bin": "axletree.models:soil-bin.yaml",
    "soil-track": "axletree.models:soil-track.yaml",
    "car-on-soil": "axletree.models:car-on-soil.yaml",
    "skidder-on-soil": "axletree.models:skidder-on-soil.yaml",
    "four-post": "axletree.models:four-post.yaml",
    "bicycle-car": "axletree.models:bicycle-car.yaml",
    "bicycles-geometry": "axletree.models:bicycles-geometry.yaml",
    "bicycles-friction": "axletree.models:bicycles-friction.yaml",
    "bicycle-wheelie": "axletree.models:bicycle-wheelie.yaml",
    "motorcycle-jump": "axletree.models:motorcycle-jump.yaml",
    "drifting-car": "axletree.models:drifting-car.yaml",
    "dropped-tyre": "axletree.models:dropped-tyre.yaml",
    "rolling-tyre": "axletree.models:rolling-tyre.yaml",
}

# Ready-made tyres are files: "package:file".
READY_TYRES = {
    "slim-ideal": "axletree.ready_tyres:slim-ideal.yaml",
    "slim-slipping": "axletree.ready_tyres:slim-slipping.yaml",
    "slim-advanced": "axletree.ready_tyres:slim-advanced.yaml",
    "slim-dynamic": "axletree.ready_tyres:slim-dynamic.yaml",
    "circular-advanced": "axletree.ready_tyres:circular-advanced.yaml",
    "circular-dynamic": "axletree.ready_tyres:circular-dynamic.yaml",
    "belted-ideal": "axletree.ready_tyres:belted-ideal.yaml",
    "belted-slipping": "axletree.ready_tyres:belted-slipping.yaml",
    "belted-advanced": "axletree.ready_tyres:belted-advanced.yaml",
    "belted-longitudinal-lateral": "axletree.ready_tyres:belted-longitudinal-lateral.yaml",
    "belted-quad": "axletree.ready_tyres:belted-quad.yaml",
}

# Parts of a section that a file is read for: "section.type".
PART_FILES = {
    "TYRES.property-file": "axletree.model.tyre_file_law:property_file_law",
    "SURFACES.height-map": "axletree.model.height_map:height_map_surface",
    "SURFACES.opencrg": "axletree.model.crg_file:crg_surface",
    "PATHS.race-track": "axletree.model.track_file:track_of_file",
    "SOILS.soil-file": "axletree.model.soil_file:soil_of_file",
}

# Sections of model files that make components.
FILE_SECTIONS = {
    "vehicle": "axletree.vehicles.read:SECTION",
}
