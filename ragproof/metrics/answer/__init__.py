"""Metrics of the answer that need no judge."""
