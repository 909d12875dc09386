"""Plots that are drawn in the browser from the numbers in a page: zoomed, moved, read by a cursor.

``chart_data`` has what the page holds; the rest is its program, in the order in which its files
need one another: ``scale.js`` (values, pixels, ticks), ``pens.js`` (onto a canvas, or as SVG),
``chart.js`` (one set of axes), ``gestures.js`` (pointer, wheel, keys), ``copies.js`` (as PNG, SVG,
CSV) and ``board.js`` (all of a page, with one cursor along time). Elements are made by
``element.js`` of the animation. ``charts.css`` is their style.
"""
