"""What FORMATS.md says of bytes in sections 1.1 to 1.3, sentence by sentence, where `test_decode` has it not yet."""
from __future__ import annotations

import pytest

from kifu.notation import detect, read
from kifu.replay import replay
from kifu.text import Decoder, decode, manner

HEAD = "#KIF version=2.0\n手合割：平手\n先手：高橋\n後手：山田\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:05/00:00:05)\n*"
TAIL = "銀の動きに注意。ここで変化もあった\n   2 ３四歩(33)   ( 0:05/00:00:05)\n   3 投了\n"
ENCODINGS = ("utf-8", "cp932", "euc_jp", "iso2022_jp", "utf-16-le", "utf-16-be")


def names(data: bytes, encoding: str | None = None) -> list[str]:
    """What is said of the bytes."""
    return [one.name for one in decode(data, encoding).diagnostics]


# --- 1.1: what is written where


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("suffix", [".kif", ".kifu"])
def test_the_extension_decides_nothing(encoding: str, suffix: str) -> None:
    """UTF-8 files named .kif are ordinary, cp932 in .kifu exists."""
    found = decode((HEAD + TAIL).encode(encoding))
    assert (found.text, found.encoding, found.diagnostics) == (HEAD + TAIL, encoding, [])
    assert detect(found.text, suffix).notation == "kif"


@pytest.mark.parametrize("line", ["#KIF version=2.0 encoding={}", "#KI2 version=2.0 encoding={}", "'CSA encoding={}",
                                  "'encoding={}", "# KIF形式\n#KIF version=2.0 encoding={}"])
@pytest.mark.parametrize(("name", "encoding"), [
    ("Shift_JIS", "cp932"), ("SHIFT_JIS", "cp932"), ("UTF-8", "utf-8"), ("EUC-JP", "euc_jp"), ("ISO-2022-JP", "iso2022_jp"),
    ("UTF-16", "utf-16-le"), ("UTF-16LE", "utf-16-le"),
])
def test_a_true_declaration_is_believed_in_silence(line: str, name: str, encoding: str) -> None:
    text = line.format(name) + "\n" + HEAD + TAIL
    found = decode(text.encode(encoding))
    assert (found.text, found.encoding, found.declared, found.diagnostics) == (text, encoding, name, [])


@pytest.mark.parametrize("name", ["Shift_JIS", "UTF-8", "EUC-JP", "ISO-2022-JP", "UTF-16"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_false_declaration_is_told_and_does_no_harm(name: str, encoding: str) -> None:
    text = f"#KIF version=2.0 encoding={name}\n{HEAD}{TAIL}"
    found = decode(text.encode(encoding))
    assert (found.text, found.encoding) == (text, encoding)
    same = {"Shift_JIS": "cp932", "UTF-8": "utf-8", "EUC-JP": "euc_jp", "ISO-2022-JP": "iso2022_jp"}.get(name, "utf-16")
    assert [one.name for one in found.diagnostics] == ([] if encoding.startswith(same) else ["encoding-mismatch"])


def test_ascii_fits_every_declaration() -> None:
    """A floodgate file that declares Shift_JIS and needs none of it."""
    assert names(b"'CSA encoding=SHIFT_JIS\nPI\n+\n+7776FU\n") == []


# --- 1.2: the order in which encodings are tried


@pytest.mark.parametrize("text", ["N+先手\nN-後手\n", "同　銀(31)\n", "まで3手で先手の勝ち\n", "先手：甲\n", "▲７六歩\n", "*ﾊﾟｽ\n"])
def test_utf8_comes_before_cp932(text: str) -> None:
    assert text.encode().decode("cp932", "replace") != text
    assert (decode(text.encode()).text, decode(text.encode()).encoding) == (text, "utf-8")


@pytest.mark.parametrize("text", ["先手：髙橋\n", "後手：﨑山\n", "棋戦：第①回\n", "場所：Ⅷ号室\n"])
def test_cp932_is_more_than_shift_jis(text: str) -> None:
    with pytest.raises(UnicodeEncodeError):
        text.encode("shift_jis")
    assert decode(text.encode("cp932")).text == text


@pytest.mark.parametrize("text", ["表", "ソ連", "十", "予", "能", "ポ", "| ・v香|", "$NOTE:表\\n"])
def test_second_bytes_that_look_like_ascii(text: str) -> None:
    r"""The bytes of ``\`` and ``|`` are parts of characters there."""
    assert decode(f"先手：{text}\n".encode("cp932")).text == f"先手：{text}\n"


@pytest.mark.parametrize("text", ["先手：甲\n後手：乙\n", "N+高橋\nN-山田\n", "N+羽生善治\nN-Bonanza\n", "N+先手\nN-後手\n'開始局面から\n", HEAD + TAIL, "*詰めろの連続\n"])
def test_euc_against_half_width_katakana(text: str) -> None:
    """EUC-JP often is valid cp932; what it says there is nonsense."""
    assert (decode(text.encode("euc_jp")).text, decode(text.encode("euc_jp")).encoding) == (text, "euc_jp")


def test_half_width_katakana_that_is_meant() -> None:
    """Programs of the nineties wrote names so."""
    text = "先手：ﾀｶﾊｼ ﾕｳｷ\n後手：ﾔﾏﾀﾞ\n手合割：平手\n"
    assert decode(text.encode("cp932")).text == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["V2.2\nN+先手\nPI\n+\n", "先手：甲\n", "▲７六歩△３四歩▲２六歩\n△８四歩\n", HEAD + TAIL])
def test_utf16_with_and_without_its_mark(encoding: str, text: str) -> None:
    for data in (text.encode(encoding), ("\ufeff" + text).encode(encoding)):
        assert (decode(data).text, decode(data).encoding) == (text, encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("junk", [b"\xff", b"\xb1", b"\x80", b"\x8f", b"\x1b", b"\xb1A", b"\xd8\xd8", b"\x00", b"\xff" * 9])
def test_garbage_in_a_comment_never_costs_the_game(encoding: str, junk: bytes) -> None:
    """One damaged line is one damaged comment, whatever the encoding: the moves around it are those that were written."""
    if encoding.startswith("utf-16") and len(junk) % 2:
        junk *= 2  # an odd number of bytes would shift all that follows
    data = HEAD.encode(encoding) + junk + TAIL.encode(encoding)
    found = decode(data)
    assert found.encoding == encoding
    (record,) = read(found.text, "kif")
    game = replay(record)
    assert (game.verdict, game.plies, game.end) == ("legal", 2, "resign")
    assert dict(record.headers)["先手"] == "高橋"


def test_the_first_bad_byte_is_named_with_its_place() -> None:
    for encoding in ("utf-8", "cp932", "euc_jp", "iso2022_jp"):
        start = len(HEAD.encode(encoding))
        (finding,) = decode(HEAD.encode(encoding) + b"\xff" + TAIL.encode(encoding)).diagnostics
        assert f"the byte FF at byte {start} of the text cannot be read as {encoding}" in finding.message
        assert (finding.line, finding.column) == (7, 2)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_long_text_is_judged_like_a_short_one(encoding: str) -> None:
    """In parts, where its encoding can be cut; else not at all."""
    data = (HEAD + TAIL).encode(encoding)
    how = manner(lambda: iter(data.splitlines(keepends=True)))
    if encoding in ("utf-8", "cp932", "euc_jp"):
        assert how is not None and how.encoding == encoding
        assert Decoder(how).part(data) == HEAD + TAIL
    else:
        assert how is None


# --- 1.3: lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n", "mixed"])
@pytest.mark.parametrize("last", [True, False])
def test_any_line_ends(end: str, last: bool) -> None:
    """CRLF, LF, lone CR, mixed; the last line may lack its own."""
    lines = (HEAD + TAIL).splitlines()
    ends = ["\n", "\r\n", "\r"] * len(lines) if end == "mixed" else [end] * len(lines)
    text = "".join(line + one for line, one in zip(lines, ends, strict=False))
    if not last:
        text = text.rstrip("\r\n")
    for encoding in ENCODINGS:
        found = decode(text.encode(encoding))
        assert found.text == text
        (record,) = read(found.text, detect(found.text).notation or "")
        game = replay(record)
        assert (game.verdict, game.plies, game.end, game.diagnostics) == ("legal", 2, "resign", [])


@pytest.mark.parametrize("char", ["\u200b", "\ufeff", "\u2060", "\ufeff\u200b"])
@pytest.mark.parametrize("place", [0, 4, 16])
def test_invisible_characters_in_the_first_line_are_taken_out(char: str, place: int) -> None:
    """Anywhere in it, with a warning; in other lines they are part of the text."""
    text = HEAD + TAIL
    found = decode((text[:place] + char + text[place:]).encode())
    assert found.text == text
    mark = char == "\ufeff" and place == 0
    assert (found.bom, [one.name for one in found.diagnostics]) == (mark or char[0] == "\ufeff" and place == 0,
                                                                   [] if mark else ["stray-character"])
    later = text + f"*{char}\n"
    assert decode(later.encode()).text == later


def test_trailing_blanks_of_a_header_go_and_those_of_a_comment_stay() -> None:
    text = HEAD.replace("高橋", "高橋 　 ") + "銀　 \n   2 ３四歩(33)\n   3 投了\n"
    (record,) = read(text, "kif")
    assert dict(record.headers)["先手"] == "高橋"
    assert "銀　 " in [text for _, _, text in record.comments()]
