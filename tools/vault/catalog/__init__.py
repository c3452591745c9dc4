"""What is indexed of the vault, and finding it by its words."""
