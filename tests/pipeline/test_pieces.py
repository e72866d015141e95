"""A long file is read in pieces, and nobody can tell from the results."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kifu.pipeline import Options, Source, games, pieces

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


@pytest.mark.parametrize(("text", "notation"), [("x" * 5000, "csa"), (CSA * 100, "western"), ("/\n", "csa"), ("", "kif")])
def test_texts_that_are_not_cut(text: str, notation: str) -> None:
    assert list(pieces.pieces(text, notation, size=300)) == [(0, text)]


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
    monkeypatch.setattr(pieces.pieces, "__defaults__", (200,))
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
        monkeypatch.setattr(pieces.pieces, "__defaults__", (2000,))
        assert list(rows(path)) == whole
