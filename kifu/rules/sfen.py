"""SFEN: a position as one line of text.

Where men taken are out of the game nothing is in hand, and the third part is what lishogi puts there: the square of a
lion that a man other than a lion took in the last move, or ``-``.
"""
from __future__ import annotations

from kifu.movetext import PIECE_FIELD, PROMOTED
from kifu.rules.board import Board
from kifu.rules.move import square_name
from kifu.rules.ruleset import BLACK, WHITE, Ruleset
from kifu.rules.tables import MOST_OF_A_KIND

SIDES = {"b": BLACK, "w": WHITE}
COLOURS = ("Black", "White")
_MOST_KEPT = 1 << 15  # rows, read and written
MOST_SIGNS = 1000  # of the board; more than twice what any board has


class PositionError(ValueError):
    """A text that is no position; the message says what is wrong with it."""


def set_up(board: Board, text: str) -> None:
    """Set an empty board up from SFEN.

    The move number may be missing (it is 1 then), so may the hands (they are empty then), and a hand may name its men
    in any order. A side may lack its king, as in mate problems. Raises `PositionError`.
    """
    fields = text.split()
    if not 2 <= len(fields) <= 4:
        raise PositionError("an SFEN has four parts: board, side to move (b or w), hands, move number")
    if fields[1] not in SIDES:
        raise PositionError(f"the side to move is {fields[1]!r}, not b or w")
    rules: Ruleset = board.tables.rules
    counts: dict[int, int] = {}
    _board(board, rules, fields[0], counts)
    if rules.royals_taken:
        _struck(board, rules, fields[2] if len(fields) > 2 else "-")
    else:
        _hands(board, rules, fields[2] if len(fields) > 2 else "-", counts)
    for kind, count in counts.items():
        if count > MOST_OF_A_KIND:
            raise PositionError(f"{count} men of the kind {rules.by_number[kind].name} are more than a position holds")
    board.settle(SIDES[fields[1]], _number(fields[3]) if len(fields) > 3 else 1)


def _board(board: Board, rules: Ruleset, text: str, counts: dict[int, int]) -> None:
    rows = text.split("/") if len(text) <= MOST_SIGNS else []
    if not rows:
        raise PositionError(f"the board is {len(text)} signs long")
    if len(rows) != rules.ranks:
        raise PositionError(f"the board has {len(rows)} rows, not {rules.ranks}")
    place, ranks = board.place, rules.ranks
    for rank, row in enumerate(rows):
        for file, value in _row(rules, rank, row):
            place(file * ranks + rank, value)
    letters = text.upper()
    for letter, kind in rules.by_letter.items():
        counts[kind.number] = letters.count(letter)
        if kind.royal and counts[kind.number] > 1 and not rules.royals_taken:
            for colour, own in ((BLACK, letter), (WHITE, letter.lower())):
                if text.count(own) > 1:
                    raise PositionError(f"{COLOURS[colour]} has {text.count(own)} kings")


def _row(rules: Ruleset, rank: int, row: str) -> list[tuple[int, int]]:
    """The men of a row as (file from 0, number of the man); rows are kept, since positions share most of theirs."""
    known: list[tuple[int, int]] | None = rules.memory.get(row)
    if known is not None:
        return known
    men = []
    file, plus, gap = rules.files, "", ""
    for sign in row:
        if "0" <= sign <= "9" and not plus and len(gap) < 3:
            gap += sign
            if rules.files > 9:  # boards wider than nine files write their gaps with up to two digits
                continue
        file, gap = file - int(gap or "0"), ""
        if "0" <= sign <= "9" and not plus:
            continue
        if sign == "+" and not plus:
            plus = "+"
            continue
        kind = rules.by_letter.get(sign.upper()) if sign.isascii() else None
        if kind is None or (plus and kind.promoted is None):
            raise PositionError(f"row {rank + 1} of the board, {row!r}: {plus + sign!r} is no piece")
        if file >= 1:
            men.append((file - 1, (BLACK if sign.isupper() else WHITE) << 6 | kind.number | (PROMOTED if plus else 0)))
        file, plus = file - 1, ""
    file -= int(gap or "0")
    if plus:
        raise PositionError(f"row {rank + 1} of the board, {row!r}: '+' stands before no piece")
    if file:
        raise PositionError(f"row {rank + 1} of the board, {row!r}, has {rules.files - file} squares, "
                            f"not {rules.files}")
    _keep(rules, row, men)
    return men


def _keep(rules: Ruleset, key: object, value: object) -> None:
    if len(rules.memory) >= _MOST_KEPT:
        rules.memory.clear()
    rules.memory[key] = value


def _hands(board: Board, rules: Ruleset, text: str, counts: dict[int, int]) -> None:
    if text == "-":
        return
    digits = ""
    held: dict[tuple[int, int], int] = {}
    for sign in text:
        if "0" <= sign <= "9" and len(digits) < 3:
            digits += sign
            continue
        kind = rules.by_letter.get(sign.upper()) if sign.isascii() else None
        if kind is None or kind.royal:
            raise PositionError(f"the hands, {text!r}: {sign!r} is no piece that can be in hand")
        count = int(digits) if digits else 1
        if count == 0:
            raise PositionError(f"the hands, {text!r}: none of a kind is left out, not written 0")
        place = (BLACK if sign.isupper() else WHITE, kind.number)
        held[place] = held.get(place, 0) + count
        counts[kind.number] = counts.get(kind.number, 0) + count
        digits = ""
    if digits:
        raise PositionError(f"the hands, {text!r}, end with a number")
    for (colour, number), count in held.items():
        if count <= MOST_OF_A_KIND:  # more is refused by the caller
            board.give(colour, number, count)


def _struck(board: Board, rules: Ruleset, text: str) -> None:
    if text == "-":
        return
    file, rank = text[:-1], ord(text[-1]) - 96
    if not (file.isascii() and file.isdigit() and len(file) < 3 and 1 <= int(file) <= rules.files
            and 1 <= rank <= rules.ranks):
        raise PositionError(f"the third part is the square of a lion just taken, or -, not {text!r}")
    board.struck = (int(file) - 1) * rules.ranks + rank - 1


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise PositionError(f"the move number is {text!r}")
    return max(1, int(text))


def written(board: Board, number: int) -> str:
    """The position as SFEN with this move number."""
    rules: Ruleset = board.tables.rules
    rows = []
    squares, man = rules.files * rules.ranks, board.man
    men = [man(square) for square in range(squares)]
    for rank in range(rules.ranks):
        row = tuple(men[squares - rules.ranks + rank::-rules.ranks])
        rows.append(rules.memory.get(row) or _row_text(rules, row))
    hands = square_name(board.struck, rules.ranks) if board.struck >= 0 else ""
    for colour in (BLACK, WHITE):
        for letter in rules.hand_order:
            count = board.hand(colour, rules.by_letter[letter].number)
            if count:
                hands += (str(count) if count > 1 else "") + (letter.lower() if colour else letter)
    return f"{'/'.join(rows)} {'bw'[board.turn]} {hands or '-'} {number}"


def _row_text(rules: Ruleset, row: tuple[int, ...]) -> str:
    """A row of men, from the highest file on, as SFEN; kept as well."""
    text, empty = "", 0
    for value in row:
        if not value:
            empty += 1
            continue
        letter = rules.letter(value & PIECE_FIELD)
        text += (str(empty) if empty else "") + (letter.lower() if value >> 6 else letter)
        empty = 0
    text += str(empty) if empty else ""
    _keep(rules, row, text)
    return text
