"""How well a language model decides in the program's place, and what it says of questions."""
