"""Every diagnostic has a folder with a record that triggers it and one that does not."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kifu import text
from kifu.diagnostics import RULES
from kifu.notation import detect, read
from kifu.replay import replay

sys.path.insert(0, str(Path(__file__).parent))
from examples import BY_PIPELINE, FOLDERS, NOTATION, answers, entries, is_problem, mode

#: What no small file shows: found by the layers around the readers and tested beside them, in tests/pipeline, tests/cli.
ELSEWHERE = {"unreadable-file", "too-large", "internal-error"}
PROBLEMS = [folder for folder in FOLDERS if is_problem(folder)]
IN_TEXT = [folder for folder in FOLDERS if not {path.suffix for path in folder.iterdir()} & BY_PIPELINE]


def findings(path: Path) -> list[tuple[str, str]]:
    """(code, name) of all findings in a file, decoding and replay together; of a mate problem those of its solution."""
    if is_problem(path):
        return [(one["code"], one["name"]) for row in answers(path, mode(path)) for one in row["diagnostics"]]
    if path.suffix in BY_PIPELINE:
        return [(one.code, one.name) for entry in entries(path) for one in entry.findings]
    decoded = text.decode(path.read_bytes())
    found = [(one.code, one.name) for one in decoded.diagnostics]
    for record in read(decoded.text, NOTATION[path.suffix], mode=mode(path)):
        found += [(one.code, one.name) for one in replay(record, mode=mode(path)).diagnostics]
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_the_record_triggers_its_diagnostic_and_the_other_does_not(folder: Path) -> None:
    code, _, name = folder.name.partition("-")
    examples = sorted(folder.glob("triggers.*")), sorted(folder.glob("fine.*"))
    assert [len(some) for some in examples] == [len(list(folder.iterdir())) // 2] * 2 != [0, 0]
    for bad, good in zip(*examples, strict=True):
        assert (code, name) in findings(bad)
        assert (code, name) not in findings(good)


def test_every_rule_of_the_table_has_a_folder() -> None:
    have = {path.name for path in FOLDERS}
    want = {f"{rule.code}-{rule.name}" for rule in RULES.values() if rule.name not in ELSEWHERE}
    assert want == have


def test_codes_are_unique_and_named_once() -> None:
    codes = [rule.code for rule in RULES.values()]
    assert len(set(codes)) == len(codes)
    assert all(name == rule.name for name, rule in RULES.items())


@pytest.mark.parametrize("folder", [one for one in IN_TEXT if one not in PROBLEMS], ids=lambda path: path.name)
def test_the_finding_stands_on_a_line_of_the_file(folder: Path) -> None:
    name = folder.name.partition("-")[2]
    for bad in folder.glob("triggers.*"):
        decoded = text.decode(bad.read_bytes())
        lines = decoded.text.split("\n")
        for record in read(decoded.text, NOTATION[bad.suffix], mode=mode(bad)):
            for one in replay(record, mode=mode(bad)).diagnostics:
                if one.name == name:
                    assert 1 <= one.line <= len(lines)
                    assert 1 <= one.column <= len(lines[one.line - 1]) + 1


@pytest.mark.parametrize("folder", PROBLEMS, ids=lambda path: path.name)
def test_the_finding_of_a_problem_names_its_record_and_a_move(folder: Path) -> None:
    """The place is the line in which the record begins; the ply is that of a move of the main line or of the record."""
    for bad in folder.glob("triggers.*"):
        moves = bad.read_text(encoding="utf-8").partition(" moves ")[2].split()
        for row in answers(bad, mode(bad)):
            assert row["line"] == 1
            [one] = [found for found in row["diagnostics"] if found["name"] == folder.name.partition("-")[2]][:1]
            assert one["ply"] is None or 1 <= one["ply"] <= max(row["plies"], len(moves))


@pytest.mark.parametrize("folder", IN_TEXT, ids=lambda path: path.name)
def test_the_notation_of_the_fine_record_is_detected(folder: Path) -> None:
    for good in folder.glob("fine.*"):
        assert detect(text.decode(good.read_bytes()).text, good.suffix).notation == NOTATION[good.suffix]
