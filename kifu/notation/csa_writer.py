"""CSA, writer: V2.2, and V3.0 where only that can hold the record.

Source: the CSA record format, versions 1 to 3.0 (see `grammars/csa.lark`).
"""
from __future__ import annotations

from functools import lru_cache

from kifu import ends
from kifu.movetext import PROMOTED
from kifu.notation.board import EVEN, read_sfen
from kifu.notation.board import rows as board_rows
from kifu.notation.csa import NAMES
from kifu.notation.spelling import CsaPage, pairs
from kifu.notation.writing import LEFT_OUT, OTHER, Writer, header_slots, seconds_text
from kifu.record import Game

#: Canonical header names -> CSA keys.
WRITE_KEYS = {"black": "N+", "white": "N-", "event": "$EVENT", "site": "$SITE", "start_time": "$START_TIME",
              "end_time": "$END_TIME", "time_control": "$TIME_LIMIT", "opening": "$OPENING", "note": "$NOTE"}
SLOTS = header_slots(tuple(WRITE_KEYS), left_out=("handicap", "sfen", "result", "version"))
_LABELS = [key if key[0] == "N" else f"{key}:" for key in WRITE_KEYS.values()]
#: Header keys that only version 3 has.
VERSION_3 = frozenset({"$TIME", "$TIME+", "$TIME-", "$MAX_MOVES", "$JISHOGI", "$NOTE"})
_NAMES = pairs(NAMES)
#: Squares as two digits.
_SQUARES = [f"{square // 9 + 1}{square % 9 + 1}" for square in range(81)]


class CsaWriter(Writer):
    """Writes proven games as CSA."""

    NOTATION = "csa"
    SEPARATOR = "/\n"

    def __init__(self, style: str | None = None) -> None:
        super().__init__(style)
        self.page = CsaPage(_NAMES)

    def write(self, game: Game) -> str:
        record, page = game.record, self.page
        page.open(game.moves, record.info, record.notes, record.note_marks, record.text)
        version3 = page.fractions() > 0 or any(key in VERSION_3 for key, _ in record.headers)
        starred = version3 and record.notation != "csa"
        out = ["'CSA encoding=UTF-8", "V3.0"] if version3 else ["V2.2"]
        self.headers(game, out)
        start, turn = start_text(game.start)
        self.leave_out(game, page.notes_before(game.plies))
        page.put("\n".join(out))
        page.put("\n")
        page.put(start)
        page.remarks(-1, starred)
        page.plies(game.plies, turn, version3, starred)
        for line in self.end(game, "-+" if turn else "+-", version3):
            page.put(line)
            page.put("\n")
        return page.take()

    def headers(self, game: Game, out: list[str]) -> None:
        """Names and $ lines; what CSA has no key for goes under its own name."""
        own = game.record.notation == "csa"
        found = [""] * SLOTS.size
        others = []
        for key, value in game.record.headers:
            if own and key[:1] == "$":
                others.append(f"{key}:{value}")
            elif value:
                slot = SLOTS.places.get(key, OTHER)
                if slot >= 0 and not found[slot]:
                    found[slot] = value
                elif slot != LEFT_OUT:
                    others.append(f"${self.clean(key).lstrip('$').replace(':', '_')}:{self.clean(value)}")
        out += [label + self.clean(value) for label, value in zip(_LABELS, found, strict=True) if value]
        out += others

    def end(self, game: Game, sign: str, version3: bool) -> list[str]:
        """The end the record claims, with the illegal move that made it where there is one."""
        claimed = game.record.end
        mover = sign[len(game.moves) & 1]
        if game.verdict == "foul" and game.illegal_move is not None:
            self.lose("illegal final move")
            offender = "+" if game.illegal_move["offender"] == ends.BLACK else "-"
            return [f"'illegal move: {game.illegal_move['text']}",
                    f"%{offender}ILLEGAL_ACTION" if offender != mover else "%ILLEGAL_MOVE"]
        if claimed is None:
            return []
        word = ends.CSA_WRITE.get(claimed.reason)
        if claimed.reason in ("illegal", "perpetual_check"):
            offender = {ends.BLACK: "+", ends.WHITE: "-"}.get(
                claimed.offender or (ends.opponent(claimed.winner) if claimed.winner in ends.SIDES else ""), "")
            word = "%ILLEGAL_MOVE" if offender == mover else f"%{offender}ILLEGAL_ACTION" if offender else "%ERROR"
        elif claimed.reason == "declaration" and claimed.winner != (ends.BLACK if mover == "+" else ends.WHITE):
            word = "%ILLEGAL_MOVE"
        if word is None:
            word = claimed.raw if claimed.raw.startswith("%") else "%ERROR"
        out = []
        if claimed.reason in ends.INEXACT["csa"] and claimed.raw != word:
            out.append(f"'*{claimed.raw}")
            self.lose("end")
        out.append(word)
        if claimed.milliseconds is not None:
            out.append("T" + seconds_text(claimed.milliseconds, version3))
        return out


@lru_cache(maxsize=512)
def start_text(sfen: str) -> tuple[str, int]:
    """The lines of a start position, ended, and who moves: 0 for Black, 1 for White.

    PI for the even start, rows and hands for any other, and the turn line.

    >>> start_text(f"{EVEN} b - 1")
    ('PI\\n+\\n', 0)
    """
    board, side, _ = read_sfen(sfen)
    out = []
    if sfen.split()[0] == EVEN and sfen.split()[2] == "-":
        out.append("PI")
    else:
        for rank, cells in enumerate(board_rows(board), 1):
            out.append(f"P{rank}" + "".join(
                f"{'-' if cell & 64 else '+'}{NAMES[cell & 63]}" if cell else " * " for cell in cells))
        for colour, sign in ((ends.BLACK, "P+"), (ends.WHITE, "P-")):
            held = "".join(f"00{NAMES[kind]}" * count for kind, count in sorted(board.hands[colour].items(),
                                                                                reverse=True))
            if held:
                out.append(sign + held)
    turn = 0 if side == ends.BLACK else 1
    out.append("-" if turn else "+")
    return "\n".join(out) + "\n", turn


def csa_move(move: int) -> str:
    """A packed move as CSA writes it, without the sign.

    >>> csa_move(59 | 60 << 8 | 1 << 18)
    '7776FU'
    """
    piece = move >> 18 & 63
    if move & 1 << 16:
        return f"00{_SQUARES[move & 255]}{NAMES[piece or move >> 8 & 255]}"
    if move & 1 << 17:
        piece |= PROMOTED
    return f"{_SQUARES[move >> 8 & 255]}{_SQUARES[move & 255]}{NAMES[piece]}"
