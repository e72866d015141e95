"""Generated records with everything a record can hold, as KIF text: the notation that holds nearly all of it."""
from __future__ import annotations

import random

from kifu.diagnostics import REASONS
from kifu.movetext import BISHOP, GOLD, KNIGHT, LANCE, PAWN, ROOK, SILVER
from kifu.notation.kif_writer import diagram, kif_move
from kifu.rules.handicaps import HANDICAPS
from kifu.rules.move import DROPPED, ORIGIN_SHIFT, PIECE_FIELD, PIECE_SHIFT, from_usi, usi
from kifu.rules.position import Position

ENDS = ("投了", "中断", "千日手", "持将棋", "切れ負け", "不戦勝", "不戦敗", "封じ手", "最大手数", "引き分け", "反則負け",
        "入玉勝ち", "トライ", None)
WORDS = ("好手", "a {brace} (and) more", "*star", "評価 +120", "'quoted", "二行目", "髙﨑①", "100%, sure; $1 \\ ~")
KEYS = ("棋戦", "場所", "戦型", "表題", "備考", "作者", "対局ID", "開始日時", "終了日時", "持ち時間", "持将棋", "最大手数")
STARTS = ("even", "even", "even", "bishop", "2-piece", "3-piece", "6-piece", "10-piece", "board", "numbered")
#: Positions of no handicap: a middle game, a tsume problem.
BOARDS = ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
          "8s/6k1p/6S2/6S2/9/9/9/9/9 b G2r2b3gs4n4l17p 1")
#: The fouls that end games on the board: dropped where none may be, into check, or as the man does not go.
FOULS = frozenset({"nifu", "dead-end-drop", "uchifuzume", "self-check", "check-not-answered", "bad-move", "blocked"})


def rich_record(seed: int, plies: int = 24, plain: bool = False) -> str:
    """A game of up to ``plies`` moves as KIF, with branches, comments, bookmarks, clocks and headers.

    All moves are legal but for the last one, which may be a foul unless the record is ``plain``; the record says that it is one.
    Plain records have no notes of several lines either.
    """
    return _Maker(seed, plain).record(plies)


def foul_moves(position: Position) -> dict[str, list[int]]:
    """Packed moves that rules of the game forbid here, by the reason why."""
    found: dict[str, list[int]] = {}
    kinds = {PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK}
    men = {origin: piece & PIECE_FIELD for origin in range(81)
           if (piece := position.piece_at(origin // 9 + 1, origin % 9 + 1)) and piece >> 6 == position.turn}
    for target in range(81):
        packed = [target | kind << ORIGIN_SHIFT | DROPPED | kind << PIECE_SHIFT for kind in kinds]
        packed += [target | origin << ORIGIN_SHIFT | piece << PIECE_SHIFT for origin, piece in men.items()]
        for move in packed:
            refused = position.resolve(from_usi(usi(move)))
            if refused < 0 and (reason := REASONS[-1 - refused]) in FOULS:
                found.setdefault(reason, []).append(move)
    return found


class _Maker:
    def __init__(self, seed: int, plain: bool) -> None:
        self.plain = plain
        self.rng = random.Random(seed)
        self.out: list[str] = []
        self.fractions = self.chance(0.3)
        self.clocks = self.chance(0.7)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def record(self, plies: int) -> str:
        rng = self.rng
        kind = rng.choice(STARTS)
        for key in KEYS:
            if self.chance(0.25):
                self.out.append(f"{key}：{self.value(key) if self.chance(0.9) else ''}")
        number = 1
        if kind in HANDICAPS:
            sfen = HANDICAPS[kind].sfen
            self.out.append(f"手合割：{HANDICAPS[kind].ja}")
        else:
            sfen = rng.choice(BOARDS)
            self.out += diagram(sfen)[0]
            if kind == "numbered":
                number = rng.randrange(2, 60)
                self.out.append(f"手数＝{number - 1}")
        if self.chance(0.8):
            self.out += ["先手：甲 Ａ", "後手：B [乙] \"丙\""]
        self.out.append("手数----指手---------消費時間--")
        self.remarks()
        position = Position(sfen)
        ply = first = 1
        line = []
        while len(line) < plies and (legal := position.legal_moves()):
            move = rng.choice(sorted(legal))
            self.move(ply, move, position)
            line.append(move)
            position.play(move)
            ply += 1
        word = rng.choice(ENDS)
        if not self.plain and self.chance(0.15) and (fouls := foul_moves(position)):
            self.move(ply, rng.choice(fouls[rng.choice(sorted(fouls))]), position)
            ply += 1
            word = "反則勝ち"
        elif not position.legal_moves() and word is not None:
            word = "詰み"
        if word:
            self.out.append(f"{ply:4} {word}" + (self.clock() if self.chance(0.3) else ""))
        self.branches(position, line, first)
        return "\n".join(self.out) + "\n"

    def branches(self, position: Position, line: list[int], first: int) -> None:
        """Variations from the highest number down, some with one of their own; ``position`` is behind ``line``."""
        for ply in range(len(line), 0, -1):
            position.undo()
            if not self.chance(0.12):
                continue
            others = sorted(set(position.legal_moves()) - {line[ply - 1]})
            if not others:
                continue
            self.out += ["", f"変化：{ply + first - 1}手"]
            made = [self.rng.choice(others)]
            self.move(ply + first - 1, made[0], position)
            position.play(made[0])
            while len(made) < 4 and self.chance(0.7) and (legal := position.legal_moves()):
                made.append(self.rng.choice(sorted(legal)))
                self.move(ply + first - 2 + len(made), made[-1], position)
                position.play(made[-1])
            while made:
                move = made.pop()
                position.undo()
                rest = sorted(set(position.legal_moves()) - {move}) if made else []
                if rest and self.chance(0.2):
                    self.out += ["", f"変化：{ply + first - 1 + len(made)}手"]
                    self.move(ply + first - 1 + len(made), self.rng.choice(rest), position)

    def move(self, number: int, move: int, position: Position) -> None:
        """A move line and what stands behind it."""
        self.out.append(f"{number:4} {kif_move(move, position.last_target)}" + (self.clock() if self.clocks else ""))
        self.remarks()

    def remarks(self) -> None:
        for _ in range(self.rng.choice((0, 0, 0, 0, 1, 2))):
            self.out.append("*" + self.rng.choice(WORDS))
        if self.chance(0.06):
            self.out.append(f"&しおり{self.rng.randrange(9)}")

    def clock(self) -> str:
        if self.chance(0.1):
            return ""
        fraction = f".{self.rng.randrange(1, 10)}" if self.fractions and self.chance(0.5) else ""
        return f" ( {self.rng.randrange(70)}:{self.rng.randrange(60):02}{fraction}/)"

    def value(self, key: str) -> str:
        rng = self.rng
        if key in ("開始日時", "終了日時"):
            return f"20{rng.randrange(10, 27)}/0{rng.randrange(1, 10)}/1{rng.randrange(10)}" + (
                f" 1{rng.randrange(10)}:0{rng.randrange(10)}:00" if self.chance(0.6) else "")
        if key == "持ち時間":
            return rng.choice(("各6時間", "15分 切れたら60秒", "00:25+00"))
        if key == "備考" and not self.plain and self.chance(0.3):
            return "一行目\\n二行目"
        if key == "最大手数":
            return "256"
        if key == "持将棋":
            return "27"
        return rng.choice(("第1期 王座戦", "A \"quoted\" value", "コロン：と,コンマ", "x" * 40, "[tag]"))


__all__ = ["rich_record"]
