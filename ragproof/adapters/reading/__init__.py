"""From whatever a pipeline returned to answer, chunks, citations and usage; shared by every adapter."""
