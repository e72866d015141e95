"""The vocabulary of ends and results, once, for all notations.

An end is what a record claims after its last move. Its reason is one of `REASONS`; who won follows from the reason, the
side to move and, for fouls, the offender. Source: FORMATS, section 11 of the project's reference, drawn from the
specifications of CSA and KIF and from what programs write.
"""
from __future__ import annotations

from kifu._tuples import NamedTuple

BLACK, WHITE, DRAW, NONE, UNKNOWN = "black", "white", "draw", "none", "unknown"
SIDES = (BLACK, WHITE)


class End(NamedTuple):
    """What a record says of its end: reason, winner, who broke a rule, the words as written and the time they took.

    ``winner`` is one of ``black white draw none unknown``; ``none`` is no result by design (interrupted, sealed).
    """

    reason: str
    winner: str
    offender: str | None = None
    raw: str = ""
    offset: int = -1
    milliseconds: int | None = None


#: reason -> who wins: ``mover`` is the side to move, ``other`` its opponent, else the result itself.
WINNERS = {
    "resign": "other", "checkmate": "other", "no_mate": NONE, "timeout": "other", "illegal": "other",
    "declaration": "mover", "impasse": DRAW, "repetition": DRAW, "perpetual_check": UNKNOWN, "max_moves": DRAW,
    "draw": DRAW, "interrupted": NONE, "sealed": NONE, "forfeit": UNKNOWN, "try_rule": "mover", "abandoned": UNKNOWN,
    "takeback": NONE, "error": UNKNOWN, "other": UNKNOWN,
}
REASONS = tuple(WINNERS)

#: CSA words without the percent sign -> (reason, who wins or None for the rule of `WINNERS`, offender).
CSA_WORDS: dict[str, tuple[str, str | None, str | None]] = {
    "TORYO": ("resign", None, None), "CHUDAN": ("interrupted", None, None),
    "SENNICHITE": ("repetition", None, None), "TIME_UP": ("timeout", None, None),
    "ILLEGAL_MOVE": ("illegal", "other", "mover"),
    "+ILLEGAL_ACTION": ("illegal", WHITE, BLACK), "-ILLEGAL_ACTION": ("illegal", BLACK, WHITE),
    "JISHOGI": ("impasse", None, None), "KACHI": ("declaration", None, None), "HIKIWAKE": ("draw", None, None),
    "MAX_MOVES": ("max_moves", None, None), "MATTA": ("takeback", None, None), "TSUMI": ("checkmate", None, None),
    "FUZUMI": ("no_mate", None, None), "ERROR": ("error", None, None),
    "OUTE_SENNICHITE": ("perpetual_check", None, None),
}
#: Words of the CSA server protocol that client logs hold in place of a % line.
SERVER_WORDS: dict[str, tuple[str, str | None, str | None]] = {
    "RESIGN": ("resign", None, None), "TIME_UP": ("timeout", None, None),
    "ILLEGAL_MOVE": ("illegal", "other", "mover"), "SENNICHITE": ("repetition", None, None),
    "OUTE_SENNICHITE": ("perpetual_check", None, None), "JISHOGI": ("declaration", None, None),
    "MAX_MOVES": ("max_moves", None, None), "CHUDAN": ("interrupted", None, None),
}
#: Words with which servers say who won, behind or in place of one that says why: the result itself, or ``you`` and
#: ``they``, seen from the client whose log it is.
OUTCOME_WORDS = {"SENTE_WIN": BLACK, "GOTE_WIN": WHITE, "DRAW": DRAW, "CENSORED": DRAW, "WIN": "you",
                 "LOSE": "they"}


class Summary(NamedTuple):
    """One kind of ``'summary:`` line with which shogi-server closes a game.

    ``reason`` is how the game ended; ``said`` are the reasons that the % line before it may give for the same end
    (shogi-server writes %TORYO for a lost connection and %KACHI for a declaration that failed). Where the winner is the
    one that such a % line names, ``same`` is true.
    """

    reason: str
    said: frozenset[str]
    same: bool = False


def _foul(*said: str) -> Summary:
    return Summary("illegal", frozenset({"illegal", *said}))


#: The kinds of `Summary` by the word behind ``'summary:``. Source: `league/game_result.rb` of shogi-server.
SUMMARIES = {
    "toryo": Summary("resign", frozenset({"resign"}), same=True),
    "abnormal": Summary("abandoned", frozenset({"resign", "abandoned", "interrupted"})),
    "time up": Summary("timeout", frozenset({"timeout"}), same=True),
    "kachi": Summary("declaration", frozenset({"declaration"}), same=True),
    "illegal kachi": _foul("declaration"),
    "sennichite": Summary("repetition", frozenset({"repetition"}), same=True),
    "oute_sennichite": Summary("perpetual_check", frozenset({"perpetual_check", "illegal"})),
    "max_moves": Summary("max_moves", frozenset({"max_moves", "impasse", "draw"})),
    "illegal move": _foul(), "uchifuzume": _foul(), "oute_kaihimore": _foul(), "outori": _foul(),
}
#: KIF end words -> the same triple. 反則勝ち: the side to move wins because the last move broke a rule.
KIF_WORDS: dict[str, tuple[str, str | None, str | None]] = {
    "投了": ("resign", None, None), "中断": ("interrupted", None, None), "千日手": ("repetition", None, None),
    "持将棋": ("impasse", None, None), "詰み": ("checkmate", None, None), "詰": ("checkmate", None, None),
    "不詰": ("no_mate", None, None), "不詰み": ("no_mate", None, None),
    "切れ負け": ("timeout", None, None), "時間切れ": ("timeout", None, None), "Time-up": ("timeout", None, None),
    "反則勝ち": ("illegal", "mover", "other"), "反則勝": ("illegal", "mover", "other"),
    "反則負け": ("illegal", "other", "mover"), "反則負": ("illegal", "other", "mover"),
    "入玉勝ち": ("declaration", None, None), "入玉勝": ("declaration", None, None),
    "入玉宣言": ("declaration", None, None),
    "不戦勝": ("forfeit", "mover", None), "不戦敗": ("forfeit", "other", None),
    "封じ手": ("sealed", None, None), "最大手数": ("max_moves", None, None),
    "引き分け": ("draw", None, None), "引分け": ("draw", None, None), "引分": ("draw", None, None),
    "引き分": ("draw", None, None), "トライ": ("try_rule", None, None), "王手千日手": ("perpetual_check", None, None),
}
#: USI words of move lists.
USI_WORDS: dict[str, tuple[str, str | None, str | None]] = {
    "resign": ("resign", None, None), "win": ("declaration", None, None), "rep_draw": ("repetition", None, None),
    "draw": ("draw", None, None), "timeout": ("timeout", None, None), "time_up": ("timeout", None, None),
    "break": ("interrupted", None, None),
}
#: End letters of USEN. `j` stands for every draw, `p` for whatever has no letter of its own.
USEN_WORDS: dict[str, tuple[str, str | None, str | None]] = {
    "r": ("resign", None, None), "t": ("timeout", None, None), "j": ("impasse", None, None),
    "p": ("interrupted", None, None),
}
#: End words of western move text, lower case, blanks and the ending of `resigns` taken off.
WESTERN_WORDS: dict[str, tuple[str, str | None, str | None]] = {
    "resign": ("resign", None, None), "blackresign": ("resign", WHITE, None), "senteresign": ("resign", WHITE, None),
    "whiteresign": ("resign", BLACK, None), "goteresign": ("resign", BLACK, None),
    "mate": ("checkmate", None, None), "checkmate": ("checkmate", None, None), "timeup": ("timeout", None, None),
    "jishogi": ("impasse", None, None), "sennichite": ("repetition", None, None),
    "repetitiondraw": ("repetition", None, None), "repetitionwin": ("perpetual_check", None, None),
    "interrupt": ("interrupted", None, None), "declarationwin": ("declaration", None, None),
    "maxmovesdraw": ("max_moves", None, None), "illegalmove": ("illegal", "other", "mover"),
}

#: What 81Dojo writes as a comment on an illegal move that ended the game, and nothing else of the end.
FOUL_REMARK = "反則手にて終局"

#: reason -> the word a writer uses. Where a notation has no word of its own the nearest one stands here; `exact`
#: tells which those are.
CSA_WRITE = {
    "resign": "%TORYO", "checkmate": "%TSUMI", "no_mate": "%FUZUMI", "timeout": "%TIME_UP",
    "declaration": "%KACHI", "impasse": "%JISHOGI", "repetition": "%SENNICHITE", "max_moves": "%MAX_MOVES",
    "draw": "%HIKIWAKE", "interrupted": "%CHUDAN", "sealed": "%CHUDAN", "takeback": "%MATTA", "error": "%ERROR",
    "forfeit": "%CHUDAN", "try_rule": "%KACHI",
}
KIF_WRITE = {
    "resign": "投了", "checkmate": "詰み", "no_mate": "不詰", "timeout": "切れ負け", "declaration": "入玉勝ち",
    "impasse": "持将棋", "repetition": "千日手", "max_moves": "最大手数", "draw": "引き分け", "interrupted": "中断",
    "sealed": "封じ手", "try_rule": "トライ", "perpetual_check": "王手千日手",
}
USI_WRITE = {
    "resign": "resign", "declaration": "win", "repetition": "rep_draw", "draw": "draw", "timeout": "timeout",
    "interrupted": "break",
}
USEN_WRITE = {
    "resign": "r", "timeout": "t", "impasse": "j", "repetition": "j", "draw": "j", "max_moves": "j", "interrupted": "p",
}
WESTERN_WRITE = {
    "resign": "Resigns", "checkmate": "Mate", "timeout": "Timeup", "impasse": "Jishogi", "repetition": "Sennichite",
    "interrupted": "Interrupt", "declaration": "DeclarationWin", "max_moves": "MaxMovesDraw",
}
#: Ends whose word in the notation means something else as well.
INEXACT = {
    "csa": frozenset({"sealed", "forfeit", "try_rule", "perpetual_check", "abandoned", "other"}),
    "kif": frozenset({"takeback", "error", "abandoned", "other"}),
    "usi": frozenset(set(WINNERS) - set(USI_WRITE)),
    "usen": frozenset(set(WINNERS) - {"resign", "timeout", "impasse", "interrupted"}),
    "western": frozenset(set(WINNERS) - set(WESTERN_WRITE)),
}


_OTHER = ("other", None, None)
#: `End` itself would look through its defaults, which costs as much as all else that `claim` does.
_made = tuple.__new__


def western_word(raw: str) -> str:
    """A word of western text as `WESTERN_WORDS` has it: small letters, no blanks, `resign` for `Resigns.`.

    >>> western_word("Black resigned"), western_word("Time up")
    ('blackresign', 'timeup')
    """
    word = "".join(raw.lower().split()).rstrip(".")
    return word.removesuffix("s").removesuffix("ed") if "resign" in word else word


def claim(words: dict[str, tuple[str, str | None, str | None]], word: str, mover: str, raw: str = "",
          offset: int = -1, milliseconds: int | None = None) -> End:
    """The end a word claims when ``mover`` is to move. An unknown word is the end ``other``, kept as written.

    >>> claim(KIF_WORDS, "投了", "black").winner
    'white'
    """
    reason, winner, offender = words.get(word, _OTHER)
    winner = winner or WINNERS[reason]
    if winner == "other":  # as `side` has it; this runs once a game
        winner = WHITE if mover == BLACK else BLACK
    elif winner == "mover":
        winner = mover
    if offender is not None:
        offender = side(offender, mover)
    return _made(End, (reason, winner, offender, raw or word, offset, milliseconds))


def misleads(end: End, mover: str) -> bool:
    """Whether a word for an end would name the wrong winner, since of the reason alone ``mover`` lost or won.

    >>> misleads(End("resign", "black"), "black"), misleads(End("resign", "white"), "black")
    (True, False)
    """
    return end.reason in _BY_MOVER and end.winner in SIDES and end.winner != side(WINNERS[end.reason], mover)


def csa_word(end: End, mover: str) -> str:
    """The % word of CSA for an end when ``mover`` is to move; "" where it has none.

    A foul of the side to move is not on the record, one of the other side is its last move.

    >>> csa_word(End("illegal", "white", "black"), "black"), csa_word(End("illegal", "white", "black"), "white")
    ('%ILLEGAL_MOVE', '%+ILLEGAL_ACTION')
    """
    if end.reason in ("illegal", "perpetual_check"):
        offender = end.offender or (opponent(end.winner) if end.winner in SIDES else None)
        if offender == mover:
            return "%ILLEGAL_MOVE"
        return {BLACK: "%+ILLEGAL_ACTION", WHITE: "%-ILLEGAL_ACTION"}.get(offender or "", "%ERROR")
    if end.reason == "declaration" and end.winner != mover:
        return "%ILLEGAL_MOVE"  # a declaration that failed
    return CSA_WRITE.get(end.reason, "")


_BY_MOVER = frozenset({"resign", "timeout", "checkmate"})


def failed_declaration(end: End) -> bool:
    """Whether a record says that somebody lost because a declaration failed, as shogi-server does in its summary."""
    return end.reason == "illegal" and end.raw.removeprefix("'").startswith("summary:illegal kachi:")


def side(role: str, mover: str) -> str:
    """``mover`` and ``other`` as a colour, anything else as it is."""
    if role == "mover":
        return mover
    if role == "other":
        return opponent(mover)
    return role


def opponent(colour: str) -> str:
    """The other side."""
    return WHITE if colour == BLACK else BLACK
