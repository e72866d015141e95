"""Speed, measured beside other programs on the same games in the same run: ``make bench``."""
