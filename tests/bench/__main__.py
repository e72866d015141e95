"""``make bench``: how fast kifu is beside other programs, on the same games, in one run, as one table.

Rows of texts are worked on in this process, rows of files by whole processes; what counts is CPU time unless a row says
``by the clock``, the median of several rounds after one that warms up, in which all programs take turns. Beside each
number stands how many times as fast kifu is, and beside each row its target and the floor: what it costs to read the
same bytes in Python, and ``wc -l``. The table is printed and written to bench/results.json with all that was measured.

Games come from ../shared/tools/make_games.py where it is there and works, else from tests/bench/games.py, by seed; many
files of one game always come from the latter.
"""
from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.bench import corpus, measure, peers, prepare, report, rows

OUT = prepare.ROOT / "bench"
QUICK, FULL = rows.Sizes(2000, 50_000_000, 5000), rows.Sizes(20_000, 1_000_000_000, 100_000)


def main(arguments: list[str] | None = None) -> int:
    """Measure, print and write down; or print what was measured before."""
    chosen = parsed(arguments)
    if chosen.results:
        print(report.shown(json.loads(chosen.results.read_text(encoding="utf-8")), chosen.markdown))
        return 0
    out: Path = chosen.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    packages = {} if chosen.no_peers else peers.installed()
    programs = prepare.here(packages) if chosen.here else prepare.programs(out, packages)
    found = measured(chosen, out, packages, programs)
    (out / "results.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(report.shown(found, chosen.markdown))
    return 0


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """What was asked for."""
    options = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--full", action="store_true",
                         help="20,000 files, a file of 1 GB, a load of 100,000 games; half an hour and 3 GB in bench/")
    options.add_argument("--only", default="", metavar="TEXT", help="only rows whose key or title has this text in it")
    options.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    options.add_argument("--results", type=Path, metavar="FILE", help="measure nothing; print what this file holds")
    options.add_argument("--out", type=Path, default=OUT, help="folder for games, programs and results (default bench/)")
    options.add_argument("--rounds", type=int, default=5, help="rounds, of which the median counts (default 5)")
    options.add_argument("--games", type=int, default=300, help="games of rows in memory (default 300)")
    options.add_argument("--files", type=int, help="files of one game (default 2,000)")
    options.add_argument("--big", type=int, metavar="BYTES", help="size of the large file (default 50 MB)")
    options.add_argument("--load", type=int, metavar="GAMES", help="games to load (default 5,000)")
    options.add_argument("--no-peers", action="store_true", help="measure kifu alone")
    options.add_argument("--here", action="store_true",
                         help="run whole processes in this environment instead of an ordinary installation")
    chosen = options.parse_args(arguments)
    default = FULL if chosen.full else QUICK
    chosen.sizes = rows.Sizes(chosen.files or default.files, chosen.big or default.big, chosen.load or default.load)
    return chosen


def measured(chosen: argparse.Namespace, out: Path, packages: dict[str, str],
             programs: prepare.Programs) -> dict[str, Any]:
    """Everything about the run: circumstances, and a result a row."""
    prepare.say("making games")
    small = corpus.small(out, chosen.games)
    node = peers.Node(programs.node) if programs.node and packages else None
    versions = dict(packages)
    if programs.node and packages:
        versions["tsshogi"] = prepare.node_version(programs.node)
    results: list[report.Result] = []
    try:
        for source in (lambda: rows.in_memory(small, packages, node),
                       lambda: rows.processes(out, programs, chosen.sizes, chosen.rounds)):
            for row in asked(source, chosen.only):
                prepare.say(row.title)
                results.append(report.measure(row, results, chosen.rounds))
    finally:
        if node:
            node.close()
    about = {**measure.about(), "games": f"{chosen.games} by {small.made_by}", "rounds": str(chosen.rounds),
             "whole processes": programs.installed,
             "two processes": f"{measure.two_at_once():.2f} × one on this machine",
             "load average": f"{os.getloadavg()[0]:.1f}"}
    return {"about": about, "peers": versions, "rows": [result.as_json() for result in results]}


def asked(source: Callable[[], Iterator[rows.Row]], only: str) -> Iterator[rows.Row]:
    """The rows that ``--only`` lets through, with those whose runs they read in another way."""
    every = list(source())
    wanted = {row.key for row in every if only in row.key or only in row.title}
    wanted |= {row.same_runs for row in every if row.key in wanted}
    return (row for row in every if row.key in wanted)


if __name__ == "__main__":
    sys.exit(main())
