"""The rows of the table: what is done, by whom, on how much, what it should reach, and the floor below it.

    in_memory(...)    work on texts in this process
    processes(...)    whole processes on files
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kifu.notation import entry_size, read, writer
from kifu.replay import replay
from kifu.rules.position import Position
from tests.bench import corpus, peers
from tests.bench.measure import Job, Usage, inside, process
from tests.bench.prepare import Programs

RATES = ("games/s", "moves/s", "entries/s", "nodes/s")  # more is better; in all other units less is
READ, WC = "reading the bytes", "wc -l"
#: With it a peer's process gets memory in large steps. Without it rsshogi spends most of its time, in some runs and not in
#: others, on giving memory back to the system and asking for it again, and a peer is to be seen at its best.
KEEP_MEMORY = "MALLOC_TOP_PAD_=67108864"
START_NODES = 719_731  # perft of the start position, depth 4


@dataclass(frozen=True, slots=True)
class Beside:
    """Ours is to be ``times`` as fast as the best of these: labels of the same row, or ``row/label`` of an earlier one."""

    times: float
    labels: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Bound:
    """Ours is to be at least this (a rate), or less than this (a cost)."""

    value: float


@dataclass(slots=True)
class Row:
    """One row. ``jobs`` has ours as ``kifu``, then the others; ``amount`` is how much one run of a job does.

    ``same_runs`` names an earlier row whose runs this one reads in another way. ``take`` picks the seconds (or bytes) that
    count out of what a run cost.
    """

    key: str
    title: str
    unit: str
    jobs: dict[str, Job] = field(default_factory=dict)
    amount: float = 1
    take: Callable[[Usage], float] = lambda usage: usage.cpu
    targets: tuple[Beside | Bound, ...] = ()
    floors: dict[str, Job] = field(default_factory=dict)
    floor_amount: float | None = None
    rounds: int | None = None
    warm_up: bool = True
    same_runs: str = ""

    def value(self, cost: float, amount: float | None = None) -> float:
        """What stands in the table for what a run cost."""
        if self.unit in RATES:
            return (amount or self.amount) / max(cost, 1e-9)
        return cost * {"ms": 1e3, "MB": 1e-6}[self.unit]


def wall(usage: Usage) -> float:
    """Seconds by the clock on the wall."""
    return usage.wall


def peak(usage: Usage) -> float:
    """Bytes of the largest process."""
    return usage.peak


def prove(notation: str, texts: Sequence[str | bytes]) -> Job:
    """Parse and prove texts as a user of the package does, keeping all diagnostics; every game must be legal."""
    def work() -> None:
        for text in texts:
            for record in read(text, notation):
                game = replay(record)
                if game.verdict != "legal":
                    raise AssertionError(f"{notation}: {game.verdict}: {game.diagnostics[:1]}")
    return inside(work)


def convert(notation: str, target: str, texts: list[str]) -> Job:
    """Parse, prove and write texts in another notation."""
    def work() -> None:
        for text in texts:
            out = writer(target)
            for record in read(text, notation):
                out.write(replay(record))
    return inside(work)


def perft() -> None:
    """Count the lines of four moves from the start position."""
    if Position().perft(4) != START_NODES:
        raise AssertionError("perft is wrong")


def others(works: Mapping[str, peers.Work], texts: Sequence[str | bytes], note: str = "") -> dict[str, Job]:
    """The peers' jobs on the same texts."""
    def job(work: peers.Work) -> Job:
        def run() -> None:
            for text in texts:
                work(text)
        return inside(run)
    return {label + note: job(work) for label, work in works.items()}


def floors(paths: list[Path], python: Path | None = None) -> dict[str, Job]:
    """Reading these files and no more: within this process, or in one of ``python``; and ``wc -l``."""
    if python is None:
        reading: Job = inside(lambda: [path.read_bytes().decode() for path in paths])
    else:
        reading = process([python, "-I", "-S", peers.SCRIPTS / "read_files.py", *paths])
    if all(path.is_dir() for path in paths):
        counting = process(["sh", "-c", 'find "$@" -type f -print0 | xargs -0 wc -l', "sh", *paths])
    else:
        counting = process(["wc", "-l", *paths])
    return {READ: reading, WC: counting}


def in_memory(small: corpus.Small, packages: dict[str, str], node: peers.Node | None) -> Iterator[Row]:
    """Rows of work on texts in this process."""
    works = peers.works(packages)
    texts = small.texts
    count = len(texts["csa"])
    moves = sum(len(line.split()) - 3 for line in texts["usi"])
    whole = {notation: [small.whole(notation).read_text(encoding="utf-8")] for notation in texts}

    def with_node(task: str) -> dict[str, Job]:
        return {"tsshogi": node.job(task, small.paths(task.split("-")[0]))} if node else {}

    csa_target = (Beside(2, ("cshogi",)), Beside(1, ("cshogi, parse only",)))
    kif_best = ("cshogi", "rsshogi", "tsshogi")
    yield Row("csa", "CSA, parse and legality, a game a call", "games/s",
              {"kifu": prove("csa", texts["csa"]), **others(works["csa"], texts["csa"]), **with_node("csa")},
              count, targets=csa_target, floors=floors(small.paths("csa")))
    yield Row("csa-all", "CSA, parse and legality, all games in one call", "games/s",
              {"kifu": prove("csa", whole["csa"]), **others(works["csa-all"], whole["csa"])},
              count, targets=csa_target, floors=floors([small.whole("csa")]))
    yield Row("kif", "KIF, parse and legality, a game a call", "games/s",
              {"kifu": prove("kif", texts["kif"]), **others(works["kif"], texts["kif"]), **with_node("kif")},
              count, targets=(Beside(8, kif_best, "the best peer"),), floors=floors(small.paths("kif")))
    yield Row("kif-all", "KIF, parse and legality, all games in one call", "games/s",
              {"kifu": prove("kif", whole["kif"]), **others({label: work for label, work in works["kif"].items()
                                                             if label in kif_best}, texts["kif"], ", a game a call")},
              count, targets=(Beside(8, tuple(f"{label}, a game a call" for label in kif_best), "the best peer"),),
              floors=floors([small.whole("kif")]))
    beside_them = (Beside(1, ("rsshogi", "tsshogi"), "the best peer"),)
    for notation, target in (("ki2", (Beside(8, ("rsshogi", "tsshogi"), "the best peer"),)), ("jkf", beside_them)):
        yield Row(notation, f"{notation.upper()}, parse and legality, a game a call", "games/s",
                  {"kifu": prove(notation, texts[notation]), **others(works[notation], texts[notation]),
                   **with_node(notation)},
                  count, targets=target, floors=floors(small.paths(notation)))
    yield Row("western", "western (Hodges), parse and legality, a game a call", "games/s",
              {"kifu": prove("western", texts["western"]), "kifu, the games as CSA": prove("csa", texts["csa"])},
              count, targets=(Beside(0.5, ("kifu, the games as CSA",)),), floors=floors(small.paths("western")))
    yield Row("usi", "USI lines, parse and legality, a line a call", "moves/s",
              {"kifu": prove("usi", texts["usi"]), **others(works["usi"], texts["usi"])},
              moves, targets=(Beside(1, ("cshogi push_usi, split before",)),), floors=floors([small.whole("usi")]))
    yield Row("usi-all", "USI lines, parse and legality, all lines in one call", "moves/s",
              {"kifu": prove("usi", whole["usi"]), **others(works["usi"], texts["usi"])},
              moves, targets=(Beside(1, ("cshogi push_usi, split before",)),), floors=floors([small.whole("usi")]))
    for source, target in (("csa", "kif"), ("kif", "csa")):
        kind = f"{source}-to-{target}"
        yield Row(kind, f"{source.upper()} to {target.upper()}, a game a call", "games/s",
                  {"kifu": convert(source, target, texts[source]), **others(works[kind], texts[source]),
                   **with_node(kind)},
                  count, targets=(Beside(4, kif_best, "the best peer"),), floors=floors(small.paths(source)))
    yield Row("kif-to-ki2", "KIF to KI2, a game a call", "games/s",
              {"kifu": convert("kif", "ki2", texts["kif"]), **others(works["kif-to-ki2"], texts["kif"]),
               **with_node("kif-to-ki2")},
              count, targets=beside_them, floors=floors(small.paths("kif")))
    for notation, data in small.entries.items():
        yield Row(notation, f"{notation}, decode and legality of each move, all entries in one call", "entries/s",
                  {"kifu": prove(notation, [data]), **others(works[notation], [data])},
                  len(data) // entry_size(notation), targets=(Beside(1, ("cshogi", "rsshogi"), "the best peer"),),
                  floors={READ: inside(small.whole(notation).read_bytes)})
    yield Row("perft", "perft of the start position, depth 4", "nodes/s",
              {"kifu": inside(perft), **others(works["perft"], [""])}, START_NODES, targets=(Bound(10e6),))


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much work whole processes get."""

    files: int
    big: int  # bytes
    load: int  # games


def processes(folder: Path, programs: Programs, sizes: Sizes, rounds: int) -> Iterator[Row]:
    """Rows of whole processes on files: CPU time of a process and its children unless the title says otherwise.

    Work of many seconds is done in fewer rounds than ``rounds``, a start in more.
    """
    few = min(3, rounds)
    made = corpus.files(folder, sizes.files)

    def proving(program: str, notation: str) -> dict[str, Job]:
        if program not in programs.packages:
            return {}
        return {f"{program} script": process(["env", KEEP_MEMORY, programs.python, peers.SCRIPTS / "prove_files.py",
                                              program, notation, *made[notation]])}

    def check(jobs: int, *paths: Path) -> Job:
        return process([*programs.kifu, "check", "--quiet", "--jobs", str(jobs), *map(str, paths)])

    for notation, target in (("csa", Beside(1.5, ("cshogi script",))), ("kif", Beside(6, ("cshogi script", "rsshogi script"),
                                                                                      "the best peer"))):
        name = f"kifu check of {sizes.files:,} {notation.upper()} files"
        yield Row(f"check-{notation}", f"{name}, 1 job", "games/s",
                  {"kifu": check(1, *made[notation]), **proving("cshogi", notation), **proving("rsshogi", notation)},
                  sizes.files, targets=(target,), floors=floors(made[notation], programs.python), rounds=few)
        yield Row(f"check-{notation}-2", f"{name}, 2 jobs, by the clock", "games/s",
                  {"kifu": check(2, *made[notation]), "kifu, 1 job": check(1, *made[notation])},
                  sizes.files, take=wall, targets=(Beside(1.8, ("kifu, 1 job",)),), rounds=few, warm_up=False)
    first = made["csa"][0]
    yield from _big(programs, sizes.big, corpus.big(folder, sizes.big, first), check)
    yield _load(folder, programs, sizes)
    yield from _starts(programs, first / "000000.csa", 2 * rounds + 1)


def _big(programs: Programs, size: int, made: tuple[Path, int], check: Callable[..., Job]) -> Iterator[Row]:
    path, count = made
    title = f"kifu check of one CSA file of {size / 1e6:,.0f} MB"
    once: dict[str, Any] = {"rounds": 1, "warm_up": False}
    yield Row("big", f"{title}, 1 job", "games/s", {"kifu": check(1, path)}, count,
              targets=(Beside(1, ("check-csa/kifu",), "the small files"),), floors=floors([path], programs.python), **once)
    yield Row("big-peak", f"{title}, 1 job, peak memory", "MB", take=peak, targets=(Bound(300),), same_runs="big")
    yield Row("big-2", f"{title}, 2 jobs, by the clock", "games/s", {"kifu": check(2, path)}, count, take=wall, **once)
    yield Row("big-2-peak", f"{title}, 2 jobs, peak memory of the largest process", "MB", take=peak,
              targets=(Bound(300),), same_runs="big-2")


def _load(folder: Path, programs: Programs, sizes: Sizes) -> Row:
    made = corpus.files(folder, sizes.load)["csa"]
    database = folder / "load.duckdb"
    loading = process([*programs.kifu, "load", "--quiet", "--jobs", "2", "--db", str(database), *map(str, made)])

    def job() -> Usage:
        for path in folder.glob("load.duckdb*"):
            path.unlink()
        return loading()
    return Row("load", f"kifu load of {sizes.load:,} CSA files, 2 jobs, plies and openings, by the clock", "games/s",
               {"kifu": job}, sizes.load, take=wall, targets=(Bound(4000),), floors=floors(made, programs.python),
               rounds=1)


def _starts(programs: Programs, one: Path, rounds: int) -> Iterator[Row]:
    python = programs.python
    nothing = {"python -I -S -c pass": process([python, "-I", "-S", "-c", "pass"]),
               "python -c pass": process([python, "-c", "pass"])}
    script = peers.SCRIPTS / "convert_one.py"
    jobs = {"kifu": process([*programs.kifu, "convert", one, "--to", "kif"])}
    jobs |= {f"{name} script": process([python, script, name, one]) for name in ("cshogi", "rsshogi") if name in programs.packages}
    if programs.node:
        jobs["tsshogi script"] = process(["node", peers.SCRIPTS / "tsshogi.mjs", programs.node, "--convert", one])
    yield Row("start-convert", "cold start: kifu convert of one CSA file to KIF", "ms", jobs, targets=(Bound(70),),
              floors=nothing, rounds=rounds)
    yield Row("start-help", "cold start: kifu --help", "ms", {"kifu": process([*programs.kifu, "--help"])},
              targets=(Bound(70),), floors=nothing, rounds=rounds)
