"""What other programs offer for the same work, each at its best: called in this process, without what it need not do.

What a peer leaves out is said in its label, as in ``no legality``. It is shown, but only a peer that does the same work
counts as the best one.
"""
from __future__ import annotations

import io
import json
import subprocess
import time
from collections.abc import Callable
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from tests.bench.measure import Job, Usage

PACKAGES = ("cshogi", "rsshogi", "python-shogi")
SCRIPTS = Path(__file__).parent / "scripts"
KINDS = ("csa", "csa-all", "kif", "ki2", "jkf", "usi", "psv", "hcpe", "csa-to-kif", "kif-to-csa", "kif-to-ki2", "perft")
#: Work on one text, or on the bytes of a file of entries.
Work = Callable[[Any], Any]


def installed() -> dict[str, str]:
    """The versions of the packages that are installed in this environment."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def works(packages: dict[str, str]) -> dict[str, dict[str, Work]]:
    """Kind of work -> label -> work on one text; the kinds are `KINDS`."""
    found: dict[str, dict[str, Work]] = {kind: {} for kind in KINDS}
    if "cshogi" in packages:
        _add_cshogi(found)
    if "rsshogi" in packages:
        _add_rsshogi(found)
    if "python-shogi" in packages:
        _add_python_shogi(found)
    if find_spec("numpy"):
        if "cshogi" in packages:
            _add_entries_of_cshogi(found)
        if "rsshogi" in packages:
            _add_entries_of_rsshogi(found)
    return found


def _add_cshogi(found: dict[str, dict[str, Work]]) -> None:
    import cshogi
    from cshogi import CSA, KIF

    board = cshogi.Board()

    def replay(sfen: str, moves: list[int]) -> None:
        board.set_sfen(sfen)
        for move in moves:
            if not board.is_legal(move):
                raise AssertionError(cshogi.move_to_usi(move))
            board.push(move)

    def parse_csa(text: str) -> object:
        parser = CSA.Parser()
        parser.parse_csa_str(text)
        return parser

    def prove_csa(text: str) -> None:
        parser = CSA.Parser()
        parser.parse_csa_str(text)
        replay(parser.sfen, parser.moves)

    def prove_all(text: str) -> None:
        for parser in CSA.Parser.parse_str(text):
            replay(parser.sfen, parser.moves)

    def csa_to_kif(text: str) -> str:
        parser = CSA.Parser()
        parser.parse_csa_str(text)
        out = io.StringIO()
        exporter = KIF.Exporter()
        exporter.kifu, exporter.prev_move, exporter.move_number = out, None, 1
        exporter.header(parser.names)
        sums = [0, 0]
        for number, (move, seconds) in enumerate(zip(parser.moves, parser.times, strict=False)):
            sums[number % 2] += seconds
            exporter.move(move, seconds, sums[number % 2])
        exporter.end("resign")
        return out.getvalue()

    def kif_to_csa(text: str) -> str:
        parser = KIF.Parser.parse_str(text)
        out = io.StringIO()
        exporter = CSA.Exporter()
        exporter.f = out
        exporter.info(parser.sfen, parser.names, version="V2.2")
        for move, seconds in zip(parser.moves, parser.times, strict=False):
            exporter.move(move, seconds)
        exporter.endgame(parser.endgame or "%TORYO")
        return out.getvalue()

    lines: dict[str, list[str]] = {}

    def push_usi(line: str) -> None:
        moves = lines.get(line)
        if moves is None:  # split in the round that warms up, so that splitting costs nothing
            moves = lines[line] = line.split()[3:]
        board.reset()
        push = board.push_usi
        for move in moves:
            push(move)

    def prove_usi(line: str) -> None:
        board.reset()
        for text in line.split()[3:]:
            move = board.move_from_usi(text)
            if not board.is_legal(move):
                raise AssertionError(text)
            board.push(move)

    def count(depth: int) -> int:
        if depth == 1:
            return len(board.legal_moves)
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(depth - 1)
            board.pop()
        return total

    def perft(_: str) -> int:
        board.reset()
        return count(4)

    found["csa"] |= {"cshogi": prove_csa, "cshogi, parse only": parse_csa}
    found["csa-all"] |= {"cshogi": prove_all, "cshogi, parse only": CSA.Parser.parse_str}
    found["kif"]["cshogi"] = KIF.Parser.parse_str  # plays, and passes over what is illegal
    # Its KI2 reader (1.1.0) is not here: five in a hundred of these games end it with an IndexError or AssertionError.
    found["usi"] |= {"cshogi": prove_usi, "cshogi push_usi, split before": push_usi}
    found["csa-to-kif"]["cshogi"] = csa_to_kif
    found["kif-to-csa"]["cshogi"] = kif_to_csa
    found["perft"]["cshogi, from Python"] = perft


def _add_rsshogi(found: dict[str, dict[str, Work]]) -> None:
    from rsshogi.core import Board
    from rsshogi.record import Record

    board = Board()

    def count(depth: int) -> int:
        moves = board.legal_moves()
        if depth == 1:
            return len(moves)
        total = 0
        for move in moves:
            board.push_move(move)
            total += count(depth - 1)
            board.pop()
        return total

    found["csa"]["rsshogi"] = Record.from_csa_str
    found["csa-all"]["rsshogi"] = Record.from_csa_games_str
    found["kif"]["rsshogi"] = Record.from_kif_str
    found["ki2"]["rsshogi"] = Record.from_ki2_str
    found["jkf"]["rsshogi"] = Record.from_jkf_str
    found["usi"]["rsshogi"] = Record.from_usi_position
    found["csa-to-kif"]["rsshogi"] = lambda text: Record.from_csa_str(text).to_kif()
    found["kif-to-csa"]["rsshogi"] = lambda text: Record.from_kif_str(text).to_csa()
    found["kif-to-ki2"]["rsshogi"] = lambda text: Record.from_kif_str(text).to_ki2()
    found["perft"]["rsshogi, from Python"] = lambda _: count(4)


def _add_entries_of_cshogi(found: dict[str, dict[str, Work]]) -> None:
    """Entries by numpy, as the documentation has it: each position set up on a board, and its move tested there."""
    import cshogi
    import numpy

    board = cshogi.Board()

    def prove_psv(data: bytes) -> None:
        entries = numpy.frombuffer(data, cshogi.PackedSfenValue)
        for position, number in zip(entries["sfen"], entries["move"].tolist(), strict=True):
            board.set_psfen(position)
            if not board.is_legal(board.move_from_psv(number)):
                raise AssertionError(number)

    def prove_hcpe(data: bytes) -> None:
        entries = numpy.frombuffer(data, cshogi.HuffmanCodedPosAndEval)
        for position, number in zip(entries["hcp"], entries["bestMove16"].tolist(), strict=True):
            board.set_hcp(position)
            if not board.is_legal(board.move_from_move16(number)):
                raise AssertionError(number)

    found["psv"]["cshogi"], found["hcpe"]["cshogi"] = prove_psv, prove_hcpe


def _add_entries_of_rsshogi(found: dict[str, dict[str, Work]]) -> None:
    """The same with its own board."""
    import numpy
    from rsshogi.core import AperyMove, Board, to_move
    from rsshogi.numpy import HuffmanCodedPosAndEval, PackedSfenValue

    board = Board()

    def prove_psv(data: bytes) -> None:
        entries = numpy.frombuffer(data, PackedSfenValue)
        for position, number in zip(entries["sfen"], entries["move"].tolist(), strict=True):
            board.set_packed_sfen(position)
            if not board.is_legal_move(to_move(number)):
                raise AssertionError(number)

    def prove_hcpe(data: bytes) -> None:
        entries = numpy.frombuffer(data, HuffmanCodedPosAndEval)
        for position, number in zip(entries["hcp"], entries["bestMove16"].tolist(), strict=True):
            board.set_hcp(position)
            if not board.is_legal_move(AperyMove(number).to_move()):
                raise AssertionError(number)

    found["psv"]["rsshogi"], found["hcpe"]["rsshogi"] = prove_psv, prove_hcpe


def _add_python_shogi(found: dict[str, dict[str, Work]]) -> None:
    from shogi import CSA, KIF

    found["csa"]["python-shogi, no legality"] = CSA.Parser.parse_str
    found["kif"]["python-shogi, no board"] = KIF.Parser.parse_str


class Node:
    """tsshogi in a Node process that stays, so that its code is as warm as ours; it measures itself."""

    def __init__(self, packages: Path) -> None:
        self._process = subprocess.Popen(["node", SCRIPTS / "tsshogi.mjs", packages], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, encoding="utf-8")

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request as a line of JSON and wait for the answer."""
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        assert pipe_in is not None and pipe_out is not None
        return _asked(pipe_in, pipe_out, request)

    def job(self, task: str, paths: list[Path]) -> Job:
        """A task (csa, kif, ki2, jkf, csa-to-kif, kif-to-csa, kif-to-ki2) on the games of these files."""
        self.ask({"load": [str(path) for path in paths], "task": task})

        def job() -> Usage:
            start = time.perf_counter()
            return Usage(self.ask({"run": task})["cpu"], time.perf_counter() - start)
        return job

    def close(self) -> None:
        """End the process."""
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()


def _asked(pipe_in: IO[str], pipe_out: IO[str], request: dict[str, Any]) -> dict[str, Any]:
    pipe_in.write(json.dumps(request) + "\n")
    pipe_in.flush()
    line = pipe_out.readline()
    if not line:
        raise RuntimeError("the Node process ended")
    answer: dict[str, Any] = json.loads(line)
    if "error" in answer:
        raise RuntimeError(f"tsshogi: {answer['error']}")
    return answer
