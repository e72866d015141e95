"""A large file read in parts gives what it gives when it is read at once: games, numbers, places, findings, offsets."""
from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kifu.pipeline import Options, Source, entries, find, games, parts, pool, split
from kifu.notation.pieces import BORDERS, in_bytes

CSA = "V2.2\nN+髙橋\nN-Hototogisu\n$EVENT:第1局\nPI\n+\n+7776FU\nT12\n'*一手目\n-3334FU\nT3\n+8822UM\n-3122GI\n%TORYO\n"
ILLEGAL = "V2.2\nPI\n+\n+7776FU\n-3333FU\n"
KIF = ("#KIF version=2.0 encoding=UTF-8\n開始日時：2024/01/01\n手合割：平手\n先手：髙橋\n後手：山田\n"
       "手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n*まずまず\n   2 ３四歩(33)   ( 0:03/00:00:03)\n"
       "   3 投了\nまで2手で先手の勝ち\n\n")
USI = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b\nstartpos moves 2g2f 8c8d\n"
_NAMES = [name.encode(encoding) for name in ("先手", "後手") for encoding in ("utf-8", "cp932")]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of a few games, so that small files have many."""
    monkeypatch.setattr(parts, "SIZE", 400)
    monkeypatch.setattr(parts, "_CHUNK", 8192)
    monkeypatch.setattr(parts, "_LOOK", 100)
    monkeypatch.setattr(entries, "LARGE", 800)
    monkeypatch.setattr(entries, "FIRST_READ", 500)
    monkeypatch.setattr(pool, "LARGE", 800)


def told(found: Iterator[entries.Entry]) -> list[Any]:
    """All that is told of the games of a file."""
    return [(entry.row(moves=True), entry.offset, entry.number, entry.decoded.encoding,
             [entry.lines.line(one.line) for one in entry.findings]) for entry in found]


def same(path: Path, data: bytes, options: Options | None = None, cut: bool = True) -> list[Any]:
    """Check the parts of a file with these bytes against the whole of it."""
    path.write_bytes(data)
    options = options or Options()
    source = Source(str(path), len(data))
    whole = told(games(source, options, data=data))
    assert (len(split(source, options)) > 2) == cut
    assert told(games(source, options)) == whole
    together = [(one, entry) for one in split(source, options) for entry in games(one, options)]
    assert [entry.offset for _, entry in together] == ([row[1] for row in whole] if cut else [])
    assert [entry.line for _, entry in together] == ([row[0]["line"] for row in whole] if cut else [])
    return whole


TEXTS = {"csa": CSA + "/\n" + ILLEGAL + "/\n", "kif": KIF, "usi": USI}


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r\r\n"])
@pytest.mark.parametrize("notation", list(TEXTS))
def test_encodings_and_line_ends(tmp_path: Path, notation: str, newline: str, encoding: str) -> None:
    text = (TEXTS[notation] * 40).replace("髙", "高").replace("\n", newline)
    found = same(tmp_path / f"a.{notation}", text.encode(encoding), cut=(notation, newline) != ("csa", "\r\r\n"))
    assert len(found) >= 40


def test_ascii_in_usi_files_is_ascii(tmp_path: Path) -> None:
    assert {row[3] for row in same(tmp_path / "a.usi", (USI * 40).encode())} == {"ascii"}


@pytest.mark.parametrize("notation", list(TEXTS))
def test_a_mark_at_the_start_and_none_at_the_end(tmp_path: Path, notation: str) -> None:
    """A BOM, invisible characters in the first line, the end mark of DOS, no line end behind the last line."""
    text = (TEXTS[notation] * 40).rstrip().removesuffix("/").rstrip()
    same(tmp_path / "a", b"\xef\xbb\xbf" + text.encode())
    found = same(tmp_path / "a", ("\u200b\u2060" + text).encode() + b"\x1a\x1a")
    assert [one["name"] for one in found[0][0]["diagnostics"]].count("stray-character") == 1
    same(tmp_path / "a", text.encode() + b"\r\n \r\n\t\n")


@pytest.mark.parametrize("damaged", [1, 10, 25])
@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
@pytest.mark.parametrize("notation", ["csa", "kif"])
def test_damaged_bytes(tmp_path: Path, notation: str, encoding: str, damaged: int) -> None:
    """Each damaged line is told with its byte and place; beyond ten they are counted, in the first game."""
    lines = (TEXTS[notation] * 40).encode(encoding).splitlines(keepends=True)
    places = random.Random(damaged).sample([n for n, line in enumerate(lines) if not line.isascii()], damaged)
    for n in places:
        lines[n] = lines[n][:-2] + b"\xff\xfe" + lines[n][-1:]
    found = same(tmp_path / "a", b"".join(lines))
    names = [one["name"] for row in found for one in row[0]["diagnostics"]]
    assert names.count("undecodable-bytes") == min(damaged, 10)
    assert names.count("more-undecodable-bytes") == (damaged > 10)


def test_lines_in_another_encoding(tmp_path: Path) -> None:
    lines = (KIF * 40).encode("cp932").splitlines(keepends=True)
    for n in range(50, 400, 70):
        lines[n] = "先手：髙橋\n".encode()
    found = same(tmp_path / "a", b"".join(lines))
    assert any(one["name"] == "mixed-encodings" for row in found for one in row[0]["diagnostics"])


@pytest.mark.parametrize("declared", ["Shift_JIS", "UTF-8", "klingon"])
def test_a_declaration(tmp_path: Path, declared: str) -> None:
    """One that is wrong, or names nothing, is told once, in the first game."""
    text = KIF.replace("UTF-8", declared) + KIF * 40
    found = same(tmp_path / "a", text.encode("cp932"))
    wrong = {"UTF-8": "encoding-mismatch", "klingon": "unknown-encoding"}.get(declared)
    names = [[one["name"] for one in row[0]["diagnostics"]] for row in found]
    assert names[0].count(wrong or "") == bool(wrong)
    assert not any("encoding" in name for row in names[1:] for name in row)


def test_zeros(tmp_path: Path) -> None:
    """The first NUL is told with the number of all."""
    data = (CSA + "/\n").encode() * 40
    found = same(tmp_path / "a", data[:2000] + b"\0" + data[2000:3000] + bytes(4) + data[3000:] + b"\0")
    said = [one["message"] for row in found for one in row[0]["diagnostics"] if one["name"] == "nul-characters"]
    assert len(said) == 1
    assert said[0].startswith("6 NUL")


def test_ascii_for_long_and_then_japanese(tmp_path: Path) -> None:
    """The encoding is that of the whole file, though its start would do with less."""
    for encoding in ("utf-8", "cp932"):
        found = same(tmp_path / "a", (ILLEGAL + "/\n").encode() * 1500 + (CSA + "/\n").encode(encoding) * 3)
        assert {row[3] for row in found} == {encoding}


@pytest.mark.parametrize("encoding", ["utf-16", "iso2022_jp", "utf-16-be"])
def test_what_cannot_be_cut_is_read_whole(tmp_path: Path, encoding: str) -> None:
    same(tmp_path / "a", (KIF.replace("髙", "高") * 40).encode(encoding), cut=False)


@pytest.mark.parametrize("data", [b"hello\n" * 500, bytes(range(256)) * 20, b"\n" * 5000, b"1. P-7f P-3d\n" * 200,
                                  CSA.encode() + bytes(2000)])
def test_what_holds_no_borders_is_read_whole(tmp_path: Path, data: bytes) -> None:
    same(tmp_path / "a", data, cut=False)


@pytest.mark.parametrize("options", [Options("csa"), Options(None, "cp932"), Options(None, "utf-16"),
                                     Options(mode="strict")])
def test_options(tmp_path: Path, options: Options) -> None:
    same(tmp_path / "a", (CSA + "/\n").encode("cp932") * 40, options, cut=options.encoding != "utf-16")


def test_files_that_are_passed_over_are_not_cut(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text((CSA + "/\n") * 40, encoding="utf-8")
    (source,) = find([str(tmp_path)], [])
    assert source.passed_over
    assert split(source, Options()) == []
    assert len(list(games(source, Options()))) == 40


def test_the_digest_is_of_all_bytes(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + (CSA + "/\n").encode() * 40 + b"\x1a"
    (tmp_path / "a").write_bytes(data)
    found = split(Source(str(tmp_path / "a")), Options(), hashlib.sha256)
    assert len(found) > 2
    assert {one.part and (one.part.size, one.part.digest) for one in found} == {
        (len(data), hashlib.sha256(data).digest())}


def test_borders_in_bytes_are_those_in_text() -> None:
    for notation in BORDERS:
        for encoding in ("ascii", "utf-8", "cp932", "euc_jp"):
            text = (TEXTS.get(notation, USI) * 3).replace("髙", "高")
            if encoding == "ascii":
                text = "".join(char for char in text if char.isascii())
            border = in_bytes(notation, encoding)
            assert [text[:found.end()].encode(encoding) for found in re.finditer(BORDERS[notation], text)] == [
                text.encode(encoding)[:found.end()] for found in border.finditer(text.encode(encoding))]


def test_random_damage(tmp_path: Path) -> None:
    """Bytes overwritten anywhere in names and comments."""
    chance = random.Random(7)
    for _ in range(60):
        notation, encoding = chance.choice(["csa", "kif"]), chance.choice(["utf-8", "cp932"])
        lines = (TEXTS[notation] * 20).replace("\n", chance.choice(["\n", "\r\n"])).encode(encoding).splitlines(True)
        hurt = [n for n, line in enumerate(lines) if line.startswith((b"N", b"$", b"'*", b"*", *_NAMES))]
        for _ in range(chance.choice([0, 1, 30])):
            n = chance.choice(hurt)
            line = bytearray(lines[n])
            line[chance.randrange(3 if line[0] < 128 else 9, len(line) - 1)] = chance.choice(b"\0\x1a\x1b\xff\x82\xe3 9")
            lines[n] = bytes(line)
        data = b"".join(lines)
        path = tmp_path / f"a.{notation}"
        path.write_bytes(data)
        source = Source(str(path), len(data))
        assert len(split(source, Options())) > 2
        assert told(games(source, Options())) == told(games(source, Options(), data=data))


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """The command line in this process, which cuts; its workers are told what to read."""

    def call(*arguments: object) -> tuple[int, str]:
        from kifu.cli import run

        return run([str(one) for one in arguments]), capsys.readouterr().out

    return call


@pytest.mark.parametrize("jobs", [1, 2])
def test_load(tmp_path: Path, program: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    """The same database as if the file were small, and the second time nothing is new."""
    from kifu.store.database import Database

    (tmp_path / "a.csa").write_text(TEXTS["csa"] * 40 + "\n" * 1000, encoding="utf-8")
    dumps = []
    for name in ("parts", "whole"):
        if name == "whole":
            monkeypatch.setattr(parts, "SIZE", 1 << 20)
        path = tmp_path / f"{name}.duckdb"
        status, out = program("load", tmp_path / "a.csa", "--db", path, "--dedupe", "none", "--quiet", "--jobs", jobs)
        assert (status, out) == (1, f"{path}: 40 games from 1 file, 40 rejects\n")
        status, out = program("load", tmp_path / "a.csa", "--db", path, "--quiet", "--jobs", jobs)
        assert (status, out) == (0, f"{path}: 0 games from 0 files, 1 file unchanged\n")
        with Database.open(path) as database:
            dumps.append([database.rows(f"SELECT * FROM {table} ORDER BY ALL") for table in ("games", "rejects")])
            dumps[-1].append(database.rows("SELECT path, sha256, size, format, encoding, games_ok FROM sources"))
    assert [row[2] for row in dumps[0][1]] == list(range(2, 81, 2))
    assert dumps[0] == dumps[1]


@pytest.mark.parametrize("command", [("check",), ("check", "--format", "json", "--moves"),
                                     ("convert", "--to", "kif", "--salvage")])
def test_the_commands(tmp_path: Path, program: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch,
                      command: tuple[str, ...]) -> None:
    """The same output with one process and with several, and as if the file were small."""
    (tmp_path / "a.csa").write_text(TEXTS["csa"] * 40, encoding="utf-8")
    (tmp_path / "b.kif").write_text(KIF * 40, encoding="utf-8")
    (tmp_path / "c.csa").write_text(CSA, encoding="utf-8")
    outputs = [program(*command, tmp_path, "--quiet", "--jobs", jobs) for jobs in (1, 2, 3)]
    monkeypatch.setattr(parts, "SIZE", 1 << 20)
    outputs.append(program(*command, tmp_path, "--quiet", "--jobs", 1))
    assert outputs[0][1]
    assert all(one == outputs[0] for one in outputs)
    if "json" in command:
        rows = [json.loads(line) for line in outputs[1][1].splitlines()]
        assert [row["game"] for row in rows] == [*range(1, 81), *range(1, 41), 1]
