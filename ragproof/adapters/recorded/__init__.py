"""What a pipeline has answered before, read from files: recorded outputs, and traces of its spans."""
