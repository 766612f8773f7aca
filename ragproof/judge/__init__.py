"""The judge: a model that is asked closed questions about answers, and is never believed without a check."""
