"""The illegal move that ended a game, as writers need it: notations can hold it though no rule allows it."""
from __future__ import annotations

from kifu import movetext
from kifu.movetext import PROMOTED
from kifu.record import Game
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_SHIFT, PROMOTES, square


def _text(game: Game) -> int | None:
    """The move text of the illegal move of a game whose verdict is ``foul``: behind its moves, or apart from them."""
    if game.illegal_move is None:
        return None
    if game.plies < game.record.lines[0].last:
        return int(game.record.texts[game.plies])
    return game.record.foul[0] if game.record.foul is not None else None


def foul_move(game: Game) -> int | None:
    """The illegal move of a game whose verdict is ``foul`` as a packed move, good for spelling and nothing else.

    Its piece is the one that the text names, even where the board has another one, which is the foul then. None where
    the text does not say enough.

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
        target = square(file, rank)
    else:
        return None
    if text & movetext.DROP:
        if not named or text & movetext.PROMOTE:
            return None  # a drop that promotes: without the promotion it could be legal
        return target | named << ORIGIN_SHIFT | DROPPED | named << PIECE_SHIFT
    if not from_file:
        return None
    stands: int = game.position.piece_at(from_file, from_rank) & movetext.PIECE_FIELD
    promotes = bool(text & movetext.PROMOTE)
    if text & movetext.PIECE_AFTER and named == stands | PROMOTED != stands:
        promotes, named = True, stands
    piece = named or stands
    if not piece:
        return None
    return target | square(from_file, from_rank) << ORIGIN_SHIFT | promotes * PROMOTES | piece << PIECE_SHIFT


__all__ = ["foul_move"]
