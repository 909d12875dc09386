"""Components: what a model is put together from, but for wheels and ground.

In which order to read it:

1. the contract: ``fields`` (what a component is made of, declared), ``parts`` (exchangeable
   pieces), ``curves``, ``signals``, ``frames``, ``edges`` (of the linear graph, and laws),
   ``exchange`` (what components are handed and what they answer), ``contract`` (``Component``),
   ``file_entries`` (components and parts as entries of a file);
2. motions: ``motion_laws`` (free translations and rotations), ``guided_motion`` (driven, and along
   a curve);
3. the families: ``bodies``, ``joints``, ``springs``, ``loads``, ``drivers``, ``brakes``,
   ``engines``, ``driveline``, ``electrical``, ``contacts``, ``sensors``.
"""
