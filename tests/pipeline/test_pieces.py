"""A long text is read in pieces, and nobody can tell from the results."""
from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kifu import notation as notations
from kifu.notation import pieces
from kifu.pipeline import Options, Source, entries, games
from kifu.record import Record
from kifu.replay import replay
from kifu.text import decode

CSA = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n/\n"
CSA_BAD = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+7776FU\n/\n"
KIF = ("開始日時：2024/01/01\n手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n"
       "   1 ７六歩(77)   ( 0:05/00:00:05)\n*手合割：ではない\n   2 ３四歩(33)\n   3 投了\nまで2手で後手の勝ち\n\n"
       "変化：2手\n   2 ８四歩(83)\n\n")
USI = "position startpos moves 7g7f 3c3d\n"
KI2 = ("手合割：平手\n先手：甲\n後手：乙\n\n▲７六歩 △３四歩\n*手合割：ではない\nまで2手で後手の勝ち\n\n変化：2手\n△８四歩\n\n"
       "手合割：平手\n▲７六歩 △ｘ四歩\n棋戦：a\nまで0手で中断\n\n")
TEXTS = {"csa": CSA + CSA_BAD, "ki2": KI2, "kif": KIF, "usi": USI}


@pytest.mark.parametrize("notation", list(TEXTS))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_pieces_are_the_text(notation: str, newline: str) -> None:
    text = (TEXTS[notation] * 50).replace("\n", newline)
    found = list(pieces.pieces(text, notation, size=300))
    assert "".join(piece for _, piece in found) == text
    assert all(text.startswith(piece, offset) for offset, piece in found)
    assert len(found) > 4
    assert max(len(piece) for _, piece in found) < 1500


@pytest.mark.parametrize("notation", list(pieces.SIGNS))
def test_borders_have_their_signs(notation: str) -> None:
    for word in pieces.HEADERS.removeprefix("(?:").split(")")[0].split("|"):
        text = TEXTS[notation] + f"まで2手で中断\n\n{word}：甲\n" + TEXTS[notation]
        assert len(list(pieces.pieces(text, notation, size=len(text) // 3))) > 1
        assert re.search(pieces.SIGNS[notation], f"\n{word}：甲\n"), word


def test_notations_in_pieces() -> None:
    assert set(notations.IN_PIECES) < set(pieces.BORDERS)


@pytest.mark.parametrize(("text", "notation"), [("x" * 5000, "csa"), (CSA * 100, "western"), ("/\n", "csa"), ("", "kif")])
def test_texts_that_are_not_cut(text: str, notation: str) -> None:
    assert list(pieces.pieces(text, notation, size=300)) == [(0, text)]


def cut(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Let pieces be of about this many characters, in files and in texts."""
    monkeypatch.setattr(pieces.records, "__defaults__", (size,))
    monkeypatch.setattr(notations, "LONG", size)
    monkeypatch.setattr(entries, "PIECE", size)


def rows(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    """All that is told of the games of a file."""
    for entry in games(Source(str(path)), Options()):
        yield entry.row(moves=True), entry.offset


@pytest.mark.parametrize("notation", list(TEXTS))
@pytest.mark.parametrize("end", ["", "\n\n"])
def test_results_do_not_depend_on_the_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notation: str, end: str) -> None:
    """Numbers, lines, columns, offsets, findings: all as if the file were read at once."""
    path = tmp_path / "games.dat"
    path.write_text(TEXTS[notation] * 40 + end, encoding="utf-8")
    whole = list(rows(path))
    assert len(whole) >= 40
    cut(monkeypatch, 200)
    assert list(rows(path)) == whole


def test_real_files_put_together(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several writers, with headers, variations and comments; each of them readable by itself."""
    for folder, notation in (("csa/bulk-csa-gpsfish-wcsc", "csa"), ("kif/emb-sunfish-shogi-tsshogi", "kif")):
        files = [path for path in sorted((shared / "corpus" / folder).iterdir())[:60]
                 if all(row["verdict"] in ("legal", "foul") and row["notation"] == notation for row, _ in rows(path))]
        assert len(files) > 10
        texts = [path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff") for path in files]
        path = tmp_path / f"all.{notation}"
        path.write_text(("/\n" if notation == "csa" else "\n").join(texts), encoding="utf-8")
        monkeypatch.undo()
        whole = list(rows(path))
        cut(monkeypatch, 2000)
        assert list(rows(path)) == whole


def told(record: Record) -> dict[str, Any]:
    """All that a record says, with the places of its findings, and what it proves to be."""
    text, game = record.text, replay(record)
    return {
        "number": record.number, "place": (record.offset, record.end_offset, record.line), "text": text,
        "moves": [(text[start:end], start) for start, end in zip(record.info[::4], record.info[1::4], strict=True)],
        "info": list(record.info), "texts": list(record.texts),
        "comments": list(record.comments()), "headers": record.headers, "bookmarks": record.bookmarks,
        "start": (record.start, record.handicap, record.other_start, record.turn, record.variant), "foul": record.foul,
        "lines": [(line.parent, line.first, line.last, line.number, line.offset, line.end, line.broken)
                  for line in record.lines],
        "diagnostics": record.diagnostics, "proven": game.diagnostics, "verdict": game.verdict,
        "game": game.summary(moves=True),
    }


def same_in_pieces(monkeypatch: pytest.MonkeyPatch, text: str, notation: str, size: int) -> int:
    """How many records a text has, which are all the same whether it is read whole or in pieces."""
    monkeypatch.setattr(notations, "LONG", len(text))
    whole = [told(record) for record in notations.read(text, notation)]
    cut(monkeypatch, size)
    found = [told(record) for record in notations.read(text, notation)]
    assert [one["number"] for one in found] == list(range(1, len(found) + 1))
    for one, wanted in zip(found, whole, strict=True):
        assert one == wanted
    return len(found)


@pytest.mark.parametrize("notation", list(TEXTS))
@pytest.mark.parametrize("end", ["", "\n\n", "/\n", "\n'nothing\n# nothing\n"])
def test_records_do_not_depend_on_the_pieces(monkeypatch: pytest.MonkeyPatch, notation: str, end: str) -> None:
    """Offsets, lines, comments, ends, findings and games of what `kifu.read` gives."""
    assert same_in_pieces(monkeypatch, TEXTS[notation] * 20 + end, notation, 200) >= 20


def test_headers_without_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no move can be read, headers go on: here KI2 is read as KIF."""
    text = KIF + "手合割：平手\n▲７六歩 △３四歩\nまで2手で中断\n" * 30 + KIF
    assert same_in_pieces(monkeypatch, text, "kif", 100) == 3


@pytest.mark.parametrize("text", [
    "/\n" * 300 + CSA * 3, "'remark\n" * 100 + CSA * 10, CSA * 5 + "'remark\n" * 100 + "/\n" * 50 + CSA,
    (CSA + "  V2.2\n PI\n +\n +7776FU\n %TORYO\n/\n") * 10, "/\n" * 300, "what\n/\n" * 100, "what\n/\n" * 100 + CSA,
    (CSA + "what\n/\n") * 9, CSA * 5 + "what\n/\n" * 3 + CSA * 5, (CSA + "T5\n") * 9, (CSA + "V2.2\nN+a\nT5\n") * 9,
    (CSA + CSA_BAD.lower()) * 5, ("'ILLEGAL_MOVE(+5948OU)\n%ILLEGAL_MOVE\n/\n" + CSA) * 8])
def test_odd_texts_in_pieces(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Nothing between games, remarks before and behind them, blanks before lines, lower case, no game at all."""
    assert same_in_pieces(monkeypatch, text, "csa", 100)


@pytest.mark.parametrize("text", [
    KIF + "#KIF version=2.0\n  12 garbage x\n先手：甲\n   1 ７六歩(77)\n",
    "先手：甲\n   1 ７六歩(77) (0:05/0:00:05)\n   2 ３四歩(33) (0:03/0:00:03)\n   3 投了\n\n"
    "先手：甲\n   2 ３四歩(33) (0:03/0:00:03)\n   1 ７六歩(77)\n   2 ３四歩(33) (0:03/0:00:03)\n\n"])
def test_odd_kif_in_pieces(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A record that says nothing before headers, totals of clocks that would go on from the game before."""
    assert same_in_pieces(monkeypatch, text * 8, "kif", 150)


def test_a_clock_behind_a_separator_is_nobodys() -> None:
    first, second = notations.read(CSA + "T5\n" + CSA, "csa")
    assert first.end is not None and first.end.milliseconds is None
    assert [found.name for found in second.diagnostics] == ["stray-clock"]


def test_a_variation_does_not_begin_with_the_next_game() -> None:
    first, _ = notations.read(KIF.replace("変化：2手\n   2 ８四歩(83)\n", "変化：\n*と\n") * 2, "kif")
    [found] = [found for found in first.diagnostics if found.name == "variation-unplaced"]
    assert "number" not in found.hint and first.lines[1].number == 1


@pytest.mark.parametrize("notation", notations.IN_PIECES)
def test_shuffled_lines_in_pieces(monkeypatch: pytest.MonkeyPatch, notation: str) -> None:
    """Lines of games in any order, and some that are none."""
    draw = Random(7)
    lines = TEXTS[notation].splitlines(keepends=True)
    odd = ["/\n", "T5\n", "V2\n", "what\n", "#KIF\n", "先手：丙\n", "まで2手で中断\n", "   2 投了 (0:01/0:00:09)\n", "\n", "  'x\n",
           "'y\n", "*z\n", "%TORYO\n", "変化：1手\n", "   9 ２六歩(27) (0:02/0:00:07)\n", "▲２六歩\n", "手合割：二枚落ち\n"]
    for _ in range(150):
        text = "".join(draw.choice(odd) if draw.random() < 0.3 else draw.choice(lines) for _ in range(120))
        text += "".join(lines) * 2
        assert same_in_pieces(monkeypatch, text, notation, draw.choice((20, 60, 200)))


def test_broken_texts_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with characters lost, doubled and changed."""
    draw = Random(5)
    for notation, text in TEXTS.items():
        for _ in range(30):
            chars = list(text * 12)
            for _ in range(20):
                at = draw.randrange(len(chars))
                chars[at] = draw.choice(["", chars[at] * 2, draw.choice(chars)])
            assert same_in_pieces(monkeypatch, "".join(chars), notation, 300)


@pytest.mark.parametrize(("folder", "notation"), [("csa", "csa"), ("kif", "kif"), ("ki2", "ki2"), ("usi", "usi")])
def test_real_texts_in_pieces(shared: Path, monkeypatch: pytest.MonkeyPatch, folder: str, notation: str) -> None:
    """Files of every writer put together, also those that cannot be read."""
    files = sorted(path for path in (shared / "corpus" / folder).rglob("*") if path.is_file())
    texts = [decode(path.read_bytes()).text for path in files]
    texts = [text for text in texts if len(text) < 30_000 and all(  # the kind is asked of each piece apart
        record.variant == "shogi" for record in notations.read(text, notation))]
    for first in range(0, len(texts), 40):
        text = ("/\n" if notation == "csa" else "\n").join(texts[first:first + 40])
        assert same_in_pieces(monkeypatch, text, notation, 2000)
