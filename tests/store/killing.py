"""Kills `kifu load` with -9 at seeded moments, looks at what it left each time, and finishes the load at last.

    python tests/store/killing.py [--kills 20] [--seed 1] [--files 40] [--games 25]

prints a log, one line a kill. A moment is a statement of SQL and a delay behind its start, so that moments fall into
the creation of the file, into inserts, commits, the building of openings and the last checkpoint, each as often as it
has statements. Every other kill begins with no database; the others hit a load that goes on where the last was killed.
"""
from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

#: Runs the command line with small batches. Counts the statements of SQL into a file, and kills itself, workers and
#: all, a moment after it has begun the one it was told.
VICTIM = """
import os, signal, sys, threading, time
from kifu.store import database, loader
from kifu.cli import main
at, delay, told = int(sys.argv[1]), float(sys.argv[2]), os.open(sys.argv[3], os.O_WRONLY)
loader.BATCH_PLIES = 1200
count, lock = 0, threading.Lock()

def kill():
    time.sleep(delay)
    os.killpg(0, signal.SIGKILL)

def counted(plain):
    def asked(self, sql, parameters=None):
        global count
        with lock:
            count += 1
            reached = count == at
            words = " ".join(line for line in sql.splitlines() if not line.startswith("--"))
            os.pwrite(told, f"{count} {' '.join(words.split())}".encode()[:80].ljust(80), 0)
        if reached:
            threading.Thread(target=kill, daemon=True).start()
        return plain(self, sql, parameters)
    return asked

for name in ("rows", "work"):
    setattr(database.Database, name, counted(getattr(database.Database, name)))
sys.argv[1:] = sys.argv[4:]
sys.exit(main())
"""
#: What the games and the rest must be, whatever way they came there; numbers of rows and batches left aside.
CONTENT = {
    "games": "SELECT path, source_offset, game_hash, black, plies, moves FROM games JOIN sources USING (source_id)",
    "plies": "SELECT game_hash, key, move, ply FROM plies JOIN games USING (game_id)",
    "openings": "SELECT key, move, next_key, games, black_wins, white_wins, min_ply FROM openings",
    "contained": "SELECT game_hash FROM contained JOIN games USING (game_id)",
    "tags": "SELECT game_hash, side, kind, tag, t.ply FROM game_tags t JOIN games USING (game_id)",
    "named": "FROM named_positions",
    "names": "FROM tag_names",
    "rejects": "SELECT path, r.source_offset, code FROM rejects r JOIN sources USING (source_id)",
    "sources": "SELECT path, sha256, games_ok, games_rejected FROM sources",
    "fresh": "SELECT key, value FROM meta WHERE key IN ('openings', 'contained', 'tag_patterns')",
}


def make_games(folder: Path, files: int, games: int, seed: int) -> None:
    """Files of random games in USI, one in ten of them with an illegal game."""
    import real_games as real

    folder.mkdir()
    dice = random.Random(seed)
    for number in range(files):
        lines = [f"position startpos moves {' '.join(real.random_moves(dice, 60))}" for _ in range(games)]
        if number % 10 == 9:
            lines.append("position startpos moves 7g7e")
        (folder / f"{number:03}.usi").write_text("\n".join(lines) + "\n")


def load(folder: Path, path: Path, at: int = -1, delay: float = 0.0) -> tuple[bool, int, str]:
    """Load the games; returns whether it was killed, the number of the last statement of SQL, and its beginning."""
    told = path.with_name("statement.txt")
    told.write_text("0 none")
    victim = subprocess.run([sys.executable, "-c", VICTIM, str(at), str(delay), str(told), "load", str(folder), "--db",
                             str(path), "--dedupe", "none", "--quiet", "--jobs", "2"],
                            capture_output=True, text=True, check=False, start_new_session=True)
    if victim.returncode not in (-9, 0, 1) or victim.returncode == -9 and at < 0:  # 1: there are illegal games
        raise AssertionError(f"status {victim.returncode}: {victim.stderr}")
    number, _, statement = told.read_text(errors="replace").strip().partition(" ")
    return victim.returncode == -9, int(number), statement


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that the files brought, and what is derived from it."""
    from kifu.store.database import Database

    with Database.open(path) as database:
        return {name: database.rows(f"{question} ORDER BY ALL") for name, question in CONTENT.items()}


def consistent(path: Path) -> tuple[int, str]:
    """See that only whole batches are in, and that every row of them is right; returns the games, and words."""
    from kifu.store.database import Database
    from kifu.store.verify import verify

    with Database.open(path) as database:
        value = database.value
        games: int = value("SELECT count(*) FROM games")
        assert value("SELECT count(*) FROM plies") == value("SELECT coalesce(sum(plies), 0) + count(*) FROM games")
        assert value("SELECT count(*) FROM sources ANTI JOIN batches USING (batch_id)") == 0
        found = [str(finding) for finding in verify(database)]
        assert found == [], found[:5]
        return games, (f"{games:5} games in {value('SELECT count(*) FROM batches'):2} batches, openings "
                       f"{database.meta('openings')}, verify finds nothing")


def run(folder: Path, kills: int, seed: int, files: int, games: int, say: Callable[[str], None]) -> None:
    """All of it, in a folder of its own. Raises AssertionError where anything is not as it must be."""
    dice = random.Random(seed)
    sources, path = folder / "games", folder / "killed.duckdb"
    make_games(sources, files, games, seed)
    whole = folder / "whole.duckdb"
    _, statements, _ = load(sources, whole)
    expected = contents(whole)
    total = len(expected["games"])
    say(f"{total} games of {files} files; a load that nobody disturbs: {statements} statements of SQL, "
        f"{consistent(whole)[1].strip()}")
    before = 0
    for kill in range(kills):
        if kill % 2 == 0:
            for left in folder.glob("killed.duckdb*"):
                left.unlink()
            before = 0
            at = 1 + int((kill + dice.random()) / kills * statements)
        else:
            at = 1 + int(dice.random() * statements * (1 - 0.8 * before / total))
        delay = 0.0001 * 200 ** dice.random()  # from 0.1 to 20 milliseconds, short ones as often as long ones
        killed, reached, statement = load(sources, path, at, delay)
        begun = "from nothing" if kill % 2 == 0 else "going on    "
        where = f"at statement {reached:3}, {1000 * delay:4.1f} ms behind: {statement[:36]:36}" if killed \
            else f"{'not killed: it had finished before':71}"
        if path.exists():
            now, words = consistent(path)
            assert now >= before, f"{before - now} games are gone"
            before = now
        else:
            words = "    no file yet"
        say(f"kill {kill + 1:2}, {begun}, {where} | {words}")
    load(sources, path)
    assert contents(path) == expected, [name for name, rows in contents(path).items() if rows != expected[name]]
    _, words = consistent(path)
    say(f"the load finished: {words.strip()}; the same rows as of the load that nobody disturbed")
    left = sorted(one.name for one in folder.glob("killed.duckdb.*"))
    say(f"beside it: {', '.join(left) or 'nothing'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, default in (("kills", 20), ("seed", 1), ("files", 40), ("games", 25)):
        parser.add_argument(f"--{name}", type=int, default=default)
    chosen = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), chosen.kills, chosen.seed, chosen.files, chosen.games, print)


if __name__ == "__main__":
    main()
