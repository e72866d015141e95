# cython: language_level=3, boundscheck=True
"""Where a text is of another kind of shogi than the ordinary one, a reader made for all kinds takes it over.

A sound record of ordinary shogi never comes here: only a text with a line that cannot be read, or a 手合割 that is not
known, is looked at again (`kifu.notation.kif_boards.other_boards`).
"""
from __future__ import annotations

from array import array

from kifu.notation.kif_lines import NumberedLines
from kifu.notation.reading import Reader
from kifu.record import Record


class _OtherKind(Exception):
    """The text is of another kind of shogi."""


class KindsApart(NumberedLines):
    """Reads ordinary shogi, and hands all else over."""

    #: The class in `kifu.notation.kif_boards` that reads other kinds of shogi; "" where none does.
    OTHER_BOARDS = ""

    def read(self) -> list[Record]:
        """All records of the text; where some are of another kind of shogi than the ordinary one, as it reads them."""
        self.puzzled = False  # whether a 手合割 was not known, which may name another kind of shogi
        if self.given_variant is None or self.given_variant == "shogi" or not self.OTHER_BOARDS:
            try:
                records = Reader.read(self)
            except _OtherKind:
                pass
            else:
                if not (self.puzzled and self.is_other_kind()):
                    return records
        from kifu.notation import kif_boards

        reader: type[Reader] = getattr(kif_boards, self.OTHER_BOARDS)
        return reader(self.text, notation=self.notation, mode=self.mode, handicap=self.given_handicap,
                      variant=self.given_variant).read()

    def kind_called(self, name: str) -> str | None:
        """The other kind of shogi that a 手合割 names, None where it names none."""
        from kifu.notation.kanji import kind_named

        kind = kind_named(name)
        return kind if kind != "shogi" else None

    def arrange(self, items: array[int]) -> array[int]:
        if self.faults and self.is_other_kind():
            raise _OtherKind
        return items

    def is_other_kind(self) -> bool:
        """Whether the text, in which not all is as it should be, is of another kind of shogi."""
        from kifu.notation.kif_boards import other_boards

        return bool(self.OTHER_BOARDS) and self.given_variant is None and other_boards(self.text)
