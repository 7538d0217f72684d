"""Records of games in files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pickomino.errors import GameError
from pickomino.play.record import GameRecord

__all__ = ["read_record", "write_record"]


def read_record(file: str) -> GameRecord:
    """Read a game from a file, ``-`` for standard input.

    Raises:
        GameError: A file that cannot be read or holds no game.
    """
    try:
        if file == "-" and sys.stdin is None:
            raise GameError("standard input is closed: name a file")
        text: str = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8-sig")
        fields: Any = json.loads(text)
    except OSError as error:
        raise GameError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise GameError(f"{file} holds no game, as it is not JSON: {error}") from None
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
        raise GameError(f"{path} cannot be written: {error.strerror}") from None
