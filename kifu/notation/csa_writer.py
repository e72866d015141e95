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
from kifu.notation.writing import Writer, seconds_text
from kifu.record import CANONICAL, Game

#: Canonical header names -> CSA keys.
WRITE_KEYS = {"black": "N+", "white": "N-", "event": "$EVENT", "site": "$SITE", "start_time": "$START_TIME",
              "end_time": "$END_TIME", "time_control": "$TIME_LIMIT", "opening": "$OPENING", "note": "$NOTE"}
HEADER_ORDER = tuple(WRITE_KEYS)
#: The move text of every target and origin: two digits by square index.
_SPELLED = (1 << 24) - 1  # the bits of a packed move that its text depends on
_SQUARES = [f"{square // 9 + 1}{square % 9 + 1}" for square in range(81)]


class CsaWriter(Writer):
    """Writes proven games as CSA."""

    NOTATION = "csa"
    SEPARATOR = "/\n"

    def write(self, game: Game) -> str:
        record = game.record
        fractions = any(value >= 0 and value % 1000 for value in record.info[3::4])
        version3 = fractions or any(key in ("$TIME", "$TIME+", "$TIME-", "$MAX_MOVES", "$JISHOGI", "$NOTE")
                                    for key, _ in record.headers)
        out = ["'CSA encoding=UTF-8", "V3.0"] if version3 else ["V2.2"]
        self.headers(game, out, version3)
        self.position(game, out)
        comments = self.comments(game, {"bookmark", "variation"})
        plain = "'*" if version3 and record.notation != "csa" else "'"
        note_sign = {"note": "'*", "comment": plain, "nag": plain}
        for kind, text in comments.get(-1, ()):
            out.extend(note_sign[kind] + line for line in text.split("\n"))
        sign = "+-" if game.start.split()[1] == "b" else "-+"
        info = record.info
        for index, move in enumerate(game.moves):
            out.append(sign[index & 1] + csa_move(move & _SPELLED))
            time = info[4 * index + 3]
            if time >= 0:
                out.append("T" + seconds_text(time, version3))
            for kind, text in comments.get(index, ()):
                out.extend(note_sign[kind] + line for line in text.split("\n"))
        self.end(game, out, sign)
        return "\n".join(out) + "\n"

    def headers(self, game: Game, out: list[str], version3: bool) -> None:
        """Names and $ lines; what CSA has no key for goes under its own name."""
        written: dict[str, str] = {}
        others: list[str] = []
        for key, value in game.record.headers:
            canonical = CANONICAL.get(key, key)
            if game.record.notation == "csa" and key.startswith("$"):
                others.append(f"{key}:{value}")
            elif canonical in ("handicap", "sfen", "result", "version"):
                continue
            elif canonical in WRITE_KEYS and canonical not in written:
                if value:
                    written[canonical] = self.clean(value)
            elif value:
                others.append(f"${self.clean(key).lstrip('$').replace(':', '_')}:{self.clean(value)}")
        for canonical in HEADER_ORDER:
            if canonical in written:
                key = WRITE_KEYS[canonical]
                out.append(f"{key}{written[canonical]}" if key[0] == "N" else f"{key}:{written[canonical]}")
        out.extend(others)

    def position(self, game: Game, out: list[str]) -> None:
        """PI for the even start, rows and hands for any other, and the turn line."""
        board, turn, _ = read_sfen(game.start)
        if game.start.split()[0] == EVEN and game.start.split()[2] == "-":
            out.append("PI")
        else:
            for rank, cells in enumerate(board_rows(board), 1):
                out.append(f"P{rank}" + "".join(
                    f"{'-' if cell & 64 else '+'}{NAMES[cell & 63]}" if cell else " * " for cell in cells))
            for side, sign in ((ends.BLACK, "P+"), (ends.WHITE, "P-")):
                held = "".join(f"00{NAMES[kind]}" * count for kind, count in sorted(board.hands[side].items(),
                                                                                    reverse=True))
                if held:
                    out.append(sign + held)
        out.append("+" if turn == ends.BLACK else "-")

    def end(self, game: Game, out: list[str], sign: str) -> None:
        """The end the record claims, with the illegal move that made it where there is one."""
        claimed = game.record.end
        mover = sign[len(game.moves) & 1]
        if game.verdict == "foul" and game.illegal_move is not None:
            out.append(f"'illegal move: {game.illegal_move['text']}")
            self.lose("illegal final move")
            offender = "+" if game.illegal_move["offender"] == ends.BLACK else "-"
            out.append(f"%{offender}ILLEGAL_ACTION" if offender != mover else "%ILLEGAL_MOVE")
            return
        if claimed is None:
            return
        word = ends.CSA_WRITE.get(claimed.reason)
        if claimed.reason in ("illegal", "perpetual_check"):
            offender = {ends.BLACK: "+", ends.WHITE: "-"}.get(
                claimed.offender or (ends.opponent(claimed.winner) if claimed.winner in ends.SIDES else ""), "")
            word = "%ILLEGAL_MOVE" if offender == mover else f"%{offender}ILLEGAL_ACTION" if offender else "%ERROR"
        elif claimed.reason == "declaration" and claimed.winner != (ends.BLACK if mover == "+" else ends.WHITE):
            word = "%ILLEGAL_MOVE"
        if word is None:
            word = claimed.raw if claimed.raw.startswith("%") else "%ERROR"
        if claimed.reason in ends.INEXACT["csa"] and claimed.raw != word:
            out.append(f"'*{claimed.raw}")
            self.lose("end")
        out.append(word)
        if claimed.milliseconds is not None:
            out.append("T" + seconds_text(claimed.milliseconds, out[0].startswith("'CSA")))


@lru_cache(maxsize=32768)
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
