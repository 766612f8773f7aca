"""Ways to reach a pipeline: a file here is an adapter, named as its `type`; a folder holds shared parts."""
