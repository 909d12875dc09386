"""Runs: the manoeuvres that vehicles drive, and the benches that tyres are tested on.

Manoeuvres, whose contract is ``model/manoeuvre``:

- ``steering``: ramp, step, pulse, sine, sine with dwell, rising frequency.
- ``acceleration_and_braking``: coasting, acceleration, braking, braking in a turn.
- ``follow_path``: a path, by a driver who is part of the equations.
- ``follow_speed``: speeds over time, by pedals in the equations, with any steering.
- ``drive_cycle``: driving cycles from files, which are followed likewise.
- ``standing_starts``: from rest on the brakes: creep, stall, backward in the reverse gear.
- ``slopes``: start and stop on a slope, hill climb.
- ``soft_ground``: drawbar pull, soft spot, slip sweep.
- ``posts``: four posts under the wheels, swept or after a road.

What a vehicle proposes of them, by its description:

- ``standard_manoeuvres``: those of every vehicle, of vehicles with trailers, of linear models, and
  along paths.
- ``ground_manoeuvres``: on rough and slippery roads, on posts, on soft ground.
- ``vehicle_section``: the section ``vehicle`` of a model file, with its manoeuvres, run and plots.

Tyre benches (Andres 2009, section 6.1):

- ``bench_contract``: what a bench is, the tyre that is on it, and the rig that holds it.
- ``benches``: the benches.
"""
