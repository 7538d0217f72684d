"""The tables that a question can be asked of, and what is said where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pickomino._storage.folders import find_tables, folder_of
from pickomino._storage.manifest import check_manifest, kind_of, load_manifest
from pickomino._storage.spec import AnySpec
from pickomino._storage.table import StoredTable
from pickomino.equipment import Equipment
from pickomino.errors import MissingTableError, TableError
from pickomino.rules import Rules

Table = TypeVar("Table", bound=StoredTable[Any])


@dataclass(frozen=True, eq=False)
class Found(Generic[Table]):
    """The tables of one kind at a place.

    Attributes:
        path: The place as it was named; None for the usual ones.
        home: The folder to build another table in; None for the default folder.
        tables: The tables whose manifest is sound.
        errors: What is wrong with the others, each of which may be of this kind.
    """

    path: Path | None
    home: Path | None
    tables: tuple[Table, ...]
    errors: tuple[TableError, ...]

    @property
    def damage(self) -> TableError | None:
        """What is wrong with a table that may be the one asked for; None if all are sound."""
        return self.errors[0] if self.errors else None

    def fitting(self, wanted: AnySpec) -> list[Table]:
        """The tables of some rules, equipment and objective."""
        asked = wanted.rules, wanted.equipment, wanted.objective
        return [
            table
            for table in self.tables
            if (table.spec.rules, table.spec.equipment, table.spec.objective) == asked
        ]

    def refusal(
        self, rules: Rules, equipment: Equipment, objective: str, fix: str
    ) -> TableError | MissingTableError:
        """The error where none fits: what is wrong with a damaged table, if there is one.

        Args:
            rules: The rules as they were asked for.
            equipment: The dice and tiles.
            objective: The name of the objective.
            fix: What to do about a table that is not there.
        """
        if self.damage is not None:
            return self.damage
        where = "" if self.path is None else f" in {self.path}"
        others = ", ".join(sorted({table.spec.name for table in self.tables})) or "none"
        return MissingTableError(
            f"no table of {objective} under {rules} with {equipment} equipment is there{where} "
            f"(found: {others}): {fix}"
        )


def find_kind(path: Path | str | None, kind: type[Table]) -> Found[Table]:
    """Open the tables of one kind at a place.

    Args:
        path: A table, or a folder of tables; None for ``$PICKOMINO_TABLES`` or the user's cache
            directory, and the tables that come with the package.
        kind: The kind of table.  One whose manifest is damaged may be of any kind.
    """
    place = None if path is None else folder_of(path)
    folders = find_tables(place)
    tables: list[Table] = []
    errors: list[TableError] = []
    for folder in folders:
        try:
            manifest = load_manifest(folder)
            if kind_of(manifest) in kind.spec_type.kinds:
                spec = check_manifest(folder, manifest, kind.spec_type)
                tables.append(kind(folder, spec, manifest))
        except TableError as error:
            errors.append(error)
    is_table = place is not None and folders == [place]
    home = place.absolute().parent if place is not None and is_table else place
    return Found(place, home, tuple(tables), tuple(errors))


def build_it(spec: AnySpec, home: Path | None, what: str = "it") -> str:
    """What to do about a table that is not there: the command that builds it.

    Args:
        spec: What to build.
        home: The folder of tables; None for the default one.
        what: What is built, in the words of the sentence before.
    """
    out = "" if home is None else f" --out {home}"
    return f"build {what} with {spec.command}{out}"
