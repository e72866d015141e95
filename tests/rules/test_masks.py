"""The compiled engine reads arrays of fixed length without a test of each index: every index must carry its mask."""
from __future__ import annotations

import ast
import re
from array import array
from pathlib import Path

import pytest

from kifu import movetext
from kifu.rules import move, ruleset
from kifu.rules.move import from_usi
from kifu.rules.position import Position

RULES = Path(__file__).parents[2] / "kifu" / "rules"
MODULES = ("tables", "board", "generate", "special", "resolve")


def declared(pattern: str) -> dict[str, int]:
    """The names that the .pxd files declare by this pattern, each with its number."""
    text = "\n".join((RULES / f"{module}.pxd").read_text(encoding="utf-8") for module in MODULES)
    return {name: int(number, 0) for name, number in re.findall(pattern, text, re.M)}


LENGTHS = declared(r"^    cdef [a-z ]+ (\w+)\[(\d+)\]")
NUMBERS = declared(r"^    ([A-Z_]+) = (\w+)")


@pytest.mark.parametrize("module", MODULES)
def test_every_index_of_an_array_of_fixed_length_is_masked(module: str) -> None:
    tree = ast.parse((RULES / f"{module}.py").read_text(encoding="utf-8"))
    seen = 0
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)):
            continue
        if node.value.attr not in LENGTHS or ast.unparse(node.value.value) == "rules":
            continue
        index, where = node.slice, f"{module}.py:{node.lineno}: {ast.unparse(node)}"
        if isinstance(index, ast.BinOp):
            assert isinstance(index.op, ast.BitAnd) and isinstance(index.right, ast.Name), where
            most = NUMBERS[index.right.id]
        else:
            assert isinstance(index, ast.Constant), where
            most = index.value
        assert 0 <= most < LENGTHS[node.value.attr], where
        seen += 1
    assert seen > 20


def test_the_compiler_is_told_the_numbers_of_the_sources() -> None:
    known = {name: getattr(source, name) for source in (ruleset, move, movetext) for name in vars(source)}
    for module in MODULES:
        for node in ast.parse((RULES / f"{module}.py").read_text(encoding="utf-8")).body:
            if isinstance(node, ast.If) and "cython.compiled" in ast.unparse(node.test):
                for line in (*node.body, *node.orelse):
                    if isinstance(line, ast.Assign):
                        exec(ast.unparse(line), known)
    for name, number in NUMBERS.items():
        assert known[name] == number, name


def test_replay_reads_and_writes_within_its_arrays() -> None:
    texts = array("q", [from_usi("7g7f"), from_usi("3c3d")])
    for first, last, moves, keys in ((0, 3, 3, 4), (-1, 2, 2, 3), (0, 2, 1, 3), (0, 2, 2, 2), (0, 2, 1, None)):
        position = Position()
        room = None if keys is None else array("q", bytes(8 * keys))
        with pytest.raises(IndexError):
            position.replay(texts, first, last, array("q", bytes(8 * moves)), room, [])
        assert position.depth == 0
    assert Position().replay(texts, 2, 2, array("q"), None, []) == 2
    view = memoryview(bytearray(16)).cast("q")
    assert Position().replay(memoryview(texts), 0, 2, view, None, []) == 2
    assert Position().resolve(texts[0]) == view[0]


def test_squares_that_no_board_has() -> None:
    for square in (-1, 81, 1 << 20):
        with pytest.raises(IndexError):
            Position().man(square)


def test_a_long_game_in_a_copy_that_goes_on_alone() -> None:
    loop = [from_usi(text) for text in "2h3h 8b7b 3h2h 7b8b".split()]
    position = Position()
    for ply in range(400):
        position.play(position.resolve(loop[ply % 4]))
    twin = position.copy()
    for ply in range(400, 800):
        twin.play(twin.resolve(loop[ply % 4]))
    assert (position.depth, twin.depth) == (400, 800)
    for _ in range(800):
        twin.undo()
    for _ in range(150):
        position.undo()
    assert twin.sfen() == Position().sfen()
    assert position.key() == position.recomputed_key() and position.ply == 251
