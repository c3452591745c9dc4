"""The files and folders of a vault as they are now."""
