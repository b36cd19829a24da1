"""Devices for test scripts: the command line with a home for each, and waiting for what it does."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60


class Failure(Exception):
    """Something did not happen as it must; the text says what."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def unwind_on_signals():
    """Lets whatever cleans up do so when we are told to end."""

    def leave(number, _frame):
        sys.exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave)


def linnet():
    """The program under test: $LINNET_BINARY, or the release build, made when there is none."""
    given = os.environ.get("LINNET_BINARY")
    if given:
        return str(Path(given).resolve())
    binary = TOP / ".build/release/linnet"
    if not binary.exists():
        say("building the release of linnet")
        subprocess.run(
            ["swift", "build", "-c", "release", "--product", "linnet"],
            cwd=TOP, stdout=sys.stderr, check=True, env=dict(os.environ, LINNET_STRICT="1"))
    return str(binary)


def wait_until(sentence, condition, seconds=PATIENCE_SECONDS):
    """Asks `condition` again and again until it says something true, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise Failure(f"not within {seconds} s: {sentence}")
        time.sleep(0.1)


class Talk:
    """A program that runs in the background; what it says is read from files as it says it."""

    def __init__(self, words, out, err, environment):
        self.words, self.out, self.err = words, Path(out), Path(err)
        with open(self.out, "wb") as output, open(self.err, "wb") as errors:
            # A group of its own, so that wrappers such as faketime get our signals passed on.
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                env=environment, start_new_session=True)

    def lines(self):
        """The JSON objects said so far, one a whole line."""
        text = self.out.read_text(errors="replace")
        return [json.loads(line) for line in text.split("\n")[:-1]]

    def wait_for(self, sentence, matches, seconds=PATIENCE_SECONDS):
        """The first object that `matches`."""

        def look():
            found = next((line for line in self.lines() if matches(line)), None)
            if found is None and self.process.poll() is not None:
                raise Failure(f"ended before {sentence}: {self.complaint()}")
            return found

        return wait_until(sentence, look, seconds)

    def complaint(self):
        """The last thing it said to people."""
        said = self.err.read_text(errors="replace").strip().splitlines()
        return said[-1] if said else f"exit {self.process.poll()}, nothing said"

    def finish(self, seconds=PATIENCE_SECONDS):
        """Waits for its end, which must be a good one."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failure(f"did not end within {seconds} s: {' '.join(self.words[-4:])}") from None
        if status != 0:
            raise Failure(f"exit {status}: {self.complaint()}")

    def stop(self):
        """Asks it to end as a person would, and expects that it does so well."""
        self.signal(signal.SIGTERM)
        self.finish(20)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()

    def signal(self, number):
        if self.process.poll() is None:
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                pass


class Device:
    """A device: a directory with its home, its temporary files and what it said."""

    def __init__(self, directory, name, kind="other", prefix=(), environment=None):
        self.name, self.kind, self.prefix = name, kind, list(prefix)
        self.directory = Path(directory)
        self.home = self.directory / "home"
        self.answers = self.directory / "answers"
        self.logs = self.directory / "logs"
        self.temporary = self.directory / "tmp"
        for path in (self.answers, self.logs, self.temporary):
            path.mkdir(parents=True)
        self.environment = dict(os.environ, **(environment or {}))
        self.environment.update(
            HOME=str(self.directory), TMPDIR=str(self.temporary), XDG_DATA_HOME=str(self.directory))
        self.node = None
        self.port = None
        self.calls = 0

    def _words(self, words, json_lines=True):
        flags = ["--json"] if json_lines else []
        return [*self.prefix, linnet(), words[0], "--home", str(self.home), *flags, *words[1:]]

    def talk(self, *words, where=None, json_lines=True):
        """Starts a command and goes on."""
        self.calls += 1
        base = (where or self.answers) / f"{self.calls}-{words[0]}"
        return Talk(
            self._words(words, json_lines), f"{base}.out", f"{base}.err", self.environment)

    def background(self, words):
        """Starts any other program beside the device and goes on."""
        return Talk(
            words, self.logs / "program.out", self.logs / "program.err", self.environment)

    def call(self, *words, status=0, seconds=PATIENCE_SECONDS):
        """Runs a command to its end, which must be `status`; returns the objects it printed."""
        try:
            done = subprocess.run(
                self._words(words), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                env=self.environment, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name}: no end within {seconds} s: {' '.join(words)}") from None
        if done.returncode != status:
            raise Failure(
                f"{self.name}: exit {done.returncode}, not {status}: {' '.join(words)}: "
                f"{done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def start(self, *options, json_lines=True):
        """Runs the node until it is ready."""
        self.node = self.talk("run", *options, where=self.logs, json_lines=json_lines)
        if json_lines:
            ready = self.node.wait_for("ready", lambda line: line.get("event") == "ready")
            self.port = ready["port"]
        else:
            wait_until(f"{self.name} is ready", self._says_ready)

    def _says_ready(self):
        if self.node.process.poll() is not None:
            raise Failure(f"{self.name}: {self.node.complaint()}")
        return "ready" in self.node.out.read_text()

    def stop(self):
        if self.node:
            node, self.node = self.node, None
            node.stop()

    def kill(self):
        if self.node:
            node, self.node = self.node, None
            node.kill()

    def events(self, event):
        """The events of a kind that the running node told so far."""
        return [line for line in self.node.lines() if line.get("event") == event]

    def wait_for(self, event, matches=lambda line: True, seconds=PATIENCE_SECONDS):
        """The first event of a kind that `matches`."""
        return self.node.wait_for(
            f"{self.name} tells {event}",
            lambda line: line.get("event") == event and matches(line), seconds)

    def status(self):
        return self.call("status")[0]

    def identifier(self):
        return next(device["device"] for device in self.status()["devices"] if device["self"])

    def connected(self):
        """The identifiers of the devices that it is connected with."""
        return {one["device"] for one in self.status()["devices"] if one["connected"]}

    def digest(self):
        return self.call("digest")[0]["digest"]

    def write(self, record, *fields):
        self.call("set", f"medication/{record}", *fields)

    def names(self):
        """What it shows: the name of each medicine by the record's identifier."""
        return {one["id"]: one["fields"].get("name") for one in self.call("list", "medication")}

    def last_words(self):
        """The last lines of its log, to find out what went wrong."""
        logs = sorted(self.logs.glob("*.err"), key=lambda path: path.stat().st_mtime)
        return logs[-1].read_text(errors="replace").splitlines()[-5:] if logs else []


def admit(member, newcomer, peer=None):
    """Pairs by code, with the real commands: through mDNS, or at the address `peer`."""
    offer = member.talk("pair", "--yes")
    try:
        sight = offer.wait_for("a code is shown", lambda line: "code" in line)
        place = ["--peer", peer] if peer else []
        newcomer.call(
            "join", "--name", newcomer.name, "--kind", newcomer.kind, "--code", sight["code"],
            *place)
        offer.finish()
    finally:
        offer.kill()


def wait_connected(devices):
    """Waits until every device is connected with every other."""
    everyone = {device.identifier() for device in devices}
    for device in devices:
        others = everyone - {device.identifier()}
        wait_until(
            f"{device.name} is connected with the others", lambda: others <= device.connected())


def wait_converged(devices, expected):
    """Waits until all devices show `expected` (names by record) and have the same digest."""
    for device in devices:
        wait_until(
            f"{device.name} shows {len(expected)} records: {', '.join(sorted(expected))}",
            lambda: device.names() == expected)
    wait_until("the digests are equal", lambda: len({device.digest() for device in devices}) == 1)


def remove(directory):
    shutil.rmtree(directory, ignore_errors=True)
