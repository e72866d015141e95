"""Which files a command line means: files as they are, folders searched for records, archives, standard input."""
from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from kifu._tuples import NamedTuple

if TYPE_CHECKING:
    from kifu.diagnostics import Diagnostic
    from kifu.pipeline.parts import Part
    from kifu.pipeline.zips import Packed

#: A folder is searched for files of these suffixes.
SUFFIXES = frozenset((
    ".csa", ".kif", ".kifu", ".ki2", ".ki2u", ".bod", ".sfen", ".usi", ".usen", ".jkf", ".json", ".psn", ".psn2",
    ".pgn", ".txt", ".gam", ".tbk", ".hcpe", ".psv",
))
#: Files of these are other things more often than records: in a folder, one that holds no record is passed over.
UNCERTAIN = frozenset((".txt", ".gam", ".tbk", ".json"))
_NO_STEM = ("", ".", "/", os.sep)
#: Files that hold files.
CONTAINERS = (".zip", ".7z", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.zst", ".tzst", ".tar.bz2", ".tbz2")
#: A single file, compressed; what kind it is of stands before this suffix.
COMPRESSED = (".gz", ".xz", ".zst", ".bz2")
STDIN = "-"


class Source(NamedTuple):
    """One file to read. ``root`` is the folder in whose search it was found, empty where it was named itself.

    ``size`` is 0 where nobody asked for it; ``part`` says which part of a large file is meant, where it is not all.
    ``member`` is the name in the archive ``path``; an archive in it is a folder of that name. ``content`` is where
    the bytes are if they are not those of the file: here, packed in it, or nowhere, for the reason that is told.
    """

    path: str
    size: int = 0
    root: str = ""
    part: Part | None = None
    member: str | None = None
    content: bytes | Packed | Diagnostic | None = None

    @property
    def label(self) -> str:
        """What findings name: the path, and behind it the member where there is one.

        >>> Source("games.zip", member="sub/a.kif").label
        'games.zip/sub/a.kif'
        """
        if self.member is None:
            return self.path
        from kifu.pipeline.names import shown

        return f"{self.path}/{shown(self.member)}"

    @property
    def suffix(self) -> str:
        """The suffix in lower case, with its dot; that of a compressed file is the one before.

        >>> Source("a/B.KIF").suffix, Source("a.csa.gz").suffix, Source("a.zip", member="b.usi").suffix
        ('.kif', '.csa', '.usi')
        """
        return suffix_of(self.path if self.member is None else self.member)

    @property
    def packed(self) -> bool:
        """Whether the bytes are to be had in memory alone, and not in parts from the disk."""
        return self.content is not None or is_compressed(self.path)

    @property
    def passed_over(self) -> bool:
        """Whether the file is left out without a word where it holds no record."""
        return bool(self.root or self.member) and self.suffix in UNCERTAIN

    @property
    def relative(self) -> str:
        """The path below the folder that was searched; for a file that was named, its name.

        An archive is a folder in it. Whatever a member is called, its path leads nowhere but into that folder.
        """
        path = os.path.relpath(self.path, self.root) if self.root else os.path.basename(self.path)
        if self.path == STDIN:
            path = "standard input"
        if self.member is None:
            return path
        from kifu.pipeline.names import safe

        return os.path.join(path, *safe(self.member).split("/"))


class Problem(NamedTuple):
    """A path of which nothing can be read, and why. ``named`` where the user wrote that very path."""

    path: str
    message: str
    named: bool = True


def suffix_of(path: str) -> str:
    """The last suffix of a path in lower case, but for one that says how it is compressed; empty where it has none."""
    if (end := path[-4:]) in SUFFIXES and path[-5:-4] not in _NO_STEM:
        return end
    stem, end = os.path.splitext(path)
    end = end.lower()
    return suffix_of(stem) if end in COMPRESSED else end


def is_container(path: str) -> bool:
    """Whether a name is that of a file which holds files."""
    return path.lower().endswith(CONTAINERS)


def is_compressed(path: str) -> bool:
    """Whether a name is that of a compressed file (a compressed archive is one too)."""
    return path.lower().endswith(COMPRESSED)


#: What is done with archives: their members are found to be read, or for their names alone, or they stay closed.
Archives = Literal["read", "list", "closed"]


def find(paths: Iterable[str], problems: list[Problem], sizes: bool = True,
         archives: Archives = "read") -> Iterator[Source]:
    """The files that ``paths`` mean, in the order given, those of a folder in the order of their names.

    Without ``sizes`` the system is not asked for the sizes of files found in folders: a third of opening one. Unless
    ``archives`` are to be read, standard input keeps its bytes for who does.

    Paths of which nothing can be read are added to ``problems``. Each folder is listed when its turn comes, so that
    a tree of any size costs the memory of its largest folder.
    """
    for path in paths:
        if path == STDIN:
            yield from _standard_input(problems, archives)
            continue
        try:
            found = os.stat(path)
        except OSError as error:
            problems.append(Problem(path, f"{path}: {reason(error)}"))
            continue
        if stat.S_ISDIR(found.st_mode):
            yield from _search(path, problems, sizes, archives)
        elif archives != "closed" and (is_container(path) or stat.S_ISREG(found.st_mode) and _is_archive(path)):
            yield from _members(path, "", problems, archives)
        else:
            yield Source(path, found.st_size)


def measure(paths: Iterable[str]) -> tuple[int, int]:
    """How many files ``paths`` mean and how many bytes they are, for a progress bar. An archive is one file here."""
    files = size = 0
    for source in find(paths, [], archives="closed"):
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


def _standard_input(problems: list[Problem], archives: Archives) -> Iterator[Source]:
    """Standard input: a file as any other, or by its first bytes an archive or a compressed file."""
    if archives == "closed":
        yield Source(STDIN)
        return
    from kifu.pipeline import streams

    try:
        data = streams.look()
    except OSError as error:
        from kifu.pipeline.archives import finding_of

        yield Source(STDIN, content=finding_of(error))
        return
    if streams.kind(data[:streams.HEAD]) is None:
        yield Source(STDIN, len(data))
        return
    from kifu.pipeline.archives import of_bytes

    yield from of_bytes(STDIN, streams.take() if archives == "read" else data, problems, archives == "read")


def _is_archive(path: str) -> bool:
    """Whether a file that was named, and by its name is nothing that we know, is an archive by its first bytes."""
    if suffix_of(path) in SUFFIXES or is_compressed(path):
        return False
    from kifu.pipeline import streams

    try:
        with open(path, "rb", buffering=0) as file:
            return streams.kind(file.read(streams.HEAD)) is not None
    except OSError:
        return False  # whoever reads it meets the same error and tells it


def _members(path: str, root: str, problems: list[Problem], archives: Archives) -> Iterator[Source]:
    from kifu.pipeline.archives import members

    return members(path, root, problems, archives == "read")


def _search(root: str, problems: list[Problem], sizes: bool, archives: Archives) -> Iterator[Source]:
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
        if path[-4:] not in SUFFIXES and archives != "closed" and is_container(path):
            for source in _members(path, root, problems, archives):
                found = True
                yield source
            continue
        found = True
        yield Source(path, size, root)
    if not found:
        problems.append(Problem(root, f"{root}: there are no game files in this folder"))


def _listed(folder: str) -> list[os.DirEntry[str]]:
    """What is to be looked at in a folder, the last name first."""
    with os.scandir(folder) as entries:
        wanted = [entry for entry in entries
                  if suffix_of(entry.name) in SUFFIXES or is_container(entry.name) or entry.is_dir()]
    wanted.sort(key=_name, reverse=True)
    return wanted


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name
