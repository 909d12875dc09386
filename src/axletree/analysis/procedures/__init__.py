"""Procedures: the manoeuvres that a standard asks for, driven one after another and evaluated.

- ``proving_ground``: a vehicle that drives many runs, put together once.
- ``contract``: what a procedure is, its stages and its result, and ``procedure``, which carries
  one out.

The procedures, each a class of the catalogue (section ``PROCEDURES``):

- ``stability_control``: sine with dwell (FMVSS 126, UN R140).
- ``lane_change_speed``: the highest speed through a double lane change (ISO 3888-1, -2).
- ``steady_circle``: steady-state cornering by three methods (ISO 4138).
- ``lateral_transients``: step, sine and frequency response (ISO 7401).
- ``turns``: braking and lift-off in a turn (ISO 7975, ISO 9816).
- ``on_centre``: weave and transition about straight ahead (ISO 13674-1, -2).
- ``stopping``: straight-line stopping distance (ISO 21994).
- ``road_comfort``: ride on roads of classes A to E (ISO 8608, ISO 2631-1).
"""
