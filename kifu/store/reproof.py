"""The proof of a row of ``games``, made again from its start position and its moves.

Nothing of the record is needed, and nothing of it is proven: players, dates and claims of the result stand in the row
as the record had them. What follows from the moves alone is played again and compared.
"""
from __future__ import annotations

import uuid
from array import array
from collections.abc import Iterator
from typing import Any

from kifu import movetext
from kifu._tuples import NamedTuple
from kifu.diagnostics import REASONS
from kifu.ends import BLACK, DRAW, WHITE
from kifu.referee import others
from kifu.rules import handicaps, impasse, repetition
from kifu.rules.move import GIVES_CHECK, from_usi
from kifu.rules.position import Position, PositionError
from kifu.store import moves
from kifu.store.rows import RESULTS, game_hash

#: The columns of ``games`` that a proof needs, in the order of `Row`.
COLUMNS = ("game_id, game_hash, variant, handicap, start_sfen, plies, moves, verified_end, verified_winner,"
           " illegal_move, illegal_reason")
COLOURS = (BLACK, WHITE)
#: Ends that the moves prove or refute by themselves, whatever the record says.
BY_MOVES = frozenset({"checkmate", "no_legal_move", "repetition", "perpetual_check", "royals_taken", "bare_king"})
#: Reasons for which a move is illegal however its text names it: the same move in USI must be refused too.
BY_POSITION = frozenset({"nifu", "uchifuzume", "self-check", "check-not-answered", "occupied", "dead-end-drop"})


class Row(NamedTuple):
    """What a proof needs of a row of ``games``."""

    game_id: int
    game_hash: uuid.UUID
    variant: str | None
    handicap: str | None
    start_sfen: str | None
    plies: int | None
    moves: bytes | None
    verified_end: str | None
    verified_winner: int | None
    illegal_move: str | None
    illegal_reason: str | None


class Finding(NamedTuple):
    """Something in a database that is not as it must be. ``str(finding)`` is a whole sentence without its stop."""

    table: str
    message: str
    game_id: int | None = None
    ply: int | None = None

    def __str__(self) -> str:
        game = "" if self.game_id is None else f", game {self.game_id}"
        ply = "" if self.ply is None else f", ply {self.ply}"
        return f"{self.table}{game}{ply}: {self.message}"


class Proof(NamedTuple):
    """What came of a game: the findings, and what was proven of it as far as it could be played."""

    findings: list[Finding]
    codes: bytes  # the moves as far as they are legal, see `kifu.store.moves`
    keys: array[int]  # one more than moves; none where there is no position to start from
    start: Position | None
    moves: array[int]  # packed


class _Texts(dict[int, int]):
    """Move codes as move texts (`kifu.movetext`), each worked out once. ValueError for four bytes that are none."""

    def __missing__(self, code: int) -> int:
        if moves.is_wide(code):
            text = self[code] = moves.text(code)
            return text
        packed = moves.packed(code)
        origin = packed >> 8 & moves.TARGET_MASK
        flags = movetext.PROMOTE if code >> 15 else 0
        if code >> 14 & 1:
            text = movetext.pack(to=self._square(packed & 0xFF), piece=origin & movetext.KIND_FIELD,
                                 flags=flags | movetext.DROP)
        else:
            text = movetext.pack(to=self._square(packed & 0xFF), origin=self._square(origin), flags=flags)
        self[code] = text
        return text

    def _square(self, number: int) -> tuple[int, int]:
        return number // 9 + 1, number % 9 + 1


_texts = _Texts()


def prove(row: Row) -> Proof:
    """Play a game again. Never raises on what a row holds."""
    findings: list[Finding] = []

    def say(message: str, ply: int | None = None) -> None:
        findings.append(Finding("games", message, row.game_id, ply))

    nothing = Proof(findings, b"", array("q"), None, array("q"))
    start = _start(row)
    if isinstance(start, str):
        say(start)
        return nothing
    variant, width = start.rules.key, moves.width(start.rules.key)
    words = {2: "two", 4: "four"}[width]
    if row.moves is None or len(row.moves) % width:
        say(f"moves is no list of move codes of {words} bytes each")
        return nothing
    codes = moves.decode(row.moves)
    if codes and codes.itemsize != width:
        say(f"moves has no move codes of {words} bytes each, as those of {variant} are")
        return nothing
    count = len(codes)
    if row.plies != count:
        say(f"plies is {row.plies}, and moves holds {count}")
    if row.game_hash.bytes != game_hash(row.variant or "", start.sfen(), row.moves):
        say("game_hash is not the hash of its variant, start position and moves")
    try:
        texts = array("q", map(_texts.__getitem__, codes))
    except ValueError as error:
        say(f"moves cannot be read: {error}")
        return nothing
    played, keys = array("q", bytes(8 * count)), array("q", bytes(8 * (count + 1)))
    position = start.copy()
    keys[0] = position.key()
    stop = position.replay(texts, 0, count, played, keys, [])
    if stop < count:
        say(f"the move {_named(codes[stop])} is illegal: {REASONS[position.reason]}", stop + 1)
        del keys[stop + 1:], played[stop:]
    else:
        if width == 4:
            proven = moves.decode(moves.encode(played, variant))
            for ply, (code, right) in enumerate(zip(codes, proven, strict=True), 1):
                if code != right:
                    say(f"the code {code} is not that of the move {moves.usi(right)}, which is {right}", ply)
        allowed = max(repetition.first_barred(keys, played, start.turn, rule) for rule in start.rules.repetition)
        if allowed < count:
            say(f"the move {moves.usi(codes[allowed])} is illegal: third-occurrence", allowed + 1)
        for message in (*_end(row, position, played, keys, start.turn), *_foul(row, position)):
            say(message)
    return Proof(findings, row.moves[:width * stop], keys, start, played)


def _start(row: Row) -> Position | str:
    """The start position of a game, or what is wrong with it."""
    text = row.start_sfen
    if text is None:
        handicap = handicaps.by_key(row.handicap or "") if row.variant == "shogi" else None
        if handicap is None:
            return (f"start_sfen is missing, and the handicap {row.handicap} of the variant {row.variant} names no "
                    "position")
        text = handicap.sfen
    try:
        return Position(text, row.variant or "")
    except PositionError as error:
        return f"start_sfen is no position: {error}"
    except ValueError as error:
        return str(error)


def proven_end(position: Position, played: array[int], keys: array[int], turn: int,
               rule: str) -> tuple[str | None, str | None]:
    """How a game ended and who won it as far as its moves alone prove it by a reading of repetition; see `kifu.replay`.
    """
    if position.rules.key != "shogi" and (other := others.by_moves(position, keys, played, turn, rule)) is not None:
        return other
    if not position.has_legal_move():
        mated = bool(played and played[-1] & GIVES_CHECK) or position.is_check()
        return "checkmate" if mated else "no_legal_move", COLOURS[1 - position.turn]
    if len(played) >= 12 and keys.count(keys[-1]) >= repetition.TIMES:
        return repetition.repetition(keys, played, turn, rule) or (None, None)
    return None, None


def _end(row: Row, position: Position, played: array[int], keys: array[int], turn: int) -> Iterator[str]:
    """What is wrong with ``verified_end`` and ``verified_winner``.

    The reading of repetition that was chosen is not in the row: any of those that the kind of shogi knows will do.
    """
    wrong = [_end_by(row, position, *proven_end(position, played, keys, turn, rule))
             for rule in position.rules.repetition]
    if None not in wrong:
        yield wrong[0] or ""


def _end_by(row: Row, position: Position, end: str | None, winner: str | None) -> str | None:
    """What is wrong with them where the moves prove this end and winner."""
    stated = (row.verified_end, row.verified_winner)
    if end is not None and stated != (end, RESULTS[winner or DRAW]) and not (
            row.illegal_move is not None and stated == (None, None)):  # the foul came first: nothing was proven then
        return f"the moves prove {_told(end, RESULTS[winner or DRAW])}, and verified_end tells {_told(*stated)}"
    if end is None and row.verified_end in BY_MOVES:
        return f"verified_end tells {_told(*stated)}, which the moves do not prove"
    if end is None and row.verified_winner not in _winners(row, position):
        return f"verified_end tells {_told(*stated)}, which the final position refutes"
    return None


def _winners(row: Row, position: Position) -> set[int | None]:
    """Who may have won by an end that the record and the final position prove together.

    The rule of impasse that the record named is not in the row: a winner by any of them is accepted.
    """
    if row.verified_end is None:
        return {None}
    if "impasse" not in position.rules.options:  # nobody counts points in this kind of shogi
        return {0} if row.verified_end == "max_moves" else set()
    share = 0 if row.handicap in ("even", "other") else impasse.missing_points(position)
    mover = RESULTS[COLOURS[position.turn]]
    declared = {impasse.declaration(position, rule, share) for rule in impasse.RULES}
    if row.verified_end == "max_moves":
        return {0}
    if row.verified_end == "impasse":
        return {RESULTS[impasse.agreed(position, share)], *({0} if "draw" in declared else ())}
    if row.verified_end == "declaration":
        # an agreement needs both kings in the other's camp; a claim of it without is lost
        return {-mover, *({mover} if "win" in declared else ())}
    return set()


def _foul(row: Row, position: Position) -> Iterator[str]:
    """What is wrong with ``illegal_move``."""
    if row.illegal_move is None or row.illegal_reason not in BY_POSITION:
        return
    try:
        text = from_usi(row.illegal_move)
    except ValueError:
        return
    if position.resolve(text) >= 0:
        yield f"illegal_move is {row.illegal_move} ({row.illegal_reason}), which is legal in the final position"


def _named(code: int) -> str:
    """A move by its USI; by its code where that drops a piece that there is not, or nothing."""
    try:
        return moves.usi(code) or "0"
    except KeyError:
        return f"of the code {code}"


def _told(end: str | None, winner: int | None) -> str:
    words: dict[Any, str] = {1: "won by Black", -1: "won by White", 0: "drawn"}
    return "nothing" if end is None else f"{end}, {words.get(winner, 'without a winner')}"
