"""Measurements: each file prints what it measured and keeps it, dated, in `results/`."""
