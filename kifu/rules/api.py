"""`kifu.Position` and `kifu.Move`: the engine for people, with moves as objects and USI as their text."""
from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import ClassVar

from kifu.diagnostics import REASONS
from kifu.ends import BLACK, WHITE
from kifu.rules import impasse, legality
from kifu.rules import move as packed
from kifu.rules.choices import held
from kifu.rules.impasse import Points
from kifu.rules.move import of_rules, square_name, usi
from kifu.rules.position import Position as Core
from kifu.rules.position import PositionError
from kifu.rules.repetition import BARRING, barred, repetition

__all__ = ["IllegalMoveError", "Move", "Points", "Position", "PositionError"]


class IllegalMoveError(ValueError):
    """A move that is refused; ``reason`` is one of `kifu.diagnostics.REASONS`, ``hint`` what might help."""

    def __init__(self, move: str, reason: str, message: str, hint: str = "") -> None:
        super().__init__(f"{move}: {message} ({reason})")
        self.move, self.reason, self.hint = move, reason, hint


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move. ``str(move)`` is its USI text; ``packed`` is described in `kifu.rules.move`."""

    packed: int
    ranks: int = 9

    def __str__(self) -> str:
        return usi(self.packed, self.ranks)

    @property
    def target(self) -> str:
        """The square it goes to, as in ``7f``."""
        return square_name(packed.target(self.packed), self.ranks)

    @property
    def origin(self) -> str | None:
        """The square it comes from, None for a drop."""
        square = packed.origin(self.packed)
        return None if square < 0 else square_name(square, self.ranks)

    @property
    def via(self) -> str | None:
        """The square on the way of a man that moves twice in one turn (the lion of chu), None for all others."""
        square = packed.via(self.packed)
        return None if square < 0 else square_name(square, self.ranks)

    @property
    def is_drop(self) -> bool:
        """Whether a man in hand is dropped."""
        return bool(self.packed & packed.DROPPED)

    @property
    def promotes(self) -> bool:
        """Whether the man promotes."""
        return bool(self.packed & packed.PROMOTES)

    @property
    def could_promote(self) -> bool:
        """Whether it could have promoted, whether it does or not."""
        return bool(self.packed & packed.COULD_PROMOTE)

    @property
    def gives_check(self) -> bool:
        """Whether the opponent stands in check after it."""
        return bool(self.packed & packed.GIVES_CHECK)

    @property
    def piece(self) -> int:
        """The man that moves, as it is before: kind, and 32 for the promoted face."""
        return packed.piece(self.packed)

    @property
    def taken(self) -> int:
        """The man that is taken, 0 for none."""
        return packed.taken(self.packed)


class Position:
    """A position of a game: from SFEN (the initial position by default), changed by `push` and `pop`.

    ``variant`` is a key of `kifu.rules.variants.RULESETS`; ``rules`` chooses rule options as ``--rules`` does (of
    those only ``repetition`` matters here). `perft` counts without a look at repetition.

    >>> position = Position()
    >>> position.push("7g7f").gives_check
    False
    >>> position.reason("7c7e")
    'bad-move'
    >>> print(position)
    lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
    """

    #: The piece set of pictures in notebooks (see `kifu.board_svg`): ``kifu.Position.pieces = "animals"``.
    pieces: ClassVar[str] = "kanji"

    def __init__(self, sfen: str | None = None, variant: str = "shogi", rules: str | None = None) -> None:
        self._core = Core(sfen, variant)
        self._moves = array("q")
        self._keys = array("q", [self._core.key()])
        self._first_turn = self._core.turn
        self.variant = variant
        self._repetition = held(rules or "", variant).repetition_of(self._core.rules)

    def __str__(self) -> str:
        return self.sfen()

    def __repr__(self) -> str:
        return f"Position({self.sfen()!r})" if self.variant == "shogi" else \
            f"Position({self.sfen()!r}, {self.variant!r})"

    def __eq__(self, other: object) -> bool:
        """Equal where board, hands and side to move are: the history and the move number do not matter."""
        if not isinstance(other, Position):
            return NotImplemented
        return self.variant == other.variant and self._core.sfen(1) == other._core.sfen(1)

    __hash__ = None  # type: ignore[assignment]  # it changes

    @property
    def turn(self) -> str:
        """The side to move, ``black`` or ``white``."""
        return WHITE if self._core.turn else BLACK

    @property
    def ply(self) -> int:
        """The number of the next move."""
        ply: int = self._core.ply
        return ply

    @property
    def core(self) -> Core:
        """The engine's own position, for code that counts in packed moves. Change it and the history is lost."""
        return self._core

    @property
    def moves(self) -> list[Move]:
        """The moves pushed since the start."""
        return [self._move(move) for move in self._moves]

    def sfen(self) -> str:
        """The position as SFEN, with the number of the next move."""
        return self._core.sfen()

    def svg(self, pieces: str | None = None, *, language: str | None = None, flip: bool = False,
            square: int = 48) -> str:
        """The board as an SVG picture with the squares of the last move tinted, see `kifu.board_svg`.

        ``pieces`` is one of its sets, by default what ``Position.pieces`` says.

        >>> Position().svg("animals").count("<use")
        40
        """
        import kifu

        last = usi(self._moves[-1], self._core.rules.ranks) if self._moves else ""
        return kifu.board_svg(self.sfen(), pieces=pieces or self.pieces, language=language, flip=flip, last=last,
                              square=square, variant=self.variant)

    def _repr_svg_(self) -> str:
        """What notebooks show."""
        return self.svg()

    def key(self) -> int:
        """The position key, a signed 64-bit number; part of the file format (see `kifu.rules.zobrist`)."""
        return self._core.key()

    def copy(self) -> Position:
        """A position of its own with the same history."""
        other = Position.__new__(Position)
        other._core, other._moves, other._keys = self._core.copy(), self._moves[:], self._keys[:]
        other._first_turn, other.variant, other._repetition = self._first_turn, self.variant, self._repetition
        return other

    def legal_moves(self) -> list[Move]:
        """All legal moves, sorted by their USI text."""
        found = self._core.legal_moves()
        if self._repetition in BARRING:
            found = [move for move in found if not self._barred(move)]
        return sorted((self._move(move) for move in found), key=str)

    def reason(self, usi: str) -> str | None:
        """Why a move in USI text is illegal here, None where it is legal. Raises ValueError for what is no move."""
        found = self._resolved(self._read(usi))
        return None if found >= 0 else REASONS[-1 - found]

    def push(self, move: str | Move) -> Move:
        """Play a move and return it. Raises `IllegalMoveError` on an illegal one; the position is then as it was."""
        found = self.packed(move)
        self._core.play(found)
        self._moves.append(found)
        self._keys.append(self._core.key())
        return self._move(found)

    def packed(self, move: str | Move) -> int:
        """The packed move (`kifu.rules.move`) of a legal move. Raises `IllegalMoveError` on an illegal one."""
        written = str(move)
        text = self._read(written)
        found = self._resolved(text)
        if found < 0:
            reason = REASONS[-1 - found]
            raise IllegalMoveError(written, reason, *legality.sentence(self._core, text, reason, self._repetition))
        return found

    def pop(self) -> Move:
        """Take the last move back and return it. Raises IndexError where there is none."""
        if not self._moves:
            raise IndexError("no move to take back")
        self._core.undo()
        self._keys.pop()
        return self._move(self._moves.pop())

    def is_check(self) -> bool:
        """Whether the side to move stands in check; never in chu shogi, where check binds nobody and is not told."""
        return self._core.is_check()

    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""
        return self.is_check() and not self.has_legal_move()

    def has_legal_move(self) -> bool:
        """Whether the side to move can move. If not it has lost, in check or not."""
        if self._repetition in BARRING and len(self._keys) >= 8:
            return bool(self.legal_moves())
        return self._core.has_legal_move()

    def repetition(self) -> tuple[str, str] | None:
        """What stands if the position stands here for the fourth time: ``('repetition', 'draw')``, or
        ``('perpetual_check', winner)``; else None. What other kinds of shogi read differently stands in
        `kifu.rules.repetition`."""
        return repetition(self._keys, self._moves, self._first_turn, self._repetition)

    def points(self) -> dict[str, Points]:
        """What an impasse would count, by side."""
        return {BLACK: impasse.points(self._core, 0), WHITE: impasse.points(self._core, 1)}

    def declaration(self, rule: str = "declare27") -> str:
        """What it is worth if the side to move declares: ``win``, ``draw`` or ``invalid``; rules in `impasse`."""
        return impasse.declaration(self._core, rule)

    def perft(self, depth: int) -> int:
        """How many lines of ``depth`` legal moves start here."""
        return self._core.perft(depth)

    def _read(self, usi: str) -> int:
        """The move text of a USI text. Raises ValueError also for what other kinds of shogi alone write."""
        return of_rules(usi, self._core.rules)

    def _resolved(self, text: int) -> int:
        """The packed move, or ``-1 - index`` of the reason why it is refused, repetition among them."""
        found: int = self._core.resolve(text)
        if found >= 0 and self._repetition in BARRING and self._barred(found):
            return -1 - REASONS.index("third-occurrence")
        return found

    def _barred(self, move: int) -> bool:
        """Whether a move that is legal otherwise makes a position once too often."""
        if len(self._keys) < 8 or len(set(self._keys)) == len(self._keys):
            return False
        self._core.play(move)
        key = self._core.key()
        self._core.undo()
        return barred([*self._keys, key], [*self._moves, move], self._first_turn, self._repetition)

    def _move(self, move: int) -> Move:
        return Move(move, self._core.rules.ranks)
