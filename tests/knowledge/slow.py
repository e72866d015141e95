"""Two slow and simple judges of games, written for the tests and from nothing but the data files.

A board is a set of words as the oracle writes them: ``K6i`` for Black's king on 6i, ``k4a`` for White's on 4a.
"""
from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import kifu
from kifu.movetext import GOLD, KING, ROOK, SILVER
from kifu.rules.move import DROPPED, piece, usi
from kifu.rules.position import Position

Board = frozenset[str]
INITIAL = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
#: Black's words turned into White's and the other way round.
FILES = str.maketrans("123456789", "987654321")
RANKS = str.maketrans("abcdefghi", "ihgfedcba")


def game(moves: str, start: str = "startpos") -> Any:
    """A proven game from USI."""
    found = kifu.replay(kifu.parse(f"position {start} moves {moves}".strip(), "usi")[0])
    assert found.verdict == "legal", (start, moves, found.diagnostics)
    return found


def turned_square(square: str) -> str:
    """``2h`` as the other side sees it: ``8b``."""
    return square[0].translate(FILES) + square[1].translate(RANKS)


def turned_moves(moves: str) -> str:
    """USI moves as they would be with the colours changed."""
    return " ".join(move[:2] + turned_square(move[2:4]) if "*" in move else
                    turned_square(move[:2]) + turned_square(move[2:4]) + move[4:] for move in moves.split())


def turned(board: Board) -> Board:
    """The board with the colours changed."""
    return frozenset(word[:-2].swapcase() + turned_square(word[-2:]) for word in board)


def boards(played: Any) -> Iterator[tuple[Board, str]]:
    """The boards of a game, and the hands as SFEN writes them, from the start position on."""
    position = kifu.Position(played.start).core
    yield from [read_sfen(position.sfen())]
    for move in played.moves:
        position.play(move)
        yield read_sfen(position.sfen())


def read_sfen(sfen: str) -> tuple[Board, str]:
    """The board of an SFEN as a set of words, and its hands."""
    board, _, hands = sfen.split(" ")[:3]
    words = set()
    for rank, row in zip("abcdefghi", board.split("/"), strict=True):
        file = 9
        for cell in re.findall(r"\+?[A-Za-z]|\d", row):
            if cell.isdigit():
                file -= int(cell)
            else:
                words.add(f"{cell}{file}{rank}")
                file -= 1
    return frozenset(words), hands


# --- castles, from the columns of the oracle

def castles(rows: Iterable[dict[str, Any]], played: Any) -> dict[tuple[str, str], int]:
    """The first ply of each castle for each side: its own columns, or an entry that names it as more general."""
    known = list(rows)
    found: dict[tuple[str, str], int] = {}
    for ply, (board, _) in enumerate(boards(played)):
        squares = {word[-2:] for word in board}
        for row in known:
            for side in ("black", "white"):
                if row["key"] == "igyoku" and ply < 40:  # ours counts it once the fighting has begun
                    continue
                if board.issuperset(row[side]) and squares.isdisjoint(row[f"{side}_empty"]):
                    found.setdefault((side, row["key"]), ply)
    while True:
        before = dict(found)
        for row in known:
            for side in ("black", "white"):
                when = found.get((side, row["key"]))
                for parent in row["more_general"] if when is not None else ():
                    found[side, parent] = min(when, found.get((side, parent), when))
        if found == before:
            return found


# --- any entry, from the tables of the pattern files

def entries(tables: dict[str, Any], played: Any) -> dict[tuple[str, str], int]:
    """The first ply of every entry for each side, by the description at the head of castles.toml."""
    known = {key: (kind, fields) for kind in tables for key, fields in tables[kind].items()}
    even = played.start.split(" ")[0] == INITIAL
    reached: dict[tuple[str, str], int] = {}
    earlier: set[tuple[str, str]] = set()
    for ply, (board, hands) in enumerate(boards(played)):
        swapped = hands.swapcase()
        views = {"black": (board, hands), "white": (turned(board), swapped)}
        for side, (seen, held) in views.items():
            for key, (_, fields) in known.items():
                if "before" in fields and ply <= fields.get("until", 10**9) and \
                        holds(fields["before"], side, seen, held, reached, ply, known):
                    earlier.add((side, key))
        changed = True
        while changed:
            changed = False
            for key, (kind, fields) in known.items():
                for side, (seen, held) in views.items():
                    whose = fields.get("side", "each")
                    name = ("both" if whose == "both" else side, key)
                    texts = fields["position"]
                    if (name in reached or whose not in ("each", "both", side) or (kind == "opening" and not even)
                            or not fields.get("from", 0) <= ply <= fields.get("until", 10**9)
                            or ("before" in fields and (side, key) not in earlier)
                            or not any(holds(text, side, seen, held, reached, ply, known)
                                       for text in ([texts] if isinstance(texts, str) else texts))):
                        continue
                    changed = True
                    reach(name, ply, known, reached)
    return reached


def reach(name: tuple[str, str], ply: int, known: dict[str, Any], reached: dict[tuple[str, str], int]) -> None:
    """Note an entry and its parents."""
    if name in reached:
        return
    reached[name] = ply
    side, key = name
    for parent in known[key][1].get("parents", []):
        told = known[parent][1].get("side", "each")
        sides = ["both"] if told == "both" else ["black", "white"] if side == "both" else [side]
        for one in sides:
            reach((one, parent), ply, known, reached)


def holds(text: str, side: str, board: Board, hands: str, reached: dict[tuple[str, str], int], ply: int,
          known: dict[str, Any]) -> bool:
    """Whether every word of a position text is so, seen by a side."""
    return all(word_holds(word, side, board, hands, reached, ply, known) for word in text.split())


def word_holds(word: str, side: str, board: Board, hands: str, reached: dict[tuple[str, str], int], ply: int,
               known: dict[str, Any]) -> bool:
    if word.startswith("!"):
        if "@" in word:
            when = reached.get(referred(word[1:], side, known))
            return when is None or when == ply
        return not word_holds(word[1:], side, board, hands, reached, ply, known)
    if "@" in word:
        return referred(word, side, known) in reached
    if word.endswith("*"):
        letter = word[-2].lower() if word.startswith("v") else word[-2]
        return re.search(rf"(?<!\d){letter}", hands) is not None
    match = re.fullmatch(r"(.*?)(\d)(?:-(\d))?([a-i])(?:-([a-i]))?", word)
    assert match
    man = match[1]
    squares = {f"{file}{chr(rank)}" for file, rank in product(
        range(int(match[2]), int(match[3] or match[2]) + 1), range(ord(match[4]), ord(match[5] or match[4]) + 1))}
    if man == "_":
        return squares.isdisjoint(one[-2:] for one in board)
    piece = man[1:].lower() if man.startswith("v") else man
    return any(piece + square in board for square in squares)


def referred(word: str, side: str, known: dict[str, Any]) -> tuple[str, str]:
    """The entry that ``@key`` or ``v@key`` means."""
    other = word.startswith("v")
    key = word.split("@")[1]
    if known[key][1].get("side") == "both":
        return "both", key
    return ({"black": "white", "white": "black"}[side] if other else side), key


# --- games to judge

def random_game(dice: random.Random, plies: int, start: str | None = None) -> Any:
    """A random legal game in which kings, generals and rooks move more often than in others."""
    position = Position(start)
    played = []
    for _ in range(plies):
        moves = list(position.legal_moves())
        if not moves:
            break
        likely = [move for move in moves if piece(move) in (SILVER, GOLD, ROOK, KING) and not move & DROPPED]
        played.append(dice.choice(likely if likely and dice.random() < 0.7 else moves))
        position.play(played[-1])
    return game(" ".join(map(usi, played)), "startpos" if start is None else f"sfen {start}")
