"""Trained heads that tell what a question asks for."""
