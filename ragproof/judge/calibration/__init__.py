"""Calibration: the judge held against labels that people gave, before its numbers are believed."""
