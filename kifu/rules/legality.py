"""Why a move was refused, in words: the sentence and the hint of its diagnostic, with what a person needs to act.

The reason itself comes from the resolver; here the position is looked at again to name squares and men: where the
other pawn stands, which man gives check, what could have been meant.
"""
from __future__ import annotations

from collections.abc import Callable

from kifu import movetext as text
from kifu.diagnostics import REASONS
from kifu.movetext import KIND_FIELD, PROMOTED
from kifu.rules.move import square_name
from kifu.rules.position import Position
from kifu.rules.ruleset import EACH_CAPTURE, EITHER_FACE, HOP, ON_ENTRY, STARTER_VARIES

COLOURS = ("Black", "White")
Words = tuple[str, str]


def sentence(position: Position, movetext: int, reason: int | str, repetition: str | None = None) -> Words:
    """The message and the hint (may be empty) for a move text that was refused in this position for this reason.

    The reason is its index in `kifu.diagnostics.REASONS` or its name; the position is the one before the move.
    ``repetition`` is the reading of repetition, by default that of the kind of shogi.
    """
    name = REASONS[reason] if isinstance(reason, int) else reason
    case = Case(position, movetext, repetition or position.rules.repetition[0])
    words = _WORDS.get(name)
    if words is None:
        raise ValueError(f"{name!r} is no reason to refuse a move")
    if case.to < 0 and name in ("no-candidate", "bad-move"):
        return case.without_target()
    return words(case)


class Case:
    """A refused move text with what the position says about it; -1 and 0 stand for what is not there."""

    def __init__(self, position: Position, movetext: int, repetition: str) -> None:
        rules = position.rules
        self.position, self.movetext, self.rules, self.repetition = position, movetext, rules, repetition
        self.king = next((kind.name for kind in rules.kinds if kind.royal), "king")
        self.side, self.other = COLOURS[position.turn], COLOURS[1 - position.turn]
        self.named = text.piece(movetext)
        self.drop = bool(movetext & text.DROP)
        self.to = self._square(text.target(movetext))
        if text.target(movetext)[0] == 0:
            self.to = position.last_target
        self.origin = self._square(text.origin(movetext))
        self.from_named = text.origin(movetext)[0] != 0
        self.standing = self.man(self.origin)
        self.candidates: list[int] = []
        if not self.drop and not self.from_named and self.named and self.to >= 0:
            self.candidates = position.reaching(self.named, self.to)
            if self.candidates:
                self.origin = next((square for square in self.candidates
                                    if position.exposer(square, self.to, self.named) >= 0), self.candidates[0])
                self.standing = self.man(self.origin)
            else:  # KIF and KI2: a drop, if the text allows that
                self.drop = bool(movetext & text.DROP_IF_NONE)
        self.piece = self.named if self.drop else self.standing & 63 or self.named

    def _square(self, place: tuple[int, int]) -> int:
        file, rank = place
        if 1 <= file <= self.rules.files and 1 <= rank <= self.rules.ranks:
            return (file - 1) * self.rules.ranks + rank - 1
        return -1

    # -- small words -----------------------------------------------------------------------------------------------

    def at(self, square: int) -> str:
        """A square's name."""
        return square_name(square, self.rules.ranks) if square >= 0 else "no square"

    def man(self, square: int) -> int:
        """What stands on a square, 0 for nothing or no square."""
        return self.position.man(square) if square >= 0 else 0

    def name(self, piece: int) -> str:
        """A piece's name."""
        return self.rules.piece_name(piece & 63)

    def a(self, piece: int) -> str:
        """A piece's name with its article."""
        name = self.name(piece)
        return f"an {name}" if name[0] in "aeiou" else f"a {name}"

    def owner(self, value: int) -> str:
        """Whose man it is."""
        return COLOURS[value >> 6]

    def list_of(self, squares: list[int]) -> str:
        """Squares in a row: ``4i and 6i``."""
        names = sorted(self.at(square) for square in squares)
        return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]

    def squares_of(self, piece: int) -> list[int]:
        """Where the side to move has such men."""
        value = self.position.turn << 6 | piece
        return [square for square in range(self.rules.files * self.rules.ranks) if self.man(square) == value]

    def could_reach(self) -> str:
        """A hint: the men that could go to the target, of the kind named if one is named."""
        if self.to < 0 or self._own(self.to):
            return ""
        pieces = [self.named] if self.named else list(self.rules.pieces)
        if self.movetext & text.PIECE_AFTER and self.named & PROMOTED:
            pieces.append(self.named & KIND_FIELD)
        found = [f"the {self.name(piece)} on {self.at(square)}"
                 for piece in pieces for square in self.position.reaching(piece, self.to)]
        return f"{', '.join(found)} could go to {self.at(self.to)}" if found else ""

    def _own(self, square: int) -> bool:
        value = self.man(square)
        return bool(value) and value >> 6 == self.position.turn

    def hand(self) -> str:
        """What the side to move has in hand."""
        held = []
        for kind in self.rules.kinds:
            count = self.position.hand(self.position.turn, kind.number)
            if count:
                held.append(f"{count} {kind.name}s" if count > 1 else kind.name)
        return ", ".join(reversed(held)) or "nothing"

    def moved(self) -> str:
        """The move in words: ``the rook from 2h to 2d``."""
        if self.drop or self.origin < 0:
            return f"the {self.name(self.piece)} dropped on {self.at(self.to)}"
        return f"the {self.name(self.piece)} from {self.at(self.origin)} to {self.at(self.to)}"

    # -- the reasons -----------------------------------------------------------------------------------------------

    def without_target(self) -> Words:
        if text.target(self.movetext)[0] == 0:
            return "the text names no square to go to, and no move before it has one", "write the square"
        return (f"file {text.target(self.movetext)[0]}, rank {text.target(self.movetext)[1]} is not a square of this "
                f"board of {self.rules.files} files and {self.rules.ranks} ranks", "")

    def not_in_hand(self) -> Words:
        if self.named & PROMOTED and self.rules.drops != EITHER_FACE:
            return (f"{self.a(self.named)} cannot be dropped: men in hand are not promoted",
                    f"{self.side} has in hand: {self.hand()}")
        if not self.named:
            return "the text does not say what is dropped", f"{self.side} has in hand: {self.hand()}"
        return (f"{self.side} has no {self.name(self.named & KIND_FIELD)} in hand",
                f"{self.side} has in hand: {self.hand()}")

    def occupied(self) -> Words:
        value = self.man(self.to)
        hint = "men are dropped on empty squares only"
        if could := self.could_reach():
            hint = f"{could}: perhaps a move was meant, not a drop"
        return f"{self.owner(value)}'s {self.name(value)} stands on {self.at(self.to)} already", hint

    def dead_end_drop(self) -> Words:
        return (f"{self.a(self.named)} dropped on {self.at(self.to)} could never move",
                "a man must have a move left on an empty board where it is dropped")

    def nifu(self) -> Words:
        file = self.to // self.rules.ranks
        others = [square for square in self.squares_of(self.named) if square // self.rules.ranks == file]
        name = self.name(self.named)
        if not others:
            return f"{self.a(self.named)} may not be dropped on file {file + 1}", ""
        if len(others) == 1:
            return (f"{self.side} already has an unpromoted {name} on file {file + 1}: on {self.at(others[0])}",
                    f"a second unpromoted {name} may not be dropped on a file (nifu)")
        return (f"{self.side} already has {len(others)} unpromoted {name}s on file {file + 1}: on "
                f"{self.list_of(others)}", f"no further {name} may be dropped on the file in {self.rules.name}")

    def _checker(self) -> tuple[str, str]:
        origin = -1 if self.drop else self.origin
        square = self.position.exposer(origin, self.to, self.piece) if self.to >= 0 else -1
        if square < 0:
            return f"{self.other}'s man", ""
        king = self.to if origin >= 0 and origin == self.position.king_square(self.position.turn) else \
            self.position.king_square(self.position.turn)
        value = self.man(square)
        return f"{self.other}'s {self.name(value)} on {self.at(square)}", self.at(king)

    def check_not_answered(self) -> Words:
        who, king = self._checker()
        return (f"{self.side} stands in check, and after {self.moved()} {who} attacks the {self.king} on "
                f"{king}",
                f"take the checking man, put one between, or move the {self.king} out of its reach")

    def self_check(self) -> Words:
        who, king = self._checker()
        if self.origin >= 0 and self.origin == self.position.king_square(self.position.turn):
            return f"the {self.king} would be in check on {king}: {who} attacks that square", ""
        return (f"{self.moved()} would leave {self.side}'s {self.king} on {king} in check by {who}",
                f"the {self.name(self.piece)} on {self.at(self.origin)} is pinned" if self.origin >= 0 else "")

    def uchifuzume(self) -> Words:
        name = self.name(self.named)
        kind = self.rules.by_number.get(self.named)
        rule = f"in {self.rules.name}" if kind is not None and kind.per_file != 1 else "(uchifuzume)"
        return (f"the {name} dropped on {self.at(self.to)} mates {self.other}'s {self.king}, and a dropped {name} may "
                f"not mate {rule}", f"any other drop may mate, and so may a {name} that stands on the board")

    def third_occurrence(self) -> Words:
        if self.repetition == STARTER_VARIES:
            hint = (f"by the reading {STARTER_VARIES} the side that began the sequence must choose another move; in a "
                    "series of checks it is the checker who must")
        else:
            hint = f"in {self.rules.name} another move must be chosen; in a series of checks it is the checker who must"
        return f"after {self.moved()} the same position would stand for the third time", hint

    def empty_origin(self) -> Words:
        if self.origin < 0:
            file, rank = text.origin(self.movetext)
            return f"file {file}, rank {rank} is not a square of this board", self.could_reach()
        return f"no man stands on {self.at(self.origin)}", self.could_reach()

    def wrong_side(self) -> Words:
        if self.standing and self.standing >> 6 != self.position.turn:
            return (f"the {self.name(self.standing)} on {self.at(self.origin)} is {self.other}'s, and {self.side} is "
                    "to move", "a move may be missing before this one")
        return (f"the text says that {self.other} moves, and {self.side} is to move",
                "a move may be missing before this one")

    def wrong_piece(self) -> Words:
        hint = self.could_reach()
        if not hint and self.named == self.standing & 63 | PROMOTED:
            hint = "the mark of promotion may be missing at an earlier move"
        return (f"the text names {self.a(self.named)}, but {self.a(self.standing)} stands on {self.at(self.origin)}",
                hint)

    def own_piece(self) -> Words:
        value = self.man(self.to)
        return f"{self.side}'s own {self.name(value)} stands on {self.at(self.to)}", ""

    def blocked(self) -> Words:
        ranks = self.rules.ranks
        files, rows = self.to // ranks - self.origin // ranks, self.to % ranks - self.origin % ranks
        many = max(abs(files), abs(rows))
        between = [self.origin + step * (files // many * ranks + rows // many) for step in range(1, many)]
        at = next((square for square in between if self.man(square)), self.to)
        value = self.man(at)
        piece = self.piece & 63
        hops = piece in self.rules.pieces and any(way.manner & HOP for way in self.rules.ways(piece))
        return (f"{self.moved()} is blocked by {self.owner(value)}'s {self.name(value)} on {self.at(at)}",
                f"{self.a(self.piece)} leaps over exactly one man" if hops else "")

    def bad_move(self) -> Words:
        taken = self.man(self.to)
        if self.rules.royals_taken:
            return self.bad_bare_move(taken)
        if taken and self.rules.by_number[taken & KIND_FIELD].royal and taken >> 6 != self.position.turn:
            return (f"{self.other}'s {self.king} on {self.at(self.to)} would be taken",
                    f"{self.other} left its {self.king} in check in the move or position before")
        return (f"{self.a(self.piece)} does not go from {self.at(self.origin)} to {self.at(self.to)}",
                self.could_reach())

    def bad_bare_move(self, taken: int) -> Words:
        """`bad_move` where royal men can be taken and lions are."""
        via = self._square(text.via(self.movetext))
        way = f" by {self.at(via)}" if via >= 0 else ""
        moved = f"{self.a(self.piece)} does not go from {self.at(self.origin)}{way} to {self.at(self.to)}"
        if not taken or not self.is_lion(taken) or taken >> 6 == self.position.turn:
            return moved, self.could_reach()
        if self.is_lion(self.piece):
            return moved, "a lion does not take a guarded lion that stands further off than one square"
        return moved, "after another man took a lion no man but a lion takes one on another square at once"

    def is_lion(self, piece: int) -> bool:
        """Whether the rules for lions hold for a man."""
        kind = self.rules.by_number.get(piece & KIND_FIELD)
        return kind is not None and ("+" if piece & PROMOTED else "P") in kind.lion

    def already_promoted(self) -> Words:
        if self.rules.promotion == EACH_CAPTURE and not self.man(self.to):
            return self.not_in_zone()
        if self.rules.turns_back:
            return (f"the {self.name(self.piece)} on {self.at(self.origin)} is promoted and turns back to "
                    f"{self.a(self.piece ^ PROMOTED)}", "the mark of turning back is -, not +")
        return (f"the {self.name(self.piece)} on {self.at(self.origin)} is promoted already",
                "leave the mark of promotion out")

    def cannot_promote(self) -> Words:
        if self.drop:
            return "a man is dropped unpromoted" if self.rules.drops != EITHER_FACE else \
                "a man does not turn over when it is dropped", "leave the mark of promotion out"
        if text.via(self.movetext)[0]:
            return "a man that moves twice does not promote", "leave the mark of promotion out"
        if self.rules.turns_back and self.piece | PROMOTED in self.rules.pieces:
            return (f"the {self.name(self.piece)} on {self.at(self.origin)} is not promoted and turns over to "
                    f"{self.a(self.piece | PROMOTED)}", "the mark of turning over is +, not -")
        return f"{self.a(self.piece)} has no promoted face", "leave the mark of promotion out"

    def not_in_zone(self) -> Words:
        last = self.rules.ranks
        if self.rules.promotion == EACH_CAPTURE:
            return f"{self.moved()} takes nothing", "men turn over when they take, and only then"
        if self.rules.promotion == ON_ENTRY and self.inside_zone():
            return (f"{self.moved()} neither enters the promotion zone nor takes a man",
                    "a man that did not promote when it entered promotes with a capture")
        first = (1, self.rules.zone) if self.position.turn == 0 else (last - self.rules.zone + 1, last)
        zone = f"{chr(96 + first[0])} to {chr(96 + first[1])}" if first[0] != first[1] else chr(96 + first[0])
        return (f"{self.moved()} neither leaves nor enters the promotion zone",
                f"{self.side}'s men promote on moves that start or end on the ranks {zone}")

    def inside_zone(self) -> bool:
        """Whether the man stands in the promotion zone."""
        rank = self.origin % self.rules.ranks
        return rank < self.rules.zone if self.position.turn == 0 else rank >= self.rules.ranks - self.rules.zone

    def must_promote(self) -> Words:
        if self.rules.turns_back:
            return (f"{self.moved()} turns the man over: it is {self.a(self.piece ^ PROMOTED)} after it",
                    "the mark of turning over is missing")
        kind = self.rules.by_number.get(self.piece & KIND_FIELD)
        if kind is not None and kind.always_promotes:
            return (f"{self.a(self.piece)} promotes on every move that starts or ends in the promotion zone",
                    "the mark of promotion is missing")
        return (f"{self.a(self.piece)} that goes to {self.at(self.to)} must promote: it could never move again",
                "the mark of promotion is missing")

    def ambiguous(self) -> Words:
        if not self.candidates:
            return f"several men can go to {self.at(self.to)}", "name the man and its square"
        meant = self.position.meant(self.movetext)
        return (f"each {self.name(self.named)} on {self.list_of(meant)} can go to {self.at(self.to)}",
                "name the square it comes from")

    def no_candidate(self) -> Words:
        if not self.named:
            return f"the text does not say what goes to {self.at(self.to)}", "name the man"
        name, to = self.name(self.named), self.at(self.to)
        if self.from_named:
            return f"the {name} on {self.at(self.origin)} does not go to {to} in the way that the text says", ""
        if self.candidates:
            return (f"no {name} goes to {to} in the way that the text says",
                    f"{self.side} could go there from {self.list_of(self.candidates)}")
        standing = self.squares_of(self.named)
        where = f"{self.side} has {name}s on {self.list_of(standing)}" if len(standing) > 1 else \
            f"{self.side}'s {name} stands on {self.at(standing[0])}" if standing else \
            f"{self.side} has no {name} on the board"
        if not self.named & PROMOTED and self.position.hand(self.position.turn, self.named):
            where += " and one in hand"
        return f"{self.side} has no {name} that can go to {to}", where

    def moves_after_end(self) -> Words:
        royal = [self.name(piece) for piece in self.rules.pieces if self.rules.is_royal(piece)]
        return (f"{self.side} has lost its last royal man ({' or '.join(royal)}), and with it the game",
                f"{self.side}'s last royal man was taken: the game was over before this move")


_WORDS: dict[str, Callable[[Case], Words]] = {
    "not-in-hand": Case.not_in_hand, "occupied": Case.occupied, "dead-end-drop": Case.dead_end_drop,
    "nifu": Case.nifu, "three-swallows-on-file": Case.nifu, "check-not-answered": Case.check_not_answered,
    "self-check": Case.self_check, "uchifuzume": Case.uchifuzume, "swallow-drop-mate": Case.uchifuzume,
    "third-occurrence": Case.third_occurrence,
    "empty-origin": Case.empty_origin, "wrong-side": Case.wrong_side, "wrong-piece": Case.wrong_piece,
    "own-piece": Case.own_piece, "blocked": Case.blocked, "bad-move": Case.bad_move,
    "already-promoted": Case.already_promoted, "cannot-promote": Case.cannot_promote,
    "not-in-zone": Case.not_in_zone, "must-promote": Case.must_promote, "ambiguous": Case.ambiguous,
    "no-candidate": Case.no_candidate, "moves-after-end": Case.moves_after_end,
}
