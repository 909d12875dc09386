"""Components: what a model is put together from, but for wheels and ground.

In which order to read it:

1. the contract: ``fields`` (what a component is made of, declared, and its exchangeable parts),
   ``signals`` (over time, and curves), ``frames``, ``edges`` (of the linear graph, and laws),
   ``contract`` (``Component``, what it is handed and what it answers), ``file_entries`` (components
   and parts as entries of a file);
2. motions: ``motion_laws`` (free, driven, and along a curve);
3. the families: ``bodies``, ``joints``, ``springs``, ``loads`` (of contacts, too), ``drivers``,
   ``actuators``, ``steering_gears``, ``brakes``; of drives ``power_sources``, ``engines`` with
   ``fuel_maps``, ``electric_drives``, ``battery``, ``differentials``, ``gears``, ``couplings`` (of
   shafts), ``torque_converters``, ``axle_drives``; ``electrical``, ``hydraulics`` (a folder),
   ``steering_wheel`` (turned by a torque), ``sensors``.
"""
