"""SQLite files of a vault: schemas, packed texts, and what a scan has found."""
