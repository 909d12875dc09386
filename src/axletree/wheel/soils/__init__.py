"""The wheel on soft ground: soils, laws from sinkage and slip to forces, and the component.

In which order to read it:

1. ``soil`` (how it yields), ``soil_list`` (soils by name, from ``soils.csv``) and ``soil_file``
   (soils of one's own in YAML), ``contract`` (of
   soil laws, their forces and grip), ``calls`` (laws as calls);
2. the laws: ``wong_reece`` with ``rim_stresses`` and ``rim_grip``, ``cone_index_laws``, ``paved``
   (a tyre on hard ground), ``layers`` (borders, maps and patches of several), and ``mobility``
   numbers;
3. the wheel: ``soil_wheel`` (the component and its outputs), ``wheel_motion``, ``supports`` (what
   carries it), ``traction_schemes`` and ``set_valued_forces``.
"""
