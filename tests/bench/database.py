"""``make bench-database``: how a database of games is loaded, how large it is and how fast it answers, as it grows.

For each size games are loaded from CSA files of a thousand games by ``kifu load``, as a whole process, and asked: the
opening tree and the look-up of positions that many, some and few games reached, cold (the file's pages forgotten, a new
connection) and warm; every named query that needs no parameter; and commands as whole processes. The games follow each
other for 28 plies, as people's do (`games.draw`); so positions are shared. One table for all sizes, and everything in
bench/database.json.

    python -m tests.bench.database --sizes 10000,100000,300000
    python -m tests.bench.database --games all.csa --sizes 100000     # other games, in one file
"""
from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from kifu.store import catalog, openings, tree
from kifu.store.database import Database
from kifu.store.errors import StoreError
from tests.bench import games, measure
from tests.bench.table import text_table

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "bench"
CHUNK = 1000  # games of a file
SEED, KNOWN = 4, 28
#: Positions are asked for that so many games reached, or the nearest number that there is.
SHARED = (10_000, 1000, 100, 5, 1)
ROUNDS = 9


def main(arguments: list[str] | None = None) -> int:
    """Measure, print and write down."""
    chosen = parsed(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    found = [at_size(chosen, size) for size in chosen.sizes]
    about = measure.about()
    (chosen.out / "database.json").write_text(
        json.dumps({"about": about, "sizes": found}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(measure.told(about))
    print(shown(found))
    return 0


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """What was asked for."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.database", description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=[10_000, 100_000],
                         metavar="N,...", help="games (default 10000,100000)")
    options.add_argument("--games", type=Path, metavar="FILE", help="load this file, whole, instead of games made by seed")
    options.add_argument("--jobs", type=int, default=2, metavar="N", help="processes that read (default 2)")
    options.add_argument("--out", type=Path, default=OUT, help="folder for games, databases and results (default bench/)")
    options.add_argument("--load", nargs="*", default=[], metavar="OPTION", help="further options of kifu load, without --")
    return options.parse_args(arguments)


def at_size(chosen: argparse.Namespace, size: int) -> dict[str, Any]:
    """Everything that is measured with so many games: row of the table -> what it shows."""
    path = chosen.out / f"database-{size}.duckdb"
    path.unlink(missing_ok=True)
    inputs = [chosen.games] if chosen.games else corpus(chosen.out / "database-games", size)
    command = [sys.executable, "-m", "kifu", "load", *inputs, "--db", path, "--jobs", chosen.jobs, "--quiet",
               *(f"--{option}" for option in chosen.load)]
    load = measure.spend([str(word) for word in command])
    with Database.open(path) as database:
        [(loaded, plies)] = database.rows("SELECT count(*), sum(plies + 1)::BIGINT FROM games")
        found: dict[str, Any] = {
            "games": loaded, "positions": plies,
            "load, s by the clock": load.wall, "load, games a second by the clock": loaded / load.wall,
            "load, CPU s": load.cpu, "load, peak memory of a process, MB": load.peak / 1e6,
            "file, MB": path.stat().st_size / 1e6, "file, bytes a position": path.stat().st_size / plies,
        }
        keys = shared(database)
    found["openings built anew, s"] = rebuilt(path)
    for count, key in keys:
        where = f"position of {nearest(count)} games"
        found[f"tree, {where}, ms cold"] = cold(path, lambda database, key=key: tree.opening_tree(database, key))
        found[f"tree, {where}, ms warm"] = warm(path, lambda database, key=key: tree.opening_tree(database, key))
        found[f"look-up, {where}, ms cold"] = cold(path, lambda database, key=key: looked_up(database, key))
        found[f"look-up, {where}, ms warm"] = warm(path, lambda database, key=key: looked_up(database, key))
    for name, took in queries(path):
        found[f"query {name}, ms warm"] = took
    for words in (["openings"], ["openings", "--depth", "4", "--min-games", "20"], ["stats", "summary"]):
        told = " ".join(words)
        found[f"kifu {told}, ms of CPU"] = process([*words, "--db", str(path)]).cpu * 1e3
        found[f"kifu {told}, ms by the clock"] = process([*words, "--db", str(path)]).wall * 1e3
    return found


def corpus(folder: Path, count: int) -> list[Path]:
    """Files of a thousand games each; a process for each processor makes what is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:04}.csa" for number in range(-(-count // CHUNK))]
    missing = [path for path in paths if not path.exists()]
    with ProcessPoolExecutor() as pool:
        list(pool.map(draw, missing))
    return paths


def draw(path: Path) -> None:
    """Make one file; it is not there before it is whole."""
    first = int(path.stem) * CHUNK
    texts = [games.csa(games.draw(SEED, number, known=KNOWN)) for number in range(first, first + CHUNK)]
    part = path.with_suffix(f".part{os.getpid()}")
    part.write_text("/\n".join(texts), encoding="utf-8")
    part.rename(path)


def shared(database: Database) -> list[tuple[int, int]]:
    """Positions that so many games reached as `SHARED` says, or as near to it as there are: number of games and key."""
    found = []
    for count in SHARED:
        [(games_there, key)] = database.rows(
            "SELECT n, key FROM (SELECT key, count(DISTINCT game_id) AS n FROM plies WHERE ply > 0 GROUP BY key)"
            f" ORDER BY abs(ln(n) - ln({count})), key LIMIT 1")
        found.append((games_there, key))
    return list(dict.fromkeys(found))


def nearest(count: int) -> str:
    """The size that a position stands for, as `SHARED` has it: rows of different databases must have one name."""
    return f"{min(SHARED, key=lambda size: abs(size - count)):,}"


def looked_up(database: Database, key: int) -> list[tuple[Any, ...]]:
    """All games that reach a position."""
    return database.rows(f"SELECT game_id, ply, move FROM plies WHERE key = {key}")


def rebuilt(path: Path) -> float:
    """CPU seconds of building ``openings`` anew."""
    with Database.open(path, write=True) as database:
        began = time.process_time()
        with database.transaction():
            openings.fill(database)
        return time.process_time() - began


def cold(path: Path, ask: Callable[[Database], object]) -> float:
    """Milliseconds of a question to a database that was just opened, its pages not in memory; the median."""
    def once() -> float:
        forget(path)
        with Database.open(path) as database:
            began = time.perf_counter()
            ask(database)
            return time.perf_counter() - began
    return statistics.median(once() for _ in range(3)) * 1e3


def warm(path: Path, ask: Callable[[Database], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of a question that was asked before; the median."""
    with Database.open(path) as database:
        ask(database)
        return statistics.median(timed(lambda: ask(database)) for _ in range(rounds)) * 1e3


def timed(work: Callable[[], object]) -> float:
    """Seconds by the clock."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def queries(path: Path) -> Iterator[tuple[str, float]]:
    """Every named query that needs no parameter, and its milliseconds; those that the database cannot answer are not told."""
    for name in catalog.names():
        query = catalog.load(name)
        if any(parameter.required for parameter in query.parameters.values()):
            continue
        try:
            yield name, warm(path, lambda database, name=name: catalog.rows(database, name), rounds=3)  # type: ignore[misc]
        except StoreError:
            continue


def process(words: list[str]) -> measure.Usage:
    """The median of three runs of a command, by its CPU time."""
    runs = [measure.spend([sys.executable, "-m", "kifu", *words], status=(0, 1)) for _ in range(3)]
    return sorted(runs, key=lambda usage: usage.cpu)[1]


def forget(path: Path) -> None:
    """Have the system forget the pages of a file, where it can be told to."""
    if hasattr(os, "posix_fadvise"):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def shown(found: list[dict[str, Any]]) -> str:
    """The table, a column a size."""
    names = list(dict.fromkeys(name for column in found for name in column))
    rows = [[name, *(_number(column.get(name)) for column in found)] for name in names[1:]]
    return text_table(["", *(f"{column['games']:,} games" for column in found)], rows)


def _number(value: float | None) -> str:
    """
    >>> _number(12345.6), _number(3.14159), _number(None)
    ('12,346', '3.14', '')
    """
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
