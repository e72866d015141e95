"""Text becomes bytes, or an error that names what cannot."""
from __future__ import annotations

import pytest

from kifu.text import EncodeError, encode


def test_look_alikes() -> None:
    """cp932 has another wave dash, minus and dash than Unicode text from elsewhere, and no ☗."""
    assert encode("〜−☗☖—", "Shift_JIS").decode("cp932") == "～－▲△―"


def test_what_does_not_fit_is_named() -> None:
    """Each character once, with its code point and line."""
    with pytest.raises(EncodeError) as told:
        encode("先手：𠮷田\n後手：森鷗外\n*𠮷 😀\n", "cp932")
    assert str(told.value) == "cp932 has no 𠮷 (U+20BB7, line 1 of the text written), 鷗 (U+9DD7, line 2), 😀 (U+1F600, line 3)"
    assert told.value.characters == {"𠮷": 3, "鷗": 10, "😀": 16}


def test_a_long_list_is_cut() -> None:
    with pytest.raises(EncodeError, match="and 12 more"):
        encode("".join(chr(0x1F600 + number) for number in range(20)), "cp932")


def test_replacing() -> None:
    assert encode("𠮷野家", "cp932", errors="replace").decode("cp932") == "〓野家"
    assert encode("歩", "ascii", errors="replace") == b"?"


def test_other_encodings() -> None:
    assert encode("髙", "utf-8") == "髙".encode()
    with pytest.raises(LookupError):
        encode("", "klingon")


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "iso2022_jp"])
def test_look_alikes_of_all_japanese_encodings(encoding: str) -> None:
    """What one of them calls a wave dash another calls a tilde; text goes from each to each."""
    written = {name: encode("〜～−－‖∥¢￠£￡¬￢☗☖—―", name) for name in ("cp932", "euc_jp", "iso2022_jp")}
    text = written[encoding].decode(encoding)
    assert len(text) == 16
    for name, data in written.items():
        assert encode(text, name).decode(name) == data.decode(name)


def test_what_other_encodings_lack_is_named_too() -> None:
    for encoding in ("euc_jp", "iso2022_jp"):
        with pytest.raises(EncodeError, match=r"has no 髙 \(U\+9AD9, line 1 of the text written\), ① \(U\+2460, line 2\)"):
            encode("先手：髙橋\n第①局", encoding)
    assert encode("髙①𠮷", "utf-16").decode("utf-16") == "髙①𠮷"
