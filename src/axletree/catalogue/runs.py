"""What is done with a model: manoeuvres, solved forms, integrators, files, exports."""

# ruff: noqa: E501 - an entry is one line, however long its names

from __future__ import annotations

MANOEUVRES = {
    "sine-steer": "axletree.model.manoeuvres.sine_steer:SineSteer",
    "step-steer": "axletree.model.manoeuvres.step_steer:StepSteer",
    "braking": "axletree.model.manoeuvres.braking:Braking",
    "coasting": "axletree.model.manoeuvres.coasting:Coasting",
    "drawbar-pull": "axletree.model.manoeuvres.drawbar_pull:DrawbarPull",
    "slip-sweep": "axletree.model.manoeuvres.slip_sweep:SlipSweep",
    "slope-start": "axletree.model.manoeuvres.slope_start:SlopeStart",
    "slope-stop": "axletree.model.manoeuvres.slope_stop:SlopeStop",
    "hill-climb": "axletree.model.manoeuvres.hill_climb:HillClimb",
    "soft-spot": "axletree.model.manoeuvres.soft_spot:SoftSpot",
    "ramp-steer": "axletree.model.manoeuvres.ramp_steer:RampSteer",
    "pulse-steer": "axletree.model.manoeuvres.pulse_steer:PulseSteer",
    "sine-with-dwell": "axletree.model.manoeuvres.sine_with_dwell:SineWithDwell",
    "frequency-sweep": "axletree.model.manoeuvres.frequency_sweep:FrequencySweep",
    "pedal-braking": "axletree.model.manoeuvres.pedal_braking:PedalBraking",
    "braking-in-turn": "axletree.model.manoeuvres.braking_in_turn:BrakingInTurn",
    "acceleration": "axletree.model.manoeuvres.acceleration:Acceleration",
    "post-sweep": "axletree.model.manoeuvres.post_sweep:PostSweep",
    "post-road": "axletree.model.manoeuvres.post_road:PostRoad",
    "follow-path": "axletree.model.manoeuvres.follow_path:FollowPath",
}

METRICS = {
    "step-response": "axletree.analysis.metrics.step_response:StepResponse",
    "sine-response": "axletree.analysis.metrics.sine_response:SineResponse",
    "steady-cornering": "axletree.analysis.metrics.steady_cornering:SteadyCornering",
    "steady-turn": "axletree.analysis.metrics.steady_turn:SteadyTurn",
    "steering-response": "axletree.analysis.metrics.steering_response:SteeringResponse",
    "dwell-stability": "axletree.analysis.metrics.dwell_stability:DwellStability",
    "stopping": "axletree.analysis.metrics.stopping:Stopping",
    "turn-braking": "axletree.analysis.metrics.turn_braking:TurnBraking",
    "speed-gain": "axletree.analysis.metrics.speed_gain:SpeedGain",
    "road-load": "axletree.analysis.metrics.road_load:RoadLoad",
    "ride-comfort": "axletree.analysis.metrics.ride_comfort:RideComfort",
    "rearward-amplification": "axletree.analysis.metrics.rearward_amplification:RearwardAmplification",
    "trailer-damping": "axletree.analysis.metrics.trailer_damping:TrailerDamping",
    "rollover": "axletree.analysis.metrics.rollover:Rollover",
    "split-braking": "axletree.analysis.metrics.split_braking:SplitBraking",
    "wheel-loads": "axletree.analysis.metrics.wheel_loads:WheelLoads",
    "post-response": "axletree.analysis.metrics.post_response:PostResponse",
}

FORMS = {
    "projected": "axletree.system.forms.projected:Projected",
    "baumgarte": "axletree.system.forms.baumgarte:Baumgarte",
    "partition": "axletree.system.forms.partition:Partition",
}

INTEGRATORS = {
    "explicit-euler": "axletree.simulation.integrators.explicit_euler:METHOD",
    "semi-implicit-euler": "axletree.simulation.integrators.semi_implicit_euler:METHOD",
    "complementarity": "axletree.simulation.integrators.complementarity:METHOD",
    "complementarity-sweeps": "axletree.simulation.integrators.complementarity_sweeps:METHOD",
    "rk4": "axletree.simulation.integrators.rk4:METHOD",
    "subdivided-rk45": "axletree.simulation.integrators.subdivided_rk45:METHOD",
    "rk45": "axletree.simulation.integrators.rk45:METHOD",
    "dop853": "axletree.simulation.integrators.dop853:METHOD",
    "radau": "axletree.simulation.integrators.radau:METHOD",
    "bdf": "axletree.simulation.integrators.bdf:METHOD",
    "lsoda": "axletree.simulation.integrators.lsoda:METHOD",
    "cvode": "axletree.simulation.integrators.cvode:METHOD",
    "ida": "axletree.simulation.integrators.ida:METHOD",
}

# Kinds of files that runs are written to.
TRAJECTORY_FILES = {
    "csv": "axletree.simulation.trajectory_formats.csv_text:FORMAT",
    "npz": "axletree.simulation.trajectory_formats.numpy_archive:FORMAT",
    "mat": "axletree.simulation.trajectory_formats.matlab_file:FORMAT",
    "mdf4": "axletree.simulation.trajectory_formats.mdf4:FORMAT",
    "parquet": "axletree.simulation.trajectory_formats.parquet:FORMAT",
}

EXPORTS = {
    "c": "axletree.export.c_project:write_c_project",
    "matlab": "axletree.export.matlab:write_matlab",
    "fortran": "axletree.export.fortran:write_fortran",
    "latex": "axletree.export.latex:write_latex",
}
