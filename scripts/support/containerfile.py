#!/usr/bin/env python3
"""Carries out docs/samples/Containerfile in a root that exists, and uses what came of it:
containerfile.py ROOT CONTEXT, the latter as a path in ROOT.

It knows the instructions that the file has and refuses others. No container engine takes part: its
layers, networks and volumes are not tried, only what the lines do and that the command works as
their user, in namespaces of its own.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE_SECONDS = 60


class Refused(Exception):
    pass


def instructions(text):
    """Pairs of a word and the rest, lines that end in a backslash joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").split("\n"):
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


class Image:
    """What the instructions make of a root."""

    def __init__(self, root, context):
        self.root = root
        self.context = context
        self.environment = {"PATH": os.environ["PATH"], "DEBIAN_FRONTEND": "noninteractive"}
        self.user = "root"
        self.words = {"ENTRYPOINT": [], "CMD": []}

    def carry_out(self, word, rest):
        if word == "COPY":
            pattern, target = rest.split()
            for source in (self.root / self.context[1:]).glob(pattern):
                shutil.copy(source, self.root / target[1:])
        elif word == "RUN":
            self.call(["sh", "-ec", rest])
        elif word == "ENV":
            name, _, value = rest.partition("=")
            self.environment[name] = value
        elif word == "USER":
            self.user = rest
        elif word in self.words:
            self.words[word] = json.loads(rest)
        elif word not in ("FROM", "VOLUME", "EXPOSE"):
            raise Refused(f"the instruction {word} is not known here")

    def command(self, words):
        return ["chroot", f"--userspec={self.user}", str(self.root), *words]

    def call(self, words):
        return subprocess.run(
            self.command(words), env=self.environment, check=True, capture_output=True,
            text=True).stdout

    def linnet(self, *words):
        """One command in the container, as `podman run IMAGE WORDS` starts it."""
        return self.call([*self.words["ENTRYPOINT"], *words])

    def start(self):
        """The image's own command, in namespaces of its own."""
        apart = ["unshare", "--mount", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child"]
        inside = self.command([*self.words["ENTRYPOINT"], *self.words["CMD"]])
        return subprocess.Popen([*apart, *inside], env=self.environment)


def end(process):
    """Ends the command as an engine does: its first process is told, not the one that waits."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGTERM)
    try:
        status = process.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Refused("the command does not end") from None
    if status:
        raise Refused(f"the command ended with {status}")


def main(root, context):
    image = Image(Path(root), context)
    text = (Path(root) / context[1:] / "Containerfile").read_text()
    for word, rest in instructions(text):
        image.carry_out(word, rest)
    if image.user == "root":
        raise Refused("the command would run as root")
    image.linnet("init", "--name", "Server", "--kind", "other")
    process = image.start()
    try:
        socket = Path(root) / image.environment["LINNET_HOME"][1:] / "control"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not socket.is_socket():
            if process.poll() is not None:
                raise Refused(f"the command ended with {process.returncode}")
            if time.monotonic() > deadline:
                raise Refused("the command does not answer")
            time.sleep(0.1)
        image.linnet("set", "medication/m1", "name=Aspirin")
        if "Aspirin" not in image.linnet("get", "medication/m1"):
            raise Refused("what was written is not there")
    except BaseException:
        process.kill()
        raise
    end(process)
    print("the lines of the Containerfile were carried out, and its command works", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1], sys.argv[2]))
    except subprocess.CalledProcessError as error:
        print(f"not ok: {error.cmd}: {error.stderr}", file=sys.stderr)
    except Refused as refused:
        print(f"not ok: {refused}", file=sys.stderr)
    sys.exit(1)
