"""Every corpus file of our notations: read to its end or with a finding on a line of the file, never a crash.

What replay finds for the main line of each file's first game is compared with the manifest, which an independent replay
wrote; `EXPLAINED` lists the files where the two differ and why, each looked at.
"""
from __future__ import annotations

import csv
from pathlib import Path

from kifu.notation import detect, read
from kifu.record import Game
from kifu.replay import replay
from kifu.text import decode

NOTATION = {"csa": "csa", "kif": "kif", "bod": "kif", "usi": "usi", "sfen": "usi", "psn": "western"}
OTHER_BOARD = "a board of another size: minishogi, 3 x 4"
NO_RECORD = "a table of zeros and ones out of a test, no record"
FRAGMENT = "a program fragment stands in its board rows"
TWICE = "row P1 is given several times, other rows not at all"
VARIATIONS = "the independent replay appended the variations to the main line"
VARIANT = "another game: annan, kyoto, check or animal shogi"
BAD_ON_PURPOSE = "deliberately bad; the independent replay skipped the line"
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
    "kif/emb-wandererxii-scalashogi/KifModelTest_L92": "`１手目`, `金将` and `（←７八）`: the spelling of another game",
    "kif/emb-wandererxii-scalashogi/KifParserTest_L412": VARIATIONS,
    "kif/emb-wandererxii-scalashogi/KifParserTest_L427": VARIATIONS,
    "kif/gemmaro-ruby-json-kifu-format/c.kif": BAD_ON_PURPOSE,
}


def manifest(shared: Path) -> list[dict[str, str]]:
    with open(shared / "corpus" / "MANIFEST.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if row["format"] in NOTATION]


def agrees(game: Game, claim: str) -> bool:
    """Whether our result is the manifest's, where that says anything of a 9 x 9 game with two kings."""
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
        notation = NOTATION[row["format"]]
        if detect(text, path.suffix).notation == "ki2":
            continue  # KI2 text in a file called .kifu or .bod
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
        if not agrees(games[0], row["replay_first_game"]):
            why = next((part for part in EXPLAINED if row["path"].startswith(part)), None)
            if why is None:
                differing.append((row["path"], row["replay_first_game"], games[0].verdict, games[0].plies,
                                  [one.message for one in games[0].diagnostics][:2]))
            unused.discard(why or "")
    assert differing == []
    assert unused == set()
    assert counts["files"] > 1300
    assert counts["games"] > 1900


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
