"""Turkish questions, word by word in English."""
