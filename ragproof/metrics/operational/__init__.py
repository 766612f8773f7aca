"""Metrics of what an answer took: time, tokens, calls."""
