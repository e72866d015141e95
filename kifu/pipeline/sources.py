"""Which files a command line means: files as they are, folders searched for the suffixes of records, ``-``."""
from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from kifu._tuples import NamedTuple

if TYPE_CHECKING:
    from kifu.pipeline.parts import Part

#: A folder is searched for files of these suffixes.
SUFFIXES = frozenset((
    ".csa", ".kif", ".kifu", ".ki2", ".ki2u", ".bod", ".sfen", ".usi", ".usen", ".jkf", ".json", ".psn", ".psn2",
    ".pgn", ".txt", ".gam", ".tbk", ".hcpe", ".psv",
))
#: Files of these are other things more often than records: in a folder, one that holds no record is passed over.
UNCERTAIN = frozenset((".txt", ".gam", ".tbk", ".json"))
_NO_STEM = ("", ".", "/", os.sep)
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst", ".7z", ".gz", ".xz", ".zst", ".bz2")
STDIN = "-"


class Source(NamedTuple):
    """One file to read. ``root`` is the folder in whose search it was found, empty where it was named itself.

    ``size`` is 0 where nobody asked for it; ``part`` says which part of a large file is meant, where it is not all.
    """

    path: str
    size: int = 0
    root: str = ""
    part: Part | None = None

    @property
    def suffix(self) -> str:
        """The suffix in lower case, with its dot.

        >>> Source("a/B.KIF").suffix
        '.kif'
        """
        return suffix_of(self.path)

    @property
    def passed_over(self) -> bool:
        """Whether the file is left out without a word where it holds no record."""
        return bool(self.root) and self.suffix in UNCERTAIN

    @property
    def relative(self) -> str:
        """The path below the folder that was searched; for a file that was named, its name."""
        return os.path.relpath(self.path, self.root) if self.root else os.path.basename(self.path)


class Problem(NamedTuple):
    """A path of which nothing can be read, and why. ``named`` where the user wrote that very path."""

    path: str
    message: str
    named: bool = True


def suffix_of(path: str) -> str:
    """The last suffix of a path in lower case; empty where it has none."""
    if (end := path[-4:]) in SUFFIXES and path[-5:-4] not in _NO_STEM:
        return end
    return os.path.splitext(path)[1].lower()


def find(paths: Iterable[str], problems: list[Problem], sizes: bool = True) -> Iterator[Source]:
    """The files that ``paths`` mean, in the order given, those of a folder in the order of their names.

    Without ``sizes`` the system is not asked for the sizes of files found in folders: a third of opening one.

    Paths of which nothing can be read are added to ``problems``. Each folder is listed when its turn comes, so that
    a tree of any size costs the memory of its largest folder.
    """
    for path in paths:
        if path == STDIN:
            yield Source(STDIN)
            continue
        try:
            found = os.stat(path)
        except OSError as error:
            problems.append(Problem(path, f"{path}: {reason(error)}"))
            continue
        if stat.S_ISDIR(found.st_mode):
            yield from _search(path, problems, sizes)
        elif path.lower().endswith(ARCHIVES):
            problems.append(Problem(path, f"{path}: reading archives is not supported yet; unpack it first"))
        else:
            yield Source(path, found.st_size)


def measure(paths: Iterable[str]) -> tuple[int, int]:
    """How many files ``paths`` mean and how many bytes they hold, for a progress bar."""
    files = size = 0
    for source in find(paths, []):
        files += 1
        size += source.size
    return files, size


def reason(error: OSError) -> str:
    """Why a path cannot be read, in words.

    >>> reason(FileNotFoundError(2, "No such file or directory"))
    'there is no such file or folder'
    """
    words = {
        FileNotFoundError: "there is no such file or folder",
        PermissionError: "no permission to read it",
        IsADirectoryError: "it is a folder",
        NotADirectoryError: "part of the path is a file, not a folder",
    }
    return words.get(type(error), error.strerror or str(error))


def _search(root: str, problems: list[Problem], sizes: bool) -> Iterator[Source]:
    """Depth first, by name. Folders are known by device and inode, so that a link to a parent ends the search."""
    found = False
    visited: set[tuple[int, int]] = set()
    stack: list[os.DirEntry[str] | str] = [root]
    while stack:
        item = stack.pop()
        path = item if isinstance(item, str) else item.path
        size = 0
        try:
            if isinstance(item, str) or not item.is_file():  # of a file the listing itself told that it is one
                about = os.stat(path)
                if stat.S_ISDIR(about.st_mode):
                    if (about.st_dev, about.st_ino) not in visited:
                        visited.add((about.st_dev, about.st_ino))
                        stack.extend(_listed(path))
                    continue
                if not stat.S_ISREG(about.st_mode):
                    continue  # a pipe or a device in a folder is no collection of games, and may never end
            elif sizes:
                size = item.stat().st_size
        except OSError as error:
            problems.append(Problem(path, f"{path}: {reason(error)}", named=path == root))
            found = found or path == root
            continue
        found = True
        yield Source(path, size, root)
    if not found:
        problems.append(Problem(root, f"{root}: there are no game files in this folder"))


def _listed(folder: str) -> list[os.DirEntry[str]]:
    """What is to be looked at in a folder, the last name first."""
    with os.scandir(folder) as entries:
        wanted = [entry for entry in entries if suffix_of(entry.name) in SUFFIXES or entry.is_dir()]
    wanted.sort(key=_name, reverse=True)
    return wanted


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name
