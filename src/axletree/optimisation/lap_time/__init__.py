"""Laps in the least time, from a car and a track.

In which order to read it:

1. ``track``: a track with its centre line and widths; ``track_files``: where tracks come from;
2. ``envelope``: the accelerations that a car holds at each speed, as the laps use them;
   ``road_loads``: what slopes, banking and crests ask for; ``lap_limits``: friction by place,
   energy, work of the tyres;
3. ``result``: what a lap is, whatever found it;
4. the ways to find one, from quick to whole: ``quasi_steady`` on a line that is given,
   ``line_of_least_curvature``, ``free_line`` by the envelope, ``drive_on_track``,
   ``car_on_track`` and ``equations_lap`` by the equations of a car;
5. ``lap``: the call.
"""
