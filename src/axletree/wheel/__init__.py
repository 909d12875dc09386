"""The wheel: what acts between it and the ground.

In which order to read it:

1. ``wheel`` (the contract of wheels: what every kind has and others ask of it), ``contract`` (tyre
   laws: from the state of a contact patch to forces) and ``axis_systems``;
2. ``tyre`` (the component) and ``evaluation`` (its parts on one page, from the motion of the wheel
   to loads, outputs, and the rolling constraint of an ideal wheel), with ``bound_law``;
3. the parts: ``contact_geometry``, ``ground_plane``, ``normal_forces``, ``slip`` (and rolling
   radii), ``carcass``, ``contact_dynamics``, ``belts`` (and rims);
4. friction by effects, each exchangeable: ``friction_slips`` and ``friction_effects``.

``tyres`` has the laws, ``soils`` the wheel on soft ground.
"""
