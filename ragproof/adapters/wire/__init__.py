"""The parts of a request to a pipeline behind HTTP, and of its response."""
