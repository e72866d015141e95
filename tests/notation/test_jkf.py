"""JKF: minimal and normalised records, everything a node can hold, what does not fit, and the way back."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.notation import detect, read, write, writer
from kifu.notation.jkf import PRESETS
from kifu.notation.jkf_places import index
from kifu.notation.relative import relative
from kifu.notation.writing import UnwritableError
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import usi
from kifu.rules.position import Position
from kifu.text import decode
from tests.notation.texts import nested_variations, of_reading

CASES = Path(__file__).parent.parent / "diagnostics"


def move(text: str, piece: str, **more: Any) -> dict[str, Any]:
    """A node: ``7776`` is a move, ``76`` a drop."""
    squares = [{"x": int(text[i]), "y": int(text[i + 1])} for i in range(0, len(text), 2)]
    origin = {"from": squares[0]} if len(squares) == 2 else {}
    return {"move": {**origin, "to": squares[-1], "piece": piece, **more}}


def jkf(*nodes: dict[str, Any], **more: Any) -> str:
    return json.dumps({"header": {}, "moves": [{}, *nodes], **more}, ensure_ascii=False)


def games(text: str, **options: Any) -> list[Game]:
    return [replay(record) for record in read(text, "jkf", **options)]


def one(text: str) -> Game:
    [game] = games(text)
    return game


def moves(game: Game) -> list[str]:
    return [usi(move) for move in game.moves]


def names(game: Game) -> list[str]:
    return [found.name for found in of_reading(game)]


OPENING = [move("7776", "FU"), move("3334", "FU"), move("8822", "KA", promote=True), move("3122", "GI")]


# --- reading ----------------------------------------------------------------------------------------------------------
def test_a_minimal_record() -> None:
    game = one(jkf(*OPENING, move("45", "KA"), {"special": "TORYO"}))
    assert moves(game) == ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]
    assert (game.verdict, game.end, game.winner, game.diagnostics) == ("legal", "resign", "black", [])


def test_a_normalised_record_and_null_for_what_is_absent() -> None:
    nodes = [move("7776", "FU", color=0, same=None, capture=None, relative=None),
             move("3334", "FU", color=1), move("8822", "KA", color=0, promote=True, capture="KA"),
             move("3122", "GI", color=1, same=True, capture="UM"), move("45", "KA", color=0)]
    nodes[4]["move"]["from"] = None
    assert names(one(jkf(*nodes))) == []


def test_same_without_a_target() -> None:
    nodes = [*OPENING[:3], {"move": {"from": {"x": 3, "y": 1}, "same": True, "piece": "GI"}}]
    assert moves(one(jkf(*nodes)))[-1] == "3a2b"
    assert names(one(jkf({"move": {"from": {"x": 3, "y": 1}, "piece": "GI"}}))) == ["json-shape"]


@pytest.mark.parametrize(("number", "more", "key"), [
    (0, {"same": True}, "same"), (3, {"same": False}, "same"), (0, {"promote": False}, "promote"),
    (3, {"capture": "KA"}, "capture"), (0, {"relative": "R"}, "relative"),
])
def test_what_contradicts_the_game_is_a_warning(number: int, more: dict[str, Any], key: str) -> None:
    nodes = json.loads(json.dumps(OPENING))
    nodes[number]["move"].update(more)
    game = one(jkf(*nodes))
    assert (game.verdict, names(game)) == ("legal", ["jkf-contradiction"])
    assert f"$.moves[{number + 1}].move.{key}" in game.diagnostics[0].message


def test_colour_and_capture_are_compared_by_replay() -> None:
    assert names(one(jkf(move("7776", "FU", color=1)))) == ["side-sign"]
    assert names(one(jkf(move("7776", "FU", capture="FU")))) == ["capture-mark"]
    assert names(one(jkf(move("7776", "GI")))) == ["wrong-piece"]


def test_clocks_of_hours_and_fractions() -> None:
    times = [{"now": {"m": 0, "s": 12}}, {"now": {"h": 1, "m": 2, "s": 3}}, {"now": {"s": 0.25}}, {"total": {"m": 1, "s": 1}}]
    nodes = [{**node, "time": time} for node, time in zip(OPENING, times, strict=True)]
    game = one(jkf(*nodes, {"special": "TORYO", "time": {"now": {"m": 1, "s": 0}}}))
    assert game.milliseconds == [12000, 3723000, 250, None]
    assert game.record.end is not None
    assert game.record.end.milliseconds == 60000


@pytest.mark.parametrize(("clock", "name"), [({"m": -1}, "negative-clock"), ({"m": 1e300}, "bad-clock"), ({"h": 10**18}, "bad-clock")])
def test_clocks_that_cannot_be(clock: dict[str, Any], name: str) -> None:
    game = one(jkf({**OPENING[0], "time": {"now": clock}}))
    assert (game.milliseconds, names(game)) == ([None], [name])


def test_comments_in_both_spellings_in_their_order() -> None:
    game = one(json.dumps({"moves": [
        {"comments": ["始まり", "\n\"\\ \U0001F600"]}, {**OPENING[0], "comments": ["一"], "comment": "二"}, {"comment": ["三"]}]}))
    assert list(game.record.comments()) == [
        (-1, "comment", "始まり"), (-1, "comment", "\n\"\\ \U0001F600"), (0, "comment", "一"), (0, "comment", "二"), (0, "comment", "三")]


def test_forks_at_any_depth() -> None:
    inner = [[move("2625", "FU"), {"special": "CHUDAN"}]]
    fork = [move("2726", "FU"), move("8384", "FU"), {**move("6978", "KI"), "forks": inner}]
    game = one(jkf(OPENING[0], OPENING[1], {**OPENING[2], "forks": [fork, [{"special": "TORYO"}]]}))
    assert (game.verdict, game.plies) == ("legal", 3)
    lines = [(line.parent, line.number, line.last - line.first) for line in game.record.lines]
    assert lines == [(-1, 1, 3), (1, 3, 3), (4, 5, 1), (1, 3, 0)]
    assert [line.end and line.end.reason for line in game.record.lines] == [None, None, "interrupted", "resign"]


def test_ends() -> None:
    for word, reason, winner in (("TORYO", "resign", "white"), ("+ILLEGAL_ACTION", "illegal", "white"), ("KACHI", "declaration", "black"),
                                 ("MAX_MOVES", "max_moves", "draw"), ("FOO", "other", "unknown")):
        game = one(jkf({"special": word}))
        assert (game.end, game.winner) == (reason, winner)
        assert names(game) == (["unknown-end"] if word == "FOO" else [])
    assert names(one(jkf({"special": "TORYO"}, OPENING[0]))) == ["moves-after-end"]
    assert names(one(jkf({"special": "TORYO"}, {"special": "TORYO"}))) == ["end-repeated"]
    assert names(one(jkf({"special": "TORYO"}, {"special": "KACHI"}))) == ["result-conflict"]


@pytest.mark.parametrize(("preset", "key"), PRESETS.items())
def test_presets(preset: str, key: str) -> None:
    game = one(jkf(initial={"preset": preset}))
    assert (game.handicap, game.start, game.verdict) == (key, HANDICAPS[key].sfen, "legal")
    assert json.loads(write([game], "jkf"))["initial"] == {"preset": preset}


def test_both_readings_of_three_pieces() -> None:
    game = one(jkf(move("9192", "KY"), initial={"preset": "3"}))
    assert names(game) == ["three-piece-lance"]
    assert "data" in json.loads(write([game], "jkf"))["initial"]


@pytest.mark.parametrize(("initial", "verdict", "name"), [
    ({"preset": "OTHER"}, "unreadable", "bad-board"), ({"preset": "42"}, "unreadable", "unknown-handicap"),
    ({"data": {}}, "unreadable", "json-shape"), ("HIRATE", "unreadable", "json-shape"),
])
def test_starts_that_cannot_be(initial: Any, verdict: str, name: str) -> None:
    game = one(jkf(initial=initial))
    assert (game.verdict, names(game)[0]) == (verdict, name)
    board = [[{}] * 9 for _ in range(9)]
    board[4] = [{"kind": "OU"}] * 9
    data = {"color": 0, "board": board, "hands": [{}, {}]}
    assert names(one(jkf(initial={"preset": "OTHER", "data": data}))) == ["bad-board"]
    assert names(one(json.dumps({"header": {"手合割": "二枚落ち"}, "moves": []}))) == ["handicap-and-board"]


def test_a_board_beside_a_preset_is_believed() -> None:
    data = json.loads(jkf(initial={"preset": "8"}))
    other = json.loads(write([replay(next(read(HANDICAPS["naked-king"].sfen, "usi")))], "jkf"))
    assert other["initial"]["preset"] == "OTHER"
    data["initial"]["data"] = other["initial"]["data"]
    game = one(json.dumps(data))
    assert (names(game), game.handicap) == (["handicap-and-board"], "naked-king")


# --- what does not fit ------------------------------------------------------------------------------------------------
def test_a_bad_node_costs_what_follows_it_in_its_line_only() -> None:
    bad = json.loads(json.dumps(OPENING[2]))
    bad["move"]["to"]["x"] = 12
    bad["forks"] = [[move("2726", "FU")]]
    game = one(jkf(OPENING[0], OPENING[1], bad, OPENING[3]))
    assert (game.verdict, game.plies, game.variations) == ("unreadable", 2, 1)
    [found] = game.diagnostics
    assert (found.name, found.ply) == ("json-shape", 3)
    assert "$.moves[3].move.to.x" in found.message


def test_findings_are_placed_in_the_json() -> None:
    text = json.dumps(json.loads(jkf(OPENING[0], {**move("3335", "FU"), "comments": ["\"move\": {"]})), indent=1)
    [found] = one(text).diagnostics
    assert (found.name, found.line, found.column) == ("bad-move", 19, 12)
    assert text.split("\n")[18] == '   "move": {'
    bad = '{"moves": [\n  {},\n  {"move": {"to": {"x": 1, "y": 2},\n   "piece": "XX"}}]}'
    assert [(found.line, found.column) for found in one(bad).diagnostics] == [(4, 13)]


def test_unknown_keys_are_said_and_cost_nothing_else() -> None:
    node = json.loads(json.dumps(OPENING[0]))
    node["eval"] = 30
    node["move"]["from"]["z"] = 1
    game = one(jkf(node, version=2))
    assert (game.verdict, game.plies) == ("legal", 1)
    assert sorted(found.message.split(" ")[0] for found in game.diagnostics) == [
        "$.moves[1].eval", "$.moves[1].move.from.z", "$.version"]
    assert set(names(game)) == {"json-unknown-key"}


def test_headers_keep_their_order_and_numbers_become_texts() -> None:
    game = one('{"header": {"後手": "乙", "先手": "甲", "x": 3, "y": []}, "moves": []}')
    assert game.record.headers == [("後手", "乙"), ("先手", "甲"), ("x", "3")]
    assert [(found.name, found.severity) for found in game.diagnostics] == [("json-shape", "warning"), ("json-shape", "error")]


@pytest.mark.parametrize(("text", "name"), [
    ("", "no-game"), ("  \n", "no-game"), ("[1]", "no-game"), ('{"a": 1}', "no-game"), ("hello", "no-game"), ("{", "no-game"),
    ('{"moves": [}', "json-syntax"), ('{"moves": [{"comments": ["', "json-syntax"), ('{"moves": [' + '{"forks": [[' * 100_000, "json-too-deep"),
    ('{"moves": ' + "[" * 100_000, "json-too-deep"), ("[" * 100_000, "no-game"), ('{"moves": [' + "9" * 5000 + "]}", "json-syntax"),
    ('{"moves": [1e999]}', "json-syntax"), ('{"moves": {}}', "json-shape"), ('{"moves": ["\\ud800"]}', "json-syntax"),
    ('{"moves": [null, [], 3, {"move": []}]}', "json-shape"),
])
def test_texts_that_are_no_record(text: str, name: str) -> None:
    game = games(text)[0]
    assert names(game)[0] == name
    assert game.diagnostics[0].line == 1 or not text.strip()


def test_a_deep_record_below_the_limit_is_read() -> None:
    depth = 90
    node = json.dumps(OPENING[0])[:-1]
    text = '{"moves": [{}, ' + f'{node}, "forks": [[' * depth + node + "}" + "]]}" * depth + "]}"
    assert one(text).variations == depth


def test_several_records_one_damaged() -> None:
    good = jkf(OPENING[0])
    text = f"{good}\n{{\"moves\": [oops]}}\n{good}{good}\n\n"
    found = games(text)
    assert [game.verdict for game in found] == ["legal", "unreadable", "legal", "legal"]
    assert [game.record.line for game in found] == [1, 2, 3, 3]
    assert [(one.name, one.line, one.column) for one in found[1].diagnostics] == [("json-syntax", 2, 12)]
    illegal = games(f"{good}\n" + jkf(move("7775", "FU")))[1]
    assert [(one.line, one.column) for one in illegal.diagnostics] == [(2, 39)]


@settings(max_examples=300, deadline=None)
@given(st.text('{}[],:"\\ movesfrktinal0129.-+e\n', max_size=60), st.integers(0, 400))
def test_any_text_is_answered(noise: str, at: int) -> None:
    whole = jkf({**OPENING[0], "comments": ["一"], "time": {"now": {"m": 0, "s": 1}}, "forks": [[OPENING[0]]]})
    for text in (noise, whole[:at] + noise + whole[at:], whole[:at] + noise + whole[at + len(noise):]):
        for game in games(text):
            assert all(1 <= one.line <= text.count("\n") + 1 and one.column >= 1 for one in game.diagnostics)
            assert game.diagnostics or game.verdict == "legal"
            game.summary(moves=True)


values = st.recursive(st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(["FU", "TORYO", "OTHER", ""]),
                      lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
                          ["move", "to", "from", "x", "y", "piece", "forks", "special", "time", "now", "s", "comments",
                           "header", "initial", "preset", "data", "moves"]), inner, max_size=4), max_leaves=12)


@settings(max_examples=300, deadline=None)
@given(values, values, values)
def test_any_json_is_answered(header: Any, initial: Any, nodes: Any) -> None:
    text = json.dumps({"header": header, "initial": initial, "moves": [{}, nodes]})
    for game in games(text):
        assert game.diagnostics or game.verdict == "legal"
        assert all(one.line == 1 and one.column >= 1 for one in game.diagnostics)


@given(values)
def test_every_value_is_found_where_it_stands(value: Any) -> None:
    text = json.dumps(value)
    root = index(text)
    stack = [(value, root)]
    decoder = json.JSONDecoder()
    while stack:
        inner, place = stack.pop()
        assert decoder.raw_decode(text, place.offset)[0] == inner
        parts = inner.items() if isinstance(inner, dict) else enumerate(inner) if isinstance(inner, list) else ()
        stack += [(part, place.parts[key]) for key, part in parts]


# --- writing ----------------------------------------------------------------------------------------------------------
def tree(game: Game) -> list[Any]:
    record = game.record
    return sorted((line.number, [usi(game.proven[i]) for i in record.path(n)], [record.milliseconds(i) for i in record.path(n)],
                   str(line.end and (line.end.reason, line.end.winner)))
                  for n, line in enumerate(record.lines) if not n or line.last > line.first or line.end)


def test_a_normalised_record_is_written() -> None:
    text = "手合割：平手\n先手：甲\n$X：y\n   1 ７六歩(77) ( 0:01/)\n*一\n   2 ３四歩(33) (61:02/)\n   3 ２二角(88)\n   4 同　銀(31)\n   5 投了 (0:05/)\n"
    made = json.loads(write([replay(next(read(text, "kif")))], "jkf"))
    assert made == {
        "header": {"先手": "甲", "X": "y"}, "initial": {"preset": "HIRATE"}, "moves": [
            {}, {"comments": ["一"], "move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"},
                 "time": {"now": {"m": 0, "s": 1}, "total": {"h": 0, "m": 0, "s": 1}}},
            {"move": {"color": 1, "from": {"x": 3, "y": 3}, "to": {"x": 3, "y": 4}, "piece": "FU"},
             "time": {"now": {"h": 1, "m": 1, "s": 2}, "total": {"h": 1, "m": 1, "s": 2}}},
            {"move": {"color": 0, "from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "piece": "KA", "promote": False, "capture": "KA"}},
            {"move": {"color": 1, "from": {"x": 3, "y": 1}, "to": {"x": 2, "y": 2}, "piece": "GI", "same": True, "capture": "KA"}},
            {"special": "TORYO", "time": {"now": {"m": 0, "s": 5}, "total": {"h": 0, "m": 0, "s": 6}}}]}


def test_branches_hang_where_they_leave_even_behind_the_last_move() -> None:
    text = ("手合割：平手\n   1 ７六歩(77)\n\n変化：2手\n   2 ８四歩(83)\n\n変化：1手\n   1 ２六歩(27)\n   2 投了\n\n変化：2手\n   2 ３四歩(33)\n")
    game = replay(next(read(text, "kif")))
    made = json.loads(write([game], "jkf"))["moves"]
    assert len(made) == 3  # the start, the move, and a node that only has a fork
    assert list(made[2]) == ["forks"]
    assert tree(one(write([game], "jkf"))) == tree(game)


def test_a_foul_is_written_with_its_move() -> None:
    text = "PI\n+\n+7776FU\n-3334FU\n+0078FU\n%+ILLEGAL_ACTION\n"
    game = replay(next(read(text, "csa")))
    assert game.verdict == "foul"
    target = writer("jkf")
    again = one(target.write(game))
    assert (again.verdict, again.plies, again.winner, target.losses) == ("foul", 2, "white", {})
    kif = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ７五歩(77)\n   4 反則勝ち\n"
    game = replay(next(read(kif, "kif")))
    target = writer("jkf")
    again = one(target.write(game))
    assert (again.verdict, again.illegal_move and again.illegal_move["text"], target.losses) == ("foul", "７五歩(77)", {})


def test_losses_are_counted() -> None:
    text = ("V3.0\nN+A\n$EVENT:x\nPI\n+\n+7776FU\nT1.5\n%CHUDAN\n")
    target = writer("jkf")
    made = json.loads(target.write(replay(next(read(text, "csa")))))
    assert made["header"] == {"先手": "A", "棋戦": "x"}
    assert target.losses == {"fractions of seconds": 1}
    target = writer("jkf")
    made = json.loads(target.write(replay(next(read("手合割：平手\n   1 ７六歩(77)\n&印\n   2 封じ手\n", "kif")))))
    assert made["moves"][-1] == {"comments": ["封じ手"], "special": "CHUDAN"}
    assert target.losses == {"bookmarks": 1, "end": 1}
    target = writer("jkf")
    target.write(replay(next(read(HANDICAPS["even"].sfen[:-1] + "5", "usi"))))
    assert target.losses == {"number of the first move": 1}


def test_what_is_nested_too_deep_is_lost_and_counted() -> None:
    game = replay(next(read(nested_variations(998), "kif")))
    target = writer("jkf")
    again = one(target.write(game))
    assert (again.variations, target.losses["variations"]) == (100, game.variations - 100)


def test_half_a_surrogate_is_a_question_mark() -> None:
    game = replay(next(read("手合割：平手\n   1 ７六歩(77)\n*\ud800\n", "kif")))
    target = writer("jkf")
    assert one(target.write(game)).comments[1] == "?"
    assert target.losses == {"characters": 1}


@pytest.mark.parametrize(("folder", "notation"), [("csa", "csa"), ("kif", "kif"), ("usi", "usi"), ("psn", "western"), ("jkf", "jkf")])
def test_legal_corpus_games_come_back(shared: Path, folder: str, notation: str) -> None:
    """Moves, branches, ends, clocks, comments: what is not lost is the same, and nothing is to be said of it."""
    count = 0
    for path in sorted((shared / "corpus" / folder).rglob("*")):
        if not path.is_file() or path.stat().st_size > 100_000:
            continue
        for record in read(decode(path.read_bytes()).text, notation):
            game = replay(record)
            if game.verdict != "legal":
                continue
            target = writer("jkf")
            if game.variant != "shogi":
                with pytest.raises(UnwritableError, match="jkf cannot hold"):
                    target.write_all([game])
                continue
            count += 1
            text = target.write(game)
            again = one(text)
            assert again.verdict == "legal", path
            assert again.start.split()[:3] == game.start.split()[:3], path
            assert set(names(again)) <= {"branch-repeated", "unknown-end", "three-piece-lance", "result-count"}, path
            if not target.losses.keys() & {"fractions of seconds", "end", "variations"}:
                assert tree(again) == tree(game), path
                assert write([again], "jkf") == text, path
            if not target.losses:
                assert again.comments == [comment and comment.replace("\r", "") for comment in game.comments], path
    assert count >= {"csa": 600, "kif": 150, "usi": 30, "psn": 3, "jkf": 20}[folder]


def test_relative_of_the_oracle(shared: Path) -> None:
    """The words of KI2, letter by letter; where the programs are divided, those of tsshogi and shogiops."""
    letters = {"左": "L", "直": "C", "右": "R", "上": "U", "寄": "M", "引": "D", "打": "H", "行": "U"}
    rows = [json.loads(line) for line in (shared / "oracle" / "ki2.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong, count = [], 0
    for row in rows:
        spelling = row["other"]["tsshogi"] if len(row["agree"]) == 2 and "tsshogi" in row["other"] else row["ki2"]
        position = Position(row["sfen"])
        packed = next((one for one in position.legal_moves() if usi(one) == row["usi"]), None)
        if packed is None:
            continue
        count += 1
        expected = "".join(letters[char] for char in spelling if char in letters)
        if relative(position, packed) != expected:
            wrong.append((row["sfen"], row["usi"], spelling, relative(position, packed)))
    assert count > 250
    assert wrong == []


# --- the roads around it ----------------------------------------------------------------------------------------------
def test_detection() -> None:
    assert detect(jkf(OPENING[0])).notation == "jkf"
    assert detect('{"name": "package", "version": "1.0"}').notation is None


def test_json_in_folders_that_is_no_record_is_passed_over(kifu: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "x", "header": 1}', encoding="utf-8")
    (tmp_path / "settings.json").write_text('{ // "header"\n}', encoding="utf-8")
    (tmp_path / "game.json").write_text(jkf(*OPENING), encoding="utf-8")
    ran = kifu("check", tmp_path, "--format", "json")
    [row] = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.status, row["path"], row["plies"]) == (0, str(tmp_path / "game.json"), 4)
    ran = kifu("convert", tmp_path / "game.json", tmp_path / "game.json", "--to", "jkf")
    assert len(games(ran.out)) == 2
    ran = kifu("check", tmp_path / "settings.json")
    assert ran.status in (1, 2)


def test_findings_quote_the_line(kifu: Callable[..., Any]) -> None:
    ran = kifu("check", CASES / "K221-json-shape" / "triggers.jkf")
    assert "triggers.jkf:3:71: K221" in ran.out
    assert "^" in ran.out


MOVE = '"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}'


@pytest.mark.parametrize(("text", "ways"), [
    ('{"header":{},"moves":[{},{MOVE}]}', []),
    ('{"header":{"\\u0022":"\\u0022\\""},"moves":[{"comments":[]},{MOVE,"same":null}]}', []),
    ('{"header":{"先手":"a","先手":"b"},"moves":[{},{MOVE}]}', ["$.header.先手"]),
    ('{"moves":[{}],"moves":[{},{MOVE,"comments":["x"],"comments":["y"],"comments":["z"]}]}',
     ["$.moves", "$.moves[1].comments", "$.moves[1].comments"]),
    ('{"no":1,"moves":[{},{"piece":1,MOVE,"zz":{"a":1,"a":2}}]}', ["$.moves[1].zz.a"]),
])
def test_keys_that_one_object_has_twice_are_told(text: str, ways: list[str]) -> None:
    text = text.replace("MOVE", MOVE)
    for record in (next(iter(read(text, "jkf"))), list(read('{"moves":[{}]}\n' + text, "jkf"))[1]):
        game = replay(record)
        assert (game.verdict, game.plies) == ("legal", 1)
        assert [one.message.split()[0] for one in game.diagnostics if one.name == "json-key-twice"] == ways
