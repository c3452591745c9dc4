"""Work that goes on in a process of its own after the command that began it has ended."""
