"""Rankings held against relevance judgments, as trec_eval 9.0.8 does it: files, frames or dictionaries in,
one value a query and measure out. Nothing here needs a run, a store or a pipeline.
"""
