"""``import kifu``: the functions of the contract, in whatever order they are used; the README's Python block runs."""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(script: str) -> str:
    """What a script prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("before", [
    "", "kifu.parse('startpos')", "kifu.Position()", "import kifu.replay", "from kifu.replay import replay",
    "import kifu.api", "list(kifu.read('sample_games/mate.csa'))", "kifu.replay",
])
def test_replay_is_a_function_whatever_was_imported_before(before: str) -> None:
    assert run(f"import kifu\n{before}\n"
               "print(kifu.replay(kifu.parse('startpos moves 7g7f')[0]).plies)") == "1\n"


def test_the_python_block_of_the_readme_runs_and_prints_what_it_says() -> None:
    [block] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    shown = re.sub(r"(?m)^((?:position\.reason|kifu\.notate)\(.*\)) +#", r"print(repr(\1))  #", block)
    printed = run(shown)
    assert printed.startswith("legal 5 3\n")
    assert "\n'bad-move'\n'P-3d'\n'３四歩'\n" in printed
    assert printed.endswith("\n0 30 -3334FU +2726FU\n")


def test_records_and_games_show_themselves() -> None:
    """In one short line, for the prompt."""
    import kifu

    [record] = kifu.read(ROOT / "sample_games" / "variations.kif")
    assert repr(record) == "<Record kif, game 1, 5 moves, 3 variations>"
    assert repr(kifu.replay(record)) == "<Game kif, game 1, legal, 5 legal moves, 3 variations>"
    _, record = kifu.parse("startpos moves 7g7f\nstartpos moves 7g7g\n")
    assert repr(record) == "<Record usi, game 2, 1 move>"
    assert repr(kifu.replay(record)) == "<Game usi, game 2, illegal, 0 legal moves>"


def test_an_archive_is_no_text(tmp_path: Path) -> None:
    """Only the program opens archives; here they are told from texts that are not understood, and from nothing."""
    import bz2
    import gzip
    import io
    import lzma
    import tarfile
    import zipfile

    import kifu
    from kifu.notation import UnknownNotation

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.kif", "")
    tarred = io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w") as archive_of_tar:
        archive_of_tar.addfile(tarfile.TarInfo("a.kif"))
    for data in (packed.getvalue(), tarred.getvalue(), gzip.compress(b"PI"), lzma.compress(b"PI"), bz2.compress(b"PI")):
        (tmp_path / "a.kif").write_bytes(data)
        with pytest.raises(UnknownNotation, match=r"a\.kif is an archive or compressed.* kifu convert"):
            next(kifu.read(tmp_path / "a.kif"))
    with pytest.raises(IsADirectoryError):
        next(kifu.read(tmp_path))
