"""Every query of `kifu stats` on the fourteen games of stats_hand, with the answers worked out by hand.

The even games are 1 to 10 and 13: Black won 1, 2, 3, 4, White 5, 6, 10; 7 and 8 are drawn; 9 and 13 have no result. That
makes 11 games, 4 wins, 2 draws, 3 losses, 2 without a result, and a score of 5 points of 9.
"""
from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
import stats_brute
import stats_brute_players
import toy_games as toy
from stats_hand import at, hand_made
from stats_world import Near, scored
from test_stats_brute import QUERIES

from kifu.store import catalog
from kifu.store.database import Database
from kifu.store.filters import Filters
from kifu.store.loader import in_memory

NOTHING = (None, None, None)  # the score of no games, and its interval
AFTER_76, AFTER_76_34, AFTER_26, AFTER_26_34 = at("7g7f"), at("7g7f 3c3d"), at("2g2f"), at("2g2f 3c3d")


def day(text: str) -> datetime.date:
    return datetime.date.fromisoformat(text)


def won(points: float, n: int) -> tuple[Any, Any, Any]:
    return scored(points, n)


def of(count: float, n: int) -> Near:
    return Near(count / n, 4)


def mean(total: float, n: int = 1) -> Near:
    return Near(total / n, 1)


D1, D2, D3, D4, D5 = map(day, ("2020-01-10", "2020-02-10", "2021-01-10", "2021-06-10", "2021-07-10"))
D7, D8, D9, D10 = map(day, ("2022-01-10", "2022-02-10", "2022-03-10", "2022-04-10"))

#: Query, filters, parameters, rows. The words say why.
BY_HAND: list[tuple[str, Filters | None, dict[str, Any], list[tuple[Any, ...]]]] = [
    # plies: 3 3 3 2 2 2 12 1 2 2 1, together 33, without the repetition (7) 21 in 10 games; either side won 7 games
    ("summary", None, {}, [
        ("games", "games", "棋譜数", 11, of(11, 11), *won(4, 7), mean(33, 11)),
        ("games", "without repetitions", "千日手を除く", 10, of(10, 11), *won(4, 7), mean(21, 10)),
        ("results", "Black wins", "先手勝ち", 4, of(4, 11), *NOTHING, mean(11, 4)),
        ("results", "White wins", "後手勝ち", 3, of(3, 11), *NOTHING, mean(6, 3)),
        ("results", "repetition", "千日手", 1, of(1, 11), *NOTHING, mean(12)),
        ("results", "impasse", "持将棋", 1, of(1, 11), *NOTHING, mean(1)),
        ("results", "other draws", "その他の引き分け", 0, 0, *NOTHING, None),
        ("results", "interrupted", "中断", 1, of(1, 11), *NOTHING, mean(2)),
        ("results", "unknown", "結果不明", 1, of(1, 11), *NOTHING, mean(1)),
        ("wins by", "declaration", "宣言勝ち", 1, of(1, 11), *NOTHING, mean(2)),
        ("wins by", "foul", "反則勝ち", 1, of(1, 11), *NOTHING, mean(2)),
        ("wins by", "timeout", "時間切れ勝ち", 1, of(1, 11), *NOTHING, mean(3)),
        # static in 1, 2, 3 (won by Black) and 7 (drawn), though both sides have it in 7
        ("openings", "static", None, 4, of(4, 11), *won(3, 3), mean(21, 4)),
        ("openings", "ranging", None, 3, of(3, 11), *won(3, 3), mean(9, 3)),
        ("openings", "yagura", None, 1, of(1, 11), *won(1, 1), mean(2))]),
    # the odds are in it unasked; the toy game is not
    ("results", None, {}, [
        ("shogi", "even", 11, 4, 3, 2, 2, *won(5, 9), mean(33, 11), mean(21, 10)),
        ("shogi", "2-piece", 1, 0, 1, 0, 0, *won(0, 1), mean(1), mean(1)),
        ("shogi", "lance", 1, 1, 0, 0, 0, *won(1, 1), mean(2), mean(2))]),
    # shitate is Black: won with the lance, lost with two pieces
    ("handicaps", None, {}, [
        ("2-piece", 1, 0, 0, 1, 0, *won(0, 1), mean(1)), ("lance", 1, 1, 0, 0, 0, *won(1, 1), mean(2))]),
    ("terminations", None, {}, [
        ("resign", None, None, 3, of(3, 11), 2, 1, 0, 0, mean(8, 3)),  # 1, 2, 5
        ("declaration", None, None, 1, of(1, 11), 1, 0, 0, 0, mean(2)),
        ("illegal", None, "nifu", 1, of(1, 11), 0, 1, 0, 0, mean(2)),
        ("impasse", None, None, 1, of(1, 11), 0, 0, 1, 0, mean(1)),
        ("interrupted", None, None, 1, of(1, 11), 0, 0, 0, 1, mean(2)),
        ("repetition", "repetition", None, 1, of(1, 11), 0, 0, 1, 0, mean(12)),
        ("timeout", None, None, 1, of(1, 11), 1, 0, 0, 0, mean(3)),
        (None, "checkmate", None, 1, of(1, 11), 0, 1, 0, 0, mean(2)),
        (None, None, None, 1, of(1, 11), 0, 0, 0, 1, mean(1))]),
    ("lengths", None, {"width": 2}, [
        (0, 1, 2, of(2, 11), ANY), (2, 3, 8, of(8, 11), "█" * 40), (12, 13, 1, of(1, 11), "█" * 5)]),  # 8 and 13; most; 7
    # both rated: 1, 2, 7 (mean 1450) and 3, 4 (mean 1700)
    ("rating_bands", None, {}, [
        (1400, 1599, 3, 2, 1, 0, 0, *won(2.5, 3), mean(18, 3)), (1600, 1799, 2, 2, 0, 0, 0, *won(2, 2), mean(5, 2))]),
    # in 4 the higher rated one won, in 5 Chiba has no rating
    ("upsets", None, {"gap": 100}, [
        (3, D3, "X", "black", "Abe", "Chiba", 1500, 1900, 400, "timeout", 3),
        (2, D2, "X", "black", "Baba", "Abe", 1400, 1500, 100, "resign", 3)]),
    # 2 4 6 10 20: together 42, the middle one 6; moves 1 and 3 take 2 6 10, move 2 takes 4 20
    ("times", None, {}, [(1, 20, 5, mean(42, 5), 6, 20, mean(18, 3), mean(24, 2))]),
    # static first stands at 1, 2, 1, 5; ranging at 2, 3, 2
    ("senkei", None, {}, [
        ("static", 4, 3, 1, 0, 0, *won(3.5, 4), of(4, 11), mean(21, 4), mean(9, 4)),
        ("ranging", 3, 3, 0, 0, 0, *won(3, 3), of(3, 11), mean(9, 3), mean(7, 3)),
        ("yagura", 1, 1, 0, 0, 0, *won(1, 1), of(1, 11), mean(2), mean(2))]),
    # 2020: 1, 2; 2021: 3, 4, 5; 2022: 7, 8, 9, 10; no date: 6, 13, without openings
    ("senkei_by_year", None, {}, [
        (2020, "ranging", 2, 2, 0, 0, 0, *won(2, 2), 1, 0), (2020, "static", 2, 2, 0, 0, 0, *won(2, 2), 1, 0),
        (2021, "ranging", 1, 1, 0, 0, 0, *won(1, 1), of(1, 3), 0), (2021, "static", 1, 1, 0, 0, 0, *won(1, 1), of(1, 3), 0),
        (2021, "yagura", 1, 1, 0, 0, 0, *won(1, 1), of(1, 3), 0), (2022, "static", 1, 0, 1, 0, 0, *won(0.5, 1), of(1, 4), 1)]),
    # the year filter leaves 1 and 2, both of rated players
    ("senkei_by_year", Filters(until=D2, min_rating=1400), {}, [
        (2020, "ranging", 2, 2, 0, 0, 0, *won(2, 2), 1, 0), (2020, "static", 2, 2, 0, 0, 0, *won(2, 2), 1, 0)]),
    # mino: Black in 1 and 4 (won), White in 2 (lost), plies 3 1 2; anaguma: Black in 2 (won), White in 4 (lost), plies 3 2
    ("tags", None, {}, [
        ("mino", 3, 3, 2, 1, 0, *won(2, 3), mean(6, 3)), ("anaguma", 2, 2, 1, 1, 0, *won(1, 2), mean(5, 2))]),
    # static: won in 1, 3, lost in 2, twice drawn in 7; yagura is nobody's
    ("tags", None, {"kind": "opening"}, [
        ("static", 5, 4, 2, 1, 2, *won(3, 5), mean(15, 5)), ("ranging", 3, 3, 1, 2, 0, *won(1, 3), mean(7, 3)),
        ("yagura", 1, 1, 0, 0, 0, *NOTHING, mean(2))]),
    # of Abe: mino in 1 (won) and 2 (lost), anaguma in 4 (lost)
    ("tags", Filters(player="Abe"), {}, [
        ("mino", 2, 2, 1, 1, 0, *won(1, 2), mean(5, 2)), ("anaguma", 1, 1, 0, 1, 0, *won(0, 1), mean(2))]),
    ("tags", Filters(player="Abe", opponent="Baba", side="black"), {}, [("mino", 1, 1, 1, 0, 0, *won(1, 1), mean(3))]),
    ("castle_matrix", Filters(player="Abe"), {}, [
        ("anaguma", "mino", 1, 0, 0, 1, 0, *won(0, 1), mean(2), mean(1)),
        ("mino", "anaguma", 1, 0, 0, 1, 0, *won(0, 1), mean(2), mean(3))]),
    # Abe has a rating in all of 1 2 3 4 7 8 9
    ("castles_by_rating", Filters(player="Abe"), {}, [
        (1400, 1599, "mino", 2, 1, 0, 1, 0, *won(1, 2), of(2, 7)), (1400, 1599, "anaguma", 1, 0, 0, 1, 0, *won(0, 1), of(1, 7))]),
    # Abe's static in 1 2 3 7, Black won the first three; the ranging rooks are those of others; yagura is the game's
    ("senkei", Filters(player="Abe"), {}, [
        ("static", 4, 3, 1, 0, 0, *won(3.5, 4), of(4, 7), mean(21, 4), mean(9, 4)),
        ("yagura", 1, 1, 0, 0, 0, *won(1, 1), of(1, 7), mean(2), mean(2))]),
    # Abe's static met ranging in 1 and 3 (won) and 2 (lost), static in 7 (drawn); the interval of 2 of 3 on paper
    ("opening_matrix", Filters(player="Abe"), {}, [("static", "67% (21-94) of 3", "50% (5-95) of 1")]),
    # columns ranging, static: Black's ranging met static in 2; Black's static met ranging in 1 and 3, static in 7
    ("opening_matrix", None, {}, [
        ("ranging", None, "100% (21-100) of 1"), ("static", "100% (34-100) of 2", "50% (5-95) of 1")]),
    # 2: Black's anaguma (ply 3) beats mino (2); 4: Black's mino (1) beats anaguma (2)
    ("castle_matrix", None, {}, [
        ("anaguma", "mino", 2, 1, 0, 1, 0, *won(1, 2), mean(5, 2), mean(3, 2)),
        ("mino", "anaguma", 2, 1, 0, 1, 0, *won(1, 2), mean(3, 2), mean(5, 2))]),
    # rated 1400 to 1599: both sides of 1, 2, 7, one of 3, 4, 5, 8, 9: 11; above: one of 3, 4, 10
    ("castles_by_rating", None, {}, [
        (1400, 1599, "anaguma", 2, 1, 0, 1, 0, *won(1, 2), of(2, 11)), (1400, 1599, "mino", 2, 1, 0, 1, 0, *won(1, 2), of(2, 11)),
        (1800, 1999, "mino", 1, 1, 0, 0, 0, *won(1, 1), of(1, 3))]),
    # two moves or more: all but 8 and 13
    ("first_moves", None, {"plies": 2}, [
        ("7g7f 3c3d", 4, 2, 0, 2, 0, *won(2, 4), of(4, 9)),  # 1, 2, 5, 10
        ("2g2f 3c3d", 2, 1, 0, 0, 1, *won(1, 1), of(2, 9)),  # 3, 9
        ("2g2f 8c8d", 1, 0, 0, 1, 0, *won(0, 1), of(1, 9)), ("5i5h 5a5b", 1, 0, 1, 0, 0, *won(0.5, 1), of(1, 9)),
        ("7g7f 8c8d", 1, 1, 0, 0, 0, *won(1, 1), of(1, 9))]),
    # 7 leaves at once, 4 and 6 with 8c8d, 2 with 6g6f; 1 and 3 end in the same position
    ("novelty_ply", None, {}, [
        (1, 1, of(1, 11), of(1, 11)), (2, 2, of(2, 11), of(3, 11)), (3, 1, of(1, 11), of(4, 11)), (None, 7, of(7, 11), 1)]),
    # 7 is last in the start position at its end; of 1, 2, 4, 5, 8, 10 game 4 is rated best, of 1 and 2 the first
    ("book", None, {"min_games": 2}, [
        (at(), 0, 10, [{"move": "7g7f", "games": 6}, {"move": "2g2f", "games": 4}], 4),
        (AFTER_76, 1, 4, [{"move": "3c3d", "games": 4}], 1), (AFTER_26, 1, 2, [{"move": "3c3d", "games": 2}], 3)]),
    # 7 comes back to the start until ply 12
    ("score_of_position", None, {"key": at()}, [(11, 4, 2, 3, 2, *won(5, 9), 0, 12, D1, D10)]),
    ("score_of_position", None, {"key": AFTER_76}, [(6, 3, 1, 2, 0, *won(3.5, 6), 1, 1, D1, D10)]),  # 1 2 4 5 8 10
    # Abe has Black in 1, 3, 7, 9; in 7 he last stood there when it ended
    ("repertoire", Filters(player="Abe", handicap="any"), {"key": at()}, [
        ("2g2f", 2, 1, 0, 0, 1, *won(1, 1), of(2, 3), D9), ("7g7f", 1, 1, 0, 0, 0, *won(1, 1), of(1, 3), D1)]),
    # 3 plays 7g7f there and meets 1, which came by 7g7f 3c3d 2g2f
    ("transpositions", None, {"key": AFTER_26_34}, [("7g7f", 1, 1, 2, 2, 0, 0, 0, *won(2, 2))]),
    ("trend", None, {"key": at()}, [
        (2020, "7g7f", 2, 2, 0, 0, 0, *won(2, 2), 1), (2021, "7g7f", 2, 1, 0, 1, 0, *won(1, 2), of(2, 3)),
        (2021, "2g2f", 1, 1, 0, 0, 0, *won(1, 1), of(1, 3)), (2022, "7g7f", 2, 0, 1, 1, 0, *won(0.5, 2), of(2, 3)),
        (2022, "2g2f", 1, 0, 0, 0, 1, *NOTHING, of(1, 3)), (None, "2g2f", 2, 0, 0, 1, 1, *won(0, 1), 1)]),
    ("novelties", None, {"key": AFTER_76}, [
        ("3c3d", 4, D1, 1, "Abe", "Baba", "X"), ("8c8d", 1, D4, 4, "Chiba", "Abe", "Y")]),
    # 10 games play on from the start, 5 after 7g7f; then 1 and 2 part
    ("main_line", None, {"key": at()}, [
        (1, "7g7f", 6, 3, 1, 2, 0, *won(3.5, 6), of(6, 10), AFTER_76), (2, "3c3d", 4, 2, 0, 2, 0, *won(2, 4), of(4, 5), AFTER_76_34)]),
    # Abe: won 1, 3, drew 7, 8, lost 2, 4, and 9; Baba: won 2, drew 7, lost 1, 5, and 13; Chiba: won 4, 5, 10, lost 3, 6;
    # Doi: won 6, drew 8, lost 10, and 9, 13
    ("players", None, {}, [
        ("Abe", 7, 2, 2, 2, 1, *won(3, 6), 4, 3, 1500, D1, D9), ("Baba", 5, 1, 1, 2, 1, *won(1.5, 4), 2, 3, 1400, D1, D7),
        ("Chiba", 5, 3, 0, 2, 0, *won(3, 5), 2, 3, 1900, D3, D10), ("Doi", 5, 1, 1, 1, 2, *won(1.5, 3), 3, 2, None, D8, D10)]),
    # with Black 1, 3 (on time), 7, 9 against 1400 1900 1400 and one unrated; with White 2, 4, 8 against 1400 1900 and one
    ("player", Filters(player="Abe"), {}, [
        ("black", 4, 2, 1, 0, 1, *won(2.5, 3), 1, 0, 0, 0, 1500, 1567, mean(20, 4), D1, D9),
        ("white", 3, 0, 1, 2, 0, *won(0.5, 3), 0, 0, 0, 0, 1500, 1650, mean(6, 3), D2, D8),
        ("all", 7, 2, 2, 2, 1, *won(3, 6), 1, 0, 0, 0, 1500, 1600, mean(26, 7), D1, D9)]),
    # Chiba lost 3 on time and won 10 by a foul
    ("player", Filters(player="Chiba", side="white"), {}, [
        (side, 3, 2, 0, 1, 0, *won(2, 3), 0, 1, 1, 0, 1900, 1450, mean(7, 3), D3, D10) for side in ("white", "all")]),
    # those who met Abe, not Abe: Black in 2 4 8, White in 1 3 7 9; Chiba lost 3 on time; Doi has no rating
    ("player", Filters(player="*", opponent="Abe"), {}, [
        ("black", 3, 2, 1, 0, 0, *won(2.5, 3), 0, 0, 0, 0, 1650, 1500, mean(6, 3), D2, D8),
        ("white", 4, 0, 1, 2, 1, *won(0.5, 3), 0, 1, 0, 0, 1567, 1500, mean(20, 4), D1, D9),
        ("all", 7, 2, 2, 2, 1, *won(3, 6), 0, 1, 0, 0, 1600, 1500, mean(26, 7), D1, D9)]),
    ("head_to_head", Filters(player="*", opponent="Abe"), {}, [
        ("Baba", "Abe", 3, 1, 1, 1, 0, *won(1.5, 3), D1, D7), ("Chiba", "Abe", 2, 1, 0, 1, 0, *won(1, 2), D3, D4),
        ("Doi", "Abe", 2, 0, 1, 0, 1, *won(0.5, 1), D8, D9)]),
    # Abe 2.5 of 5 (8 is against nobody rated); Chiba 2 of 3 against 1500 1500 1400: 1467 + 133; Doi 0.5 of 2: 1700 - 200
    ("performance", None, {}, [
        ("Abe", 5, 2, 1, 2, 0, *won(2.5, 5), 1600, 1600, ANY, ANY), ("Chiba", 3, 2, 0, 1, 0, *won(2, 3), 1467, 1600, ANY, ANY),
        ("Baba", 3, 1, 1, 1, 0, *won(1.5, 3), 1500, 1500, 1200, 1800),  # 0.1253 to 0.8747, of 800
        ("Doi", 2, 0, 1, 1, 0, *won(0.5, 2), 1700, 1500, ANY, ANY)]),
    ("head_to_head", None, {}, [
        ("Abe", "Baba", 3, 1, 1, 1, 0, *won(1.5, 3), D1, D7), ("Abe", "Chiba", 2, 1, 0, 1, 0, *won(1, 2), D3, D4),
        ("Abe", "Doi", 2, 0, 1, 0, 1, *won(0.5, 1), D8, D9), ("Chiba", "Doi", 2, 1, 0, 1, 0, *won(1, 2), D10, D10),
        ("Baba", "Chiba", 1, 0, 0, 1, 0, *won(0, 1), D5, D5), ("Baba", "Doi", 1, 0, 0, 0, 1, *NOTHING, None, None)]),
    ("head_to_head", Filters(player="Doi", opponent="Chiba"), {}, [
        ("Doi", "Chiba", 2, 1, 0, 1, 0, *won(1, 2), D10, D10)]),
    # the points of players; Baba and Doi met in 13 only, which has no result
    ("crosstable", None, {}, [
        (1, "Abe", 3, 6, *won(3, 6), None, "1/2", "1.5/3", "0.5/1"), (2, "Chiba", 3, 5, *won(3, 5), "1/2", None, "1/1", "1/2"),
        (3, "Baba", 1.5, 4, *won(1.5, 4), "1.5/3", "0/1", None, None), (4, "Doi", 1.5, 3, *won(1.5, 3), "0.5/1", "1/2", None, None)]),
    ("duplicates", None, {}, [
        (2, 1, 1, [4], ["Chiba - Abe"], ["a.usi", "b.usi"]), (2, 2, 0, [5, 10], ["Baba - Chiba", "Doi - Chiba"], ["a.usi"])]),
    ("contained", None, {}, [
        (8, 1, "Doi", "Abe", D8, "impasse", 1, 3, "Abe", "Baba"), (13, 1, "Doi", "Baba", None, None, 3, 3, "Abe", "Chiba")]),
    # 7g7f 3c3d begins 1 and 2, which are as long; 5 and 10 are no longer than each other
    ("prefix_duplicates", None, {}, [
        (5, 2, "Baba", "Chiba", D5, "resign", 1, 3, "Abe", "Baba"), (8, 1, "Doi", "Abe", D8, "impasse", 1, 3, "Abe", "Baba"),
        (9, 2, "Abe", "Doi", D9, "interrupted", 3, 3, "Abe", "Chiba"), (10, 2, "Doi", "Chiba", D10, "illegal", 1, 3, "Abe", "Baba"),
        (13, 1, "Doi", "Baba", None, None, 3, 3, "Abe", "Chiba")]),
    # the start position stands after 0, 4, 8 and 12 plies
    ("repetitions", None, {}, [(7, 4, 12, 12, "repetition", "repetition", "ended there")]),
    ("repetitions", None, {"times": 3}, [(7, 4, 8, 12, "repetition", "repetition", "played on")]),
    ("repetitions", None, {"times": 5}, [(7, None, None, 12, "repetition", "repetition", "not there")]),
    ("rejects", None, {}, [("K404", 2, "two pawns", "a.usi", 7), ("K203", 1, "no move", "a.usi", 8)]),
    # 13 games of shogi in it, 14 of any kind
    ("sources", None, {}, [
        ("a.usi", "csa", "utf-8", 5, 13, 14, 3, D1, day("2022-06-10")), ("b.usi", "csa", "utf-8", 5, 0, 0, 0, None, None)]),
    # Black's pawns at the end of 11 games: 7f in 1 2 3 4 5 8 10, 6f in 2, 2f in 1 3 6 9 13, the others at home
    ("heat_map", None, {"man": "P"}, [
        *((rank, *[0] * 9) for rank in "abcde"), ("f", 0, 0, 7, 1, 0, 0, 0, 5, 0), ("g", 11, 11, 4, 10, 11, 11, 11, 6, 11),
        *((rank, *[0] * 9) for rank in "hi")]),
]


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with hand_made() as opened:
        yield opened


@pytest.mark.parametrize(("name", "filters", "given", "expected"), BY_HAND, ids=[f"{case[0]}-{n}" for n, case in enumerate(BY_HAND)])
def test_by_hand(database: Database, name: str, filters: Filters | None, given: dict[str, Any],
                 expected: list[tuple[Any, ...]]) -> None:
    _, found = catalog.run(database, name, filters, **given)
    assert list(found) == expected


def test_starts_of_any_kind() -> None:
    """A start that is no handicap's is none; and the position counts where games begin alike, not how it is written."""
    short = toy.row([(0, 1)], variant="shogi", handicap="other", start_sfen="one way of writing it")
    longer = toy.row([(0, 1), (1, 1)], variant="shogi", handicap="lance")
    with in_memory([(toy.source("a.usi"), [short, longer], [])]) as database:
        assert [row[:2] for row in catalog.run(database, "handicaps").rows] == [("lance", 1)]
        for name in ("prefix_duplicates", "contained"):
            assert [(row[0], row[6]) for row in catalog.run(database, name).rows] == [(1, 2)], name


def test_every_query_is_proven_twice() -> None:
    """By hand here, by brute force in test_stats_brute. One of no group is the inside of a command."""
    assert {query.name for query in QUERIES} == {case[0] for case in BY_HAND}
    for query in QUERIES:
        assert hasattr(stats_brute, query.name) or hasattr(stats_brute_players, query.name), query.name
    root = Path(__file__).parents[2]
    texts = [path.read_text(encoding="utf-8") for folder in ("kifu", "cli", "tests")
             for path in (root / folder).rglob("*.py")]
    for name in set(catalog.names()) - {query.name for query in QUERIES}:
        assert any(f'"{name}"' in text for text in texts), f"{name} has no group, and nothing asks it"


def test_intervals_are_those_of_wilson() -> None:
    """4 of 7: 0.5714 moves to 0.5461, 0.2957 either way; computed on paper. 7 of 10 as in any textbook."""
    assert won(4, 7)[1:] == (0.2505, 0.8418)
    assert won(7, 10)[1:] == (0.3968, 0.8922)


def test_percentages_of_wins_have_their_intervals(database: Database) -> None:
    """A score or a rate stands before its two bounds, in every query; only the part that was drawn has none."""
    for query in QUERIES:
        given = {"key": at(), "player": "Abe"}
        columns, _ = catalog.run(database, query.name, **{name: given[name] for name in given if name in query.parameters})
        for place, column in enumerate(columns):
            if column.endswith(("score", "win_rate")):
                stem = column.rpartition("_")[2]
                assert columns[place + 1:place + 3] == [f"{stem}_low", f"{stem}_high"], query.name
            else:
                assert "rate" not in column or column in ("draw_rate", "rate_low", "rate_high"), (query.name, column)
