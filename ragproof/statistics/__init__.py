"""Statistics of paired comparisons: plain functions on plain arrays, no store, no command line, no Prefect.

Everywhere `d` is one number a case, B minus A, oriented so that more is better, trials averaged first.
Nothing is imported from here: take the module that is needed, so that scipy loads only when a number asks
for it. `docs/statistics-api.md` names every function.
"""
