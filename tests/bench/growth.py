"""``python -m tests.bench.growth``: the time for one more of something does not depend on how many there are.

Each line of the table grows one thing a hundredfold - games in a file, files, variations, comments, moves in a line -
and tells the nanoseconds for each. What takes 1.5 times as long at the largest size as at a smaller one is flagged, and
the exit status is 1. CPU time, the fastest of several rounds.
"""
from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from itertools import cycle, islice
from os import devnull
from pathlib import Path

from kifu import cli
from kifu.notation import read, write
from kifu.notation.spell import spell
from kifu.replay import replay
from kifu.rules.move import IDENTITY, from_usi, usi
from kifu.rules.position import Position
from tests.bench import games, measure
from tests.bench.corpus import joined
from tests.bench.table import text_table

LIMIT = 1.5
#: Gold generals that step to and fro: a legal game of any length.
SHUFFLE = ("4i4h", "4a4b", "4h4i", "4b4a")
Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Growth:
    """What grows, the sizes it is measured at, and what makes the work for a size."""

    what: str
    sizes: tuple[int, ...]
    make: Callable[[int], Work]


def prove(notation: str, text: str, verdict: str = "legal") -> Work:
    """Reading and proving a text."""
    def work() -> int:
        found = [replay(record) for record in read(text, notation)]
        if any(game.verdict != verdict for game in found):
            raise AssertionError(f"{notation}: {[str(one) for game in found for one in game.diagnostics[:1]]}")
        return len(found)
    return work


def written(notation: str, text: str, target: str) -> Work:
    """Writing what a text holds in a notation."""
    proven = [replay(record) for record in read(text, notation)]
    return lambda: write(proven, target)


def check(path: Path, *options: str) -> Work:
    """``kifu check`` within this process."""
    def work() -> None:
        with open(devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            if status := cli.run(["check", str(path), "--quiet", "--jobs", "1", *options]):
                raise AssertionError(f"kifu check left with {status}")
    return work


class Texts:
    """The texts that grow. Every game is legal; all of it depends on nothing but the sizes asked for."""

    def __init__(self, most: int) -> None:
        self.csa = [games.csa(games.draw(2, number)) for number in range(min(most, 100))]
        self.by_notation = {"csa": self.csa, "kif": games.converted(self.csa, "kif"),
                            "western": games.converted(self.csa, "western"), "usi": [games.usi(games.draw(2, number)) for number in range(len(self.csa))]}

    def many(self, notation: str, count: int) -> str:
        """A file of many games."""
        return joined(list(islice(cycle(self.by_notation[notation]), count)), notation)

    def files(self, folder: Path, count: int) -> Path:
        """A folder of many files of one game."""
        place = folder / f"files-{count}"
        place.mkdir(exist_ok=True)
        for number, text in enumerate(islice(cycle(self.csa), count)):
            (place / f"{number:06}.csa").write_text(text, encoding="utf-8")
        return place

    @staticmethod
    def variations(count: int, plies: int = 100) -> str:
        """A KIF game with variations of one move each, from the last move to the first as the format wants it."""
        shuffle = list(islice(cycle(SHUFFLE), plies))
        position = Position()
        choices: list[list[str]] = []
        for text in shuffle:
            move = _legal(position, text)
            choices.append([spell(position, one, "kif") for one in sorted(position.legal_moves(), key=usi)
                            if one & IDENTITY != move & IDENTITY])
            position.play(move)
        out = ["手合割：平手", *_kif_moves(shuffle)]
        each = [count * (ply + 1) // plies - count * ply // plies for ply in range(plies)]
        for ply in range(plies - 1, -1, -1):
            for number in range(each[ply]):
                out += ["", f"変化：{ply + 1}手", f"{ply + 1:4} {choices[ply][number % len(choices[ply])]}"]
        return "\n".join(out) + "\n"

    @staticmethod
    def nested(depth: int) -> str:
        """A KIF game with variations inside each other: each has two moves, and the next one replaces the second."""
        out = ["手合割：平手", *_kif_moves(["7g7f", "3c3d"])]
        position = Position()
        for ply, text in enumerate(islice(cycle(SHUFFLE), depth), 1):
            out += ["", f"変化：{ply}手"]
            for number, one in ((ply, text), (ply + 1, "5a5b" if ply % 2 else "5i5h")):
                move = _legal(position, one)
                out.append(f"{number:4} {spell(position, move, 'kif')}")
                position.play(move)
            position.undo()
        return "\n".join(out) + "\n"

    @staticmethod
    def comments(notation: str, count: int, plies: int = 100) -> str:
        """A game with comments behind each move."""
        usi_text = "position startpos moves " + " ".join(islice(cycle(SHUFFLE), plies))
        lines = write([replay(record) for record in read(usi_text, "usi")], notation).splitlines()
        if notation == "western":
            return "\n".join([*lines[:-1], *(f"{{the comment number {number}}}" for number in range(count)), lines[-1]])
        mark, is_move = ("'", "+-") if notation == "csa" else ("*", " ")
        places = [index for index, line in enumerate(lines) if line[:1] and line[0] in is_move and len(line) > 3]
        each = -(-count // len(places))
        out = []
        left = count
        for index, line in enumerate(lines):
            out.append(line)
            if index in places:
                out += [f"{mark}the comment number {number}" for number in range(min(each, left))]
                left -= min(each, left)
        return "\n".join(out) + "\n"

    @staticmethod
    def line(notation: str, moves: int) -> str:
        """One long game."""
        text = "position startpos moves " + " ".join(islice(cycle(SHUFFLE), moves)) + "\n"
        return text if notation == "usi" else write([replay(record) for record in read(text, "usi")], notation)

    @staticmethod
    def noise(count: int) -> str:
        """A game with lines before it that nobody knows, each of them a finding."""
        return "V2.2\n" + "what is this\n" * count + "PI\n+\n+7776FU\n-3334FU\n%TORYO\n"


def _legal(position: Position, text: str) -> int:
    found: int = position.resolve(from_usi(text))
    if found < 0:
        raise AssertionError(f"{text} is illegal in {position.sfen()}")
    return found


def _kif_moves(moves: list[str]) -> Iterator[str]:
    position = Position()
    for number, text in enumerate(moves, 1):
        move = _legal(position, text)
        yield f"{number:4} {spell(position, move, 'kif')}"
        position.play(move)


def growths(texts: Texts, folder: Path, scale: int) -> list[Growth]:
    """Everything that is grown."""
    def sizes(first: int) -> tuple[int, ...]:
        return tuple(max(1, first * factor // scale) for factor in (1, 10, 100))

    found = [Growth(f"games in one text, {name}, read and proven", sizes(20),
                    lambda size, name=name: prove(name, texts.many(name, size)))  # type: ignore[misc]
             for name in ("csa", "kif", "usi", "western")]
    found += [
        Growth("games in one file, csa, kifu check", sizes(20),
               lambda size: check(_file(folder / f"many-{size}.csa", texts.many("csa", size)))),
        Growth("files of one game, csa, kifu check", sizes(20), lambda size: check(texts.files(folder, size))),
        Growth("variations in a game, kif", sizes(50), lambda size: prove("kif", texts.variations(size))),
        Growth("variations in a game, western", sizes(50),
               lambda size: prove("western", _as_western(texts.variations(size)))),
        Growth("variations in a game, kif, written", sizes(50), lambda size: written("kif", texts.variations(size), "kif")),
        Growth("variations in a game, western, written", sizes(50),
               lambda size: written("kif", texts.variations(size), "western")),
        Growth("variations in each other, kif", sizes(10), lambda size: prove("kif", texts.nested(size))),
        Growth("variations in each other, kif, written", sizes(10), lambda size: written("kif", texts.nested(size), "kif")),
    ]
    found += [Growth(f"comments in a game, {name}", sizes(200),
                     lambda size, name=name: prove(name, texts.comments(name, size)))  # type: ignore[misc]
              for name in ("csa", "kif", "western")]
    found += [Growth(f"comments in a game, {name}, written", sizes(200),
                     lambda size, name=name: written(name, texts.comments(name, size), name))  # type: ignore[misc]
              for name in ("csa", "kif", "western")]
    found += [Growth(f"moves in one line, {name}", sizes(200),
                     lambda size, name=name: prove(name, texts.line(name, size)))  # type: ignore[misc]
              for name in ("usi", "csa", "kif", "western")]
    found += [Growth(f"moves in one line, {name}, written", sizes(200),
                     lambda size, name=name: written("usi", texts.line("usi", size), name))  # type: ignore[misc]
              for name in ("usi", "csa", "kif", "western")]
    found.append(Growth("unknown lines in a game, csa", sizes(100), lambda size: prove("csa", texts.noise(size))))
    return found


def _file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _as_western(text: str) -> str:
    return write([replay(record) for record in read(text, "kif")], "western")


def measured(growth: Growth, rounds: int) -> list[float]:
    """Nanoseconds for one of what grows, at each size.

    Sizes take turns, and small ones run several times a turn, so that a busy machine disturbs all of them alike.
    """
    def repeated(size: int) -> Work:
        work = growth.make(size)
        return lambda: [work() for _ in range(times[size])]

    times = {size: max(1, growth.sizes[-1] // size // 4) for size in growth.sizes}
    spent = measure.least({str(size): repeated(size) for size in growth.sizes}, rounds)
    return [spent[str(size)] / times[size] / size * 1e9 for size in growth.sizes]


def factor(values: list[float]) -> float:
    """How much longer one takes at the largest size than at the best of the smaller ones.

    >>> factor([100.0, 50.0, 60.0]), factor([10.0, 30.0, 40.0])
    (1.2, 4.0)
    """
    return values[-1] / min(values[:-1])


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and tell whether everything is linear."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.growth", description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="", metavar="TEXT", help="only what has this text in its name")
    options.add_argument("--rounds", type=int, default=5, help="rounds, of which the fastest counts (default 5)")
    options.add_argument("--scale", type=int, default=1, metavar="N", help="divide all sizes by N, to try it out")
    options.add_argument("--json", action="store_true", help="print JSON")
    chosen = options.parse_args(arguments)
    results = []
    with tempfile.TemporaryDirectory(prefix="kifu-growth-") as name:
        for growth in growths(Texts(100 // chosen.scale + 1), Path(name), chosen.scale):
            if chosen.only in growth.what:
                values = measured(growth, chosen.rounds)
                results.append({"what": growth.what, "sizes": growth.sizes, "ns": values, "factor": factor(values)})
    if chosen.json:
        print(json.dumps({"about": measure.about(), "unit": "ns", "growth": results}, indent=1, ensure_ascii=False))
    else:
        print(f"{measure.told(measure.about())}; ns for one, at each size")
        print(shown(results))
    return int(any(result["factor"] > LIMIT for result in results))  # type: ignore[operator]


def shown(results: list[dict[str, object]]) -> str:
    """The table; what grows too much has a mark."""
    rows = []
    for result in results:
        cells = [f"{value:,.0f} at {size:,}"
                 for size, value in zip(result["sizes"], result["ns"], strict=True)]  # type: ignore[call-overload]
        grows = float(result["factor"])  # type: ignore[arg-type]
        rows.append([str(result["what"]), *cells, f"{grows:.2f}", "NOT LINEAR" if grows > LIMIT else ""])
    return text_table(["what there is more of", "x 1", "x 10", "x 100", "grows", ""], rows, left=(0, 5))


if __name__ == "__main__":
    sys.exit(main())
