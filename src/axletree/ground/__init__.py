"""The ground and the lines on it: surfaces, friction maps, paths, and the driver who follows one.

In which order to read it: ``functions`` (what ground is made of), ``friction_maps``, ``surfaces``
(the contract and the analytic ones), ``grid_surfaces``, ``random_road``, and surfaces from files:
``height_map`` and ``opencrg``; then ``paths`` (the contract, the members, and what a vehicle covers
beside them), ``lane_changes``, ``race_track`` (from files), ``road_line`` and ``opendrive`` (the
middle of a road with its heights, from files) and ``path_driver`` (how fast a path is driven, and
by whom).
"""
