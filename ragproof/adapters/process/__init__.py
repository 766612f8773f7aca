"""A command as processes: how they are started, asked, kept and ended. POSIX alone."""
