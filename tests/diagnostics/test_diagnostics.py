"""Every diagnostic has a folder with a record that triggers it and one that does not."""
from __future__ import annotations

from pathlib import Path

import pytest

from kifu import text
from kifu.diagnostics import RULES
from kifu.notation import detect, read
from kifu.replay import replay

HERE = Path(__file__).parent
FOLDERS = sorted(path for path in HERE.iterdir() if path.is_dir() and path.name.startswith("K"))
NOTATION = {".bod": "bod", ".csa": "csa", ".jkf": "jkf", ".ki2": "ki2", ".kif": "kif", ".pgn": "pgn", ".usi": "usi",
            ".txt": "western"}
#: Found by the layers around the readers or in bytes, and tested beside them: tests/text, tests/pipeline, tests/cli,
#: tests/notation/test_packed.py. Those of mate problems (K7): tests/problems/test_findings.py.
ELSEWHERE = {"bad-entry", "box-left-out", "unknown-notation", "unreadable-file", "too-large", "internal-error",
             "encrypted", "nested-archive"}


def mode(path: Path) -> str:
    """The mode to read a file in: the middle of `triggers.strict.kif`."""
    return path.suffixes[0][1:] if len(path.suffixes) > 1 else "default"


def findings(path: Path) -> list[tuple[str, str]]:
    """(code, name) of all findings in a file, decoding and replay together."""
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
    want = {f"{rule.code}-{rule.name}" for rule in RULES.values()
            if rule.name not in ELSEWHERE and not rule.code.startswith("K7")}
    assert want == have


def test_codes_are_unique_and_named_once() -> None:
    codes = [rule.code for rule in RULES.values()]
    assert len(set(codes)) == len(codes)
    assert all(name == rule.name for name, rule in RULES.items())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
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


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_the_notation_of_the_fine_record_is_detected(folder: Path) -> None:
    for good in folder.glob("fine.*"):
        assert detect(text.decode(good.read_bytes()).text, good.suffix).notation == NOTATION[good.suffix]
