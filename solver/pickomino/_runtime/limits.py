"""How much memory and how many cores there are for this process, whoever sets the limit."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pickomino._layout import byte_size
from pickomino.errors import PickominoError, TableError

CGROUP = Path("/sys/fs/cgroup")


def free_memory() -> int | None:
    """The bytes that this process can still take; None where nobody says.

    The least of what the machine has free, what is left of the process's own limit, and what is
    left of the limits of its control groups.
    """
    return min(_free(), default=None)


def _free() -> Iterator[int]:
    import psutil

    with contextlib.suppress(OSError, RuntimeError, psutil.Error):
        yield psutil.virtual_memory().available
    if sys.platform != "win32":
        import resource

        for kind, used in (("RLIMIT_AS", "vms"), ("RLIMIT_DATA", "data")):
            with contextlib.suppress(OSError, ValueError, AttributeError, psutil.Error):
                limit, _ = resource.getrlimit(getattr(resource, kind))
                if limit != resource.RLIM_INFINITY:
                    yield max(0, limit - getattr(psutil.Process().memory_info(), used))
    for folder in _control_groups():
        with contextlib.suppress(OSError, ValueError):
            limit = int((folder / "memory.max").read_text())  # "max" is no number
            yield max(0, limit - int((folder / "memory.current").read_text()))


def _control_groups() -> Iterator[Path]:
    """The control groups of this process, the innermost first."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::/"):
                group = CGROUP / line[4:]
                yield from (group, *group.parents[: len(group.relative_to(CGROUP).parts)])
                return


def check_memory(needed: int, what: str, fix: str, kind: type[PickominoError] = TableError) -> None:
    """Refuse work that does not fit into the memory that is free.

    Args:
        needed: The bytes that it takes.
        what: Whom or what it is done for, in the plural.
        fix: What makes it smaller, as an order.
        kind: The kind of error.

    Raises:
        PickominoError: It does not fit, with the figures; of that kind.
    """
    free = free_memory()
    if free is not None and needed > free:
        raise kind(
            f"{what} take some {byte_size(needed)} of memory, but {byte_size(free)} are free: "
            f"free some, or {fix}"
        )


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
