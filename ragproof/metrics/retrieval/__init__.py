"""Metrics of the ranking against the expected source ids."""
