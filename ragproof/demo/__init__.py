"""A small real pipeline over the handbook of an invented company, a subject for every command."""
