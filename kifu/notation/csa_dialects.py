# cython: language_level=3, boundscheck=True
"""CSA, reader: the lines that servers and their clients write around a game.

Three dialects: records of shogi-server (floodgate), whose comments hold summary, ratings and settings; logs of clients
of the CSA server protocol, which begin with a `Game_Summary`; records of 81Dojo, which are a bit of both.
"""
from __future__ import annotations

from typing import ClassVar

try:
    import cython
except ImportError:
    from kifu import _cython as cython

from kifu.ends import BLACK, DRAW, OUTCOME_WORDS, SERVER_WORDS, SIDES, SUMMARIES, UNKNOWN, WHITE, End, claim, opponent
from kifu.notation import csa_server as server
from kifu.notation.reading import Reader
from kifu.record import Record

BLANKS = " \t\u3000"
#: Headers beside which a game id says nothing new.
TIME_KEYS = {"$TIME", "$TIME_LIMIT", "$TIME+", "$TIME-"}
NAME_KEYS = ("N+", "N-", "Name+", "Name-")
#: Headers that decide what is made of the others.
DECISIVE_KEYS = {*TIME_KEYS, *NAME_KEYS, "$START_TIME"}
#: Sides of the time settings of a log -> the canonical header.
TIME_NAMES = {"": "time_control", "+": "black_time_control", "-": "white_time_control"}


class ServerLines:
    """What the lines of servers told of one record."""

    __slots__ = ("client", "clock_side", "clocks", "event", "foul", "logged", "summary", "turn")

    def __init__(self) -> None:
        self.summary: tuple[int, int] | None = None  # where it stands
        self.foul: tuple[int, int] | None = None  # where a refused move stands
        self.event = ""  # a game id
        self.logged = False  # whether it was said that the record is a log
        self.turn: str | None = None  # the side of the line To_Move
        self.client: str | None = None  # the side of the client whose log it is
        self.clocks: dict[str, dict[str, str]] = {}  # settings of a log: of both sides under "", of one under + or -
        self.clock_side = ""


class DialectReader(Reader):
    """What `kifu.notation.csa.CsaReader` knows of servers: their lines as headers and ends of the record."""

    NOTATION = "csa"
    MEANINGS: ClassVar = {"SERVER_NOTE": "item", "LOG": "item", "LOG_FIELD": "item", "INDENT": "item",
                          "server": "end"}
    HANDLERS: ClassVar = {"SERVER_NOTE": "on_server_note", "LOG": "on_log", "LOG_FIELD": "on_log_field",
                          "INDENT": "on_indent", "server": "on_server"}

    def open(self, move: cython.Py_ssize_t, offset: cython.Py_ssize_t) -> None:
        Reader.open(self, move, offset)
        self.turn: str | None = None
        #: What lines of servers told of the record, and None where they told nothing: most records have none.
        self.told_of: ServerLines | None = None
        self.indent_told = False

    def server_lines(self) -> ServerLines:
        """What lines of servers told so far."""
        if self.told_of is None:
            self.told_of = ServerLines()
        return self.told_of

    def begun(self, move: cython.Py_ssize_t) -> cython.bint:
        """Whether the record is past its position, so that a header or a board opens another one."""
        return move > self.first_move or self.current.end is not None

    def to_move(self, move: cython.Py_ssize_t) -> str:
        """The side to move before text move ``move``."""
        told = self.told_of
        return self.mover(move, self.turn or (told is not None and told.turn) or BLACK)

    def on_end(self, move: cython.Py_ssize_t, end: End) -> None:
        self.told = True
        self.claim_end(move, end)

    def on_indent(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        """Blanks before a statement, told once a record; those of a blank line are none."""
        if not self.indent_told and end < len(self.text) and self.text[end] not in "\r\n":
            self.indent_told = True
            self.report("indented", end)

    # --- shogi-server -----------------------------------------------------------------------------------------------
    def on_server_note(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                       value: cython.longlong) -> None:
        """A comment that is data: a header, and what is needed once the record is whole."""
        key, mark, told = self.text[start + 1:end].partition(":")
        if mark:
            self.record.headers.append((key, told := told.strip(BLANKS)))
            if key == "summary":
                self.server_lines().summary = start, end
            elif key in server.RATING_KEYS:
                self.rated(key, told)
        elif key[0] == "I":
            self.server_lines().foul = start, end
        else:
            key = "buoy game starting with"
            self.header(key, self.text[start + 1 + len(key):end].strip(BLANKS))

    def header(self, key: str, value: str) -> None:
        """Keep a header, and what follows from it under its canonical name."""
        self.record.headers.append((key, value))
        if key in server.RATING_KEYS:
            self.rated(key, value)

    def rated(self, key: str, value: str) -> None:
        """Keep the number of a rating under its canonical name."""
        rating = server.rating(value)
        if rating is not None:
            self.record.headers.append((server.RATING_KEYS[key], rating))

    # --- the server protocol and 81Dojo -----------------------------------------------------------------------------
    def on_log(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
               value: cython.longlong) -> None:
        """A line such as ``BEGIN Time`` that holds the parts of a game summary together."""
        edge, _, part = self.text[start:end].partition(" ")
        if edge == "BEGIN" and part == "Game_Summary" and self.begun(move):
            self.next_record(move, start)
        self.tell_log(start, end)
        if part.startswith("Time"):
            self.server_lines().clock_side = part[4:] if edge == "BEGIN" else ""

    def on_log_field(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                     value: cython.longlong) -> None:
        """A line such as ``Name+:kifu`` of a game summary, or ``I+1249,…`` of 81Dojo."""
        key, _, told = self.text[start:end].partition(":")
        if key[:2] in ("I+", "I-"):
            key, told = key[:2], self.text[start + 2:end]
        elif key not in server.LOG_KEYS:
            self.report("unknown-line", start, end, text=self.text[start:end], notation="CSA")
            return
        self.tell_log(start, end)
        self.told = True
        lines = self.server_lines()
        told = told.strip(BLANKS)
        side = {"+": BLACK, "-": WHITE}.get(told)
        if key == "To_Move" and side is not None:
            if not self.begun(move):
                lines.turn = side
            return
        if key == "Your_Turn":
            lines.client = side
        elif key == "Game_ID":
            lines.event = told
        elif key in ("Time_Unit", "Total_Time", "Byoyomi", "Increment"):
            lines.clocks.setdefault(lines.clock_side, {})[key] = told
        self.header(key + lines.clock_side, told)

    def tell_log(self, start: int, end: int) -> None:
        """Say once a record that it is a log."""
        lines = self.server_lines()
        if not lines.logged:
            lines.logged = True
            self.report("server-log", start, end, text=self.text[start:end])

    def on_server(self, move: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t,
                  value: cython.longlong) -> None:
        """``#RESIGN`` and its like: why the game ended, or who won it."""
        raw = self.text[start:end]
        word = raw[1:].strip()
        if word in OUTCOME_WORDS:
            self.report("foreign-end", start, end, text=raw)
            self.outcome(move, word, raw, start)
        elif word in SERVER_WORDS:
            self.report("foreign-end", start, end, text=raw)
            self.on_end(move, claim(SERVER_WORDS, word, self.to_move(move), raw, start))
        else:
            self.report("unknown-line", start, end, text=raw, notation="CSA")

    def outcome(self, move: int, word: str, raw: str, offset: int) -> None:
        """Who won, in a word of its own: it decides where the end before it leaves that open."""
        winner = OUTCOME_WORDS[word]
        if winner in ("you", "they"):
            client = self.server_lines().client
            if client is None:
                return
            winner = client if winner == "you" else opponent(client)
        claimed = self.current.end
        if claimed is None:
            reason = "draw" if winner == DRAW else "other"
            self.on_end(move, End(reason, winner, None, raw, offset))
        elif claimed.winner == UNKNOWN or claimed.reason in ("illegal", "perpetual_check"):
            offender = opponent(winner) if winner in SIDES else None
            fouls = claimed.reason in ("illegal", "perpetual_check")
            self.current.end = claimed._replace(winner=winner, offender=offender if fouls else None)
        elif claimed.winner != winner:
            self.report("result-conflict", offset, first=claimed.raw, second=raw)

    # --- the whole record -------------------------------------------------------------------------------------------
    def settle_dialect(self, record: Record, lines: ServerLines) -> None:
        """Work out what the lines of servers say of the record as a whole."""
        names: list[str | None] = [None, None, None, None]
        timed: cython.bint = False
        started: cython.bint = False
        if self.turn is None:
            self.turn = lines.turn
        for key, value in record.headers:
            if key in DECISIVE_KEYS:
                if key == "$START_TIME":
                    started = True
                elif key in TIME_KEYS:
                    timed = True
                else:
                    names[NAME_KEYS.index(key)] = value
        black = names[0] if names[0] is not None else names[2]
        white = names[1] if names[1] is not None else names[3]
        if lines.foul is not None:
            self.settle_foul(record, *lines.foul)
        if lines.summary is not None:
            self.settle_summary(record, black, white, *lines.summary)
        settings: dict[str, str | None] = {}
        for side, fields in lines.clocks.items():
            settings[TIME_NAMES[side]] = server.clock_settings({**lines.clocks.get("", {}), **fields})
        found = server.game_id(lines.event) if lines.event else None
        if found is not None:
            if not settings and not timed:
                settings["time_control"] = found.time_control
            if not started:
                settings["start_time"] = found.start_time
            if black is None and white is None:
                settings["black"], settings["white"] = found.black, found.white
        for name, setting in settings.items():
            if setting:
                record.headers.append((name, setting))

    def settle_foul(self, record: Record, start: int, end: int) -> None:
        """The illegal move that a server refused: 81Dojo has it among the moves as well, floodgate only here."""
        parts = server.foul(self.text[start:end])
        text = self.packed(*parts) if parts is not None else None
        if parts is None or text is None:
            self.report("unknown-line", start, end, text=self.text[start:end], notation="CSA")
            return
        offender = BLACK if parts[0] == "+" else WHITE
        line = record.lines[0]
        last = line.last - 1
        if last < 0 or record.texts[last] != text:
            record.foul = text, start + len("'ILLEGAL_MOVE("), self.text.rfind(")", start, end)
        if line.end is None or line.end.reason == "illegal":
            raw = line.end.raw if line.end is not None else self.text[start:end]
            line.end = End("illegal", opponent(offender), offender, raw,
                           line.end.offset if line.end is not None else start,
                           line.end.milliseconds if line.end is not None else None)

    def packed(self, sign: str, origin: str, target: str, piece: str) -> int | None:
        """A move in its four parts as a move text, None where no piece has the name."""
        raise AssertionError(f"{type(self).__name__} packs no moves")

    def settle_summary(self, record: Record, black: str | None, white: str | None, start: cython.Py_ssize_t,
                       end: cython.Py_ssize_t) -> None:
        """The summary of shogi-server, whose players are named, outranks the % line."""
        raw = self.text[start:end]
        told = server.summary(raw[len("'summary:"):], black, white)
        if told is None:
            self.report("unknown-line", start, end, text=raw, notation="CSA")
            return
        if told.kind not in SUMMARIES:
            self.report("unknown-end", start, end, text=told.kind)
        line = record.lines[0]
        claimed = line.end
        line.end, differs = server.decide(claimed, told, raw, start)
        if differs and claimed is not None:
            self.report("result-conflict", start, end, first=claimed.raw, second=raw.lstrip("'"))
