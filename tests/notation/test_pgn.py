"""PGN of shogi, read: algebraic notation needs the board to know the piece and what a + means."""
from __future__ import annotations

import random

import pytest

from kifu.notation import WRITABLE, UnknownNotation, notation_of, read, writer
from kifu.notation.completing import squares
from kifu.notation.pgn import san, sfen_of_fen
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import DROPPED, GIVES_CHECK, LETTERS, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TAKEN_SHIFT, usi
from kifu.rules.position import Position

PYCHESS = """[Event "PyChess casual game"]
[White "Ohyama"]
[Black "Masuda"]
[WhiteElo "1720"]
[Variant "Shogi"]
[Result "1-0"]

1. Pc4 {[%clk 0:09:58]} Pg6 {[%clk 0:09:50]} 2. Bxh8+ {a trade [%emt 0:00:12.5]} Sxh8
3. B@e5 $1 (3. B@f5!? {or so} 3... Kd8 4. Pi4 (4. Ph4)) 3... Rc8 4. Bxh8+ Resigns
1-0
"""


def games(text: str) -> list[Game]:
    return [replay(record) for record in read(text, "pgn")]


def moves(game: Game, line: int = 0) -> str:
    return " ".join(usi(game.proven[index]) for index in game.record.path(line))


def test_a_game_with_variations_comments_and_clocks() -> None:
    [game] = games(PYCHESS)
    assert game.diagnostics == []
    assert moves(game) == "7g7f 3c3d 8h2b+ 3a2b B*5e 8b7b 5e2b+"
    assert [moves(game, line).split()[4:] for line in (1, 2)] == [["B*4e", "5a6b", "1g1f"], ["B*4e", "5a6b", "2g2f"]]
    assert game.milliseconds == [None, None, 12500, None, None, None, None]  # %clk is what is left, no thought
    assert game.comments[3] == "a trade [%emt 0:00:12.5]"
    assert (game.record.header("black"), game.record.header("black_rating")) == ("Ohyama", "1720")  # White is sente
    assert (game.end, game.winner) == ("resign", "black")
    assert notation_of(PYCHESS) == "pgn"


def test_cshogi_writes_both_squares() -> None:
    text = '[White "A"]\n[Black "B"]\n\n1. Pc3c4 Pg7g6 2. Bb2h8+ Sg9h8 3. B@e5 Pe7e6 0-1\n'
    [game] = games(text)
    assert (moves(game), game.winner, game.diagnostics) == ("7g7f 3c3d 8h2b+ 3a2b B*5e 5c5d", "white", [])
    assert notation_of(text) == "pgn"


def test_cshogi_calls_the_promoted_knight_k() -> None:
    one, other = san("+Ka1b1"), san("+Na1b1")
    assert one is not None and other is not None and one.piece == other.piece


def test_pawns_without_a_letter_and_parts_of_the_origin() -> None:
    [game] = games("1. c4 g6 2. G4f2 ... Gd8 3. Ggf2 *")
    assert [one.name for one in game.diagnostics] == ["no-candidate"]
    [game] = games("1. c4 g6 2. Gef2?")
    assert moves(game) == "7g7f 3c3d" and [one.name for one in game.diagnostics] == ["no-candidate"]
    [game] = games("1. c4 g6 2. Gfe2 Gde8")
    assert moves(game) == "7g7f 3c3d 4i5h 6a5b"
    [game] = games("1. c4 g6 2. Ge2")
    assert [one.name for one in game.diagnostics] == ["ambiguous"]


def test_the_fen_tag() -> None:
    text = '[FEN "4k4/9/9/9/4P4/9/9/9/4K4[Gg] b 0 1"]\n\n1... Ke8 2. Pe6 G@d8 Resigns'
    [game] = games(text)
    assert (game.start, moves(game), game.winner) == (
        "4k4/9/9/9/4P4/9/9/9/4K4 w Gg 1", "5a5b 5e5d G*6b", "white")
    assert sfen_of_fen("4k4/9/9/9/9/9/9/9/4K4[PPPb] w - 0 1") == "4k4/9/9/9/9/9/9/9/4K4 b 3Pb 1"
    [broken] = games('[FEN "nonsense[] w"]\n\n1. Pc4')
    assert broken.verdict == "unreadable"


@pytest.mark.parametrize(("fen", "text", "expected"), [
    ("9/9/3kS4/9/9/9/9/9/4K4", "Se8+", "5c5b+"),  # promotion or check: promotion, with a remark
    ("9/9/3kS4/9/9/9/9/9/4K4", "Se8", "5c5b"),
    ("4k4/9/4S4/9/9/9/9/9/4K4", "Se8++", "5c5b+"),
    ("4k4/9/4S4/9/9/9/9/9/4K4", "Se8+", "5c5b"),  # both check; promoting, it would have two marks
    ("4k4/9/9/9/4G4/9/9/9/4K4", "Ge6", "5e5d"),
    ("9/4k4/9/4G4/9/9/9/9/4K4", "Ge7+", "5d5c"),  # a gold can only give check
])
def test_what_a_plus_means(fen: str, text: str, expected: str) -> None:
    [game] = games(f'[FEN "{fen}[] w 0 1"]\n\n1. {text}')
    assert moves(game) == expected
    assert [one.name for one in game.diagnostics] == (
        ["promotion-or-check"] if text == "Se8+" and "3kS4" in fen else [])


def algebraic(position: Position, move: int, rng: random.Random) -> str:
    """A move as Fairy-Stockfish writes it, the origin as short or as long as it may be."""
    start, target = squares(move)
    to = f"{'ihgfedcba'[target[0] - 1]}{10 - target[1]}"
    piece = move >> PIECE_SHIFT & PIECE_FIELD
    check = "+" if move & GIVES_CHECK else ""
    if move & DROPPED:
        return f"{LETTERS[piece & 31]}@{to}{check}"
    name = ("+" if piece & 32 else "") + LETTERS[piece & 31]
    rivals = [divmod(square, 9) for square in position.rivals(move, True)]
    file, rank = "ihgfedcba"[start[0] - 1], str(10 - start[1])
    ways = [file + rank]
    if all(one[0] + 1 != start[0] for one in rivals):
        ways.append(file)
    if all(one[1] + 1 != start[1] for one in rivals):
        ways.append(rank)
    if not rivals:
        ways.append("")
    sign = "x" if move >> TAKEN_SHIFT & PIECE_FIELD else ""
    return f"{name}{rng.choice(ways)}{sign}{to}{'+' if move & PROMOTES else ''}{check}"


def test_random_games() -> None:
    unclear = 0
    for seed in range(25):
        rng, position, played, words = random.Random(seed), Position(), [], []
        for ply in range(150):
            legal = position.legal_moves()
            if not legal:
                break
            move = rng.choice(legal)
            words.append(f"{ply // 2 + 1}. " * (ply % 2 == 0) + algebraic(position, move, rng))
            played.append(move)
            position.play(move)
        [game] = games(" ".join(words))
        remarked = {one.ply for one in game.diagnostics if one.name == "promotion-or-check"}
        if not remarked:
            assert (list(game.moves), game.diagnostics) == (played, [])
            continue
        unclear += 1
        right = next((ply for ply, (read_as, meant) in enumerate(zip(game.moves, played, strict=False), 1)
                      if read_as != meant), len(game.moves) + 1)
        assert right > len(played) or right in remarked  # nothing goes wrong without a remark
    assert unclear < 12


def test_things_glued_together_end_the_line() -> None:
    for text, before in (("1. Pc4 Pg6Pi4", "7g7f 3c3d"), ("1. Pc4 Pg65", "7g7f")):
        [game] = games(text)
        assert (game.verdict, moves(game)) == ("unreadable", before)
        assert [one.name for one in game.diagnostics] == ["glued-moves"]


def test_words_and_broken_brackets() -> None:
    found = games("A game:\n1. Pc4 Pg6 (1... Pf6 {x} 2. Pi4\n\n[White \"B\"]\n\n1. Ph4 {open")
    assert [moves(game) for game in found] == ["7g7f 3c3d", "2g2f"]
    assert [one.name for one in found[0].diagnostics] == ["text-ignored"] * 2 + ["unclosed-bracket"]


def test_it_is_read_only() -> None:
    assert "pgn" not in WRITABLE
    with pytest.raises(UnknownNotation):
        writer("pgn")


def test_another_kind_of_shogi_is_refused_and_named() -> None:
    """pychess writes its other games with the same tags; they are not read as ordinary shogi."""
    [record] = read('[Variant "Minishogi"]\n[FEN "rbsgk/4p/5/P4/KGSBR[-] w 0 1"]\n\n1. b2 d4\n', "pgn")
    game = replay(record)
    assert (game.verdict, game.plies) == ("unreadable", 0)
    [finding] = [one for one in game.diagnostics if one.severity == "error"]
    assert (finding.name, finding.line) == ("unknown-variant", 1)
    assert "Minishogi as PGN, which is read for ordinary shogi alone" in finding.message
