"""The wheel on soft ground: soils, laws from sinkage and slip to forces, and the component.

In which order to read it:

1. ``soil`` (how it yields; soils by name, from ``soils.csv``), ``soil_file`` (soils of a file of
   one's own) and ``contract`` (of soil laws, their forces and grip, and laws as calls);
2. the laws: ``wong_reece`` with ``rim_stresses``, ``cone_index_laws`` (and mobility numbers),
   ``paved`` (a tyre on hard ground), ``layers`` (borders, maps and patches of several);
3. the wheel: ``soil_wheel`` (the component and its outputs), ``wheel_motion``, ``supports`` (what
   carries it), ``set_valued_forces`` (and schemes of traction).
"""
