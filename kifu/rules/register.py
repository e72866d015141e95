"""Kinds of shogi from elsewhere: held to what the engine and the notations need, and made known.

A package of one's own names its rulesets under the entry point group `kifu.rules.variants.GROUP`, and every program on
the machine that uses `kifu`, the command line included, knows them; a program or a notebook calls `register`.
`kifu/rules/variants/ADDING.md` has the steps and an example.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from kifu.movetext import NUMBERS
from kifu.rules.register_words import of_handicaps, of_names, of_types, of_western, of_words
from kifu.rules.repetition import RULES as READINGS
from kifu.rules.resolve import Resolver
from kifu.rules.ruleset import (
    AT_ZONE, EACH_CAPTURE, EACH_MOVE, EITHER_FACE, NO_DROPS, ON_ENTRY, PLAIN, Handicap, Kind, Ruleset,
)
from kifu.rules.sfen import PositionError, set_up
from kifu.rules.tables import Tables
from kifu.rules.variants import RULESETS

#: Numbers in position keys below this one are ours.
OWN_NUMBERS = 1000
_KEY = re.compile(r"[a-z][a-z0-9]*")


def register(rules: Ruleset) -> Ruleset:
    """Make a kind of shogi known for the rest of this process, and return it.

    Raises ValueError with a sentence for each thing that is wrong with it (see `faults`). To register the same ruleset
    once more does nothing.
    """
    if isinstance(rules, Ruleset) and _registered(rules):
        return rules
    if wrong := faults(rules):
        raise ValueError(f"the kind of shogi {rules.key!r} is not registered: {'; '.join(wrong)}")
    RULESETS[rules.key] = rules
    return rules


def faults(rules: Ruleset) -> list[str]:
    """What is wrong with a ruleset, a sentence each; nothing where the engine and the notations can work with it.

    A key, a name or a number that another kind of shogi has is wrong too.

    >>> from kifu.rules.variants import RULESETS
    >>> faults(RULESETS["torishogi"])
    []
    >>> tori = RULESETS["torishogi"]
    >>> mine = tori._replace(key="mine", name="mine", ja="", ja_others=(), key_number=1000)
    >>> faults(Ruleset(*mine._replace(zone=9, repetition=("fifth",))))
    ['a zone of 9 ranks on a board of 7', "there is no reading of repetition 'fifth'"]
    """
    if not isinstance(rules, tuple) or getattr(rules, "_fields", None) != Ruleset._fields:
        return [f"it is a {type(rules).__name__}, not a Ruleset"]
    rules = rules if isinstance(rules, Ruleset) else Ruleset(*rules)
    if wrong := [*of_types(rules)]:
        return wrong
    told = [*_of_names(rules), *(sentence for kind in rules.kinds for sentence in _of_kind(kind)), *of_western(rules),
            *of_handicaps(rules)]
    if all(kind.letter in NUMBERS for kind in rules.kinds):
        told += of_words(rules)
    if not _registered(rules):
        told += [*_clashes(rules), *of_names(rules)]
    numbers = [kind.number for kind in rules.kinds]
    if len(set(numbers)) < len(numbers):
        told.append("two kinds of men have one letter")
    held = {kind.letter for kind in rules.kinds if not kind.royal} if rules.drops != NO_DROPS else set()
    if sorted(rules.hand_order) != sorted(held):
        men = "".join(sorted(held))
        told.append(f"hand_order is {rules.hand_order!r}, and the men that can be in hand are {men!r}")
    return told or [*_of_positions(rules)]


def _of_names(rules: Ruleset) -> Iterator[str]:
    if not _KEY.fullmatch(rules.key):
        yield f"the key {rules.key!r} is not of small letters and digits, a letter first"
    if not rules.name:
        yield "it has no name"
    if rules.promotion not in (AT_ZONE, EACH_MOVE, EACH_CAPTURE, ON_ENTRY):
        yield f"there is no way of promoting {rules.promotion!r}"
    if rules.drops not in (PLAIN, EITHER_FACE, NO_DROPS):
        yield f"there is no way of dropping {rules.drops!r}"
    if not 0 <= rules.zone <= rules.ranks:
        yield f"a zone of {rules.zone} ranks on a board of {rules.ranks}"
    if not rules.repetition:
        yield "it has no reading of repetition"
    for name in rules.repetition:
        if name not in READINGS:
            yield f"there is no reading of repetition {name!r}"
    if not any(kind.royal for kind in rules.kinds):
        yield "no man is royal"
    faces = {rules.letter(piece) for piece in rules.pieces}
    for field, names in (("kanji", rules.kanji), ("western", rules.western)):
        for face in names:
            if face not in faces:
                yield f"{field} names {face!r}, which is no face of its men"


def _of_kind(kind: Kind) -> Iterator[str]:
    if NUMBERS.get(kind.letter) != kind.number:
        yield f"{kind.letter!r} has the number {kind.number}, not that of its letter, {NUMBERS.get(kind.letter)}"
    if not kind.name:
        yield f"{kind.letter} has no name"
    if (kind.promoted is None) != (not kind.promoted_name):
        yield f"{kind.letter} has a promoted face or its name, not both"


def _of_positions(rules: Ruleset) -> Iterator[str]:
    """What the engine and the start positions say."""
    try:
        tables = Tables(rules)
    except ValueError as error:
        yield str(error)
        return
    for start in (Handicap("start", "", "", rules.initial), *rules.handicaps):
        position = Resolver(tables)
        try:
            set_up(position, start.sfen)
        except PositionError as error:
            yield f"{'the start position' if start.key == 'start' else f'the handicap {start.key}'}: {error}"
            continue
        if not position.has_legal_move():
            yield f"{start.sfen!r}: the side to move has no move"


def _registered(rules: Ruleset) -> bool:
    return isinstance(rules.key, str) and rules.key in RULESETS and RULESETS[rules.key] is rules


def _clashes(rules: Ruleset) -> Iterator[str]:
    """Where it would take the place of another kind of shogi."""
    if rules.key in RULESETS:
        yield "a kind of shogi of this key is known already"
    if not rules.key_number:
        yield f"it has no key_number; take one of {OWN_NUMBERS} or more that nobody else has"
    elif not OWN_NUMBERS <= rules.key_number < 1 << 17:
        yield f"its key_number, {rules.key_number}, is not between {OWN_NUMBERS} and {(1 << 17) - 1}"
    for other in RULESETS.values():
        if rules.key_number and other.key_number == rules.key_number and other.key != rules.key:
            yield f"its key_number, {rules.key_number}, is that of {other.key}"
