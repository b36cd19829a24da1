// Replaced by the command line's own entry point.
