"""The APIs a judge can be asked through, one a file."""
