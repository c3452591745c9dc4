"""The order of the notes found, by a language model where a setting names one."""
