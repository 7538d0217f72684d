"""One table on disk, opened: mapped into memory when it is first asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from pickomino._storage.arrays import StoredArray
from pickomino._storage.folders import folder_of
from pickomino._storage.manifest import read_manifest
from pickomino._storage.probed import Probed
from pickomino._storage.spec import AnySpec, Json
from pickomino.errors import PositionError, TableError
from pickomino.position import Position

Spec = TypeVar("Spec", bound=AnySpec)


class StoredTable(Probed, Generic[Spec]):
    """A table of some kind.

    A table opened is read-only memory shared by all threads and processes that open it, so probing
    is safe from several threads at once and costs no memory of its own.  It is pickled and copied
    as its folder, and opened again there.

    Attributes:
        folder: Where it is.
        spec: What it is of.
        manifest: What its manifest says.
    """

    spec_type: ClassVar[type[Any]]
    """What such a table is of."""

    mapped: ClassVar[tuple[str, ...]]
    """The cached properties that hold mapped arrays."""

    def __init__(self, folder: Path, spec: Spec, manifest: Json) -> None:
        """Take a table whose manifest is read."""
        self.folder, self.spec, self.manifest = folder, spec, manifest
        self._closed = False

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Open a table by its folder.

        Raises:
            TableError: A manifest that is missing, damaged, or of another kind or version.
        """
        place = folder_of(folder)
        return cls(place, *read_manifest(place, cls.spec_type))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.folder)!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return type(self).open, (str(self.folder.absolute()),)

    def close(self) -> None:
        """Let go of the mapped files; probing afterwards is an error."""
        for name in self.mapped:
            self.__dict__.pop(name, None)
        self._closed = True

    def _map(self, name: str) -> StoredArray:
        """Map one of its arrays.

        Raises:
            TableError: The table is closed, or the file is missing or damaged.
        """
        if self._closed:
            raise TableError("this table is closed: open it again")
        return StoredArray(self.folder, name, self.spec, self.manifest)


def check_position(position: Position, spec: AnySpec) -> None:
    """Refuse a position that no table of a specification can have.

    Raises:
        GameOverError: The grill is empty.
        PositionError: Other equipment.
    """
    position.check_not_over()
    if position.equipment != spec.equipment:
        raise PositionError(
            f"the position is of {position.equipment}, but the table is of {spec.equipment}: open "
            "a table of that equipment"
        )
