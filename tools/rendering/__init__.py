"""An answer as markdown, whole or in short."""
