"""The searches (``*_search.py``), and what else looks notes up: names, senses, days, facts."""
