"""Vehicles that are driven in a page: one file with the model as WebAssembly.

``live_page`` is the call, and puts the page together; ``scene_recipe`` says how the picture follows
from the outputs of a stepper; ``live_controls`` which inputs are steered by keys and which
parameters have sliders; ``live_courses`` what stands on the ground to be driven around;
``lap_ghosts`` tracks and laps of optimisation;
``manoeuvre_drives`` what the drivers of manoeuvres do. The .js files are the page's program, beside
those of animations; ``page_step`` finds the longest step that holds; ``solved_rows`` is what the
module solves by Newton's method, ``turn_rows`` and ``travel_rows`` what for: steady turns, and
wheels over their travel; ``style.css`` and the folder ``templates`` are its looks.
"""
