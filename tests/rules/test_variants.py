"""Every kind of shogi but the standard one against the oracle, and the checker against the generator."""
from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from kifu.movetext import TURN_BACK, VIA_FIELD, pack
from kifu.rules import board, handicaps
from kifu.rules.api import IllegalMoveError, Position
from kifu.rules.legality import sentence
from kifu.rules.move import IDENTITY, VIA_SHIFT, from_usi, square_name, usi
from kifu.rules.ruleset import EITHER_FACE, NO_DROPS
from kifu.rules.variants import RULESETS

COMPILED = not board.__file__.endswith(".py")
MOST_NODES = 1_000_000 if COMPILED else 3_000
OTHERS = [key for key in RULESETS if key != "shogi"]
each_kind = pytest.mark.parametrize("variant", OTHERS)


def rows(shared: Path, name: str, variant: str) -> Iterator[dict]:
    with (shared / "oracle" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["variant"] == variant:
                yield row


# --- the oracle

def test_the_kinds_of_shogi_are_those_of_the_oracle(shared: Path) -> None:
    """All but the game for four, and the animal set, which is shogi under other names."""
    listed = {}
    for line in (shared / "oracle" / "variants.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        listed[row["key"]] = row
    assert set(RULESETS) == set(listed) - {"yonin", "zviratka"}
    for key, rules in RULESETS.items():
        row = listed[key]
        assert rules.initial == row["initial"]
        assert row["board"].startswith(f"{rules.files}x{rules.ranks}")
        assert rules.zone == row["zone"]
        assert {rules.letter(piece) for piece in rules.pieces} == set(row["pieces"])
        for letter in row.get("names_hodges", ()):
            assert letter.lstrip("+") in rules.by_letter


@each_kind
def test_every_list_of_legal_moves_is_equal(shared: Path, variant: str) -> None:
    checked = 0
    for row in rows(shared, "legal_chu" if variant == "chushogi" else "legal_variants", variant):
        position = Position(row["sfen"], variant)
        assert position.sfen() == row["sfen"], row["id"]
        assert " ".join(sorted(map(str, position.legal_moves()))) == row["moves"], row["id"]
        for barred in row["uchifuzume"].split():
            assert position.reason(barred) in ("uchifuzume", "swallow-drop-mate"), row["id"]
        checked += 1
    assert checked > 40


@each_kind
def test_perft(shared: Path, variant: str) -> None:
    checked = 0
    for row in rows(shared, "perft", variant):
        if row["nodes"] <= MOST_NODES:
            assert Position(row["sfen"], variant).perft(row["depth"]) == row["nodes"], row["name"]
            checked += 1
    assert checked or not COMPILED


@each_kind
def test_every_illegal_move_has_its_reason(shared: Path, variant: str) -> None:
    for row in rows(shared, "illegal", variant):
        assert Position(row["sfen"], variant).reason(row["usi"]) == row["reason"].replace("_", "-"), row["id"]


@each_kind
def test_verdicts(shared: Path, variant: str) -> None:
    for row in rows(shared, "verdicts", variant):
        position = Position(row["sfen"], variant)
        *before, last = row["moves"].split()
        for move in before:
            position.push(move)
        if row["verdict"] in ("legal", "illegal"):
            assert position.reason(last) == (row["reason"].replace("_", "-") or None), row["id"]
            assert (last in map(str, position.legal_moves())) == (row["verdict"] == "legal"), row["id"]
        else:
            assert (row["verdict"], row["reason"]) == ("draw", "sennichite")
            assert position.repetition() is None
            position.push(last)
            assert position.repetition() == ("repetition", "draw"), row["id"]


@each_kind
def test_handicaps(shared: Path, variant: str) -> None:
    found = {}
    for row in rows(shared, "handicaps", variant):
        handicap = found[row["key"]] = handicaps.of_variant(variant)[row["key"]]
        assert handicap.sfen == row["sfen"]
        assert handicaps.by_english(row["names"]["en"], variant) is handicap
        assert handicaps.of_sfen(row["sfen"], variant) == row["key"]
        assert Position(row["sfen"], variant).turn == "white" == row["first_move"]
    assert {"even", *found} == set(handicaps.of_variant(variant))


# --- without the oracle: the generator and the checker, which share little, against each other

def game(variant: str, seed: int, plies: int) -> Iterator[Position]:
    """The positions of a random game, each before its move is made."""
    chance = random.Random(seed)
    position = Position(variant=variant)
    for _ in range(plies):
        legal = position.legal_moves()
        if not legal:
            return
        yield position
        position.push(chance.choice(legal))


def conceivable(position: Position) -> Iterator[int]:
    """Every text that could be a move, except of men that are not the mover's."""
    rules = position.core.rules
    squares = [(file, rank) for file in range(1, rules.files + 1) for rank in range(1, rules.ranks + 1)]
    marks = (0, from_usi("1a1b+") ^ from_usi("1a1b")) + ((TURN_BACK | from_usi("1a1b+") ^ from_usi("1a1b"),)
                                                         if rules.turns_back else ())
    drop = from_usi("P*1a") ^ pack((1, 1), piece=1)
    for to in squares:
        if rules.drops != NO_DROPS:
            for piece in rules.pieces:
                if not piece & 32 or rules.drops == EITHER_FACE:
                    yield pack(to, piece=piece, flags=drop)
        for origin in squares:
            value = position.core.piece_at(*origin)
            if value and value >> 6 == position.core.turn:
                for flags in marks:
                    yield pack(to, origin, flags=flags)
                if rules.moves_twice and max(abs(to[0] - origin[0]), abs(to[1] - origin[1])) <= 2:
                    for via in squares:
                        if max(abs(via[0] - origin[0]), abs(via[1] - origin[1])) == 1:
                            yield pack(to, origin, via=via)


@each_kind
def test_generator_and_checker_agree_on_every_conceivable_move(variant: str) -> None:
    for ply, position in enumerate(game(variant, seed=7, plies=120 if COMPILED else 13)):
        if ply % 12:
            continue
        core = position.core
        legal = core.legal_moves()
        accepted = [found for text in conceivable(position) if (found := core.resolve(text)) >= 0]
        assert sorted(accepted) == sorted(legal), position.sfen()
        assert len(set(accepted)) == len(accepted)
        for move in legal:
            assert core.resolve(from_usi(usi(move, core.rules.ranks))) == move


@each_kind
def test_playing_and_taking_back(variant: str) -> None:
    """SFEN says all there is; the key kept up is the key worked out anew; nothing is left of a move taken back."""
    position = Position(variant=variant)
    chance = random.Random(11)
    states, moves = [], 150 if COMPILED else 20
    for ply in range(moves + 1):
        core = position.core
        again = Position(position.sfen(), variant)
        assert (again.sfen(), again.key(), again.is_check()) == (position.sfen(), position.key(), position.is_check())
        assert core.key() == core.recomputed_key()
        states.append((position.sfen(), position.key(), core.last_target, core.struck, position.is_check()))
        legal = core.legal_moves()
        assert sorted(again.core.legal_moves()) == sorted(legal)
        assert core.has_legal_move() == bool(legal)
        if ply == moves or not position.legal_moves():
            break
        move = chance.choice(position.legal_moves())
        position.push(move)
        assert position.is_check() == move.gives_check
    for state in reversed(states[:-1]):
        position.pop()
        assert (position.sfen(), position.key(), position.core.last_target, position.core.struck,
                position.is_check()) == state


def turned(position: Position) -> str:
    """The position seen from the other side: the board turned round, the colours changed."""
    rules = position.core.rules
    board_text, turn, third, number = position.sfen().split()
    rows = []
    for row in reversed(board_text.split("/")):
        cells = re.findall(r"\+?[a-zA-Z]|[0-9]+", row)
        rows.append("".join(reversed(cells)).swapcase())
    if rules.drops == NO_DROPS and third != "-":
        third = turned_square(third, position)
    elif third != "-":
        third = "".join(sorted(re.findall(r"[0-9]*[a-zA-Z]", third.swapcase()), key=str.islower))
    return f"{'/'.join(rows)} {'bw'[turn == 'b']} {third} {number}"


def turned_square(name: str, position: Position) -> str:
    rules = position.core.rules
    return f"{rules.files + 1 - int(name[:-1])}{chr(97 + 96 + rules.ranks - ord(name[-1]))}"


@each_kind
def test_both_sides_have_the_same_rules(variant: str) -> None:
    for ply, position in enumerate(game(variant, seed=19, plies=100 if COMPILED else 12)):
        if ply % 5:
            continue
        other = Position(turned(position), variant)
        moves = {"".join(turned_square(part, position) if part[-1].islower() else part
                         for part in re.findall(r"[0-9]+[a-l]|[^0-9]+", usi(move, position.core.rules.ranks)))
                 for move in position.core.legal_moves()}
        assert moves == {usi(move, position.core.rules.ranks) for move in other.core.legal_moves()}, position.sfen()
        assert position.is_check() == other.is_check()


@each_kind
def test_every_refusal_has_words(variant: str) -> None:
    """No text makes the explanation fail, and none is without one."""
    chance = random.Random(23)
    for ply, position in enumerate(game(variant, seed=29, plies=60 if COMPILED else 8)):
        core = position.core
        for _ in range(40 if ply % 5 == 0 else 0):
            text = chance.getrandbits(chance.choice((16, 22, 24, 25, 43, 51)))
            found = core.resolve(text)
            if found < 0:
                message, hint = sentence(core, text, -1 - found)
                assert message and isinstance(hint, str)


@pytest.mark.parametrize(("variant", "sfen", "move", "words"), [
    ("torishogi", "3k3/7/S6/S6/7/7/3K3 b S 1", "S*7e", "2 unpromoted swallows on file 7: on 7c and 7d"),
    ("torishogi", "4F1k/5P1/6S/7/7/7/1K5 b S 1", "S*1b", "White's phoenix, and a dropped swallow may not mate"),
    ("torishogi", "3k3/7/1S5/7/7/7/3K3 b - 1", "6c6b", "a swallow promotes on every move"),
    ("kyotoshogi", "2k2/5/5/2P2/2K2 b - 1", "3d3c", "it is a rook after it"),
    ("micro", "3k/4/4/1P2/K3 b - 1", "3d3c+", "men turn over when they take"),
    ("cannonshogi", "p3k4/9/P8/P8/9/9/9/9/U3K4 b - 1", "9i9a", "a gold cannon leaps over exactly one man"),
    ("chushogi", "k11/12/12/3g8/4n7/12/4N7/12/12/12/12/K11 b - 1", "8g8e", "a guarded lion"),
    ("chushogi", "k11/12/12/12/4n7/12/4R7/12/12/12/12/K10r b 1l 1", "8g8e", "after another man took a lion"),
    ("chushogi", "k11/12/12/11P/12/12/12/12/12/12/12/K11 b - 1", "1d1c+", "promotes with a capture"),
])
def test_words_name_the_rule_of_the_game(variant: str, sfen: str, move: str, words: str) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        Position(sfen, variant).push(move)
    assert words in f"{refused.value} {refused.value.hint}"


@each_kind
def test_men_are_neither_lost_nor_made(variant: str) -> None:
    rules = RULESETS[variant]

    def men(position: Position) -> Counter[str]:
        board_and_hands = " ".join(position.sfen().split()[:3:2])
        found: Counter[str] = Counter()
        number = ""
        for sign in board_and_hands.replace("+", "").upper().split()[1]:
            number = number + sign if sign.isdigit() else number
            if sign.isalpha():
                found[sign] += int(number or "1")
                number = ""
        return found + Counter(sign for sign in board_and_hands.split()[0].upper() if sign.isalpha())

    full = men(Position(variant=variant))
    if rules.drops != NO_DROPS:
        assert full == Counter({kind.letter: kind.men for kind in rules.kinds})
        for position in game(variant, seed=3, plies=100 if COMPILED else 10):
            assert men(position) == full
    else:
        assert sum(full.values()) == sum(kind.men for kind in rules.kinds) == 92


def test_no_two_kinds_of_shogi_share_a_number() -> None:
    """The numbers are part of the file format: databases hold keys made with them."""
    assert {key: rules.key_number for key, rules in RULESETS.items()} == {
        "shogi": 0, "minishogi": 1, "micro": 2, "judkins": 3, "gorogoro": 4, "gorogoroplus": 5, "kyotoshogi": 6,
        "torishogi": 7, "cannonshogi": 8, "chushogi": 9}


# --- rules that only one kind has

@pytest.mark.parametrize(("variant", "sfen", "move", "reason"), [
    ("kyotoshogi", "2k2/5/5/2P2/2K2 b - 1", "3d3c", "must-promote"),
    ("kyotoshogi", "2k2/5/5/2P2/2K2 b - 1", "3d3c+", None),
    ("kyotoshogi", "2k2/5/5/2P2/2K2 b - 1", "3d3c-", "cannot-promote"),
    ("kyotoshogi", "k4/5/5/1+P3/2K2 b - 1", "4d1d-", None),
    ("kyotoshogi", "k4/5/5/1+P3/2K2 b - 1", "4d1d+", "already-promoted"),
    ("kyotoshogi", "2k2/5/5/5/2K2 b - 1", "3e3d+", "cannot-promote"),
    ("kyotoshogi", "k4/5/5/5/2K2 b P 1", "+P*1a", None),
    ("kyotoshogi", "k4/5/5/5/2K2 b P 1", "+L*1a", "not-in-hand"),
    ("kyotoshogi", "5/k4/5/5/2K2 b P 1", "P*1a", None),  # it moves no more, unless it is taken
    ("micro", "3k/4/4/1P2/K3 b - 1", "3d3c", None),
    ("micro", "3k/4/4/1P2/K3 b - 1", "3d3c+", "not-in-zone"),
    ("micro", "3k/4/1p2/1P2/K3 b - 1", "3d3c", "must-promote"),
    ("micro", "3k/4/1p2/1P2/K3 b - 1", "3d3c+", None),
    ("micro", "3k/1p2/4/2+P1/K3 b - 1", "2d3b-", None),
    ("torishogi", "3k3/7/S6/S6/7/7/3K3 b S 1", "S*7e", "three-swallows-on-file"),
    ("torishogi", "3k3/+S6/S6/7/7/7/3K3 b S 1", "S*7e", None),
    ("torishogi", "3k3/7/7/7/7/7/3K3 b S 1", "S*7a", "dead-end-drop"),
    ("cannonshogi", "4k4/9/9/9/4P4/9/9/9/U3K4 b - 1", "9i9a", None),
    ("cannonshogi", "k8/9/9/9/P8/9/9/9/U3K4 w - 1", "9a9b", "check-not-answered"),  # over the pawn
    ("cannonshogi", "p3k4/9/9/9/9/9/9/9/U3K4 b - 1", "9i9a", "blocked"),  # it takes over a screen only
    ("cannonshogi", "p3k4/9/9/P8/9/9/9/9/U3K4 b - 1", "9i9a", None),
    ("cannonshogi", "p3k4/9/P8/P8/9/9/9/9/U3K4 b - 1", "9i9a", "blocked"),  # two screens
    ("cannonshogi", "p3k4/9/9/9/9/9/9/9/A3K4 b - 1", "9i9b", "bad-move"),  # the silver one needs a screen always
    ("cannonshogi", "4k4/9/4u4/9/9/9/9/9/4K4 b P 1", "P*5e", "self-check"),  # the man dropped would be the screen
    ("cannonshogi", "4k4/9/4u4/9/4P4/9/9/9/3GK4 b - 1", "5e4e", None),  # the screen steps out of the line
    ("cannonshogi", "4k4/9/4u4/9/4P4/9/9/9/3GK4 b - 1", "6i5h", None),  # a second screen
    ("cannonshogi", "4k4/9/4u4/9/4P4/9/9/9/3GK4 b - 1", "6i6h", "check-not-answered"),
    ("chushogi", "k11/12/12/12/12/12/12/12/12/12/12/11P w - 1", "1l1k", "wrong-side"),
    ("chushogi", "k11/12/12/12/11P/12/12/12/12/12/12/K11 b - 1", "1e1d", None),
    ("chushogi", "k11/12/12/11P/12/12/12/12/12/12/12/K11 b - 1", "1d1c+", "not-in-zone"),  # it declined on entering
    ("chushogi", "k11/12/11p/11P/12/12/12/12/12/12/12/K11 b - 1", "1d1c+", None),
    ("chushogi", "k11/11P/12/12/12/12/12/12/12/12/12/K11 b - 1", "1b1a+", None),  # a pawn may on the last rank
    ("chushogi", "k11/11P/12/12/12/12/12/12/12/12/12/K11 b - 1", "1b1a", None),  # and may become a dead man
    ("chushogi", "k11/11I/12/12/12/12/12/12/12/12/12/K11 b - 1", "1b1a+", "not-in-zone"),
    ("chushogi", "k10R/12/12/12/12/12/12/12/12/12/12/K11 b - 1", "1a12a", None),  # a king can be taken
    # a lion takes a lion next to it; a guarded one further off only with another man on the way
    ("chushogi", "k11/12/12/12/4n7/12/4N7/12/12/12/12/K11 b - 1", "8g8e", None),
    ("chushogi", "k11/12/12/3g8/4n7/12/4N7/12/12/12/12/K11 b - 1", "8g8e", "bad-move"),
    ("chushogi", "k11/12/12/3g8/4n7/4p7/4N7/12/12/12/12/K11 b - 1", "8g8f8e", "bad-move"),
    ("chushogi", "k11/12/12/3g8/4n7/4s7/4N7/12/12/12/12/K11 b - 1", "8g8f8e", None),
    ("chushogi", "k11/12/12/3g8/12/4n7/4N7/12/12/12/12/K11 b - 1", "8g8f", None),
    ("chushogi", "k11/12/12/12/4n7/12/4N7/12/12/4r7/12/K11 b - 1", "8g8e", "bad-move"),  # guarded through the taker
    # after another man took a lion on 1l nobody but a lion takes one elsewhere
    ("chushogi", "k11/12/12/12/4n7/12/4R7/12/12/12/12/K10r b 1l 1", "8g8e", "bad-move"),
    ("chushogi", "k11/12/12/12/4n7/12/4R7/12/12/12/12/K10r b - 1", "8g8e", None),
    ("chushogi", "k11/12/12/12/4n7/12/4R7/12/12/12/12/K11 b 8e 1", "8g8e", None),
    ("chushogi", "k11/12/12/12/12/12/4N7/12/12/12/12/K11 b - 1", "8g8f8g", None),  # a pass
    ("chushogi", "k11/12/12/12/12/12/4+H7/12/12/12/12/K11 b - 1", "8g8f8g", None),
    ("chushogi", "k11/12/12/12/12/12/4+H7/12/12/12/12/K11 b - 1", "8g8f8e", None),
    ("chushogi", "k11/12/12/12/12/12/4+H7/12/12/12/12/K11 b - 1", "8g8f7e", "bad-move"),
    ("chushogi", "k11/12/12/12/12/12/4+H7/12/12/12/12/K11 b - 1", "8g8h8g", "bad-move"),
    ("chushogi", "k11/12/12/12/12/12/4+D7/12/12/12/12/K11 b - 1", "8g7f6e", None),
    ("chushogi", "k11/12/12/12/12/12/4R7/12/12/12/12/K11 b - 1", "8g8f8e", "bad-move"),
    ("chushogi", "k11/12/12/12/12/4P7/4N7/12/12/12/12/K11 b - 1", "8g8f8e", "own-piece"),
])
def test_moves_by_hand(variant: str, sfen: str, move: str, reason: str | None) -> None:
    position = Position(sfen, variant)
    assert position.reason(move) == reason
    if position.turn == "black" or reason != "wrong-side":
        assert (move in map(str, position.legal_moves())) == (reason is None)


def test_a_lion_takes_two_men_and_a_third_stays() -> None:
    position = Position("k11/12/12/12/4p7/3pp7/4N7/12/12/12/12/K11 b - 1", "chushogi")
    move = position.push("8g8f8e")
    assert position.sfen() == "k11/12/12/12/4N7/3p8/12/12/12/12/12/K11 w - 2"
    assert move.packed >> VIA_SHIFT and move.packed & VIA_FIELD == 0
    position.pop()
    position.push("8g9f8g")
    assert position.sfen() == "k11/12/12/12/4p7/4p7/4N7/12/12/12/12/K11 w - 2"


def test_who_has_lost_the_last_royal_man_cannot_move() -> None:
    position = Position("k10R/12/12/12/12/12/12/12/12/12/12/K11 b - 1", "chushogi")
    position.push("1a12a")
    assert not position.has_legal_move() and position.legal_moves() == []
    prince = Position("k10R/12/12/12/12/12/12/12/12/12/12/K3+e7 b - 1", "chushogi")
    prince.push("1a12a")
    assert prince.has_legal_move()


def test_a_lion_taken_by_another_man_is_in_sfen_and_key() -> None:
    position = Position("k11/12/12/12/4n7/12/4R7/12/12/12/12/K11 b - 1", "chushogi")
    position.push("8g8e")
    assert position.sfen() == "k11/12/12/12/4R7/12/12/12/12/12/12/K11 w 8e 2"
    plain = Position("k11/12/12/12/4R7/12/12/12/12/12/12/K11 w - 2", "chushogi")
    assert position.key() != plain.key()
    position.push("12a12b")
    assert position.sfen().split()[2] == "-"
    position.pop()
    assert position.sfen().split()[2] == "8e"


@pytest.mark.parametrize(("variant", "text"), [
    ("shogi", "7g7f-"), ("shogi", "+P*5e"), ("shogi", "7g7f7e"), ("shogi", "Q*5e"), ("torishogi", "B*4d"),
    ("minishogi", "1d1c-"), ("chushogi", "Z*1a"),
])
def test_what_a_kind_of_shogi_does_not_write(variant: str, text: str) -> None:
    with pytest.raises(ValueError, match="not a move in USI text of"):
        Position(variant=variant).reason(text)


def test_a_lion_named_without_its_square() -> None:
    core = Position("k11/12/12/12/4p7/4p7/4N7/12/12/12/12/K11 b - 1", "chushogi").core
    assert core.resolve(pack((8, 5), piece=3, via=(8, 6))) == core.resolve(from_usi("8g8f8e"))
    assert core.resolve(pack(piece=3, via=(8, 6))) == core.resolve(from_usi("8g8f8g"))  # igui
    assert core.resolve(pack((8, 5), piece=3, via=(1, 1))) < 0


@each_kind
def test_no_move_text_upsets_the_position(variant: str) -> None:
    chance = random.Random(5)
    position = Position(variant=variant)
    core = position.core
    before = (core.sfen(), core.key(), core.depth)
    legal = {move & IDENTITY | move >> VIA_SHIFT << VIA_SHIFT for move in core.legal_moves()}
    for _ in range(3000 if COMPILED else 100):
        found = core.resolve(chance.getrandbits(chance.choice((24, 43, 51, 63))))
        assert found < 0 or found & IDENTITY | found >> VIA_SHIFT << VIA_SHIFT in legal
    assert (core.sfen(), core.key(), core.depth) == before


def test_squares_of_a_large_board() -> None:
    assert square_name(11 * 12 + 11, 12) == "12l"
    assert Position(variant="chushogi").reason("12i12h") is None
