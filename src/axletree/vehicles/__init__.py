"""Vehicles as engineers describe them, and the models that they make.

The description, from its pieces to the whole:

- ``steering_column``: universal joints of a column, and the angle behind them.
- ``pieces``: body, wheel, tyre, steering, load, air, soft ground, driver.
- ``suspensions``, ``hitches``, ``drive_and_brakes``: the parts of an axle and of a trailer.
- ``controls``: the actuators that controllers command, beside the driver.
- ``brake_lines``: hydraulics of the brakes, with their valves.
- ``linkages``: suspensions by hard points, with the curves and the components that follow.
- ``units``: what a vehicle and its trailers have alike, and how they settle on their springs.
- ``spring_seats``: ride height and corner weights as they are set.
- ``vehicle``: the vehicle, and its fidelities.

What follows from the description alone:

- ``statics``: static loads, sinking, roll, load transfer, rollover threshold.
- ``linear_single_track``: the numbers and the components of the linear single-track model.
- ``steer_estimate``: the angle of the steering wheel for a turn, and the understeer gradient.
- ``performance_limits``: accelerations that it can hold over speed, and a pace by them.
- ``soil_mobility``: pull, resistance and slopes on soft ground.
- ``data_sheet``: these in a table, and which of them vehicles rarely have.

The model:

- ``wheel_loads``: load transfer of the planar model with two tracks.
- ``wheels``: kingpins, tyres, posts and soil wheels of an axle.
- ``assembly``: from a vehicle to the components of a model, with a driver where one is asked for.

What vehicles drive is in ``runs``.
"""
