"""``python -m tests.bench.instructions``: how many processor instructions four small fixed jobs take.

Unlike time, the count hardly depends on what else the machine does, so that a slowdown of a few percent is seen. It is
taken by Valgrind, start-up excluded: every run warms up all jobs, and what a run without a job takes is subtracted from
what a run with several repetitions takes.

    python -m tests.bench.instructions             count and compare with the recorded numbers
    python -m tests.bench.instructions --compare   the same, and leave with 1 where a job takes over 3 % more
    python -m tests.bench.instructions --record    count and record, in tests/bench/instructions.json

The numbers depend on Python and on the compiler too, so those are recorded with them; where they differ nothing is
concluded. ``--keep FOLDER`` keeps Valgrind's files for ``callgrind_annotate``, which shows where the instructions go.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.bench.table import text_table

ROOT = Path(__file__).resolve().parents[2]
RECORDED = Path(__file__).with_name("instructions.json")
LIMIT = 3.0  # percent
#: Job -> (repetitions, the sample games it works on).
JOBS = {
    "csa parse and prove": (20, ("wcsc28.csa", "milliseconds.csa", "three-games.csa", "sennichite.csa", "mate.csa")),
    "kif parse and prove": (20, ("variations.kif", "cp932-names.kif", "two-piece-handicap.kif", "tsume.kif", "mate.kif")),
    "csa to kif": (10, ("wcsc28.csa", "milliseconds.csa", "three-games.csa", "sennichite.csa", "mate.csa")),
    "perft 3": (2, ()),
}


def works() -> dict[str, Callable[[], object]]:
    """The jobs, ready to run once."""
    from kifu.notation import read, writer
    from kifu.replay import replay
    from kifu.rules.position import Position

    def texts(job: str) -> list[str]:
        from kifu.text import decode

        return [decode((ROOT / "sample_games" / name).read_bytes()).text for name in JOBS[job][1]]

    def prove(notation: str, given: list[str]) -> Callable[[], object]:
        return lambda: [replay(record).verdict for text in given for record in read(text, notation)]

    def convert(given: list[str]) -> Callable[[], object]:
        return lambda: [writer("kif").write(replay(record)) for text in given for record in read(text, "csa")]

    return {"csa parse and prove": prove("csa", texts("csa parse and prove")),
            "kif parse and prove": prove("kif", texts("kif parse and prove")),
            "csa to kif": convert(texts("csa to kif")),
            "perft 3": lambda: Position().perft(3)}


def work(job: str) -> None:
    """Run every job once, then the one that is named as often as it says: this is what Valgrind watches."""
    ready = works()
    for one in ready.values():
        one()
    for _ in range(JOBS[job][0] if job else 0):
        ready[job]()


def run(job: str, keep: Path | None = None) -> int:
    """Instructions of a whole run with a job; of one without a job where ``job`` is empty."""
    out = str(keep / f"callgrind.out.{job.replace(' ', '-') or 'start-up'}") if keep else os.devnull
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "KIFU"))}
    environ |= {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", sys.executable, "-m",
                           "tests.bench.instructions", "--work", job], cwd=ROOT, env=environ, capture_output=True,
                          encoding="utf-8", errors="replace", check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        raise RuntimeError(f"valgrind left with {done.returncode}:\n{done.stderr[-2000:]}")
    return int(found[1])


def count(keep: Path | None = None) -> dict[str, int]:
    """Instructions of one repetition of each job."""
    with ThreadPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        totals = dict(zip(["", *JOBS], pool.map(lambda job: run(job, keep), ["", *JOBS]), strict=True))
    return {job: (totals[job] - totals[""]) // repetitions for job, (repetitions, _) in JOBS.items()}


def circumstances() -> dict[str, str]:
    """What the counts depend on besides our own code."""
    from kifu._core import build_kind

    games = hashlib.sha256()
    for name in sorted({name for _, names in JOBS.values() for name in names}):
        games.update((ROOT / "sample_games" / name).read_bytes())
    import kifu.notation.assemble  # a compiled module, so that the version of its maker is known

    assert kifu
    cython = next((name for name in sys.modules if name.startswith("_cython_")), "none").removeprefix("_cython_")
    compiler = (sysconfig.get_config_var("CC") or "").split()[:1]
    said = subprocess.run([*compiler, "--version"], capture_output=True, encoding="utf-8", check=False).stdout \
        if compiler and shutil.which(compiler[0]) else ""
    return {"python": platform.python_version(), "machine": platform.machine(), "core": build_kind(), "cython": cython.replace("_", "."),
            "compiler": said.splitlines()[0] if said else "unknown", "games": games.hexdigest()[:16]}


def compared(before: Mapping[str, Any], now: Mapping[str, Any], limit: float = LIMIT) -> tuple[str, list[str]]:
    """A table of both, and the jobs that became slower by more than ``limit`` percent.

    >>> print(compared({"counts": {"a": 100}}, {"counts": {"a": 105}})[1])
    ['a']
    """
    rows, slower = [], []
    for job, value in now["counts"].items():
        old = before["counts"].get(job)
        change = (value - old) / old * 100 if old else None
        if change is not None and change > limit:
            slower.append(job)
        rows.append([job, f"{old:,}" if old else "-", f"{value:,}", "new" if change is None else f"{change:+.2f} %"])
    return text_table(["instructions a repetition", "recorded", "now", "change"], rows), slower


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is not as it was when the numbers were recorded, apart from our own code.

    >>> differences({"circumstances": {"python": "3.11"}}, {"circumstances": {"python": "3.12"}})
    ['python: 3.11, now 3.12']
    """
    old, new = before["circumstances"], now["circumstances"]
    return [f"{name}: {old.get(name, 'unknown')}, now {value}" for name, value in new.items() if old.get(name) != value]


def main(arguments: list[str] | None = None) -> int:
    """Count, and compare or record."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.instructions", description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--compare", action="store_true", help=f"leave with 1 where a job takes over {LIMIT:g} %% more")
    options.add_argument("--record", action="store_true", help="record the numbers instead of comparing them")
    options.add_argument("--keep", type=Path, metavar="FOLDER", help="keep Valgrind's files here")
    options.add_argument("--file", type=Path, default=RECORDED, help=argparse.SUPPRESS)
    options.add_argument("--work", metavar="JOB", help=argparse.SUPPRESS)
    chosen = options.parse_args(arguments)
    if chosen.work is not None:
        work(chosen.work)
        return 0
    if shutil.which("valgrind") is None:
        print("instructions: skipped, since there is no valgrind here", file=sys.stderr)
        return 0
    if chosen.keep:
        chosen.keep.mkdir(parents=True, exist_ok=True)
    now = {"circumstances": circumstances(), "counts": count(chosen.keep)}
    if chosen.record:
        chosen.file.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if not chosen.file.exists():
        print(compared({"counts": {}}, now)[0])
        return 0
    return judge(json.loads(chosen.file.read_text(encoding="utf-8")), now, chosen.compare)


def judge(before: Mapping[str, Any], now: Mapping[str, Any], strict: bool) -> int:
    """Print the comparison; the exit status: 1 where ``strict`` and a job became slower under the same circumstances."""
    table, slower = compared(before, now)
    print(table)
    if other := differences(before, now):
        print("Nothing is concluded, since the numbers were recorded elsewhere: " + "; ".join(other))
        return 0
    if slower:
        print(f"over {LIMIT:g} % more: {', '.join(slower)}")
    return int(strict and bool(slower))


if __name__ == "__main__":
    sys.exit(main())
