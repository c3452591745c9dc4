"""Which links are likely, and what of a vault is linked or named."""
