"""Random games side by side with other engines, where they are installed."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from types import ModuleType

import pytest

from kifu.rules.api import Position


def games(count: int, seed: int) -> Iterable[tuple[Position, random.Random]]:
    chooser = random.Random(seed)
    for _ in range(count):
        yield Position(), chooser


def follow(count: int, seed: int, legal: Callable[[list[str]], set[str]], plies: int = 160, every: int = 3) -> None:
    """Play random games; every few plies the other engine's list of legal moves must be equal."""
    for position, chooser in games(count, seed):
        played: list[str] = []
        for ply in range(plies):
            own = position.legal_moves()
            if ply % every == 0:
                assert {str(move) for move in own} == legal(played), position.sfen()
            if not own:
                break
            taking = [move for move in own if move.taken or move.is_drop]
            played.append(str(position.push(chooser.choice(taking if taking and chooser.random() < 0.4 else own))))


def optional(name: str) -> ModuleType:
    return pytest.importorskip(name, reason=f"{name} is not installed")


def test_cshogi() -> None:
    cshogi = optional("cshogi")

    def legal(played: list[str]) -> set[str]:
        board = cshogi.Board()
        for usi in played:
            board.push_usi(usi)
        return {cshogi.move_to_usi(move) for move in board.legal_moves}

    follow(6, 1, legal)


def test_python_shogi() -> None:
    shogi = optional("shogi")

    def legal(played: list[str]) -> set[str]:
        board = shogi.Board()
        for usi in played:
            board.push_usi(usi)
        return {move.usi() for move in board.legal_moves}

    follow(1, 2, legal, plies=60, every=6)


def test_rsshogi() -> None:
    optional("rsshogi")
    from rsshogi.core import Board

    def legal(played: list[str]) -> set[str]:
        board = Board()
        for usi in played:
            board.apply_usi(usi)
        return {move.to_usi() for move in board.legal_moves()}

    follow(6, 3, legal)
