"""The table of diagnostics and the type of one finding. One place words them; codes never change meaning.

Codes are grouped by their hundred: ``K1`` bytes and encodings, ``K2`` syntax, ``K3`` headers and the start position,
``K4`` moves (their names are the reasons of the command line's contract), ``K5`` the shape of a record (numbers,
variations), ``K6`` ends, results and clocks, ``K7`` mate problems, ``K9`` the machine's own limits. Each code has a
page for people, ``pages/CODE-name.md``, which ``kifu explain`` prints.

Severities depend on the mode in which a record is read (`in_mode`):

- ``default`` takes what real programs write. A tolerance is a warning; an error says that something of the game is
  lost, wrong or unknown.
- ``strict`` takes what the specification allows: every warning is an error there. Some departures that leave nothing
  to guess are looked for in this mode only (`Rule.only`).
- ``salvage`` has the severities of ``default``; it says besides how much of a broken game is sound.
"""
from __future__ import annotations

from kifu._tuples import NamedTuple

ERROR, WARNING = "error", "warning"
MODES = ("default", "strict", "salvage")
#: What the groups of codes are about, by the beginning of a code.
KINDS = {
    "K1": "bytes and encodings", "K2": "syntax", "K3": "headers and the start position", "K4": "moves",
    "K5": "the shape of a record", "K6": "ends, results and clocks", "K7": "mate problems",
    "K9": "limits of the machine",
}


def in_mode(severity: str, mode: str, name: str = "") -> str:
    """The severity that a finding has in a mode; ``name`` is that of its rule.

    >>> in_mode("warning", "default"), in_mode("warning", "strict"), in_mode("error", "salvage")
    ('warning', 'error', 'error')
    """
    return ERROR if mode == "strict" and name not in ALLOWED else severity


#: Findings that are no errors in strict mode either: what is written is as the specification has it.
ALLOWED = frozenset({"foul-not-shown"})


class Rule(NamedTuple):
    """One kind of finding: its stable code, its name, its severity in default mode, and what it says.

    ``only`` is the one mode in which it is looked for; empty where it is in all.
    """

    code: str
    name: str
    severity: str
    sentence: str
    hint: str = ""
    only: str = ""

    @property
    def severities(self) -> dict[str, str | None]:
        """The severity by mode, None for a mode in which it is not looked for.

        >>> RULES["number-jump"].severities
        {'default': 'warning', 'strict': 'error', 'salvage': 'warning'}
        """
        return {mode: in_mode(self.severity, mode, self.name) if self.only in ("", mode) else None for mode in MODES}

    @property
    def kind(self) -> str:
        """What its group is about.

        >>> RULES["nifu"].kind
        'moves'
        """
        return KINDS[self.code[:2]]

    @property
    def pattern(self) -> str:
        """The sentence before it is filled in, as a person reads it.

        >>> RULES["more-undecodable-bytes"].pattern
        '{count} more lines hold bytes that cannot be read as {encoding}'
        """
        return self.sentence.format_map(_Blanks())


class Diagnostic(NamedTuple):
    """One finding. ``offset`` counts characters of the decoded text from 0; line and column count from 1."""

    code: str
    name: str
    severity: str
    message: str
    hint: str = ""
    offset: int = -1
    end: int = -1
    line: int = 0
    column: int = 0
    ply: int | None = None

    def placed(self, line: int, column: int) -> Diagnostic:
        """The same finding with its line and column filled in."""
        return self._replace(line=line, column=column)


#: Why a move is refused, in the order in which it is tested (drops, then moves). The rules engine returns the
#: index in this tuple.
DROP_REASONS = (
    "not-in-hand", "occupied", "dead-end-drop", "nifu", "three-swallows-on-file", "check-not-answered", "self-check",
    "uchifuzume", "swallow-drop-mate", "third-occurrence",
)
MOVE_REASONS = (
    "empty-origin", "wrong-side", "wrong-piece", "own-piece", "blocked", "bad-move", "already-promoted",
    "cannot-promote", "not-in-zone", "must-promote",
)
REASONS = DROP_REASONS + MOVE_REASONS + ("ambiguous", "no-candidate", "moves-after-end")


def _rule(code: str, name: str, severity: str, sentence: str, hint: str = "", only: str = "") -> tuple[str, Rule]:
    return name, Rule(code, name, severity, sentence, hint, only)


_MOVE_SENTENCE = "{text}: {detail}"

#: Every kind of finding by its name. ``{…}`` in sentences and hints are filled in by `make`; ``{count:line|lines}``
#: is the word for one or for several, whichever the number is; of three forms the first is for none.
RULES: dict[str, Rule] = dict([
    # --- K1: bytes and encodings
    _rule("K101", "undecodable-bytes", WARNING, "{bytes}{at} cannot be read as {encoding} and was replaced",
          "if the file is in another encoding, name it with --encoding"),
    _rule("K102", "encoding-mismatch", WARNING, "the file says it is {declared}, but it is {encoding}",
          "correct the declaration in the first line"),
    _rule("K103", "stray-character", WARNING, "{what} was left out"),
    _rule("K104", "more-undecodable-bytes", WARNING,
          "{count} more {count:line holds|lines hold} bytes that cannot be read as {encoding}",
          "if the file is in another encoding, name it with --encoding"),
    _rule("K105", "mixed-encodings", WARNING, "this line is {other} in a file that is {encoding} otherwise",
          "save the whole file in one encoding"),
    _rule("K106", "nul-characters", WARNING,
          "{count} NUL {count:character stands|characters stand} in the text, the first here",
          "the file was probably damaged when it was copied or saved"),
    _rule("K107", "binary-file", ERROR, "this is no text: the file is binary",
          "name a file of packed positions with --from psv or --from hcpe"),
    _rule("K108", "unknown-encoding", WARNING, "the file declares the encoding {declared}, which does not exist; "
          "it was read as {encoding}", "UTF-8 and Shift_JIS are usual"),
    # --- K2: syntax
    _rule("K201", "unknown-line", WARNING, "this is no {notation} statement: {text}", "the line is ignored"),
    _rule("K202", "syntax-error", WARNING, "{text} was not expected here; expected {expected}", "the line is ignored"),
    _rule("K203", "unreadable-move", ERROR, "a move that cannot be read: {text}; expected {expected}",
          "what follows it in this line of play is not replayed"),
    _rule("K204", "no-game", ERROR, "there is no game here: {why}", "kifu detect -v shows what was looked for"),
    _rule("K205", "unclosed-bracket", WARNING, "a bracket is not closed: {text}", "close it where it should end"),
    _rule("K206", "unknown-notation", ERROR, "the notation was not recognised",
          "name it with --from; kifu detect -v shows what was looked for"),
    _rule("K207", "text-ignored", WARNING, "{text} is no part of the game and was ignored"),
    _rule("K208", "unknown-variant", ERROR, "the kind of shogi of this record is not known: {text}",
          "name it with --variant; kifu variants lists all that can be read"),
    _rule("K240", "server-log", WARNING, "{text} is a line of the server protocol, no CSA statement",
          "the log is read as the record of its game"),
    _rule("K241", "lower-case", WARNING, "{text} is in lower case; CSA is written in upper case"),
    _rule("K242", "indented", WARNING, "blanks stand before a statement"),
    _rule("K243", "loose-row", WARNING, "{text}: empty squares are not marked; the row was read by its columns"),
    _rule("K220", "json-syntax", ERROR, "this is no JSON: {why}", "mend the JSON at this place"),
    _rule("K221", "json-shape", ERROR, "{path} is not as JKF has it: {why}", "this part is left out"),
    _rule("K222", "json-too-deep", ERROR, "the JSON is nested deeper than can be read",
          "write a fork as a list of moves under the move that it replaces"),
    _rule("K223", "json-unknown-key", WARNING, "{path} is no key of JKF", "it is not kept"),
    _rule("K224", "jkf-first-node", WARNING, "{path} holds a move; the first node is for the start position",
          "put an empty node before it"),
    _rule("K225", "jkf-contradiction", WARNING, "{path} says {said}, but {found}", "the position is believed"),
    _rule("K226", "json-key-twice", WARNING, "{path} is given twice in one object", "the last one was kept"),
    _rule("K210", "handicap-in-text", WARNING, "the handicap is taken from the words before the game: {text}",
          "a tag such as [Handicap \"6-piece\"] names it for certain"),
    # --- K3: headers and the start position
    _rule("K301", "unknown-handicap", ERROR, "no handicap is called {text}, and no board is given",
          "name it with --handicap, or add a board diagram"),
    _rule("K302", "handicap-and-board", WARNING, "the handicap {text} and the board disagree; the board is used"),
    _rule("K303", "bad-board", ERROR, "the start position cannot be used: {detail}",
          "mend the board; without it no move can be checked"),
    _rule("K304", "missing-turn", WARNING, "no line says whose turn it is; Black is taken to move",
          "write + or - behind the position"),
    _rule("K305", "position-twice", ERROR, "the start position is given twice", "only the first one is used"),
    _rule("K306", "three-piece-lance", WARNING,
          "三枚落ち is read with the lance on 1a missing: with the one on 9a missing the game is not legal"),
    _rule("K307", "handicap-unnamed", ERROR, "White moves first, and no handicap is named",
          "name it with --handicap; in an even game Black moves first"),
    _rule("K309", "missing-position", WARNING, "no start position is given; the even one is used",
          "write PI for the even start"),
    _rule("K315", "box-left-out", WARNING, "the men that neither side has are not listed",
          "an old writer left them out; the position was read without them"),
    _rule("K310", "no-diagram", ERROR, "there is no board diagram here",
          "name the notation with --from if the file is no diagram"),
    _rule("K311", "last-move-mismatch", WARNING, "{text} is given as the move before the diagram, but its piece does "
          "not stand there", "the diagram is believed"),
    _rule("K312", "last-move-turn", WARNING, "{text} is given as the move before the diagram, a move of {side}, who is "
          "to move again", "the diagram is believed"),
    _rule("K313", "surplus-pieces", WARNING, "the start position has more pieces than a set: {detail}"),
    _rule("K316", "bad-entry", ERROR, "this entry cannot be read: {why}",
          "the place is the number of the entry"),
    # --- K4: moves (K405, K409 and K410 are reasons that tori shogi alone knows)
    _rule("K401", "not-in-hand", ERROR, _MOVE_SENTENCE),
    _rule("K402", "occupied", ERROR, _MOVE_SENTENCE),
    _rule("K403", "dead-end-drop", ERROR, _MOVE_SENTENCE),
    _rule("K404", "nifu", ERROR, _MOVE_SENTENCE, "a second unpromoted pawn may not be dropped on a file (nifu)"),
    _rule("K405", "three-swallows-on-file", ERROR, _MOVE_SENTENCE),
    _rule("K406", "check-not-answered", ERROR, _MOVE_SENTENCE),
    _rule("K407", "self-check", ERROR, _MOVE_SENTENCE, "the king may not be left or put where it can be taken"),
    _rule("K408", "uchifuzume", ERROR, _MOVE_SENTENCE),
    _rule("K409", "swallow-drop-mate", ERROR, _MOVE_SENTENCE),
    _rule("K410", "third-occurrence", ERROR, _MOVE_SENTENCE),
    _rule("K411", "empty-origin", ERROR, _MOVE_SENTENCE, "correct the square; or an earlier move is missing"),
    _rule("K412", "wrong-side", ERROR, _MOVE_SENTENCE),
    _rule("K413", "wrong-piece", ERROR, _MOVE_SENTENCE,
          "correct the piece or the square; or an earlier move is missing"),
    _rule("K414", "own-piece", ERROR, _MOVE_SENTENCE, "correct the square; or an earlier move is missing"),
    _rule("K415", "blocked", ERROR, _MOVE_SENTENCE,
          "only a knight leaps; correct the squares, or look for a move that is missing before"),
    _rule("K416", "bad-move", ERROR, _MOVE_SENTENCE, "correct the squares; or an earlier move is missing"),
    _rule("K417", "already-promoted", ERROR, _MOVE_SENTENCE),
    _rule("K418", "cannot-promote", ERROR, _MOVE_SENTENCE),
    _rule("K419", "not-in-zone", ERROR, _MOVE_SENTENCE),
    _rule("K420", "must-promote", ERROR, _MOVE_SENTENCE),
    _rule("K421", "ambiguous", ERROR, _MOVE_SENTENCE),
    _rule("K422", "no-candidate", ERROR, _MOVE_SENTENCE,
          "correct the piece or the square; or an earlier move is missing"),
    _rule("K430", "side-sign", WARNING, "{text}: the sign names the other side; {side} is to move"),
    _rule("K431", "capture-mark", WARNING, "{text}: {detail}; the board was believed"),
    _rule("K432", "promotion-supplied", WARNING, "{text}: the piece must promote here; the missing mark was supplied"),
    _rule("K433", "origin-supplied", WARNING, "{text}: no origin is written; only {origin} can be meant"),
    _rule("K434", "resolved-by-legality", WARNING,
          "{text}: several pieces could be meant; only the one on {origin} may move"),
    _rule("K436", "decline-written", WARNING, "{text}: 不成 is not written in KIF"),
    _rule("K437", "gap-in-move", WARNING, "{text}: blanks stand inside the move"),
    _rule("K438", "glued-moves", ERROR, "{text}: nothing separates this from the move before",
          "a + that belongs to the move before needs a blank behind it"),
    _rule("K441", "same-square", WARNING, "{text}: 同 is written, but the move before did not go to {square}"),
    _rule("K450", "mixed-squares", WARNING, "{text}: squares with letters (7f) and in digits (76) stand in one game"),
    _rule("K451", "capital-rank", WARNING, "{text}: the rank is a small letter in this notation"),
    _rule("K452", "check-marked", WARNING, "{text}: check and mate are not marked in shogi notation"),
    _rule("K453", "taken-unclear", ERROR, "{text}: {detail}", "name the square where the piece is taken"),
    _rule("K454", "promotion-or-check", WARNING, "{text}: the + may mean promotion or check; promotion was assumed"),
    _rule("K455", "small-piece", WARNING, "{text}: the piece is a capital letter in this notation"),
    # --- K5: the shape of a record
    _rule("K501", "number-jump", WARNING, "move number {number} stands where {expected} is due",
          "a line may be missing"),
    _rule("K502", "variation-beyond-line", ERROR, "a variation at move {number}, but no line before it is that long",
          "check the number behind 変化, and whether moves before it are missing"),
    _rule("K503", "variation-order", WARNING, "the variation at move {number} belongs to an earlier line, not to the "
          "one before it"),
    _rule("K504", "moves-after-end", ERROR, "moves stand after the end of the game: {text}",
          "they are not replayed"),
    _rule("K505", "branch-repeated", WARNING, "the variation begins with the same move as another line there; "
          "they were joined", "comments stay with the move; of two clocks the first one counts"),
    _rule("K506", "variation-unnumbered", WARNING, "a variation without a number, before any move, was ignored"),
    _rule("K507", "next-game-unmarked", WARNING, "move number 1 again, behind an end: another game begins here",
          "a blank header line such as 手合割：平手 before it would say so"),
    _rule("K509", "bookmark-repeated", WARNING, "a second bookmark at the same move: {text}", "both are kept as one"),
    _rule("K510", "salvaged", WARNING, "what is sound: {plies} {plies:move|moves} of the main line"
          "{variations:| and {whole} of 1 variation| and {whole} of {variations} variations}; the rest is left out",
          only="salvage"),
    _rule("K511", "unspecified-spelling", WARNING, "{text} is not how the specification writes it", only="strict"),
    _rule("K512", "variation-unplaced", ERROR, "a variation that does not say at which move it begins: {text}",
          "it is not replayed"),
    # --- K6: ends, results, clocks
    _rule("K601", "result-conflict", WARNING, "the record says {first} and {second}"),
    _rule("K602", "result-count", WARNING,
          "the record says {said} {said:move|moves}, {played} {played:was|were} played",
          "a line may be missing"),
    _rule("K603", "unknown-end", WARNING, "no end is called {text}", "it is kept as written"),
    _rule("K604", "stray-clock", WARNING, "a clock that belongs to no move: {text}", "it is not kept"),
    _rule("K605", "negative-clock", WARNING, "a clock cannot run backwards: {text}", "no time is kept for the move"),
    _rule("K606", "end-repeated", WARNING, "the end is written a second time: {text}"),
    _rule("K607", "foreign-end", WARNING, "{text} is a word of the server protocol, no CSA statement",
          "it was read as the end"),
    _rule("K608", "no-turn-after", WARNING, "{text} says once more whose turn it is and was ignored"),
    _rule("K609", "bad-clock", WARNING, "a clock that cannot be read: {text}", "no time is kept for the move"),
    _rule("K610", "foul-is-legal", WARNING, "the record calls {text} an illegal move, but it is legal"),
    # claims of the record against what its moves prove
    _rule("K611", "mate-unproven", WARNING, "the record says checkmate, but {side} {can} {move}",
          "moves may be missing, or the game ended in another way"),
    _rule("K612", "repetition-unproven", WARNING, "the record says repetition, but {why}",
          "a game is drawn by repetition when a position stands for the fourth time, the start counted"),
    _rule("K613", "perpetual-check-unproven", WARNING, "the record says perpetual check, but {why}",
          "it is one when a position stands for the fourth time and every move of one side in between gave check"),
    _rule("K614", "declaration-failed", WARNING, "the record says that {side} won by declaration, but by "
          "{rule} it fails: {why}", "a declaration that fails loses; --rules chooses another rule"),
    _rule("K615", "impasse-unproven", WARNING, "the record says impasse, but {why}",
          "some programs write 持将棋 for every draw"),
    _rule("K616", "end-conflict", WARNING, "the record says {claimed}, the moves prove {proven}",
          "both are kept: end and winner, verified_end and verified_winner"),
    _rule("K617", "foul-not-shown", WARNING, "the record says that {side} lost by an illegal move, but {why}",
          "the illegal move was not written down"),
    _rule("K618", "limit-not-reached", WARNING, "the record says that the limit of moves ended the game; it is "
          "{limit}, and {played} {played:was|were} played"),
    _rule("K619", "beyond-limit", WARNING, "{plies} {plies:move was|moves were} played where the limit is {limit}",
          "the game was drawn before this move"),
    _rule("K620", "played-on", WARNING, "{why}; the game was {result}, but moves follow"),
    _rule("K621", "time-exceeded", WARNING, "{side} used {used} for this move and had {left} ({control})"),
    _rule("K622", "timeout-unproven", WARNING, "the record says that {side} ran out of time after {used}, but it had "
          "{left}"),
    _rule("K623", "winner-to-move", WARNING, "{side} is to move and is said to have won {how}, which only its opponent "
          "can do here", "a move may be missing, or the result names the wrong side"),
    _rule("K630", "clock-total", WARNING, "{text}: the total is {told}, but the thoughts add up to {due}",
          "the thought for the move is believed"),
    # --- K7: mate problems (`kifu solve`)
    _rule("K701", "second-solution", ERROR, "{text} at move {number} mates as well, in {plies} {plies:move|moves} in "
          "all", "a problem has one solution; only the last move is free"),
    _rule("K702", "men-left", ERROR, "{men} left in the attacker's hand at the end of the main line",
          "a problem uses up what the attacker holds"),
    _rule("K703", "no-mate", ERROR, "there is no mate: the defender escapes or checks run out, whatever is played",
          "compare the position with its source: a man may be missing or stand elsewhere"),
    _rule("K704", "mate-not-found", ERROR, "no mate was found before {limit} was hit"
          "{searched:; one may exist|; none is as short as 1 move, a longer one may exist"
          "|; none is as short as {searched} moves, a longer one may exist}", "raise --depth, --time or --nodes"),
    _rule("K705", "no-problem", ERROR, "this is no mate problem: {why}",
          "the side to move must be able to attack a king that is not in check already"),
    _rule("K706", "hand-filled", WARNING, "{side} holds all men that are nowhere else; added to the hand: {men}"),
    _rule("K707", "longer-line", WARNING, "the longest line, of {plies} {plies:move|moves}, leaves {men} in hand; this "
          "one is two moves shorter and leaves nothing: {shorter}"),
    _rule("K708", "promotion-choice", WARNING, "{text} at move {number} mates as well, in {plies} "
          "{plies:move|moves} in all: promotion is a free choice"),
    _rule("K709", "drop-square-choice", WARNING, "{text} at move {number} mates as well, in {plies} "
          "{plies:move|moves} in all: the square of the drop is a free choice"),
    _rule("K710", "soundness-undecided", ERROR, "whether there is a second solution was not settled before {limit} was "
          "hit{checked:|; none is as short as 1 move|; none is as short as {checked} moves}",
          "raise --time or --nodes"),
    _rule("K711", "solution-wrong", ERROR, "move {number} of the record's solution is wrong: {why}",
          "each move of the attacker gives check and keeps the mate"),
    _rule("K712", "solution-longer", ERROR, "move {number} of the record's solution mates {by} {by:move|moves} later "
          "than need be", "the attacker takes the shortest mate"),
    _rule("K713", "solution-shorter", ERROR, "with move {number} of the record's solution the defender is mated {by} "
          "{by:move|moves} sooner than need be", "the defender holds out as long as possible"),
    _rule("K714", "solution-unfinished", ERROR, "the record's solution stops at move {number}, {by} {by:move|moves} "
          "before the mate", "write the moves up to the mate"),
    # --- K9: the machine's own limits
    _rule("K901", "unreadable-file", ERROR, "the file cannot be read: {why}",
          "look whether it is whole and may be read"),
    _rule("K902", "too-large", ERROR, "{what} is larger than {limit}",
          "unpack it yourself and name what it holds"),
    _rule("K904", "more-of-the-same", WARNING, "{count} more {count:finding is|findings are} called {name}"),
    _rule("K903", "internal-error", ERROR, "kifu failed on this input: {why}",
          "please report it with the file; KIFU_DEBUG=1 shows the details"),
    _rule("K905", "encrypted", ERROR, "a password protects this", "unpack it with the password and name what it holds"),
    _rule("K906", "nested-archive", ERROR, "an archive in an archive in an archive is not read",
          "unpack the outer one"),
])


#: A hint where there are more moves than numbers.
DOUBLED = "a line may be there twice"


def make(rule_name: str, offset: int = -1, end: int = -1, ply: int | None = None, *, hint: str | None = None,
         severity: str | None = None, **fields: object) -> Diagnostic:
    """One finding of the table, its sentence filled in.

    >>> make("number-jump", 120, number=4, expected=3).message
    'move number 4 stands where 3 is due'
    >>> make("result-count", said=5, played=1).message
    'the record says 5 moves, 1 was played'
    """
    rule = RULES[rule_name]
    words = {key: shorten(value) if isinstance(value, str) else _Number(value) if isinstance(value, int) else value
             for key, value in fields.items()}
    return Diagnostic(rule.code, rule.name, severity or rule.severity, rule.sentence.format_map(words),
                      rule.hint.format_map(words) if hint is None else hint, offset, end, 0, 0, ply)


class _Number(int):
    """A number in a sentence: ``{count}`` is its digits, ``{count:is|are}`` the word that agrees with it.

    >>> "{0}{0:| man| men}".format(_Number(0)), "{0}{0:| man| men}".format(_Number(1))
    ('0', '1 man')
    """

    def __format__(self, spec: str) -> str:
        forms = spec.split("|")
        if len(forms) == 1:
            return int.__format__(self, spec)
        return forms[0] if self == 0 and len(forms) > 2 else forms[-2] if self == 1 else forms[-1]


class _Blanks(dict[str, "_Blank"]):
    """Stands for the fields of a sentence that is shown before they are known."""

    def __missing__(self, key: str) -> _Blank:
        return _Blank(key)


class _Blank(str):
    """A field that is not known: its name in braces; where it asks for a word, that for several."""

    def __format__(self, spec: str) -> str:
        return spec.split("|")[-1] or "{" + self + "}"


def shorten(text: str, limit: int = 200) -> str:
    """A text fit for one line of a message: control characters made visible, a long one cut with an ellipsis."""
    if len(text) > limit:
        text = text[:limit - 1] + "…"
    return "".join(char if char.isprintable() or char == "\u3000" else f"\\x{ord(char):02x}" for char in text)
