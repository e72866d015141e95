"""psv and hcpe: the vectors of cshogi, both ways, handicaps, the frame of an entry, and bytes that are none."""
from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kifu as package
from kifu.notation import read, write, writer
from kifu.notation.packed import HUFFMAN, PACKED_SFEN, Coding, PackedError
from kifu.notation.packed_entries import LAYOUTS
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.handicaps import EVEN, HANDICAPS
from kifu.rules.move import from_usi, usi
from kifu.rules.position import Position
from kifu.text import decode

TWO_PIECES = HANDICAPS["2-piece"].sfen
MIDDLE = "lnsgk2nl/1r4g2/p1pppp1pp/6p2/9/2P6/PPSPPPP1P/7R1/LN1GKGSNL w BSPbp 20"
#: SFEN, PackedSfen, HuffmanCodedPos.
VECTORS = [
    (EVEN, "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c",
     "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c"),
    (TWO_PIECES, "59a451220cab44fc2ca744385e89f0488457223ca744385689f858468930bc7e",
     "59a449210c9742fc1c9b42585e85f0288457213c9b42582e85f8382685303c5e"),
    (MIDDLE, "59a451220cab849fc52b090789f0488457223ca7240ed65f08cb2811068c079f",
     "59a449210c97829fc3ab080b85f0288457213c9b2216ae3f08c7a41006940fbf"),
]
CODINGS = {"psv": PACKED_SFEN, "hcpe": HUFFMAN}
SIZES = {"psv": 40, "hcpe": 38}


def same_position(one: str, other: str) -> bool:
    return one.split()[:3] == other.split()[:3]


def games(data: bytes, notation: str) -> list[Game]:
    return [replay(record) for record in read(data, notation)]


def of_usi(text: str) -> Game:
    return replay(next(read(text, "usi")))


@pytest.mark.parametrize(("sfen", "packed", "huffman"), VECTORS)
def test_vectors(sfen: str, packed: str, huffman: str) -> None:
    for coding, expected in ((PACKED_SFEN, packed), (HUFFMAN, huffman)):
        assert coding.pack(Position(sfen)).hex() == expected
        assert same_position(coding.unpack(bytes.fromhex(expected)).sfen, sfen)


@pytest.mark.parametrize(("move", "sfen", "psv", "hcpe"), [
    ("7g7f", EVEN, 0x1E3B, 0x1E3B), ("8h2b+", "4k4/7b1/9/9/9/9/9/1B7/4K4 b - 1", 0xA30A, 0x630A),
    ("B*4e", "4k4/9/9/9/9/9/9/9/4K4 b B 1", 0x429F, 0x2A9F),
])
def test_moves(move: str, sfen: str, psv: int, hcpe: int) -> None:
    resolved = Position(sfen).resolve(from_usi(move))
    for notation, expected in (("psv", psv), ("hcpe", hcpe)):
        layout = LAYOUTS[notation]
        assert layout.packed_move(resolved) == expected
        text = layout.move_text(expected)
        assert text is not None
        assert Position(sfen).resolve(text) == resolved


@pytest.mark.parametrize("coding", [PACKED_SFEN, HUFFMAN])
def test_all_handicaps_come_back(coding: Coding) -> None:
    """Tricky input 29: what is missing stands in the box."""
    for handicap in HANDICAPS.values():
        unpacked = coding.unpack(coding.pack(Position(handicap.sfen)))
        assert same_position(unpacked.sfen, handicap.sfen), handicap.key
        assert not unpacked.boxless


@pytest.mark.parametrize("notation", ["psv", "hcpe"])
def test_positions_of_the_oracle_come_back(shared: Path, notation: str) -> None:
    coding = CODINGS[notation]
    rows = [json.loads(line) for line in (shared / "oracle" / "hodges.jsonl").read_text(encoding="utf-8").splitlines()]
    rows += [row for row in map(json.loads, (shared / "oracle" / "handicaps.jsonl").read_text(encoding="utf-8").splitlines())
             if row["variant"] == "shogi"]
    count = 0
    for sfen in {row["sfen"] for row in rows}:
        try:
            data = coding.pack(Position(sfen))
        except PackedError:
            assert sfen.split()[0].upper().count("K") < 2  # a mate problem
            continue
        assert same_position(coding.unpack(data).sfen, Position(sfen).sfen())
        count += 1
    assert count > 100


def random_position(seed: int) -> Position:
    rng = random.Random(seed)
    position = Position(rng.choice([EVEN, EVEN, TWO_PIECES, HANDICAPS["10-piece"].sfen]))
    for _ in range(rng.randrange(200)):
        legal = position.legal_moves()
        if not legal:
            break
        position.play(rng.choice(sorted(legal)))
    return position


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.sampled_from(["psv", "hcpe"]))
def test_random_positions_come_back(seed: int, notation: str) -> None:
    position = random_position(seed)
    assert same_position(CODINGS[notation].unpack(CODINGS[notation].pack(position)).sfen, position.sfen())


@pytest.mark.parametrize("seed", range(12))
def test_cshogi_has_the_same_bytes(seed: int) -> None:
    cshogi: Any = pytest.importorskip("cshogi")
    numpy: Any = pytest.importorskip("numpy")
    position = random_position(seed)
    board = cshogi.Board(position.sfen())
    huffman, packed = numpy.zeros(1, cshogi.HuffmanCodedPos), numpy.zeros(1, cshogi.PackedSfen)
    board.to_hcp(huffman)
    board.to_psfen(packed)
    assert huffman.tobytes() == HUFFMAN.pack(position)
    assert packed.tobytes() == PACKED_SFEN.pack(position)
    for move in position.legal_moves():
        theirs = board.move_from_usi(usi(move))
        assert cshogi.move16(theirs) == LAYOUTS["hcpe"].packed_move(move)
        assert cshogi.move16_to_psv(cshogi.move16(theirs)) == LAYOUTS["psv"].packed_move(move)


@pytest.mark.parametrize("notation", ["psv", "hcpe"])
def test_a_game_is_an_entry_for_each_move(notation: str) -> None:
    moves = "7g7f 3c3d 8h2b+ 3a2b B*4e"
    data = write([of_usi(f"position startpos moves {moves} resign")], notation)
    assert len(data) == 5 * SIZES[notation]
    found = games(data, notation)
    assert [usi(game.moves[0]) for game in found] == moves.split()
    assert {(game.verdict, game.winner, game.end) for game in found} == {("legal", "black", "other")}
    numbers = [game.start.split()[3] for game in found]
    assert numbers == (["1", "2", "3", "4", "5"] if notation == "psv" else ["1"] * 5)
    assert [game.record.number for game in found] == [1, 2, 3, 4, 5]
    assert write(found, notation) == data


def test_results_and_evaluations_are_seen_from_the_right_side() -> None:
    text = ("V2.2\nPI\n+\n+7776FU\n'** 30 -3334FU\n-3334FU\n'** -45\n%TORYO\n")
    game = replay(next(read(text, "csa")))
    assert game.winner == "white"
    psv, hcpe = write([game], "psv"), write([game], "hcpe")
    assert [struct.unpack("<32shHHbB", psv[at:at + 40])[1:6:3] for at in (0, 40)] == [(30, -1), (45, 1)]
    assert [struct.unpack("<32shHbB", hcpe[at:at + 38])[1:4:2] for at in (0, 38)] == [(30, 2), (45, 2)]
    for notation, data in (("psv", psv), ("hcpe", hcpe)):
        first, second = games(data, notation)
        assert (first.comments[1], second.comments[1]) == ("** 30", "** -45")
        assert {first.winner, second.winner} == {"white"}


@pytest.mark.parametrize("notation", ["psv", "hcpe"])
def test_evaluations_of_every_program_are_kept(notation: str) -> None:
    text = ("手合割：平手\n   1 ７六歩(77)\n**評価値=55\n   2 ３四歩(33)\n**評価値=-20\n**読み筋=▲２六歩\n"
            "   3 ２六歩(27)\n*よい手\n   4 ８四歩(83)\n**詰み=先手勝ち:5手\n   5 投了\n")
    target = writer(notation)
    found = games(target.write(replay(next(read(text, "kif")))), notation)
    assert [game.comments[1] for game in found] == ["** 55", "** -20", "** 0", "** 29995"]
    # the variation, the words, and the line that says mate in a program's own way
    assert target.losses == {"comments": 3, "evaluations written as 0": 1, "end": 1}


def test_losses_are_counted() -> None:
    text = "先手：甲\n手合割：平手\n   1 ７六歩(77) ( 0:01/00:00:01)\n*一\n   2 中断\n\n変化：1手\n   1 ２六歩(27)\n*二\n"
    target = writer("psv")
    target.write(replay(next(read(text, "kif"))))
    assert target.losses == {
        "variations": 1, "comments in variations": 1, "comments": 1, "clocks": 1, "headers": 1, "end": 1,
        "evaluations written as 0": 1, "results written as a draw": 1}
    target = writer("hcpe")
    assert target.write(of_usi("4k4/9/9/9/9/9/9/9/9 b G 1 moves G*5b")) == b""
    assert target.losses["positions"] == 1
    assert writer("psv").write(of_usi("startpos")) == b""


def test_a_whole_number_of_plies_and_a_proven_result() -> None:
    """A mate on the board decides, whatever the record says of its end."""
    mate = "4k4/9/4G4/9/9/9/9/9/4K4 b G 31 moves G*5b"
    [game] = games(write([of_usi(mate)], "psv"), "psv")
    assert (game.winner, game.start.split()[3]) == ("black", "31")


def entry(notation: str, position: bytes, move: int = 0x1E3B, result: int = 0) -> bytes:
    if notation == "psv":
        return struct.pack("<32shHHbB", position, 0, move, 1, result, 0)
    return struct.pack("<32shHbB", position, 0, move, result, 0)


@pytest.mark.parametrize("notation", ["psv", "hcpe"])
def test_corrupt_entries_are_said_and_do_not_stop_the_file(notation: str) -> None:
    coding = CODINGS[notation]
    start = coding.pack(Position())
    number = int.from_bytes(start, "little")
    bad = [
        (number | 127 << 1).to_bytes(32, "little"),  # Black's king on square 127
        (number & ~(127 << 8) | (number >> 1 & 127) << 8).to_bytes(32, "little"),  # both kings on one square
        b"\xff" * 32, (number | ((1 << 241) - 1) << 15).to_bytes(32, "little"),  # too long a board
        (number & (1 << 15) - 1).to_bytes(32, "little"),  # an empty board, and then too many pawns
    ]
    data = b"".join(entry(notation, one) for one in bad) + entry(notation, start) + entry(notation, start)[:-1]
    found = games(data, notation)
    assert [game.verdict for game in found] == ["unreadable"] * len(bad) + ["legal", "unreadable"]
    for number, game in enumerate(found, 1):
        assert game.record.line == number
        if game.verdict != "legal":
            assert [(one.name, one.line, one.column) for one in game.diagnostics] == [("bad-entry", number, 1)]


@pytest.mark.parametrize(("move", "result", "names"), [
    (0, 0, ["unreadable-move"]), (0x7F, 0, ["unreadable-move"]), (0xFFFF, 0, ["unreadable-move"]),
    (0x1E3B, 7, ["unknown-end"]), (0x1E3A, 0, ["bad-move"]), (0x1E3B, 0, []),
])
@pytest.mark.parametrize("notation", ["psv", "hcpe"])
def test_moves_and_results_that_are_none(notation: str, move: int, result: int, names: list[str]) -> None:
    [game] = games(entry(notation, CODINGS[notation].pack(Position()), move, result), notation)
    assert [one.name for one in game.diagnostics] == names
    assert game.start == EVEN


@pytest.mark.parametrize("coding", [PACKED_SFEN, HUFFMAN])
def test_a_box_that_was_left_out_is_tolerated(coding: Coding) -> None:
    """Old encoders wrote zeros in its place; cshogi #17."""
    data = bytearray(coding.pack(Position(TWO_PIECES)))
    bits = int.from_bytes(data, "little") & (1 << 242) - 1  # rook and bishop of the box take the last 14
    unpacked = coding.unpack(bits.to_bytes(32, "little"))
    assert unpacked.boxless
    assert same_position(unpacked.sfen, TWO_PIECES)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=130), st.sampled_from(["psv", "hcpe"]))
def test_any_bytes_are_answered(data: bytes, notation: str) -> None:
    found = games(data, notation)
    assert len(found) == max(1, -(-len(data) // SIZES[notation]))
    for game in found:
        game.summary(moves=True)
        assert game.verdict == "legal" or game.diagnostics


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1000), st.integers(0, 255), st.sampled_from(["psv", "hcpe"]))
def test_one_flipped_bit_is_a_position_or_said(seed: int, bit: int, notation: str) -> None:
    coding = CODINGS[notation]
    data = (int.from_bytes(coding.pack(random_position(seed)), "little") ^ 1 << bit).to_bytes(32, "little")
    try:
        sfen = coding.unpack(data).sfen
    except PackedError:
        return
    if sfen.split()[0].upper().count("K") == 2:  # another order of the hands is the same position
        assert coding.unpack(coding.pack(Position(sfen))).sfen == sfen


@pytest.mark.parametrize("notation", ["psv", "hcpe"])
def test_corpus_games_come_back(shared: Path, notation: str) -> None:
    count = 0
    for path in sorted((shared / "corpus" / "csa").rglob("*.csa"))[::20]:
        for record in read(decode(path.read_bytes()).text, "csa"):
            game = replay(record)
            if game.verdict != "legal" or not game.plies or game.start.split()[0].upper().count("K") < 2:
                continue
            found = games(write([game], notation), notation)
            assert [one.moves[0] & 0x3FFFF for one in found] == [move & 0x3FFFF for move in game.moves], path
            assert all(one.verdict == "legal" for one in found)
            assert same_position(found[-1].final, game.final)
            count += 1
    assert count > 20


# --- the roads around it ----------------------------------------------------------------------------------------------
def test_the_library_reads_and_writes_bytes(tmp_path: Path) -> None:
    records = package.parse("position startpos moves 7g7f 3c3d resign")
    data = package.write(records, "psv")
    assert isinstance(data, bytes)
    path = tmp_path / "a.psv"
    path.write_bytes(data)
    assert len(list(package.read(path))) == 2
    assert len(list(package.read(path, "psv"))) == 2
    assert len(package.parse(data, "psv")) == 2
    assert package.detect(data, ".psv").notation == "psv"
    with pytest.raises(TypeError, match="bytes"):
        package.parse("text", "psv")
    with pytest.raises(TypeError, match="str"):
        list(read(data, "csa"))


@pytest.mark.parametrize("notation", ["psv", "hcpe"])
def test_commands(kifu: Callable[..., Any], tmp_path: Path, samples: Path, notation: str) -> None:
    path = tmp_path / f"a.{notation}"
    ran = kifu("convert", samples / "mate.csa", samples / "two-piece-handicap.kif", "--to", notation, "-o", path)
    assert ran.status == 0, ran.err
    count = path.stat().st_size // SIZES[notation]
    assert f"{count} game" in kifu("detect", path).out
    ran = kifu("check", path, "--format", "json")
    assert ran.status == 0
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["line"] for row in rows] == list(range(1, count + 1))
    assert {(row["verdict"], row["plies"], row["encoding"]) for row in rows} == {("legal", 1, None)}
    (tmp_path / "b.bin").write_bytes(path.read_bytes()[:-1])
    ran = kifu("check", "--from", notation, tmp_path / "b.bin")
    assert ran.status == 1
    assert f"b.bin:{count}:1: K316 bad-entry" in ran.out
    ran = kifu("convert", path, "--to", "sfen")
    assert len(ran.out.splitlines()) == count
    ran = kifu("convert", "-", "--from", notation, "--to", notation, "--into", tmp_path / "into", stdin=path.read_bytes())
    assert ran.status == 0, ran.err
    [written] = (tmp_path / "into").iterdir()
    assert written.read_bytes() == path.read_bytes()


def test_a_large_file_is_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kifu.pipeline import Options, Source, entries, parts

    data = write([of_usi("startpos moves 7g7f 3c3d 2g2f 8c8d")], "psv") * 50 + b"\1" * 40
    path = tmp_path / "a.psv"
    path.write_bytes(data)
    monkeypatch.setattr(parts, "SIZE", 1000)
    source = Source(str(path), len(data))
    split = parts.split(source, Options())
    assert [one.size for one in split] == [1000] * 8 + [40]
    shares = [entry for one in split for entry in entries.games(one, Options())]
    monkeypatch.setattr(entries, "LARGE", 1000)
    whole = list(entries.games(source, Options()))
    for found in (shares, whole):
        assert [entry.line for entry in found] == list(range(1, 202))
        assert [entry.verdict for entry in found] == ["legal"] * 200 + ["unreadable"]
        assert found[-1].findings[0].line == 201
    assert [entry.offset for entry in shares] == [entry.offset for entry in whole] == list(range(0, len(data), 40))
    assert [entry.number for entry in whole] == list(range(1, 202))
    assert [entry.number for entry in shares] == [*list(range(1, 26)) * 8, 1]
