"""Encodings on the command line: what is written is what was asked for, says so itself, and comes back."""
from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from games import KIF

Kifu = Callable[..., Any]
CSA3 = "'CSA encoding=UTF-8\nV3.0\nN+高橋\nN-山田〜ＡＢ\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"
PLAIN = KIF.replace("髙橋", "高橋").replace("﨑山", "崎山")
#: Encodings as users write them: Python's name, what the file declares, what detection finds.
WRITTEN = [("utf-8", "utf-8", "UTF-8", "utf-8"), ("cp932", "cp932", "Shift_JIS", "cp932"), ("Shift_JIS", "cp932", "Shift_JIS", "cp932"),
           ("euc_jp", "euc_jp", "EUC-JP", "euc_jp"), ("iso2022_jp", "iso2022_jp", "ISO-2022-JP", "iso2022_jp"),
           ("utf-16", "utf-16", "UTF-16", "utf-16-le with BOM")]


@pytest.mark.parametrize(("asked", "codec", "declared", "found"), WRITTEN)
def test_files_are_written_as_asked_and_say_so(kifu: Kifu, tmp_path: Path, asked: str, codec: str, declared: str,
                                               found: str) -> None:
    """Two games in one file, with one mark at most; read again without a word; standard output has the same bytes."""
    (tmp_path / "a.kif").write_bytes(PLAIN.encode("cp932"))
    (tmp_path / "b.csa").write_text(CSA3, encoding="utf-8")
    ran = kifu("convert", "a.kif", "b.csa", "--to", "kif", "--to-encoding", asked, "-o", "out.kif", cwd=tmp_path)
    assert ran.status == 0, ran.err
    data = (tmp_path / "out.kif").read_bytes()
    text = data.decode(codec)
    assert text.startswith(f"#KIF version=2.0 encoding={declared}\n")
    assert text.count("\ufeff") == 0
    assert text.count("#KIF version=2.0") == 2
    assert kifu("detect", tmp_path / "out.kif").out == f"{tmp_path}/out.kif: kif, {found}, line ends lf, 2 games\n"
    assert kifu("check", tmp_path / "out.kif").out == "2 games in 1 file: 2 legal; no errors, no warnings\n"


def test_csa_declares_what_it_is_written_in(kifu: Kifu, tmp_path: Path) -> None:
    """Version 3.0, which fractions of seconds need, declares its encoding."""
    (tmp_path / "a.csa").write_text(CSA3.replace("+7776FU\n", "+7776FU\nT1.5\n"), encoding="utf-8")
    for asked, declared in (("cp932", "Shift_JIS"), ("euc_jp", "EUC-JP")):
        ran = kifu("convert", "a.csa", "--to", "csa", "--to-encoding", asked, "-o", f"{asked}.csa", cwd=tmp_path)
        assert ran.status == 0, ran.err
        assert (tmp_path / f"{asked}.csa").read_bytes().decode(asked).startswith(f"'CSA encoding={declared}\n")
        assert "1 legal; no errors, no warnings" in kifu("check", tmp_path / f"{asked}.csa").out


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "iso2022_jp", "ascii"])
def test_a_refusal_names_characters_and_their_places(kifu: Kifu, tmp_path: Path, encoding: str) -> None:
    """Nothing is written, the status is 1, the other game is converted."""
    (tmp_path / "a.kif").write_text(KIF.replace("髙橋", "𠮷田 鷗"), encoding="utf-8")
    (tmp_path / "b.usi").write_text("startpos moves 7g7f\n")
    ran = kifu("convert", "a.kif", "b.usi", "--to", "csa", "--to-encoding", encoding, "--into", "out", "--quiet",
               cwd=tmp_path)
    assert ran.status == 1
    assert f"kifu: a.kif: {encoding} has no 𠮷 (U+20BB7, line 2 of the text written)" in ran.err
    assert ran.err.splitlines()[0].endswith("; not converted")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.csa"]


def test_signs_that_cp932_lacks_are_written_as_their_look_alikes(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "a.kif").write_text(PLAIN.replace("高橋", "☗〜−—☖"), encoding="utf-8")
    ran = kifu("convert", tmp_path / "a.kif", "--to", "kif", "-o", tmp_path / "b.kif")
    assert ran.status == 0, ran.err
    assert "先手：▲～－―△\n" in (tmp_path / "b.kif").read_bytes().decode("cp932")


#: Files of the corpus whose encoding we see otherwise than its manifest does, and why.
DISAGREEMENTS: dict[str, str] = {}


def test_detect_on_the_corpus(kifu: Kifu, shared: Path) -> None:
    """The encoding of every file is the one that the manifest names."""
    folder = shared / "corpus"
    with (folder / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        wanted = {row["path"]: row["encoding"] for row in csv.DictReader(file, delimiter="\t")}
    ran = kifu("detect", folder)
    found = {}
    for line in ran.out.splitlines():
        path, _, told = line.removeprefix(f"{folder}/").rpartition(": ")
        found[path] = told.split(", ")[1].replace(" with BOM", "-bom")
    assert len(found) > 1000
    wrong = {path: (wanted[path], encoding) for path, encoding in found.items() if wanted.get(path, "") != encoding}
    assert set(wrong) == set(DISAGREEMENTS), wrong
