"""A language model orders the notes found anew, where a setting names one."""
