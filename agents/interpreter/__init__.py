"""From a question to a plan: intent, concepts, period, and what to ask back."""
