"""Every corpus file of our notations: read to its end or with a finding on a line of the file, never a crash.

What replay finds for the main line of each file's first game is compared with the manifest, which an independent replay
wrote; `EXPLAINED` lists the files where the two differ and why, each looked at.
"""
from __future__ import annotations

import csv
import re
from pathlib import Path

from kifu.notation import detect, read
from kifu.record import Game
from kifu.replay import replay
from kifu.text import decode

SIDES = ("先手", "後手", "上手", "下手")
NOTATION = {"csa": "csa", "kif": "kif", "ki2": "ki2", "bod": "bod", "usi": "usi", "sfen": "usi", "psn": "western",
            "jkf": "jkf", "usen": "usen"}
OTHER_BOARD = "a board of another size: minishogi, 3 x 4"
NO_RECORD = "a table of zeros and ones out of a test, no record"
FRAGMENT = "a program fragment stands in its board rows"
TWICE = "row P1 is given several times, other rows not at all"
VARIATIONS = "the independent replay appended the variations to the main line"
VARIANT = "another game: annan, kyoto, check or animal shogi"
BAD_ON_PURPOSE = "deliberately bad; the independent replay skipped the line"
IN_A_COMMENT = "a comment with a line of play in it, out of a test: no record"
MIDDLE = "moves out of the middle of a game; the position stands elsewhere in the test they were taken from"
#: Part of the path -> why our result differs from the manifest's.
EXPLAINED = {
    "csa/emb-arborescent-shogi-kifu-rs/mod_L": OTHER_BOARD,
    "csa/emb-gemmaro-ruby-json-kifu-format/csa_spec_L": FRAGMENT,
    "csa/emb-s-shin-json-kifu-format/csaParserTest_L": TWICE,
    "csa/emb-sandai-kifuparser/CsaParser.test_L107": "row P4 lost its P",
    "csa/emb-sandai-kifuparser/CsaParser.test_L119": "a letter n stands in row P5",
    "csa/emb-wandererxii-scalashogi/CsaFixtures_L137": "a full stop stands behind board rows",
    "csa/gemmaro-ruby-json-kifu-format/piece0": BAD_ON_PURPOSE,
    "csa/gemmaro-ruby-json-kifu-format/xy": BAD_ON_PURPOSE,
    "kif/emb-murosan-shogi-board/KIF.test_L37": "`７六歩` without an origin is the pawn on 7g; it was read as a drop",
    "kif/emb-sandai-kifuparser/KifParser.test_L385": "a variation at move 10 of a game of four moves",
    "kif/emb-sandai-kifuparser/KifParser.test_L644": "the head of the move table has a word before it, and nothing follows",
    "kif/emb-sunfish-shogi-sunfish4/BitboardTest": NO_RECORD,
    "kif/emb-sunfish-shogi-sunfish4/MoveTablesTest": NO_RECORD,
    "kif/emb-wandererxii-scalashogi/KifModelTest_L92": "chu shogi from a position that stands elsewhere in the test",
    "kif/emb-wandererxii-scalashogi/KifParserTest_L412": VARIATIONS,
    "kif/emb-wandererxii-scalashogi/KifParserTest_L427": VARIATIONS,
    "kif/gemmaro-ruby-json-kifu-format/c.kif": BAD_ON_PURPOSE,
    "ki2/emb-na2hiro-kifu-for-js/jkfplayer.test_L964": "moves as the strings of a JavaScript list",
    "ki2/emb-sandai-kifuparser/Ki2Parser.test_L175": "a variation at move 10 of a game of four moves",
    "ki2/emb-sugyan-shogi-kifu-converter/ki2_L313": MIDDLE,
    "ki2/emb-sugyan-shogi-kifu-converter/ki2_L337": MIDDLE,
    "ki2/emb-sunfish-shogi-shogihome/csa.spec": IN_A_COMMENT,
    "ki2/emb-sunfish-shogi-shogihome/game.spec": IN_A_COMMENT,
    "ki2/emb-sunfish-shogi-shogihome/index.spec_L192": MIDDLE,
    **dict.fromkeys([f"ki2/emb-sunfish-shogi-shogihome/manager.spec_L{line}" for line in (146, 223, 240, 274, 293, 307)],
                    IN_A_COMMENT),
    **dict.fromkeys([f"ki2/emb-sunfish-shogi-shogihome/manager.spec_L{line}" for line in (246, 249, 281, 297)], MIDDLE),
    **dict.fromkeys([f"ki2/emb-sunfish-shogi-tsshogi/text.spec_L{line}" for line in (175, 181, 185, 217, 237, 258)], MIDDLE),
    "ki2/emb-wandererxii-scalashogi/KifFixtures_L1862": "chu shogi",
    "ki2/gemmaro-ruby-json-kifu-format/fork02": BAD_ON_PURPOSE,
    "ki2/na2hiro-kifu-for-js/denou3-1": "the header 消費時間：98▲183△184 holds two signs",
}


def manifest(shared: Path) -> list[dict[str, str]]:
    with open(shared / "corpus" / "MANIFEST.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if row["format"] in NOTATION]


def agrees(game: Game, row: dict[str, str]) -> bool:
    """Whether our result is the manifest's, where that says anything of a 9 x 9 game with two kings.

    KI2 was not replayed by others. The manifest counts its signs, those in comments and before end words as well.
    """
    claim = row["replay_first_game"]
    if game.record.notation == "ki2":
        signs = re.search(r"plies~([0-9]+)", row["notes"])
        words = sum(1 for line in game.record.lines if line.end is not None and not line.end.raw.startswith(SIDES))
        counted = signs is None or "comments(*)" in row["notes"] or 0 <= int(signs[1]) - len(game.record.texts) <= words
        return game.verdict == "legal" and counted
    if game.record.notation == "bod":
        return game.verdict == "legal" and game.plies == 0
    kind = claim.split(" ")[0]
    if kind.startswith("legal:"):
        return game.verdict == "legal" and game.plies == int(kind.removeprefix("legal:"))
    if kind.startswith("illegal@"):
        ply = int(kind.removeprefix("illegal@").split(":")[0])
        return game.verdict in ("illegal", "foul") and game.plies == ply - 1
    return True


def test_all_files_are_read_and_agree_with_the_manifest_or_are_explained(shared: Path) -> None:
    differing, unused, counts = [], set(EXPLAINED), {"files": 0, "games": 0}
    for row in manifest(shared):
        path = shared / "corpus" / row["path"]
        text = decode(path.read_bytes()).text
        notation = detect(text, path.suffix).notation
        if notation != "ki2":  # KI2 text stands in files called .kifu and .bod, too
            notation = NOTATION[row["format"]]
        games = [replay(record) for record in read(text, notation)]
        counts["files"] += 1
        counts["games"] += len(games)
        lines = text.count("\n") + text.count("\r") + 1
        for game in games:
            bad = game.verdict in ("illegal", "unreadable")
            assert bad == any(one.severity == "error" for one in game.diagnostics) or not bad, row["path"]
            for one in game.diagnostics:
                assert 1 <= one.line <= lines, (row["path"], one)
                assert one.column >= 1, (row["path"], one)
        if not agrees(games[0], row):
            why = next((part for part in EXPLAINED if row["path"].startswith(part)), None)
            if why is None:
                differing.append((row["path"], row["replay_first_game"], games[0].verdict, games[0].plies,
                                  [one.message for one in games[0].diagnostics][:2]))
            unused.discard(why or "")
    assert differing == []
    assert unused == set()
    assert counts["files"] > 1460
    assert counts["games"] > 2000


def test_bulk_sets_are_legal_to_the_last_game(shared: Path) -> None:
    """437 games of computer championships: the exceptions are games whose record says that they ended by a foul."""
    odd, games = {}, 0
    for folder in ("bulk-csa-wcsc28-apery", "bulk-csa-gpsfish-wcsc"):
        for path in sorted((shared / "corpus" / "csa" / folder).rglob("*.csa")):
            for record in read(decode(path.read_bytes()).text, "csa"):
                game = replay(record)
                games += 1
                if game.verdict != "legal":
                    odd[path.name] = (game.verdict, game.plies)
    assert games == 437
    assert odd == {}


def test_every_game_of_the_western_family_is_legal(shared: Path) -> None:
    """The opening book of GNU Shogi holds over five hundred lines, one game each, in four spellings."""
    games = [replay(record) for path in sorted((shared / "corpus" / "psn").rglob("*")) if path.is_file()
             for record in read(decode(path.read_bytes()).text, "psn")]
    assert len(games) == 524
    assert [(game.record.number, game.verdict) for game in games if game.verdict != "legal"] == []
    assert sorted(one.name for game in games for one in game.diagnostics) == ["capture-mark", "text-ignored"]
