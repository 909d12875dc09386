"""Animations of runs: a scene of what moves, a page that shows it, pictures of its instants.

``animation`` is the call, and writes the scene for the player (the .js files, style.css, the
template of the page); ``pictures`` draws PNG and GIF. ``motion`` (poses along the run), ``mesh``
(solids) and ``scene`` (all that is shown) are the means; ``bodies`` (which of them hang together,
and what they look like), ``body_shapes`` (cars, vans, trucks, trailers), ``single_track`` with
``single_track_shapes`` (motorcycles and bicycles with riders), ``rover_shape``, ``wheels`` and
``ground`` the actors, put together in ``build``.
"""
