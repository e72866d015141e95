"""Games to measure with: random, legal, the same for the same seed.

They look like what a floodgate-style server keeps: an even game of up to 120 plies without a repetition, names, ratings,
an event, a clock for every move, an engine's comment behind every fourth. Game ``number`` of a seed depends on nothing
else, so that a corpus can grow, and several processes can make it.

    draw(seed, number)            one game: its packed moves, clocks, comments and headers
    csa(game), usi(game)          its text
    converted(texts, notation)    CSA texts in another notation, by kifu's own writers
    entries(texts, notation)      CSA texts as entries of a notation of bytes
"""
from __future__ import annotations

import datetime
import random
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from kifu.movetext import KING, PAWN
from kifu.notation import read, write, writer
from kifu.notation.spell import spell
from kifu.record import Game
from kifu.replay import replay
from kifu.rules.move import DROPPED, PIECE_FIELD, PIECE_SHIFT, PROMOTES, TAKEN_SHIFT
from kifu.rules.position import Position

PLIES = 120  # the longest game
ENGINES = ("kogarasu", "Mizukagami", "tetsubin_3", "asunaro-gpu", "Karigane9", "yukimi.2t", "hagoromo", "Sumire_600")
FIRST_DAY = datetime.datetime(2025, 1, 1, 9, 0)
EVEN_START = """\
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *
P5 *  *  *  *  *  *  *  *  *
P6 *  *  *  *  *  *  *  *  *
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+"""


def _weight(kind: int) -> int:
    """How likely a move is to be drawn, by bits 16 to 29 of the packed move; 20 is a plain move.

    Captures, promotions and pawn moves are likely, drops and king moves are not: so games go on.
    """
    move = kind << 16
    if move & DROPPED:
        return 3
    chance = 20
    if move >> TAKEN_SHIFT & PIECE_FIELD:
        chance *= 3
    if move & PROMOTES:
        chance *= 3
    piece = move >> PIECE_SHIFT & PIECE_FIELD
    if piece == PAWN:
        return chance * 5 // 2
    return chance // 7 if piece == KING else chance


WEIGHTS = [_weight(kind) for kind in range(1 << 14)]


@dataclass(slots=True)
class Drawn:
    """A random game: moves packed and in CSA spelling, seconds for each move and for the resignation, and the rest."""

    number: int
    moves: list[int]
    spelled: list[str]
    usi: list[str]
    seconds: list[int]
    scores: list[int | None]  # what an engine said behind a move
    names: tuple[str, str]
    ratings: tuple[int, int]


def draw(seed: int, number: int, plies: int = PLIES, known: int = 0) -> Drawn:
    """Game ``number`` of ``seed``, at most ``plies`` long; shorter where a side is mated.

    The first ``known`` moves are such as people play, who follow each other: in each position there is a favourite that
    every other game chooses, another one that half of the rest choose, and so on.

    >>> game = draw(1, 0, plies=10)
    >>> len(game.moves), game.usi == draw(1, 0, plies=10).usi
    (10, True)
    """
    rng = random.Random(f"{seed}/{number}")
    position = Position()
    seen = {position.key()}
    moves: list[int] = []
    spelled: list[str] = []
    usi: list[str] = []
    while len(moves) < plies:
        choices = sorted(position.legal_moves())  # in an order that does not depend on how they are found
        move = -1
        while choices:
            if len(moves) < known:
                move = _favourite(rng, position.key(), choices)
            else:
                bounds = list(accumulate([WEIGHTS[move >> 16 & 0x3FFF] for move in choices]))
                move = choices.pop(bisect(bounds, rng.random() * bounds[-1], hi=len(bounds) - 1))
            texts = spell(position, move, "csa"), spell(position, move, "usi")
            position.play(move)
            if position.key() not in seen:
                break
            position.undo()
            move = -1
        if move < 0:
            break
        seen.add(position.key())
        moves.append(move)
        spelled.append(texts[0])
        usi.append(texts[1])
    seconds = [min(600, int(rng.expovariate(1 / 12))) for _ in range(len(moves) + 1)]
    scores = [rng.randrange(-2000, 2000) if rng.random() < 0.25 else None for _ in moves]
    black = rng.randrange(len(ENGINES))
    white = (black + rng.randrange(1, len(ENGINES))) % len(ENGINES)
    return Drawn(number, moves, spelled, usi, seconds, scores, (ENGINES[black], ENGINES[white]),
                 (rng.randrange(1500, 4200), rng.randrange(1500, 4200)))


def _favourite(rng: random.Random, key: int, choices: list[int]) -> int:
    """Take a move from the choices, one that the position's own order has early."""
    ranked = sorted(choices, key=lambda move: (move * 0x9E3779B97F4A7C15 ^ key) * 0xD1B54A32D192ED03 >> 17 & 0xFFFFFFFF)
    place = 0
    while place < len(ranked) - 1 and rng.random() < 0.5:
        place += 1
    choices.remove(ranked[place])
    return ranked[place]


def csa(game: Drawn) -> str:
    """The game as a server writes it: the board in rows, clocks on lines of their own, comments with scores."""
    black, white = game.names
    start = FIRST_DAY + datetime.timedelta(minutes=20 * game.number)
    end = start + datetime.timedelta(seconds=sum(game.seconds))
    out = ["V2", f"N+{black}", f"N-{white}", "'Max_Moves:256", "'Increment:10",
           f"$EVENT:random-300-10F+{black}+{white}+{start:%Y%m%d%H%M%S}", f"$START_TIME:{start:%Y/%m/%d %H:%M:%S}",
           EVEN_START, f"'black_rate:{black}:{game.ratings[0]}.0", f"'white_rate:{white}:{game.ratings[1]}.0"]
    for index, move in enumerate(game.spelled):
        out += (move, f"T{game.seconds[index]}")
        if game.scores[index] is not None:
            out.append(f"'** {game.scores[index]} {' '.join(game.spelled[index + 1:index + 4])}")
    loser, winner = (black, white) if len(game.moves) % 2 == 0 else (white, black)
    out += ["%TORYO", f"T{game.seconds[-1]}", f"'summary:toryo:{loser} lose:{winner} win",
            f"'$END_TIME:{end:%Y/%m/%d %H:%M:%S}"]
    return "\n".join(out) + "\n"


def usi(game: Drawn) -> str:
    """The game as one line without clocks."""
    return "position startpos moves " + " ".join(game.usi) + "\n"


def converted(texts: Iterable[str], notation: str) -> list[str]:
    """CSA texts, a game each, in another notation."""
    return [writer(notation).write(game) for game in _proven(texts)]


def entries(texts: Iterable[str], notation: Literal["psv", "hcpe"]) -> list[bytes]:
    """CSA texts, a game each, as entries of a notation of bytes: one for each move."""
    return [write([game], notation) for game in _proven(texts)]


def _proven(texts: Iterable[str]) -> Iterator[Game]:
    for text in texts:
        [record] = read(text, "csa")
        game = replay(record)
        if game.verdict != "legal":
            raise AssertionError(f"a game of the corpus is {game.verdict}: {game.diagnostics[:1]}")
        yield game
