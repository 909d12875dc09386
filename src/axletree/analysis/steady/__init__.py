"""Steady motions: one problem, asked by conditions, with one result and its continuation.

Read ``trim`` (the entry) and ``problem`` (what is given, what is to be found, where the search
starts, with speed, lateral acceleration and radius of a vehicle's path), then
``yaw_symmetry`` and ``conditions`` (what steady means) and ``equations`` (residuals and slopes for
what is unknown). The search: ``newton``, ``arclength`` (pseudo-arclength continuation), ``settle``
(the system let run until it is near, or rests), ``search`` (with the homotopy from an easy motion
to the one asked for). ``rolling`` puts wheels on the ground and lets them roll. ``result``
holds what is found, and ``continuation`` follows it (branches past folds, with bifurcations).
``member_starts`` finds the steady starts of many variants of a model at once.
On top of these stand ``root_locus`` (eigenvalues along a parameter) and ``turning`` (the turns of
a vehicle in compiled rows, steady or with a speed that changes, for diagrams of many of them).
"""
