"""What one note says: its properties, headings, links, dates and passages."""
