"""As stats_brute: the queries about players, those about the data, and the heat map."""
from __future__ import annotations

from collections import Counter
from typing import Any

from stats_brute import Games, Rows, like
from stats_world import Near, Side, World, asked_sides, by, dates, mean, ordered, sides, tally, wilson

FOULS = ("illegal", "perpetual_check")


def _of_players(games: Games) -> dict[str, list[Side]]:
    return by((side for side in sides(games) if side.player is not None), lambda s: s.player or "")


def _days(found: list[Side]) -> tuple[Any, Any]:
    return dates(side.game for side in found)


def players(games: Games, world: World, min_games: int = 1) -> Rows:
    rows = []
    for name, found in _of_players(games).items():
        rated = [s for s in found if s.rating is not None]
        latest = max(rated, key=lambda s: (s.game.date.toordinal() if s.game.date else 0, s.game.id), default=None)
        if len(found) >= min_games:
            rows.append((name, *tally(s.own for s in found), *(sum(s.side == c for s in found) for c in ("black", "white")),
                         latest.rating if latest else None, *_days(found)))
    return ordered(rows, -2, 1)


def player(games: Games, world: World, player: str) -> Rows:
    mine = [s for s in asked_sides(games) if like(s.player, player)]
    rows = []
    for name in ("black", "white", "all"):
        found = [s for s in mine if name in ("all", s.side)]
        if found:
            ends = [sum(s.own == own and s.game.ended in kinds for s in found)
                    for kinds in (("timeout",), FOULS) for own in (1, -1)]
            rows.append((name, *tally(s.own for s in found), *ends, mean((s.rating for s in found), 0),
                         mean((s.opponent_rating for s in found), 0), mean(s.game.plies for s in found), *_days(found)))
    return rows


def performance(games: Games, world: World, min_games: int = 1) -> Rows:
    rows = []
    for name, found in _of_players(games).items():
        found = [s for s in found if s.opponent_rating is not None and s.own is not None]
        if len(found) >= max(min_games, 1):
            opponents = sum(s.opponent_rating or 0 for s in found) / len(found)
            points = sum(((s.own or 0) + 1) / 2 for s in found)
            bounds = [opponents + 400 * (2 * p - 1) for p in (points / len(found), *wilson(points, len(found)))]
            rows.append((name, *tally(s.own for s in found), Near(opponents, 0), *(Near(b, 0) for b in bounds)))
    return sorted(rows, key=lambda row: (-_rounded(row[10].value), row[0]))


def _rounded(value: float) -> int:
    """As SQL rounds: halves away from zero."""
    return int(abs(value) + 0.5) * (1 if value >= 0 else -1)


def head_to_head(games: Games, world: World, player: str | None = None, min_games: int = 1) -> Rows:
    met = [s for s in sides(games) if s.player is not None and s.opponent is not None]
    if player is None:
        met = [s for s in met if (s.player, s.side) < (s.opponent, "c") and (s.player != s.opponent or s.side == "black")]
    else:
        met = [s for s in met if like(s.player, player) and s.side in s.game.asked]
    return ordered(((*pair, *tally(s.own for s in found), *_days(found))
                    for pair, found in by(met, lambda s: (s.player, s.opponent)).items() if len(found) >= min_games),
                   -3, 1, 2)


def crosstable(games: Games, world: World, top: int = 16) -> Rows:
    """The cells as a mapping: (number, player, points, games, score, interval, {number of the opponent: cell})."""
    counts = Counter(s.player for s in sides(games) if s.player is not None)
    frequent = sorted(counts, key=lambda name: (-counts[name], name))[:top]
    met = [s for s in sides(games) if s.own is not None and s.player in frequent and s.opponent in frequent]
    met_by = by(met, lambda s: s.player)
    ranks = {name: n for n, name in enumerate(sorted(met_by, key=lambda name: (-_points(met_by[name]), name)), 1)}
    rows = []
    for name, found in met_by.items():
        cells = {str(ranks[opponent]).zfill(len(str(len(ranks)))): f"{_points(against):g}/{len(against)}"
                 for opponent, against in by(found, lambda s: s.opponent).items()}
        rows.append((ranks[name], name, _points(found), len(found), *tally(s.own for s in found)[5:], cells))
    return ordered(rows, 1)


def _points(found: list[Side]) -> float:
    return sum(((s.own or 0) + 1) / 2 for s in found)


# --- care of the data

def duplicates(games: Games, world: World) -> Rows:
    chosen = {game.id for game in games}
    paths = {source["source_id"]: source["path"] for source in world.tables["sources"]}
    rows = []
    for found in by(games, lambda g: (g.variant, g.start_sfen, g.handicap, tuple(g.codes))).values():
        ids = sorted(game.id for game in found)
        copies = [copy for copy in world.tables["copies"] if copy["game_id"] in chosen and copy["game_id"] in ids]
        if len(ids) + len(copies) > 1:
            names = sorted({f"{game.black or '?'} - {game.white or '?'}" for game in found})
            where = {paths[game.source_id] for game in found} | {paths[copy["source_id"]] for copy in copies}
            rows.append((found[0].plies, len(ids), len(copies), ids, names, sorted(where)))
    return sorted(rows, key=lambda row: (-row[1] - row[2], row[3]))


def _longer(shorter: Any, longer: Any) -> tuple[Any, ...]:
    return (shorter.id, shorter.plies, shorter.black, shorter.white, shorter.date, shorter.ended, longer.id, longer.plies,
            longer.black, longer.white)


def contained(games: Games, world: World) -> Rows:
    every, chosen = {game.id: game for game in world.games}, {game.id for game in games}
    return ordered((_longer(every[row["game_id"]], every[row["longer_id"]]) for row in world.tables["contained"]
                    if row["game_id"] in chosen), 1)


def prefix_duplicates(games: Games, world: World) -> Rows:
    begun: dict[tuple[Any, ...], list[Any]] = {}
    for game in world.games:
        for plies in range(1, game.plies):
            begun.setdefault((game.variant, game.keys[0], *game.codes[:plies]), []).append(game)
    rows = []
    for game in games:
        longer = begun.get((game.variant, game.keys[0], *game.codes), []) if game.plies else []
        if longer:
            rows.append(_longer(game, min(longer, key=lambda g: (-g.plies, g.id))))
    return ordered(rows, 1)


def repetitions(games: Games, world: World, times: int = 4) -> Rows:
    rows = []
    for game in games:
        visits = [[ply for ply, key in enumerate(game.keys) if key == wanted] for wanted in set(game.keys)]
        back = [plies for plies in visits if len(plies) >= times]
        if back:
            ply = min(plies[times - 1] for plies in back)
            ended = "ended there" if game.ended in ("repetition", "perpetual_check") else "ended otherwise"
            remark = "played on" if ply < game.plies else ended
            rows.append((game.id, max(map(len, back)), ply, game.plies, game.end, game.verified_end, remark))
        elif game.ended == "repetition":
            rows.append((game.id, None, None, game.plies, game.end, game.verified_end, "not there"))
    return ordered(rows, 1)


def rejects(games: Games, world: World) -> Rows:
    paths = {source["source_id"]: source["path"] for source in world.tables["sources"]}
    rows = []
    for code, found in by(world.tables["rejects"], lambda r: r["code"]).items():
        first = min(found, key=lambda r: (r["source_id"], r["game_no"]))
        rows.append((code, len(found), first["message"], paths[first["source_id"]], first["line"]))
    return ordered(rows, -2, 1)


def sources(games: Games, world: World) -> Rows:
    mine = by(games, lambda g: g.source_id)
    return ordered(((*(s[name] for name in ("path", "format", "encoding", "size")), len(mine.get(s["source_id"], [])),
                     s["games_ok"], s["games_rejected"], *dates(mine.get(s["source_id"], [])))
                    for s in world.tables["sources"]), 1)


def heat_map(games: Games, world: World, man: str = "K", colour: str = "black", ply: int | None = None) -> Rows:
    kind = "PLNSGBRK".index(man[-1]) + 1 + 32 * man.startswith("+")
    wanted = {"black": [kind], "white": [kind + 64], "both": [kind, kind + 64]}[colour]
    at = {(game.id, game.plies if ply is None else ply) for game in games}
    boards = [board for board in world.tables["boards"] if (board["game_id"], board["ply"]) in at]
    return [(rank, *(sum(board[f"s{file}{rank}"] in wanted for board in boards) for file in range(9, 0, -1)))
            for rank in "abcdefghi"]
