"""The settings that others than the settings themselves know by name."""

from typing import Literal

type Level = Literal["off", "warning", "info", "debug"]
"""From which weight on events are logged."""
type Tracing = Literal["off", "console", "otlp"]
"""Where spans are sent."""
