"""How a user's own code is found, called and blamed."""
