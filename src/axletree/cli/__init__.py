"""The ``axletree`` command: one file per noun, put together in ``app``.

``options`` has the arguments that several commands share, ``results`` the folder that they
leave, ``prepared_runs`` what a second run takes over from the first. Models: ``model_files`` (list,
check, schema), ``equations`` (derive, graph, export).
Motions: ``run`` (by a ``controller``), ``animation``, ``live``, ``steady`` (trim, linearise).
Vehicles: ``vehicle`` (cornering, g-g, yaw-moment, modes, frequency), ``loads``, ``lap``,
``procedure``, ``cycle``.
Many runs: ``studies`` (sweep, sensitivity), ``experiments`` (monte-carlo, sobol, optimise),
``comparison`` (compare, ladder). ``measurement`` (replay, and runs under measured data),
``identification``. ``tyre`` (plot, compare, fit, benches), ``suspension`` (kc; curves, fit,
sensitivity, points), ``thesis`` (bench), ``realtime`` (realtime, can), ``studio``, ``doctor``.
"""
