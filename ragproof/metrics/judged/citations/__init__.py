"""Which sentence of an answer cites which source, and what the sources make of it (ALCE)."""
