"""Every kind of shogi in a database: moves come back as they were, are proven again, and no two kinds are mixed."""
from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import kinds
import pytest
import toy_games as toy

import kifu
from kifu.replay import replay
from kifu.rules.position import Position
from kifu.rules.variants import RULESETS
from kifu.store import catalog, compact, moves, search, tree
from kifu.store.database import Database
from kifu.store.errors import QueryError
from kifu.store.filters import ANY, Filters
from kifu.store.games_out import Rebuilt, rebuild
from kifu.store.loader import Loader
from kifu.store.remarks import left_aside
from kifu.store.retag import retag
from kifu.store.verify import verify

GAMES = [kinds.played(kind, number) for kind in kinds.KINDS for number in range(kinds.GAMES)]
NUMBERS = {kind: [n for n, game in enumerate(GAMES, 1) if game.kind == kind] for kind in kinds.KINDS}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of all games; the number of a game is its place in GAMES, from 1."""
    path = tmp_path_factory.mktemp("kinds") / "games.duckdb"
    with Loader(path, "none", True) as loader:
        loader.add(toy.source("all"), kinds.rows(GAMES))
        loader.finish()
    return path


@pytest.fixture(scope="module")
def database(loaded: Path) -> Iterator[Database]:
    with Database.open(loaded) as opened:
        yield opened


@pytest.fixture
def tampered(loaded: Path, db_path: Path) -> Iterator[Database]:
    shutil.copy(loaded, db_path)
    with Database.open(db_path, write=True) as opened:
        yield opened


def test_the_games_have_what_makes_kinds_different() -> None:
    texts = {kind: " ".join(move for number in NUMBERS[kind] for move in GAMES[number - 1].moves) for kind in kinds.KINDS}
    assert all("-" in texts[kind] and "+" in texts[kind] and "*" in texts[kind] for kind in ("kyotoshogi", "micro"))
    assert "+L*" in texts["kyotoshogi"] and "+B*" in texts["micro"]
    assert any(len(move.replace("10", "x").replace("11", "x").replace("12", "x").rstrip("+")) == 6
               for move in texts["chushogi"].split())  # a lion moves twice
    assert {game.kind for game in GAMES if game.handicap != "even"} >= {
        "shogi", "minishogi", "kyotoshogi", "torishogi", "chushogi"}


# --- moves

@pytest.mark.parametrize("kind", kinds.KINDS)
def test_moves_come_back_one_by_one(kind: str, database: Database) -> None:
    found = database.rows("SELECT game_id, handicap, start_sfen, plies, moves, usi_moves(moves) FROM games"
                          " WHERE variant = $kind ORDER BY game_id", {"kind": kind})
    assert [row[0] for row in found] == NUMBERS[kind]
    for number, handicap, start, plies, blob, texts in found:
        game = GAMES[number - 1]
        assert texts == game.moves
        assert [moves.usi(code) for code in moves.decode(blob)] == game.moves
        assert (handicap, plies, len(blob)) == (game.handicap, len(game.moves), plies * (2 if kind == "shogi" else 4))
        assert start is None if kind == "shogi" else start == game.sfens[0]


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_plies_have_the_positions_and_the_moves(kind: str, database: Database) -> None:
    for number in NUMBERS[kind]:
        game = GAMES[number - 1]
        assert database.rows("SELECT ply, key, usi(move) FROM plies WHERE game_id = $game ORDER BY ply",
                             {"game": number}) == list(zip(range(len(game.keys)), game.keys, [*game.moves, None],
                                                           strict=True))


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_codes_stand_for_packed_moves(kind: str) -> None:
    ranks = RULESETS[kind].ranks
    for number in NUMBERS[kind]:
        game = GAMES[number - 1]
        packed = replay(kinds.record(kind, game.start, game.moves)).moves
        codes = moves.decode(moves.encode(packed, kind))
        assert [moves.packed(code, ranks) for code in codes] == [
            move & ((1 << 18) - 1 | 0xFF << 32) for move in packed]


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_games_are_rebuilt_and_written(kind: str, database: Database) -> None:
    for made in rebuild(database, NUMBERS[kind]):
        assert isinstance(made, Rebuilt), made
        game = GAMES[made.game_id - 1]
        ranks = RULESETS[kind].ranks
        assert (made.game.variant, made.game.handicap, made.game.start) == (kind, game.handicap, game.sfens[0])
        assert [str(kifu.Move(move, ranks)) for move in made.game.moves] == game.moves
        text = kifu.write([made.game], "usi")
        assert text.split(" moves ")[-1].split() == (game.moves if game.moves else text.split())


def test_ordinary_shogi_keeps_its_two_bytes(database: Database) -> None:
    """As every database of version 3 has them: 7g7f 3c3d 8h2b+ 3a2b B*4e, worked out by hand from the layout."""
    game = replay(kinds.record("shogi", kifu.Position().sfen(), ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]))
    codes = [59 | 60 << 7, 21 | 20 << 7, 10 | 70 << 7 | 1 << 15, 10 | 18 << 7, 31 | 6 << 7 | 1 << 14]
    assert moves.encode(game.moves) == b"".join(code.to_bytes(2, "little") for code in codes)


def test_codes_of_four_bytes_by_hand() -> None:
    """Target, flags and mark, origin or man, square on the way: a byte each."""
    for kind, start, text, expected in (
            ("minishogi", None, "1e1d", "41c05100"),
            ("kyotoshogi", None, "3e3d", None),
            ("kyotoshogi", "2k2/5/5/5/2K2 b P 1", "+P*3c", "33c12100"),
            ("kyotoshogi", "2k2/5/5/5/2K1+N b - 1", "1e1d-", "41c65100"),
            ("chushogi", None, "10i10h", "8ac09a00"),
            ("chushogi", "12/12/12/5k6/12/6p5/5N6/12/12/12/12/5K6 b - 1", "7g6f7g", "77c07766")):
        position = kifu.Position(start, kind)
        if expected is not None:
            move = position.push(text)
            assert moves.encode([move.packed], kind).hex() == expected, text


def test_the_same_game_of_two_kinds_is_two_games(db_path: Path) -> None:
    shared = [("shogi", "cannonshogi", "4k4/9/9/9/9/9/4P4/9/4K4 b - 1", ["5g5f", "5a5b"]),
              ("gorogoro", "gorogoroplus", "2k2/5/5/2P2/5/2K2 b - 1", ["3d3c", "3a2a"])]
    with Loader(db_path, "moves") as loader:
        loader.add(toy.source("a"), [kinds.row(kind, start, played) for one, other, start, played in shared
                                     for kind in (one, other, other)])
        loader.finish()
        database = loader.database
        assert database.rows("SELECT variant, game_id FROM games ORDER BY game_id") == [
            ("shogi", 1), ("cannonshogi", 2), ("gorogoro", 3), ("gorogoroplus", 4)]
        assert database.value("SELECT count(DISTINCT game_hash) FROM games") == 4
        assert database.value("SELECT count(DISTINCT key) FROM plies") == 12
        assert database.value("SELECT count(*) FROM contained") == 0
        assert list(verify(database)) == []


# --- verifying, and the care of a database

def test_what_was_loaded_is_right(database: Database) -> None:
    assert list(verify(database)) == []


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_a_damaged_game_is_found(kind: str, tampered: Database) -> None:
    number = NUMBERS[kind][2]
    blob = tampered.value("SELECT moves FROM games WHERE game_id = $game", {"game": number})
    width = len(blob) // len(GAMES[number - 1].moves)
    for damaged in (blob[width:], blob[:-1], blob + blob[:width], bytes(width) + blob[width:], b"\xff" * len(blob)):
        tampered.run("UPDATE games SET moves = $moves WHERE game_id = $game", {"moves": damaged, "game": number})
        found = [finding for finding in verify(tampered) if finding.table == "games"]
        assert {finding.game_id for finding in found} == {number}, damaged


@pytest.mark.parametrize("kind", kinds.OTHERS)
def test_bits_of_a_code_that_say_nothing_true_are_found(kind: str, tampered: Database) -> None:
    number = NUMBERS[kind][1]
    blob = tampered.value("SELECT moves FROM games WHERE game_id = $game", {"game": number})
    for bit in (11, 12, 13):  # spare ones
        damaged = (int.from_bytes(blob, "little") ^ 1 << bit).to_bytes(len(blob), "little")
        tampered.run("UPDATE games SET moves = $moves WHERE game_id = $game", {"moves": damaged, "game": number})
        assert any("is not that of the move" in str(finding) for finding in verify(tampered)), bit


def test_moves_of_another_width_are_found(tampered: Database) -> None:
    mini, plain = NUMBERS["minishogi"][0], NUMBERS["shogi"][0]
    blobs = dict(tampered.rows("SELECT game_id, moves FROM games"))
    for game, other in ((mini, plain), (plain, mini)):
        tampered.run("UPDATE games SET moves = $moves WHERE game_id = $game", {"game": game, "moves": blobs[other]})
    told = [str(finding) for finding in verify(tampered)]
    assert any(f"games, game {mini}: moves has no move codes of four bytes" in one for one in told)
    assert any(f"games, game {plain}: moves has no move codes of two bytes" in one for one in told)


def test_compacting_and_tagging_change_nothing(loaded: Path, db_path: Path) -> None:
    shutil.copy(loaded, db_path)
    compact.compact(db_path)
    with Database.open(db_path, write=True) as one, Database.open(loaded) as other:
        assert retag(one).games == len(NUMBERS["shogi"])
        assert list(verify(one)) == []
        for table in ("games", "plies", "openings", "game_tags", "boards", "contained"):
            assert one.rows(f"FROM {table} ORDER BY ALL") == other.rows(f"FROM {table} ORDER BY ALL"), table
        for table in ("game_tags", "boards"):
            assert one.rows(f"SELECT DISTINCT variant FROM {table} JOIN games USING (game_id)") == [("shogi",)]


# --- what is asked by kind

def counted(numbers: Sequence[int]) -> dict[int, Counter[str | None]]:
    """By key: the moves of games, each game once with its last visit, counted in plain Python."""
    found: dict[int, Counter[str | None]] = defaultdict(Counter)
    for number in numbers:
        game = GAMES[number - 1]
        last = dict(zip(game.keys, [*game.moves, None], strict=True))
        for key, move in last.items():
            found[key][move] += 1
    return found


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_openings_are_those_of_the_kind(kind: str, database: Database) -> None:
    expected = counted(NUMBERS[kind])
    shared = {key: played for key, played in expected.items() if sum(played.values()) > 1}
    found: dict[int, dict[str | None, int]] = defaultdict(dict)
    for key, move, games in database.rows("SELECT key, usi(move), games FROM openings SEMI JOIN"
                                          " (SELECT game_id AS top_game FROM games WHERE variant = $kind) USING (top_game)",
                                          {"kind": kind}):
        found[key][move] = games
    assert found == shared
    assert len(shared) > 3


@pytest.mark.parametrize("kind", kinds.KINDS)
@pytest.mark.parametrize("filters", [tree.EVERY, Filters(winner="black")])
def test_the_tree_walks_the_games_of_the_kind(kind: str, filters: Filters, database: Database) -> None:
    wanted = {row[0] for row in database.rows(f"SELECT game_id FROM ({filters._replace(variant=kind).sql()})")}
    numbers = [number for number in NUMBERS[kind] if number in wanted]
    played = counted(numbers)
    after = {(key, move): following for number in numbers for game in [GAMES[number - 1]]
             for key, move, following in zip(game.keys, game.moves, game.keys[1:], strict=False)}
    expected: dict[str, int] = {}
    lines = [("", Position(None, kind).key())]
    for _ in range(3):
        longer = [(f"{line} {move}".strip(), after[key, move], games) for line, key in lines
                  for move, games in played[key].items() if move]
        expected.update({line: games for line, _, games in longer})
        lines = [(line, key) for line, key, _ in longer]
    found = tree.opening_tree(database, Position(None, kind), 3, filters=filters)
    assert {move.line: move.games for move in found} == expected
    assert len(expected) > (3 if filters == tree.EVERY else 0)


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_colours_exchanged(kind: str, db_path: Path) -> None:
    """A game and the same game turned by half a circle: with both, the tree sees two games and the first one's moves."""
    game = next(GAMES[number - 1] for number in NUMBERS[kind]
                if len(GAMES[number - 1].moves) > 15 and len(set(GAMES[number - 1].keys)) == len(GAMES[number - 1].keys))
    rules = RULESETS[kind]
    start = tree.turned(Position(game.start, kind)).sfen()
    back = [exchanged(move, rules.files, rules.ranks) for move in game.moves]
    with Loader(db_path, "none") as loader:
        loader.add(toy.source("a"), [kinds.row(kind, game.start, game.moves), kinds.row(kind, start, back)])
        loader.finish()
        for sfen, move in list(zip(game.sfens, game.moves, strict=False))[::3]:
            (found,) = tree.opening_tree(loader.database, Position(sfen, kind), both=True)
            asked = tree.OpeningTree(loader.database, Position(sfen, kind), both=True)
            assert (found.usi, found.games) == (move, 2)
            assert list(asked.first_games(asked.moves()).values()) == [1]


def exchanged(text: str, files: int, ranks: int) -> str:
    """A move in USI with its squares turned by half a circle, character by character."""
    out, digits = "", ""
    for at, sign in enumerate(text):
        if sign.isdigit():
            digits += sign
        elif digits:
            out += f"{files + 1 - int(digits)}{chr(ord('a') + ranks - 1 - (ord(sign) - ord('a')))}"
            digits = ""
        else:
            out += text[at]
    return out


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_games_that_reach_a_position(kind: str, database: Database) -> None:
    game = GAMES[NUMBERS[kind][0] - 1]
    for ply in (0, 1, 2, 5, len(game.keys) - 1):
        asked = Position(game.sfens[ply], kind)
        found = search.hits(database, search.list_sql(search.by_position(asked.key(), None),
                                                      Filters(variant=kind, handicap=ANY)))
        sure = list(search.confirmed(found, asked, None))
        assert sure == found
        expected = {number: len(GAMES[number - 1].keys) - 1 - GAMES[number - 1].keys[::-1].index(game.keys[ply])
                    for number in NUMBERS[kind] if game.keys[ply] in GAMES[number - 1].keys}
        assert {hit.game_id: hit.ply for hit in sure} == expected
        for hit in sure:
            after = GAMES[hit.game_id - 1].moves[expected[hit.game_id]:]
            assert hit.move == (after[0] if after else None)


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_first_moves_are_those_of_the_kind(kind: str, database: Database) -> None:
    filters = Filters(variant=kind, handicap=ANY)
    expected = Counter(" ".join(GAMES[number - 1].moves[:3]) for number in NUMBERS[kind]
                       if len(GAMES[number - 1].moves) >= 3)
    rows = catalog.rows(database, "first_moves", filters, plies=3)
    assert {row[0]: row[1] for row in rows} == expected
    rows = catalog.rows(database, "book", variant=kind, min_games=1, max_ply=2)
    shared = counted(NUMBERS[kind])
    assert rows and all({move["move"]: move["games"] for move in row[3]}.items() <= shared[row[0]].items() for row in rows)


def test_other_kinds_are_left_aside_and_counted(database: Database) -> None:
    assert left_aside(database, Filters(handicap=ANY)) == (0, len(GAMES) - len(NUMBERS["shogi"]))
    assert left_aside(database, Filters(handicap=ANY, variant="torishogi")) == (0, 0)
    assert database.value(f"SELECT count(*) FROM ({Filters(handicap=ANY).sql()})") == len(NUMBERS["shogi"])


# --- functions of SQL

@pytest.mark.parametrize("kind", kinds.KINDS)
def test_positions_in_sql(kind: str, database: Database) -> None:
    number = NUMBERS[kind][3]
    game = GAMES[number - 1]
    columns = "moves, start_sfen, handicap"
    for ply, sfen in list(enumerate(game.sfens))[::9]:
        at, macro, of_game = database.rows(
            f"SELECT position_at({columns}, {ply}, variant), sfen_at({columns}, {ply}), game_sfen(game_id, {ply})"
            " FROM games WHERE game_id = $game", {"game": number})[0]
        assert at == sfen
        assert (macro, of_game) == ((sfen, sfen) if kind == "shogi" else (None, None))
    assert database.value(f"SELECT position_at({columns}, plies + 1, variant) FROM games WHERE game_id = {number}") is None
    assert database.rows(f"SELECT usi, sfen FROM game_moves({number}) ORDER BY ply") == [
        (move, sfen if kind == "shogi" else None) for move, sfen in zip(game.moves, game.sfens, strict=False)]


def test_names_of_moves_need_the_kind(database: Database) -> None:
    number = NUMBERS["torishogi"][0]
    with pytest.raises(QueryError, match="the column variant says"):
        database.rows(f"SELECT western_moves(moves) FROM games WHERE game_id = {number}")
    with pytest.raises(QueryError, match="no kind of shogi known"):
        database.rows(f"SELECT western_moves(moves, start_sfen, handicap, 'western', 'chess') FROM games WHERE game_id = {number}")
    with pytest.raises(QueryError, match="csa cannot hold tori shogi"):
        database.rows("SELECT move_name(start_sfen, move_codes(moves)[1], 'csa', variant) FROM games"
                      f" WHERE game_id = {number}")
    assert database.rows("SELECT move_name(start_sfen, move_codes(moves)[1], 'usi', variant) FROM games"
                         f" WHERE game_id = {number}") == [(GAMES[number - 1].moves[0],)]
    with pytest.raises(QueryError, match="no SFEN of standard shogi"):
        database.rows(f"SELECT diagram(start_sfen) FROM games WHERE game_id = {number}")


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_moves_in_japanese(kind: str, database: Database) -> None:
    """Of a whole game and one by one the same, each in one line behind the sign of its side."""
    number = NUMBERS[kind][1]
    game = GAMES[number - 1]
    found, codes = database.rows("SELECT japanese_moves(moves, start_sfen, handicap, variant), move_codes(moves)"
                                 f" FROM games WHERE game_id = {number}")[0]
    assert [name[0] for name in found] == ["☖" if " w " in sfen else "☗" for sfen in game.sfens[:-1]]
    assert all("\n" not in name and name == name.strip() and len(name) > 2 for name in found)
    for sfen, code, name in list(zip(game.sfens, codes, found, strict=False))[::7]:
        one = database.value("SELECT move_name($sfen, $code::BIGINT, 'japanese', $kind)",
                             {"sfen": sfen, "code": code, "kind": kind})
        if "同" not in name and "仝" not in name:  # one position does not tell of the move before
            assert one == name


@pytest.mark.parametrize(("kind", "sfen", "move", "names"), [
    ("torishogi", "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1", "3d3c",
     {"japanese": "☗３三燕(34)", "kif": "３三燕(34)", "western": "Sx3c", "names": "Swx3c", "usi": "3d3c"}),
    ("chushogi", "12/12/12/12/12/12/5k6/5N6/12/12/12/4K7 b - 1", "7h7g7h",
     {"japanese": "☗一歩目 7七獅子 （←7八） 二歩目 7八獅子（居食い） （←7七）", "usi": "7h7g7h"}),
    ("shogi", "4k4/9/9/9/9/9/9/9/G3KG3 b - 1", "4i5h", {"japanese": "☗５八金", "western": "G-5h", "names": "G-5h"}),
])
def test_a_move_in_the_words_of_its_players(kind: str, sfen: str, move: str, names: dict[str, str],
                                            database: Database) -> None:
    packed = kifu.Position(sfen, kind).push(move).packed
    code = moves.decode(moves.encode([packed], kind))[0]
    found = {style: database.value(f"SELECT move_name('{sfen}', {code}::BIGINT, '{style}', '{kind}')")
             for style in names}
    assert found == names


def test_neighbours_in_a_batch_do_not_disturb_each_other(db_path: Path) -> None:
    """Games of both widths, some without a move, in one batch and in several."""
    games = [GAMES[NUMBERS[kind][n] - 1] for n in (0, 1) for kind in ("shogi", "chushogi", "minishogi")]
    empty = [("shogi", kifu.Position().sfen()), ("minishogi", kifu.Position(variant="minishogi").sfen())]
    rows = kinds.rows(games) + [kinds.row(kind, start, []) for kind, start in empty]
    with Loader(db_path, "none") as loader:
        for some in (rows, rows[:1], rows[1:2], rows[6:], rows[::-1]):
            loader.add(toy.source(f"{len(some)} {some[0].variant}"), some)
            loader.commit_batch()
        loader.finish()
        assert list(verify(loader.database)) == []
        texts = loader.database.rows("SELECT usi_moves(moves) FROM games ORDER BY game_id")
        wanted = [*(game.moves for game in games), [], []]
        assert [found for found, in texts[:8]] == wanted
        assert [found for found, in texts[-8:]] == wanted[::-1]
        assert all(a < b for a, b in pairwise(n for n, in loader.database.rows("SELECT game_id FROM games ORDER BY game_id")))
