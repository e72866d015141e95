"""The names of men in western text of any kind of shogi, and how its moves are spelled.

A man goes by its letter in SFEN (`S`, `+S`) and, where the kind of shogi has one, by a name (`Sw`, `Go`): see
`kifu.rules.ruleset.Ruleset.western`. All of them are read; the style says which are written. Ordinary shogi has
compiled code of its own (`kifu.notation.spelling`), with the same spelling but for what ordinary shogi does not know:

- men that turn back: `+Lx4c-` with letters, as Fairy-Stockfish writes; with names `+` for any turn, as ShogiVar and
  lishogi do (a name tells the face, so nothing is lost)
- either face of a man that is dropped: `+P*3c`, or `R*3c` by its name
- men that move twice: both steps (`Nx3hx2i`, `N-5e-6d`), a capture without moving (`Nx!9d`), a pass (`N--`)
"""
from __future__ import annotations

import re
from collections.abc import Iterable

from kifu.movetext import KIND_FIELD, PROMOTED
from kifu.notation.western_styles import HODGES, NAMES, STYLES, Style
from kifu.record import Game
from kifu.rules.move import (
    COULD_PROMOTE, DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TARGET_FIELD, square_name, taken,
    taken_on_way, via,
)
from kifu.rules.position import Position
from kifu.rules.ruleset import Ruleset
from kifu.rules.variants import RULESETS

#: Styles with a table of men that is of ordinary shogi alone.
ORDINARY_ONLY = frozenset({"kitao-kawasaki", "animals", "animals-cs"})
#: Longer boards have squares that two digits do not name.
_MOST_BY_DIGITS = 9
#: The name at the beginning of a move.
_CALLED = re.compile(r"\+?[A-Z][A-Za-wyz]*")


def names_read(variant: str) -> dict[str, int]:
    """Name -> piece number, for all names that western text of a kind of shogi may call men by.

    >>> names = names_read("torishogi")
    >>> names["Sw"] == names["S"], names["Go"] == names["+S"] == names["+Sw"]
    (True, True)
    """
    rules = RULESETS[variant]
    known: dict[str, int] | None = rules.memory.get(names_read)
    if known is not None:
        return known
    found = {rules.letter(piece): piece for piece in rules.pieces}
    for words in (rules.western, rules.kanji):
        meant: dict[str, set[int]] = {}
        for piece in rules.pieces:
            for name in words.get(rules.letter(piece), "").split():
                meant.setdefault(name, set()).add(piece)
                if not piece & PROMOTED and rules.by_number[piece].promoted is not None:
                    meant.setdefault(f"+{name}", set()).add(piece | PROMOTED)
        for name, pieces in meant.items():  # in chu shogi a rook and a promoted gold are both 飛車
            if len(pieces) == 1:
                found.setdefault(name, *pieces)
    rules.memory[names_read] = found
    return found


def name_written(variant: str, piece: int, style: str) -> str:
    """The name of a man of a kind of shogi in a style: its letter, or with `names` the first of its names.

    >>> from kifu.movetext import NUMBERS
    >>> name_written("torishogi", NUMBERS["S"] | 32, "hodges"), name_written("torishogi", NUMBERS["S"] | 32, "names")
    ('+S', 'Go')
    """
    rules = RULESETS[variant]
    letter = rules.letter(piece)
    if style != NAMES:
        return letter
    words = rules.western.get(letter, "").split()
    return words[0] if words else "+" + name_written(variant, piece & KIND_FIELD, style) if piece & PROMOTED else letter


def style_of_names(games: Iterable[Game]) -> str | None:
    """`names` where a move of some games calls its man by a name, None where all go by their letters."""
    for game in games:
        if game.variant not in RULESETS:
            continue
        rules = RULESETS[game.variant]
        letters = {rules.letter(piece) for piece in rules.pieces}
        for index in range(len(game.record.texts)):
            match = _CALLED.search(game.record.move_text(index))
            if match is not None and match[0] not in letters and match[0] in names_read(game.variant):
                return NAMES
    return None


def why_not(style: str, rules: Ruleset) -> str:
    """Why a style cannot spell moves of a kind of shogi, as a sentence; "" where it can.

    >>> why_not("numeric", RULESETS["chushogi"]).partition(";")[0]
    'the style numeric cannot write chu shogi, whose squares two digits do not name'
    """
    if rules.key == "shogi":
        return ""
    able = ("hodges", NAMES)
    if style in ORDINARY_ONLY:
        return f"the style {style} has names for the men of ordinary shogi only, not of {rules.name}; " \
               f"{able[0]} and {able[1]} can write it"
    if not STYLES[style].letters and max(rules.files, rules.ranks) > _MOST_BY_DIGITS:
        return f"the style {style} cannot write {rules.name}, whose squares two digits do not name; " \
               f"{able[0]} and {able[1]} can"
    return ""


def spelled(position: Position, move: int, style: str = HODGES) -> str:
    """A legal move of a position of any kind of shogi, not yet played, in a style that is able to (see `why_not`).

    >>> from kifu.rules.move import from_usi
    >>> position = Position(None, "torishogi")
    >>> move = position.resolve(from_usi("3d3c"))
    >>> spelled(position, move), spelled(position, move, "names")
    ('Sx3c', 'Swx3c')
    """
    rules, look = position.rules, STYLES[style]
    piece = move >> PIECE_SHIFT & PIECE_FIELD
    name = name_written(rules.key, piece, style)
    target = _square(move & TARGET_FIELD, look, rules)
    if move & DROPPED:
        return f"{name}{look.drop}{target}"
    start = move >> ORIGIN_SHIFT & TARGET_FIELD
    origin = _square(start, look, rules) if _contested(position, move) else ""
    capture = taken(move)
    if via(move) >= 0:
        way = _square(via(move), look, rules)
        if move & TARGET_FIELD == start and taken_on_way(move):
            return f"{name}{origin}x!{way}"
        if move & TARGET_FIELD == start and move == passes(position, piece, start):
            return f"{name}{'' if move == passes(position, piece) else _square(start, look, rules)}--"
        return f"{name}{origin}{'x' if taken_on_way(move) else '-'}{way}{'x' if capture else '-'}{target}"
    sign = "x" if capture else "-" if look.hyphen or origin else ""
    mark = ""
    if move & PROMOTES:
        mark = "-" if piece & PROMOTED and style != NAMES else "+"
    elif move & COULD_PROMOTE:
        mark = "="
    return f"{name}{origin}{sign}{target}{mark}"


def passes(position: Position, piece: int = 0, origin: int = -1) -> int:
    """The pass that `--` means: the first one, by the squares of the man and on its way; -1 where there is none.

    ``piece`` and ``origin`` say whose, where the text does. All passes come to the same position; which square the man
    went over and back is told only where a text has both steps.
    """
    return min((move for move in position.legal_moves()
                if via(move) >= 0 and move >> ORIGIN_SHIFT & TARGET_FIELD == move & TARGET_FIELD
                and not taken_on_way(move) and piece in (0, move >> PIECE_SHIFT & PIECE_FIELD)
                and origin in (-1, move & TARGET_FIELD)), key=lambda move: (move & TARGET_FIELD, via(move)), default=-1)


def _contested(position: Position, move: int) -> bool:
    """Whether another man like the one that moves could legally go the same way, whatever its promotion choice."""
    same = (TARGET_FIELD, PIECE_FIELD << PIECE_SHIFT)
    stays = move & TARGET_FIELD == move >> ORIGIN_SHIFT & TARGET_FIELD  # so does every rival, on a square of its own
    for other in position.legal_moves():
        if other & DROPPED or other & same[1] != move & same[1] or via(other) != via(move):
            continue
        there, start = other & TARGET_FIELD, other >> ORIGIN_SHIFT & TARGET_FIELD
        if start != move >> ORIGIN_SHIFT & TARGET_FIELD and (
                there == start if stays else there == move & TARGET_FIELD):
            return True
    return False


def _square(square: int, look: Style, rules: Ruleset) -> str:
    if look.letters:
        return square_name(square, rules.ranks)
    file, rank = divmod(square, rules.ranks)
    return f"{file + 1}{rank + 1}"
