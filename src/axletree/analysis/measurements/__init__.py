"""Measured data: read, made comparable, laid over runs, and driven again by simulated vehicles.

In which order to read it:

- ``channel_sources``: the columns of a file, whatever kind it is of.
- ``filters``: Butterworth filters without phase.
- ``measurement``: ``read_measurement``, channels over a common time in SI units.
- ``alignment``: the shift in time between a run and a measurement.
- ``boundaries``: tolerances about simulated curves, and where measured points lie in them.
- ``agreement``: run and measurement over one another: residuals and their statistics.
- ``validation``: which curves and characteristic values standards compare.
- ``replay``: measured steering, pedals and speed as inputs of a simulated vehicle.
"""
