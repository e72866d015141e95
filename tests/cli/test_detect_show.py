"""`kifu detect` and `kifu show`."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from games import KIF, LEGAL

Kifu = Callable[..., Any]


def test_detect(kifu: Kifu, tmp_path: Path) -> None:
    """One line a file: notation, encoding, line ends, number of games."""
    (tmp_path / "a.csa").write_bytes(f"{LEGAL}/\n{LEGAL}".replace("\n", "\r\n").encode("utf-8-sig"))
    (tmp_path / "b.dat").write_bytes(KIF.encode("cp932"))
    ran = kifu("detect", tmp_path / "a.csa", tmp_path / "b.dat")
    assert ran.out.splitlines() == [
        f"{tmp_path}/a.csa: csa, utf-8 with BOM, line ends crlf, 2 games",
        f"{tmp_path}/b.dat: kif, cp932, line ends lf, 1 game"]
    assert ran.status == 0


def test_detect_shows_its_evidence(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_bytes(b"#KIF version=2.0 encoding=UTF-8\n" + KIF.encode("cp932"))
    ran = kifu("detect", "-v", tmp_path / "a.dat")
    assert "kif +" in ran.out
    assert "declares the encoding UTF-8" in ran.out
    assert "K102" in ran.out


def test_detect_what_is_no_record(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Dear diary,\n")
    ran = kifu("detect", "-v", tmp_path / "a.md")
    assert ran.status == 1
    assert "unknown notation" in ran.out


def test_show(kifu: Kifu, tmp_path: Path) -> None:
    """Headers, the board after the last move, the move, what the record says of the end."""
    (tmp_path / "a.kif").write_bytes(KIF.encode("cp932"))
    ran = kifu("show", tmp_path / "a.kif")
    lines = ran.out.splitlines()
    assert lines[:3] == ["手合割: 平手", "先手: 髙橋", "後手: 﨑山"]
    assert lines[3:] == [
        "後手の持駒：なし", "  ９ ８ ７ ６ ５ ４ ３ ２ １", "+---------------------------+",
        "|v香v桂v銀v金v玉v金v銀v桂v香|一", "| ・v飛 ・ ・ ・ ・ ・v角 ・|二", "|v歩v歩v歩v歩v歩v歩 ・v歩v歩|三",
        "| ・ ・ ・ ・ ・ ・v歩 ・ ・|四", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五", "| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六",
        "| 歩 歩 ・ 歩 歩 歩 歩 歩 歩|七", "| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八", "| 香 桂 銀 金 玉 金 銀 桂 香|九",
        "+---------------------------+", "先手の持駒：なし", "先手番", "手数＝2  ３四歩(33)  まで（全2手）",
        "verdict: legal, end: resign, winner: white"]
    assert ran.status == 0


def test_show_any_move_from_either_side(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.csa").write_text(f"{LEGAL}/\n{LEGAL}")
    start = kifu("show", tmp_path / "a.csa", "--game", "2", "--at", "0", "--flip").out
    assert "|v香v桂v銀v金v玉v金v銀v桂v香|九" in start
    assert "手数＝0  まで（全4手）" in start
    for arguments in (("--game", "3"), ("--at", "5")):
        ran = kifu("show", tmp_path / "a.csa", *arguments)
        assert (ran.status, ran.out) == (2, "")
        assert "Error: " in ran.err


def test_the_reasons_do_not_change_what_is_detected(kifu: Kifu, tmp_path: Path) -> None:
    """Without --verbose the opening decides where it can; PSN is told from western text by name and by content."""
    western = "1. P-7f P-3d\n"
    for name, text in {"a.csa": "PI\n+\n+7776FU\n", "b.psn": western, "c.txt": western, "d.txt": "hello\n",
                       "e.usi": "position startpos moves 7g7f\n", "f.txt": "1. 7g7f 3c3d\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    short, long = (kifu("detect", *more, *sorted(tmp_path.iterdir())).out.splitlines() for more in ([], ["--verbose"]))
    assert len(short) == 6
    assert short == [line for line in long if not line.startswith("    ")]
