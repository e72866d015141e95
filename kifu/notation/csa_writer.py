# cython: language_level=3, annotation_typing=False
"""CSA, writer: V2.2, and V3.0 where only that can hold the record.

Source: the CSA record format, versions 1 to 3.0 (see `grammars/csa.lark`).
"""
from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from kifu import ends
from kifu.movetext import PROMOTED
from kifu.notation.board import EVEN, read_sfen
from kifu.notation.board import rows as board_rows
from kifu.notation.csa import NAMES
from kifu.notation.csa_evaluations import with_evaluations
from kifu.notation.csa_server import COMMENT_KEYS, RATING_KEYS
from kifu.notation.fouls import among_moves, foul_move
from kifu.notation.header_plans import Headers, Plan, plain
from kifu.notation.spelling import CsaPage, pairs
from kifu.notation.writing import LEFT_OUT, OTHER, Writer, header_slots, seconds_text
from kifu.record import NOTE, Game, Record
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TARGET_FIELD

#: Canonical header names -> CSA keys. Ratings are comments, as shogi-server writes them.
WRITE_KEYS = {"black": "N+", "white": "N-", "event": "$EVENT", "site": "$SITE", "start_time": "$START_TIME",
              "end_time": "$END_TIME", "time_control": "$TIME_LIMIT", "black_time_control": "$TIME+",
              "white_time_control": "$TIME-", "max_moves": "$MAX_MOVES", "jishogi": "$JISHOGI",
              "opening": "$OPENING", "note": "$NOTE", "black_rating": "'black_rate", "white_rating": "'white_rate"}
SLOTS = header_slots(tuple(WRITE_KEYS))
_LABELS = [key if key[0] == "N" else f"{key}:" for key in WRITE_KEYS.values()]
_BLACK, _WHITE, _TIME, _NOTE, *_RATED = map(
    list(WRITE_KEYS).index, ("black", "white", "time_control", "note", "black_rating", "white_rating"))
#: Stands for a rating that is written in a comment of its own; known by being this very object, since a header may say
#: anything.
TOLD = "told elsewhere"
#: How the lines begin that only version 3 has.
VERSION_3 = ("$TIME:", "$TIME+", "$TIME-", "$MAX_MOVES", "$JISHOGI", "$NOTE")
#: Time settings of version 3, and those of them that version 2 can say.
_SECONDS = re.compile(r"([0-9]{1,7})\+([0-9]{1,7})\+([0-9]{1,7})|[0-9.]{1,11}\+[0-9.]{1,11}\+[0-9.]{1,11}")
_NAMES = pairs(NAMES)
#: Pages that no writer is at work on.
_PAGES: list[CsaPage] = []
#: What becomes of headers, by whether they are CSA's own and by their keys.
_PLANS: dict[tuple[bool, tuple[str, ...]], Plan] = {}
#: Stands before time settings that are no line yet.
_TIMED = "\1"
#: Squares as two digits.
_SQUARES = [f"{square // 9 + 1}{square % 9 + 1}" for square in range(81)]


class CsaWriter(Writer):
    """Writes proven games as CSA."""

    NOTATION = "csa"
    SEPARATOR = "/\n"

    def write(self, game: Game) -> str:
        record = game.record
        page = self.page = _PAGES.pop() if _PAGES else CsaPage(_NAMES)
        headers, version3 = self.headers(record)
        notes, marks, text, added = record.notes, record.note_marks, record.source.text, 0
        page.open(game.moves, record.info, notes, marks, text)
        if notes and (record.notation == "csa" or page.may_evaluate()):
            notes, marks, text, evaluated = with_evaluations(game)
            version3 = version3 or evaluated
            if notes is not record.notes:
                added = (len(notes) - len(record.notes)) // NOTE
                page.open(game.moves, record.info, notes, marks, text)
        claimed = record.lines[0].end if record.lines else None
        version3 = version3 or page.fractions() > 0 or (
            claimed is not None and (claimed.reason == "max_moves" or (claimed.milliseconds or 0) % 1000 > 0))
        starred = version3 and record.notation != "csa"
        start, turn = start_text(game.start)
        foul = game.verdict == "foul"
        self.leave_out(game, page.notes_before(game.plies + (foul and among_moves(game))) - added)
        if game.start[-2:] != " 1":
            self.lose("number of the first move")
        page.put(f"'CSA encoding=UTF-8\nV3.0\n{headers}{start}" if version3 else f"V2.2\n{headers}{start}")
        if notes:
            page.remarks(-1, starred)
        page.plies(game.plies, turn, version3, starred)
        mover = "+-"[game.plies & 1 ^ turn]
        if foul:
            self.foul(game, mover, starred)
        for line in self.end(game, mover, version3):
            page.put(f"{line}\n")
        written: str = page.take()
        _PAGES.append(page)
        return written

    # --- headers ----------------------------------------------------------------------------------------------------
    def headers(self, record: Record) -> tuple[str, bool]:
        """The headers as lines, each ended, and whether only version 3 has one of them."""
        own = record.notation == "csa"
        found = plain(record.headers, f"\\{_TIMED}")
        if found is None:
            lines = self.header_lines(record.headers, own)
            return "".join([f"{line}\n" for line in lines]), any(line.startswith(VERSION_3) for line in lines)
        keys, values = found
        made = self.planned(_PLANS, (own, keys), keys, _marked_own if own else _marked)
        text = made.text(values)
        version3 = made.begins(VERSION_3)
        if _TIMED in text:
            before, _, rest = text.partition(_TIMED)
            time, line_end, rest = rest.partition("\n")
            line = time_line(time)
            text, version3 = f"{before}{line}{line_end}{rest}", version3 or line.startswith(VERSION_3)
        return f"{text}\n" if text else "", version3

    def header_lines(self, headers: Headers, own: bool, timed: Callable[[str], str] | None = None) -> list[str]:
        """Names and $ lines; what CSA has no key for goes under its own name, what servers tell into comments.

        ``own`` are those of a CSA record; ``timed`` makes a line of the time settings.
        """
        found = [""] * SLOTS.size
        others: list[str] = []
        for key, value in headers:
            if own and key[:1] == "$":
                others.append(f"{key}:{self.note(value) if key == '$NOTE' else self.header_value(value)}")
            elif key in COMMENT_KEYS:
                if key != "summary":
                    others.append(f"'{key}{' ' if ' ' in key else ':'}{self.header_value(value)}")
                    if key in RATING_KEYS:
                        found[SLOTS.places[RATING_KEYS[key]]] = TOLD
            elif own and key in WRITE_KEYS:
                continue  # the reader worked it out of a line that is written as it was
            else:
                slot = SLOTS.places.get(key, OTHER)
                if slot >= 0 and not (value and found[slot]):
                    found[slot] = value or found[slot]
                elif slot in _RATED and found[slot] is TOLD:
                    continue
                elif slot != LEFT_OUT:
                    others.append(f"${self.clean(key).lstrip('$').replace(':', '_')}:{self.header_value(value)}")
        if found[_TIME] or found[_NOTE] or found[_RATED[0]] or found[_RATED[1]]:
            self.special(found, others, timed or time_line)
        return [label + self.header_value(value)
                for label, value in zip(_LABELS, found, strict=True) if value] + others

    def special(self, found: list[str], others: list[str], timed: Callable[[str], str]) -> None:
        """Headers whose value is not written as it is: they move from ``found`` to ``others``."""
        if found[_TIME]:
            others.insert(0, timed(self.header_value(found[_TIME])))
        if found[_NOTE]:
            others.append(f"$NOTE:{self.note(found[_NOTE])}")
        for rating, name, key in zip(_RATED, (_BLACK, _WHITE), ("black_rate", "white_rate"), strict=True):
            if found[rating] and found[rating] is not TOLD:
                others.append(f"'{key}:{self.clean(found[name])}:{self.header_value(found[rating])}")
            found[rating] = ""
        found[_TIME] = found[_NOTE] = ""

    def note(self, value: str) -> str:
        """A text of several lines as the value of $NOTE, which has one kind of line end."""
        self.lose("headers", "\r" in value)
        return escaped(value)

    # --- the end ----------------------------------------------------------------------------------------------------
    def foul(self, game: Game, mover: str, starred: bool) -> None:
        """The illegal move that ended the game and the comments on it; there is no place for its clock."""
        page, illegal = self.page, game.illegal_move
        assert illegal is not None
        foul = foul_written(game)
        self.lose("illegal final move", foul is None)
        page.put(f"'ILLEGAL_MOVE({foul})\n" if foul else f"'illegal move: {self.clean(illegal['text'])}\n")
        if among_moves(game):
            page.remarks(game.plies, starred)
            self.lose("clocks", game.record.milliseconds(game.plies) is not None)

    def end(self, game: Game, mover: str, version3: bool) -> list[str]:
        """The end the record claims, and its clock; ``mover`` is the sign of the side to move."""
        record = game.record
        claimed = record.lines[0].end if record.lines else None
        summary = [f"'summary:{self.clean(value)}" for key, value in record.headers if key == "summary"]
        if claimed is None:
            return summary
        word = self.word(claimed, mover)
        out = []
        misled = not summary and ends.misleads(claimed, ends.BLACK if mover == "+" else ends.WHITE)
        if misled:
            word = "%CHUDAN"
        if game.verdict == "foul" and game.illegal_move is not None:
            offender = "+" if game.illegal_move["offender"] == ends.BLACK else "-"
            word = f"%{offender}ILLEGAL_ACTION" if offender != mover else "%ILLEGAL_MOVE"
            if not summary:  # which outranks the word
                self.foul_end(game)
        elif claimed.reason == "abandoned" and claimed.winner in ends.SIDES and not summary:
            summary = [abandoned(game, claimed.winner)]
        elif not summary and claimed.raw != word and (
                misled or claimed.reason in ends.INEXACT["csa"]
                or (word == "%ILLEGAL_MOVE" and claimed.reason == "declaration")):
            out.append(f"'*{self.clean(claimed.raw)}")
            self.lose("end")
        out.append(word)
        if claimed.milliseconds is not None:
            out.append("T" + seconds_text(claimed.milliseconds, version3))
        return out + summary

    def word(self, claimed: ends.End, mover: str) -> str:
        """The % word that is nearest to an end; ``mover`` is the sign of the side to move."""
        side = ends.BLACK if mover == "+" else ends.WHITE
        if claimed.reason == "abandoned":
            return "%TORYO" if claimed.winner == ends.opponent(side) else "%CHUDAN"
        return ends.csa_word(claimed, side) or (claimed.raw if claimed.raw.startswith("%") else "%ERROR")


def _mark_time(value: str) -> str:
    """Stands for the line of time settings in a plan: it is made of the value when that is known."""
    return _TIMED + value


def _marked(writer: CsaWriter, headers: Headers) -> list[str]:
    return writer.header_lines(headers, False, _mark_time)


def _marked_own(writer: CsaWriter, headers: Headers) -> list[str]:
    return writer.header_lines(headers, True, _mark_time)


def abandoned(game: Game, winner: str) -> str:
    """The summary that says who won by the loss of the other's connection."""
    names = (game.record.header("black") or "", game.record.header("white") or "")
    words = ("win", "lose") if winner == ends.BLACK else ("lose", "win")
    return "'summary:abnormal:" + ":".join(f"{' '.join(name.split())} {word}"
                                           for name, word in zip(names, words, strict=True))


def foul_written(game: Game) -> str | None:
    """The illegal move that ended a game as CSA writes a move, None where its notation does not say enough of it."""
    move = foul_move(game)
    if move is None or game.illegal_move is None:
        return None
    piece = move >> PIECE_SHIFT & PIECE_FIELD
    if move & PROMOTES and not move & DROPPED:
        origin = move >> ORIGIN_SHIFT & TARGET_FIELD
        stands = game.position.piece_at(origin // 9 + 1, origin % 9 + 1) & PIECE_FIELD
        if stands == piece | PROMOTED or piece | PROMOTED not in NAMES:
            return None  # CSA names what a man is afterwards: it cannot tell that a gold or a horse promotes
    return ("-" if game.illegal_move["offender"] == ends.WHITE else "+") + csa_move(move)


def time_line(value: str) -> str:
    """Time settings as a header: `$TIME_LIMIT` where version 2 can say them, `$TIME` where only version 3 can.

    >>> time_line("900+60+0"), time_line("300+0+10"), time_line("00:25+00")
    ('$TIME_LIMIT:00:15+60', '$TIME:300+0+10', '$TIME_LIMIT:00:25+00')
    """
    match = _SECONDS.fullmatch(value)
    if match is None:
        return f"$TIME_LIMIT:{value}"
    if match[1] is None or int(match[3]) or int(match[1]) % 60 or int(match[1]) >= 360000:
        return f"$TIME:{value}"
    minutes = int(match[1]) // 60
    return f"$TIME_LIMIT:{minutes // 60:02}:{minutes % 60:02}+{int(match[2]):02}"


def escaped(note: str) -> str:
    """A text of several lines as the value of $NOTE.

    >>> print(escaped("one\\ntwo"))
    one\\ntwo
    """
    return note.replace("\\", "\\\\").replace("\r", "").replace("\n", "\\n")


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
