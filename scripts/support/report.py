"""What was tried and how it went: lines for people, and one JSON object at the end."""

import json

from devices import say


class Report:
    def __init__(self, check):
        self.check = check
        self.cases = 0
        self.failed = []
        self.figures = {}

    def case(self, held, sentence, detail=""):
        """Says how one case went; `detail` is what was seen instead."""
        self.cases += 1
        if held:
            say(f"ok {self.cases} - {sentence}")
        else:
            self.failed.append(sentence)
            say(f"not ok {self.cases} - {sentence}" + (f"\n    {detail}" if detail else ""))
        return bool(held)

    def close(self, **figures):
        """Prints the figures; the exit code."""
        held = not self.failed
        line = {"check": self.check, "ok": held, "cases": self.cases,
                "failed": self.failed, **self.figures, **figures}
        print(json.dumps(line), flush=True)
        return 0 if held else 1
