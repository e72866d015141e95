"""Tori shogi, the game of birds: seven files and ranks. Toyota Genryu, 1799 (or Ohashi Soei, 1828).

Kinds by the letters of SFEN: P is the pheasant, L and R are the left and the right quail, S is the swallow. A quail
keeps its side when it is taken. Swallow and falcon promote, and they must, on every move into, inside or out of the
zone; a man dropped there promotes with its next move. Nothing is drawn: no position may be made a third time.
"""
from __future__ import annotations

from kifu.movetext import NUMBERS
from kifu.rules.ruleset import (
    AHEAD,
    AHEAD_LEFT,
    AHEAD_RIGHT,
    BACK,
    BACK_LEFT,
    BACK_RIGHT,
    COMPASS,
    DIAGONAL,
    FOURTH_LOSES,
    LEFT,
    RIGHT,
    STARTER_VARIES,
    THIRD_BARRED,
    Handicap,
    Kind,
    Ruleset,
    slides,
    steps,
)

_EAGLE = (slides(AHEAD_LEFT, AHEAD_RIGHT, BACK) + steps(AHEAD, LEFT, RIGHT)
          + slides(BACK_LEFT, BACK_RIGHT, length=2))
_REST = "sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR w - 1"

RULES = Ruleset(
    key="torishogi",
    name="tori shogi",
    files=7,
    ranks=7,
    initial="rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1",
    kinds=(
        Kind(NUMBERS["S"], "S", "swallow", steps(AHEAD), steps((2, -2), (-2, -2), (0, 2)), "goose", men=16,
             no_drop=1, per_file=2, mates_by_drop=False, always_promotes=True),
        Kind(NUMBERS["R"], "R", "right quail", slides(AHEAD, BACK_LEFT) + steps(BACK_RIGHT), men=2),
        Kind(NUMBERS["L"], "L", "left quail", slides(AHEAD, BACK_RIGHT) + steps(BACK_LEFT), men=2),
        Kind(NUMBERS["P"], "P", "pheasant", steps((0, -2), BACK_LEFT, BACK_RIGHT), men=4),
        Kind(NUMBERS["C"], "C", "crane", steps(AHEAD, BACK, *DIAGONAL), men=4),
        Kind(NUMBERS["F"], "F", "falcon", steps(AHEAD, LEFT, RIGHT, *DIAGONAL), _EAGLE, "eagle", men=2,
             always_promotes=True),
        Kind(NUMBERS["K"], "K", "phoenix", steps(*COMPASS), men=2, royal=True, points=0),
    ),
    zone=2,
    hand_order="FCPLRS",
    western={  # the Shogi Association's, after its leaflet
        "K": "Ph", "F": "Fa", "+F": "Eg", "C": "Cr", "P": "Pt", "L": "LQ", "R": "RQ", "S": "Sw", "+S": "Go",
    },
    key_number=7,
    repetition=(THIRD_BARRED, FOURTH_LOSES, STARTER_VARIES),
    handicaps=(  # White's left quail stands on 1a: White looks down the board
        Handicap("left-quail", "左鶉落ち", "left quail", f"rpckcp1/3f3/{_REST}", ("ľavá prepelica",)),
        Handicap("falcon", "鷹落ち", "falcon", f"rpckcpl/7/{_REST}", ("sokol",)),
        Handicap("falcon-left-quail", "鷹左鶉落ち", "falcon and left quail", f"rpckcp1/7/{_REST}",
                 ("falcon+left quail", "sokol a ľavá prepelica")),
        Handicap("falcon-both-quails", "鷹両鶉落ち", "falcon and both quails", f"1pckcp1/7/{_REST}",
                 ("falcon+both quails", "falcon+quails", "sokol a obe prepelice")),
    ),
    source="the Slovak leaflet among our sources; Fairy-Stockfish",
    ja="禽将棋",
    ja_others=("鳥将棋",),
    kanji={  # both quails are 鶉 on the board; a record must tell them apart
        "K": "鵬", "F": "鷹", "+F": "鵰 鵰 鷲", "C": "鶴", "P": "雉", "L": "左鶉 左鶉 鶉左 鶉",
        "R": "右鶉 右鶉 鶉右 鶉", "S": "燕", "+S": "鴈 鴈 雁",
    },
)
