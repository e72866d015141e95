"""What the grammar expected, in words.

A terminal's name is for the author of a grammar; a person who typed ``+77FU`` wants to read "expected a square such
as 76". Terminals that mean the same to a reader (fourteen pieces, a dozen words for the end of a game) share one
phrase, so a list of sixty terminals becomes a sentence.
"""
from __future__ import annotations

from collections.abc import Iterable

from kifu.grammar.tape import Fault

#: Notations that are read by another one's grammar.
ALIASES = {"sfen": "usi", "usen": "usi", "bod": "kif", "psn": "western", "ki2u": "ki2", "kifu": "kif"}

MOST = 6  # phrases in a sentence; what follows more is "or something else"

PIECE, SQUARE, END_WORD = "a piece such as {piece}", "a square such as {square}", "a word for the end such as {end}"

#: How each notation spells what the phrases mention.
SPELLING = {
    "csa": {"piece": "FU", "square": "76", "end": "TORYO", "black": "+", "white": "-"},
    "kif": {"piece": "歩", "square": "７六", "end": "投了", "black": "☗", "white": "☖"},
    "ki2": {"piece": "歩", "square": "７六", "end": "投了", "black": "☗", "white": "☖"},
    "usi": {"piece": "P", "square": "7f", "end": "resign", "black": "b", "white": "w"},
    "western": {"piece": "P", "square": "7f", "end": "Resigns", "black": "☗", "white": "☖"},
}

#: The phrase for each terminal of the shared vocabulary. The order is the order in a sentence.
PHRASES = {
    "RPAREN": "the end of the variation, )",
    **dict.fromkeys(("SQUARE", "NUMERIC_SQUARE", "FILE"), SQUARE),
    "RANK": "a rank such as 六",
    "SAME": "同",
    **dict.fromkeys(
        ("PAWN", "LANCE", "KNIGHT", "SILVER", "GOLD", "BISHOP", "ROOK", "KING", "TOKIN", "PLANCE", "PKNIGHT", "PSILVER",
         "HORSE", "DRAGON", "PIECE"), PIECE),
    **dict.fromkeys(("BLACK", "WHITE"), "the side ({black} or {white})"),
    "EITHER": "▼",
    "PROMOTE": "+ for promotion",
    "DECLINE": "= for no promotion",
    "DROP": "a drop such as P*",
    # numbers, clocks
    "NUMBER": "a move number",
    "NUMBER_WHITE": "a move number", "BARE_NUMBER": "a move number", "ELLIPSIS": "...",
    "TIME": "a clock such as (0:05/00:00:17)",
    # the end of a game
    **dict.fromkeys(
        ("RESIGN", "INTERRUPT", "REPETITION", "IMPASSE", "MATE", "NO_MATE", "TIMEOUT", "FOUL_WIN", "FOUL_LOSS",
         "DECLARE", "DEFAULT_WIN", "DEFAULT_LOSS", "SEALED", "MAX_MOVES", "DRAWN", "TRY", "PERPETUAL", "BLACK_RESIGNS",
         "WHITE_RESIGNS", "WIN", "WORD"), END_WORD),
    # remarks, ends of lines
    **dict.fromkeys(("COMMENT", "NOTE", "HASH", "REMARK", "LINE_COMMENT", "BRACKET_COMMENT"), "a comment"),
    "COMMA": "a comma",
    "NL": "the end of the line",
    "$END": "the end of the text",
}

#: Terminals of one notation, and those that mean something of its own there.
OWN = {
    "csa": {
        "HAND": "00 for a piece in hand", "ALL": "AL for all the rest", "EMPTY": "* for an empty square",
        "WORD": "a word such as {end}", "PERCENT": "an end such as %TORYO", "HASH": "# and a word",
        "SECONDS": "a time such as T12", "NEGATIVE": "a time such as T12",
        "VERSION": "a version such as V2.2", "ENCODING": "'CSA encoding=",
        "NAME_BLACK": "a name line, N+ or N-", "NAME_WHITE": "a name line, N+ or N-", "INFO": "a header such as $EVENT",
        "EVEN": "PI", "ROW": "a row of the board such as P1",
        "HANDS_BLACK": "pieces in hand, P+ or P-", "HANDS_WHITE": "pieces in hand, P+ or P-", "SEPARATOR": "/",
        "SERVER_NOTE": "a comment", "ECHO": "a comment", "LOG": "", "LOG_FIELD": "", "INDENT": "",
    },
    "kif": {
        "PROMOTE": "成", "DECLINE": "不成", "DROP": "打", "ORIGIN": "where the piece comes from, such as (77)",
        "NO_ORIGIN": "where the piece comes from, such as (77)", "PLUS": "+ for a branch", "TAIL": "", "TE": "手",
        "SAME_TOO": "", "ODD_TIME": "",
        "HEADER": "a header such as 先手：", "TEXT": "text", "RESULT": "text", "MADE": "まで", "COUNT": "手数＝",
        "BRANCH": "変化：", "COLUMN": "手数----指手--", "BOOKMARK": "a bookmark, &", "ROTATE": "盤面回転",
        "BAR": "| at the end of the row", "EMPTY": "・ for an empty square",
        "MARK_BLACK": PIECE, "MARK_WHITE": PIECE,
        "FILES": "a board", "RULE": "a board", "HAND_BLACK": "pieces in hand such as 先手の持駒：",
        "HAND_WHITE": "pieces in hand such as 先手の持駒：",
        "TURN_BLACK": "先手番 or 後手番", "TURN_WHITE": "先手番 or 後手番",
        "MANNER": "成", "NONE": "なし", "RESERVED": "残り", "NUMERAL": "a number such as 二",
    },
    "usen": {
        "ADDRESS": "", "BASE": "a start position", "SECTION": "a section such as ~0.", "MOVES": "moves",
        "END": "a full stop and an end letter", "PARAMETERS": "",
    },
    "usi": {
        "MOVE": "a move such as 7g7f", "DROPPED": "a move such as 7g7f", "DROP": "a drop such as P*5e",
        "NUMBER": "a number of pieces in hand",
        "POSITION": "position", "STARTPOS": "startpos", "SFEN": "sfen", "MOVES_WORD": "moves",
        "ROW": "a row of the board such as ppppppppp/", "LAST_ROW": "the last row of the board",
        "SIDE_BLACK": "the side to move, b or w", "SIDE_WHITE": "the side to move, b or w",
        "NO_HAND": "- for empty hands", "HAND_PIECE": "a piece in hand such as 2P",
        "MOVE_COUNT": "the number of the move",
        "LABEL": "a label and a bar", "NUMBERS": "a number",
    },
    "western": {
        **dict.fromkeys(("MOVES", "TAKES", "DROPS"), "a sign (-, x or *)"),
        "USI_MOVE": "a move such as 7g7f", "RECAPTURE": "x", "TAKES_PIECE": "xP", "ORIGIN_TAKES": "4exP",
        "CAPITAL_SQUARE": "a square such as {square}", "ORIGIN": "where the piece comes from, such as (77)",
        "GLYPH": "a mark such as !?", "CHECK": "#", "NAG": "a mark such as $1", "COUNT": "a count such as (3)",
        "WORD": "a word", "LONG_WORD": "a word", "VARIATION": "Variation:", "FIRST_HASH": "a comment",
        "TAG_KEY": "a tag such as [Sente \"", "TAG_VALUE": "the value of the tag", "TAG_END": "the tag's end, \"]",
        "BLACK_WINS": "a result such as 1-0", "WHITE_WINS": "a result such as 1-0", "DRAWN": "a result such as 1-0",
        "OPEN": "a result such as 1-0", "LPAREN": "a variation, (",
        "TIME": "a clock such as (0:05)",
        **{f"{piece}_NAME": PIECE for piece in (
            "PAWN", "LANCE", "KNIGHT", "SILVER", "GOLD", "BISHOP", "ROOK", "KING", "TOKIN", "PLANCE", "PKNIGHT",
            "PSILVER", "HORSE", "DRAGON")},
    },
}
OWN["pgn"] = {
    **OWN["western"], "SAN": "a move such as Pc4", "ESCAPED_LINE": "a % line", "LINE_COMMENT": "a comment",
}
OWN["usi_boards"] = {**OWN["usi"], "SIGN": "+ for promotion", "ODD": ""}
OWN["western_boards"] = {
    **OWN["western"], **dict.fromkeys(("NAME", "SMALL_NAME"), PIECE), "GO": "a sign and a square such as -{square}",
    **dict.fromkeys(("MAN_AT", "MAN_FROM_TO", "MAN_TAKES", "LONG_MAN"), "a move such as P-{square}"),
    "DROP": "a drop such as *{square}", "TAKES": "x", "TAKES_THERE": "x!{square}", "TAKES_NAMED": "xP",
    **dict.fromkeys(("PASS", "PASS_ALONE"), "-- for a pass"), "TURN_BACK": "- for a man turned back",
    "LONG_NAME": "a word",
}
OWN["kif_boards"] = {
    **OWN["kif"], "MAN": PIECE, "PLY": "a move number", "ROW": "a board", "HELD": "pieces in hand such as 飛　歩二",
    "LAST": "a number such as 12", "MANNER": "", "FIRST": "一歩目", "SECOND": "二歩目",
}
OWN["ki2"] = {
    **OWN["kif"], "LEFT": "左", "RIGHT": "右", "STRAIGHT": "直", "UP": "上", "SIDEWAYS": "寄", "BACK": "引",
    "AGAIN": "同", "STOP": "a comma", "REMARK": "a remark in brackets", "STEP": "a move number", "MISTYPED": END_WORD,
}
SPELLING["usi_boards"] = SPELLING["usi"]
SPELLING["kif_boards"] = SPELLING["kif"]
SPELLING["western_boards"] = SPELLING["western"]

#: Terminals that, where all of them are expected, begin something that has a name.
WHOLES = {
    "usi": ({"MOVE", "DROPPED", "SQUARE", "DROP"}, "a move such as 7g7f"),
    "western": ({"PAWN", "PIECE", "BLACK", "WHITE", "USI_MOVE", "RECAPTURE"}, "a move such as P-7f"),
}
WHOLES["usi_boards"] = WHOLES["usi"]
WHOLES["western_boards"] = (
    {"NAME", "SMALL_NAME", "MAN_AT", "MAN_FROM_TO", "MAN_TAKES", "LONG_MAN", "BLACK", "WHITE", "USI_MOVE", "RECAPTURE",
     "PASS_ALONE"}, "a move such as P-4c")

#: Never worth mentioning: what cannot be read, and what the machine puts in itself.
SILENT = ("BAD", "UNCLOSED")

#: Terminals that are several others written without blanks: who expects them expects the first of those, too.
JOINED = frozenset(
    {f"{piece}_{how}" for piece in ("PAWN", "LANCE", "KNIGHT", "SILVER", "GOLD", "BISHOP", "ROOK", "KING", "TOKIN",
                                    "PLANCE", "PKNIGHT", "PSILVER", "HORSE", "DRAGON") for how in ("MOVE", "UP")}
    | {"WHOLE_ROW", "EVEN_ROWS"})


def phrase(notation: str, terminal: str) -> str:
    """The words for one terminal; empty for those that nobody would write on purpose.

    >>> phrase("csa", "SQUARE"), phrase("western", "SQUARE"), phrase("kif", "FILE")
    ('a square such as 76', 'a square such as 7f', 'a square such as ７六')
    """
    if terminal.startswith(SILENT) or terminal in JOINED:
        return ""
    notation = ALIASES.get(notation, notation)
    words = OWN.get(notation, {}).get(terminal, PHRASES.get(terminal))
    if words is None:  # a terminal that nobody has described yet: its name, as words
        return terminal.lower().replace("_", " ")
    return words.format_map(SPELLING.get(notation, SPELLING["western"]))


def in_words(notation: str, terminals: Iterable[str]) -> str:
    """A list of terminals as one phrase: alike ones once, the telling ones first.

    >>> in_words("csa", ["PAWN", "LANCE", "SQUARE"])
    'a square such as 76 or a piece such as FU'
    """
    names = set(terminals)
    if "NL" in names:
        names.discard("$END")
    found: dict[str, None] = {}
    beginnings, whole = WHOLES.get(ALIASES.get(notation, notation), ({""}, ""))
    if beginnings <= names:
        names = {name for name in names - beginnings if PHRASES.get(name) != PIECE}
        found = {phrase(notation, "RPAREN"): None} if "RPAREN" in names else {}
        found[whole] = None
    rank = {name: number for number, name in enumerate(PHRASES)}
    for name in sorted(names, key=lambda name: (rank.get(name, len(rank) / 2), name)):
        found[phrase(notation, name)] = None
    found.pop("", None)
    words = list(found)
    if len(words) > MOST:
        words = [*words[:MOST - 1], "something else"]
    if len(words) > 1:
        words[-2:] = [f"{words[-2]} or {words[-1]}"]
    return ", ".join(words)


def expected(notation: str, fault: Fault) -> str:
    """What could have stood where a fault is, in words; "" where nothing could."""
    return in_words(notation, fault.expected)
