"""What a run of a manoeuvre comes to: findings by the standards, with diagrams of where they are
read.

``findings`` are the numbers that a run is made for, with the curves that they are read from;
``contract`` is that of metrics. ``vehicle_signals`` has the names that metrics read in a run, and
how they read them. Then by what is asked: ``steady_cornering`` (ISO 4138), ``steering_transients``
(step and sine, ISO 7401), ``steering_response`` (by frequency), ``dwell_stability`` (sine with
dwell, FMVSS 126), ``braking`` (stopping, in a turn, on split friction), ``longitudinal`` (speed
gain, road load), ``trains`` (trailers: ISO 9815 and 14791), ``wheel_loads`` (load variation,
rollover) and ``ride`` (comfort, ISO 2631-1; posts). A new metric: one class with the contract
``Metric``, one line of the catalogue.
"""
