"""The loader's core: bytes to rows, the same whoever runs it and however a file is cut."""
from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from kifu.pipeline import Failure, Options, Source, entries, find, parts, pool, run
from kifu.pipeline.rows import ToRows, joined, parse_batches
from kifu.store import core

LEGAL = "V2.2\nN+羽生善治 九段\nN-Mei\n$TIME_LIMIT:00:10+30\nPI\n+\n+7776FU\nT12\n'** 30 -3334FU\n-3334FU\nT3\n'*まずまず\n%TORYO\n"
ILLEGAL = "V2.2\nPI\n+\n+7776FU\n-3333FU\n"
FAULTY = "PI\n+\n+7776FU\n-3334FU\n%TORYO\n+2726FU\n"  # a move behind the end
KIF = "手合割：平手\n先手：髙橋\n   1 ７六歩(77)   ( 0:05/00:00:05)\n   2 ３四歩(33)   ( 0:03/00:00:03)\n   3 投了\n"
FILES = {"a.csa": LEGAL.encode(), "b.csa": f"{LEGAL}/\n{ILLEGAL}/\n{FAULTY}".encode(), "c.kif": KIF.encode("cp932"),
         "d.csa": b"", "e.csa": b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "f.csa": ILLEGAL.encode(), "g.usi": b"startpos moves 7g7f\nstartpos moves 2g2f 3c3d\n"}


def given(files: dict[str, bytes | None], at_once: int = 3) -> list[pa.RecordBatch]:
    """Files as batches of (path, content)."""
    named = list(files.items())
    return [pa.record_batch({"path": pa.array([name for name, _ in some], pa.string()),
                             "content": pa.array([data for _, data in some], pa.binary())})
            for some in (named[at:at + at_once] for at in range(0, len(named), at_once))]


def rows(batches: Any) -> list[dict[str, Any]]:
    """All rows, the names of files without their folders."""
    found = []
    for batch in batches:
        assert isinstance(batch, pa.RecordBatch), batch
        assert batch.schema == core.SCHEMA
        batch.validate(full=True)
        found += batch.to_pylist()
    for row in found:
        row["path"] = row["path"].rsplit("/", 1)[-1]
    return found


def written(folder: Path, files: dict[str, bytes]) -> list[Source]:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [source for name in files for source in find([str(folder / name)], [])]


def test_every_file_and_game_is_a_row() -> None:
    told = [(row["path"], row["kind"], row["game_no"], row["first"], row["last"], row["faulty"], row["code"])
            for row in rows(parse_batches(given(FILES)))]
    assert told == [
        ("a.csa", "game", 1, True, True, False, None),
        ("b.csa", "game", 1, True, False, False, None), ("b.csa", "reject", 2, False, False, False, "K414"),
        ("b.csa", "game", 3, False, True, True, None), ("c.kif", "game", 1, True, True, False, None),
        ("d.csa", "reject", None, True, True, False, "K204"), ("e.csa", "reject", None, True, True, False, "K107"),
        ("f.csa", "reject", 1, True, True, False, "K414"), ("g.usi", "game", 1, True, False, False, None),
        ("g.usi", "game", 2, False, True, False, None)]


def test_the_columns_of_a_game() -> None:
    row = rows(parse_batches(given({"a.csa": FILES["a.csa"]})))[0]
    expected = {
        "sha256": sha256(FILES["a.csa"]).digest(), "size": len(FILES["a.csa"]), "format": "csa", "encoding": "utf-8",
        "source_offset": 0, "variant": "shogi", "handicap": "even", "start_sfen": None, "black": "羽生善治 九段",
        "white": "Mei", "black_grade": "九段", "black_grade_rank": 109, "white_grade": None, "white_grade_rank": None,
        "time_control": "00:10+30", "main_seconds": 600, "byoyomi_seconds": 30, "increment_seconds": 0, "result": -1,
        "end": "resign", "plies": 2, "seconds": [12, 3], "comments": [None, "* 30 -3334FU", "まずまず"], "evals": [30, None], "line": None, "code": None}
    assert {name: row[name] for name in expected} == expected
    assert row["moves"] == b"".join((target | origin << 7).to_bytes(2, "little") for target, origin in ((59, 60), (21, 20)))
    assert len(row["keys"]) == 3
    assert row["keys"][0] == 5032606888462693918  # start_key() of macros.sql


def test_a_missing_content_is_a_reject() -> None:
    (row,) = rows(parse_batches(given({"x.csa": None})))
    assert (row["kind"], row["last"], row["size"], row["message"]) == ("reject", True, 0, row["message"])
    assert "no content" in row["message"]


def test_nothing_comes_of_nothing() -> None:
    assert rows(parse_batches([])) == []
    assert rows(parse_batches(given({})[:1])) == []


def test_strict_refuses_what_the_specification_does() -> None:
    kinds = [row["kind"] for row in rows(parse_batches(given({"x.csa": FAULTY.encode()}), Options(mode="strict")))]
    assert kinds == ["reject"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_pool_gives_the_same_rows(tmp_path: Path, jobs: int) -> None:
    results = run(iter(written(tmp_path, FILES)), ToRows(Options()), jobs=jobs)
    assert rows(joined(results)) == rows(parse_batches(given(FILES)))


def test_a_batch_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kifu.pipeline.rows.BATCH_ROWS", 3)
    monkeypatch.setattr("kifu.pipeline.rows.AT_ONCE", 2)
    batches = list(parse_batches(given(FILES)))
    assert rows(batches) == rows(parse_batches(given(FILES)))
    assert max(batch.num_rows for batch in batches) <= 4


@pytest.mark.parametrize("end", ["", "\n" * 900])
@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_of_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, end: str) -> None:
    """Numbered through, and the last row is the last of the file, also where only blanks follow."""
    for module, name, value in ((parts, "SIZE", 400), (parts, "_CHUNK", 8192), (parts, "_LOOK", 100), (pool, "LARGE", 800),
                                (entries, "LARGE", 800), (entries, "FIRST_READ", 500)):
        monkeypatch.setattr(module, name, value)
    data = {"big.csa": ("/\n".join([LEGAL, ILLEGAL, FAULTY] * 20) + end).encode(), "z.csa": FILES["b.csa"]}
    found = rows(joined(run(iter(written(tmp_path, data)), ToRows(Options()), jobs=jobs)))
    ends = [row for row in found if row["kind"] == "end"]
    assert [(row["path"], row["game_no"], row["last"]) for row in ends] in ([], [("big.csa", None, True)])
    games = [row for row in found if row["kind"] != "end"]
    assert sum(row["first"] for row in games) > 3  # there were parts
    assert [row["path"] for row in found if row["last"]] == ["big.csa", "z.csa"]
    whole = rows(parse_batches(given(data)))
    assert [{**row, "first": None, "last": None} for row in games] == [{**row, "first": None, "last": None} for row in whole]


def test_a_file_of_which_a_part_failed_is_not_finished(tmp_path: Path) -> None:
    source, other = written(tmp_path, {"a.csa": FILES["b.csa"], "z.csa": FILES["a.csa"]})
    task = ToRows(Options())
    first, second = task.packed(list(task(source))), task.packed(list(task(other)))
    found = list(joined([(source, first), (source, Failure("a.csa", "died")), (source, first), (other, second)]))
    assert isinstance(found.pop(1), Failure)
    told = [[(row["game_no"], row["last"]) for row in batch.to_pylist() if row["kind"] != "end"] for batch in found]
    assert told == [[(1, False), (2, False), (3, True)], [(4, False), (5, False), (6, False)], [(1, True)]]


def test_types_that_every_engine_has() -> None:
    """Spark has no unsigned numbers, UUIDs, fixed sizes, large or dictionary types."""
    def plain(kind: pa.DataType) -> bool:
        if pa.types.is_list(kind):
            return plain(kind.value_type)
        if pa.types.is_struct(kind):
            return all(plain(kind.field(n).type) for n in range(kind.num_fields))
        return (pa.types.is_signed_integer(kind) or pa.types.is_boolean(kind) or kind in (pa.string(), pa.binary(), pa.date32()))

    assert [field.name for field in core.SCHEMA if not plain(field.type)] == []


def test_workers_need_no_database_and_no_command_line() -> None:
    code = ("import sys, kifu.pipeline.rows as rows, kifu.store.core\nfrom kifu.pipeline import Options\n"
            "rows.ToRows(Options()).prepare()\n"
            "print([m for m in ('duckdb', 'click', 'pyarrow.compute', 'kifu.cli') if m in sys.modules])")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_what_is_packed_comes_out_again() -> None:
    (batch,) = parse_batches(given(FILES))
    assert core.unpacked(core.packed(batch)).equals(batch)
