"""Labels: what people say of a run's answers, and what that says of the judge's numbers."""
