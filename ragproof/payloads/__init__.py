"""The attacks that injection cases carry: what they say, how they are hidden, where they are planted."""
