"""Laws that hold in every position that play can reach."""
from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kifu.rules.move import IDENTITY, ORIGIN_SHIFT, TARGET_FIELD, usi
from kifu.rules.move import DROPPED, from_usi
from kifu.rules.position import Position

STARTS = [
    None,
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "8k/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
    "9/3+N1P3/2+R3p2/8k/8N/5+B3/4S4/1+p6p/L7K w LPrbg2s2nl15p 1",
    "4k4/9/4G4/9/9/9/9/9/4K4 b GP 1",
]

#: Numbers that choose among the legal moves of each position in turn.
choices = st.lists(st.integers(0, 599), max_size=60)
starts = st.sampled_from(STARTS)
few = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def play(start: str | None, numbers: list[int]) -> Position:
    position = Position(start)
    for number in numbers:
        legal = sorted(position.legal_moves())
        if not legal:
            break
        position.play(legal[number % len(legal)])
    return position


def state(position: Position) -> tuple[object, ...]:
    return (position.sfen(), position.key(), position.last_target, position.is_check(), position.depth,
            position.king_square(0), position.king_square(1))


@few
@given(starts, choices)
def test_sfen_comes_back_as_it_went(start: str | None, numbers: list[int]) -> None:
    position = play(start, numbers)
    again = Position(position.sfen())
    assert again.sfen() == position.sfen()
    assert again.key() == position.key()
    assert again.is_check() == position.is_check()
    assert sorted(again.legal_moves()) == sorted(position.legal_moves())


@few
@given(starts, choices)
def test_taking_back_restores_everything(start: str | None, numbers: list[int]) -> None:
    position = Position(start)
    states = [state(position)]
    for number in numbers:
        legal = sorted(position.legal_moves())
        if not legal:
            break
        position.play(legal[number % len(legal)])
        states.append(state(position))
    while position.depth:
        assert state(position) == states.pop()
        position.undo()
    assert [state(position)] == states


@few
@given(starts, choices)
def test_the_key_kept_up_is_the_key_worked_out_anew(start: str | None, numbers: list[int]) -> None:
    position = Position(start)
    for number in numbers:
        legal = sorted(position.legal_moves())
        if not legal:
            break
        position.play(legal[number % len(legal)])
        assert position.key() == position.recomputed_key()


@few
@given(starts, choices)
def test_every_generated_move_is_resolved_to_itself(start: str | None, numbers: list[int]) -> None:
    position = play(start, numbers)
    before = state(position)
    legal = position.legal_moves()
    assert len({move & IDENTITY for move in legal}) == len(legal)
    for move in legal:
        assert position.resolve(from_usi(usi(move))) == move
    assert state(position) == before
    assert bool(legal) == position.has_legal_move()


def turned(sfen: str) -> str:
    """The position seen from the other side: the board turned round, the colours changed."""
    board, turn, hands, number = sfen.split()
    cells = board.replace("+", "~").swapcase()
    rows = []
    for row in reversed(cells.split("/")):
        pieces = [row[i - 1:i + 1] if i and row[i - 1] == "~" else row[i] for i in range(len(row)) if row[i] != "~"]
        rows.append("".join(reversed(pieces)).replace("~", "+"))
    return f"{'/'.join(rows)} {'bw'[turn == 'b']} {hands.swapcase()} {number}"


def turned_move(move: int) -> int:
    origin = move >> ORIGIN_SHIFT & TARGET_FIELD
    if not move & DROPPED:
        origin = 80 - origin
    return move & ~0xFFFF | origin << ORIGIN_SHIFT | 80 - (move & TARGET_FIELD)


@few
@given(starts, choices)
def test_both_sides_have_the_same_rules(start: str | None, numbers: list[int]) -> None:
    position = play(start, numbers)
    other = Position(turned(position.sfen()))
    assert sorted(map(turned_move, position.legal_moves())) == sorted(other.legal_moves())
    assert other.is_check() == position.is_check()


@settings(max_examples=300, deadline=None)
@given(starts, st.lists(st.integers(0, 599), max_size=8), st.integers(0, (1 << 40) - 1))
def test_no_move_text_upsets_the_position(start: str | None, numbers: list[int], movetext: int) -> None:
    position = play(start, numbers)
    before = state(position)
    found = position.resolve(movetext)
    assert state(position) == before
    if found >= 0:
        assert found in position.legal_moves()
    assert position.resolve(-1 - movetext) in (*position.legal_moves(), *range(-30, 0))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="lnsgkbrpLNSGKBRP+123456789/ bw-x０é", max_size=80))
def test_any_text_is_a_position_or_an_error(text: str) -> None:
    try:
        position = Position(text)
    except ValueError:
        return
    position.legal_moves()
