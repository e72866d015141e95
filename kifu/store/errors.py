"""What can go wrong with a database. Each error carries data; its sentence is worded here, once."""
from __future__ import annotations


class StoreError(Exception):
    """Something about a database that a person must know; ``str(error)`` is a whole sentence."""


class DatabaseMissing(StoreError):
    """There is no file to read from."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"There is no database {path}.")


class DatabaseLocked(StoreError):
    """Another process has the file open; DuckDB lets one process write and then nobody else read."""

    def __init__(self, path: str, pid: int | None = None) -> None:
        self.path, self.pid = path, pid
        who = f"process {pid}" if pid else "another process"
        super().__init__(f"The database {path} is in use by {who}. Try again when it has finished; to read while games "
                         "are loaded, ask a Parquet copy made before (kifu export --parquet).")


class DatabaseNewer(StoreError):
    """A later version of kifu or of DuckDB wrote the file."""

    def __init__(self, path: str, found: str, understood: str) -> None:
        self.path, self.found, self.understood = path, found, understood
        super().__init__(f"The database {path} was written by a newer version ({found}; this one understands "
                         f"{understood}). Update kifu to open it.")


class DatabaseOlder(StoreError):
    """A question about something that the version that made the file did not write: ``lacking``, in words."""

    def __init__(self, path: str, found: str, lacking: str) -> None:
        self.path, self.found, self.lacking = path, found, lacking
        super().__init__(f"The database {path} was made by an earlier version ({found}), which had no {lacking}. "
                         f"kifu db upgrade {path} brings it up to date.")


class NotADatabase(StoreError):
    """The file is something else, or damaged."""

    def __init__(self, path: str, detail: str) -> None:
        self.path, self.detail = path, detail
        super().__init__(f"{path} is not a kifu database: {detail}.")


class DatabaseUnusable(StoreError):
    """The file could not be opened, read or written: permissions, a full disk, a missing folder."""

    def __init__(self, path: str, detail: str) -> None:
        self.path, self.detail = path, detail
        super().__init__(f"The database {path} cannot be used: {detail}.")


class DiskFull(DatabaseUnusable):
    """There is no room to write in: on the disk, in a quota, or under a limit of the system."""

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(path, detail)
        self.args = (f"There is no room to write to the database {path}: {detail}. What was in it before is whole; "
                     "make room and run the command again.",)


class DatabaseChanged(StoreError):
    """Somebody wrote to the file while it was being replaced; it stays as that process left it."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"The database {path} was changed by another process meanwhile. Try again.")


class DatabaseReplaced(StoreError):
    """The file that is open is not the one of that name any more."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"The database {path} was removed or replaced by another process while it was written to; "
                         "what was to be written is not in it. Run the command again.")


class QueryError(StoreError):
    """SQL that DuckDB refused, or that failed while it ran; the text is DuckDB's own, which points at the place."""


class ReadOnly(QueryError):
    """SQL that would write to a database that is open for reading."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"The SQL would write to {path}, which is open for reading only.")


class UnknownQuery(StoreError):
    """There is no named query of this name."""

    def __init__(self, name: str, names: list[str]) -> None:
        self.name, self.names = name, names
        super().__init__(f"There is no query {name!r}. There are: {', '.join(names)}.")


class UnknownFilter(StoreError):
    """A filter or parameter that a query does not have, or one that it needs and did not get."""

    def __init__(self, query: str, name: str, names: list[str], missing: bool = False) -> None:
        self.query, self.name, self.names = query, name, names
        said = f"needs a value for {name!r}" if missing else f"has no parameter {name!r}"
        super().__init__(f"The query {query!r} {said}. Its parameters: {', '.join(names) or 'none'}.")
