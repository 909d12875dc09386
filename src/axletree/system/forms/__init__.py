"""Forms: the ways in which equations with constraints become explicit rates; one form, one file.

``contract`` says what a form has to give, and solves M x - C^T f = b, C x = c for all of them.
``automatic`` (the usual choice) takes the cheapest that is safe. ``projected`` moves states back
onto the constraints after each step, ``baumgarte`` stabilises their second derivatives,
``partition`` solves for dependent coordinates inside the rates, ``embedding`` takes each local loop
as one link, whose configurations around the assembly are in ``loop_travel``. ``set_valued`` keeps
forces between bounds as unknowns, with the rows that a step is solved from, and leaves the
constraints to one of the others.
"""
