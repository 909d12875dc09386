"""What a run of a manoeuvre comes to: findings by the standards, with diagrams of where they are
read.

``findings`` and ``verdict`` say what a metric gives, and whether it is enough for a standard;
``vehicle_signals`` has the names that metrics read in a run, and how they read them. Then by
what is asked: ``steady_cornering`` (ISO 4138), ``steering_transients`` (step and sine, ISO
7401; sine with dwell, FMVSS 126), ``steering_response`` (by frequency),
``acceleration_and_braking`` (speed gain, road load; stopping, in a turn, on split friction),
``trains`` (trailers: ISO 9815 and 14791), ``wheel_loads`` (load variation, rollover) and
``ride`` (comfort, ISO 2631-1; posts). A new metric: one class with the contract ``Metric``, one
line of the catalogue.
"""
