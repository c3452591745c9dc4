"""The tools that other programs call: one definition each, served in several ways."""
