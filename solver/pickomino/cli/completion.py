"""Completion in bash, which takes words apart at colons and equals signs."""

from __future__ import annotations

import os

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    split_arg_string,
)

__all__ = ["complete_in_bash"]


class _Bash(BashComplete):
    """Puts the words together again, and answers with what replaces the last part of one."""

    _before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that one as far as it is typed."""
        words = split_arg_string(os.environ.get("COMP_WORDS", ""))
        at = os.environ.get("COMP_CWORD", "")
        number = int(at) if at.isdecimal() else len(words)
        joined: list[str] = []
        for word in [*words[1:number], *(words[number : number + 1] or [""])]:
            if word == ":" or (joined and joined[-1].endswith(":")):
                joined[-1:] = ["".join([*joined[-1:], word])]
            elif word != "=":
                joined.append(word)
        if words[number : number + 1] == ["="]:
            joined.append("")  # nothing is typed after the equals sign
        *before, incomplete = joined
        head, colon, _ = incomplete.rpartition(":")
        self._before = head + colon
        return before, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """An answer as the shell takes it."""
        value = item.value.removeprefix(self._before)
        return f"{item.type},{value}"


def complete_in_bash() -> None:
    """Take this in place of click's own."""
    add_completion_class(_Bash, "bash")
