"""The examples of the diagnostics, and how their pages show them.

The folders beside this file hold the truth: for each code the smallest record that triggers it and one that does not. The
last two sections of each page show them as text, with what ``kifu check`` says, or of mate problems ``kifu solve``; a
record that is long or no text is described there by a person, above what is said. What stands in the middle of a name is
an option: `triggers.strict.kif`, `triggers.depth-3.sfen`. After a change of a record or of a sentence

    python -m tests.diagnostics.examples

writes those sections anew; a test holds pages and folders to each other.
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from kifu.cli.findings import finding_text
from kifu.cli.solve import Asked, Solve
from kifu.diagnostics import MODES
from kifu.pipeline import Entry, Options, find, games
from kifu.problems import DEPTH

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "kifu" / "pages"
FOLDERS = sorted(path for path in HERE.iterdir() if path.is_dir() and path.name.startswith("K"))
NOTATION = {".bod": "bod", ".csa": "csa", ".jkf": "jkf", ".ki2": "ki2", ".kif": "kif", ".pgn": "pgn", ".usi": "usi",
            ".sfen": "usi", ".txt": "western", ".psv": "psv"}
#: What is no text, or is not in a notation that could be named: the pipeline alone reads it, as it does for a command.
BY_PIPELINE = frozenset({".psv", ".text", ".zip"})
#: What a page shows; a longer record is described.
MOST_LINES, MOST_CHARACTERS = 20, 700
#: Seconds for one problem: no machine comes near them, so that the answer depends on none.
PATIENCE = 600.0
_SAID = re.compile(r"^`kifu (?:check|solve)[^`]*` says:", re.MULTILINE)


def middle(path: Path) -> str:
    """The option in the name of an example, empty where there is none."""
    return path.suffixes[0][1:] if len(path.suffixes) > 1 else ""


def mode(path: Path) -> str:
    """The mode to read a file in."""
    return middle(path) if middle(path) in MODES else "default"


def is_problem(path: Path) -> bool:
    """Whether an example, or a folder of them, is of a mate problem."""
    return (path if path.is_dir() else path.parent).name.startswith("K7")


def shown(path: Path) -> str | None:
    """A record as text, None where it is no text that can be seen or too much of it."""
    try:
        text = path.read_bytes().decode("utf-8").rstrip("\n")
    except UnicodeDecodeError:
        return None
    visible = all(char.isprintable() or char in "\n\u3000" for char in text)
    return text if text.strip() and visible and text.count("\n") < MOST_LINES and len(text) < MOST_CHARACTERS else None


def entries(path: Path) -> Iterator[Entry]:
    """The games of an example, as a command reads them."""
    options = Options(NOTATION.get(path.suffix), mode=mode(path))
    for source in find([str(path)], []):
        yield from games(source, options)


@cache
def solved(path: Path, how: str, *, as_json: bool) -> tuple[str, ...]:
    """What ``kifu solve`` says of each problem in an example, read in a mode; several tests ask."""
    limit, _, most = middle(path).partition("-")
    limits = {limit: int(most)} if most else {}
    asked = Asked(limits.get("depth", DEPTH), PATIENCE, limits.get("nodes"), False, as_json, "ki2", False, how)
    return tuple(told.text.replace(str(path), f"game{path.suffix}") for source in find([str(path)], [])
                 for told in Solve(Options(mode=how), asked)(source))


def answers(path: Path, how: str) -> list[dict[str, Any]]:
    """The same for tools."""
    return [json.loads(text) for text in solved(path, how, as_json=True)]


def said(path: Path) -> str:
    """What is said of an example: of a mate problem the whole answer, else the finding that the folder is about."""
    if is_problem(path):
        options = f" --{middle(path).replace('-', ' ')}" if middle(path) else ""
        answer = "\n".join(solved(path, mode(path), as_json=False))
        return f"`kifu solve{options} game{path.suffix}` says:\n\n" + fenced(answer, "text")
    code, how, named = path.parent.name.partition("-")[0], mode(path), f"game{path.suffix}"
    blocks = [finding_text(entry.source.label.replace(str(path), named), found, entry.lines)
              for entry in entries(path) for found in entry.findings if found.code == code]
    options = "" if how == "default" else f" --{how}"
    options += " --from bod" if path.suffix == ".bod" else ""
    return f"`kifu check{options} {named}` says:\n\n" + fenced("\n".join(blocks[:2]), "text")


def fenced(text: str, language: str) -> str:
    """A block of text in Markdown."""
    return f"```{language}\n{text}\n```"


def sections(folder: Path, described: tuple[str, str]) -> tuple[str, str]:
    """The last two sections of a page; ``described`` is what they hold now, of which words of a person are kept."""
    bad, good = [], []
    for path in sorted(folder.glob("triggers.*")):
        text = shown(path)
        bad += [_SAID.split(described[0])[0].strip() if text is None else fenced(text, path.suffix[1:]), said(path)]
    for path in sorted(folder.glob("fine.*")):
        text = shown(path)
        good.append(described[1] if text is None else fenced(text, path.suffix[1:]))
    return "\n\n".join(bad), "\n\n".join(good)


def main() -> None:
    """Write the examples into all pages."""
    for folder in FOLDERS:
        path = PAGES / f"{folder.name}.md"
        head, *rest = re.split(r"^(## A record that .+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        bad, good = sections(folder, (rest[1].strip(), rest[3].strip()))
        path.write_text(f"{head}{rest[0]}\n\n{bad}\n\n{rest[2]}\n\n{good}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
