"""Where this program lies."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder of its packages."""
