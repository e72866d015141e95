"""Two folders change places in one step, so that there is one of them under each name at any moment."""
from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_HERE = -100  # AT_FDCWD of Linux: paths count from the current folder
_EXCHANGE = 2  # RENAME_EXCHANGE of Linux's renameat2, RENAME_SWAP of macOS's renamex_np


def exchange(first: Path, second: Path) -> None:
    """Give each of two folders of one file system the name of the other.

    In one step on Linux and macOS. Elsewhere, and on file systems that cannot, by renaming: for the blink of an eye
    there is no ``second`` then, and a process that is killed in it leaves the earlier ``second`` as ``first`` with
    ``.old`` behind its name.
    """
    failed = _at_once(os.fsencode(first), os.fsencode(second))
    if not failed:
        return
    if failed not in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP):
        raise OSError(failed, os.strerror(failed), str(second))
    aside = first.with_name(f"{first.name}.old")
    os.rename(second, aside)
    try:
        os.rename(first, second)
    except BaseException:
        os.rename(aside, second)
        raise
    os.rename(aside, first)


def _at_once(first: bytes, second: bytes) -> int:
    """The number of the error, 0 for none."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            done = library.renamex_np(first, second, ctypes.c_uint(_EXCHANGE))
        else:
            done = library.renameat2(_HERE, first, _HERE, second, ctypes.c_uint(_EXCHANGE))
    except (OSError, AttributeError, TypeError):  # no such function; Windows has no such library
        return errno.ENOSYS
    return ctypes.get_errno() if done else 0
