"""A task over many files: in this process, or in workers that are fed batches and answer in order.

The pool is our own because the standard one loses every pending result when one worker dies. Here each worker has its
own pipe. One that dies costs the file it was reading: the batch's other files are read again, one at a time, and the
file that kills its worker alone is told as a `Failure`. Memory stays flat: only a window of batches is in flight, and
a worker that runs ahead waits, because its pipe is not read until its turn comes near. A large file is no exception
where its task can work on parts of it: each part is a batch, so that all workers share it.
"""
from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kifu._tuples import NamedTuple
from kifu._core import check_fresh
from kifu.pipeline.sources import Source

if TYPE_CHECKING:
    from typing import Protocol

    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    class Task(Protocol):
        """What is done with a file. One that has a method ``parts`` is asked for the parts of a large file (see
        `kifu.pipeline.parts`) and called with each of them instead; where it gives none the file is one task.

        One that has a method ``packed`` makes one result of several: it is given a list of them, of one file or of
        some files one after another, and what it gives comes with the last of those files. One that has a method
        ``prepare`` has it called once in each worker, before any file.
        """

        def __call__(self, source: Source, /) -> Iterable[Any]: ...

#: The files of a batch, or one part of a file, and the file that it is a part of.
Work = tuple[list[Source], Source | None]
Progress = Callable[[int, int], None]

BATCH_FILES, BATCH_BYTES = 256, 1 << 20
SMALL_BYTES, SMALL_FILES = 1 << 20, 48  # less than this is done before a worker has started
LARGE = 1 << 21  # bytes of a file that may be worth cutting into parts
AHEAD = 4096  # results that one batch may hold while it waits for its turn
PART = 512  # results that a worker sends at once
PACKED_AHEAD, PACKED_PART = 16, 4  # the same of one file whose results are packed, since each of them is many


class Failure(NamedTuple):
    """A file whose task failed for a reason that is not the file's: an error of ours, or a worker that died."""

    path: str
    message: str
    details: str = ""


class _Batch:
    """Files that one worker reads, and what has come of them so far."""

    __slots__ = ("done", "finished", "results", "sources", "whole", "worker")

    def __init__(self, sources: list[Source], whole: Source | None = None) -> None:
        self.sources = sources
        self.whole = whole  # the file of which the only source is a part
        self.results: deque[tuple[Source, Any]] = deque()
        self.finished = 0  # files
        self.done = False
        self.worker: _Worker | None = None


class _Worker:
    """A process, the pipe to it, and the batch that it is at work on."""

    __slots__ = ("batch", "pipe", "process")

    def __init__(self, process: BaseProcess, pipe: Connection) -> None:
        self.process = process
        self.pipe = pipe
        self.batch: _Batch | None = None


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def ready(sources: Iterable[Source], task: Task, jobs: int | None) -> Iterator[tuple[Iterator[Source], list[_Worker]]]:
    """The sources, and the workers that `run` will want for them, which end with the block.

    For who is about to start threads: workers are copies of this process as long as it has but one (see `_alone`).
    None are started where `run` would do without, and where they cannot be copies.
    """
    from itertools import chain, islice

    check_fresh()
    rest = iter(sources)
    some = list(islice(rest, SMALL_FILES + 1))
    workers: list[_Worker] = []
    count = jobs or processors()
    if some and jobs != 1 and count > 1 and (jobs is not None or _large(some) or some[0].size > LARGE) and _alone():
        import pickle
        from multiprocessing import get_context

        pickled = pickle.dumps(task)
        for _ in range(count):
            workers.append(_start(get_context("fork"), pickled, workers))
    try:
        yield chain(some, rest), workers
    finally:
        _end(workers)


def run(sources: Iterable[Source], task: Task, *, jobs: int | None = None, progress: Progress | None = None,
        workers: list[_Worker] | None = None) -> Generator[tuple[Source, Any], None, None]:
    """Every result of ``task(source)`` for every source, in the order of the sources; a `Failure` for one that raises.

    Args:
        task: must be picklable where there are workers; its results too.
            Of a file in parts the results come with the file itself, and a `Failure` is of one part.
        jobs: how many processes; None takes all processors, or none but this one where there is little to do. 1 is
            this process, which alone can read standard input.
        progress: called with the files and bytes that have been finished since the last call.
        workers: those that `ready` gave for the same task and jobs.

    Closing the iterator, or an interruption, ends the workers.
    """
    check_fresh()  # or every file would be told to have failed for the same reason
    batches = _batches(sources, getattr(task, "parts", None))
    if jobs != 1 and (jobs is not None or processors() > 1):
        first = _take(batches)
        if jobs is not None or len(first) > 1 or any(_large(batch) for batch, _ in first):
            yield from _shared(_chain(first, batches), task, jobs or processors(), progress, workers)
            return
        batches = _chain(first, batches)
    packed = getattr(task, "packed", None)
    for batch, whole in batches:
        waiting: list[tuple[int, Any]] = []
        for index, source in enumerate(batch):
            for result in guarded(task, source):
                if packed is None:
                    yield whole or source, result
                    continue
                waiting.append((index, result))
                if len(waiting) == (PACKED_PART if len(batch) == 1 else PART):
                    yield from [(whole or batch[at], one) for at, one in _together(packed, waiting, batch)]
                    waiting = []
            if progress:
                progress(_ends_file(source), source.size)
        if packed is not None:
            yield from [(whole or batch[at], one) for at, one in _together(packed, waiting, batch)]


def guarded(task: Task, source: Source) -> Iterator[Any]:
    """The results of the task, and a `Failure` after them where it raised."""
    try:
        yield from task(source)
    except Exception as error:
        import traceback

        what = str(error) or type(error).__name__
        yield Failure(source.label, f"internal error: {what}", traceback.format_exc())


def _together(packed: Callable[[list[Any]], Any], results: list[tuple[int, Any]],
              sources: list[Source]) -> list[tuple[int, Any]]:
    """Results, each with the number of its file, packed; failures stay where they are.

    Where packing raises, only the files whose results cannot be packed alone are told as failed.
    """
    from itertools import groupby

    done: list[tuple[int, Any]] = []
    for failed, group in groupby(results, lambda one: isinstance(one[1], Failure)):
        some = list(group)
        if failed:
            done += some
            continue
        try:
            done.append((some[-1][0], packed([result for _, result in some])))
            continue
        except Exception:
            pass  # whose results they are is found out below
        for number, ones in groupby(some, lambda one: one[0]):
            of_file = [result for _, result in ones]
            done += [(number, result) for result in guarded(lambda _, some=of_file: [packed(some)], sources[number])]
    return done


def _batches(sources: Iterable[Source], parts: Callable[[Source], list[Source]] | None = None) -> Iterator[Work]:
    """Batches of a bounded number of files and bytes; a large file is one alone, or one for each of its parts."""
    batch: list[Source] = []
    size = 0
    for source in sources:
        if batch and (len(batch) == BATCH_FILES or size + source.size > BATCH_BYTES):
            yield batch, None
            batch, size = [], 0
        if parts is not None and source.size > LARGE and (cut := parts(source)):
            for part in cut:
                yield [part], source
            continue
        batch.append(source)
        size += source.size
    if batch:
        yield batch, None


def _ends_file(source: Source) -> bool:
    """Whether a file is finished with this source: it is no part, or the last one."""
    return source.part is None or source.part.last


def _take(batches: Iterator[Work]) -> list[Work]:
    """Enough batches to see whether there is more than a little to do."""
    taken: list[Work] = []
    for batch in batches:
        taken.append(batch)
        if len(taken) > 1:
            break
    return taken


def _chain(first: list[Work], rest: Iterator[Work]) -> Iterator[Work]:
    yield from first
    yield from rest


def _large(batch: list[Source]) -> bool:
    return len(batch) > SMALL_FILES and sum(source.size for source in batch) > SMALL_BYTES


def _shared(batches: Iterator[Work], task: Task, jobs: int, progress: Progress | None,
            workers: list[_Worker] | None) -> Iterator[tuple[Source, Any]]:
    import multiprocessing
    import pickle
    from multiprocessing.connection import wait

    context = multiprocessing.get_context("fork" if _alone() else "spawn")
    workers = [] if workers is None else workers
    pickled = pickle.dumps(task)
    ahead = AHEAD if getattr(task, "packed", None) is None else PACKED_AHEAD
    window: deque[_Batch] = deque()
    more = True
    try:
        while True:
            while more and len(window) < 2 * jobs + 2:
                batch = next(batches, None)
                if batch is None:
                    more = False
                else:
                    window.append(_Batch(*batch))
            for batch_ in window:
                if batch_.worker is None and not batch_.done:
                    worker = _idle(workers, jobs, context, pickled)
                    if worker is None:
                        break
                    _assign(worker, batch_)
            while window and (window[0].results or window[0].done):
                head = window[0]
                while head.results:
                    yield head.results.popleft()
                if head.done:
                    window.popleft()
            if not window:
                if not more:
                    return
                continue
            ready = wait([worker.pipe for worker in workers if worker.batch is not None and (
                worker.batch is window[0] or len(worker.batch.results) < ahead)])
            for worker in [worker for worker in workers if worker.pipe in ready]:
                _receive(worker, workers, window, progress)
    finally:
        _end(workers)


def _idle(workers: list[_Worker], jobs: int, context: Any, pickled: bytes) -> _Worker | None:
    for worker in workers:
        if worker.batch is None and worker.process.is_alive():
            return worker
    if len(workers) >= jobs:
        return None
    worker = _start(context, pickled, workers)
    workers.append(worker)
    return worker


def _start(context: Any, pickled: bytes, workers: list[_Worker]) -> _Worker:
    """A worker more than those that there are."""
    if context.get_start_method() == "spawn" and os.name == "posix":
        from multiprocessing.resource_tracker import ensure_running

        ensure_running()  # starting it lets Ctrl-C through again, which must not happen while a worker is started
    here, there = context.Pipe()
    copied = [here, *(worker.pipe for worker in workers)] if context.get_start_method() == "fork" else []
    process = context.Process(target=_work, args=(there, pickled, copied), daemon=True)
    with _without_interruptions():
        process.start()
    there.close()
    return _Worker(process, here)


def _alone() -> bool:
    """Whether this process has a single thread, so that a copy of it is a sound one: then workers are copies, which
    start at once. A copy of a process with threads (a progress bar's, a database's) may hang; those are started anew.
    """
    try:
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:  # no Linux: there threads cannot be counted
        return False


@contextmanager
def _without_interruptions() -> Iterator[None]:
    """A process that is started here never sees Ctrl-C, which a terminal sends to all of them: it is our affair."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _assign(worker: _Worker, batch: _Batch) -> None:
    import pickle

    batch.worker, worker.batch = worker, batch
    try:
        plain = [tuple(source) for source in batch.sources]  # a quarter of the work of pickling them as they are
        worker.pipe.send_bytes(pickle.dumps(plain, pickle.HIGHEST_PROTOCOL))
    except OSError:
        pass  # it died while idle: its pipe reports that when it is read


def _receive(worker: _Worker, workers: list[_Worker], window: deque[_Batch], progress: Progress | None) -> None:
    import pickle

    batch = worker.batch
    if batch is None:
        return
    try:
        results, finished = pickle.loads(worker.pipe.recv_bytes())
    except (EOFError, OSError):
        workers.remove(worker)
        worker.process.join()
        worker.pipe.close()
        _survive(worker, batch, window, progress)
        return
    batch.results.extend((batch.whole or batch.sources[index], result) for index, result in results)
    _count(batch, finished, progress)
    if finished == len(batch.sources):
        batch.done, batch.worker, worker.batch = True, None, None


def _survive(worker: _Worker, batch: _Batch, window: deque[_Batch], progress: Progress | None) -> None:
    """A worker died: give its unfinished files to others, one at a time, or name the file that it died of."""
    rest = batch.sources[batch.finished:]
    batch.worker, batch.done = None, True
    if len(batch.sources) > 1:
        place = window.index(batch) + 1
        for source in reversed(rest):
            window.insert(place, _Batch([source]))
        return
    code = worker.process.exitcode
    how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    failure = Failure(rest[0].label, f"internal error: the worker process died ({how})")
    batch.results.append((batch.whole or rest[0], failure))
    _count(batch, 1, progress)


def _count(batch: _Batch, finished: int, progress: Progress | None) -> None:
    newly = batch.sources[batch.finished:finished]
    batch.finished = finished
    if progress and newly:
        progress(sum(map(_ends_file, newly)), sum(source.size for source in newly))


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.pipe.close()
        if worker.batch is not None:
            worker.process.terminate()
    for worker in workers:
        worker.process.join(2)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _work(pipe: Connection, pickled: bytes, copied: list[Connection]) -> None:
    """The life of a worker: batches in, results out, until the pipe closes. An interruption is the parent's affair.

    ``copied`` are the parent's ends of pipes that came along with a copy of it: while anybody holds them, no worker
    would see that the parent is gone.
    """
    import gc
    import pickle
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # what is there stays
    gc.set_threshold(20_000, 20, 20)  # and a game leaves no cycles behind
    for end in copied:
        end.close()
    task: Task = pickle.loads(pickled)
    packed = getattr(task, "packed", None)
    part = PART if packed is None else PACKED_PART
    if prepare := getattr(task, "prepare", None):
        prepare()

    def send(results: list[tuple[int, Any]], finished: int) -> None:
        if packed is not None:
            results = _together(packed, results, sources)
        pipe.send_bytes(pickle.dumps((results, finished), pickle.HIGHEST_PROTOCOL))

    try:
        while True:
            sources = [Source(*fields) for fields in pickle.loads(pipe.recv_bytes())]
            results: list[tuple[int, Any]] = []
            for index, source in enumerate(sources):
                for result in guarded(task, source):
                    results.append((index, result))
                    if len(sources) == 1 and len(results) == part:
                        send(results, 0)
                        results = []
                if len(results) >= PART or index + 1 == len(sources):
                    send(results, index + 1)
                    results = []
    except (EOFError, OSError):
        pass
