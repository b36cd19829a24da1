"""Devices that are treated badly: commands that may fail, processes that are killed."""

import json
import os
import socket
import subprocess
import threading
import time

from devices import Device, Failure


def happens(condition, seconds, pause=0.05):
    """Asks `condition` until it holds; its last answer, false when the time is over."""
    deadline = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer or time.monotonic() >= deadline:
            return answer
        time.sleep(pause)


_given = set()


def free_port():
    """A port below the range of dialling sockets, so that a device can come back to it."""
    for port in range(21000 + os.getpid() % 4000, 32000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in _given:
            _given.add(port)
            return port
    raise Failure("there is no free port")


class Answer:
    """How a command ended: exit code (negative: the signal), JSON lines, and words."""

    def __init__(self, code, output, words):
        self.code, self.words = code, words.strip()
        # A killed command may leave half a line.
        self.objects = [json.loads(line) for line in output.split("\n")[:-1]]

    @property
    def first(self):
        return self.objects[0] if self.objects else {}

    def __str__(self):
        return f"exit {self.code}: {self.words[-600:]}"


class TriedDevice(Device):
    """A device with a port of its own, whose commands may end anyhow."""

    def __init__(self, directory, name, kind="other"):
        super().__init__(directory / name, name, kind)
        self.own_port = free_port()
        self.environment["SWIFT_BACKTRACE"] = "enable=no"
        self._commands = set()
        self._lock = threading.Lock()

    @property
    def address(self):
        return f"127.0.0.1:{self.own_port}"

    def attempt(self, *words, seconds=60):
        """Runs a command to its end, whatever that is."""
        process = subprocess.Popen(
            self._words(words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=self.environment)
        with self._lock:
            self._commands.add(process)
        try:
            output, said = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            output, said = process.communicate()
            said += f"\n(killed after {seconds} s)"
        finally:
            with self._lock:
                self._commands.discard(process)
        return Answer(process.returncode, output, said)

    def kill_commands(self):
        """kill -9 of the commands that run on this home; how many there were."""
        with self._lock:
            commands = list(self._commands)
        for command in commands:
            command.kill()
        return len(commands)

    def begin(self, peers=()):
        """Starts `linnet run` at the device's own port and does not wait for it."""
        words = ["run", "--listen", self.address, "--no-discovery"]
        for peer in peers:
            words += ["--peer", peer]
        self.node = self.talk(*words, where=self.logs)
        return self.node

    def run(self, peers=()):
        """Starts `linnet run` and waits until it is ready."""
        self.begin(peers).wait_for("ready", lambda line: line.get("event") == "ready")

    def state(self):
        """The digest, and the vector as a sorted list; None when the command failed."""
        answer = self.attempt("digest")
        if answer.code != 0:
            return None
        parts = ["scope", "device", "incarnation", "sequence", "head"]
        vector = [tuple(chain[part] for part in parts) for chain in answer.first["vector"]]
        return answer.first["digest"], sorted(vector)

    def records(self):
        """The live medicines, fields by identifier; None when the command failed."""
        answer = self.attempt("list", "medication")
        if answer.code != 0:
            return None
        return {record["id"]: record["fields"] for record in answer.objects}


def finish_all(devices):
    """Ends whatever still runs, on the way out."""
    for device in devices:
        device.kill_commands()
        device.kill()


