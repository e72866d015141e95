"""A row measured: its numbers, what they are beside the others', whether the target is reached; and the table of all."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.bench import measure as measuring
from tests.bench.measure import Usage
from tests.bench.rows import RATES, Beside, Bound, Row
from tests.bench.table import markdown_table, text_table

HEAD = ("work", "unit", "kifu", "beside it (kifu is … times as fast)", "target", "floor")

ABOUT = ("games", "rounds", "whole processes", "two processes", "load average")


@dataclass(slots=True)
class Result:
    """What was measured for a row: a number a program, all that was taken, and what became of the targets."""

    row: Row
    values: dict[str, float]
    floors: dict[str, float]
    usages: dict[str, list[Usage]]
    targets: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Everything, for bench/results.json."""
        own = self.values["kifu"]
        return {
            "key": self.row.key, "work": self.row.title, "unit": self.row.unit, "values": self.values,
            "ratios": {label: ratio(self.row.unit, own, value) for label, value in self.values.items() if label != "kifu"},
            "targets": self.targets, "floors": self.floors,
            "raw": {label: [{"cpu": one.cpu, "wall": one.wall, "peak": one.peak} for one in several]
                    for label, several in self.usages.items()},
        }


def measure(row: Row, earlier: list[Result], rounds: int) -> Result:
    """Run the jobs of a row, or read the runs of an earlier one."""
    if row.same_runs:
        usages = next(one for one in earlier if one.row.key == row.same_runs).usages
    else:
        usages = measuring.rounds(row.jobs, row.rounds or rounds, row.warm_up)
    below = measuring.rounds(row.floors, min(3, row.rounds or rounds))
    result = Result(row, _medians(row, usages), _medians(row, below), usages)
    result.targets = [judged(row, result.values, target, earlier) for target in row.targets]
    return result


def _medians(row: Row, usages: dict[str, list[Usage]]) -> dict[str, float]:
    return {label: row.value(measuring.median([row.take(one) for one in several])) for label, several in usages.items()}


def ratio(unit: str, own: float, other: float) -> float:
    """How many times as fast (or as small) ours is.

    >>> ratio("games/s", 200, 100), ratio("ms", 50, 100)
    (2.0, 2.0)
    """
    above, below = (own, other) if unit in RATES else (other, own)
    return above / below if below else 0.0


def judged(row: Row, values: dict[str, float], target: Beside | Bound, earlier: list[Result]) -> dict[str, Any]:
    """A target in words, how far ours is, and whether that reaches it; ``reached`` is None where nobody is beside us."""
    own = values["kifu"]
    if isinstance(target, Bound):
        reached = own >= target.value if row.unit in RATES else own < target.value
        words = f"{'at least' if row.unit in RATES else 'under'} {number(target.value)}"
        return {"target": words, "ratio": None, "reached": reached}
    known = {**{f"{one.row.key}/{label}": value for one in earlier for label, value in one.values.items()}, **values}
    ratios = [ratio(row.unit, own, known[label]) for label in target.labels if label in known]
    words = f"{target.times:g} × {target.name or target.labels[0]}"
    if not ratios:
        return {"target": words, "ratio": None, "reached": None}
    return {"target": words, "ratio": min(ratios), "reached": min(ratios) >= target.times}


def number(value: float) -> str:
    """A number as people read it: three digits or all of them.

    >>> number(1234567.8), number(61.23), number(2.345)
    ('1,234,568', '61.2', '2.35')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def shown(found: dict[str, Any], markdown: bool = False) -> str:
    """The table of a run, below a line that says what was measured on what."""
    about = found["about"]
    head = measuring.told(about) + "; " + ", ".join(
        [*(f"{name} {version}" for name, version in found["peers"].items()),
         *(f"{name}: {about[name]}" for name in ABOUT if name in about)])
    cells = [[row["work"], row["unit"], number(row["values"]["kifu"]), _beside(row), _targets(row), _floors(row)]
             for row in found["rows"]]
    return f"{head}\n\n{markdown_table(HEAD, cells, (0, 1, 3, 4, 5))}" if markdown else \
        f"{head}\n\n{text_table(HEAD, cells, (0, 1, 3, 4, 5))}"


def _beside(row: dict[str, Any]) -> str:
    return "\n".join(f"{label}: {number(row['values'][label])} ({times:.2f} ×)" for label, times in row["ratios"].items())


def _targets(row: dict[str, Any]) -> str:
    words = {True: "reached", False: "MISSED", None: "not measured"}
    return "\n".join(f"{one['target']}: {words[one['reached']]}" + (f" ({one['ratio']:.2f} ×)" if one["ratio"] else "")
                     for one in row["targets"])


def _floors(row: dict[str, Any]) -> str:
    return "\n".join(f"{label}: {number(value)}" for label, value in row["floors"].items())
