"""Many runs ranked: which is best, which cannot be told apart, and what each costs."""
