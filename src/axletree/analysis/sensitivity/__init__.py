"""How much metrics change with parameters: exact derivatives of motions, and of metrics by them."""
