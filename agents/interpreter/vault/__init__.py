"""Questions about the vault itself: its notes, tags, folders, tasks and links."""
