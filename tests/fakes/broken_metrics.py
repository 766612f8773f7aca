"""A module that cannot be imported, as a plug-in without its licence file."""

raise RuntimeError("no licence found")
