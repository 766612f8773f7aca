"""Prefect flows: each reads as the story of a run, one verb a line."""
