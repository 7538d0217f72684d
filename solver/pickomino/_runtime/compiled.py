"""Compiling kernels: once, and cached beside the sources or for the user, where that is possible.

What cannot be cached is compiled in memory, a damaged cache is made anew, and neither stops the
work.  While a kernel is compiled or loaded an interrupt waits, as the compiler would swallow it and
leave its work half done.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import signal
import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, event
from numba.extending import register_jitable

from pickomino._runtime.streams import note, waiting


def kernel(
    calls: Sequence[Callable[..., Any]] = (), **options: Any
) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that compiles a function when it is first called.

    Args:
        calls: The plain functions of other modules that are compiled with it.
        options: What :func:`numba.njit` takes beside ``cache``.
    """
    for function in calls:
        register_jitable(function)

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = numba.njit(nogil=True, **options)(function)
        try:
            compiled._cache = _Cache(function, calls)
        except (RuntimeError, OSError, KeyError):
            compiled._cache = _NoCache()
        return compiled

    return decorate


class _Uninterrupted:
    """Lets an interrupt wait while it is entered, in the main thread; it may be entered again."""

    def __init__(self) -> None:
        self._depth = 0
        self._interrupted = False
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth += 1
        if self._depth == 1 and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
            self._undo.callback(signal.signal, signal.SIGINT, signal.default_int_handler)

    def __exit__(self, *raised: object) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth -= 1
        if self._depth == 0:
            self._undo.close()
            if self._interrupted:
                self._interrupted = False
                raise KeyboardInterrupt

    def _note(self, number: int, frame: object) -> None:
        self._interrupted = True


_uninterrupted = _Uninterrupted()


class _Compiling(event.Listener):
    """Says that a kernel is compiled if that takes long, and lets interrupts wait meanwhile."""

    def __init__(self) -> None:
        self._running = threading.local()

    def on_start(self, event: Any) -> None:
        within = contextlib.ExitStack()
        within.enter_context(_uninterrupted)
        within.enter_context(waiting("compiling, once"))
        self._running.stack = [*getattr(self._running, "stack", []), within]

    def on_end(self, event: Any) -> None:
        self._running.stack.pop().close()


event.register("numba:compile", _Compiling())


class _CacheFiles(caching.CompileResultCacheImpl):
    """Where a cache lies: beside the sources, or in the user's cache if the user has a home."""

    _locator_classes = [  # noqa: RUF012  (numba declares it so)
        locator
        for locator in caching.CompileResultCacheImpl._locator_classes
        if "UserWide" not in locator.__name__ or os.path.isabs(os.path.expanduser("~"))  # noqa: PTH
    ]


class _Cache(caching.FunctionCache):
    """The cache of a kernel, none of whose faults is one of the program."""

    _impl_class = _CacheFiles

    def __init__(self, function: Callable[..., Any], calls: Sequence[Callable[..., Any]]) -> None:
        super().__init__(function)
        # numba looks for changes in the file of the kernel alone, not in those of its callees.
        called = tuple(sorted({_checksum(inspect.getfile(callee)) for callee in calls}))
        self._cache_file._source_stamp = self._cache_file._source_stamp, called

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with _uninterrupted:
            try:
                return super().load_overload(sig, target_context)
            except Exception:  # a damaged file raises whatever reading it leads to
                _tell(f"the compiled code in {self.cache_path} is damaged and is made anew")
                with contextlib.suppress(Exception):
                    self.flush()
                return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with _uninterrupted:
            try:
                super().save_overload(sig, data)
            except Exception:  # a full disk, a folder that is gone
                _tell(f"compiled code cannot be kept in {self.cache_path}: {_ELSEWHERE}")


class _NoCache(caching.NullCache):
    """Where there is no place for a cache."""

    def save_overload(self, sig: Any, cres: Any) -> None:
        _tell(f"there is no place to keep compiled code: {_ELSEWHERE}")


_ELSEWHERE = "set NUMBA_CACHE_DIR to a folder that can be written, and the next start is faster"


@cache
def _checksum(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


@cache
def _tell(what: str) -> None:
    """Say once what is wrong with the cache."""
    note(what)
