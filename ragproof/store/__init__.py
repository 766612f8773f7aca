"""The SQL store: runs, datasets, calls, scores and summaries. The only place that knows SQL.

Open one with `ragproof.store.opening.open_store`. Importing this package costs nothing.
"""
