"""Archives and compressed data as users name them: paths, folders, standard input; and where their members are written."""
from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "pipeline"))
from archive_files import COMPRESS, KINDS, patched, tarred, zipped
from games import ILLEGAL, KIF, LEGAL

Kifu = Callable[..., Any]
FILES = {"sub/a.kif": KIF.encode("cp932"), "b.csa": LEGAL.encode(), "notes.txt": b"Dear diary,\n"}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A zip archive of three files, of which two are games."""
    path = tmp_path / "games.zip"
    path.write_bytes(zipped(FILES))
    return path


def test_findings_name_the_member(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "games.zip").write_bytes(zipped({"sub/bad.csa": ILLEGAL.encode(), "b.csa": LEGAL.encode()}))
    ran = kifu("check", "games.zip", cwd=tmp_path)
    assert ran.status == 1
    assert ran.out.startswith("games.zip/sub/bad.csa:10:1: K411")
    ran = kifu("check", "games.zip", "--format", "json", cwd=tmp_path)
    assert [(row["path"], row["member"], row["game"], row["verdict"]) for row in map(json.loads, ran.out.splitlines())] == [
        ("games.zip", "sub/bad.csa", 1, "illegal"), ("games.zip", "b.csa", 1, "legal")]
    ran = kifu("convert", "games.zip", "--to", "usi", cwd=tmp_path)
    assert ran.status == 1
    assert ran.out.count("startpos") == 1
    assert "kifu: games.zip/sub/bad.csa:10:1: K411" in ran.err


def test_a_name_cannot_move_the_cursor(kifu: Kifu, tmp_path: Path) -> None:
    (tmp_path / "games.zip").write_bytes(zipped({"\x1b[2Jx.csa": ILLEGAL.encode()}))
    ran = kifu("check", "games.zip", cwd=tmp_path)
    assert "\x1b" not in ran.out
    assert ran.out.startswith("games.zip/\\x1b[2Jx.csa:10:1")


def test_detect_show_and_sql(kifu: Kifu, archive: Path) -> None:
    """Every command that reads files reads members."""
    assert kifu("detect", archive).out.splitlines() == [
        f"{archive}/sub/a.kif: kif, cp932, line ends lf, 1 game", f"{archive}/b.csa: csa, ascii, line ends lf, 1 game"]
    assert "N+: Kana" in kifu("show", archive, "--game", "2").out
    assert kifu("sql", "SELECT black FROM games ORDER BY 1", archive, "--csv").out.splitlines()[1:] == ["Kana", "髙橋"]


def test_load_knows_members(kifu: Kifu, archive: Path) -> None:
    """A member is a source of its own; the same archive brings nothing twice."""
    database = archive.with_name("games.duckdb")
    assert kifu("load", archive, "--db", database).out == f"{database}: 2 games from 2 files\n"
    assert "2 files unchanged" in kifu("load", archive, "--db", database).out
    ran = kifu("sql", "SELECT path FROM sources ORDER BY 1", "--db", database, "--csv")
    assert ran.out.splitlines()[1:] == [f"{archive}/b.csa", f"{archive}/sub/a.kif"]


@pytest.mark.parametrize("name", KINDS)
def test_standard_input_is_known_by_its_bytes(kifu: Kifu, name: str) -> None:
    ran = kifu("check", "-", "--format", "json", stdin=KINDS[name](FILES))
    assert ran.status == 0, ran.err
    assert [(row["path"], row["member"], row["verdict"]) for row in map(json.loads, ran.out.splitlines())] == [
        ("-", "sub/a.kif", "legal"), ("-", "b.csa", "legal")]


@pytest.mark.parametrize("suffix", COMPRESS)
def test_compressed_standard_input(kifu: Kifu, suffix: str) -> None:
    data = COMPRESS[suffix](LEGAL.encode())
    assert kifu("convert", "-", "--to", "usi", stdin=data).out == (
        "position startpos moves 7g7f 3c3d 8h2b+ 3a2b resign\n")


@pytest.mark.parametrize("arguments", [
    ("check", "-"), ("convert", "-", "--to", "kif"), ("detect", "-"), ("show", "-"), ("sql", "SELECT plies FROM games", "-"),
    ("load", "-", "--db", "games.duckdb"), ("convert", "-", "--to", "kif", "--into", "out"),
], ids=" ".join)
def test_every_command_reads_standard_input(kifu: Kifu, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Plain, compressed and in an archive."""
    for data in (LEGAL.encode(), gzip.compress(LEGAL.encode()), zipped(FILES)):
        ran = kifu(*arguments, "--force" if "--into" in arguments else "--quiet", stdin=data, cwd=tmp_path)
        assert (ran.status, "Traceback" in ran.err) == (0, False), ran.err


def test_standard_input_that_is_closed(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "kifu", "check", "-"], capture_output=True, text=True,
                          preexec_fn=lambda: __import__("os").close(0))
    assert done.returncode == 2
    assert "K901" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("convert", "--to", "kif"), ("check", "--format", "json"), ("detect",)],
                         ids=lambda arguments: arguments[0])
def test_a_closed_pipe_is_no_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """Whoever reads has seen enough."""
    (tmp_path / "many.zip").write_bytes(zipped({f"{number}.csa": LEGAL.encode() for number in range(2000)}))
    command = [sys.executable, "-m", "kifu", arguments[0], str(tmp_path / "many.zip"), *arguments[1:], "--jobs", "1",
               "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout and running.stderr
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 0


def test_an_archive_becomes_a_folder(kifu: Kifu, archive: Path, tmp_path: Path) -> None:
    (tmp_path / "c.csa.gz").write_bytes(gzip.compress(LEGAL.encode()))
    ran = kifu("convert", tmp_path, "--to", "usi", "--into", tmp_path / "out", "--quiet")
    assert ran.status == 0, ran.err
    assert written(tmp_path / "out") == ["c.usi", "games.zip/b.usi", "games.zip/sub/a.usi"]


def written(folder: Path) -> list[str]:
    """All files below a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.7z"])
def test_nothing_is_written_outside_of_the_folder(kifu: Kifu, tmp_path: Path, name: str) -> None:
    """Whatever members are called. One that would be where another is, is refused."""
    names = ["../up.csa", "../../up.csa", f"{tmp_path}/absolute.csa", "C:\\drive.csa", "a/../../../up.csa", "b.csa/c.csa",
             "b.csa", "b.kif", "d.csa\n/e.csa", "x" * 300 + ".csa", "..csa", "nul.csa"]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_bytes(KINDS[name](dict.fromkeys(names, LEGAL.encode())))
    before = written(tmp_path)
    ran = kifu("convert", tmp_path / "in" / name, "--to", "csa", "--into", tmp_path / "out", "--quiet")
    assert "Traceback" not in ran.err
    new = set(written(tmp_path)) - set(before)
    assert len(new) >= 9
    assert all(path.startswith(f"out/{name}/") for path in new)
    assert all(not path.is_symlink() for path in tmp_path.rglob("*"))


def test_links_in_an_archive_are_told(kifu: Kifu, tmp_path: Path) -> None:
    member = tarfile.TarInfo("link.csa")
    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
    (tmp_path / "a.tar").write_bytes(tarred({"b.csa": LEGAL.encode()}, member))
    ran = kifu("check", "a.tar", "--quiet", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "kifu: a.tar/link.csa: a link, which is not followed\n")


#: Name -> what makes the bytes of an archive that cannot be read (None: one behind a password), and the finding's code.
UNREADABLE: dict[str, tuple[Callable[[], bytes] | None, str]] = {
    "cut.zip": (lambda: b"PK\3\4", "K901"), "cut.tar.gz": (lambda: gzip.compress(tarred(FILES))[:200], "K901"),
    "cut.7z": (lambda: b"7z\xbc\xaf\x27\x1c", "K901"), "cut.kif.gz": (lambda: gzip.compress(KIF.encode())[:30], "K901"),
    "secret.zip": (None, "K905"),
    "bomb.kif.xz": (lambda: COMPRESS[".xz"](bytes(1 << 20)) * 300, "K902"),  # streams, one behind the other
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_at_all(kifu: Kifu, tmp_path: Path, name: str) -> None:
    make, said = UNREADABLE[name]
    data = make() if make is not None else None
    """The status is 2, as for a file that is not there."""
    if data is None:
        data = zipped({"a.csa": LEGAL.encode()})
        data = patched(data, data.index(b"PK\x01\x02") + 8, "H", 1)
    (tmp_path / name).write_bytes(data)
    others = [("convert", "--to", "kif"), ("detect",), ("show",)] if name.endswith(".zip") else []
    for arguments in [("check",), *others]:
        ran = kifu(arguments[0], tmp_path / name, *arguments[1:])
        assert (ran.status, "Traceback" in ran.err) == (2, False), arguments
        assert arguments[0] == "detect" or said in ran.out + ran.err


def test_one_bad_member_does_not_stop_the_others(kifu: Kifu, tmp_path: Path) -> None:
    data = zipped({"a.csa": LEGAL.encode(), "b.csa": LEGAL.encode()})
    (tmp_path / "a.zip").write_bytes(patched(data, data.index(b"PK\x01\x02") + 8, "H", 1))
    ran = kifu("convert", "a.zip", "--to", "usi", "--into", "out", cwd=tmp_path)
    assert (ran.status, written(tmp_path / "out")) == (1, ["a.zip/b.usi"])
    assert "a.zip/a.csa:1:1: K905 encrypted: a password protects this" in ran.err


def test_many_members_take_little_memory(kifu: Kifu, tmp_path: Path) -> None:
    """Twenty thousand games are never all there at once, not even their names with their bytes."""
    resource = pytest.importorskip("resource")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        game = LEGAL.encode() + b"'" + b"x" * 3000 + b"\n"
        for number in range(20_000):
            archive.writestr(f"{number}.csa", game)
    (tmp_path / "many.zip").write_bytes(out.getvalue())
    program = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", program, sys.executable, "-m", "kifu", "check", str(tmp_path / "many.zip"),
                           "--jobs", "2"], capture_output=True, text=True, check=True)
    assert int(done.stdout) * (1 if sys.platform == "darwin" else 1024) < 60 << 20
    assert resource
