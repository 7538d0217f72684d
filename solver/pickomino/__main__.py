"""The command line, from its first moment: ``pickomino``, or ``python -m pickomino``."""

import os
import signal


def main() -> None:
    """Run the command line.

    Until its modules are loaded, and after its work, there is nothing to tidy up, so that an
    interrupt ends it without a word.
    """
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, _leave)
    from pickomino.cli import run

    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run()
    finally:
        if interruptible:
            signal.signal(signal.SIGINT, _leave)


def _leave(number: int, frame: object) -> None:
    os._exit(128 + number)


if __name__ == "__main__":
    main()
