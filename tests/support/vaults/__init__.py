"""Vaults, notes and histories, written for a test or made up."""
