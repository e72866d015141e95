"""A position as a picture: SVG, drawn with nothing but paths and text, so that every browser and notebook shows it.

The unit is a hundredth of a square's side. Men are pentagons that point away from their owner, as on a board; men in
hand stand beside it, Black's on the right.
"""
from __future__ import annotations

import re
from html import escape
from math import atan2, degrees

from kifu.draw.board import Board, board_of
from kifu.draw.pieces import Face, PieceSet, piece_set, rules_of
from kifu.draw.words import LANGUAGES, Words
from kifu.rules.ruleset import FAR, Ruleset, Way

#: The outline of a man in a square of 100 by 100.
_PENTAGON = "M50 4 L81 15 L94 95 H6 L19 15 Z"
_EDGE, _STAND, _GAP = 44, 130, 24  # around the board: its coordinates; the stand for men in hand; between the two
_HELD = 102  # from one man in hand to the next
_BOARD, _WOOD, _TURNED, _INK, _RED, _LAST = "#e8c98e", "#f9e6ba", "#f8c3a3", "#2b1d0e", "#c3200f", "#d9a441"
#: Characters that no XML may hold: a player's name may.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SQUARE = re.compile("([1-9][0-9]?)([a-l])")
_FONT = "'Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho',serif"


def board_svg(sfen: str, *, pieces: str = "kanji", language: str | None = None, flip: bool = False,
              names: tuple[str, str] | None = None, last: str = "", square: int = 48, variant: str = "shogi") -> str:
    """A position as an SVG document.

    ``pieces``, ``language``, ``flip`` and ``names`` as for `kifu.draw.board_text`; ``last`` is a move in USI that led
    here, whose squares are tinted; ``square`` is the side of a square in pixels. ValueError for an unknown set or
    language.

    >>> board_svg("4k4/9/9/9/9/9/9/9/4K4 b - 1", pieces="animals").count("<use")
    2
    """
    chosen, rules, board = piece_set(pieces), rules_of(variant), board_of(sfen)
    language = chosen.language(language)
    picture = _Picture(chosen, rules, board, LANGUAGES[language], language, flip)
    return picture.document(names, last, square)


class _Picture:
    """A picture under construction."""

    def __init__(self, chosen: PieceSet, rules: Ruleset, board: Board, words: Words, language: str, flip: bool) -> None:
        self.chosen, self.rules, self.board, self.words, self.language = chosen, rules, board, words, language
        self.flip = flip
        self.files, self.ranks = len(board.rows[0]), len(board.rows)
        self.left = _STAND + _GAP + (_EDGE if flip else 0)  # of the board; ranks stand on Black's right
        most = max(map(len, board.hands))
        self.high = max(2 * _EDGE + 100 * self.ranks, 2 * _EDGE + 90 + _HELD * most)
        self.defined: dict[str, str] = {}  # id -> drawing

    def document(self, names: tuple[str, str] | None, last: str, square: int) -> str:
        wide, high = 2 * (_STAND + _GAP) + _EDGE + 100 * self.files, self.high
        called = names or (self.words.black, self.words.white)
        parts = [*self.tinted(last), *self.lines(), *self.coordinates(), *self.men(), *self.hand(0), *self.hand(1)]
        parts += [self.side(0, called[0]), self.side(1, called[1])]
        title = self.words.to_move.format(called[self.board.white_to_move])
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide * square // 100}" '
                f'height="{high * square // 100}" font-family="{_FONT}" fill="{_INK}" role="img">\n'
                f"<title>{_clean(title)}</title>\n<defs>\n" + "\n".join(self.defined.values()) + "\n</defs>\n"
                + "\n".join(parts) + "\n</svg>\n")

    # --- the board --------------------------------------------------------------------------------------------------
    def corner(self, column: int, row: int) -> tuple[int, int]:
        """The upper left corner of a square: columns from the highest file, rows from the one furthest from Black."""
        if self.flip:
            column, row = self.files - 1 - column, self.ranks - 1 - row
        return self.left + 100 * column, _EDGE + 100 * row

    def tinted(self, last: str) -> list[str]:
        """The board, and the squares of the last move."""
        parts = [f'<rect x="{self.left}" y="{_EDGE}" width="{100 * self.files}" height="{100 * self.ranks}" '
                 f'fill="{_BOARD}"/>']
        for file, rank in _SQUARE.findall(last):
            column, row = self.files - int(file), ord(rank) - ord("a")
            if column >= 0 and row < self.ranks:
                x, y = self.corner(column, row)
                parts.append(f'<rect x="{x}" y="{y}" width="100" height="100" fill="{_LAST}"/>')
        return parts

    def lines(self) -> list[str]:
        right, bottom = self.left + 100 * self.files, _EDGE + 100 * self.ranks
        across = "".join(f"M{self.left} {_EDGE + 100 * row}H{right}" for row in range(self.ranks + 1))
        down = "".join(f"M{self.left + 100 * column} {_EDGE}V{bottom}" for column in range(self.files + 1))
        return [f'<path d="{across}{down}" stroke="{_INK}" stroke-width="2" fill="none"/>',
                f'<rect x="{self.left}" y="{_EDGE}" width="{100 * self.files}" height="{100 * self.ranks}" fill="none" '
                f'stroke="{_INK}" stroke-width="5"/>']

    def coordinates(self) -> list[str]:
        """Files above the board; ranks on the right, on the left where White looks at it."""
        parts = []
        for column in range(self.files):
            x, _ = self.corner(column, 0)
            parts.append(_text(x + 50, _EDGE - 11, 30, self.words.files[self.files - 1 - column]))
        beside = self.left - _EDGE // 2 if self.flip else self.left + 100 * self.files + _EDGE // 2
        for row in range(self.ranks):
            _, y = self.corner(0, row)
            parts.append(_text(beside, y + 60, 30, self.words.ranks[row]))
        return parts

    # --- men --------------------------------------------------------------------------------------------------------
    def men(self) -> list[str]:
        parts = []
        for row, cells in enumerate(self.board.rows):
            for column, cell in enumerate(cells):
                if cell:
                    x, y = self.corner(column, row)
                    parts.append(self.man(cell, x, y, cell.islower() != self.flip))
        return parts

    def man(self, cell: str, x: float, y: float, down: bool) -> str:
        """A man in the square at a corner; one that looks ``down`` stands on its head."""
        name = f"kifu-{self.chosen.key}-{self.rules.key}-{cell.upper().replace('+', 'p')}"
        if name not in self.defined:
            face = self.chosen.face(cell, self.rules)
            self.defined[name] = f'<g id="{name}">{self.drawing(face, cell)}</g>'
        turn = f"translate({x + 100} {y + 100}) rotate(180)" if down else f"translate({x} {y})"
        return f'<use href="#{name}" transform="{turn}"/>'

    def drawing(self, face: Face, cell: str) -> str:
        """One face of a man, pointing up."""
        moves = self.marks(cell) if self.chosen.moves else ""
        wood = _TURNED if face.red and (face.paths or moves) else _WOOD
        outline = f'<path d="{_PENTAGON}" fill="{wood}" stroke="{_INK}" stroke-width="2.5" stroke-linejoin="round"/>'
        colour = _RED if face.red else _INK
        if face.paths:
            size = .68 if moves else .76
            inside = "".join(_shape(fill.replace("ink", colour), path) for fill, path in face.paths)
            inside = f'<g transform="translate({50 - 50 * size:g} {58 - 50 * size:g}) scale({size})">{inside}</g>'
        elif len(face.text) == 2 and not face.text.isascii():
            inside = "".join(_text(50, y, 40, sign, colour) for y, sign in zip((50, 88), face.text, strict=True))
        else:
            high = 62 if len(face.text) == 1 else 46
            inside = _text(50, 57 + .36 * high, high if not moves else .75 * high, face.text, colour)
        return outline + inside + moves

    def marks(self, cell: str) -> str:
        """How a man goes, around its picture: a dot for a step or a leap, an arrow for a slide."""
        kind = self.rules.by_letter.get(cell[-1].upper())
        if kind is None:
            return ""
        ways = kind.promoted if cell[0] == "+" else kind.ways
        return "".join(map(_mark, sorted(ways or (), key=lambda way: way.length != FAR)))

    # --- beside the board -------------------------------------------------------------------------------------------
    def hand(self, side: int) -> list[str]:
        """The men in hand of Black (0) or White (1), counted; the owner's stand is at the owner's right."""
        near = side == (1 if self.flip else 0)
        x = self.left + 100 * self.files + (0 if self.flip else _EDGE) + _GAP if near else 0
        bottom = self.high - _EDGE
        parts = []
        for place, (letter, count) in enumerate(self.board.hands[side]):
            y = bottom - 190 - _HELD * place if near else _EDGE + 90 + _HELD * place
            parts.append(self.man(letter, x + 4, y, not near))
            if count > 1:
                parts.append(_text(x + 112, y + (92 if near else 36), 34, str(count)))
        return parts

    def side(self, side: int, name: str) -> str:
        """Who plays, at the player's end of the stand; a frame says whose turn it is."""
        near = side == (1 if self.flip else 0)
        x = self.left + 100 * self.files + (0 if self.flip else _EDGE) + _GAP if near else 0
        y = self.high - _EDGE - 72 if near else _EDGE
        shown = name if len(name) <= 12 else name[:11] + "…"
        high = min(28, int(200 / max(1, sum(2 if ord(sign) > 0x2E7F else 1 for sign in shown))))
        frame = ""
        if self.board.white_to_move == bool(side):
            frame = (f'<rect x="{x + 3}" y="{y}" width="{_STAND - 6}" height="72" rx="12" '
                     f'fill="none" stroke="{_RED}" stroke-width="5"/>')
        middle = x + _STAND // 2
        return frame + _text(middle, y + 31, 28, "☖" if side else "☗") + _text(middle, y + 63, high, shown)


def _clean(text: str) -> str:
    """A text as XML may hold it."""
    return escape(_NO_XML.sub("\ufffd", text))


def _text(x: float, y: float, high: float, text: str, colour: str = "") -> str:
    fill = f' fill="{colour}"' if colour else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{high:g}" text-anchor="middle"{fill}>{_clean(text)}</text>'


def _shape(fill: str, path: str) -> str:
    """One shape of a picture: ``o X Y RX [RY]`` is an ellipse; ``line COLOUR WIDTH`` for a colour draws the outline."""
    how = f'fill="{fill}"'
    if fill.startswith("line "):
        _, colour, wide = fill.split()
        how = f'fill="none" stroke="{colour}" stroke-width="{wide}" stroke-linecap="round" stroke-linejoin="round"'
    if path.startswith("o "):
        x, y, across, *down = path.split()[1:]
        return f'<ellipse cx="{x}" cy="{y}" rx="{across}" ry="{down[0] if down else across}" {how}/>'
    return f'<path d="{path}" {how}/>'


def _mark(way: Way) -> str:
    """A dot or an arrow at the edge of a man, on the side where the way leads."""
    file, rank = way.direction
    far = max(abs(file), abs(rank))
    across, along = -file / far, rank / far
    y = 52 + along * (36 if across else 38)
    x = 50 + across * (23 + .15 * y)
    if way.length == 1:
        if far > 1:  # a leap
            return f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{_WOOD}" stroke="{_INK}" stroke-width="2.6"/>'
        return f'<circle cx="{x:g}" cy="{y:g}" r="5" stroke="{_WOOD}" stroke-width="1.6"/>'
    turn = degrees(atan2(across, -along))
    inside = _INK if way.length == FAR else _WOOD  # a slide that ends before the edge
    return (f'<path d="M0 -7 L6 4 H-6 Z" transform="translate({x:g} {y:g}) rotate({turn:g})" fill="{inside}" '
            f'stroke="{_WOOD if way.length == FAR else _INK}" stroke-width="1.5"/>')
