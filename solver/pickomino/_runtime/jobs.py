"""Long work: one function on many blocks, here or on a Dask cluster, and how far it is."""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pickomino._checks import flag, shown, whole_number
from pickomino._runtime.limits import cores
from pickomino._runtime.streams import LINE_SECONDS, Aside, Lines, told
from pickomino.errors import PickominoError, TableError

SCHEDULER_TIMEOUT = "10s"
"""How long a scheduler may take to answer, as Dask writes it: far ones do within a second or two,
and who has mistyped an address is told soon."""

PARENT_SECONDS = 0.5
"""How often a process looks whether its parent is there."""

LazyRun = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterator[Any]]
"""Calls a function with each tuple of arguments as they come, and gives the results in order."""

Run = Callable[[Callable[..., Any], Sequence[tuple[Any, ...]]], list[Any]]
"""Calls a function with each tuple of arguments, and returns the results in order."""


def run_here(function: Callable[..., Any], blocks: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Call a function with each block, one after the other."""
    return [function(*block) for block in blocks]


def check_jobs(jobs: object, error: type[PickominoError]) -> int:
    """A number of jobs: at least 1, or -1 for one a core.

    Raises:
        PickominoError: Another number; of the class given.
    """
    number = whole_number(jobs)
    if number is None or number == 0 or number < -1:
        raise error(
            f"jobs={shown(jobs)} does no work: use a whole number from 1, or -1 for one a core"
        )
    return number


def _how_many(jobs: object, tasks: int, error: type[PickominoError]) -> int:
    """As many workers as are asked for, if there are cores and tasks for them."""
    asked = check_jobs(jobs, error)
    most = min(cores(), tasks)
    return max(1, most if asked == -1 else min(asked, most))


@contextlib.contextmanager
def processes(jobs: object, tasks: int, error: type[PickominoError]) -> Iterator[LazyRun]:
    """Processes that call a function on blocks, for work that holds the interpreter.

    Args:
        jobs: How many; -1 for one a core.  No more are started than there are cores and tasks.
        tasks: How many blocks there will be.
        error: What another number of jobs raises, and work that cannot be sent.

    Returns:
        What calls a function with each tuple of arguments, drawn as they are needed, and gives
        the results in order.
    """
    import joblib

    number = _how_many(jobs, tasks, error)

    def run(function: Callable[..., Any], blocks: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        if number == 1:
            yield from (function(*block) for block in blocks)
            return
        call = joblib.delayed(_call)
        results = joblib.Parallel(number, return_as="generator")(
            call(os.getpid(), function, block) for block in blocks
        )
        try:
            yield from results
        except pickle.PicklingError as why:
            raise error(f"the work cannot be sent to other processes ({why}): use jobs=1") from None

    yield run


def _call(parent: int, function: Callable[..., Any], block: tuple[Any, ...]) -> Any:
    """Call a function in a process that ends soon after its parent, however that ends."""
    if not _watching:
        _watching.append(threading.Thread(target=_end_with, args=(parent,), daemon=True))
        _watching[0].start()
    return function(*block)


_watching: list[threading.Thread] = []


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os._exit(1)


@contextlib.contextmanager
def workers(jobs: int = -1, scheduler: str | None = None) -> Iterator[Run]:
    """Workers that call a function on blocks in parallel.

    Args:
        jobs: How many threads; -1 for one a core.  Compiled code lets go of the interpreter, so
            threads do, and need not copy anything.
        scheduler: The address of a Dask scheduler whose workers take the blocks instead.

    Raises:
        TableError: No such scheduler, no Dask, or another number of jobs.
    """
    import joblib

    threads = _how_many(jobs, cores(), TableError)

    def run(function: Callable[..., Any], blocks: Sequence[tuple[Any, ...]]) -> list[Any]:
        if len(blocks) < 2:
            return run_here(function, blocks)
        results: list[Any] = parallel(joblib.delayed(function)(*block) for block in blocks)
        return results

    with contextlib.ExitStack() as stack:
        if scheduler is None:
            config = joblib.parallel_config(backend="threading", n_jobs=threads)
        else:
            stack.enter_context(_dask_client(scheduler))
            config = joblib.parallel_config(backend="dask")
        stack.enter_context(config)
        parallel = stack.enter_context(joblib.Parallel())
        yield run


def _dask_client(scheduler: str) -> Any:
    try:
        from dask.distributed import Client
    except ImportError:
        raise TableError(
            "scheduler= needs Dask: install it with pip install 'pickomino[cluster]'"
        ) from None
    try:
        return Client(scheduler, timeout=SCHEDULER_TIMEOUT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise TableError(f"no Dask scheduler answers at {shown(scheduler)}: {error}") from None


@contextlib.contextmanager
def progress_bar(
    what: str,
    rows: int,
    shown: bool,
    *,
    unit: str = "position",
    done: int = 0,
    delay: float = 0,
) -> Iterator[Any]:
    """A progress bar over the positions, turns or games of some work.

    Args:
        what: What is done with them.
        rows: How many there are.
        shown: Whether to show it on standard error: as a bar in a terminal, else as a line a
            minute.
        unit: What they are.
        done: How many were done before.
        delay: After how many seconds to show it in a terminal.
    """
    from tqdm import tqdm

    with contextlib.ExitStack() as stack:
        settings: dict[str, Any] = {"disable": True}
        if flag("progress", shown) and sys.stderr is not None:
            stack.enter_context(told())
            settings = {"file": Aside(), "delay": delay}
            if not settings["file"].isatty():
                often = {"mininterval": LINE_SECONDS, "maxinterval": LINE_SECONDS}
                settings = {"file": Lines(), "delay": LINE_SECONDS, **often}
        scale = rows > 9999  # 1.2k beyond that
        bar = tqdm(desc=what, total=rows, initial=done, unit=unit, unit_scale=scale, **settings)
        yield stack.enter_context(bar)
