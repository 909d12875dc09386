"""Hydraulic components: pressure as across, flow as through variable.

In which order to read it:

1. ``fluids``: density, viscosity, compression, air, cavitation;
2. ``ports``: nodes, variables, signs; elements of one and of two ports;
3. ``sources`` (tank, pressure, flow, master cylinder, electric pump), ``storages`` (volume,
   accumulator), ``lines``;
4. ``valves``: orifice, check, relief, counterbalance and directional valve;
5. transducers: ``machines`` (pump and motor on a turning joint), ``cylinders`` (between two
   points, or along a sliding joint).
"""
