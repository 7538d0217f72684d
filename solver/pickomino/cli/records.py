"""Records of games in files."""

from __future__ import annotations

import json
from pathlib import Path

from pickomino._checks import shown
from pickomino._words.reading import lines_of, object_of
from pickomino.errors import GameError, PickominoError
from pickomino.play.record import GameRecord

__all__ = ["read_record", "write_record"]


def read_record(file: str) -> GameRecord:
    """Read a game from a file, ``-`` for standard input.

    Raises:
        PickominoError: A file that cannot be read or holds no game.
    """
    text = "".join(lines_of(file))
    try:
        fields = object_of(text)
    except PickominoError as error:
        raise GameError(f"{shown(file)} holds no game: {error}") from None
    return GameRecord.from_json(fields)


def write_record(path: Path, record: GameRecord) -> None:
    """Write a game to a file, as a whole or not at all.

    Raises:
        GameError: A file that cannot be written.
    """
    from pickomino._runtime.files import replace_file

    try:
        replace_file(path, (json.dumps(record.to_json(), indent=1) + "\n").encode())
    except OSError as error:
        raise GameError(f"{shown(str(path))} cannot be written: {error.strerror}") from None
