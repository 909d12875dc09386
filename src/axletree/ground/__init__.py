"""The ground and the lines on it: surfaces, friction maps, paths, and the driver who follows one.

In which order to read it: ``functions`` (what ground is made of), ``friction_maps``, ``surfaces``
(the contract and the analytic ones), ``banked_curve``, ``grid_surfaces``, ``random_road``; then
``paths`` (the contract and the members), ``lane_changes``, ``pace`` (how fast a path is driven),
``clearance`` (what a vehicle covers beside it) and ``path_driver``. From files come ``height_map``
(grids of heights from CSV, NumPy and images), ``opencrg`` (roads of OpenCRG files) and
``race_track`` (centre lines of race tracks from CSV).
"""
