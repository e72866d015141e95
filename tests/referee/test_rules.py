"""Impasse, declarations and limits, by the rules that were chosen or that the record names."""
from __future__ import annotations

import json
from pathlib import Path

import pytest
from kifu import convert, parse, read
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.choices import Choices, choices

#: Black has 28 points in the zone and in hand, White 26 on the whole.
EIGHT_TOKINS = "+P+P+P+P+P+P+P+P1/+R+R5K1/+B8/9/9/9/9/4k4/9 {} B4g4s4n4l10p 1"


def proven(sfen: str, end: str, *, headers: str = "", rules: str | None = None) -> Game:
    """A game without moves that ends there."""
    lines = convert(f"sfen {sfen}", "csa").splitlines()
    text = headers + "".join(f"{line}\n" for line in lines if line[:1] in "P+-") + f"{end}\n"
    [record] = parse(text, "csa")
    return replay(record, rules=rules)


def names(game: Game) -> list[str]:
    return [one.name for one in game.diagnostics]


def rows(shared: Path) -> list[dict]:
    lines = (shared / "oracle" / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["category"] == "jishogi"]


def test_every_impasse_of_the_oracle(shared: Path) -> None:
    """The agreed count: who has less than 24 has lost; it is told where the record calls that a draw."""
    for row in rows(shared):
        game = proven(row["sfen"], "%JISHOGI")
        winner = row["verdict"].removesuffix("_wins")
        assert (game.verified_end, game.verified_winner) == ("impasse", winner), row["id"]
        assert names(game) == ([] if winner == "draw" else ["end-conflict"]), row["id"]


@pytest.mark.parametrize("rule", ["declare27", "declare24"])
def test_every_declaration_of_the_oracle(shared: Path, rule: str) -> None:
    for row in rows(shared):
        mover = {"b": "black", "w": "white"}[row["sfen"].split()[1]]
        other = {"black": "white", "white": "black"}[mover]
        worth = row[rule.replace("declare", "declare_")]
        worth = {True: "win", False: "invalid"}.get(worth, worth)
        game = proven(row["sfen"], "%KACHI", rules=rule)
        wanted = {"win": ("declaration", mover), "draw": ("impasse", "draw"), "invalid": ("declaration", other)}[worth]
        assert (game.verified_end, game.verified_winner) == wanted, row["id"]
        assert names(game) == {"win": [], "draw": ["end-conflict"], "invalid": ["declaration-failed"]}[worth], row["id"]
        assert (game.end, game.winner) == ("declaration", mover)


@pytest.mark.parametrize("headers, rules, found", [
    ("", None, []),  # the 27-point rule is the usual one
    ("$JISHOGI:27\n", None, []),
    ("$JISHOGI:24\n", None, ["end-conflict"]),  # 28 points are a draw by it
    ("$JISHOGI:24\n", "declare27", []),  # what was chosen outranks the record
    ("$JISHOGI:27\n", "declare24", ["end-conflict"]),
    ("$JISHOGI:try\n", None, []),  # a rule that is not known proves nothing
    ("", "agreed24", ["end-conflict"]),  # both have 24
])
def test_whose_rule_counts(headers: str, rules: str | None, found: list[str]) -> None:
    assert names(proven(EIGHT_TOKINS.format("b"), "%KACHI", headers=headers, rules=rules)) == found


@pytest.mark.parametrize("sfen, why", [
    ("4k4/9/9/9/9/9/9/9/4K4 b - 1", "the king has not entered"),
    ("+P+P+P+P+P+P+P+P1/+R6K1/9/9/9/9/9/4k4/9 b 2B4g4s4n4l10pr 1", "only 9 men besides the king"),
    ("+P+P+P+P+P+P+P+P1/+R+R5K1/+B8/9/9/9/9/4k4/9 b 4Gb4s4n4l10p 1",
     "has 27 points in the other's camp and in hand, not 28"),
    ("+P+P+P+P+P+P+P+P1/+R+R5K1/+B8/7r1/9/9/9/4k4/9 b B4g4s4n4l10p 1", "stands in check"),
])
def test_what_a_declaration_lacks(sfen: str, why: str) -> None:
    [found] = proven(sfen, "%KACHI").diagnostics[-1:]
    assert found.name == "declaration-failed"
    assert why in found.message


def test_white_needs_a_point_less() -> None:
    """27 points: enough for White, not for Black."""
    white = "4K4/9/9/9/9/9/9/1k5+r+b/1+p+p+p+p+p+p+p+p w r4g 1"
    black = "+P+P+P+P+P+P+P+P1/+B+R5K1/9/9/9/9/9/9/4k4 b R4G 1"
    assert proven(white, "%KACHI").verified_winner == "white"
    assert proven(black, "%KACHI").verified_winner == "white"


def test_men_that_a_handicap_removed_count_as_whites() -> None:
    """Rook and bishop are ten points."""
    from kifu.referee.proof import whites_share

    [record] = parse("手合割：二枚落ち\n   1 ６二銀(71)\n", "kif")
    assert whites_share(replay(record)) == 10
    [record] = parse("手合割：平手\n   1 ７六歩(77)\n", "kif")
    assert whites_share(replay(record)) == 0


MOVES = "PI\n+\n+7776FU\n-3334FU\n+2726FU\n"


@pytest.mark.parametrize("headers, end, rules, proof, found", [
    ("$MAX_MOVES:3\n", "%MAX_MOVES", None, "max_moves", []),
    ("$MAX_MOVES:3\n", "%JISHOGI", None, "max_moves", []),
    ("$MAX_MOVES:3\n", "%CHUDAN", None, "max_moves", []),
    ("$MAX_MOVES:3\n", "%TORYO", None, "max_moves", ["end-conflict"]),
    ("$MAX_MOVES:3\n", "", None, "max_moves", []),
    ("$MAX_MOVES:2\n", "%MAX_MOVES", None, None, ["beyond-limit", "limit-not-reached"]),
    ("$MAX_MOVES:4\n", "%MAX_MOVES", None, None, ["limit-not-reached"]),
    ("$MAX_MOVES:4\n", "%TORYO", None, None, []),
    ("$MAX_MOVES:2\n", "%TORYO", None, None, ["beyond-limit"]),
    ("$MAX_MOVES:2\n", "%TORYO", "max-moves=none", None, []),
    ("$MAX_MOVES:0\n", "%TORYO", None, None, []),
    ("$MAX_MOVES:many\n", "%TORYO", None, None, []),
    ("", "%MAX_MOVES", None, None, []),
    ("", "%MAX_MOVES", "max-moves=3", "max_moves", []),
    ("", "%MAX_MOVES", "max-moves=4", None, ["limit-not-reached"]),
    ("", "%TORYO", "max-moves=2", None, ["beyond-limit"]),
    ("'Max_Moves:3\n", "%TORYO", None, "max_moves", ["end-conflict"]),
])
def test_limits_of_moves(headers: str, end: str, rules: str | None, proof: str | None, found: list[str]) -> None:
    [record] = parse(f"{headers}{MOVES}{end}\n", "csa")
    game = replay(record, rules=rules)
    assert game.verified_end == proof
    assert names(game) == found
    if found[:1] == ["beyond-limit"]:
        assert game.diagnostics[0].ply == 3


@pytest.mark.parametrize("plies", [2, 32])
def test_a_number_that_can_be_counted_in_two_ways_proves_nothing(plies: int) -> None:
    moves = " ".join(("2h3h", "8b7b", "3h2h", "7b8b")[ply % 4] for ply in range(plies))
    [record] = parse("position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 31 "
                     f"moves {moves} resign", "usi")
    assert replay(record, rules="max-moves=32").verified_end in (None, "repetition")


def test_a_count_needs_kings_in_the_camps_whoever_asks_for_it() -> None:
    [record] = parse(f"{MOVES}%KACHI\n", "csa")
    game = replay(record, rules="agreed24")
    assert (game.verified_end, game.verified_winner, names(game)) == ("declaration", "black", ["declaration-failed"])


def test_a_mate_at_the_limit_is_a_mate() -> None:
    [record] = parse("$MAX_MOVES:1\nP-11OU\nP+13FU\nP+59OU\nP+00KI\n+\n+0012KI\n%TSUMI\n", "csa")
    game = replay(record)
    assert (game.verified_end, game.verified_winner, names(game)) == ("checkmate", "black", [])


def test_a_limit_counted_from_the_first_move_of_the_whole_game() -> None:
    text = "後手の持駒：なし\n" + convert("sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 31", "bod")
    [record] = parse(f"最大手数：32\n{text}\n  31 ７六歩(77)\n  32 ３四歩(33)\n  33 最大手数\n", "kif")
    game = replay(record)
    assert (game.verified_end, names(game)) == ("max_moves", [])


@pytest.mark.parametrize("text, wanted", [
    (None, Choices()), ("", Choices()), ("declare24", Choices("declare24")),
    ("impasse=agreed24", Choices("agreed24")), ("max-moves=256", Choices(None, 256)),
    ("MAX_MOVES=none", Choices(None, 0)), ("declare27, max-moves=320", Choices("declare27", 320)),
    ("impasse=declare27 impasse=declare27", Choices("declare27")),
])
def test_choices(text: str | None, wanted: Choices) -> None:
    assert choices(text) == wanted


@pytest.mark.parametrize("text", ["declare", "impasse", "impasse=", "impasse=30", "max-moves", "max-moves=", "max-moves=0",
                                  "max-moves=-1", "max-moves=１", "max-moves=9999999999", "max-moves=0000000019", "max-moves=" + "1" * 5000, "declare24 declare27", "x=1"])
def test_choices_that_there_are_not(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        choices(text)


SERVER = {
    "jishogi_kachi": ("illegal", "black", "declaration", "white", ["end-conflict"]),
    "max_moves_draw": (None, "unknown", None, None, []),
    "not_sennichite": ("repetition", "draw", None, None, ["repetition-unproven"]),
    "not_uchifuzume": (None, "unknown", None, None, []),
    "oute_sennichite": ("repetition", "draw", "perpetual_check", "white", ["end-conflict"]),
    "oute_sennichite2": ("repetition", "draw", "perpetual_check", "black", ["end-conflict"]),
    "oute_sennichite3": ("repetition", "draw", "perpetual_check", "white", ["end-conflict"]),
    "uchifuzume": ("illegal", "black", None, None, ["foul-not-shown"]),  # the server left the move out
}


@pytest.mark.parametrize("name", SERVER)
def test_the_test_games_of_shogi_server(shared: Path, name: str) -> None:
    """What the server said of them, what their moves prove, and the conflict."""
    [record] = read(shared / "corpus" / "csa" / "shogi-server-shogi-server" / f"{name}.csa")
    game = replay(record)
    assert game.verdict == "legal"
    found = [name for name in names(game) if name in ("end-conflict", "repetition-unproven", "foul-not-shown")]
    assert (game.end, game.winner, game.verified_end, game.verified_winner, found) == SERVER[name]


class TestCommandLine:
    """`--rules` of the commands that read games."""

    @pytest.fixture
    def run(self, tmp_path: Path):  # type: ignore[no-untyped-def]
        import subprocess
        import sys

        (tmp_path / "a.csa").write_text(f"{MOVES}%MAX_MOVES\n")

        def run(*arguments: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run([sys.executable, "-m", "kifu", *arguments], cwd=tmp_path, capture_output=True, text=True,
                                  encoding="utf-8", check=False)
        return run

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_check(self, run, jobs: str) -> None:  # type: ignore[no-untyped-def]
        for rules, limit in (("max-moves=3", "max_moves"), ("max-moves=4", None)):
            said = json.loads(run("check", "a.csa", "--format", "json", "--rules", rules, "--jobs", jobs).stdout)
            assert said["verified_end"] == limit
            assert [one["name"] for one in said["diagnostics"]] == ([] if limit else ["limit-not-reached"])

    def test_options_given_twice_add_up(self, run) -> None:  # type: ignore[no-untyped-def]
        said = run("check", "a.csa", "--format", "json", "--rules", "declare24", "--rules", "max-moves=3").stdout
        assert json.loads(said)["verified_end"] == "max_moves"
        assert run("check", "a.csa", "--rules", "declare24", "--rules", "declare27").returncode == 2
        said = run("check", "a.csa", "--rules", "max-moves=4", "--ignore", "K618", "--ignore", "K1").stdout
        assert "K618" not in said

    def test_a_rule_that_there_is_not(self, run) -> None:  # type: ignore[no-untyped-def]
        ran = run("check", "a.csa", "--rules", "declare28")
        assert (ran.returncode, ran.stdout) == (2, "")
        assert "impasse=agreed24|declare27|declare24" in ran.stderr

    def test_a_database_keeps_what_was_proven(self, run) -> None:  # type: ignore[no-untyped-def]
        assert run("load", "a.csa", "--db", "a.duckdb", "--rules", "max-moves=3").returncode == 0
        said = run("sql", 'SELECT "end", verified_end, verified_winner FROM games', "--db", "a.duckdb", "--json").stdout
        assert json.loads(said) == [{"end": "max_moves", "verified_end": "max_moves", "verified_winner": 0}]
