"""Move codes: encoded without a loop, equal to what the layout says bit by bit, and read back the same way."""
from __future__ import annotations

import random
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kifu.rules.move import IDENTITY
from kifu.rules.move import usi as packed_usi
from kifu.store import moves


def packed_moves() -> st.SearchStrategy[int]:
    """Packed moves of a board of up to 127 squares, with all that stands in the higher bits."""
    return st.builds(lambda to, origin, manner, rest: to | origin << 8 | manner << 16 | rest << 18,
                     st.integers(0, 127), st.integers(0, 127), st.sampled_from([0, 1, 2]), st.integers(0, (1 << 14) - 1))


@given(st.lists(packed_moves(), max_size=50))
def test_codes_follow_the_layout(played: list[int]) -> None:
    codes = list(moves.decode(moves.encode(played)))
    assert codes == [move & 0x7F | (move >> 8 & 0x7F) << 7 | (move >> 16 & 3) << 14 for move in played]
    assert [moves.packed(code) for code in codes] == [move & IDENTITY for move in played]


def test_usi_of_a_code_is_usi_of_the_move() -> None:
    dice = random.Random(3)
    for _ in range(500):
        dropped = dice.random() < 0.3
        origin = dice.randint(1, 7) if dropped else dice.randrange(81)
        move = dice.randrange(81) | origin << 8 | dropped << 16 | (not dropped and dice.random() < 0.2) << 17
        code = moves.decode(moves.encode(array("q", [move])))[0]
        assert moves.usi(code) == packed_usi(move)
    assert moves.usi(moves.ENDED) == ""


@pytest.mark.parametrize("move", [128, 200 << 8])
def test_large_boards_are_refused(move: int) -> None:
    with pytest.raises(ValueError, match="127 squares"):
        moves.encode([move])


def test_what_drops_and_promotes_at_once_is_no_move() -> None:
    with pytest.raises(ValueError, match="dropped and promotes"):
        moves.encode([60 | 1 << 8 | 3 << 16])


def test_bytes_are_little_endian() -> None:
    assert moves.encode([60 | 59 << 8]) == (60 | 59 << 7).to_bytes(2, "little")
