"""What each query of `kifu stats` must give, counted in plain Python: one function of the same name a query.

Each takes the games that the filters let through, everything in the database, and the parameters; it gives the rows in
their order.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Any
from unittest.mock import ANY

from stats_world import Game, Side, World, asked_sides, by, dates, mean, nulls_last, ordered, part, scored, sides, tally

from kifu.store import moves as codes

Rows = list[tuple[Any, ...]]
Games = list[Game]


def scores(games: Iterable[Game]) -> tuple[Any, ...]:
    return tally(game.score for game in games)


def plies(games: Iterable[Game]) -> Any:
    return mean(game.plies for game in games)


def like(name: str | None, wanted: str) -> bool:
    return name is not None and fnmatchcase(name, wanted)


# --- results

def summary(games: Games, world: World) -> Rows:
    draws = ("repetition", "impasse")
    kinds: list[tuple[str, str, str, Callable[[Game], bool]]] = [
        ("games", "games", "棋譜数", lambda g: True),
        ("games", "without repetitions", "千日手を除く", lambda g: g.ended != "repetition"),
        ("results", "Black wins", "先手勝ち", lambda g: g.score == 1),
        ("results", "White wins", "後手勝ち", lambda g: g.score == -1),
        ("results", "repetition", "千日手", lambda g: g.score == 0 and g.ended == "repetition"),
        ("results", "impasse", "持将棋", lambda g: g.score == 0 and g.ended == "impasse"),
        ("results", "other draws", "その他の引き分け", lambda g: g.score == 0 and g.ended not in draws),
        ("results", "interrupted", "中断", lambda g: g.score is None and g.ended in ("interrupted", "sealed")),
        ("results", "unknown", "結果不明", lambda g: g.score is None and g.ended not in ("interrupted", "sealed")),
        ("wins by", "declaration", "宣言勝ち", lambda g: bool(g.score) and g.ended == "declaration"),
        ("wins by", "foul", "反則勝ち", lambda g: bool(g.score) and g.ended in ("illegal", "perpetual_check")),
        ("wins by", "timeout", "時間切れ勝ち", lambda g: bool(g.score) and g.ended == "timeout")]
    for tag in {t[2] for g in games for t in g.asked_tags if t[1] == "opening"}:
        kinds.append(("openings", tag, "", lambda g, tag=tag: any(t[1:3] == ("opening", tag) for t in g.asked_tags)))
    rows: Rows = []
    for which, measure, japanese, holds in kinds:
        found = [game for game in games if holds(game)]
        won = [game.score == 1 for game in found if game.score] if which in ("games", "openings") else []
        rows.append((which, measure, japanese or None, len(found), part(len(found), len(games)) if games else None,
                     *scored(sum(won), len(won)), plies(found)))
    return rows[:12] + ordered(rows[12:], -4, 2)


def results(games: Games, world: World) -> Rows:
    rows = []
    for (variant, handicap), found in by(games, lambda g: (g.variant, g.handicap)).items():
        n, wins, draws, losses, unknown, *score = scores(found)
        rows.append((variant, handicap, n, wins, losses, draws, unknown, *score, plies(found),
                     plies(g for g in found if g.ended != "repetition")))
    return ordered(rows, -3, 1, 2)


def handicaps(games: Games, world: World) -> Rows:
    odds = by((game for game in games if game.handicap not in ("even", "other")), lambda g: g.handicap)
    return ordered(((name, *scores(found), plies(found)) for name, found in odds.items()), -2, 1)


def terminations(games: Games, world: World) -> Rows:
    rows = []
    for end, found in by(games, lambda g: (g.end, g.verified_end, g.illegal_reason)).items():
        n, wins, draws, losses, unknown, *_ = scores(found)
        rows.append((*end, n, part(n, len(games)), wins, losses, draws, unknown, plies(found)))
    return ordered(rows, -4, 1, 2, 3)


def lengths(games: Games, world: World, width: int = 20) -> Rows:
    bars = Counter(game.plies // width * width for game in games)
    return [(at, at + width - 1, n, part(n, len(games)), ANY) for at, n in sorted(bars.items())]


def rating_bands(games: Games, world: World, width: int = 200) -> Rows:
    rated = [game for game in games if game.black_rating is not None and game.white_rating is not None]
    bands = by(rated, lambda g: (g.black_rating + g.white_rating) // (2 * width) * width)
    return [(low, low + width - 1, *scores(found), plies(found)) for low, found in sorted(bands.items())]


def upsets(games: Games, world: World, gap: int = 300) -> Rows:
    rows = []
    for side in sides(games):
        if side.own != 1 or side.rating is None or side.opponent_rating is None:
            continue
        found = side.opponent_rating - side.rating
        if found >= max(gap, 1):
            game = side.game
            rows.append((game.id, game.date, game.event, side.side, side.player, side.opponent, side.rating,
                         side.opponent_rating, found, game.ended, game.plies))
    return ordered(rows, -9, 1)


def times(games: Games, world: World, width: int = 20) -> Rows:
    thoughts = [(ply, seconds) for game in games for ply, seconds in enumerate(game.seconds or [], 1) if seconds is not None]
    rows = []
    for bar, found in sorted(by(thoughts, lambda t: (t[0] - 1) // width).items()):
        each = sorted(seconds for _, seconds in found)
        rows.append((bar * width + 1, bar * width + width, len(each), mean(each), each[(len(each) - 1) // 2], each[-1],
                     mean(s for ply, s in found if ply % 2), mean(s for ply, s in found if not ply % 2)))
    return rows


# --- openings and castles

def _tagged(games: Games, kind: str) -> dict[str, Games]:
    """The games of each tag, once however many sides have it."""
    found: dict[str, Games] = {}
    for game in games:
        for tag in {t[2] for t in game.asked_tags if t[1] == kind}:
            found.setdefault(tag, []).append(game)
    return found


def senkei(games: Games, world: World) -> Rows:
    return ordered(((tag, *scores(found), part(len(found), len(games)), plies(found),
                     mean(min(t[3] for t in game.asked_tags if t[1:3] == ("opening", tag)) for game in found))
                    for tag, found in _tagged(games, "opening").items()), -2, 1)


def senkei_by_year(games: Games, world: World, min_games: int = 1) -> Rows:
    rows = []
    for year, ofyear in by(games, lambda g: g.date.year if g.date else None).items():
        for tag, found in _tagged(ofyear, "opening").items():
            if len(found) >= min_games:
                decided = [game.score == 0 for game in found if game.score is not None]
                rows.append((year, tag, *scores(found), part(len(found), len(ofyear)), mean(decided, 4)))
    return ordered(rows, 1, -3, 2)


def tags(games: Games, world: World, kind: str = "castle") -> Rows:
    rows = []
    for tag, found in _tagged(games, kind).items():
        had = [(side.own, t[3]) for side in sides(found) for t in side.game.asked_tags if t[:3] == (side.side, kind, tag)]
        had += [(None, t[3]) for game in found for t in game.tags if t[:3] == ("both", kind, tag)]
        n, wins, draws, losses, _, *score = tally(own for own, _ in had)
        rows.append((tag, n, len(found), wins, losses, draws, *score, mean(ply for _, ply in had)))
    return ordered(rows, -2, 1)


def opening_matrix(games: Games, world: World, top: int = 12, player: str | None = None) -> Rows:
    """The cells as a mapping; a row is (opening of Black or of the player, {the other side's: cell})."""
    played = {game.id: {s: [t[2] for t in game.tags if t[:2] == (s, "opening")] for s in ("black", "white")}
              for game in games}
    counts = Counter(tag for both in played.values() for tags in both.values() for tag in tags)
    frequent = sorted(counts, key=lambda tag: (-counts[tag], tag))[:top]
    cells: dict[str, dict[str, list[int | None]]] = {}
    for side in asked_sides(games):
        if player is None and side.side == "white":
            continue
        for own in played[side.game.id][side.side]:
            for other in played[side.game.id]["white" if side.side == "black" else "black"]:
                if own in frequent and other in frequent:
                    cells.setdefault(own, {}).setdefault(other, []).append(side.own)
    return [(own, {other: _cell(found) for other, found in sorted(row.items())}) for own, row in sorted(cells.items())]


def _cell(found: list[int | None]) -> str:
    decided = [score for score in found if score is not None]
    if not decided:
        return "- of 0"
    score, low, high = (100 * bound.value for bound in scored(sum((s + 1) / 2 for s in decided), len(decided)))
    return f"{score:.0f}% ({low:.0f}-{high:.0f}) of {len(decided)}"


def castle_matrix(games: Games, world: World, min_games: int = 1) -> Rows:
    pairs: dict[tuple[str, str], list[tuple[int | None, int, int]]] = {}
    for side in asked_sides(games):
        for ours in side.game.tags:
            for theirs in side.game.tags:
                if ours[1] == theirs[1] == "castle" and ours[0] == side.side and theirs[0] not in ("both", side.side):
                    pairs.setdefault((ours[2], theirs[2]), []).append((side.own, ours[3], theirs[3]))
    return ordered(((*pair, *tally(f[0] for f in found), mean(f[1] for f in found), mean(f[2] for f in found))
                    for pair, found in pairs.items() if len(found) >= min_games), -3, 1, 2)


def castles_by_rating(games: Games, world: World, width: int = 200, top: int = 5) -> Rows:
    bands = by((side for side in asked_sides(games) if side.rating is not None), lambda s: s.rating // width * width)
    rows: Rows = []
    for low, found in sorted(bands.items()):
        castles: dict[str, list[Side]] = {}
        for side in found:
            for t in side.game.tags:
                if t[:2] == (side.side, "castle"):
                    castles.setdefault(t[2], []).append(side)
        band = [(low, low + width - 1, tag, *tally(s.own for s in had), part(len(had), len(found)))
                for tag, had in castles.items()]
        rows += ordered(band, -4, 3)[:top]
    return rows


def first_moves(games: Games, world: World, plies: int = 3, ranks: int = 9) -> Rows:
    long = [game for game in games if game.plies >= plies]
    begun = by(long, lambda g: " ".join(g.moves[:plies]))
    return ordered(((line, *scores(found), part(len(found), len(long))) for line, found in begun.items()), -2, 1)


def _known(world: World) -> set[int]:
    """Positions of two games or more."""
    return {key for key, n in Counter(key for game in world.games for key in set(game.keys)).items() if n > 1}


def novelty_ply(games: Games, world: World) -> Rows:
    known = _known(world)
    left = Counter(next((ply for ply, key in enumerate(g.keys) if key not in known), None) for g in games)
    rows, until = [], 0
    for ply in sorted(left, key=nulls_last):
        until += left[ply]
        rows.append((ply, left[ply], part(left[ply], len(games)), part(until, len(games))))
    return rows


def _played(games: Iterable[Game], key: int) -> dict[int, list[tuple[Game, int]]]:
    """Move code -> the games whose last visit to the position went on with it, and when; 0 for those that ended."""
    found: dict[int, list[tuple[Game, int]]] = {}
    for game in games:
        ply = game.last_visits.get(key)
        if ply is not None:
            found.setdefault(game.codes[ply] if ply < game.plies else 0, []).append((game, ply))
    return found


def book(games: Games, world: World, min_games: int = 5, max_ply: int = 40, ranks: int = 9) -> Rows:
    reached: dict[int, Games] = {}
    kinds = {game.id: game.row["variant"] for game in world.games}
    for game in world.games:
        for key in game.last_visits:
            reached.setdefault(key, []).append(game)
    rows = []
    for key in _known(world):
        chosen = [(code, found) for code, found in _played(reached[key], key).items()
                  if code and len(found) >= min_games and min(ply for _, ply in found) <= max_ply]
        # keys tell kinds of shogi apart; where, as in these made-up games, they do not, the best game does
        chosen = [one for one in chosen if kinds[_best(game for game, _ in one[1])] == "shogi"]
        if chosen:
            chosen.sort(key=lambda item: (-len(item[1]), item[0]))
            best = [_best(game for game, _ in found) for _, found in chosen if len(found) == len(chosen[0][1])]
            rows.append((key, min(ply for _, found in chosen for _, ply in found), sum(len(f) for _, f in chosen),
                         [{"move": codes.usi(code), "games": len(found)} for code, found in chosen], min(best)))
    return ordered(rows, 2, -3, 1)


def _best(games: Iterable[Game]) -> int:
    """The game of the highest ratings together, the first of equals."""
    return min((-(g.black_rating + g.white_rating) if None not in (g.black_rating, g.white_rating) else 0, g.id)
               for g in games)[1]


# --- a position

def score_of_position(games: Games, world: World, key: int) -> Rows:
    at = [visit for found in _played(games, key).values() for visit in found]
    when = [ply for _, ply in at]
    return [(*scores(g for g, _ in at), min(when, default=None), max(when, default=None), *dates(g for g, _ in at))]


def repertoire(games: Games, world: World, key: int, player: str, turn: str = "black", ranks: int = 9) -> Rows:
    sign = 1 if turn == "black" else -1
    here = {code: [g for g, _ in found if like(g.row[turn], player) and turn in g.asked] for code, found in _played(games, key).items() if code}
    every = sum(map(len, here.values()))
    return _moves((code, (len(found),), (*tally(g.score and sign * g.score for g in found), part(len(found), every),
                                         dates(found)[1])) for code, found in here.items() if found)


def _moves(rows: Iterable[tuple[int, tuple[Any, ...], tuple[Any, ...]]]) -> Rows:
    """Rows of moves: the move in USI, then the columns; the greatest count first, then by the code of the move."""
    return [(codes.usi(code), *columns) for code, _, columns in sorted(rows, key=lambda r: (-r[1][0], r[0]))]


def transpositions(games: Games, world: World, key: int, ranks: int = 9) -> Rows:
    rows = []
    for code, found in _played(games, key).items():
        if code:
            after = found[0][0].keys[found[0][1] + 1]
            reached = [game for game in games if after in game.keys]
            rows.append((code, (len(found),), (len(found), len(reached) - len(found), *scores(reached))))
    return _moves(rows)


def trend(games: Games, world: World, key: int, top: int = 3, ranks: int = 9) -> Rows:
    rows: Rows = []
    years = by(games, lambda g: g.date.year if g.date else None)
    for year in sorted(years, key=nulls_last):
        here = {code: [g for g, _ in found] for code, found in _played(years[year], key).items() if code}
        every = sum(map(len, here.values()))
        rows += [(year, *row) for row in _moves((code, (len(found),), (*scores(found), part(len(found), every)))
                                                for code, found in here.items())[:top]]
    return rows


def novelties(games: Games, world: World, key: int, ranks: int = 9) -> Rows:
    rows = []
    for code, found in _played(games, key).items():
        if code:
            first = min((game for game, _ in found), key=lambda g: (nulls_last(g.date), g.id))
            rows.append((codes.usi(code), len(found), first.date, first.id, first.black, first.white, first.event))
    return ordered(rows, 3, 4)


def main_line(games: Games, world: World, key: int, depth: int = 30, min_games: int = 2, ranks: int = 9) -> Rows:
    known, rows = _known(world), []
    while len(rows) < depth and key in known:
        played = {code: found for code, found in _played(world.games, key).items() if code}
        if not played:
            break
        code = min(played, key=lambda c: (-len(played[c]), c))
        found = played[code]
        if len(found) < min_games:
            break
        key = found[0][0].keys[found[0][1] + 1]
        rows.append((len(rows) + 1, codes.usi(code), *scores(g for g, _ in found),
                     part(len(found), sum(map(len, played.values()))), key))
    return rows
