"""Long work: one function on many blocks, here or on a Dask cluster, and how far it is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pickomino._checks import whole_number
from pickomino.errors import PickominoError, TableError

SCHEDULER_TIMEOUT = "10s"
"""How long a scheduler may take to answer, as Dask writes it: far ones do within a second or two,
and who has mistyped an address is told soon."""

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
        raise error(f"jobs={jobs!r} does no work: use a whole number from 1, or -1 for one a core")
    return number


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

    threads = check_jobs(jobs, TableError)

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
        raise TableError(f"no Dask scheduler answers at {scheduler!r}: {error}") from None


def progress_bar(
    what: str,
    rows: int,
    shown: bool,
    *,
    unit: str = "position",
    done: int = 0,
    delay: float = 0,
) -> Any:
    """A progress bar over the positions or turns of some work.

    Args:
        what: What is done with them.
        rows: How many there are.
        shown: Whether to show it if standard error is a terminal.
        unit: What they are.
        done: How many were done before.
        delay: After how many seconds to show it.
    """
    from tqdm import tqdm

    return tqdm(
        desc=what,
        total=rows,
        initial=done,
        unit=unit,
        unit_scale=True,
        disable=None if shown else True,
        delay=delay,
    )
