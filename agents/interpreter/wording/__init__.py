"""The words of a question: what they name, how they are spelled, which forms a name takes."""
