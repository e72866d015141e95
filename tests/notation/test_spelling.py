"""The loops that write all moves of a game, against the plain spelling of one move and of one clock."""
from __future__ import annotations

import random
from array import array
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from kifu.movetext import PROMOTED
from kifu.notation import csa_writer, kif_writer, read, usi_writer, western_writer, write, writer
from kifu.notation.csa_writer import csa_move
from kifu.notation.kif_writer import kif_move, pad
from kifu.notation.spelling import Page, pairs
from kifu.notation.western_styles import STYLES, western_move
from kifu.notation.writing import seconds_text
from kifu.replay import replay
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_SHIFT, PROMOTES, TAKEN_SHIFT, usi
from kifu.rules.position import Position

KINDS = range(1, 9)
FACES = (*KINDS, *(kind | PROMOTED for kind in (1, 2, 3, 4, 6, 7)))
PROMOTABLE = (1, 2, 3, 4, 6, 7)
MARKS = {0: ("comment", 1, 0), 1: ("note", 2, 0), 2: ("nag", 0, 0), 3: ("comment", -1, 0)}

squares = st.integers(0, 80)
boardings = st.builds(
    lambda to, origin, piece, promotes, taken, bits:
        to | origin << ORIGIN_SHIFT | piece << PIECE_SHIFT | taken << TAKEN_SHIFT | bits
        | (PROMOTES if promotes and piece in PROMOTABLE else 0),
    squares, squares, st.sampled_from(FACES), st.booleans(), st.sampled_from((0, *FACES)),
    st.sampled_from((0, 1 << 30, 1 << 31, 3 << 30)))
drops = st.builds(lambda to, kind: to | kind << ORIGIN_SHIFT | DROPPED | kind << PIECE_SHIFT,
                  squares, st.sampled_from(range(1, 8)))
milliseconds = st.one_of(st.just(-1), st.integers(0, 700_000), st.integers(0, 2 * 10 ** 12),
                         st.sampled_from([0, 999, 59_999, 60_000, 599_000, 600_000, 5_999_000, 6_000_000, 360_000_000]))


def opened(page: Page, moves: list[int], clocks: list[int] | None = None, notes: list[int] | None = None,
           text: str = "") -> Page:
    """A page on which a game is open."""
    info = array("q", [number for clock in clocks or [-1] * len(moves) for number in (0, 0, 0, clock)])
    page.open(array("q", moves), info, array("q", notes or []), MARKS, text)
    return page


def csa_page() -> csa_writer.CsaPage:
    return csa_writer.CsaPage(csa_writer._NAMES)


def kif_page() -> kif_writer.KifPage:
    return kif_writer.KifPage(kif_writer._NAMES, kif_writer._TARGETS_TABLE)


def every_move() -> list[int]:
    """Each piece to each square, each pair of squares, each drop; and what promotes."""
    moves = [to | (to * 7 + piece) % 81 << ORIGIN_SHIFT | piece << PIECE_SHIFT | (PROMOTES if promotes else 0)
             for piece, to in product(FACES, range(81)) for promotes in (False, True)
             if not promotes or piece in PROMOTABLE]
    moves += [to | origin << ORIGIN_SHIFT | 7 << PIECE_SHIFT for to, origin in product(range(81), repeat=2)]
    moves += [to | kind << ORIGIN_SHIFT | DROPPED | kind << PIECE_SHIFT for to, kind in product(range(81), range(1, 8))]
    return moves


def test_every_move_is_spelled_as_the_plain_functions_spell_it() -> None:
    moves = every_move()
    page = opened(csa_page(), moves)
    page.plies(len(moves), 0, False, False)
    assert page.take().splitlines() == ["+-"[i & 1] + csa_move(move) for i, move in enumerate(moves)]
    page = opened(usi_writer.UsiPage(usi_writer._NAMES), moves)
    page.plies(len(moves))
    assert page.take().split(" ") == ["", *map(usi, moves)]
    page = opened(kif_page(), moves)
    assert page.plies(0, len(moves), 1, -1, True, {}, set()) == 0
    last, expected = -1, []
    for number, move in enumerate(moves, 1):
        expected.append(f"{number:4} {kif_move(move, last)}")
        last = move & 255
    assert page.take().splitlines() == expected


def plain_clock(time: int, total: int) -> str:
    """A KIF clock, as the format page has it."""
    seconds = time // 1000
    return (f"({seconds // 60:2}:{seconds % 60:02}/"
            f"{total // 3600:02}:{total // 60 % 60:02}:{total % 60:02})")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.one_of(boardings, drops), milliseconds), max_size=40), st.integers(1, 20_000),
       st.booleans(), st.integers(0, 1), st.booleans())
def test_moves_with_clocks(plies: list[tuple[int, int]], number: int, running: bool, turn: int,
                           fractions: bool) -> None:
    moves, clocks = [move for move, _ in plies], [clock for _, clock in plies]
    page = opened(kif_page(), moves, clocks)
    floored = page.plies(0, len(moves), number, moves[0] & 255 if moves else -1, running, {}, set())
    assert floored == sum(1 for clock in clocks if clock >= 0 and clock % 1000)
    last, expected, totals = moves[0] & 255 if moves else -1, "", [0, 0]
    for ply, (move, clock) in enumerate(plies, number):
        spelled = kif_move(move, last)
        if clock >= 0:
            totals[ply & 1] = (totals[ply & 1] if running else 0) + clock // 1000
            spelled = pad(spelled, 13) + plain_clock(clock, totals[ply & 1])
        expected += f"{ply:4} {spelled}\n"
        last = move & 255
    assert page.take() == expected

    page = opened(csa_page(), moves, clocks)
    page.plies(len(moves), turn, fractions, False)
    expected = "".join("+-"[i + turn & 1] + csa_move(move) + "\n"
                       + (f"T{seconds_text(clock, fractions)}\n" if clock >= 0 else "")
                       for i, (move, clock) in enumerate(plies))
    assert page.take() == expected
    assert page.clocks(len(moves)) == sum(1 for clock in clocks if clock >= 0)
    assert page.fractions() == floored


def test_totals_of_thought_never_overflow() -> None:
    page = opened(kif_page(), [1 << PIECE_SHIFT] * 3000, [(1 << 62) + 1] * 3000)
    page.plies(0, 3000, 1, -1, True, {}, set())
    assert page.take().endswith(f"/{(1 << 60) // 3600}:{(1 << 60) // 60 % 60:02}:{(1 << 60) % 60:02})\n")


def noted(comments: list[tuple[int, int, str]]) -> tuple[list[int], str]:
    """Notes (code, index of the move before, text) as flat numbers over one text."""
    notes, text = [], ""
    for code, index, comment in comments:
        written = {0: "'", 1: "'*", 2: "", 3: " #"}[code] + comment
        notes += [code, index + 1, len(text), len(text) + len(written)]
        text += written
    return notes, text


def test_comments_stand_behind_their_moves_whatever_their_order() -> None:
    comments = [(0, 2, "third"), (0, -1, "start"), (1, 0, "a note"), (0, 0, ""), (0, 0, "two\nlines \U0001F600\ud800"),
                (3, 1, "hash "), (0, 1, "x" * 20_000)]
    moves = [60 | 61 << ORIGIN_SHIFT | 1 << PIECE_SHIFT] * 3
    page = opened(csa_page(), moves, None, *noted(comments))
    assert (page.notes_before(-1), page.notes_before(0), page.notes_before(2), page.notes_before(9)) == (0, 1, 6, 7)
    page.remarks(-1, False)
    page.plies(3, 1, False, False)
    assert page.take() == ("'start\n-7877FU\n'*a note\n'\n'two\n'lines \U0001F600\ud800\n"
                           f"+7877FU\n'hash\n'{'x' * 20_000}\n-7877FU\n'third\n")
    page = opened(kif_page(), moves, None, *noted(comments))
    page.remarks(-1, {-1: "mark"})
    page.plies(0, 2, 1, -1, True, {1: "here"}, {-1, 0})
    assert page.take() == ("*start\n&mark\n   1 ７七歩(78)+\n*a note\n*\n*two\n*lines \U0001F600\ud800\n"
                           f"   2 同　歩(78)+\n*hash\n*{'x' * 20_000}\n&here\n")


def test_a_page_begins_anew_with_each_game() -> None:
    page = opened(kif_page(), [], None, *noted([(0, -1, "left behind")]))
    page.put("never taken")
    page = opened(page, [], None)
    page.remarks(-1, {})
    assert page.take() == ""
    assert pairs({2: "成香"}).tolist()[:6] == [0, 0, 0, 0, ord("成"), ord("香")]


def wrapped(words: list[str]) -> list[str]:
    """Words to lines of 78 characters."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > 78:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 80), st.sampled_from(list(STYLES)))
def test_western_words_and_lines(seed: int, plies: int, style: str) -> None:
    rng = random.Random(seed)
    position, words, moves, clocks, comments = Position(), [], [], [], []
    due = False
    for index in range(plies):
        legal = position.legal_moves()
        if not legal:
            break
        move = rng.choice(legal)
        if index % 2 == 0 or due:
            words.append(f"{index // 2 + 1}." + (" ..." if index % 2 else ""))
        words.append(western_move(position, move, style))
        moves.append(move)
        clocks.append(rng.choice((-1, 0, 1000 * rng.randrange(4000), rng.randrange(10 ** 6))))
        if clocks[-1] >= 0:
            seconds, part = divmod(clocks[-1], 1000)
            words.append(f"({seconds // 60}:{seconds % 60:02}{f'.{part:03}' if part else ''})")
        due = rng.random() < .3
        if due:
            comments.append((rng.choice((0, 2)), index, rng.choice(("!?", "", "a { brace }", "word " * 20, "two\nlines"))))
            text = comments[-1][2]
            words.append(text if comments[-1][0] == 2 else "{" + text.replace("{", "(").replace("}", ")") + "}")
        position.play(move)
    words.append("*")
    page = opened(western_writer.new_page(style), moves, clocks, *noted(comments))
    page.begin(Position())
    assert page.plies(0, len(moves), 0, False, True, -1, set()) == len(moves)
    page.add("*")
    page.finish()
    assert page.take() == "\n".join(wrapped(words)) + "\n"
    assert page.braces == sum(2 for code, _, text in comments if code == 0 and "{" in text)


def test_a_handicap_game_with_fractions_that_ends_by_a_foul() -> None:
    text = ("'CSA encoding=UTF-8\nV3.0\nP1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  *  *  * \n"
            "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \n"
            "P6 *  *  *  *  *  *  *  *  * \nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n"
            "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\n-\n-3334FU\nT0.25\n+7776FU\nT61.5\n")
    game = replay(next(iter(read(text + "-8284HI\n%-ILLEGAL_ACTION\n", "csa"))))
    assert game.verdict == "foul"
    assert write([game], "csa") == text + "'ILLEGAL_MOVE(-8284HI)\n%ILLEGAL_MOVE\n"
    target = writer("kif")
    assert target.write(game).partition("消費時間--\n")[2] == (
        "   1 ３四歩(33)   ( 0:00/00:00:00)\n   2 ７六歩(77)   ( 1:01/00:01:01)\n   3 ８四飛(82)\n   4 反則勝ち\n"
        "まで3手で上手の反則負け\n")
    assert target.losses == {"fractions of seconds": 2}
    assert write([game], "western").endswith("\n\n1. ... P-3d (0:00.250) 2. P-7f (1:01.500) {illegal: -8284HI} IllegalMove 1-0\n")
    assert write([game], "usi") == ("position sfen lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 "
                                    "moves 3c3d 7g7f\n")
