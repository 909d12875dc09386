"""Steady motions: trims, turns, rolling starts, rest, and whole branches of them.

Read ``problem`` (what is given, what is to be found, where the search starts), ``yaw_symmetry``
and ``conditions`` (what steady means), ``equations`` (residuals and slopes for what is
unknown), then the search: ``newton``, ``arclength`` (pseudo-arclength continuation),
``homotopy`` (from an easy motion to the one asked for), ``settle`` (the system let run until it
is near), ``search``. ``result`` holds what is found, ``trim`` the two calls that find it. On
top of these stand ``continuation`` (branches past folds, with bifurcations), ``root_locus``
(eigenvalues along a parameter) and ``turning`` (the turns of a vehicle, steady or with a speed
that changes). ``rolling_start`` puts wheels on the ground and lets them roll, without asking
for a steady motion.
"""
