"""`kifu check --format github`: commands that the runner of GitHub Actions understands."""
from __future__ import annotations

import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from games import ILLEGAL, KIF

Kifu = Callable[..., Any]


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A command as the runner reads it: its name, its properties and its message, escapes undone."""
    found = re.fullmatch(r"::(\w+)(?: ([^:]*))?::(.*)", line)
    assert found, line
    properties = dict(one.split("=", 1) for one in found[2].split(","))
    codes = {"%25": "%", "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}

    def plain(text: str) -> str:
        return re.sub("%(25|0D|0A|3A|2C)", lambda code: codes[code[0]], text)

    return found[1], {key: plain(value) for key, value in properties.items()}, plain(found[3])


def test_an_error_and_a_warning(kifu: Kifu, tmp_path: Path) -> None:
    """File, line, column and end; the summary is a remark."""
    (tmp_path / "a,b:c%.csa").write_text(ILLEGAL)
    (tmp_path / "b.kif").write_text(KIF.replace("   2 ３四歩", "   3 ３四歩"), encoding="utf-8")
    ran = kifu("check", ".", "--format", "github", cwd=tmp_path)
    error, warning = (parsed(line) for line in ran.out.splitlines())
    assert error[:2] == ("error", {"file": "a,b:c%.csa", "line": "10", "col": "1", "endColumn": "8",
                                   "title": "K411 empty-origin"})
    assert error[2].startswith("+2725FU: ")
    assert (warning[0], warning[1]["title"], warning[1]["line"]) == ("warning", "K501 number-jump", "6")
    assert warning[2].endswith("\nhint: a line may be missing")
    assert (ran.status, ran.err) == (1, "kifu: 2 games in 2 files: 1 legal, 1 illegal; 1 error, 1 warning\n")


def test_places_without_a_line(kifu: Kifu, tmp_path: Path) -> None:
    """A member is named in the message; standard input is no file."""
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("sub/a.csa", ILLEGAL)
    _, properties, message = parsed(kifu("check", "games.zip", "--format", "github", cwd=tmp_path).out.rstrip("\n"))
    assert properties == {"file": "games.zip", "title": "K411 empty-origin"}
    assert message.startswith("sub/a.csa:10:1: +2725FU: ")
    _, properties, _ = parsed(kifu("check", "-", "--format", "github", stdin=ILLEGAL.encode()).out.rstrip("\n"))
    assert properties == {"line": "10", "col": "1", "endColumn": "8", "title": "K411 empty-origin"}
