"""Where ``kifu convert`` writes: standard output, one file, or a folder with one file for each input.

Files appear whole: they are written under another name and take their own when they are finished.
"""
from __future__ import annotations

import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

from kifu.cli.options import MARKED_UTF8

from kifu.pipeline.sources import COMPRESSED, suffix_of
from kifu.text import encode

if TYPE_CHECKING:
    from kifu.cli.talk import Talk

    from kifu.pipeline import Source

_DECLARATION = r"(?m)^('CSA encoding=|#KI[F2] version=2\.0 encoding=)UTF-8(?=\r?$)"
#: What stands before the encoding at the very beginning of a text, where it nearly always is.
_DECLARING = ("'CSA encoding=", "#KIF version=2.0 encoding=", "#KI2 version=2.0 encoding=")
_DECLARED = "UTF-8"
_DECLARED_NAMES = {"cp932": "Shift_JIS", MARKED_UTF8: "UTF-8", "euc_jp": "EUC-JP", "iso2022_jp": "ISO-2022-JP",
                   "utf-16-le": "UTF-16LE", "utf-16-be": "UTF-16BE"}
#: Encodings that begin a file with a mark, and what they are without it.
_MARKED = {"utf-16": f"utf-16-{sys.byteorder[0]}e", "utf-32": f"utf-32-{sys.byteorder[0]}e", MARKED_UTF8: "utf-8"}


class TargetExists(Exception):
    """A file that would be overwritten; ``--force`` allows it, unless another input was just written to it."""

    def __init__(self, path: str, why: str = "exists already; --force overwrites it") -> None:
        super().__init__(f"{path} {why}")


class Target:
    """Takes the text of each game, in the order of the files."""

    def __init__(self, to: str) -> None:
        from kifu.notation import REGISTRY, writer

        self.separator: str = writer(to).SEPARATOR
        self.suffix: str = REGISTRY[to].suffix
        self.usual_encoding: str = REGISTRY[to].encoding or ""

    def default_encoding(self, path: str, text: str | bytes) -> str:
        """What programs expect of such a file; ``.kifu`` is UTF-8, and so is a text that declares itself to be.

        Empty for bytes.
        """
        if isinstance(text, bytes):
            return self.usual_encoding
        if suffix_of(path) in (".kifu", ".ki2u") or text.startswith("'CSA encoding="):
            return "utf-8"
        return self.usual_encoding

    def write(self, source: Source, text: str | bytes) -> None:
        """One more game of ``source``. Raises `kifu.text.EncodeError` where the encoding lacks a character."""
        raise AssertionError("a target writes")

    def abandon(self, source: Source) -> None:
        """No more will come of this file, and what came is not all of it."""

    def finish(self, whole: bool) -> None:
        """All games came (``whole``), or an error ended the work."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.finish(kind is None)


class StreamTarget(Target):
    """Standard output, in UTF-8 unless told otherwise."""

    def __init__(self, talk: Talk, to: str, encoding: str | None) -> None:
        super().__init__(to)
        self.talk, self.encoding, self.first = talk, encoding or "utf-8", True

    def write(self, source: Source, text: str | bytes) -> None:
        self.talk.raw(encoded(text, self.encoding, "" if self.first else self.separator))
        self.encoding = _MARKED.get(self.encoding, self.encoding)
        self.first = False


class FileTarget(Target):
    """One file. Nothing is left of it where nothing could be converted."""

    def __init__(self, path: str, to: str, encoding: str | None, force: bool) -> None:
        super().__init__(to)
        if not force and os.path.exists(path):
            raise TargetExists(path)
        self.path, self.encoding = path, encoding
        self.part = f"{path}.{os.getpid()}.part"
        self.stream: BinaryIO | None = None

    def write(self, source: Source, text: str | bytes) -> None:
        if self.encoding is None:
            self.encoding = self.default_encoding(self.path, text)
        data = encoded(text, self.encoding, "" if self.stream is None else self.separator)
        if self.stream is None:
            with self.by_its_name():
                self.stream = open(self.part, "wb")  # noqa: SIM115 - closed in finish
        self.stream.write(data)
        self.encoding = _MARKED.get(self.encoding, self.encoding)

    def finish(self, whole: bool) -> None:
        if self.stream is None:
            return
        self.stream.close()
        if whole:
            with self.by_its_name():
                os.replace(self.part, self.path)
        else:
            os.unlink(self.part)

    @contextmanager
    def by_its_name(self) -> Iterator[None]:
        """Errors speak of the file that was asked for."""
        try:
            yield
        except OSError as error:
            error.filename, error.filename2 = self.path, None
            raise


class FolderTarget(Target):
    """One file for each input that has a game, in the sub-folder that the input has below the folder searched.

    An archive is a folder; what its members are called leads nowhere else (see `kifu.pipeline.Source.relative`).
    """

    def __init__(self, folder: str, to: str, encoding: str | None, force: bool, sources: Iterable[Source]) -> None:
        super().__init__(to)
        self.folder, self.to, self.encoding, self.force = folder, to, encoding, force
        self.source: Source | None = None
        self.file: FileTarget | None = None
        self.broken = False
        self.written: set[str] = set()
        seen: set[str] = set()
        #: Targets that two inputs would share; each of these inputs keeps its suffix in its target's name.
        self.shared: set[str] = set()
        for source in sources:
            (self.shared if (name := self.stem(source)) in seen else seen).add(name)

    def stem(self, source: Source) -> str:
        """The path below the folder without the suffix."""
        stem, suffix = os.path.splitext(source.relative)
        return os.path.splitext(stem)[0] if suffix.lower() in COMPRESSED else stem

    def path(self, source: Source) -> str:
        """Where the games of an input go: ``a.csa`` to ``a.kif``, or to ``a.csa.kif`` where ``a.kif`` comes in too."""
        stem = self.stem(source)
        if stem in self.shared:
            stem = source.relative
        return os.path.join(self.folder, f"{stem}{self.suffix}")

    def write(self, source: Source, text: str | bytes) -> None:
        if source is not self.source:
            self.next()
            self.source = source
        if self.broken:
            return
        try:
            if self.file is None:
                self.file = self.made(self.path(source))
            self.file.write(source, text)
        except Exception:
            self.abandon(source)
            raise

    def made(self, path: str) -> FileTarget:
        """The file at a path, and the folders above it."""
        if path in self.written:
            raise TargetExists(path, "has been written from another input of this name")
        if os.path.isdir(path):
            raise TargetExists(path, "is a folder")
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise TargetExists(path, "cannot be: there is a file where it needs a folder") from error
        self.written.add(path)
        return FileTarget(path, self.to, self.encoding, self.force)

    def abandon(self, source: Source) -> None:
        self.source, self.broken = source, True
        if self.file is not None:
            self.file.finish(False)
            self.file = None

    def next(self) -> None:
        """Finish the file in work."""
        if self.file is not None:
            self.file.finish(True)
        self.file, self.broken = None, False

    def finish(self, whole: bool) -> None:
        if whole:
            self.next()
        elif self.file is not None:
            self.file.finish(False)


class CopyTarget(FolderTarget):
    """One file for each input, called as the input is: what is written are the bytes of a normalised copy.

    A compressed file is written without its compression.
    """

    def __init__(self, folder: str, force: bool, sources: Iterable[Source]) -> None:
        super().__init__(folder, "csa", None, force, sources)  # bytes need no defaults of any notation

    def stem(self, source: Source) -> str:
        """The whole path below the folder."""
        stem, suffix = os.path.splitext(source.relative)
        return stem if suffix.lower() in COMPRESSED else source.relative

    def path(self, source: Source) -> str:
        """Where the copy goes. Of two inputs that would share a name the second one is refused."""
        return os.path.join(self.folder, self.stem(source))


def replace(path: str, data: bytes, before: tuple[int, int]) -> None:
    """Put ``data`` in the place of a file, whole or not at all; its permissions stay.

    ``before`` are the size and the time of the last change that the file had when it was read; `TargetExists` where
    it has others now.
    """
    path = os.path.realpath(path)  # a link stays one
    about = os.stat(path)
    if (about.st_size, about.st_mtime_ns) != before:
        raise TargetExists(path, "was changed while it was read")
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, about.st_mode & 0o7777)
        os.replace(part, path)
    except BaseException as error:
        if os.path.exists(part):
            os.unlink(part)
        if isinstance(error, OSError):
            error.filename, error.filename2 = path, None
        raise


def declared(text: str, name: str) -> str:
    """A text with another encoding in the lines that declare one.

    >>> declared("#KIF version=2.0 encoding=UTF-8\\n", "Shift_JIS")
    '#KIF version=2.0 encoding=Shift_JIS\\n'
    """
    found = text.find(_DECLARED)
    if found < 0:
        return text
    if text[:found] in _DECLARING and text.startswith("UTF-8\n", found) and text.find("encoding=UTF-8", found) < 0:
        return f"{text[:found]}{name}{text[found + len(_DECLARED):]}"
    return re.sub(_DECLARATION, rf"\g<1>{name}", text)


def encoded(text: str | bytes, encoding: str, separator: str = "") -> bytes:
    """The bytes of a game behind a separator, with the encoding that it declares put right; bytes stay as they are."""
    if isinstance(text, bytes):
        return text
    if encoding != "utf-8":
        text = declared(text, _DECLARED_NAMES.get(encoding, encoding.upper()))
    data = encode(text, encoding)
    if encoding == MARKED_UTF8:
        data = BOM_UTF8 + data
    return separator.encode(encoding) + data if separator else data
