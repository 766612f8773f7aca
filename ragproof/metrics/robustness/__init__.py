"""Metrics of declining and of withstanding attacks."""
