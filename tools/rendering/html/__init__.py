"""Answers and graphs as pages of their own."""
