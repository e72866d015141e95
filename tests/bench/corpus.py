"""The files that are measured with: made by seed where they are not there yet, and kept in bench/.

    small(folder, count)    games by notation for work in memory, and the files they stand in
    files(folder, count)    as many files of one game, a thousand in a folder, as CSA and as KIF
    big(folder, size, ...)  one CSA file of at least that many bytes
"""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Literal

from tests.bench import games

ROOT = Path(__file__).resolve().parents[2]
MAKER = ROOT.parent / "shared" / "tools" / "make_games.py"
SEED = 1
CHUNK = 1000  # files of a folder
SUFFIX = {"csa": "csa", "kif": "kif", "ki2": "ki2", "western": "txt", "jkf": "jkf", "usi": "usi", "psv": "psv", "hcpe": "hcpe"}
#: What kifu's own writers make of the CSA texts: a file for each game, or the entries of the first games in one file.
WRITTEN = "western", "ki2", "jkf"
PACKED: tuple[Literal["psv"], Literal["hcpe"]] = "psv", "hcpe"
PACKED_GAMES = 20


@dataclass(frozen=True, slots=True)
class Small:
    """Games for work in memory: their texts by notation, a file for each, and one file of all.

    ``entries`` are the bytes of the notations of bytes, each move of the first games an entry.
    """

    folder: Path
    texts: dict[str, list[str]]
    entries: dict[str, bytes]
    made_by: str

    def paths(self, notation: str) -> list[Path]:
        """The file of each game; USI lines and entries stand in one."""
        if notation == "usi" or notation in PACKED:
            return [self.whole(notation)]
        return sorted((self.folder / notation).iterdir())

    def whole(self, notation: str) -> Path:
        """The file of all games."""
        return self.folder / f"all.{SUFFIX[notation]}"


def small(folder: Path, count: int, maker: Path = MAKER) -> Small:
    """Games in every notation, by the maker that lies beside the project where it does and works, else by our own."""
    for made_by, place in (("make_games.py", folder / f"games-{count}-shared"), ("tests.bench", folder / f"games-{count}")):
        if not (place / "done").exists():
            if made_by == "make_games.py":
                if not maker.exists():
                    continue
                done = subprocess.run([sys.executable, maker, "--count", str(count), "--seed", str(SEED), "--out", place],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
                if done.returncode:  # it needs rsshogi
                    shutil.rmtree(place, ignore_errors=True)
                    continue
                (place / "games.usi").rename(place / "all.usi")
            else:
                _draw_small(place, count)
            (place / "done").touch()
        _write_others(place)
        texts = {notation: _texts(place, notation) for notation in ("csa", "kif", *WRITTEN)}
        texts["usi"] = (place / "all.usi").read_text(encoding="utf-8").splitlines()
        entries = {notation: (place / f"all.{SUFFIX[notation]}").read_bytes() for notation in PACKED}
        return Small(place, texts, entries, made_by)
    raise AssertionError("our own maker needs nothing")


def joined(texts: list[str], notation: str) -> str:
    """Many games as one text.

    >>> joined(["PI\\n", "PI\\n"], "csa")
    'PI\\n/\\nPI\\n'
    """
    return {"csa": "/\n", "usi": "", "jkf": ""}.get(notation, "\n").join(texts)


def files(folder: Path, count: int) -> dict[str, list[Path]]:
    """The folders of ``count`` files of one game, by notation; a process for each processor makes what is missing."""
    place = folder / "files"
    chunks = [(place, number, min(CHUNK, count - number * CHUNK)) for number in range(-(-count // CHUNK))]
    missing = [chunk for chunk in chunks if not _chunk(place, "kif", chunk[1], chunk[2]).exists()]
    if len(missing) > 1:
        with ProcessPoolExecutor() as pool:
            list(pool.map(_draw_chunk, missing))
    else:
        for chunk in missing:
            _draw_chunk(chunk)
    return {notation: [_chunk(place, notation, number, size) for _, number, size in chunks] for notation in ("csa", "kif")}


def big(folder: Path, size: int, source: Path) -> tuple[Path, int]:
    """One file of at least ``size`` bytes, the games of the folder ``source`` over and over, and how many are in it."""
    path, count = folder / f"big-{size}.csa", folder / f"big-{size}.count"
    if not count.exists():
        texts = [one.read_bytes() for one in sorted(source.iterdir())]
        written = number = 0
        with open(path, "wb") as file:
            for text in cycle(texts):
                if written >= size:
                    break
                written += file.write(b"/\n" + text if number else text)
                number += 1
        count.write_text(str(number), encoding="utf-8")
    return path, int(count.read_text(encoding="utf-8"))


def _texts(place: Path, notation: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((place / notation).iterdir())]


def _write_others(place: Path) -> None:
    """What is written from the CSA texts of a folder and is not there yet; the file of all games is the last."""
    csa = _texts(place, "csa")
    for notation in WRITTEN:
        if not (place / f"all.{SUFFIX[notation]}").exists():
            _write(place, notation, games.converted(csa, notation))
    for notation in PACKED:
        path = place / f"all.{SUFFIX[notation]}"
        if not path.exists():
            path.write_bytes(b"".join(games.entries(csa[:PACKED_GAMES], notation)))


def _write(place: Path, notation: str, texts: list[str]) -> None:
    """A file for each game, and one of all."""
    suffix = SUFFIX[notation]
    (place / notation).mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts):
        _put(place / notation / f"{number:05}.{suffix}", text)
    _put(place / f"all.{suffix}", joined(texts, notation))


def _put(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))


def _draw_small(place: Path, count: int) -> None:
    drawn = [games.draw(SEED, number) for number in range(count)]
    csa = [games.csa(game) for game in drawn]
    _write(place, "csa", csa)
    _write(place, "kif", games.converted(csa, "kif"))
    _put(place / "all.usi", "".join(map(games.usi, drawn)))


def _chunk(place: Path, notation: str, number: int, size: int) -> Path:
    return place / notation / (f"{number:03}" if size == CHUNK else f"{number:03}-{size}")


def _draw_chunk(chunk: tuple[Path, int, int]) -> None:
    """A folder of CSA files and one of the same games as KIF; neither is there before it is whole."""
    place, number, size = chunk
    csa = [games.csa(games.draw(SEED, one)) for one in range(number * CHUNK, number * CHUNK + size)]
    for notation, texts in (("csa", csa), ("kif", games.converted(csa, "kif"))):
        target = _chunk(place, notation, number, size)
        draft = target.with_name(f"{target.name}.draft{os.getpid()}")
        draft.mkdir(parents=True)
        _fill(draft, number * CHUNK, notation, texts)
        shutil.rmtree(target, ignore_errors=True)
        draft.rename(target)


def _fill(folder: Path, first: int, notation: str, texts: Iterable[str]) -> None:
    for number, text in enumerate(texts, first):
        _put(folder / f"{number:06}.{notation}", text)
