"""Reports of a run: one gathered noun, and a renderer a file that turns it into Markdown, JSON or CSV."""
