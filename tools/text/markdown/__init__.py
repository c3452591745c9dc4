"""What a markdown text is made of: sentences, links, tables, keys and values, quotations."""
