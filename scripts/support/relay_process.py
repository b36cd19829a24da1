"""A relay of one's own as a process, and a client that puts into it and remembers the answers."""

import base64
import http.client
import json
import os
import random
import subprocess
import threading

from devices import Failure, Talk, linnet

DIGITS = "abcdefghijklmnopqrstuvwxyz234567"


class RelayProcess:
    """`linnet relay` on a directory, at a port that stays the same."""

    def __init__(self, directory):
        self.directory, self.state = directory, directory / "relay"
        self.talk, self.port, self.starts = None, 0, 0

    def call(self, verb, *words, status=0):
        done = subprocess.run(
            [linnet(), "relay", "--json", verb, str(self.state), *words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        if done.returncode != status:
            raise Failure(f"relay {verb}: exit {done.returncode}: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def add(self, account, place, quota="1GiB"):
        """The password of a new account, in a file as commands read it."""
        made = self.call("add", account, "--place", place, "--quota", quota)[0]
        path = self.directory / f"password-{account}"
        path.write_text(made["password"] + "\n")
        path.chmod(0o600)
        return made["password"], path

    def start(self, *options):
        self.starts += 1
        base = self.directory / f"relay-{self.starts}"
        self.talk = Talk(
            [linnet(), "relay", "--json", "run", str(self.state), "--listen",
             f"127.0.0.1:{self.port}", *options], f"{base}.out", f"{base}.err", dict(os.environ))
        ready = self.talk.wait_for("the relay", lambda line: line.get("event") == "ready")
        self.port = ready["port"]

    @property
    def address(self):
        return f"relay:127.0.0.1:{self.port}"

    def kill(self):
        if self.talk:
            self.talk.kill()

    def stop(self):
        self.talk.stop()
        self.talk = None


class Putter(threading.Thread):
    """Puts objects one after the other and remembers those that were acknowledged."""

    def __init__(self, port, account, password, seed):
        super().__init__(daemon=True)
        self.port, self.chance = port, random.Random(seed)
        pair = base64.b64encode(f"{account}:{password}".encode()).decode()
        self.headers = {"Authorization": f"Basic {pair}"}
        self.kept = {}
        self.is_over = False

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body=body, headers=self.headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def run(self):
        while not self.is_over:
            name = "p/" + "".join(self.chance.choices(DIGITS, k=26))
            content = self.chance.randbytes(self.chance.choice((10, 5_000, 200_000)))
            try:
                status, _ = self.ask("PUT", f"/v1/{name}", content)
            except (OSError, http.client.HTTPException):
                return
            if status == 201:
                self.kept[name] = content

    def check(self):
        """Throws unless all that was acknowledged is there whole."""
        for name, content in self.kept.items():
            status, found = self.ask("GET", f"/v1/{name}")
            if status != 200 or found != content:
                raise Failure(f"{name} was acknowledged, and is answered {status} after a kill")
