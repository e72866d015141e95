"""Every code has all that the table of diagnostics promises: severity by mode, sentence, hint, page, examples."""
from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from kifu.cli.pages import SECTIONS, book, by_kind, index, page, parse
from kifu.diagnostics import ALLOWED, ERROR, KINDS, MODES, REASONS, RULES, WARNING, Diagnostic, Rule, make

sys.path.insert(0, str(Path(__file__).parent))
from examples import FOLDERS, PAGES, answers, is_problem, sections

ALL = sorted(RULES.values())
EVERY = pytest.mark.parametrize("rule", ALL, ids=lambda rule: f"{rule.code}-{rule.name}")
#: Errors whose sentence is all that there is to say, or whose hint is made for each move.
WITHOUT_HINT = {"json-shape"}


@EVERY
def test_the_row(rule: Rule) -> None:
    """Code, name, kind, a severity for each mode, a sentence without a full stop; errors say what to do."""
    assert re.fullmatch(r"K[1-9][0-9]{2}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert rule.kind == KINDS[rule.code[:2]]
    assert rule.severity in (ERROR, WARNING)
    assert list(rule.severities) == list(MODES)
    assert set(rule.severities.values()) <= {ERROR, WARNING, None}
    assert rule.severities["strict"] in (WARNING if rule.name in ALLOWED else ERROR, None)
    assert any(rule.severities.values())
    assert len(rule.pattern) > 10 and rule.pattern[-1] not in ".!;"
    assert not rule.hint.endswith((".", ";"))
    assert rule.severity == WARNING or rule.hint or rule.name in REASONS or rule.name in WITHOUT_HINT


@EVERY
def test_the_page(rule: Rule) -> None:
    """It is titled by code and name, and each of its parts says something."""
    text = (PAGES / f"{rule.code}-{rule.name}.md").read_text(encoding="utf-8")
    found = page(rule)
    assert text.startswith(f"# {rule.code} {rule.name}\n")
    for key, told in (("means", found.means), *found.sections.items()):
        assert len(told) >= 15, key
    assert found.means[-1] == found.sections["why"][-1] == "."
    # a warning tolerates something, and its source says whose; nobody may write what is an error
    assert found.sections["source"].startswith("No tolerance") == (rule.severity == ERROR)
    assert "FIXME" not in text and "TODO" not in text
    assert max(map(len, re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines())) <= 120


@EVERY
def test_what_a_reader_sees(rule: Rule) -> None:
    """The page as it is shown has what the table says, and all examples."""
    shown = page(rule).markdown()
    for wanted in (rule.code, rule.name, rule.kind, rule.pattern, rule.hint, *SECTIONS.values()):
        assert wanted in shown
    for mode, severity in rule.severities.items():
        assert f"{mode} {severity or 'not looked for'}" in shown
    assert shown.count("```") % 2 == 0


def test_no_page_without_a_rule() -> None:
    assert {path.name for path in PAGES.iterdir()} == {f"{rule.code}-{rule.name}.md" for rule in ALL}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_pages_show_the_records_of_the_folders(folder: Path) -> None:
    """What triggers, what kifu says of it, and what does not; `python -m tests.diagnostics.examples` mends a page."""
    found = page(RULES[folder.name.partition("-")[2]]).sections
    assert (found["triggers"], found["fine"]) == sections(folder, (found["triggers"], found["fine"]))
    assert f"{folder.name[:4]} {folder.name[5:]}: " in found["triggers"]
    if RULES[folder.name[5:]].severity == ERROR:  # what to do is said, be it of the rule or of this very move
        assert "= hint: " in found["triggers"]


def test_codes_that_pages_name_exist() -> None:
    """A page that leads to another code leads somewhere."""
    codes = {rule.code for rule in ALL}
    for path in PAGES.iterdir():
        assert set(re.findall(r"\bK[0-9]{3}\b", path.read_text(encoding="utf-8"))) <= codes, path.name


def test_commands_that_pages_name_exist() -> None:
    from kifu.cli.app import COMMANDS

    for path in PAGES.iterdir():
        assert set(re.findall(r"`(?:[A-Z_]+=1 )?kifu ([a-z]+)", path.read_text(encoding="utf-8"))) <= set(COMMANDS), path.name


@pytest.mark.parametrize("text", [
    "", "# K999 number-jump\n", "# K501 number-jump\n\nWords.\n", "# K501 number-jump\n\n## What to do\n\nNothing.\n",
])
def test_what_is_no_page_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no page of K501 number-jump"):
        parse(RULES["number-jump"], text)


# --- the modes ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "severities"), [
    ("number-jump", [WARNING, ERROR, WARNING]), ("nifu", [ERROR, ERROR, ERROR]), ("clock-total", [WARNING, ERROR, WARNING]),
    ("unspecified-spelling", [None, ERROR, None]), ("salvaged", [None, None, WARNING]),
    ("foul-not-shown", [WARNING, WARNING, WARNING]),
])
def test_severities(name: str, severities: list[str | None]) -> None:
    assert list(RULES[name].severities.values()) == severities


def test_modes_are_what_findings_have() -> None:
    """Each example, read in each mode, has its finding with the severity of the table, or not at all where it says so.

    Only what depends on the text itself is apart: a warning by default is an error then, or the reverse.
    """
    from kifu.pipeline import Options, find, games

    wrong = []
    for folder in FOLDERS:
        rule = RULES[folder.name.partition("-")[2]]
        if rule.name in ("unknown-end", "variation-unplaced", "more-of-the-same"):
            continue
        [path, *_] = sorted(folder.glob("triggers.*"))
        notation = "bod" if path.suffix == ".bod" else None
        for mode, severity in rule.severities.items():
            if is_problem(path):
                found = {one["severity"] for row in answers(path, mode) for one in row["diagnostics"]
                         if one["name"] == rule.name}
            else:
                found = {one.severity for source in find([str(path)], [])
                         for entry in games(source, Options(notation, mode=mode))
                         for one in entry.findings if one.name == rule.name}
            if found != ({severity} if severity else set()):
                wrong.append((rule.name, mode, found))
    assert wrong == []


# --- numbers in sentences -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("found", "said"), [
    (make("more-undecodable-bytes", count=1, encoding="cp932"), "1 more line holds bytes that cannot be read as cp932"),
    (make("more-undecodable-bytes", count=2, encoding="cp932"), "2 more lines hold bytes that cannot be read as cp932"),
    (make("nul-characters", count=1), "1 NUL character stands in the text, the first here"),
    (make("nul-characters", count=30), "30 NUL characters stand in the text, the first here"),
    (make("result-count", said=5, played=1), "the record says 5 moves, 1 was played"),
    (make("result-count", said=1, played=0), "the record says 1 move, 0 were played"),
    (make("salvaged", plies=1, whole=0, variations=0), "what is sound: 1 move of the main line; the rest is left out"),
    (make("salvaged", plies=1, whole=0, variations=1), "what is sound: 1 move of the main line and 0 of 1 variation; the rest is left out"),
    (make("salvaged", plies=12, whole=2, variations=3),
     "what is sound: 12 moves of the main line and 2 of 3 variations; the rest is left out"),
    (make("more-of-the-same", count=1, name="nifu"), "1 more finding is called nifu"),
    (make("more-of-the-same", count=7, name="nifu"), "7 more findings are called nifu"),
    (make("beyond-limit", plies=1, limit=0), "1 move was played where the limit is 0"),
    (make("limit-not-reached", limit=10, played=1),
     "the record says that the limit of moves ended the game; it is 10, and 1 was played"),
    (make("second-solution", text="G*2b", number=1, plies=1), "G*2b at move 1 mates as well, in 1 move in all"),
    (make("mate-not-found", limit="the time limit", searched=0),
     "no mate was found before the time limit was hit; one may exist"),
    (make("mate-not-found", limit="the time limit", searched=1),
     "no mate was found before the time limit was hit; none is as short as 1 move, a longer one may exist"),
    (make("mate-not-found", limit="the time limit", searched=3),
     "no mate was found before the time limit was hit; none is as short as 3 moves, a longer one may exist"),
    (make("soundness-undecided", limit="the time limit", checked=0),
     "whether there is a second solution was not settled before the time limit was hit"),
    (make("soundness-undecided", limit="the time limit", checked=3),
     "whether there is a second solution was not settled before the time limit was hit; none is as short as 3 moves"),
    (make("solution-longer", number=1, by=2), "move 1 of the record's solution mates 2 moves later than need be"),
    (make("solution-unfinished", number=4, by=1), "the record's solution stops at move 4, 1 move before the mate"),
])
def test_words_agree_with_their_number(found: Diagnostic, said: str) -> None:
    assert found.message == said


COUNTED = {"count", "plies", "whole", "variations", "said", "played", "by", "checked", "searched"}


@EVERY
def test_no_sentence_has_several_of_one(rule: Rule) -> None:
    """Where all is counted as one, nothing in a sentence is ``1 moves``."""
    names = set(re.findall(r"{([a-z]+)", rule.sentence))
    said = make(rule.name, **{name: 1 if name in COUNTED else "x" for name in names}).message
    assert not re.search(r"\b1 (?!was|is)(?:more )?[a-z]+s\b", said), said


# --- all of them --------------------------------------------------------------------------------------------------------
def test_the_index_has_every_code_below_its_kind() -> None:
    lines = index(ALL).splitlines()
    kind = ""
    listed = []
    for line in lines:
        if line and not line.startswith(" "):
            kind = line[:2]
            assert line == f"{kind}: {KINDS[kind]}"
        elif line:
            code, name, severity, *_ = line.split()
            assert code.startswith(kind) and severity.strip(",") in (ERROR, WARNING)
            listed.append((code, name))
    assert listed == [(rule.code, rule.name) for rule in ALL]


def test_the_book_has_every_page_and_leads_to_it() -> None:
    text = book(ALL)
    for group in by_kind(ALL):
        assert f"\n# {group}: {KINDS[group]}\n" in text
    for rule in ALL:
        assert text.count(f"[{rule.code}](#{rule.code}) {rule.name}") == 1
        assert text.count(f'<a id="{rule.code}"></a>\n\n## {rule.code} {rule.name}\n') == 1
        assert page(rule).means in text
    assert len(re.findall(r"^### ", text, re.MULTILINE)) == len(ALL) * len(SECTIONS)


def test_rows_for_tools() -> None:
    for rule in ALL:
        row = json.loads(json.dumps(page(rule).row()))
        assert list(row) == ["code", "name", "kind", "severity", "sentence", "hint", "means", *SECTIONS]
        assert (row["code"], row["name"], row["severity"]) == (rule.code, rule.name, rule.severities)
