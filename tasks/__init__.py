"""Prefect tasks: names, cache keys, retries and failure policy around the domain library."""
