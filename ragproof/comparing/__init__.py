"""Runs side by side: what two or more of them share, and what their differences say."""
