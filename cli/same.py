"""Whether two records are one game: what is compared before a normalised copy takes the place of a file."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kifu.ends import End
    from kifu.record import Game


def differences(before: Game, after: Game) -> list[str]:
    """What is not the same in two proven games, by name; empty where everything a record holds is the same.

    >>> import kifu
    >>> one, two = (kifu.replay(kifu.parse(f"position startpos moves {moves}")[0]) for moves in ("7g7f", "2g2f"))
    >>> differences(one, one), differences(one, two)
    ([], ['moves'])
    """
    # lines first: what stands behind is told by the index of a move, which means the same only where they are the same
    return [name for (name, old), (_, new) in zip(_parts(before), _parts(after), strict=True) if old != new]


def _parts(game: Game) -> Iterator[tuple[str, Any]]:
    from kifu.record import CANONICAL, INFO

    record = game.record
    yield "kind of shogi", game.variant
    yield "handicap", game.handicap
    yield "start position", game.start
    yield "moves", game.proven
    yield "variations", [(line.parent, line.first, line.last, line.number) for line in record.lines]
    yield "verdict", game.verdict
    yield "illegal move", {key: value for key, value in (game.illegal_move or {}).items() if key != "text"}
    yield "clocks", record.info[3::INFO]
    yield "ends", [_end(line.end) for line in record.lines]
    yield "proven end", (game.verified_end, game.verified_winner)
    yield "comments", sorted(((index, text.replace("\r\n", "\n")) for index, _, text in record.comments()), key=_index)
    yield "bookmarks", record.bookmarks
    yield "headers", sorted((CANONICAL.get(key, key), value) for key, value in record.headers
                            if value and not _implied(CANONICAL.get(key, key)))


def _end(end: End | None) -> tuple[Any, ...] | None:
    """What an end means; the words may differ."""
    return end and (end.reason, end.winner, end.offender, end.milliseconds)


def _implied(name: str) -> bool:
    """Whether a header says no more than the start position and the end, which are compared themselves."""
    from kifu.notation.writing import IMPLIED

    return name in IMPLIED


def _index(comment: tuple[int, str]) -> int:
    return comment[0]
