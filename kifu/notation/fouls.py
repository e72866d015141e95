"""The illegal move that ended a game, as writers need it: notations can hold it though no rule allows it."""
from __future__ import annotations

from kifu import movetext
from kifu.movetext import PROMOTED
from kifu.notation.relative import relative
from kifu.record import Game
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_SHIFT, PROMOTES, VIA_SHIFT, square
from kifu.rules.position import Position

#: The letters of `kifu.notation.relative` as the flags of a move text.
_MARKS = {"L": movetext.LEFT, "C": movetext.STRAIGHT, "R": movetext.RIGHT, "U": movetext.UP, "M": movetext.SIDEWAYS,
          "D": movetext.BACK}
_ALL_MARKS = sum(_MARKS.values())


def among_moves(game: Game) -> bool:
    """Whether a game ended by an illegal move that stands among the moves of its record, the next one behind them.

    It has an index there, and with it a clock, comments and a bookmark, as all moves have.
    """
    return game.verdict == "foul" and game.plies < game.record.lines[0].last


def _text(game: Game) -> int | None:
    """The move text of the illegal move of a game whose verdict is ``foul``: behind its moves, or apart from them."""
    if game.illegal_move is None:
        return None
    if among_moves(game):
        return int(game.record.texts[game.plies])
    return game.record.foul[0] if game.record.foul is not None else None


def foul_move(game: Game) -> int | None:
    """The illegal move of a game whose verdict is ``foul`` as a packed move, good for spelling and nothing else.

    Its piece is the one that the text names, even where the board has another one, which is the foul then. Where the
    text names no origin it is the one man that can go there by its marks, else a drop. None where that leaves several,
    or the text does not say enough.

    >>> from kifu import parse, replay
    >>> game = replay(parse("PI\\n+\\n+7776FU\\n-3334FU\\n+8811UM\\n%+ILLEGAL_ACTION\\n")[0])
    >>> from kifu.rules.move import usi
    >>> game.verdict, usi(foul_move(game))
    ('foul', '8h1a+')
    """
    text = _text(game)
    if text is None or game.position is None:
        return None
    (file, rank), (from_file, from_rank), named = movetext.target(text), movetext.origin(text), movetext.piece(text)
    target: int
    if text & movetext.SAME and game.plies:
        target = game.position.last_target
    elif file:
        target = square(file, rank, game.position.rules.ranks)
    else:
        return None
    if text & movetext.DROP:
        if not named or text & movetext.PROMOTE:
            return None  # a drop that promotes: without the promotion it could be legal
        return target | named << ORIGIN_SHIFT | DROPPED | named << PIECE_SHIFT
    if not from_file:
        if not named:
            return None
        squares = _origins(game.position, text, named, target)
        if not squares and text & movetext.DROP_IF_NONE:
            return target | named << ORIGIN_SHIFT | DROPPED | named << PIECE_SHIFT
        return _move(target, squares[0], named, bool(text & movetext.PROMOTE)) if len(squares) == 1 else None
    stands: int = game.position.piece_at(from_file, from_rank) & movetext.PIECE_FIELD
    promotes = bool(text & movetext.PROMOTE)
    if text & movetext.PIECE_AFTER and named == stands | PROMOTED != stands:
        promotes, named = True, stands
    piece = named or stands
    if not piece:
        return None
    move = _move(target, square(from_file, from_rank, game.position.rules.ranks), piece, promotes)
    return move | _via(text, game.position.rules.ranks)


def _via(text: int, ranks: int) -> int:
    """The square on the way of a man that moves twice, as a packed move has it; 0 where the text names none."""
    file, rank = movetext.via(text)
    return square(file, rank, ranks) + 1 << VIA_SHIFT if file else 0


def _move(target: int, origin: int, piece: int, promotes: bool) -> int:
    return target | origin << ORIGIN_SHIFT | promotes * PROMOTES | piece << PIECE_SHIFT


def _origins(position: Position, text: int, piece: int, target: int) -> list[int]:
    """The squares of the men that a text without an origin may mean, were it not for their king."""
    squares = position.reaching(piece, target)
    if len(squares) < 2:
        return squares
    marks = text & _ALL_MARKS
    return [origin for origin in squares
            if sum(_MARKS[letter] for letter in relative(position, _move(target, origin, piece, False))) == marks]


__all__ = ["among_moves", "foul_move"]
