"""Piece sets: what the men of a board are called and how they look, as data. One file in ``sets`` is one set.

A set knows a face by its English name in the rulesets (`kifu.rules.ruleset.Kind`), so that one file serves every kind
of shogi that has a man of that name: the tokin that a lance of kyoto shogi turns into looks like any other. A face that
a set does not know is shown by its SFEN letter, ``+`` before it where it is promoted. The usual set knows the words of
KIF for the men of other kinds of shogi as well (`Ruleset.kanji`).

A file holds

- ``about``, one sentence; ``languages``, those that it has names in, the usual one first;
- ``moves``: whether SVG draws on a man how it goes: a dot for a step, an arrow for a slide;
- ``style``: the style of western text that spells moves with it, by language; empty where a record's own words do;
- ``[faces."NAME"]``, a table for each face: a name for each language, ``sign``, what boards in text show, and either
  ``text``, one or two characters, or ``paths``, a list of ``[colour, path, …]`` in a square of 100 by 100, for SVG.
  A face may be drawn ``like`` another one. ``red`` is for promoted faces: their signs are red, as on the men.
  Of shapes and colours `kifu.draw.svg` says more.
"""
from __future__ import annotations

import os
from functools import cache
from typing import Any

from kifu._tuples import NamedTuple
from kifu.notation.kanji import board_word
from kifu.rules.ruleset import Ruleset
from kifu.rules.variants import RULESETS

#: The sets, that of Japanese diagrams first.
PIECE_SETS = ("kanji", "kanji2", "international", "letters", "animals")
USUAL = PIECE_SETS[0]


class Face(NamedTuple):
    """How one face of a man is shown."""

    names: dict[str, str]  # by language
    sign: str
    text: str = ""
    paths: tuple[tuple[str, str], ...] = ()  # fill, path data
    red: bool = False

    def name(self, language: str) -> str:
        """Its name in a language; its English one or its sign where it has none."""
        return self.names.get(language) or self.names.get("en") or self.sign


class PieceSet(NamedTuple):
    """A set: see the top of this module."""

    key: str
    about: str
    languages: tuple[str, ...]
    moves: bool
    style: dict[str, str]
    faces: dict[str, Face]  # by English name

    def face(self, cell: str, rules: Ruleset) -> Face:
        """The face of a man as SFEN writes it, ``P`` or ``+r``.

        >>> piece_set("animals").face("+p", RULESETS["shogi"]).name("cs")
        'slepice'
        """
        cell = cell.upper()
        kind = rules.by_letter.get(cell[-1])
        promoted = cell[0] == "+"
        name = "" if kind is None else kind.promoted_name if promoted else kind.name
        face = self.faces.get(name) or Face({"en": name}, cell, cell, red=promoted)
        if self.key == USUAL and rules.key != "shogi" and cell in rules.kanji:
            word = board_word(rules.kanji[cell])  # what diagrams of other kinds of shogi call it
            return face._replace(names={**face.names, "ja": word}, sign=word, text=word)
        return face

    def language(self, wanted: str | None) -> str:
        """The language to use: the one that is ``wanted``, the usual one of the set where none is.

        ValueError for one that boards cannot be described in.
        """
        from kifu.draw.words import LANGUAGES

        if wanted is None:
            return self.languages[0]
        if wanted not in LANGUAGES:
            raise ValueError(f"there are no boards in the language {wanted!r}; there are: {', '.join(LANGUAGES)}")
        return wanted


@cache
def piece_set(key: str) -> PieceSet:
    """The set of a name; ValueError where there is none."""
    if key not in PIECE_SETS:
        raise ValueError(f"there is no piece set {key!r}; there are: {', '.join(PIECE_SETS)}")
    import tomllib

    with open(os.path.join(os.path.dirname(__file__), "sets", f"{key}.toml"), "rb") as file:
        table = tomllib.load(file)
    languages = tuple(table["languages"])
    rows: dict[str, dict[str, Any]] = table["faces"]
    return PieceSet(key, table["about"], languages, table.get("moves", False), table.get("style", {}),
                    {name: _face(rows, name) for name in rows})


def _face(rows: dict[str, dict[str, Any]], name: str) -> Face:
    row = rows[name]
    drawn = rows[row["like"]] if "like" in row else row
    paths = tuple((colour, path) for colour, *several in drawn.get("paths", ()) for path in several)
    names = {key: value for key, value in row.items() if len(key) == 2}
    return Face(names, row.get("sign", ""), row.get("text", row.get("sign", "")), paths, row.get("red", False))


def rules_of(variant: str) -> Ruleset:
    """The ruleset of a variant, for its letters and names."""
    return RULESETS[variant]
