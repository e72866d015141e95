"""The corpus as a whole: which notation each file is taken for, and which files are refused, every one with its reason.

``python -m tests.notation.test_corpus_table`` prints the table: files, games, read whole, with warnings, refused.
"""
from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

from kifu.notation import NOTATIONS, detect, read
from kifu.replay import replay
from kifu.text import decode

#: What the manifest calls a notation by the file's ending -> a pattern of the paths that are another, and why.
OTHERWISE = {
    ("bod", "ki2"): (r"shogihome/index\.spec_L706|tsshogi/record\.spec_L(1350|587|643)", "a diagram with KI2 moves below it"),
    ("ki2", "kif"): (r"KifFixtures_L1862", "chu shogi: moves with numbers and origins"),
    ("kif", "ki2"): (r"ki2_?[sp]|ki2Parser|shogihome/(basic|index|manager)\.spec|tsshogi/(kakinoki|record)\.spec",
                     "signed moves without numbers: what tests of KI2 exporters expect"),
    ("sfen", "usi"): ("", "one reader takes both"),
    ("jkf", None): ("ryuou201409020101.jkf_L1", "the path of a file"),
    ("ki2", None): (r"jkfplayer\.test_L964|(csa|game|manager)\.spec_L", "moves inside comments of a program's source"),
    ("kif", None): (r"sunfish4/|KIF\.test_L37|KifParser\.test_L644|any-game-info",
                    "tables of bits, one word, the head of a move table, or headers that no program has"),
    ("usi", None): ("SfenParserTest_L92", "the words of a protocol, one a line"),
}
#: A pattern of paths -> why no game of the file can be read whole, whoever reads it.
REFUSED = {
    r"scalashogi/Kif(ModelTest|ParserTest)_L(132|255|267|685|773|783)": "a kind of shogi that is not known",
    r"KifModelTest_L(92|209)|KifParserTest_L722": "another kind of shogi, with moves that the position does not have",
    r"shogi-kifu-rs/mod_L|csa_spec_L|csaParserTest_L|CsaParser\.test_L1[01]": "parts of a start position",
    r"CsaParser\.test_L|CsaParserTest_L|KifParserTest_L(114|155|168|244)|KifModelTest_L72": "moves that the position does not have",
    r"CsaFixtures_L137": "a dot among the squares of a row",
    r"ruby-json-kifu-format/(piece|xy|a\.|b\.|c\.|fork02)": "wrong on purpose",
    r"ruby-json-kifu-format/(header0|split)": "White begins the even game: the handicap is not told",
    r"jkf/emb": "a path, a header without moves",
    r"jkfplayer\.test_L964": "the words of a list in a program",
    r"(Ki2|Kif)Parser\.test_L(175|385)": "a variation at move 10 of a game of four moves",
    r"ki2_L3(13|37)|spec_L(192|246|249|281|297)|tsshogi/text\.spec_L": "begins in the middle of a game",
    r"shogihome/(csa|game|manager)\.spec_L": "moves inside comments of a program's source",
    r"sunfish4/|KIF\.test_L37|KifParser\.test_L644|any-game-info": "no record: bits, one word, unknown headers",
    r"index_legacy\.test_L26|tomori-k-shogilibsharp/4": "illegal on purpose",
    r"tsshogi/record\.spec_L(1089|1149)": "branches that cannot be played",
    r"KifParserTest_L385": "Black moves first though he is given a handicap",
    r"shogihome/index\.spec_L306": "a row of ten squares among eight lines",
    r"shogihome/yaneuraou\.spec": "an opening book",
    r"tsshogi/record\.spec_L1526": "a line `position sfen` without a position",
    r"MovegenTests|PositionTests|PerpetualCheckTest|RepetitionTest": "moves of positions that the text does not give",
    r"nyoki-mtl-rsshogi/move_sequences": "a pawn dropped on a file that has one, in a list of random games",
}


def survey(corpus: Path) -> list[tuple[str, str, str | None, int, str]]:
    """Path, format of the manifest, notation detected, games, and ``whole``, ``warnings`` or ``refused`` of each file."""
    found = []
    with (corpus / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            path = corpus / row["path"]
            decoded = decode(path.read_bytes())
            notation = detect(decoded.text, path.suffix).notation
            games = [replay(record) for record in read(decoded.text, notation)] if notation else []
            if not games or any(game.verdict in ("illegal", "unreadable") for game in games):
                state = "refused"
            else:
                state = "warnings" if decoded.diagnostics or any(game.diagnostics for game in games) else "whole"
            found.append((row["path"], row["format"], notation, len(games), state))
    return found


def test_every_file_is_detected_and_every_refusal_explained(shared: Path) -> None:
    surprises = []
    used = Counter()
    for path, told, notation, _, state in survey(shared / "corpus"):
        if notation != told and told in NOTATIONS:
            pattern, _ = OTHERWISE.get((told, notation), ("$.", ""))
            if not re.search(pattern, path):
                surprises.append((path, told, notation))
        if state == "refused":
            reasons = [pattern for pattern in REFUSED if re.search(pattern, path)]
            used.update(reasons)
            if not reasons:
                surprises.append((path, notation, state))
    assert surprises == []
    assert [pattern for pattern in REFUSED if not used[pattern]] == []
    assert used.total() < 160


if __name__ == "__main__":
    table: dict[str, Counter[str]] = {}
    for _, kind, _, number, outcome in survey(Path(__file__).parents[3] / "shared" / "corpus"):
        table.setdefault(kind, Counter()).update({"files": 1, "games": number, outcome: 1})
    for kind, counts in table.items():
        print(f"{kind:5}", *(f"{name} {counts[name]:4}" for name in ("files", "games", "whole", "warnings", "refused")))
