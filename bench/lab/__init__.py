"""The laboratory: trials, numbers, figures."""
