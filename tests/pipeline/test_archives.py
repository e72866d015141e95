"""Archives are read as folders are; what is wrong with them costs no more than it must; and they can hurt nobody."""
from __future__ import annotations

import io
import random
import stat
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from archive_files import COMPRESS, KINDS, entry, overlapping, patched, seven_zipped, tarred, zipped

from kifu.pipeline import Entry, Options, Problem, Source, find, games, limits, run, zips
from kifu.pipeline.names import decoded, safe

GAME = b"V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n"
FILES = {"a.csa": GAME, "sub/b.CSA": GAME + b"/\n" + GAME, "sub/notes.txt": b"Dear diary,\n", "c.png": b"\x89PNG",
         "sub/empty/": b"", "z.usi": b"startpos moves 7g7f\n"}
Told = list[tuple[str | None, str, list[str]]]
READ: Told = [("a.csa", "legal", []), ("sub/b.CSA", "legal", []), ("sub/b.CSA", "legal", []), ("z.usi", "legal", [])]


def entries(path: Path) -> tuple[list[Entry], list[Problem]]:
    """The games of a path, and the problems."""
    problems: list[Problem] = []
    return [one for source in find([str(path)], problems) for one in games(source, Options())], problems


def told(folder: Path, name: str, data: bytes) -> Told:
    """Member, verdict and names of the findings of each game of an archive with these bytes."""
    (folder / name).write_bytes(data)
    return [(one.source.member, one.verdict, [found.name for found in one.findings])
            for one in entries(folder / name)[0]]


def files(**more: bytes) -> dict[str, bytes]:
    """`FILES` without those that are folders, which not every kind of archive can hold by name."""
    return {name: data for name, data in {**FILES, **more}.items() if not name.endswith("/")}


# --- what is in them


@pytest.mark.parametrize("name", KINDS)
def test_members_are_chosen_as_files_in_a_folder_are(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, name, KINDS[name](files())) == READ


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_methods_of_zip(tmp_path: Path, method: int) -> None:
    assert told(tmp_path, "a.zip", zipped(FILES, method)) == READ


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_compressed_file_is_that_file(tmp_path: Path, suffix: str) -> None:
    """It is no archive: there is no member. The suffix before the last one tells what it is."""
    assert told(tmp_path, f"a.csa{suffix}", COMPRESS[suffix](GAME)) == [(None, "legal", [])]
    assert told(tmp_path, f"two.csa{suffix}", COMPRESS[suffix](GAME) + COMPRESS[suffix](b"/\n" + GAME)) == [
        (None, "legal", []), (None, "legal", [])]
    assert Source(f"x/a.csa{suffix}").suffix == ".csa"


def test_folders_hold_archives(tmp_path: Path) -> None:
    """One without any game is passed over there; one that was named is a problem."""
    (tmp_path / "b.zip").write_bytes(zipped(FILES))
    (tmp_path / "c.csa.gz").write_bytes(COMPRESS[".gz"](GAME))
    (tmp_path / "d.zip").write_bytes(zipped({"readme.md": b""}))
    (tmp_path / "e.gz").write_bytes(COMPRESS[".gz"](b"something"))
    found, problems = entries(tmp_path)
    assert [one.source.label.removeprefix(f"{tmp_path}/") for one in found] == [
        "b.zip/a.csa", "b.zip/sub/b.CSA", "b.zip/sub/b.CSA", "b.zip/z.usi", "c.csa.gz"]
    assert problems == []
    found, problems = entries(tmp_path / "d.zip")
    assert (found, [one.named for one in problems]) == ([], [True])
    assert "there are no game files in this archive" in problems[0].message


def test_an_archive_without_a_suffix_is_known_by_its_bytes(tmp_path: Path) -> None:
    assert told(tmp_path, "download", zipped(FILES)) == READ
    assert told(tmp_path, "download", tarred(files(), suffix=".gz")) == READ
    assert told(tmp_path, "download", COMPRESS[".xz"](GAME)) == [(None, "legal", [])]


def test_a_wrong_suffix_does_no_harm(tmp_path: Path) -> None:
    """Browsers unpack what they download and keep the name."""
    assert told(tmp_path, "a.tar.gz", tarred(files())) == READ
    assert told(tmp_path, "a.zip", seven_zipped(files())) == READ


def test_an_archive_in_an_archive(tmp_path: Path) -> None:
    """Its members stand in a folder of its name. Deeper is too deep, and is told."""
    inner = {"x.csa": GAME}
    outer = {"in.zip": zipped(inner), "in.tar.xz": tarred(inner, suffix=".xz"), "in.7z": seven_zipped(inner),
             "y.csa.gz": COMPRESS[".gz"](GAME), "deep.zip": zipped({"deeper.zip": zipped(inner), "x.csa": GAME})}
    expected: Told = [("in.zip/x.csa", "legal", []), ("in.tar.xz/x.csa", "legal", []), ("in.7z/x.csa", "legal", []),
                      ("y.csa.gz", "legal", []), ("deep.zip/deeper.zip", "unreadable", ["nested-archive"]),
                      ("deep.zip/x.csa", "legal", [])]
    for name in ("a.zip", "a.tar.gz", "a.7z"):
        assert told(tmp_path, name, KINDS[name](outer)) == expected


def test_what_macos_puts_beside_files_is_no_game(tmp_path: Path) -> None:
    data = zipped({"a.csa": GAME, "__MACOSX/._a.csa": b"\0\5\x16\7\0\2\0\0Mac OS X"})
    assert told(tmp_path, "a.zip", data) == [("a.csa", "legal", [])]


def test_members_of_one_name_are_told_apart(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for _ in range(3):
            with pytest.warns(UserWarning) if archive.namelist() else _nothing():
                archive.writestr("a.csa", GAME)
    assert [member for member, _, _ in told(tmp_path, "a.zip", out.getvalue())] == ["a.csa", "a (2).csa", "a (3).csa"]


def test_rows_name_path_and_member(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped(FILES))
    rows = [one.row() for one in entries(tmp_path / "a.zip")[0]]
    assert [(row["path"], row["member"], row["game"]) for row in rows] == [
        (str(tmp_path / "a.zip"), member, number)
        for member, number in (("a.csa", 1), ("sub/b.CSA", 1), ("sub/b.CSA", 2), ("z.usi", 1))]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.7z"])
def test_workers_share_an_archive(tmp_path: Path, name: str) -> None:
    """The same results in the same order, however many processes there are."""
    data = {f"{number:03}.csa": GAME.replace(b"+\n+", b"'%d\n+\n+" % number) for number in range(300)}
    (tmp_path / name).write_bytes(KINDS[name](data))
    once, twice = ([(source.member, size) for source, size in run(find([str(tmp_path / name)], []), _length, jobs=jobs)]
                   for jobs in (1, 2))
    assert once == twice == [(member, len(content)) for member, content in data.items()]


def _length(source: Source) -> list[int]:
    from kifu.pipeline import read_bytes

    return [len(read_bytes(source))]


# --- zip, as the directory has it


def test_the_directory_is_what_zipfile_sees() -> None:
    """Comments, something before the archive, four and eight bytes for a size."""
    for before, comment, limit in ((b"", b"", None), (b"#!/bin/sh\n", b"a comment", None),
                                   (b"", b"", 10), (b"MZ" * 40, b"x", 10)):
        with pytest.MonkeyPatch.context() as patch:
            if limit:
                patch.setattr(zipfile, "ZIP64_LIMIT", limit)
                patch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 2)
            out = io.BytesIO()
            out.write(before)
            with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
                archive.comment = comment
                for name, data in FILES.items():
                    archive.writestr(name, data)
        seen = [(one.filename, one.header_offset, one.file_size, one.compress_size, one.CRC)
                for one in zipfile.ZipFile(out).infolist() if not one.is_dir()]
        found = list(zips.directory(out))
        assert [(one.name, one.where.offset, one.where.size, one.where.packed, one.where.checksum)
                for one in found] == seen
        assert [zips.read(out, one.where) for one in found] == [
            data for name, data in FILES.items() if not name.endswith("/")]


def test_a_comment_that_looks_like_the_end(tmp_path: Path) -> None:
    """The end is where its comment ends with the file."""
    data = zipped(FILES)
    comment = b"PK\5\6" + bytes(16) + b"\xff\xff, and more"
    data = patched(data, len(data) - 2, "H", len(comment)) + comment
    assert told(tmp_path, "a.zip", data) == READ


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_names_without_a_word_about_their_encoding(tmp_path: Path, encoding: str) -> None:
    """Windows in Japan writes cp932, macOS UTF-8, and neither says so."""
    name = "棋譜/表ソ予.csa".encode(encoding)
    data = zipped({"x" * len(name): GAME, "a.csa": GAME}).replace(b"x" * len(name), name)
    assert [member for member, _, _ in told(tmp_path, "a.zip", data)] == ["棋譜/表ソ予.csa", "a.csa"]
    data = tarred({"x" * len(name): GAME}).replace(b"x" * len(name), name)
    data = _checksummed(data)
    assert [member for member, _, _ in told(tmp_path, "a.tar", data)] == ["棋譜/表ソ予.csa"]


def test_names_that_say_their_encoding(tmp_path: Path) -> None:
    assert told(tmp_path, "a.zip", zipped({"棋譜.csa": GAME}))[0][0] == "棋譜.csa"
    assert decoded(b"caf\x82.kif") == "café.kif"  # what is nothing else is cp437


def test_unicode_names_of_info_zip(tmp_path: Path) -> None:
    """An extra field that holds only as long as the plain name is the one it was made for."""
    import zlib

    plain = b"\x8a\xfb\x95\x88.csa"
    for checksum, expected in ((zlib.crc32(plain), "将棋.csa"), (1, "棋譜.csa")):
        field = b"\1" + struct.pack("<L", checksum) + "将棋.csa".encode()
        one = zipfile.ZipInfo("x" * len(plain))
        one.extra = struct.pack("<2H", 0x7075, len(field)) + field
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(one, GAME)
        assert told(tmp_path, "a.zip", out.getvalue().replace(b"x" * len(plain), plain))[0][0] == expected


# --- what cannot be read


def test_a_password(tmp_path: Path) -> None:
    """Only the members that it protects."""
    data = zipped({"a.csa": GAME, "b.csa": GAME})
    data = patched(data, entry(data, 0) + 8, "H", 1)
    assert told(tmp_path, "a.zip", data) == [("a.csa", "unreadable", ["encrypted"]), ("b.csa", "legal", [])]
    assert told(tmp_path, "a.7z", seven_zipped(files(), password="secret"))[0][1:] == ("unreadable", ["encrypted"])


def test_a_damaged_member_costs_itself_only(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(4000)
    data = bytearray(zipped({"a.csa": GAME, "b.csa": noise, "c.csa": GAME}))
    data[data.index(b"b.csa") + 2000] ^= 255
    found = told(tmp_path, "a.zip", bytes(data))
    assert [one for one in found if one[0] != "b.csa"] == [("a.csa", "legal", []), ("c.csa", "legal", [])]
    assert ("b.csa", "unreadable", ["unreadable-file"]) in found


def test_wrong_checksums_and_sizes(tmp_path: Path) -> None:
    """The directory lies about the first member's checksum, the second one's size, the third one's place."""
    data = zipped({f"{name}.csa": GAME * 9 for name in "abcd"})
    data = patched(data, entry(data, 0) + 16, "L", 1)
    data = patched(data, entry(data, 1) + 24, "L", len(GAME))
    data = patched(data, entry(data, 2) + 42, "L", 7)
    (tmp_path / "a.zip").write_bytes(data)
    found, _ = entries(tmp_path / "a.zip")
    said = {one.source.member: one.findings[0].message for one in found if one.findings}
    assert "checksum" in said["a.csa"]
    assert "longer than it says" in said["b.csa"]
    assert "not where the directory says" in said["c.csa"]
    assert [one.source.member for one in found if one.verdict == "legal"][:1] == ["d.csa"]


def test_a_method_that_nobody_knows(tmp_path: Path) -> None:
    data = zipped({"a.csa": GAME, "b.csa": GAME})
    (tmp_path / "a.zip").write_bytes(patched(data, entry(data, 0) + 10, "H", 9))
    found, _ = entries(tmp_path / "a.zip")
    assert "(9, Deflate64) is not supported" in found[0].findings[0].message
    assert found[1].verdict == "legal"


@pytest.mark.parametrize("name", KINDS)
def test_a_truncated_archive(tmp_path: Path, name: str) -> None:
    """What came before the cut is read where there is a way to it; that there is a cut is told."""
    noise = random.Random(1).randbytes(200_000)
    data = KINDS[name]({"a.csa": GAME, "b.csa": noise, "c.csa": GAME})
    found = told(tmp_path, name, data[:len(data) // 2])
    assert found[-1][1:] == ("unreadable", ["unreadable-file"])
    if ".t" in name and not name.endswith((".bz2", ".tbz2", ".xz", ".txz")):
        assert found[0] == ("a.csa", "legal", [])
        assert found[-1][0] == "b.csa"


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_truncated_or_foreign_file(tmp_path: Path, suffix: str) -> None:
    data = COMPRESS[suffix](random.Random(1).randbytes(5000))
    for bad in (data[:-1], data[:len(data) // 2], data + b"rubbish", b"V2.2\nPI\n+\n", b""):
        assert told(tmp_path, f"a.csa{suffix}", bad) == [(None, "unreadable", ["unreadable-file"])]
    assert told(tmp_path, f"b.csa{suffix}", COMPRESS[suffix](GAME) + bytes(512))[0][1] == "legal"  # padding


def test_a_broken_header_of_tar(tmp_path: Path) -> None:
    """`tarfile` takes one for the end of the archive; what is behind it would be lost without a word."""
    data = bytearray(tarred({"a.csa": GAME, "b.csa": GAME, "c.csa": GAME}))
    data[1024] ^= 255
    assert told(tmp_path, "a.tar", bytes(data)) == [("a.csa", "legal", []), (None, "unreadable", ["unreadable-file"])]


@pytest.mark.parametrize("name", KINDS)
def test_rubbish(tmp_path: Path, name: str) -> None:
    for data in (b"", b"hello", bytes(3000), random.Random(2).randbytes(3000)):
        (tmp_path / name).write_bytes(data)
        found, problems = entries(tmp_path / name)
        assert [one.verdict for one in found] == ["unreadable"] or problems


@pytest.mark.parametrize("name", KINDS)
def test_no_damage_raises(tmp_path: Path, name: str) -> None:
    """Bytes changed, cut out and doubled anywhere: never an error of ours, and no game that was not there."""
    dice = random.Random(name)
    whole = KINDS[name]({"a.csa": GAME, "in.zip": zipped({"b.csa": GAME}), "c.csa.gz": COMPRESS[".gz"](GAME)})
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(dice.choice((1, 1, 3, 20))):
            place = dice.randrange(len(data))
            what = dice.randrange(3)
            if what == 0:
                data[place] = dice.randrange(256)
            elif what == 1:
                del data[place:place + dice.choice((1, 10, 500))]
            else:
                data[place:place] = data[place:place + dice.choice((1, 40))]
            if not data:
                break
        told(tmp_path, name, bytes(data))


# --- what would hurt


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits a thousand times smaller, so that bombs can be."""
    monkeypatch.setattr(limits, "MEMBER", 1 << 18)
    monkeypatch.setattr("kifu.pipeline.archives.MEMBER", 1 << 18)
    monkeypatch.setattr(limits, "FREE", 1 << 16)
    monkeypatch.setattr("kifu.pipeline.compressed.FREE", 1 << 16)
    monkeypatch.setattr(limits, "MEMBERS", 50)


LARGE: Told = [("b.csa", "unreadable", ["too-large"])]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", KINDS)
def test_a_member_that_is_too_large(tmp_path: Path, name: str) -> None:
    """The others are read: it is in nobody's way."""
    noise = random.Random(1).randbytes(1 << 19)
    assert told(tmp_path, name, KINDS[name]({"a.csa": GAME, "b.csa": noise, "c.csa": GAME})) == [
        ("a.csa", "legal", []), *LARGE, ("c.csa", "legal", [])]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", [name for name in KINDS if name != "a.tar"])
def test_an_archive_that_unpacks_to_far_more_than_it_is(tmp_path: Path, name: str) -> None:
    """What came before the limit is read; the archive itself is told then, once."""
    bomb = {"a.csa": GAME, **{f"{number}.csa": bytes(1 << 17) for number in range(40)}}
    found = told(tmp_path, name, KINDS[name](bomb))
    assert found[-1] == (None, "unreadable", ["too-large"])
    assert len(found) < 40


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_compressed_bomb(tmp_path: Path, suffix: str) -> None:
    assert told(tmp_path, f"b.csa{suffix}", COMPRESS[suffix](bytes(1 << 24))) == [(None, "unreadable", ["too-large"])]
    inside = told(tmp_path, "a.zip", zipped({f"b.csa{suffix}": COMPRESS[suffix](bytes(1 << 24))}))
    assert inside == [(f"b.csa{suffix}", "unreadable", ["too-large"])]


@pytest.mark.usefixtures("small")
def test_a_bomb_of_overlapping_members(tmp_path: Path) -> None:
    """The same hundred bytes a thousand times (D. Fifield, "A better zip bomb", 2019)."""
    found = told(tmp_path, "a.zip", overlapping(bytes(1 << 17), 40))
    assert found[-1] == (None, "unreadable", ["too-large"])
    assert len(found) < 10


@pytest.mark.usefixtures("small")
def test_a_bomb_of_nested_archives(tmp_path: Path) -> None:
    """All of them spend from one budget."""
    inner = zipped({f"{number}.csa": bytes(1 << 15) for number in range(9)})
    found = told(tmp_path, "a.zip", zipped({f"{number}.zip": inner for number in range(40)}))
    assert [one for one in found if one[2] == ["too-large"]]
    assert len(found) < 60


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.7z"])
def test_too_many_members(tmp_path: Path, name: str) -> None:
    found = told(tmp_path, name, KINDS[name]({f"{number}.csa": GAME for number in range(51)}))
    assert found[-1] == (None, "unreadable", ["too-large"])
    assert [one[1] for one in found[:-1]] == ["legal"] * (0 if name == "a.7z" else 50)


def test_headers_that_are_too_large(tmp_path: Path) -> None:
    """A header that says it is as large as the memory; so many headers before one member that tarfile recurses."""
    huge = tarfile.TarInfo("huge")
    huge.type, huge.size = tarfile.XHDTYPE, 1 << 32
    assert told(tmp_path, "a.tar", huge.tobuf()) == [(None, "unreadable", ["too-large"])]
    long = tarfile.TarInfo("long")
    long.type, long.size = tarfile.GNUTYPE_LONGNAME, 5
    chain = (long.tobuf(tarfile.GNU_FORMAT) + b"a.csa".ljust(512, b"\0")) * 3000
    assert told(tmp_path, "a.tar", chain)[0][1:] == ("unreadable", ["unreadable-file"])


def test_dictionaries_that_are_too_large(tmp_path: Path) -> None:
    import lzma

    data = bytearray(lzma.compress(GAME, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20}]))
    place = data.index(b"\x21\x01") + 2  # in the header of the block: LZMA2, one byte of properties
    data[place] = 40  # 4 GiB
    header = data[12:12 + (data[12] + 1) * 4 - 4]
    import zlib

    data[12 + len(header):16 + len(header)] = zlib.crc32(header).to_bytes(4, "little")
    assert told(tmp_path, "a.csa.xz", bytes(data))[0][1:] == ("unreadable", ["unreadable-file"])


NAMES = ["../up.csa", "../../../etc/up.csa", "/root.csa", "C:\\windows\\c.csa", "\\\\server\\share\\d.csa", "a/./../../e.csa",
         "nul.csa", "con", "x" * 300 + ".csa", "tab\there.csa", "..\\back.csa", "trailing. ./f.csa"]


@pytest.mark.parametrize("name", NAMES)
def test_safe_names_lead_downwards_only(name: str) -> None:
    parts = safe(name).split("/")
    assert ".." not in parts and "" not in parts
    assert not any(char in safe(name) for char in '\\:*?"<>|\0\t')
    assert all(len(part.encode()) < 255 for part in parts)
    target = Source("g/games.zip", member=name).relative
    assert Path("/into", target).resolve().is_relative_to("/into/games.zip")


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.7z"])
def test_bad_names_are_names_like_others(tmp_path: Path, name: str) -> None:
    """A member's bytes are read whatever it is called; nothing is opened by that name."""
    bad = ["../up.csa", "/root.csa", "C:/c.csa"]
    (tmp_path / "up.csa").write_text("this is another file")
    (tmp_path / "in").mkdir()
    found = told(tmp_path / "in", name, KINDS[name](dict.fromkeys(bad, GAME)))
    assert [(member.lstrip("/") if member else member, verdict) for member, verdict, _ in found] == [
        (member.lstrip("/"), "legal") for member in bad]


def test_links_and_devices_are_not_followed(tmp_path: Path) -> None:
    """They are told, as problems."""
    (tmp_path / "secret.csa").write_bytes(GAME)
    members = []
    for name, kind in (("s.csa", tarfile.SYMTYPE), ("h.csa", tarfile.LNKTYPE), ("p.csa", tarfile.FIFOTYPE),
                       ("c.csa", tarfile.CHRTYPE), ("b.csa", tarfile.BLKTYPE)):
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, str(tmp_path / "secret.csa")
        members.append(member)
    (tmp_path / "a.tar").write_bytes(tarred({"a.csa": GAME}, *members))
    found, problems = entries(tmp_path / "a.tar")
    assert [one.source.member for one in found] == ["a.csa"]
    assert [(one.path.rpartition("/")[2], one.named) for one in problems] == [
        (name, False) for name in ("s.csa", "h.csa", "p.csa", "c.csa", "b.csa")]
    assert "a link, which is not followed" in problems[0].message

    link = zipfile.ZipInfo("s.csa")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(link, str(tmp_path / "secret.csa"))
    (tmp_path / "a.zip").write_bytes(out.getvalue())
    found, problems = entries(tmp_path / "a.zip")
    assert (found, len(problems)) == ([], 1)


def test_sparse_files_are_as_large_as_they_say(tmp_path: Path, small: None) -> None:
    """A header of 512 bytes may stand for a terabyte of zeros."""
    sparse = tarfile.TarInfo("b.csa")
    sparse.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(sparse.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"%011o\0" % (1 << 32)
    assert told(tmp_path, "a.tar", _checksummed(bytes(header)) + bytes(1024)) == LARGE


def _checksummed(data: bytes) -> bytes:
    """A tar archive whose first header has a right checksum."""
    header = data[:148] + b" " * 8 + data[156:512]
    return data[:148] + b"%06o\0 " % sum(header) + data[156:]


class _nothing:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...
