"""Values of options that name something: what names nothing is refused with what there is, never passed over."""
from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kifu.cli import options

from kifu.ends import REASONS
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.variants import RULESETS

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF, LEGAL

Kifu = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one game, and a database of it."""
    from kifu.cli import run

    (tmp_path / "a.csa").write_text(LEGAL)
    assert run(["load", str(tmp_path / "a.csa"), "--db", str(tmp_path / "games.duckdb"), "--quiet"]) == 0
    return tmp_path


@pytest.mark.parametrize(("arguments", "said"), [
    (("openings", "--db", "games.duckdb", "--end", "resignation"), ("--end", "resign", "checkmate", "try_rule")),
    (("openings", "--db", "games.duckdb", "--handicap", "xyz"), ("--handicap", "even", "2-piece", "other")),
    (("check", "a.csa", "--handicap", "xyz"), ("--handicap", "even", "2-piece")),
    (("check", "a.csa", "--handicap", "other"), ("--handicap", "even", "2-piece")),
    (("check", "a.csa", "--variant", "xyz"), ("--variant", "shogi", "torishogi")),
    (("check", "a.csa", "--select", "nonsense"), ("--select", "no finding is called 'nonsense'")),
    (("check", "a.csa", "--ignore", "K4,K99"), ("--ignore", "no finding is called 'K99'")),
    (("check", "a.csa", "--ignore", "nfu"), ("no finding is called 'nfu'", "did you mean 'nifu'?")),
    (("sql", ".tables", "a.csa"), ("SHOW TABLES", "DESCRIBE games")),
])
def test_what_names_nothing(kifu: Kifu, folder: Path, arguments: tuple[str, ...], said: tuple[str, ...]) -> None:
    ran = kifu(*arguments, cwd=folder)
    assert (ran.status, ran.out, "Traceback" in ran.err) == (2, "", False)
    assert all(word in ran.err for word in said), ran.err


@pytest.mark.parametrize("name", ["torishogi", "tori", "Tori Shogi", "禽将棋"])
def test_a_kind_of_shogi_by_any_of_its_names(kifu: Kifu, folder: Path, name: str) -> None:
    (folder / "tori.usi").write_text("7e7d\n")
    ran = kifu("check", "tori.usi", "--variant", name, cwd=folder)
    assert (ran.status, ran.out) == (0, "1 game in 1 file: 1 legal; no errors, no warnings\n")
    assert kifu("openings", "--db", "games.duckdb", "--variant", name, cwd=folder).status == 0


def test_every_end_can_be_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from kifu.cli import run

    capsys.readouterr()
    for end in REASONS:
        assert run(["openings", "--db", str(folder / "games.duckdb"), "--csv", "--end", end]) == 0
        assert capsys.readouterr().out.count("\n") == (2 if end == "resign" else 1), end


@pytest.mark.parametrize(("filters", "said"), [
    (("--handicap", "other"), "1 game plays on from this position, but none that --handicap lets through"),
    (("--black", "Nobody", "--since", "2000"), "but none that --black and --since let through"),
    (("--min-games", "2"), "1 game plays on from this position, but no move has 2 of them"),
    (("--end", "resign", "--min-games", "2"), "but no move has 2 of those that --end lets through"),
    (("9g9f", "--end", "resign"), "no game in the database plays on from this position"),
])
def test_why_there_is_nothing(kifu: Kifu, folder: Path, filters: tuple[str, ...], said: str) -> None:
    """Filters that let nothing through are no lack of games."""
    ran = kifu("openings", "--db", "games.duckdb", *filters, cwd=folder)
    assert ran.status == 0
    assert said in ran.err


@pytest.mark.parametrize(("asked", "told"), [("K", True), ("k4", True), ("K411", True), ("Empty-Origin", True),
                                             ("K1 K2,nifu", False), ("", True)])
def test_findings_by_code_beginning_and_name(kifu: Kifu, tmp_path: Path, asked: str, told: bool) -> None:
    (tmp_path / "a.csa").write_text(ILLEGAL)
    ran = kifu("check", tmp_path / "a.csa", "--select", asked)
    assert (ran.status, "K411" in ran.out) == (1, told)


def test_help_names_what_there_is(kifu: Kifu) -> None:
    """Kinds of shogi, handicaps and ends, where an option takes them; the columns that SQL can ask for."""
    assert options.HANDICAP_KEYS.split(", ") == list(HANDICAPS)
    assert options.VARIANTS.split(", ") == list(RULESETS)
    keys = options.HANDICAP_KEYS.replace(" ", "")
    told = "".join(kifu("openings", "--help").out.split())  # lines are broken behind hyphens too
    assert f"onlygamesthatendedso:{','.join(REASONS)}." in told.lower()
    assert f"onlygamesofthishandicap,orany:{keys},other,any." in told.lower()
    assert f"wheretherecorddoesnotsay:{keys}." in "".join(kifu("check", "--help").out.split())


def test_help_names_the_columns(kifu: Kifu, folder: Path) -> None:
    told = kifu("sql", "--help").out
    for table in ("games", "plies"):
        columns = kifu("sql", f"SELECT column_name FROM (DESCRIBE {table})", "--db", "games.duckdb", "--csv", cwd=folder)
        for name in columns.out.split()[1:]:
            assert name in told or name == "game_hash", name  # for programs
    assert "-1 White won" in told
    assert "usi(move)" in told
    assert kifu("sql", "DESCRIBE games", "a.csa", "--csv", cwd=folder).out.splitlines()[1].startswith("game_id,INTEGER")


@pytest.mark.parametrize("arguments", [("convert", "a.csa", "--to", "kif", "-o"), ("load", "a.csa", "--db"),
                                       ("sql", "SELECT 1", "a.csa", "--parquet")], ids=lambda arguments: arguments[0])
@pytest.mark.parametrize(("where", "why"), [("nowhere/sub", "does not exist"), ("a.csa", "is no folder")])
def test_a_file_in_a_folder_that_is_not_there(kifu: Kifu, folder: Path, arguments: tuple[str, ...], where: str,
                                              why: str) -> None:
    """The folder is named, and no name of our own."""
    ran = kifu(*arguments, f"{where}/x", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert f"{where}/x cannot be written: {where} {why}." in ran.err
    assert ".part" not in ran.err


def test_a_file_that_cannot_be_made(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write anywhere, so the system's refusal is played."""
    from kifu.cli import run, target

    def refuse(path: str, *_: object) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(target, "open", refuse, raising=False)
    assert run(["convert", str(folder / "a.csa"), "--to", "kif", "-o", str(folder / "x.kif"), "--quiet"]) == 2
    assert capsys.readouterr().err == f"kifu: {folder}/x.kif: Permission denied\n"


def test_a_byte_order_mark_for_utf_8(kifu: Kifu, folder: Path) -> None:
    """One a file, however many games; UTF-8 as such has none. Reading takes either for UTF-8."""
    (folder / "b.kif").write_text(KIF, encoding="utf-8")
    for asked, mark in (("utf-8-sig", True), ("UTF_8_SIG", True), ("utf8", False)):
        ran = kifu("convert", "a.csa", "b.kif", "--to", "kif", "--to-encoding", asked, "-o", "x.kif", "--force", "--quiet",
                   cwd=folder)
        assert ran.status == 0, ran.err
        data = (folder / "x.kif").read_bytes()
        assert data.startswith(b"\xef\xbb\xbf" * mark + b"#KIF version=2.0 encoding=UTF-8\n")
        assert data.count(b"\xef\xbb\xbf") == mark
        assert kifu("check", "x.kif", "--quiet", "--encoding", asked, cwd=folder).out.startswith("2 games in 1 file: 2 legal; no err")
    kifu("convert", "a.csa", "b.kif", "--to", "csa", "--to-encoding", "utf-8-sig", "--into", "out", "--quiet", cwd=folder)
    assert [path.read_bytes().count(b"\xef\xbb\xbf") for path in sorted((folder / "out").iterdir())] == [1, 1]
    assert kifu("convert", "a.csa", "b.kif", "--to", "usi", "--to-encoding", "utf-8-sig", "--quiet",
                cwd=folder).out.count("\ufeff") == 1


def test_a_lacking_character_hints_at_utf_8(kifu: Kifu, folder: Path) -> None:
    """Once; with the suffix that means UTF-8 where the notation has one."""
    (folder / "b.kif").write_text(KIF.replace("髙橋", "𠮷田"), encoding="utf-8")
    ran = kifu("convert", "b.kif", "b.kif", "--to", "kif", "-o", "x.kif", cwd=folder)
    assert ran.err.count("hint: --to-encoding utf-8 has every character; so has -o x.kifu, a suffix") == 1
    assert kifu("convert", "b.kif", "--to", "kif", "-o", "x.kifu", cwd=folder).status == 0
    ran = kifu("convert", "b.kif", "--to", "csa", "--to-encoding", "cp932", "-o", "x.csa", cwd=folder)
    assert "hint: --to-encoding utf-8 has every character\n" in ran.err


@pytest.mark.parametrize(("arguments", "said"), [
    (("--variant", "torishogi", "--handicap", "xyz"), "'xyz' is none of even, left-quail, falcon, "),
    (("--handicap", "rook", "--variant", "torishogi"), "'rook' is no handicap of tori shogi, which has even, left-quail, "),
    (("--handicap", "rook", "--variant", "tori shogi"), "'rook' is no handicap of tori shogi, which has even, left-quail, "),
])
def test_handicaps_are_those_of_the_kind_of_shogi(kifu: Kifu, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    """Whichever of the two options stands first."""
    for command in (("check", "a.csa"), ("openings", "--db", "games.duckdb")):
        ran = kifu(*command, *arguments, cwd=folder)
        assert (ran.status, ran.out) == (2, "")
        assert said in ran.err


def test_a_handicap_of_the_kind_that_the_record_tells(kifu: Kifu, folder: Path) -> None:
    """Without --variant a record may be of any kind of shogi; what a database is asked for is of the ordinary one."""
    ran = kifu("openings", "--db", "games.duckdb", "--handicap", "falcon", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert "'falcon' is no handicap of shogi, which has even, lance, " in ran.err
    for name, text in (("tori.txt", '[Variant "torishogi"]\n\n1. S-4d *\n'), ("tori.kif", "手合割：禽将棋\n1 ４四燕(43)\n")):
        (folder / name).write_text(text)
        assert kifu("check", name, "--handicap", "falcon", cwd=folder).out.endswith(": 1 legal; no errors, no warnings\n")
        ran = kifu("check", name, "--handicap", "bishop", cwd=folder)
        assert (ran.status, ran.out.count("K301")) == (1, 1)
        assert "no handicap is called bishop in tori shogi" in ran.out
        assert "hint: tori shogi has even, left-quail, falcon, " in ran.out


ORDINARY_RECORDS = {
    "usi": "startpos moves 7g7f\n", "kif": "1 ７六歩(77)\n", "ki2": "▲７六歩\n", "western": "1. P-7f *\n",
    "jkf": '{"header": {}, "moves": [{}, {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"}}]}',
}


@pytest.mark.parametrize("notation", ORDINARY_RECORDS)
def test_a_handicap_that_shogi_has_not(kifu: Kifu, folder: Path, notation: str) -> None:
    """Said in every notation, with no move played from the even position instead."""
    (folder / "x.txt").write_text(ORDINARY_RECORDS[notation])
    ran = kifu("check", "x.txt", "--from", notation, "--handicap", "falcon", cwd=folder)
    assert ran.status == 1
    assert "K301 unknown-handicap: no handicap is called falcon in shogi" in ran.out
    assert "1 game in 1 file: 1 unreadable" in ran.out


@pytest.mark.parametrize(("name", "text", "variant"), [
    ("a.txt", '[Variant "minishogi"]\n\n1. R-3d *\n', "torishogi"), ("a.txt", '[Variant "minishogi"]\n\n1. R-3d *\n', "shogi"),
    ("a.txt", '[Variant "Standard"]\n\n1. P-7f *\n', "minishogi"),
    ("a.kif", "手合割：5五将棋\n1 ３四角(25)\n", "torishogi"), ("a.kif", "手合割：5五将棋\n1 ３四角(25)\n", "shogi"),
    ("a.usi", "sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 2e3d\n", "torishogi"),
    ("a.usi", "sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 2e3d\n", "shogi"),
    ("a.usi", f"sfen {RULESETS['cannonshogi'].initial} moves 7h7e\n", "shogi"),
])
def test_another_kind_of_shogi_than_the_record_tells(kifu: Kifu, folder: Path, name: str, text: str, variant: str) -> None:
    """It is said once, in every notation, and nothing is played by the wrong rules."""
    (folder / name).write_text(text)
    ran = kifu("check", name, "--variant", variant, cwd=folder)
    assert (ran.status, ran.out.count("K303")) == (1, 1), ran.out
    assert "K303 bad-board: the start position cannot be used: the " in ran.out
    assert f"not of {RULESETS[variant].name}, the kind of shogi that was named" in ran.out


def test_a_kind_that_the_record_cannot_tell(kifu: Kifu, folder: Path) -> None:
    """A name that is not known contradicts nothing: --variant says what it means."""
    (folder / "a.txt").write_text('[Variant "Bird shogi"]\n\n1. S-3d Sx3d 2. Sx3d *\n')
    assert "K208" in kifu("check", "a.txt", cwd=folder).out
    ran = kifu("check", "a.txt", "--variant", "torishogi", cwd=folder)
    assert "K208" not in ran.out
    assert "K303" not in ran.out
