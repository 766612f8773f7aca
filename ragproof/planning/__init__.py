"""Before a run: how many cases it takes to see an effect, what the present ones can see, what that costs."""
