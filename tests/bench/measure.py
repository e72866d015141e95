"""Measuring: CPU seconds of work in this process, and what a child process cost, in rounds in which all take turns.

Taking turns, a busy machine disturbs all programs alike. Garbage collection stays on, since users have it on.
"""
from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIMED = Path(__file__).parent / "scripts" / "timed.py"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a piece of work cost: CPU and wall-clock seconds, and the most memory that one process held, in bytes."""

    cpu: float
    wall: float
    peak: int = 0


#: Something that can be measured: it does its work and says what that cost.
Job = Callable[[], Usage]


def inside(work: Callable[[], object]) -> Job:
    """Work in this process."""
    def job() -> Usage:
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        return Usage(time.process_time() - cpu, time.perf_counter() - wall)
    return job


def process(command: Sequence[str | os.PathLike[str]], status: Sequence[int] = (0,)) -> Job:
    """A whole process and all that it starts; `RuntimeError` where it leaves with another exit status."""
    def job() -> Usage:
        return spend(command, status)
    return job


def spend(command: Sequence[str | os.PathLike[str]], status: Sequence[int] = (0,)) -> Usage:
    """Run a command, its output thrown away, and say what it cost.

    A small process starts it and waits for it, because the peak memory of a child is never less than that of the
    process that started it.
    """
    environ = {name: value for name, value in os.environ.items()
               if name not in ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")}  # as users run it
    done = subprocess.run([sys.executable, "-I", "-S", str(TIMED), *map(str, command)], env=environ,
                          capture_output=True, check=False)
    said: dict[str, Any] = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {"status": "none"}
    if said["status"] not in status:
        told = done.stderr.decode("utf-8", "replace")[-2000:]
        raise RuntimeError(f"{' '.join(map(str, command))[:200]}: exit status {said['status']}\n{told}")
    return Usage(said["cpu"], said["wall"], said["peak"])


def rounds(jobs: Mapping[str, Job], count: int, warm_up: bool = True) -> dict[str, list[Usage]]:
    """What each job cost in ``count`` rounds, after one that does not count."""
    found: dict[str, list[Usage]] = {label: [] for label in jobs}
    for number in range(-int(warm_up), count):
        for label, job in jobs.items():
            usage = job()
            if number >= 0:
                found[label].append(usage)
    return found


def two_at_once() -> float:
    """How many times the work of one process two do at once, in something that needs nothing but a processor."""
    count = [sys.executable, "-I", "-S", "-c", "for _ in range(8_000_000): pass"]

    def seconds(processes: int) -> float:
        start = time.perf_counter()
        for child in [subprocess.Popen(count) for _ in range(processes)]:
            child.wait()
        return time.perf_counter() - start
    return 2 * median([seconds(1) for _ in range(3)]) / median([seconds(2) for _ in range(3)])


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def least(works: Mapping[str, Callable[[], object]], count: int) -> dict[str, float]:
    """CPU seconds of each work at its fastest: on a busy machine the steadiest number, as noise only ever adds."""
    return {label: min(usage.cpu for usage in usages)
            for label, usages in rounds({label: inside(work) for label, work in works.items()}, count).items()}


def processor() -> str:
    """The processor's name and how many of it this process may use."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name} x {count}"


def about() -> dict[str, str]:
    """What was measured, and on what."""
    import kifu
    from kifu._core import build_kind

    return {"kifu": kifu.__version__, "core": build_kind(), "python": platform.python_version(),
            "processor": processor(), "system": f"{platform.system()} {platform.release()}",
            "date": time.strftime("%Y-%m-%d")}


def told(facts: Mapping[str, str]) -> str:
    """The same in one line."""
    return (f"kifu {facts['kifu']} ({facts['core']}), Python {facts['python']}, {facts['processor']}, "
            f"{facts['system']}, {facts['date']}")
