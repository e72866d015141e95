"""A game of which no move can be read does not swallow the game behind it."""
from __future__ import annotations

from kifu.notation import read
from kifu.replay import replay

HEAD = "手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n"


def test_the_game_behind_an_unreadable_one() -> None:
    """Its headers open a record of their own, which is proven."""
    text = f"{HEAD}   1 ７六歩(7\n\n{HEAD}   1 ７六歩(77)\n   2 投了\n"
    games = [replay(record) for record in read(text, "kif")]
    assert [(game.verdict, game.plies) for game in games] == [("unreadable", 0), ("legal", 1)]
