"""Animations of runs: a scene of what moves, a page that shows it, pictures of its instants.

``animation`` is the call. ``motion`` (poses along the run), ``mesh`` (solids), ``structure``
(which bodies hang together, joints, sizes of wheels) and ``scene`` (all that is shown) are the
means; ``bodies``, ``wheels`` and ``ground`` the actors, put together in ``build``. ``page``
writes the scene for the player (the .js files, style.css, the template of the page), ``pictures``
draws PNG and GIF.
"""
