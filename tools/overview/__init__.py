"""The central lines of what was found."""
