"""Every reason by a small case of our own, and the words that explain it."""
from __future__ import annotations

import pytest

from kifu.diagnostics import REASONS
from kifu.movetext import (
    BISHOP,
    DECLINE,
    DROP,
    GOLD,
    PAWN,
    PIECE_AFTER,
    PROMOTE,
    PROMOTED,
    ROOK,
    SIDE_BINDS,
    SILVER,
    SUPPLY_PROMOTION,
    WHITE_SIDE,
    pack,
)
from kifu.rules.api import IllegalMoveError, Position
from kifu.rules.legality import sentence

BARE = "4k4/9/9/9/9/9/9/9/4K4 b - 1"
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

#: SFEN, USI, reason (None: legal), a piece of the sentence or the hint.
USI_CASES = [
    (BARE, "P*5e", "not-in-hand", "Black has no pawn in hand"),
    ("4k4/9/9/9/4P4/9/9/9/4K4 b G 1", "G*5e", "occupied", "Black's pawn stands on 5e already"),
    ("4k4/9/9/9/9/9/9/9/4K4 b L 1", "L*3a", "dead-end-drop", "a lance dropped on 3a could never move"),
    ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*3b", "dead-end-drop", "a knight"),
    ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*3c", None, ""),
    ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "nifu", "file 5: on 5g"),
    ("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1", "P*5e", None, ""),
    ("4k4/4r4/9/9/9/9/9/9/4K4 b P 1", "P*4e", "check-not-answered", "White's rook on 5b attacks the king on 5i"),
    ("4k4/4r4/9/9/9/9/9/9/4K4 b P 1", "P*5e", None, ""),
    ("8k/6G2/7B1/9/9/9/9/9/K8 b P 1", "P*1b", "uchifuzume", "uchifuzume"),
    (START, "5e5d", "empty-origin", "no man stands on 5e"),
    (START, "7f7e", "empty-origin", ""),
    (START, "3c3d", "wrong-side", "the pawn on 3c is White's"),
    (START, "2h2g", "own-piece", "Black's own pawn stands on 2g"),
    (START, "8h2b+", "blocked", "Black's pawn on 7g"),
    (START, "2i3h", "bad-move", "a knight does not go from 2i to 3h"),
    (START, "7g7g", "own-piece", ""),
    ("4k4/9/2+R6/9/9/9/9/9/4K4 b - 1", "7c7b+", "already-promoted", "the dragon on 7c is promoted already"),
    ("4k4/9/2G6/9/9/9/9/9/4K4 b - 1", "7c7b+", "cannot-promote", "a gold has no promoted face"),
    ("4k4/9/9/9/2S6/9/9/9/4K4 b - 1", "7e7d+", "not-in-zone", "ranks a to c"),
    ("4k4/2P6/9/9/9/9/9/9/4K4 b - 1", "7b7a", "must-promote", "must promote"),
    ("4k4/9/9/2N6/9/9/9/9/4K4 b - 1", "7d6b", "must-promote", "a knight"),
    ("4k4/9/9/2S6/9/9/9/9/4K4 b - 1", "7d7c", None, ""),
    ("4r3k/9/9/9/9/9/9/4G4/4K4 b - 1", "5h4h", "self-check", "is pinned"),
    ("3r4k/9/9/9/9/9/9/9/4K4 b - 1", "5i6i", "self-check", "in check on 6i"),
    ("4k4/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a+", "bad-move", "White's king on 5a would be taken"),
    # the king that steps back along the line of the check is still in check
    ("8k/9/9/9/4r4/9/9/4K4/9 b - 1", "5h5i", "check-not-answered", "White's rook on 5e attacks the king on 5i"),
    # in double check only the king can move
    ("4r2k1/9/9/9/9/9/3n5/9/4K3R b G 1", "G*5e", "check-not-answered", "White's knight on 6g attacks the king on 5i"),
    ("4r2k1/9/9/9/9/9/3n5/9/4K3R b G 1", "5i4h", None, ""),
]


@pytest.mark.parametrize(("sfen", "usi", "reason", "words"), USI_CASES)
def test_reasons_of_usi_moves(sfen: str, usi: str, reason: str | None, words: str) -> None:
    position = Position(sfen)
    before = position.sfen()
    assert position.reason(usi) == reason
    if reason is None:
        position.push(usi)
        return
    with pytest.raises(IllegalMoveError) as refused:
        position.push(usi)
    assert refused.value.reason == reason
    assert words in f"{refused.value} {refused.value.hint}"
    assert position.sfen() == before and position.moves == []


KYOTO, MICRO = "p+nks+l/5/5/5/+LSK+NP b - 1", "k3/4/4/pp2/+LRBK b - 1"

#: SFEN, move text, reason (None: legal), a piece of the sentence or the hint.
TEXT_CASES = [
    (START, pack((7, 6), (7, 7), GOLD), "wrong-piece", "names a gold, but a pawn stands on 7g"),
    (START, pack((7, 6), (7, 7), PAWN | PROMOTED), "wrong-piece", "names a tokin"),
    (START, pack((5, 8), (0, 0), GOLD), "ambiguous", "4i and 6i"),
    (START, pack((5, 5), (0, 0), GOLD), "no-candidate", "4i and 6i"),
    (START, pack((5, 5), (0, 0), BISHOP | PROMOTED), "no-candidate", "no horse on the board"),
    (START, pack((0, 0), (0, 0), PAWN), "no-candidate", "no square"),
    (START, pack((12, 5), (7, 7), PAWN), "bad-move", "is not a square of this board"),
    (START, pack((7, 6), (12, 7), PAWN), "empty-origin", "is not a square of this board"),
    (START, pack((7, 6), (7, 7), PAWN, WHITE_SIDE | SIDE_BINDS), "wrong-side", "White moves, and Black is to move"),
    (START, pack((7, 5), (7, 6), PAWN, WHITE_SIDE | SIDE_BINDS), "empty-origin", "7f"),
    (START, pack((3, 4), (3, 3), PAWN, WHITE_SIDE | SIDE_BINDS), "wrong-side", ""),
    (START, pack((7, 6), (7, 7), PAWN | PROMOTED, PIECE_AFTER), "not-in-zone", ""),
    (START, pack((6, 8), (0, 0), GOLD, PROMOTE), "cannot-promote", ""),
    (START, pack((7, 6), (0, 0), PAWN, DECLINE), "not-in-zone", ""),
    (BARE, pack((5, 5), (0, 0), PAWN | PROMOTED, DROP | PIECE_AFTER), "not-in-hand", "men in hand are not promoted"),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", pack((5, 5), (0, 0), PAWN, DROP | PROMOTE), "cannot-promote", "unpromoted"),
    ("4k4/2P6/9/9/9/9/9/9/4K4 b - 1", pack((7, 1), (7, 2), PAWN, SUPPLY_PROMOTION | DECLINE), "must-promote", ""),
    ("4k4/2P6/9/9/9/9/9/9/4K4 b - 1", pack((7, 1), (7, 2), PAWN, PIECE_AFTER), "must-promote", ""),
    ("4k4/2P6/9/9/9/9/9/9/4K4 b - 1", pack((7, 1), (7, 2), PAWN | PROMOTED, PIECE_AFTER), None, ""),
    ("4k4/9/2S6/9/9/9/9/9/4K4 b - 1", pack((7, 2), (7, 3), SILVER | PROMOTED, PIECE_AFTER), None, ""),
    # the only candidate is pinned: its reason, not "no candidate"
    ("4r3k/9/9/9/9/9/9/4G4/4K4 b - 1", pack((4, 8), (0, 0), GOLD), "self-check", "White's rook on 5a"),
    # all candidates fail: those that could go there but for the check speak
    ("4r3k/9/9/9/9/9/9/9/4K2R1 b - 1", pack((2, 5), (0, 0), ROOK), "check-not-answered", "White's rook on 5a"),
    (START, pack((7, 7), (0, 0), GOLD), "no-candidate", ""),
    (START, pack((2, 7), (0, 0), ROOK), "own-piece", "Black's own pawn"),
]


@pytest.mark.parametrize(("sfen", "movetext", "reason", "words"), TEXT_CASES)
def test_reasons_of_move_texts(sfen: str, movetext: int, reason: str | None, words: str) -> None:
    position = Position(sfen).core
    found = position.resolve(movetext)
    assert (REASONS[-1 - found] if found < 0 else None) == reason
    if reason is not None:
        message, hint = sentence(position, movetext, reason)
        assert words in f"{message} {hint}"
        assert sentence(position, movetext, -1 - found) == (message, hint)


@pytest.mark.parametrize(("variant", "sfen", "usi", "reason", "message", "hint"), [
    ("kyotoshogi", KYOTO, "5e5d+", "already-promoted", "the tokin on 5e is promoted and turns back to a lance",
     "the mark of turning back is -, not +"),
    ("kyotoshogi", KYOTO, "1e1d-", "cannot-promote", "the pawn on 1e is not promoted and turns over to a rook",
     "the mark of turning over is +, not -"),
    ("kyotoshogi", KYOTO, "3e3d+", "cannot-promote", "a king has no promoted face", "leave the mark of promotion out"),
    ("micro", MICRO, "4e4d+", "already-promoted", "the silver on 4e is promoted and turns back to a lance",
     "the mark of turning back is -, not +"),
    ("micro", MICRO, "3e3d-", "cannot-promote", "the rook on 3e is not promoted and turns over to a gold",
     "the mark of turning over is +, not -"),
    ("micro", MICRO.replace("pp", "2"), "4e4d-", "already-promoted", "the silver from 4e to 4d takes nothing",
     "men turn over when they take, and only then"),
])
def test_marks_where_men_turn_over_and_back(variant: str, sfen: str, usi: str, reason: str, message: str,
                                            hint: str) -> None:
    """The hint leads to a move that is legal."""
    with pytest.raises(IllegalMoveError) as refused:
        Position(sfen, variant).push(usi)
    assert (refused.value.reason, refused.value.hint) == (reason, hint)
    assert message in str(refused.value)
    if "mark" in hint:
        right = usi[:4] + ("" if "out" in hint else "-" if usi[4] == "+" else "+")
        assert Position(sfen, variant).reason(right) is None


def test_words_are_there_for_every_reason_whatever_the_move() -> None:
    """No combination of text and reason makes the explanation fail: it may be asked about anything."""
    position = Position("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P2g 1").core
    texts = [pack(to, origin, piece, flags) for to in ((0, 0), (5, 5), (15, 15)) for origin in ((0, 0), (7, 7), (11, 3))
             for piece in (0, PAWN, GOLD | PROMOTED, 31) for flags in (0, DROP)]
    for text in texts:
        for reason in REASONS:
            message, hint = sentence(position, text, reason)
            assert message and isinstance(hint, str)


def test_an_unknown_reason_has_no_words() -> None:
    with pytest.raises(ValueError, match="no reason"):
        sentence(Position().core, pack((7, 6), (7, 7)), "nonsense")
