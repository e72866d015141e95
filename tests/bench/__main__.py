"""``python -m tests.bench``: one table, printed and written to bench/results.json.

CPU seconds of this process, garbage collection on, one warm-up, the median of several rounds in which all programs
take turns, so that a busy machine disturbs all of them alike. Games come from ../shared/tools/make_games.py where it
is there, or from the folder that KIFU_BENCH_GAMES names.
"""
from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kifu
from kifu._core import build_kind
from tests.bench import peers

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "bench"


def main() -> None:
    """Measure, print and write down."""
    options = argparse.ArgumentParser(prog="make bench", description=__doc__)
    options.add_argument("--games", type=int, default=300, help="games of each notation (default 300)")
    options.add_argument("--rounds", type=int, default=5, help="rounds, of which the median counts (default 5)")
    chosen = options.parse_args()
    OUT.mkdir(exist_ok=True)
    texts = load(games_folder(chosen.games), chosen.games)
    rows = peers.ours()
    peers.add_peers(rows)
    results = [measure(title, works, *inputs(title, texts), chosen.rounds) for title, works in rows.items()]
    results.append(cold_start(texts, chosen.rounds))
    about = {
        "kifu": kifu.__version__, "core": build_kind(), "python": platform.python_version(),
        "processor": processor(), "games": chosen.games, "rounds": chosen.rounds,
        "peers": peers.installed("cshogi", "rsshogi", "python-shogi"),
    }
    show(about, results)
    (OUT / "results.json").write_text(json.dumps({"about": about, "results": results}, indent=1, ensure_ascii=False) + "\n",
                                      encoding="utf-8")


def games_folder(count: int) -> Path:
    """Where the games are; made where they can be."""
    given = os.environ.get("KIFU_BENCH_GAMES")
    if given:
        return Path(given)
    folder = OUT / f"games-{count}"
    maker = ROOT.parent / "shared" / "tools" / "make_games.py"
    if not (folder / "games.usi").exists():
        if not maker.exists():
            sys.exit("make bench: set KIFU_BENCH_GAMES to a folder of games (csa/, kif/, games.usi)")
        subprocess.run([sys.executable, maker, "--count", str(count), "--seed", "1", "--out", folder], check=True,
                       stdout=subprocess.DEVNULL)
    return folder


def load(folder: Path, count: int) -> dict[str, list[str]]:
    """The games by notation, each a text."""
    texts = {notation: [path.read_text(encoding="utf-8") for path in sorted((folder / notation).iterdir())[:count]]
             for notation in ("csa", "kif")}
    texts["usi"] = (folder / "games.usi").read_text(encoding="utf-8").splitlines()[:count]
    return texts


def inputs(title: str, texts: dict[str, list[str]]) -> tuple[list[str], int]:
    """The texts for a row of the table and the number of games in them."""
    games = texts[title.split(",")[0].split()[0].lower()]
    if "in one call" in title:
        return [("/\n" if title.startswith("CSA") else "\n").join(games)], len(games)
    return games, len(games)


def measure(title: str, works: dict[str, Callable[[str], Any]], given: list[str], games: int,
            rounds: int) -> dict[str, Any]:
    """Games a CPU second for each program."""
    seconds: dict[str, list[float]] = {label: [] for label in works}
    for number in range(rounds + 1):
        for label, work in works.items():
            start = time.process_time()
            for text in given:
                work(text)
            if number:  # the first round warms up
                seconds[label].append(time.process_time() - start)
    speeds = {label: games / statistics.median(taken) for label, taken in seconds.items()}
    return {"row": title, "unit": "games a second", "values": speeds, "raw": seconds}


def cold_start(texts: dict[str, list[str]], rounds: int) -> dict[str, Any]:
    """CPU milliseconds of ``kifu convert`` of one file, beside those of a Python that does nothing."""
    sample = OUT / "one.csa"
    sample.write_text(texts["csa"][0], encoding="utf-8")
    commands = {"kifu": [sys.executable, "-m", "kifu", "convert", str(sample), "--to", "kif"],
                "python -c pass": [sys.executable, "-c", "pass"]}
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}  # as users run it
    taken: dict[str, list[float]] = {label: [] for label in commands}
    for number in range(rounds + 1):
        for label, command in commands.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=environ)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if number:
                taken[label].append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    values = {label: 1000 * statistics.median(several) for label, several in taken.items()}
    return {"row": "kifu convert of one file, from nothing", "unit": "CPU milliseconds", "values": values, "raw": taken}


def processor() -> str:
    """The processor's name and how many of it there are."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{name} x {os.cpu_count()}"


def show(about: dict[str, Any], results: list[dict[str, Any]]) -> None:
    """The table: one line a program, with how many times as fast ours is."""
    print(f"kifu {about['kifu']} ({about['core']}), Python {about['python']}, {about['processor']}; "
          f"{about['games']} games, median of {about['rounds']} rounds, CPU time; "
          + ", ".join(f"{name} {version}" for name, version in about["peers"].items()))
    for result in results:
        print(f"\n{result['row']} ({result['unit']})")
        own = result["values"]["kifu"]
        for label, value in result["values"].items():
            ratio = "" if label == "kifu" else f"   kifu is {own / value:.2f} x" if "games" in result["unit"] else ""
            print(f"  {label:40} {value:12,.0f}{ratio}")


if __name__ == "__main__":
    main()
