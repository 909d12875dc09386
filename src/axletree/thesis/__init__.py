"""What reproduces the tables of Morency 2007, and counts as they do.

Tables 4.4 and 4.5: ``sequences`` (a component's variables by complete substitution and as a
sequence, a tyre's as table 4.3 has them). Tables 5.1 to 5.6: ``code_measure`` (what generated
code costs) and ``stages`` (the two vehicles, variant by variant, with intermediate variables
simplified by SymPy). ``tables`` has the numbers as printed and sets all of it beside them.
"""
