"""Programs that a test runs: the command line, `brain serve`, a browser, other users."""
