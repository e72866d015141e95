"""A file becomes its games, or one entry that says why there are none."""
from __future__ import annotations

from pathlib import Path

import pytest

from kifu.pipeline import Entry, Options, Source, games

LEGAL = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"
#: The fields of the contract, in their order.
FIELDS = ("path member game line notation encoding variant handicap start plies variations verdict illegal_move end winner "
          "verified_end verified_winner final diagnostics").split()


def entries(path: Path, data: bytes, root: str = "", options: Options | None = None) -> list[Entry]:
    """The entries of a file with these bytes."""
    path.write_bytes(data)
    return list(games(Source(str(path), len(data), root), options or Options()))


def test_several_games(tmp_path: Path) -> None:
    found = entries(tmp_path / "a.csa", f"{LEGAL}/\n{LEGAL}/\n{LEGAL}".encode())
    assert [(entry.number, entry.line, entry.verdict) for entry in found] == [
        (1, 1, "legal"), (2, 8, "legal"), (3, 15, "legal")]


@pytest.mark.parametrize(("data", "name"), [
    (b"", "no-game"), (b" \r\n\t\n", "no-game"), (bytes(range(256)) * 40, "binary-file"),
    (b"Dear diary,\ntoday I lost.\n", "unknown-notation"),
])
def test_no_game(tmp_path: Path, data: bytes, name: str) -> None:
    """One unreadable entry at line 1, with one error."""
    (entry,) = entries(tmp_path / "a.dat", data)
    assert (entry.verdict, entry.bad, entry.game) == ("unreadable", True, None)
    assert [(one.name, one.severity, one.line) for one in entry.findings if one.severity == "error"] == [(name, "error", 1)]


@pytest.mark.parametrize("moves", [False, True])
def test_rows_have_the_fields_of_the_contract(tmp_path: Path, moves: bool) -> None:
    """Of a game and of a file without one alike."""
    wanted = FIELDS[:-1] + ["moves"] * moves + ["diagnostics"]
    for data in (LEGAL.encode(), b""):
        (entry,) = entries(tmp_path / "a.csa", data)
        assert list(entry.row(moves)) == wanted
    (entry,) = entries(tmp_path / "a.csa", f"{LEGAL}?".encode())
    assert list(entry.row()["diagnostics"][0]) == "code name severity line column ply message hint".split()


def test_uncertain_files_of_a_folder_are_passed_over(tmp_path: Path) -> None:
    """A .txt in a folder is a record or nobody's business; one that is named must be told of."""
    prose = b"Dear diary,\ntoday I lost.\n"
    assert entries(tmp_path / "a.txt", prose, str(tmp_path)) == []
    assert entries(tmp_path / "a.txt", b"", str(tmp_path)) == []
    assert len(entries(tmp_path / "a.txt", prose)) == 1
    assert len(entries(tmp_path / "a.kif", prose, str(tmp_path))) == 1
    assert [entry.verdict for entry in entries(tmp_path / "a.txt", LEGAL.encode(), str(tmp_path))] == ["legal"]


def test_findings_of_the_bytes_belong_to_their_game(tmp_path: Path) -> None:
    """A damaged byte is told with the game it stands in."""
    data = f"{LEGAL}/\n".encode() + b"'*\xff\n" + LEGAL.encode()
    first, second = entries(tmp_path / "a.csa", data)
    assert [one.name for one in first.findings] == []
    assert [(one.name, one.line) for one in second.findings] == [("undecodable-bytes", 8)]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """As when it vanished between the search and the reading."""
    (entry,) = games(Source(str(tmp_path / "gone.kif")), Options())
    assert [(one.name, one.severity) for one in entry.findings] == [("unreadable-file", "error")]
    assert "no such file" in entry.findings[0].message


def test_overrides(tmp_path: Path) -> None:
    """The notation and encoding that the user names are believed."""
    (entry,) = entries(tmp_path / "a.dat", "先手：髙橋\n".encode("cp932"), options=Options("kif", "cp932"))
    assert (entry.notation, entry.decoded.encoding) == ("kif", "cp932")
    assert entry.game is not None
    assert entry.game.record.header("black") == "髙橋"
