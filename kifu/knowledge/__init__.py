"""Castles and openings as data, and the matcher that finds them in proven games.

`castles.toml` says how pattern files are written; `tags` gives what a game reached, `read` a user's own file.
"""
from kifu.knowledge.matcher import BOTH, Matcher, Tag, matcher, tags
from kifu.knowledge.patterns import PatternError, PatternFile, read

__all__ = ["BOTH", "Matcher", "PatternError", "PatternFile", "Tag", "matcher", "read", "tags"]
