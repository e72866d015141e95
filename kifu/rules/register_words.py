"""The types, words and names of a ruleset, held to what the engine and the notations can work with.

`kifu.rules.register.faults` tells what is found here. What the words are for: `kifu.rules.ruleset.Ruleset`.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kifu.movetext import PROMOTED
from kifu.rules.ruleset import EITHER_FACE, NO_DROPS, Handicap, Kind, Ruleset, Way

#: What stands in annotations of rulesets and their parts -> the type of a value, that of what is in it, the words.
_TYPES: dict[str, tuple[type, type | None, str]] = {
    "str": (str, None, "a text"), "int": (int, None, "a whole number"), "bool": (bool, None, "True or False"),
    "tuple[str, ...]": (tuple, str, "a tuple of texts"), "tuple[Kind, ...]": (tuple, Kind, "a tuple of kinds"),
    "tuple[Handicap, ...]": (tuple, Handicap, "a tuple of handicaps"),
    "tuple[Way, ...]": (tuple, Way, "a tuple of ways"),
    "Mapping[str, str]": (Mapping, str, "a mapping of texts to texts"), "Direction": (tuple, int, "two whole numbers"),
}
#: Signs that end, begin or divide what notations put around the words of men: numerals, the same square, a drop.
_NOT_IN_WORDS = frozenset("一二三四五六七八九十百打")
_NOT_AT_END = ("成", "生", "まで")  # they say that a man promotes or not, or end the record
_NOT_AT_BEGINNING = ("v", "V", "同")  # White's men on boards, and the square of the move before
_NO_MEN = ("なし", "なシ")
_WESTERN = re.compile(r"[A-Z][A-Za-wyz]{0,2}")
_HANDICAP = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
#: Keys that every kind of shogi has: the start position, and all starts without a name.
_OWN_HANDICAPS = ("even", "other")
#: What 手合割 says of ordinary shogi.
_ORDINARY = frozenset({"将棋", "本将棋", "平手将棋", "詰将棋", "詰め将棋"})


def of_types(rules: Ruleset) -> Iterator[str]:
    """Values of another type than their field has, a sentence each: with one of these nothing else can be said.

    >>> from kifu.rules.variants import RULESETS
    >>> list(of_types(Ruleset(*RULESETS["torishogi"]._replace(zone="2"))))
    ["zone is '2', not a whole number"]
    """
    yield from _typed(rules, "")
    for handicap in rules.handicaps if isinstance(rules.handicaps, tuple) else ():
        if isinstance(handicap, Handicap):
            yield from _typed(handicap, "of a handicap ")
    for kind in rules.kinds if isinstance(rules.kinds, tuple) else ():
        if not isinstance(kind, Kind):
            continue
        yield from _typed(kind, f"of the kind {kind.letter} ")
        for ways in (kind.ways, kind.promoted):
            for way in ways if isinstance(ways, tuple) else ():
                if isinstance(way, Way):
                    yield from _typed(way, f"of a way of the kind {kind.letter} ")


def _typed(value: Any, whose: str) -> Iterator[str]:
    annotations = next(vars(made)["__annotations__"] for made in type(value).__mro__
                       if set(vars(made).get("__annotations__", ())) >= set(value._fields))
    for field, held in zip(value._fields, value, strict=True):
        wanted = str(annotations[field])
        if wanted.endswith(" | None") and held is None:
            continue
        outer, inner, words = _TYPES[wanted.removesuffix(" | None")]
        right = isinstance(held, outer) and not (outer is int and isinstance(held, bool))
        if right and inner is not None:
            parts = (*held, *held.values()) if isinstance(held, Mapping) else held
            right = all(isinstance(part, inner) for part in parts) and (wanted != "Direction" or len(held) == 2)
        if not right:
            yield f"{whose}{field} is {held!r}, not {words}"


def of_words(rules: Ruleset) -> Iterator[str]:
    """What KIF and boards could not write, or not read back as the same man.

    >>> from kifu.rules.variants import RULESETS
    >>> list(of_words(Ruleset(*RULESETS["minishogi"]._replace(kanji={"P": "兵", "G": "金 兵"}))))
    ["boards have one word for 'P' and 'G', '兵'", "'兵' means 'P' and 'G' in moves that drop a man"]
    """
    letters = {rules.letter(piece): piece for piece in rules.pieces}
    words = {letter: rules.kanji.get(letter, letter).split() for letter in letters}
    for letter, several in words.items():
        if not several:
            yield f"kanji has no word for {letter!r}"
        for word in several:
            if word != letter and not _is_word(word, letters):
                yield f"kanji has {word!r} for {letter!r}, which notations could not read"
    if not all(words.values()):
        return
    yield from _twice({letter: several[:2][-1] for letter, several in words.items()}, "boards have one word for")
    for promoted in (0, PROMOTED):
        yield from _twice({letter: several[0] for letter, several in words.items()
                           if letters[letter] & PROMOTED == promoted}, "moves have one word for")
    dropped = [letter for letter, piece in letters.items()
               if rules.drops != NO_DROPS and not rules.is_royal(piece)
               and (rules.drops == EITHER_FACE or not piece & PROMOTED)]
    for letter in dropped:
        for other in dropped:
            if letter != other and words[letter][0] in words[other][1:]:
                yield f"{words[letter][0]!r} means {letter!r} and {other!r} in moves that drop a man"


def _is_word(word: str, letters: Mapping[str, int]) -> bool:
    """Whether a word is of letters or kanji only and cannot be taken for something else."""
    return (word.isalpha() and word.upper() not in letters and _NOT_IN_WORDS.isdisjoint(word) and word not in _NO_MEN
            and not word.startswith(_NOT_AT_BEGINNING) and not word.endswith(_NOT_AT_END))


def _twice(words: Mapping[str, str], said: str) -> Iterator[str]:
    """Faces that share a word with one before them."""
    first: dict[str, str] = {}
    for face, word in words.items():
        if first.setdefault(word, face) != face:
            yield f"{said} {first[word]!r} and {face!r}, {word!r}"


def of_western(rules: Ruleset) -> Iterator[str]:
    """Names that western text could not write, or not read back as the same man.

    >>> from kifu.rules.variants import RULESETS
    >>> list(of_western(Ruleset(*RULESETS["minishogi"]._replace(western={"P": "G", "G": "Go", "S": "Go"}))))
    ["western has 'G' for 'P', which is the letter of another man", "western has 'Go' for 'G' and for 'S'"]
    """
    letters = {rules.letter(piece) for piece in rules.pieces}
    first: dict[str, str] = {}
    for face, names in rules.western.items():
        if not names.split():
            yield f"western has no name for {face!r}"
        for name in names.split():
            if name == face:
                continue
            if name in letters:
                yield f"western has {name!r} for {face!r}, which is the letter of another man"
            elif not _WESTERN.fullmatch(name):
                yield (f"western has {name!r} for {face!r}; a name is a capital and up to two letters more, none of "
                       "them an x")
            elif first.setdefault(name, face) != face:
                yield f"western has {name!r} for {first[name]!r} and for {face!r}"


def of_handicaps(rules: Ruleset) -> Iterator[str]:
    """Handicaps that could not be asked for by their keys."""
    keys = [handicap.key for handicap in rules.handicaps]
    for key in dict.fromkeys(keys):
        if key in _OWN_HANDICAPS:
            yield f"a handicap has the key {key!r}, which every kind of shogi has already"
        elif not _HANDICAP.fullmatch(key):
            yield f"the key {key!r} of a handicap is not of small letters and digits with hyphens between them"
    if len(set(keys)) < len(keys):
        yield "two handicaps have one key"


def of_names(rules: Ruleset) -> Iterator[str]:
    """Names that mean another kind of shogi, or ordinary games, already."""
    from kifu.rules import handicaps
    from kifu.rules.recognise import named

    for name in (rules.key, rules.name, rules.ja, *rules.ja_others):
        known = named(name) if name else None
        if known not in (None, rules.key):
            yield f"the name {name!r} is that of {known}"
    for name in (rules.ja, *rules.ja_others):
        if name in _ORDINARY or name and handicaps.by_japanese(name) is not None:
            yield f"the name {name!r} is that of ordinary shogi in KIF"
        elif name and (not name.isprintable() or set(name) & set(":：")):
            yield f"the name {name!r} does not fit into a line of KIF"
