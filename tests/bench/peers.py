"""What is measured: our own calls, and the nearest thing that each other program offers for the same task.

Every entry is called with one text, or with one whole file of many games, and is free to do less than ours does: what
it leaves out is said in its label.
"""
from __future__ import annotations

import io
from collections.abc import Callable
from importlib import metadata
from typing import Any

Work = Callable[[str], Any]
#: Row of the table -> label -> the work. Ours comes first.
Rows = dict[str, dict[str, Work]]


def installed(*names: str) -> dict[str, str]:
    """The versions of those packages that are installed."""
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def ours() -> Rows:
    """Everything as a user of the package calls it: parse, prove every move, keep all diagnostics."""
    from kifu.notation import read, writer
    from kifu.replay import replay

    def prove(notation: str) -> Work:
        def work(text: str) -> int:
            plies = 0
            for record in read(text, notation):
                game = replay(record)
                if game.verdict != "legal":
                    raise AssertionError(f"{notation}: {game.verdict}: {game.diagnostics[:1]}")
                plies += game.plies
            return plies
        return work

    def convert(text: str) -> str:
        target = writer("kif")
        return "".join(target.write(replay(record)) for record in read(text, "csa"))

    return {
        "CSA, parse and legality, a game a call": {"kifu": prove("csa")},
        "CSA, parse and legality, all games in one call": {"kifu": prove("csa")},
        "KIF, parse and legality, a game a call": {"kifu": prove("kif")},
        "KIF, parse and legality, all games in one call": {"kifu": prove("kif")},
        "CSA to KIF, a game a call": {"kifu": convert},
        "USI lines, parse and legality, a game a call": {"kifu": prove("usi")},
    }


def add_peers(rows: Rows) -> None:
    """Put the programs that are installed beside ours."""
    here = installed("cshogi", "rsshogi", "python-shogi")
    if "cshogi" in here:
        _add_cshogi(rows)
    if "rsshogi" in here:
        _add_rsshogi(rows)
    if "python-shogi" in here:
        _add_python_shogi(rows)


def _add_cshogi(rows: Rows) -> None:
    import cshogi
    from cshogi import CSA, KIF

    def csa(text: str) -> list[int]:
        parser = CSA.Parser()
        parser.parse_csa_str(text)
        return parser.moves

    def csa_all(text: str) -> int:
        return len(CSA.Parser.parse_str(text))

    def csa_to_kif(text: str) -> str:
        parser = CSA.Parser()
        parser.parse_csa_str(text)
        out = io.StringIO()
        exporter = KIF.Exporter()
        exporter.kifu, exporter.prev_move, exporter.move_number = out, None, 1
        exporter.header(parser.names)
        for move, seconds in zip(parser.moves, parser.times, strict=False):
            exporter.move(move, seconds)
        exporter.end("resign")
        return out.getvalue()

    def usi(line: str) -> int:
        board = cshogi.Board()
        moves = line.split()[3:]
        for move in moves:
            packed = board.move_from_usi(move)
            if not board.is_legal(packed):
                raise AssertionError(move)
            board.push(packed)
        return len(moves)

    rows["CSA, parse and legality, a game a call"]["cshogi"] = csa
    rows["CSA, parse and legality, all games in one call"]["cshogi"] = csa_all
    rows["KIF, parse and legality, a game a call"]["cshogi"] = KIF.Parser.parse_str
    rows["CSA to KIF, a game a call"]["cshogi"] = csa_to_kif
    rows["USI lines, parse and legality, a game a call"]["cshogi"] = usi


def _add_rsshogi(rows: Rows) -> None:
    from rsshogi.record import Record

    def csa_to_kif(text: str) -> str:
        return Record.from_csa_str(text).to_kif()

    rows["CSA, parse and legality, a game a call"]["rsshogi"] = Record.from_csa_str
    rows["CSA, parse and legality, all games in one call"]["rsshogi"] = Record.from_csa_games_str
    rows["KIF, parse and legality, a game a call"]["rsshogi"] = Record.from_kif_str
    rows["CSA to KIF, a game a call"]["rsshogi"] = csa_to_kif
    rows["USI lines, parse and legality, a game a call"]["rsshogi"] = Record.from_usi_position


def _add_python_shogi(rows: Rows) -> None:
    from shogi import CSA, KIF

    rows["CSA, parse and legality, a game a call"]["python-shogi (no legality)"] = CSA.Parser.parse_str
    rows["KIF, parse and legality, a game a call"]["python-shogi (no board, no legality)"] = KIF.Parser.parse_str
