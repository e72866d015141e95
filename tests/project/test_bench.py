"""The bench itself: its games are legal and the same every time, it runs without peers, and it notices a change.

Nothing here asserts how long anything takes.
"""
from __future__ import annotations

import doctest
import importlib
import json
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import ClassVar

import pytest

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # `pytest` alone, unlike `python -m pytest`, does not add it
    sys.path.insert(0, str(ROOT))

from kifu._core import interpreted_wanted  # noqa: E402
from kifu.notation import read  # noqa: E402
from kifu.replay import replay  # noqa: E402
from tests.bench import __main__ as bench  # noqa: E402
from tests.bench import corpus, database, games, growth, instructions, measure, prepare, report, rows, stages  # noqa: E402

TINY = ["--no-peers", "--here", "--rounds", "1", "--games", "3", "--files", "3", "--big", "20000", "--load", "3"]


@pytest.mark.parametrize("name", ["corpus", "database", "games", "growth", "instructions", "report", "table"])
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"tests.bench.{name}")).failed == 0


class TestGames:
    """Games made by seed."""

    def test_they_are_legal_and_the_same_in_every_notation(self) -> None:
        drawn = [games.draw(7, number, plies=60) for number in range(4)]
        csa = [games.csa(game) for game in drawn]
        texts = {"csa": csa, "usi": [games.usi(one) for one in drawn],
                 **{notation: games.converted(csa, notation) for notation in ("kif", "ki2", "jkf", "western")}}
        for notation, several in texts.items():
            for game, text in zip(drawn, several, strict=True):
                [record] = read(text, notation)
                proven = replay(record)
                assert proven.verdict == "legal"
                assert [move & (1 << 18) - 1 for move in proven.moves] == [move & (1 << 18) - 1 for move in game.moves]
                assert max(Counter(proven.keys).values()) == 1  # no position twice
                if notation not in ("usi", "ki2"):
                    assert proven.milliseconds == [1000 * seconds for seconds in game.seconds[:-1]]
                if notation != "usi":
                    assert [record.header("black"), record.header("white")] == list(game.names)

    def test_they_depend_on_seed_and_number_alone(self) -> None:
        assert games.draw(1, 3, plies=40) == games.draw(1, 3, plies=40)
        assert games.draw(1, 3, plies=40).usi != games.draw(1, 4, plies=40).usi
        assert games.draw(1, 3, plies=40).usi != games.draw(2, 3, plies=40).usi

    def test_a_game_of_record(self) -> None:
        """The same moves with every version of Python and of kifu, or numbers of different days could not be compared."""
        assert " ".join(games.draw(1, 0, plies=8).usi) == "2h4h 7c7d 7g7f 8c8d 7i7h 2c2d 7f7e 3a4b"

    def test_files_are_made_once(self, tmp_path: Path) -> None:
        made = corpus.files(tmp_path, 2)
        assert [sorted(path.name for path in folder.iterdir()) for several in made.values() for folder in several] == [
            ["000000.csa", "000001.csa"], ["000000.kif", "000001.kif"]]
        before = made["csa"][0].stat().st_mtime_ns
        assert corpus.files(tmp_path, 2) == made
        assert made["csa"][0].stat().st_mtime_ns == before
        path, count = corpus.big(tmp_path, 10_000, made["csa"][0])
        assert path.stat().st_size >= 10_000
        assert len(list(read(path.read_text(encoding="utf-8"), "csa"))) == count

    def test_without_the_maker_beside_the_project(self, tmp_path: Path) -> None:
        small = corpus.small(tmp_path, 2, maker=tmp_path / "none")
        assert small.made_by == "tests.bench"
        assert {notation: len(texts) for notation, texts in small.texts.items()} == dict.fromkeys(
            ("csa", "kif", "western", "ki2", "jkf", "usi"), 2)
        assert set(small.entries) == {"psv", "hcpe"}
        assert {len(list(read(data, notation))) for notation, data in small.entries.items()} == {
            sum(len(line.split()) - 3 for line in small.texts["usi"])}
        assert all(path.exists() for notation in small.texts for path in [small.whole(notation), *small.paths(notation)])


@pytest.mark.skipif(interpreted_wanted(), reason="perft of depth 4 takes a minute interpreted, and nothing else differs")
def test_the_whole_table_without_peers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([*TINY, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    found = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert {"kifu", "core", "python", "processor", "date", "games"} <= set(found["about"])
    assert len(found["rows"]) == 26
    assert all(row["values"]["kifu"] > 0 and row["work"] in printed for row in found["rows"])
    assert all(row["floors"] for row in found["rows"] if row["key"] in ("csa", "kif", "check-csa", "big", "load"))
    assert bench.main(["--results", str(tmp_path / "results.json"), "--markdown"]) == 0
    assert capsys.readouterr().out.count("\n| ") == 1 + len(found["rows"])


class TestTargets:
    """Numbers made up."""

    @staticmethod
    def row(unit: str, *targets: rows.Beside | rows.Bound) -> rows.Row:
        return rows.Row("key", "some work", unit, targets=targets)

    def judged(self, row: rows.Row, **values: float) -> list[tuple[float | None, bool | None]]:
        found = [report.judged(row, values, target, []) for target in row.targets]
        return [(one["ratio"], one["reached"]) for one in found]

    def test_beside_the_best_peer(self) -> None:
        row = self.row("games/s", rows.Beside(2, ("a", "b")), rows.Beside(4, ("a",)), rows.Beside(1, ("nobody",)))
        assert self.judged(row, kifu=300, a=100, b=150) == [(2.0, True), (3.0, False), (None, None)]

    def test_bounds_look_the_right_way(self) -> None:
        assert self.judged(self.row("games/s", rows.Bound(4000)), kifu=4000) == [(None, True)]
        assert self.judged(self.row("games/s", rows.Bound(4000)), kifu=3999) == [(None, False)]
        assert self.judged(self.row("ms", rows.Bound(70)), kifu=69) == [(None, True)]
        assert self.judged(self.row("MB", rows.Bound(300)), kifu=300) == [(None, False)]

    def test_a_row_that_is_lost_says_so(self) -> None:
        row = self.row("games/s", rows.Beside(2, ("a",)))
        result = report.Result(row, {"kifu": 50.0, "a": 100.0}, {}, {})
        result.targets = [report.judged(row, result.values, target, []) for target in row.targets]
        table = report.shown({"about": measure.about(), "peers": {"a": "1.0"}, "rows": [result.as_json()]})
        assert "a: 100 (0.50 ×)" in table
        assert "2 × a: MISSED (0.50 ×)" in table


class TestMeasuring:
    """Processes and rounds."""

    def test_what_a_process_cost(self) -> None:
        used = measure.spend([sys.executable, "-I", "-S", "-c", "x = bytearray(60_000_000)"])
        assert used.wall > 0
        assert used.cpu > 0
        assert 60e6 < used.peak < 120e6

    def test_a_process_that_fails_is_no_measurement(self) -> None:
        with pytest.raises(RuntimeError, match="exit status 3"):
            measure.spend([sys.executable, "-c", "raise SystemExit(3)"])

    def test_all_take_turns_and_the_first_round_warms_up(self) -> None:
        calls: list[str] = []
        jobs = {name: measure.inside(lambda name=name: calls.append(name)) for name in "ab"}  # type: ignore[misc]
        assert {name: len(usages) for name, usages in measure.rounds(jobs, 2).items()} == {"a": 2, "b": 2}
        assert calls == list("ababab")


def test_stages_add_up() -> None:
    """Every stage of every notation is there, and shares are those of the sum."""
    texts = stages.corpus(2)
    found = {name: stages.stages(texts[name], name, 2, 1) for name in stages.NOTATIONS}
    assert all(tuple(one) == stages.STAGES for one in found.values())
    assert "together" in stages.shown(found)


@pytest.mark.parametrize("only", ["csa", "variations", "usi"])
def test_growth_runs(only: str, capsys: pytest.CaptureFixture[str]) -> None:
    """At sizes too small to say anything."""
    growth.main(["--only", only, "--scale", "100", "--rounds", "1"])
    assert only in capsys.readouterr().out


def test_databases_of_two_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                capsys: pytest.CaptureFixture[str]) -> None:
    """Games that follow each other share positions; both sizes stand in one table, and in the file."""
    monkeypatch.setattr(database, "CHUNK", 12)  # workers are copies of this process
    monkeypatch.setattr(database, "ROUNDS", 1)
    assert database.main(["--sizes", "12,24", "--jobs", "1", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "12 games" in shown and "24 games" in shown
    found = json.loads((tmp_path / "database.json").read_text(encoding="utf-8"))["sizes"]
    assert [column["games"] for column in found] == [12, 24]
    assert found[1]["positions"] > found[0]["positions"] > 12 * 60
    assert "tree, position of 5 games, ms warm" in found[1]


def test_growth_notices_what_is_not_linear() -> None:
    table = growth.shown([{"what": "a", "sizes": (1, 10, 100), "ns": [10.0, 20.0, 30.0], "factor": growth.factor([10.0, 20.0, 30.0])},
                          {"what": "b", "sizes": (1, 10, 100), "ns": [90.0, 20.0, 25.0], "factor": growth.factor([90.0, 20.0, 25.0])}])
    assert [line.split()[0] for line in table.splitlines() if "NOT LINEAR" in line] == ["a"]


class TestInstructions:
    """The comparison, on numbers made up."""

    BEFORE: ClassVar = {"circumstances": {"python": "3.11.7", "cython": "3.3"}, "counts": {"a": 1000, "b": 1000}}

    def after(self, python: str = "3.11.7", **counts: int) -> dict[str, object]:
        return {"circumstances": {"python": python, "cython": "3.3"}, "counts": counts}

    def test_a_slowdown_fails(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert instructions.judge(self.BEFORE, self.after(a=1031, b=900), strict=True) == 1
        assert "over 3 % more: a" in capsys.readouterr().out

    def test_little_more_or_less_does_not(self) -> None:
        assert instructions.judge(self.BEFORE, self.after(a=1030, b=500), strict=True) == 0
        assert instructions.judge(self.BEFORE, self.after(a=2000, b=500), strict=False) == 0

    def test_another_python_proves_nothing(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert instructions.judge(self.BEFORE, self.after("3.12.1", a=2000, b=2000), strict=True) == 0
        assert "python: 3.11.7, now 3.12.1" in capsys.readouterr().out

    def test_what_is_recorded_is_what_is_counted(self) -> None:
        recorded = json.loads(instructions.RECORDED.read_text(encoding="utf-8"))
        assert set(recorded["counts"]) == set(instructions.JOBS)
        assert set(recorded["circumstances"]) == set(instructions.circumstances())

    def test_the_jobs_run(self) -> None:
        for job in instructions.works().values():
            assert job()

    def test_without_valgrind(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setattr(shutil, "which", lambda name: None)
        assert instructions.main(["--compare"]) == 0
        assert "no valgrind" in capsys.readouterr().err


def test_the_installation_is_renewed_when_a_source_changes() -> None:
    """What an installation is made from has every file of the package in it."""
    names = {path.relative_to(ROOT).as_posix() for path in prepare._files()}
    assert {"kifu/replay.py", "cli/check.py", "grammars/csa.lark", "pyproject.toml", "kifu/store/schema.sql"} <= names
    assert prepare.digest() == prepare.digest()
