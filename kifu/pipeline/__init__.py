"""Files to results: which files there are, the games in each, and workers that share them out.

>>> problems = []
>>> [source.path for source in find(["no such file"], problems)], problems[0].path
([], 'no such file')

Nothing here prints. What goes wrong with a path is a `Problem`, what goes wrong with a game is a diagnostic of its
`Entry`, what goes wrong with us is a `Failure`; none of them stops the rest.
"""
from __future__ import annotations

from kifu.pipeline.entries import Entry, Options, games, read_bytes
from kifu.pipeline.parts import split
from kifu.pipeline.pool import Failure, processors, ready, run
from kifu.pipeline.sources import COMPRESSED, CONTAINERS, SUFFIXES, Problem, Source, find, measure

__all__ = ["COMPRESSED", "CONTAINERS", "SUFFIXES", "Entry", "Failure", "Options", "Problem", "Source", "find", "games",
           "measure", "processors", "read_bytes", "ready", "run", "split"]
