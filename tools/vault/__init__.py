"""The vault: its files, its history, what is indexed of it."""
