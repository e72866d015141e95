"""Verification: every row of a database proven again, from the moves of the games.

Each game is played from its start with the rules of shogi. From that follow its own row, its rows of ``plies`` and
``boards``, and from those ``openings`` and ``contained``. The rest is bookkeeping: rows that refer to others, counts,
and whether tables and functions are those that this version makes. What only the record could tell (names, dates,
comments, claims of a result) is not looked at, nor are tags, which depend on the pattern files of their load.

Memory stays flat: of the rows that the moves imply, only a count and a sum of hashes a game is kept; where they differ
from the table's, that game is proven once more and its rows are compared one by one.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from kifu.store import contained, expected, moves, openings, reproof
from kifu.store.bookkeeping import bookkeeping, layout
from kifu.store.database import SCHEMA_VERSION, Database
from kifu.store.errors import DatabaseOlder
from kifu.store.expected import SQUARES_AND_HANDS
from kifu.store.reproof import Finding, Proof, Row

#: Games that are proven together.
GAMES_AT_ONCE = 2000
#: Games of which rows that differ are told one by one; of the others it is told that they differ.
MOST_TOLD = 20
#: What verifying may hold in memory before DuckDB uses the disk.
MEMORY = "512MB"

_PLIES = "count(*) AS n, sum(hash(key, move::UINTEGER, ply::INTEGER)) AS print"
_BOARDS = f"count(*) AS n, sum(hash(ply::INTEGER, {', '.join(SQUARES_AND_HANDS)})) AS print"
Progress = Callable[[int], None]


def verify(database: Database, progress: Progress | None = None) -> Iterator[Finding]:
    """All that is wrong with a database, as it is found. ``progress`` is called with the number of games proven since.

    Nothing is written: what is worked out stands in temporary tables. Raises `DatabaseOlder` for tables of an earlier
    version.
    """
    if database.found_version < SCHEMA_VERSION:
        raise DatabaseOlder(database.path, f"schema {database.found_version}", "tables that verifying looks at")
    if database.path != ":memory:":
        database.run(f"SET memory_limit = '{MEMORY}'")
    wrong = list(layout(database))
    yield from wrong
    if any(finding.table == "meta" for finding in wrong):
        return  # no use in looking for rows in tables that are not there
    yield from bookkeeping(database)
    kept = database.meta("boards") is not None
    boards = kept or bool(database.value("SELECT count(*) FROM boards"))
    yield from _games(database, boards, progress)
    yield from _differing(database, "plies", _PLIES, _plies_of, True)
    if boards:
        yield from _differing(database, "boards", _BOARDS, _boards_of, kept)
    if database.meta("openings") == "fresh":
        yield from _openings(database)
        yield from _contained(database)


# --- games, and the rows of each

def _games(database: Database, boards: bool, progress: Progress | None) -> Iterator[Finding]:
    """Prove every game, and keep what its rows of plies and boards must come to."""
    for name in ("plies", "boards"):
        database.run(f"CREATE OR REPLACE TEMP TABLE expected_{name} (game_id INTEGER, n BIGINT, print HUGEINT)")
    last = -(1 << 31)
    while rows := database.work(f"SELECT {reproof.COLUMNS} FROM games WHERE game_id > $last ORDER BY game_id"
                                f" LIMIT {GAMES_AT_ONCE}", {"last": last}):
        games = [Row(*row) for row in rows]
        proofs = [reproof.prove(game) for game in games]
        for proof in proofs:
            yield from proof.findings
        ids = [game.game_id for game, proof in zip(games, proofs, strict=True) if proof.start is not None]
        proofs = [proof for proof in proofs if proof.start is not None]
        _expect(database, "plies", _PLIES, expected.plies(ids, proofs))
        if boards:
            _expect(database, "boards", _BOARDS, expected.boards(ids, proofs))
        last = games[-1].game_id
        if progress:
            progress(len(games))


def _expect(database: Database, table: str, prints: str, rows: Any) -> None:
    with database.views(proven_rows=rows):
        database.work(f"INSERT INTO expected_{table} SELECT game_id, {prints} FROM proven_rows GROUP BY game_id")


def _differing(database: Database, table: str, prints: str,
               rows_of: Callable[[Database, Row, Proof], Iterator[Finding]], every: bool) -> Iterator[Finding]:
    """The rows of a table that differ from what the moves imply; without ``every`` a game may have none at all."""
    whole = "FULL" if every else "RIGHT"
    differing = [game_id for game_id, in database.work(
        f"SELECT coalesce(e.game_id, a.game_id) FROM expected_{table} e {whole} JOIN"
        f" (SELECT game_id, {prints} FROM {table} GROUP BY game_id) a ON a.game_id = e.game_id"
        " WHERE e.n IS DISTINCT FROM a.n OR e.print IS DISTINCT FROM a.print ORDER BY ALL")]
    for game_id in differing[:MOST_TOLD]:
        found = database.rows(f"SELECT {reproof.COLUMNS} FROM games WHERE game_id = $game", {"game": game_id})
        if not found:
            yield Finding(table, "it has rows here and none in games" if game_id is not None else "rows of no game",
                          game_id)
            continue
        game = Row(*found[0])
        yield from rows_of(database, game, reproof.prove(game))
    if len(differing) > MOST_TOLD:
        yield Finding(table, f"the rows of {len(differing) - MOST_TOLD} more games differ from what their moves imply")


def _plies_of(database: Database, game: Row, proof: Proof) -> Iterator[Finding]:
    """What is wrong with the plies of one game."""
    if proof.start is None:
        yield Finding("plies", "its rows cannot be proven: the game has no start to play from", game.game_id)
        return
    wanted = list(zip(proof.keys, [*moves.decode(proof.codes), moves.ENDED], strict=True))
    seen: set[int | None] = set()
    for ply, key, code in database.rows("SELECT ply, key, move FROM plies WHERE game_id = $game ORDER BY ALL",
                                        {"game": game.game_id}):
        if ply in seen:
            yield Finding("plies", "there is more than one row", game.game_id, ply)
        elif ply is None or not 0 <= ply < len(wanted):
            yield Finding("plies", f"a row too many: the game has {len(wanted) - 1} legal plies", game.game_id, ply)
        else:
            if key != wanted[ply][0]:
                yield Finding("plies", f"key is {key}, and the position has {wanted[ply][0]}", game.game_id, ply)
            if code != wanted[ply][1]:
                yield Finding("plies", f"move is {_move(code)}, and games.moves has {_move(wanted[ply][1])}",
                              game.game_id, ply)
        seen.add(ply)
    for ply in range(len(wanted)):
        if ply not in seen:
            yield Finding("plies", "the row is missing", game.game_id, ply)


def _boards_of(database: Database, game: Row, proof: Proof) -> Iterator[Finding]:
    """What is wrong with the boards of one game."""
    if proof.start is None:
        yield Finding("boards", "its rows cannot be proven: the game has no start to play from", game.game_id)
        return
    names = ["ply", *SQUARES_AND_HANDS]
    with database.views(proven_boards=expected.boards([game.game_id], [proof])):
        wanted = dict(_by_ply(database.rows(f"SELECT {', '.join(names)} FROM proven_boards")))
    seen: set[int | None] = set()
    for ply, row in _by_ply(database.rows(f"SELECT {', '.join(names)} FROM boards WHERE game_id = $game ORDER BY ply",
                                          {"game": game.game_id})):
        if ply in seen:
            yield Finding("boards", "there is more than one row", game.game_id, ply)
        elif ply not in wanted:
            yield Finding("boards", f"a row too many: the game has {len(wanted) - 1} legal plies", game.game_id, ply)
        elif row != wanted[ply]:
            wrong = [f"{name} is {value}, and the position has {right}" for name, value, right
                     in zip(SQUARES_AND_HANDS, row, wanted[ply], strict=True) if value != right]
            yield Finding("boards", "; ".join(wrong[:3]), game.game_id, ply)
        seen.add(ply)
    for ply in wanted:
        if ply not in seen:
            yield Finding("boards", "the row is missing", game.game_id, ply)


def _by_ply(rows: list[tuple[Any, ...]]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    return ((row[0], row[1:]) for row in rows)


def _move(code: int | None) -> str:
    if code is None:
        return "NULL"
    if code > 0xFFFF:
        try:
            moves.text(code)
        except ValueError:
            return f"{code}, which is none"
    return moves.usi(code) or "none (0)"


# --- what is derived from them

def _openings(database: Database) -> Iterator[Finding]:
    """Where ``openings`` is not what a recount of ``plies`` and ``games`` gives."""
    database.run("CREATE OR REPLACE TEMP TABLE recounted AS FROM openings LIMIT 0")
    openings.recount(database, "recounted")
    columns = [name for name, in database.rows(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = 'recounted' ORDER BY column_index")][2:]
    rows = database.work(
        f"SELECT coalesce(o.key, r.key), coalesce(o.move, r.move), o.games IS NULL, r.games IS NULL,"
        f" [{', '.join(f'o.{name}::VARCHAR' for name in columns)}],"
        f" [{', '.join(f'r.{name}::VARCHAR' for name in columns)}]"
        " FROM openings o FULL JOIN recounted r ON o.key = r.key AND o.move = r.move"
        f" WHERE {' OR '.join(f'o.{name} IS DISTINCT FROM r.{name}' for name in columns)} ORDER BY 1, 2"
        f" LIMIT {MOST_TOLD + 1}")
    for key, move, absent, surplus, stated, right in islice(rows, MOST_TOLD):
        where = f"key {key}, move {_move(move)}"
        if absent:
            yield Finding("openings", f"{where}: the row is missing")
        elif surplus:
            yield Finding("openings", f"{where}: a row too many: no two games meet there")
        else:
            wrong = [f"{name} is {one}, and a recount gives {other}"
                     for name, one, other in zip(columns, stated, right, strict=True) if one != other]
            yield Finding("openings", f"{where}: {'; '.join(wrong)}")
    if len(rows) > MOST_TOLD:
        yield Finding("openings", "more rows differ from a recount")
    (double,), = database.work(
        "SELECT count(*) FROM (SELECT key, move FROM openings GROUP BY ALL HAVING count(*) > 1)")
    if double:
        yield Finding("openings", f"{double} moves of positions have more than one row")


def _contained(database: Database) -> Iterator[Finding]:
    """Where ``contained`` is not what the games give."""
    if database.meta(contained.META) != contained.FRESH:
        return
    database.run("CREATE OR REPLACE TEMP TABLE found_again AS FROM contained LIMIT 0")
    contained.find(database, "found_again")
    rows: Sequence[tuple[int, int | None, int | None]] = database.work(
        "SELECT coalesce(c.game_id, f.game_id), c.longer_id, f.longer_id FROM contained c FULL JOIN found_again f"
        " ON c.game_id = f.game_id WHERE c.longer_id IS DISTINCT FROM f.longer_id ORDER BY 1"
        f" LIMIT {MOST_TOLD}")
    for game, stated, right in rows:
        if right is None:
            yield Finding("contained", f"it is not the beginning of game {stated}, nor of any other", game)
        elif stated is None:
            yield Finding("contained", f"the row is missing: it is the beginning of game {right}", game)
        else:
            yield Finding("contained", f"longer_id is {stated}, and the longest is game {right}", game)
