"""Sweeps: a grid of pipeline options, each combination evaluated on the same cases under one budget."""
