"""Figures, the bounds they keep and how they are computed, whatever is measured."""
