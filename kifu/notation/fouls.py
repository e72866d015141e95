"""The illegal move that ended a game, as writers need it: notations can hold it though no rule allows it."""
from __future__ import annotations

from kifu import movetext
from kifu.movetext import PIECE_AFTER, PROMOTED
from kifu.record import Game
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_SHIFT, PROMOTES, square


def foul_move(game: Game) -> int | None:
    """The illegal move of a game whose verdict is ``foul`` as a packed move, good for spelling and nothing else.

    None where its text does not say enough, or calls the piece by another name than the board does: written from the
    board it would be another foul.

    >>> from kifu import parse, replay
    >>> game = replay(parse("PI\\n+\\n+7776FU\\n-3334FU\\n+8811UM\\n%+ILLEGAL_ACTION\\n")[0])
    >>> from kifu.rules.move import usi
    >>> game.verdict, usi(foul_move(game))
    ('foul', '8h1a+')
    """
    if game.illegal_move is None or game.position is None or game.plies >= len(game.record.texts):
        return None
    text = game.record.texts[game.plies]
    (file, rank), (from_file, from_rank), named = movetext.target(text), movetext.origin(text), movetext.piece(text)
    if text & movetext.SAME and game.plies:
        target = game.position.last_target
    elif file:
        target = square(file, rank)
    else:
        return None
    if text & movetext.DROP:
        return target | named << ORIGIN_SHIFT | DROPPED | named << PIECE_SHIFT if named else None
    if not from_file:
        return None
    piece = game.position.piece_at(from_file, from_rank) & movetext.PIECE_FIELD or named
    promotes = bool(text & movetext.PROMOTE)
    if text & PIECE_AFTER and named == piece | PROMOTED != piece:
        promotes = True
    elif named not in (0, piece):
        return None
    return target | square(from_file, from_rank) << ORIGIN_SHIFT | promotes * PROMOTES | piece << PIECE_SHIFT


__all__ = ["foul_move"]
