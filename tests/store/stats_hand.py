"""Fourteen small games of which everything can be counted by hand.

====  =====  =====  ===========  ==========  =====  ===============================  ======  ===========  ==============
game  Black  White  ratings      date        event  moves                            won     end
====  =====  =====  ===========  ==========  =====  ===============================  ======  ===========  ==============
1     Abe    Baba   1500 1400    2020-01-10  X      7g7f 3c3d 2g2f                   Black   resign
2     Baba   Abe    1400 1500    2020-02-10  X      7g7f 3c3d 6g6f                   Black   resign
3     Abe    Chiba  1500 1900    2021-01-10  X      2g2f 3c3d 7g7f                   Black   timeout
4     Chiba  Abe    1900 1500    2021-06-10  Y      7g7f 8c8d                        Black   declaration
5     Baba   Chiba  1400 -       2021-07-10  Y      7g7f 3c3d                        White   resign
6     Chiba  Doi    -    -       -           Y      2g2f 8c8d                        White   -            (proven mate)
7     Abe    Baba   1500 1400    2022-01-10  -      kings to and fro, 12 plies       draw    repetition   (proven)
8     Doi    Abe    -    1500    2022-02-10  -      7g7f                             draw    impasse
9     Abe    Doi    1500 -       2022-03-10  -      2g2f 3c3d                        -       interrupted
10    Doi    Chiba  -    1900    2022-04-10  -      7g7f 3c3d                        White   illegal      (nifu)
11    Doi    Abe    -    1500    2022-05-10  -      lance odds: 3c3d 7g7f            Black   resign
12    Baba   Abe    1400 1500    2022-06-10  -      two-piece odds: 5a5b             White   resign
13    Doi    Baba   -    -       -           -      2g2f                             -       -
14    Eda    Eda    -    -       -           -      another kind of shogi            Black   resign
====  =====  =====  ===========  ==========  =====  ===============================  ======  ===========  ==============

Not all of it could be: nobody is mated on ply 2. What a query counts is what the columns say.
"""
from __future__ import annotations

import datetime
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import toy_games as toy

import kifu
from kifu.rules.handicaps import by_key
from kifu.rules.position import Position
from kifu.store.database import Database
from kifu.store.loader import in_memory
from kifu.store.rows import GameRow, RejectRow, game_row

KINGS = " ".join(["5i5h 5a5b 5h5i 5b5a"] * 3)


def at(moves: str = "") -> int:
    """The key of the position after moves."""
    position = kifu.Position()
    for move in moves.split():
        position.push(move)
    return position.key()


def game(names: str, ratings: tuple[int | None, int | None], date: str, event: str, moves: str, result: int | None,
         end: str | None, handicap: str = "even", **columns: Any) -> tuple[GameRow, str]:
    """The row of a game, and its final position as SFEN."""
    start = by_key(handicap)
    assert start is not None
    played = kifu.replay(kifu.parse(f"position sfen {start.sfen} moves {moves}", "usi")[0], keys=True)
    assert played.verdict == "legal", played.diagnostics
    black, white = names.split()
    plain = {"verified_end": None, "verified_winner": None, "tags": (), **columns}
    row = game_row(played)._replace(
        black=black, white=white, black_rating=ratings[0], white_rating=ratings[1], event=event or None,
        date=datetime.date.fromisoformat(date) if date else None, result=result, end=end, **plain)
    assert row.handicap == handicap
    return row, played.final


def clock(*seconds: int) -> bytes:
    """A clock of whole seconds; -1 where a ply has none."""
    return array("q", [s * 1000 if s >= 0 else -1 for s in seconds]).tobytes()


def games() -> list[tuple[GameRow, str]]:
    """The games of the table above, with the castles and openings that they are given."""
    b_static, w_static = ("black", "opening", "static"), ("white", "opening", "static")
    b_ranging, w_ranging = ("black", "opening", "ranging"), ("white", "opening", "ranging")
    mino, anaguma = ("castle", "mino"), ("castle", "anaguma")
    return [
        game("Abe Baba", (1500, 1400), "2020-01-10", "X", "7g7f 3c3d 2g2f", 1, "resign", clock=clock(2, 4, 6),
             tags=((*b_static, 1), (*w_ranging, 2), ("black", *mino, 3))),
        game("Baba Abe", (1400, 1500), "2020-02-10", "X", "7g7f 3c3d 6g6f", 1, "resign", clock=clock(10, 20, -1),
             tags=((*b_ranging, 3), (*w_static, 2), ("white", *mino, 2), ("black", *anaguma, 3))),
        game("Abe Chiba", (1500, 1900), "2021-01-10", "X", "2g2f 3c3d 7g7f", 1, "timeout",
             tags=((*b_static, 1), (*w_ranging, 2))),
        game("Chiba Abe", (1900, 1500), "2021-06-10", "Y", "7g7f 8c8d", 1, "declaration",
             tags=(("both", "opening", "yagura", 2), ("black", *mino, 1), ("white", *anaguma, 2))),
        game("Baba Chiba", (1400, None), "2021-07-10", "Y", "7g7f 3c3d", -1, "resign"),
        game("Chiba Doi", (None, None), "", "Y", "2g2f 8c8d", None, None, verified_end="checkmate", verified_winner=-1),
        game("Abe Baba", (1500, 1400), "2022-01-10", "", KINGS, 0, "repetition", verified_end="repetition",
             verified_winner=0, tags=((*b_static, 5), (*w_static, 6))),
        game("Doi Abe", (None, 1500), "2022-02-10", "", "7g7f", 0, "impasse"),
        game("Abe Doi", (1500, None), "2022-03-10", "", "2g2f 3c3d", None, "interrupted"),
        game("Doi Chiba", (None, 1900), "2022-04-10", "", "7g7f 3c3d", -1, "illegal", illegal_reason="nifu"),
        game("Doi Abe", (None, 1500), "2022-05-10", "", "3c3d 7g7f", 1, "resign", "lance", tags=((*w_ranging, 2),)),
        game("Baba Abe", (1400, 1500), "2022-06-10", "", "5a5b", -1, "resign", "2-piece"),
        game("Doi Baba", (None, None), "", "", "2g2f", None, None),
        (toy.row([(0, 1)], black="Eda", white="Eda", result=1, end="resign"), ""),
    ]


@contextmanager
def hand_made() -> Iterator[Database]:
    """The database: the games in a.usi, a copy of game 4 in b.usi, three rejects, two contained games, final boards."""
    rows = games()
    rejects = [RejectRow(0, 15, 7, 1, 5, "K404", "two pawns", "text"), RejectRow(0, 16, 8, 1, 5, "K203", "no move", "text"),
               RejectRow(0, 17, 9, 1, 5, "K404", "two more pawns", "text")]
    with in_memory([(toy.source("a.usi"), [row for row, _ in rows], rejects), (toy.source("b.usi"), [], [])]) as database:
        database.run("INSERT INTO copies VALUES (4, 2, 0)")
        database.run("DELETE FROM contained")  # what the loader finds is not what is tested here
        database.run("INSERT INTO contained VALUES (8, 1), (13, 3)")
        for number, (row, final) in enumerate(rows, 1):
            if final:
                men = board(final)
                database.run(f"INSERT INTO boards (game_id, ply, {', '.join(men)}) "
                             f"VALUES ({number}, {row.plies}, {', '.join(map(str, men.values()))})")
        yield database


def board(sfen: str) -> dict[str, int]:
    """The columns of ``boards`` for a position, without the hands."""
    position = Position(sfen)
    return {f"s{file}{'abcdefghi'[rank - 1]}": position.piece_at(file, rank) for file in range(1, 10) for rank in range(1, 10)}
