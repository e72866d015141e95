"""Opening books: read again by parsers of their own, and held to a count over the same games in plain Python."""
from __future__ import annotations

import struct
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
import written_games

import kifu
from kifu.rules.position import Position
from kifu.store import apery, books
from kifu.store.books import Choice
from kifu.store.database import Database

#: Position without the number of the move -> USI move -> games.
Counts = dict[str, dict[str, int]]
CHOICES = [
    Choice(min_games=1), Choice(), Choice(min_games=4), Choice(min_games=1, max_ply=5), Choice(side="black"),
    Choice(side="white", min_games=1), Choice(min_games=1, winner_only=True), Choice(min_games=1, min_rating=1500),
    Choice(min_games=1, where="black IS NOT NULL -- known players"),
    Choice(min_games=2, max_ply=8, side="white", winner_only=True),
]


@pytest.fixture(scope="module")
def games() -> list[str]:
    """Games that meet, some with a repetition."""
    rated = "'white_rate:x:2000.0\n"
    texts = [text.replace("PI\n", f"{rated}PI\n") for text in written_games.games(90, seed=21, plies=14, choices=2)]
    shuffle = ["+2838HI", "-8272HI", "+3828HI", "-7282HI"]
    texts.append("PI\n+\n" + "\n".join(shuffle * 3 + ["+7776FU"]) + "\n%SENNICHITE\n")
    return texts


@pytest.fixture(scope="module")
def database(games: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    handicap = "手合割：二枚落ち\n下手：a\n上手：b\n   1 ６二銀(71)\n   2 ７六歩(77)\n   3 投了\n"
    return written_games.load(tmp_path_factory.mktemp("books") / "games.duckdb",
                           [(text, "csa") for text in games] + [(handicap, "kif")] * 3)


def counted(games: list[str], choice: Choice) -> tuple[Counts, dict[str, int]]:
    """The moves of a book by counting: each game once for a position, with its last visit. And the fewest moves that lead
    to each position."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    fewest: dict[str, int] = {}
    for text in games:
        record = kifu.parse(text, "csa")[0]
        game = kifu.replay(record)
        ratings = [float(line.rpartition(":")[2]) for line in text.splitlines() if "_rate:" in line]
        if choice.min_rating is not None and (len(ratings) < 2 or min(ratings) < choice.min_rating):
            continue
        if choice.where and record.header("black") is None:
            continue
        winner = game.winner if game.winner in ("black", "white", "draw") else game.verified_winner
        position = kifu.Position()
        last: dict[str, tuple[int, str]] = {}
        for ply, move in enumerate(kifu.write([game], "usi").split("moves ")[-1].split() if game.plies else []):
            if ply == game.plies or (choice.max_ply is not None and ply >= choice.max_ply):
                break
            place = position.sfen().rpartition(" ")[0]
            last[place] = ply, move
            fewest[place] = min(fewest.get(place, ply), ply)
            position.push(move)
        if choice.max_ply is None or game.plies < choice.max_ply:
            last.pop(position.sfen().rpartition(" ")[0], None)  # its last visit: there the game ended
        for place, (ply, move) in last.items():
            if not choice.winner_only or winner == ("black", "white")[ply % 2]:
                counts[place][move] += 1
    found = {place: {move: count for move, count in moves.items() if count >= choice.min_games}
             for place, moves in counts.items()}
    return {place: moves for place, moves in found.items() if moves}, fewest


def made(database: Path, kind: str, choice: Choice) -> bytes:
    with Database.open(database) as opened:
        book = books.book(opened, choice)
        data = b"".join(books.WRITERS[kind](book.entries()))
        assert book.collisions == 0
    return data


def yaneuraou(data: bytes) -> list[tuple[str, list[list[str]]]]:
    """A parser of the text for this test."""
    lines = data.decode("ascii").split("\n")
    assert lines.pop(0) == "#YANEURAOU-DB2016 1.00"
    assert lines.pop() == ""
    found: list[tuple[str, list[list[str]]]] = []
    for line in lines:
        if line.startswith("sfen "):
            found.append((line[5:], []))
        else:
            found[-1][1].append(line.split(" "))
    return found


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_yaneuraou(games: list[str], database: Path, choice: Choice) -> None:
    """Positions, moves, counts, replies, order: as counted."""
    expected, fewest = counted(games, choice)
    found = yaneuraou(made(database, "yaneuraou", choice))
    wanted = {place: moves for place, moves in expected.items()
              if choice.side == "both" or place.split()[1] == choice.side[0]}
    assert {sfen.rpartition(" ")[0]: {line[0]: int(line[4]) for line in lines} for sfen, lines in found} == wanted != {}
    assert [sfen for sfen, _ in found] == sorted((sfen for sfen, _ in found), key=str.encode)
    replies = 0
    for sfen, lines in found:
        place, _, number = sfen.rpartition(" ")
        assert int(number) <= 1 + max(fewest[place], 0) + (0 if not choice.winner_only else 99)
        assert choice.winner_only or choice.where or choice.min_rating or int(number) == 1 + fewest[place]
        assert [(-int(line[4]), line[0]) for line in lines] == sorted((-int(line[4]), line[0]) for line in lines)
        for move, reply, evaluation, depth, _ in lines:
            position = kifu.Position(sfen)
            position.push(move)
            best = expected.get(position.sfen().rpartition(" ")[0], {})
            assert (reply == "none") == (not best)
            if best:
                replies += 1
                assert best[reply] == max(best.values())
                position.push(reply)
            assert (evaluation, depth) == ("0", "32")
    assert replies or choice.winner_only


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_apery(games: list[str], database: Path, choice: Choice) -> None:
    """The same moves under Apery's keys, sorted, the most frequent first."""
    found = list(struct.iter_unpack("<QHHi", made(database, "apery", choice)))
    assert [(key, -count) for key, _, count, _ in found] == sorted((key, -count) for key, _, count, _ in found)
    assert {score for *_, score in found} == {0}
    expected = Counter()
    for place, moves in counted(games, choice)[0].items():
        if choice.side == "both" or place.split()[1] == choice.side[0]:
            for move, count in moves.items():
                expected[apery.key(Position(f"{place} 1")), number(move), count] += 1
    assert Counter((key, move, count) for key, move, count, _ in found) == expected


def number(move: str) -> int:
    """A USI move as Apery has it: target, origin or 80 and the number of the kind dropped, promotion."""
    square = lambda text: (int(text[0]) - 1) * 9 + ord(text[1]) - ord("a")  # noqa: E731
    if move[1] == "*":
        return square(move[2:]) | 81 + "PLNSBRG".index(move[0]) << 7
    return square(move[2:4]) | square(move[:2]) << 7 | (0x4000 if move.endswith("+") else 0)


def test_cshogi_finds_its_moves(database: Path) -> None:
    """Apery's own key and moves, as cshogi has them, in games and in positions with men in hand."""
    cshogi = pytest.importorskip("cshogi", reason="cshogi is not installed")
    data = made(database, "apery", Choice(min_games=1))
    entries = defaultdict(dict)
    for key, move, count, _ in struct.iter_unpack("<QHHi", data):
        entries[key][move] = count
    for sfen, lines in yaneuraou(made(database, "yaneuraou", Choice(min_games=1))):
        board = cshogi.Board(sfen)
        found = {cshogi.move_to_usi(board.move_from_move16(move)): count
                 for move, count in entries[board.book_key()].items()}
        assert found == {line[0]: int(line[4]) for line in lines}
        assert set(found) <= {cshogi.move_to_usi(move) for move in board.legal_moves}


@pytest.mark.parametrize("sfen", [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "lr5nl/3g1kg2/2n1ppsp1/p1pps1p1p/1p7/P1PPSPP1P/1P2P1N2/1BGS1K1R1/LN3G2L w Bp 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 18P4L4N4S4G2B2R 1", "4k4/+p+l+n+s+b+r3/9/9/9/9/9/3+P+L+N+S+B+R/4K4 w - 1",
])
def test_keys(sfen: str) -> None:
    cshogi = pytest.importorskip("cshogi", reason="cshogi is not installed")
    assert apery.key(Position(sfen)) == cshogi.Board(sfen).book_key()


def test_counts_saturate(database: Path) -> None:
    """65,535 stands for more."""
    position = Position()
    entry = books.Entry(position.sfen(), position, [books.Move(position.resolve(books.move_texts((7739,))[0]), 70_000, None)])
    assert list(struct.iter_unpack("<QHHi", b"".join(books.apery([entry])))) == [(0xEEBE8EE7E1AD7E15, 0x1E3B, 65_535, 0)]
    assert b"7g7f none 0 32 70000\n" in b"".join(books.yaneuraou([entry]))


def test_it_is_the_same_each_time(database: Path, games: list[str], tmp_path: Path) -> None:
    """The order in which games were loaded does not matter."""
    other = written_games.load(tmp_path / "other.duckdb", [(text, "csa") for text in reversed(games)])
    for kind in books.KINDS:
        assert made(database, kind, Choice()) == made(other, kind, Choice())


def test_ranges_of_keys(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ranges the keys are asked for in."""
    whole = made(database, "yaneuraou", Choice())
    monkeypatch.setattr(books, "RANGE_PLIES", 100)
    assert made(database, "yaneuraou", Choice()) == whole


def test_handicap_games_are_apart(database: Path) -> None:
    """White, who gives the odds, moves first and resigns at the third move: the second one was the winner's."""
    found = yaneuraou(made(database, "yaneuraou", Choice(handicap="2-piece", winner_only=True)))
    assert [(sfen, lines[0][:2]) for sfen, lines in found] == [
        ("ln1gkgsnl/3s5/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2", ["7g7f", "none"])]


def test_examples() -> None:
    import doctest

    assert doctest.testmod(apery).failed == 0
    tried: Any = doctest.testmod(apery)
    assert tried.attempted == 2


@pytest.mark.parametrize("kind", books.KINDS)
def test_memory(database: Path, kind: str) -> None:
    """No board is kept for a position, 3 KB each: a book of every move of 100,000 games has ten million positions."""
    import tracemalloc

    with Database.open(database) as opened:
        for _ in range(2):  # the first time loads modules and draws Apery's numbers
            tracemalloc.start()
            book = books.book(opened, Choice(min_games=1))
            size = sum(map(len, books.WRITERS[kind](book.entries())))
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    assert book.positions > 150 and size > book.positions
    assert peak < 2000 * book.positions
