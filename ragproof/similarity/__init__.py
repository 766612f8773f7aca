"""How close two texts are in meaning, by a small model on this machine: all-MiniLM-L6-v2, in numpy alone.

False friend: correctness. "safe" and "not safe" are close, because they speak of the same thing.
"""
