"""What a strict reader of CSA must reject, and what the usual one accepts with a warning."""
from __future__ import annotations

import pytest

from kifu.notation import read
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import usi

KINGS = "P-51OU\nP+59OU\n"


def games(text: str, mode: str) -> list[Game]:
    return [replay(record, mode=mode) for record in read(text, "csa", mode=mode)]


def errors(text: str, mode: str = "strict") -> list[str]:
    return [one.name for game in games(text, mode) for one in game.diagnostics if one.severity == "error"]


REJECTED = {
    "unknown statement": ("PI\n+\n+7776FU\nhello\n", "unknown-line"),
    "unknown segment": ("PI\n+\n+7776FU,v=12\n", "unknown-line"),
    "unknown end": ("PI\n+\n%BORED\n", "unknown-end"),
    "move before the turn line": ("PI\n+7776FU\n", "missing-turn"),
    "turn line behind a move": ("PI\n+7776FU\n-\n", "no-turn-after"),
    "no position": ("+\n+7776FU\n", "missing-position"),
    "wrong side": ("PI\n+\n-3334FU\n", "wrong-side"),
    "empty origin": ("PI\n+\n+5554FU\n", "empty-origin"),
    "own piece on the target": ("PI\n+\n+8877KA\n", "own-piece"),
    "another piece": ("PI\n+\n+7776KI\n", "wrong-piece"),
    "out of reach": ("PI\n+\n+7775FU\n", "bad-move"),
    "way blocked": ("PI\n+\n+2824HI\n", "blocked"),
    "not in hand": ("PI\n+\n+0055KI\n", "not-in-hand"),
    "nifu": (KINGS + "P+57FU00FU\n+\n+0055FU\n", "nifu"),
    "dead end": (KINGS + "P+00FU\n+\n+0021FU\n", "dead-end-drop"),
    "occupied": (KINGS + "P+00KI\n+\n+0051KI\n", "occupied"),
    "check not answered": (KINGS + "P-55HI\nP+99KY\n+\n+9998KY\n", "check-not-answered"),
    "self-check": (KINGS + "P-55HI\nP+58KI\n+\n+5848KI\n", "self-check"),
    "promotion out of the zone": (KINGS + "P+55GI\n+\n+5554NG\n", "not-in-zone"),
    "drop of a promoted piece": (KINGS + "P+00FU\n+\n+0055TO\n", "not-in-hand"),
    "more pieces than a set": (KINGS + "P+00HI00HI00HI\n+\n", "surplus-pieces"),
    "two kings of a colour": ("P-51OU\nP+59OU58OU\n+\n", "bad-board"),
    "two pieces on a square": (KINGS + "P+58KI\nP-58GI\n+\n", "bad-board"),
    "PI and rows": ("PI\nP1 *  *  *  * -OU *  *  *  * \n+\n", "position-twice"),
    "PI twice": ("PI\nPI\n+\n", "position-twice"),
    "AL not last": ("P-51OU00AL\nP+59OU\n+\n", "bad-board"),
    "AL twice": ("P-51OU00AL\nP+00AL\n+\n", "bad-board"),
    "king in hand": ("P-51OU\nP+00OU\n+\n", "bad-board"),
    "rows missing": ("P1 *  *  *  * -OU *  *  *  * \n+\n", "bad-board"),
    "row too short": ("P1 *  *  *  * -OU *  *  * \n+\n", "bad-board"),
    "moves behind an end": ("PI\n+\n%TORYO\n+7776FU\n", "moves-after-end"),
    "second end": ("PI\n+\n%TORYO\n%TORYO\n", "end-repeated"),
    "another end": ("PI\n+\n%TORYO\n%CHUDAN\n", "result-conflict"),
    "lower case": ("PI\n+\n+7776fu\n", "lower-case"),
    "leading blanks": ("PI\n+\n +7776FU\n", "indented"),
    "leading blanks on the first line": ("  PI\n+\n+7776FU\n", "indented"),
    "blanks inside a move": ("PI\n+\n+77 76FU\n", "gap-in-move"),
    "time before any move": ("PI\n+\nT5\n+7776FU\n", "stray-clock"),
    "two times": ("PI\n+\n+7776FU\nT5\nT6\n", "stray-clock"),
    "negative time": ("PI\n+\n+7776FU\nT-5\n", "negative-clock"),
    "word of the protocol": ("PI\n+\n#RESIGN\n", "foreign-end"),
    "log of the protocol": ("BEGIN Game_Summary\nName+:A\nPI\n+\n", "server-log"),
    "81Dojo": ("V2\nTo_Move:+\nPI\n+\n", "server-log"),
    "blank squares": (KINGS.replace("P-51OU", "P1            -OU") + "+\n", "loose-row"),
}


@pytest.mark.parametrize("case", REJECTED)
def test_rejected(case: str) -> None:
    text, name = REJECTED[case]
    assert name in errors("V2.2\n" + text if text[:1] not in " BV" else text), errors(text)


FINE = {
    "even start": "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\nT1\n-3334FU\nT2\n%TORYO\nT3\n",
    "commas": "V2.2\nPI\n+\n+7776FU,T12\n-3334FU,T1,'a comment, with a comma\n%TORYO\n",
    "handicap": "V2.2\nPI82HI22KA\n-\n-3142GI\n",
    "pieces": "V2\nP-11OU21KE12KY\nP+23FU59OU00KI\nP-00AL\n+\n+0022KI\n%TSUMI\n",
    "version 3": "'CSA encoding=UTF-8\nV3.0\n$TIME:600+0+10.5\n$NOTE:one\\ntwo\nPI\n+\n+7776FU\nT1.234\n'** 30 -3334FU\n",
    "empty hands": "V2.2\n" + KINGS + "P+\nP-\n+\n",
    "several records": "V2.2\nPI\n+\n%CHUDAN\n/\nPI\n+\n+2726FU\n",
    "the end time last": "V2.2\nPI\n+\n+7776FU\n%TORYO\n$END_TIME:2024/01/01 10:00:00\n",
}


@pytest.mark.parametrize("case", FINE)
def test_accepted_by_the_strict_reader(case: str) -> None:
    assert errors(FINE[case]) == []


def only(text: str) -> tuple[Game, list[str]]:
    [game] = games(text, "default")
    return game, [one.name for one in game.diagnostics]


def moves(game: Game) -> str:
    return " ".join(map(usi, game.moves))


def test_a_segment_of_aobazero_is_passed_over() -> None:
    game, names = only("PI\n+\n+7776FU,v=12,T5\n-3334FU,T7\n'v=0.512,n=800\n")
    assert (moves(game), game.milliseconds, names) == ("7g7f 3c3d", [5000, 7000], ["unknown-line"])


def test_statements_in_lower_case() -> None:
    game, names = only("v2.2\nn+Anna\npi\n+\n+7776fu,t5\n-3334fu\nT7.5\n%toryo\n")
    assert (moves(game), game.milliseconds, game.winner) == ("7g7f 3c3d", [5000, 7500], "white")
    assert set(names) == {"lower-case"}
    assert game.record.header("black") == "Anna"
    assert game.record.move_text(0) == "+7776fu"


def test_a_comment_in_lower_case_stays_as_it_is() -> None:
    game, _ = only("PI\n+\n+7776fu\n'a remark, t5\n")
    assert game.comments == [None, "a remark, t5"]


def test_rows_with_blank_squares() -> None:
    rows = ("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2   -HI               -KA\nP3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4\nP5\nP6\n"
            "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8   +KA               +HI\nP9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n+\n+7776FU\n")
    game, names = only(rows)
    assert (game.handicap, moves(game), set(names)) == ("even", "7g7f", {"loose-row"})


@pytest.mark.parametrize("row", ["P1-HI-KA-GI-KI-OU", "P1 *  *  *  * -OU", "P1-XX", "P1   -HI   -KA   -OU   -KI   -KI   -KI",
                                 "P1 foo"])
def test_other_short_rows_are_no_board(row: str) -> None:
    [game] = games(row + "\n+\n", "default")
    assert game.verdict == "unreadable"


@pytest.mark.parametrize(("text", "milliseconds"), [("T1.", 1000), ("T0", 0), ("T1.5", 1500), ("T-5", None), ("", None)])
def test_times(text: str, milliseconds: int | None) -> None:
    game, _ = only(f"PI\n+\n+7776FU\n{text}\n")
    assert game.milliseconds == [milliseconds]


def test_a_time_that_belongs_to_nothing_is_not_given_to_a_move() -> None:
    game, names = only("PI\n+\n'+2726FU\nT1\n+7776FU\nT2\n")
    assert (game.milliseconds, names) == ([2000], ["stray-clock"])


def test_the_time_before_the_end() -> None:
    game, names = only("PI\n+\n+7776FU\nT1\n%TORYO\nT30.5\n")
    end = game.record.end
    assert end is not None
    assert (end.milliseconds, names) == (30500, [])


def test_older_declarations_of_the_encoding_are_no_comments() -> None:
    game, names = only("'encoding=Shift_JIS\nV2.2\nPI\n+\n+7776FU\n")
    assert (game.comments, names) == ([None, None], [])


def test_the_lines_of_a_note() -> None:
    record = next(read("V3.0\n$NOTE:one\\ntwo \\\\n three\nPI\n+\n", "csa"))
    assert record.header("note") == "one\ntwo \\n three"
