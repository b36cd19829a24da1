"""Yjs in the suite, as Debian's package node-yjs has it, in a process of node."""

import json
import os
import subprocess
import threading
from pathlib import Path

DRIVER = Path(__file__).resolve().parent / "suite_yjs.cjs"
# Where Debian keeps modules of node; whoever has others names them.
PLACES = os.pathsep.join(filter(None, [os.environ.get("NODE_PATH"), "/usr/share/nodejs"]))


threads = threading.local()


class Yjs:
    name = "yjs"
    claims = {"values", "groups", "sets", "texts", "logs", "deletes"}
    # Its identities are drawn anew each time, and decide what comes first.
    rounds = 60

    @staticmethod
    def version():
        with Process() as process:
            return process.ask({"do": "version"})

    @staticmethod
    def begin(_folder, names):
        # Node takes longer to start than a scenario takes: one process for each thread.
        if not hasattr(threads, "process"):
            threads.process = Process()
        return World(threads.process, names)


class Process:
    """The driver; one line of JSON in, one out."""

    def __init__(self):
        self.process = subprocess.Popen(
            ["node", str(DRIVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "NODE_PATH": PLACES}, stderr=subprocess.PIPE)

    def ask(self, what):
        try:
            self.process.stdin.write(json.dumps(what) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if not line:
            said = [one for one in self.process.stderr.read().splitlines() if "Error" in one]
            raise OSError(said[0] if said else "node ended without a word")
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


class World:
    def __init__(self, process, names):
        self.process = process
        for name in names:
            self.join(name)

    def join(self, name):
        self.process.ask({"do": "make", "name": name})

    def write(self, name, step):
        self.process.ask({"do": "change", "name": name, "step": step})

    def sync(self, one, other):
        self.process.ask({"do": "sync", "name": one, "other": other})

    def show(self, name):
        return self.process.ask({"do": "show", "name": name})

    def restart(self, name):
        self.process.ask({"do": "copy", "name": name, "other": name})

    kill = restart

    def copy(self, name, other):
        self.process.ask({"do": "copy", "name": name, "other": other})

    def keep(self, name):
        self.process.ask({"do": "keep", "name": name})

    def restore(self, name):
        self.process.ask({"do": "restore", "name": name})

    def clock(self, name, what):
        """No clock plays a part in it."""

    def end(self):
        """The next world makes its documents anew."""
