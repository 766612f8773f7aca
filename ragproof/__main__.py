"""`python -m ragproof` is the `ragproof` command."""

from ragproof.cli.main import main

main()
