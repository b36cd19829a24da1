"""What was written and what was acknowledged, and whether a device shows an outcome of that."""

import threading

ABSENT = None


class Ledger:
    """The possible states of records that one writer each writes, one write at a time.

    A write that was acknowledged replaces everything before it. One whose outcome is unknown, since
    a process was killed meanwhile, may or may not have happened.
    """

    def __init__(self):
        self._lock = threading.Lock()
        self._possible = {}

    def possible(self, record):
        with self._lock:
            return list(self._possible.get(record, [ABSENT]))

    def attempt(self, record, state):
        """Says that a write begins, before anybody can see it."""
        with self._lock:
            self._possible.setdefault(record, [ABSENT]).append(state)

    def outcome(self, record, state, is_acknowledged):
        """Says how the write ended."""
        with self._lock:
            if is_acknowledged:
                self._possible[record] = [state]

    def judge(self, visible):
        """The records that show what no writer wrote or what an acknowledged write replaced."""
        with self._lock:
            wrong = []
            for record, states in self._possible.items():
                shown = visible.get(record, ABSENT)
                if shown not in states:
                    wrong.append((record, shown, states))
            return wrong

    def records(self):
        with self._lock:
            return list(self._possible)
