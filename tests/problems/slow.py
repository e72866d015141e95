"""A second opinion on mates, as plain as can be: recursion over legal moves, no table, no cleverness."""
from __future__ import annotations

import re
from random import Random

import pytest

from kifu import Move, Position
from kifu._core import build_kind

COMPILED = build_kind() == "compiled"
#: For tests whose search takes minutes without a compiler; each rule has a test that does not.
needs_speed = pytest.mark.skipif(not COMPILED, reason="the search would take minutes interpreted")

SET = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}


def mates(position: Position, plies: int, traditional: bool = False) -> bool:
    """Whether the side to move mates in at most so many plies, giving nothing but check."""
    for move in position.legal_moves():
        if not move.gives_check:
            continue
        position.push(move)
        lost = closed(position, move.target, traditional)
        if not lost and plies >= 3:
            lost = all(_mated(position, answer, plies, traditional) for answer in position.legal_moves())
        position.pop()
        if lost:
            return True
    return False


def _mated(position: Position, answer: Move, plies: int, traditional: bool) -> bool:
    position.push(answer)
    lost = mates(position, plies - 2, traditional)
    position.pop()
    return lost


def closed(position: Position, last: str, traditional: bool) -> bool:
    """Whether the side to move is mated; by tradition also where all it can do is drop men that are simply taken.

    The man that takes must be the one that checks: it goes from its square straight to the man dropped.
    """
    answers = position.legal_moves()
    if not answers or not traditional:
        return not answers
    if not all(answer.is_drop for answer in answers):
        return False
    for answer in answers:
        position.push(answer)
        mated = False
        for capture in position.legal_moves():
            if capture.target == answer.target and not capture.is_drop and capture.gives_check and _far(capture):
                position.push(capture)
                mated = closed(position, capture.target, True)
                position.pop()
                if mated:
                    break
        position.pop()
        if not mated:
            return False
    return True


def _far(capture: Move) -> bool:
    """Whether a lance, bishop or rook, promoted or not, takes."""
    return capture.piece & 31 in (2, 6, 7)


def length(position: Position, most: int, traditional: bool = False) -> int | None:
    """The plies of the shortest mate, None where it takes more than ``most``."""
    return next((plies for plies in range(1, most + 1, 2) if mates(position, plies, traditional)), None)


def turned(sfen: str) -> str:
    """The same position with the colours changed and the board turned round."""
    board, turn, hands, number = sfen.split()
    rows = []
    for row in reversed(board.split("/")):
        cells: list[str] = []
        for sign in row:
            if cells and cells[-1] == "+":
                cells[-1] += sign
            else:
                cells.append(sign)
        rows.append("".join(reversed(cells)))
    return f"{'/'.join(rows).swapcase()} {'bw'[turn == 'b']} {hands.swapcase()} {number}"


def turned_move(move: str) -> str:
    """A move in USI as it is on the turned board."""
    return "".join(str(10 - int(sign)) if sign.isdigit() else chr(ord("a") + ord("i") - ord(sign)) if sign.islower()
                   else sign for sign in move)


def random_problem(random: Random) -> str:
    """A king near the edge, a few men about it, a few in the attacker's hand: often a mate, often none."""
    king = (random.randint(1, 4), random.randint(1, 3))
    board: dict[tuple[int, int], str] = {king: "k"}
    men = [random.choice("pplnsg") for _ in range(random.randint(0, 3))]
    men += [random.choice(["P", "S", "G", "N", "B", "R", "+B", "+R", "+P", "L"]) for _ in range(random.randint(2, 4))]
    for man in men:
        put(board, (king[0] + random.randint(-2, 3), king[1] + random.randint(-2, 3)), man)
    return written(board, "".join(random.sample("GGSNBRPPL", random.randint(1, 3))))


def changed(random: Random, sfen: str) -> str:
    """A problem with a man or two taken away or added near the king."""
    fields = sfen.split()
    board: dict[tuple[int, int], str] = {}
    for rank, row in enumerate(fields[0].split("/"), 1):
        file = 9
        for sign in re.findall(r"\d|\+?[a-zA-Z]", row):
            if sign.isdigit():
                file -= int(sign)
            else:
                board[file, rank] = sign
                file -= 1
    king = next(square for square, man in board.items() if man == "k")
    for _ in range(random.randint(1, 2)):
        if random.random() < 0.4:
            square = random.choice(sorted(board))
            if square != king:
                del board[square]
        else:
            put(board, (king[0] + random.randint(-2, 2), king[1] + random.randint(-2, 2)), random.choice("pnsgPLNSG"))
    return written(board, re.sub("[0-9]*[a-z]", "", fields[2]) or "-")


def put(board: dict[tuple[int, int], str], square: tuple[int, int], man: str) -> None:
    """Put a man on an empty square where it may stand, else nowhere."""
    inside = 1 <= square[0] <= 9 and 1 <= square[1] <= 9
    stuck = (man in ("P", "L") and square[1] == 1) or (man == "N" and square[1] <= 2)
    doubled = man in ("P", "p") and any(other == man and place[0] == square[0] for place, other in board.items())
    if inside and square not in board and not stuck and not doubled:
        board[square] = man


def written(board: dict[tuple[int, int], str], hand: str) -> str:
    """The position as SFEN, Black to move, White's hand left out."""
    rows = ["".join(board.get((column, row), "1") for column in range(9, 0, -1)) for row in range(1, 10)]
    return f"{'/'.join(rows)} b {hand} 1"
