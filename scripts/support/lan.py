"""The LAN on one machine, for test scripts; see docs/lan-lab.md."""

import os
import subprocess
from pathlib import Path

from devices import TOP, Failure

UNAVAILABLE = 77


def unavailable():
    """Why no network namespaces can be made here; None when they can."""
    if os.geteuid() != 0:
        return "they need root"
    done = subprocess.run(
        ["unshare", "--net", "--mount", "true"], capture_output=True, text=True)
    return done.stderr.strip() or "unshare failed" if done.returncode else None


class Lan:
    """Hosts from 1, up while the `with` block runs."""

    def __init__(self, hosts, directory):
        self.hosts = hosts
        self.directory = Path(directory)
        self.environment = dict(os.environ, LINNET_LAN_LAB=str(self.directory))

    def __enter__(self):
        self.order("up", self.hosts)
        return self

    def __exit__(self, *_):
        self.order("down")

    @staticmethod
    def address(host):
        return f"10.77.0.{host}"

    def prefix(self, host):
        """What to write before a command so that it runs on a host."""
        return [
            "env", f"LINNET_LAN_LAB={self.directory}", str(TOP / "scripts/lan-lab"), "exec",
            str(host)]

    def order(self, *words):
        """One of the lab's own commands, such as `cut 2`; returns what it printed."""
        return self._run([str(TOP / "scripts/lan-lab"), *map(str, words)], self.environment)

    def execute(self, host, *words):
        """Runs a command on a host and returns what it printed."""
        return self._run([*self.prefix(host), *words], None)

    @staticmethod
    def _run(words, environment):
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment,
            timeout=120)
        if done.returncode:
            raise Failure(f"{' '.join(words[-4:])}: {done.stderr.strip()}")
        return done.stdout
