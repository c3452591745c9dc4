"""When something happened: what lines, links, headings and tenses tell of time."""
