"""`kifu games` and `kifu openings` with filters, on a small database that can be counted by hand."""
from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

Kifu = Callable[..., Any]

#: Black, White, event, date, moves, end. 5 is a game at odds. 6 has after 8 plies the position of 1 after 3, the colours
#: exchanged, and then the same move.
GAMES = [
    ("羽生善治 九段", "谷川浩司", "第1期名人戦", "1990/05/01", "+7776FU\n-3334FU\n+2726FU\n-8384FU", "%TORYO"),
    ("谷川浩司", "羽生善治", "竜王戦", "1992/10/20", "+7776FU\n-3334FU\n+8822UM\n-3122GI", "%TORYO"),
    ("羽生善治郎", "Kana [3 dan]", "竜王戦", "1992/11/01", "+7776FU\n-8384FU\n+2726FU\n-3334FU\n+2625FU", "%TORYO"),
    ("Kana", "Riku", "", "2001/01/01", "+2726FU\n-8384FU", "%SENNICHITE"),
    ("Riku", "Kana", "", "", "-3334FU\n+7776FU", "%TORYO"),
    ("Riku", "Kana", "", "2003/03/03", "+7776FU\n-3334FU\n+2838HI\n-8384FU\n+3848HI\n-8272HI\n+4828HI\n-7282HI\n+2726FU",
     "%CHUDAN"),
]
EVEN = ("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\n"
        "P4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n"
        "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+")
LANCE = EVEN.replace("-KE-KY\nP2", "-KE * \nP2")[:-1] + "-"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, kifu: Kifu) -> Path:
    """A folder with the database games.duckdb, whose games are 1 to 6."""
    here = tmp_path_factory.mktemp("games")
    texts = []
    for number, (black, white, event, date, moves, end) in enumerate(GAMES, 1):
        headers = [f"N+{black}", f"N-{white}", f"$EVENT:{event}" if event else "", f"$START_TIME:{date}" if date else ""]
        texts.append("\n".join(["V2.2", *filter(None, headers), LANCE if number == 5 else EVEN, moves, end, ""]))
    (here / "all.csa").write_text("/\n".join(texts), encoding="utf-8")
    ran = kifu("load", "all.csa", "--db", "games.duckdb", cwd=here)
    assert ran.out.startswith("games.duckdb: 6 games from 1 file"), ran.err
    return here


@pytest.fixture
def asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[dict[str, Any]]]:
    """Asks in this process, which is quicker; the rows."""
    from kifu.cli import run

    def ask(command: str, *arguments: str) -> list[dict[str, Any]]:
        assert run([command, "--db", str(folder / "games.duckdb"), "--json", *arguments]) == 0, capsys.readouterr().err
        rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
        return rows

    return ask


@pytest.mark.parametrize(("arguments", "games"), [
    ((), {1, 2, 3, 4, 5, 6}),
    (("--handicap", "even"), {1, 2, 3, 4, 6}),
    (("--handicap", "lance"), {5}),
    (("--player", "羽生善治"), {1, 2}),
    (("--player", "羽生善治*"), {1, 2, 3}),
    (("--player", "羽生善治 九段"), {1}),
    (("--player", "Kana"), {3, 4, 5, 6}),
    (("--player", "Kana [3 dan]"), {3}),
    (("--player", "Kana*[3*]"), {3}),
    (("--player", "羽生善治", "--side", "white"), {2}),
    (("--player", "羽生善治", "--opponent", "谷川浩司", "--until", "1990"), {1}),
    (("--black", "Kana"), {4}),
    (("--white", "Kana", "--since", "1992-11"), {3, 6}),
    (("--event", "竜王戦"), {2, 3}),
    (("--event", "第*"), {1}),
    (("--end", "repetition"), {4}),
    (("--winner", "draw"), {4}),
    (("--winner", "none"), {6}),
    (("--winner", "black"), {3, 5}),
    (("--winner", "white"), {1, 2}),
    (("--min-plies", "5"), {3, 6}),
    (("--max-plies", "2"), {4, 5}),
    (("--since", "1992", "--until", "1992-10"), {2}),
    (("P-7f",), {1, 2, 3, 6}),
    (("7g7f", "3c3d"), {1, 2, 6}),
    (("2g2f", "8c8d", "7g7f", "3c3d"), {1, 3}),  # by another order of moves
    (("2g2f", "8c8d", "7g7f", "3c3d", "--from-ply", "5"), set()),
    (("2g2f", "8c8d", "7g7f", "3c3d", "--to-ply", "4"), {1, 3}),
    (("2g2f", "8c8d", "7g7f", "3c3d", "--player", "Kana"), {3}),
    (("--sfen", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"), {1, 2, 3, 6}),
    (("--hand", "B=1"), {2}),
    (("--hand", "vB>=1", "--of", "black"), {2}),
    (("--hand", "vB>=1", "--of", "white", "--to-ply", "2"), set()),
    (("--pattern", "vS2b", "--of", "black"), {2}),
    (("--pattern", "P7f"), {1, 2, 3, 6}),
    (("--pattern", "P7f", "--handicap", "any"), {1, 2, 3, 5, 6}),
    (("--pattern", "P2f", "--of", "black"), {1, 3, 4, 6}),
    (("--pattern", "P2f", "--of", "white"), {1, 3, 4, 6}),
    (("--pattern", "P2f", "--of", "player", "--player", "谷川浩司"), {1}),
    (("--pattern", "P2f", "--of", "player", "--player", "羽生善治"), {1}),
    (("--pattern", "P2e"), {3}),
    (("--material", "B=2"), {2}),
    (("--pattern", "_7g", "--to-ply", "1", "--of", "black"), {1, 2, 3, 6}),
    (("--tag", "bogin"), set()),
    (("--source", "*all.csa", "--max-plies", "2"), {4, 5}),
])
def test_which_games(asked: Callable[..., list[dict[str, Any]]], arguments: tuple[str, ...], games: set[int]) -> None:
    assert {row["game_id"] for row in asked("games", *arguments)} == games


def test_what_is_told_of_a_game(asked: Callable[..., list[dict[str, Any]]]) -> None:
    (row,) = asked("games", "7g7f", "3c3d", "2g2f", "--player", "羽生善治")
    assert row["path"].endswith("all.csa")
    del row["path"], row["source_offset"]
    assert row == {
        "game_id": 1, "date": "1990-05-01", "black": "羽生善治 九段", "black_rating": None, "white": "谷川浩司",
        "white_rating": None, "event": "第1期名人戦", "handicap": "even", "winner": "white", "end": "resign", "plies": 4,
        "ply": 3, "side": None, "move": "8c8d"}
    both = asked("games", "7g7f", "3c3d", "2g2f", "--both", "--order", "id")
    assert [(row["game_id"], row["ply"], row["side"], row["move"]) for row in both] == [
        (1, 3, "black", "8c8d"), (6, 8, "white", "2g2f")]
    (last,) = asked("games", "2g2f", "8c8d", "--max-plies", "2")
    assert (last["game_id"], last["ply"], last["move"]) == (4, 2, None)  # the game ended there


def test_orders(asked: Callable[..., list[dict[str, Any]]]) -> None:
    for order, games in (("date", [6, 4, 3, 2, 1, 5]), ("plies", [6, 3, 2, 1, 4, 5]), ("id", [1, 2, 3, 4, 5, 6])):
        assert [row["game_id"] for row in asked("games", "--order", order)] == games
    assert [row["game_id"] for row in asked("games", "--order", "id", "--limit", "2")] == [1, 2]
    assert len(asked("games", "--limit", "0")) == 6


def test_counts_and_results(asked: Callable[..., list[dict[str, Any]]]) -> None:
    assert asked("games", "--count") == [{"games": 6}]
    assert asked("games", "--count", "--pattern", "P7f") == [{"games": 4}]
    assert [tuple(row.values())[:7] for row in asked("games", "--summary", "--player", "羽生善治")] == [
        ("all", 2, 1, 0, 1, 0, 0.5), ("black", 1, 0, 0, 1, 0, 0.0), ("white", 1, 1, 0, 0, 0, 1.0),
        ("1990", 1, 0, 0, 1, 0, 0.0), ("1992", 1, 1, 0, 0, 0, 1.0)]
    black, *years = asked("games", "--summary")  # even games only
    assert tuple(black.values())[:7] == ("all", 5, 1, 1, 2, 1, 0.375)
    assert [row["part"] for row in years] == ["1990", "1992", "2001", "2003"]
    assert asked("games", "--summary", "--handicap", "any")[0]["games"] == 6
    low, high = black["interval"]
    assert 0 < low < 0.375 < high < 1
    pattern = asked("games", "--summary", "--pattern", "P2e")
    assert [tuple(row.values())[:6] for row in pattern] == [
        ("all", 1, 1, 0, 0, 0), ("black", 1, 1, 0, 0, 0), ("1992", 1, 1, 0, 0, 0)]


def test_openings_with_filters(asked: Callable[..., list[dict[str, Any]]]) -> None:
    def tree(*arguments: str) -> dict[str, tuple[int, int, int, int]]:
        return {row["move"]: (row["games"], row["black"], row["draws"], row["white"])
                for row in asked("openings", *arguments)}

    assert tree() == {"7g7f": (4, 1, 0, 2), "2g2f": (1, 0, 1, 0)}
    assert tree("--player", "羽生善治") == {"7g7f": (2, 0, 0, 2)}
    assert tree("--winner", "black") == {"7g7f": (1, 1, 0, 0)}
    assert tree("--max-plies", "2") == {"2g2f": (1, 0, 1, 0)}
    assert tree("7g7f", "3c3d", "2g2f") == {"8c8d": (1, 0, 0, 1)}
    assert tree("7g7f", "3c3d", "2g2f", "--both") == {"8c8d": (2, 0, 0, 1)}
    assert tree("7g7f", "3c3d", "--both", "--depth", "2") == {
        "2g2f": (1, 0, 0, 1), "2g2f 8c8d": (2, 0, 0, 1), "8h2b+": (1, 0, 0, 1), "8h2b+ 3a2b": (1, 0, 0, 1), "2h3h": (1, 0, 0, 0),
        "2h3h 8c8d": (1, 0, 0, 0)}


def test_openings_name_moves_and_count_transpositions(asked: Callable[..., list[dict[str, Any]]]) -> None:
    rows = asked("openings", "7g7f", "3c3d", "2g2f", "--style", "ki2", "--games")
    (row,) = rows
    assert (row["name"], row["games"], row["reached"]) == ("☖８四歩", 1, 2)  # game 3 gets there too
    assert (row["first_game"], row["top_game"], row["last_game"]) == (1, 1, 1)
    assert row["first_players"] == row["top_players"] == row["last_players"] == "羽生善治 九段 - 谷川浩司"
    assert [row["name"] for row in asked("openings", "7g7f", "3c3d", "8h2b+")] == ["Sx2b"]
    assert [row["name"] for row in asked("openings", "7g7f", "3c3d", "8h2b+", "--style", "ki2")] == ["☖同　銀"]
    assert not any("name" in row for row in asked("openings", "--style", "usi"))
    first = {row["move"]: (row["first_game"], row["last_game"], row["first"], row["last"])
             for row in asked("openings", "--games")}
    assert first["7g7f"] == (1, 6, "1990-05-01", "2003-03-03")


@pytest.mark.parametrize(("command", "arguments"), [
    ("games", ()), ("games", ("--player", "O'Brien*")), ("games", ("7g7f", "--both", "--order", "date")),
    ("games", ("--pattern", "K8h R2-8h !P7f B*", "--hand", "P>=1")), ("games", ("--count", "--tag", "mino")),
    ("games", ("--summary", "--player", "羽生善治", "--tag", "mino")), ("openings", ()), ("openings", ("--both",)),
    ("openings", ("7g7f", "--min-rating", "2000")),
])
def test_the_sql_that_is_shown_runs(kifu: Kifu, folder: Path, command: str, arguments: tuple[str, ...]) -> None:
    """And gives what the command gives."""
    shown = kifu(command, "--db", "games.duckdb", "--show-sql", *arguments, cwd=folder)
    assert shown.status == 0, shown.err
    ran = kifu("sql", shown.out, "--db", "games.duckdb", "--json", cwd=folder)
    assert ran.status == 0, ran.err
    rows = json.loads(ran.out)
    if not arguments or "7g7f" in arguments or "羽生善治" in arguments:
        assert bool(rows) == (arguments[1:2] != ("--min-rating",))


@pytest.mark.parametrize(("line", "moves"), [
    ("7g7f", [["3c3d", 3], ["8c8d", 1]]), ("7g7f --min-games 2", [["3c3d", 3]]), ("7g7f --both --min-games 9", []),
    ("2g2f 8c8d", []), ("2g2f 8c8d --handicap even", []),  # game 4 ends here
])
def test_the_sql_of_openings_gives_the_moves_shown(kifu: Kifu, folder: Path, line: str, moves: list[list[Any]]) -> None:
    """No move of too few games, and no row for the games that ended there."""
    shown = kifu("openings", *line.split(), "--db", "games.duckdb", "--show-sql", cwd=folder)
    ran = kifu("sql", shown.out, "--db", "games.duckdb", "--json", cwd=folder)
    assert ran.status == 0, ran.err
    from kifu.store.moves import usi

    assert [[usi(row["move"]), row["games"]] for row in json.loads(ran.out)] == moves


def test_what_a_person_sees(kifu: Kifu, folder: Path) -> None:
    ran = kifu("games", "--db", "games.duckdb", "--player", "羽生善治", "--limit", "1", cwd=folder)
    assert ran.err == "kifu: the first 1 of 2 games; --limit 0 shows all\n"
    assert ran.out.splitlines()[0].split() == "game date black white event winner end plies source".split()
    assert "  2  1992-10-20  谷川浩司" in ran.out
    ran = kifu("games", "P-7f", "--db", "games.duckdb", "--csv", cwd=folder)
    assert ran.err == ""
    assert [row["move"] for row in csv.DictReader(StringIO(ran.out))] == ["3c3d", "8c8d", "3c3d", "3c3d"]
    ran = kifu("openings", "P-7f", "--db", "games.duckdb", cwd=folder)
    assert ran.err == "kifu: 4 games reach this position; White, to move, scores 67% (21%-94%)\n"
    assert re.search(r"^3c3d  P-3d +3 ", ran.out, re.MULTILINE)
    aside = "1 handicap game left aside; --handicap any counts them too"
    for arguments, told in ((("--summary",), True), (("--pattern", "P2e", "--count"), True), (("--summary", "--player", "谷川浩司"), False),
                            (("--summary", "--handicap", "even"), False), (("--count",), False), (("--summary", "7g7f"), False)):
        assert (aside in kifu("games", "--db", "games.duckdb", *arguments, cwd=folder).err) == told, arguments
    replaying = kifu("games", "--db", "games.duckdb", "--pattern", "P2e", cwd=folder)
    assert "kifu load --boards" in replaying.err


@pytest.mark.parametrize(("arguments", "said"), [
    (("--player", "羽生"), "Did you mean '羽生善治' or '羽生善治郎' or '羽生善治 九段'?"),
    (("--event", "竜王"), "nothing in the database has '竜王' for --event. Did you mean '竜王戦'?"),
    (("--player", "kana"), "Did you mean 'Kana' or 'Kana [3 dan]'?"),
    (("--player", "nobody"), "there is no game that --player lets through"),
    (("9g9f",), "no game reaches this position"), (("--pattern", "K1a"), "no game has this pattern"),
    (("9g9f", "--black", "Kana", "--winner", "draw"), "no game that --black and --winner let through reaches this position"),
])
def test_nothing_found(kifu: Kifu, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = kifu("games", "--db", "games.duckdb", *arguments, cwd=folder)
    assert ran.status == 0
    assert len(ran.out.splitlines()) == 2  # the names of the columns
    assert said in ran.err
    assert said in kifu("games", "--db", "games.duckdb", *arguments, "--summary", cwd=folder).err
    count = kifu("games", "--db", "games.duckdb", *arguments, "--count", cwd=folder)
    assert count.out == "0\n" and said in count.err


@pytest.mark.parametrize(("arguments", "said"), [
    (("--pattern", "K10h"), "is no square"), (("--pattern", ""), "nothing that must stand"),
    (("--pattern", "K2h K3h"), "more kings than there are"), (("--hand", "K=1"), "no count of men"),
    (("--sfen", "nonsense"), "an SFEN has"), (("7g7f", "--sfen", "startpos"), "not both"), (("7g7e",), "MOVES"),
    (("gibberish",), "not understood"), (("7g7f", "--pattern", "K2h"), "a position or a pattern"),
    (("--both",), "--both needs a position"), (("--of", "black"), "give one"),
    (("--of", "player", "--pattern", "K2h"), "needs --player"), (("--from-ply", "3"), "need a position or a pattern"),
    (("--count", "--summary"), "not both"), (("--opponent", "Kana"), "name one"), (("--since", "1990-13"), "is no date"),
    (("--order", "name"), "rating"), (("--limit", "-1"), "limit"), (("--handicap", "queen"), "2-piece"),
    (("--end", "mate"), "checkmate"),
])
def test_mistakes(kifu: Kifu, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    ran = kifu("games", "--db", "games.duckdb", *arguments, cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_no_database(kifu: Kifu, folder: Path) -> None:
    ran = kifu("games", "--db", "none.duckdb", cwd=folder)
    assert (ran.status, ran.out) == (2, "")
    assert "no database none.duckdb" in ran.err
