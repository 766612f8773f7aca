"""Metrics that a judge's verdicts are counted into (METRICS section 4)."""
