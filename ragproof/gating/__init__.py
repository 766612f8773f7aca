"""Gates: whether a run may pass, rule by rule, and never because something could not be told."""
