"""Bytes become text by what they are, whatever a file declares, and one bad byte costs at most its line."""
from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kifu.text import codec_name, decode

RECORD = ("# 棋譜\n開始日時：2001/02/03\n手合割：平手\n先手：髙橋\n後手：﨑山①\n"
          "   1 ７六歩(77)   ( 0:05/00:00:05)\n*ソ連の表、十の能\n")
#: What cp932 can encode but decodes to a look-alike.
ONE_WAY = "¢£¬‖−〜"
#: What Python makes of the bytes A0 and FD to FF, which stand for nothing in cp932: a text that has them is damaged.
UNASSIGNED = "\uf8f0\uf8f1\uf8f2\uf8f3"


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_plain(encoding: str) -> None:
    """髙 and ① exist in cp932 only, not in Shift_JIS proper."""
    found = decode(RECORD.encode(encoding))
    assert (found.text, found.encoding, found.bom, found.diagnostics) == (RECORD, encoding, False, [])


@pytest.mark.parametrize(("mark", "encoding"), [
    (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
    (b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"),
])
def test_marks(mark: bytes, encoding: str) -> None:
    """A byte order mark decides, and is not part of the text."""
    found = decode(mark + RECORD.encode(encoding))
    assert (found.text, found.encoding, found.bom) == (RECORD, encoding, True)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_without_mark(encoding: str) -> None:
    """Notepad's "Unicode" without its mark."""
    text = "V2.2\nN+先手\nPI\n+\n+7776FU\n"
    assert decode(text.encode(encoding)).text == text


def test_japanese_mail() -> None:
    """ISO-2022-JP has no byte above 0x7F."""
    found = decode(RECORD.replace("髙", "高").replace("﨑", "崎").replace("①", "1").encode("iso2022_jp"))
    assert found.encoding == "iso2022_jp"
    assert "先手：高橋" in found.text


def test_euc_is_not_taken_for_half_width_katakana() -> None:
    """EUC-JP text often is valid cp932, all half-width katakana."""
    text = "N+先手\nN-後手\n'開始局面から\n"
    assert decode(text.encode("euc_jp")).text == text


@pytest.mark.parametrize("text", ["N+先手\nN-後手\n", "1 ▲７六歩\n", "まで3手で先手の勝ち\n", "同　銀(31)\n"])
def test_short_utf8_is_not_taken_for_cp932(text: str) -> None:
    """All of these are valid cp932 too, as nonsense."""
    assert decode(text.encode()).text == text


def test_declaration_is_a_guess() -> None:
    """Editors save a file again without changing the line that declares its encoding."""
    line = "#KIF version=2.0 encoding=Shift_JIS\n先手：髙橋\n"
    found = decode(line.encode("utf-8"))
    assert (found.text, found.encoding, found.declared) == (line, "utf-8", "Shift_JIS")
    assert [(one.name, one.line) for one in found.diagnostics] == [("encoding-mismatch", 1)]
    true = decode(line.encode("cp932"))
    assert (true.text, true.encoding, true.diagnostics) == (line, "cp932", [])


@pytest.mark.parametrize("line", [
    "'CSA encoding=UTF-8", "#KIF version=2.0 encoding=UTF-8", "#KI2 version=2.0 encoding=UTF-8", "'encoding=UTF-8",
])
def test_declarations(line: str) -> None:
    """Each of the lines that declare an encoding is seen."""
    assert decode(f"{line}\nPI\n".encode()).declared == "UTF-8"


def test_declaring_nonsense() -> None:
    """An encoding that does not exist is told, and the text found all the same."""
    found = decode("#KIF version=2.0 encoding=Klingon\n先手：髙橋\n".encode())
    assert found.encoding == "utf-8"
    assert [one.name for one in found.diagnostics] == ["unknown-encoding"]


def test_one_bad_byte_costs_one_character() -> None:
    """The rest of the file, and the line's end, survive; the finding says where."""
    data = "先手：髙橋\n後手：".encode() + b"\xff" + "山\n手合割：平手\n".encode()
    found = decode(data)
    assert found.encoding == "utf-8"
    assert found.text == "先手：髙橋\n後手：\ufffd山\n手合割：平手\n"
    assert [(one.name, one.line, one.column) for one in found.diagnostics] == [("undecodable-bytes", 2, 4)]
    assert "FF" in found.diagnostics[0].message


def test_half_a_character_does_not_swallow_the_line_end() -> None:
    """In cp932 a lead byte takes the next byte with it."""
    data = "先手：髙橋\n*コメント".encode("cp932") + b"\x83\n" + "   1 ７六歩(77)\n".encode("cp932") * 3
    found = decode(data)
    assert found.encoding == "cp932"
    assert found.text.splitlines()[2] == "   1 ７六歩(77)"
    assert found.text.count("\n") == 5


def test_comments_in_another_encoding() -> None:
    """Server logs hold UTF-8 comments in files that are cp932 otherwise."""
    data = "N+先手の名前\nN-後手の名前\n".encode("cp932") + "'*ここで時間切れ\n".encode()
    found = decode(data)
    assert found.text == "N+先手の名前\nN-後手の名前\n'*ここで時間切れ\n"
    assert [(one.name, one.line) for one in found.diagnostics] == [("mixed-encodings", 3)]


def test_many_bad_lines_are_counted() -> None:
    """A file full of damage does not give a finding a line."""
    found = decode("先手：髙橋\n".encode() + b"*\xff\n" * 500)
    assert len(found.diagnostics) == 11
    assert found.diagnostics[-1].name == "more-undecodable-bytes"
    assert "490" in found.diagnostics[-1].message


def database() -> bytes:
    """The file of a small SQLite database."""
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.execute("CREATE TABLE games (black, white)")
        return opened.serialize()


@pytest.mark.parametrize("data", [bytes(range(256)) * 8, bytes(5000), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", database()])
def test_binary(data: bytes) -> None:
    """What is no text says so, once."""
    found = decode(data)
    assert (found.text, found.encoding, [one.name for one in found.diagnostics]) == ("", "binary", ["binary-file"])


def test_nul_characters_stay_and_are_told() -> None:
    """A damaged tail of zeros hides nothing before it."""
    found = decode(b"V2.2\nPI\n+\n+7776FU\n" + bytes(100))
    assert found.text.startswith("V2.2\nPI\n+\n+7776FU\n")
    assert [(one.name, one.line, one.column) for one in found.diagnostics] == [("nul-characters", 5, 1)]


def test_invisible_characters_in_the_first_line() -> None:
    """A zero-width blank copied from a web page would hide the first word."""
    found = decode("\u200bV2.2\nPI\n".encode())
    assert found.text == "V2.2\nPI\n"
    assert [one.name for one in found.diagnostics] == ["stray-character"]


def test_end_of_file_mark_of_dos() -> None:
    """Ctrl-Z ends files of the PC-98 days."""
    assert decode("先手：髙橋\r\n\x1a".encode("cp932")).text == "先手：髙橋\r\n"


def test_named_encoding_wins() -> None:
    """--encoding is believed even where another fits."""
    assert decode("先手".encode(), "cp932").text == "蜈域焔"
    with pytest.raises(LookupError):
        decode(b"", "klingon")


@pytest.mark.parametrize("name", ["Shift_JIS", "sjis", "Windows-31J", "MS932", "cp932"])
def test_all_names_of_cp932(name: str) -> None:
    assert codec_name(name) == "cp932"


def test_codecs_that_are_no_text_encodings() -> None:
    """Python has codecs that decode to bytes, or that execute things."""
    for name in ("base64", "zlib", "rot13"):
        with pytest.raises(LookupError):
            codec_name(name)


@given(st.binary(max_size=400))
def test_no_bytes_raise(data: bytes) -> None:
    """Whatever comes, there is a text, and every finding has a place in it."""
    found = decode(data)
    for one in found.diagnostics:
        assert one.line >= 1
        assert 0 <= one.offset <= len(found.text)


@given(st.text(st.characters(codec="cp932", exclude_categories=["Cc"], exclude_characters=ONE_WAY + UNASSIGNED),
               min_size=1, max_size=60),
       st.sampled_from(["utf-8", "cp932"]))
def test_records_come_back(name: str, encoding: str) -> None:
    """A record with any name that cp932 can hold is read in the encoding that it was written in."""
    text = f"# ---- 棋譜 ----\n手合割：平手\n先手：{name}\n後手：後手の人\n手数----指手---------消費時間--\n"
    assert decode(text.encode(encoding)).text == text


def test_corpus(shared: Path) -> None:
    """Every file that other programs wrote is decoded as the manifest says, and warned about only where it lies."""
    folder = shared / "corpus"
    with (folder / "MANIFEST.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) > 1000
    wrong = []
    for row in rows:
        found = decode((folder / row["path"]).read_bytes())
        encoding = found.encoding + ("-bom" if found.bom else "")
        if encoding != row["encoding"] or any(one.name != "encoding-mismatch" for one in found.diagnostics):
            wrong.append((row["path"], row["encoding"], encoding, [one.message for one in found.diagnostics]))
    assert wrong == []
