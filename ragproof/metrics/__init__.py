"""Every metric, one idea a file; the catalogue finds them here by looking."""
