"""Devices that never meet, and exchange through a real store over HTTP that fails now and then."""

import os
import shlex
import subprocess
import time
import urllib.request
from pathlib import Path

from devices import TOP, Device, Failure, admit, say

LAB = TOP / "scripts/mailbox-lab"
CANARY = "Sumatriptan-canary"
KINDS = ("dav", "s3")


class Lab:
    """The stores of scripts/mailbox-lab, in a directory and on ports of their own."""

    def __init__(self, directory):
        self.state = Path(directory) / "lab"
        # The workers of Apache are of another user.
        os.chmod(directory, 0o711)
        self.environment = dict(
            os.environ, LINNET_MAILBOX_LAB=str(self.state), LINNET_MAILBOX_LAB_PORT="18080")
        self.facts = {}

    def call(self, *words):
        done = subprocess.run(
            [str(LAB), *words], env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=180)
        if done.returncode != 0:
            raise Failure(f"mailbox-lab {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def up(self):
        words = shlex.split(self.call("up"))
        self.facts = dict(word.split("=", 1) for word in words)

    def objects(self, kind):
        """All files of a store, as its disks have them."""
        if kind == "dav":
            return [path for path in (self.state / "dav").rglob("*") if path.is_file()]
        holder = (self.state / "pids/namespace").read_text().split()[0]
        root = Path(f"/proc/{holder}/root{self.state}/devices")
        return [path for path in root.rglob("*.data") if path.is_file()]


def why_not():
    """The reason why stores cannot be played here; empty when they can."""
    if os.geteuid() != 0:
        return "it needs root, for a namespace of its own"
    tools = ["apache2", "nginx", "openssl", "nsenter", "swift-proxy-server", "memcached", "rsync"]
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [tool for tool in tools if not any(
        (Path(folder) / tool).exists() for folder in path.split(":"))]
    return f"missing: {', '.join(missing)}; run scripts/setup stores" if missing else ""


class StoreScene:
    """Three devices and one kind of store."""

    def __init__(self, kind, lab, directory, chance):
        self.kind, self.lab, self.chance = kind, lab, chance
        self.directory = Path(directory) / kind
        self.directory.mkdir()
        name = kind.upper()
        self.address = lab.facts[f"{name}_ADDRESS"]
        self.user, self.password = lab.facts[f"{name}_USER"], lab.facts[f"{name}_PASSWORD"]
        self.services = ["apache", "nginx"] if kind == "dav" else ["node-2", "nginx", "proxy"]
        self.devices = [
            Device(self.directory / name.lower(), name, "laptop")
            for name in ("Phone", "Laptop", "Tablet")]
        self.expected = {}
        self.figures = {"killed": {}, "commands_killed": 0, "failed_looks": 0}

    def file(self, name, content):
        path = self.directory / name
        path.write_text(content)
        path.chmod(0o600)
        return str(path)

    def account(self, password=None, ca=None):
        secret = self.file("password", (password or self.password) + "\n")
        return ["--user", self.user, "--password-file", secret,
                "--ca", ca or self.lab.facts["LAB_CA"]]

    def play(self):
        self.pair()
        self.refusals()
        for _ in range(3):
            for device in self.devices:
                self.write(device)
                self.look(device)
        self.busy()
        self.settle()
        self.secrecy()

    def pair(self):
        phone, *others = self.devices
        phone.call("init", "--name", phone.name, "--kind", "phone")
        phone.start("--listen", "127.0.0.1:0", "--no-discovery")
        for other in others:
            admit(phone, other, peer=f"127.0.0.1:{phone.port}")
        phone.stop()
        for device in self.devices:
            device.call("mailbox", "add", self.address, *self.account())
        trial = phone.call("mailbox", "test", self.address)[0]
        if trial["passed"] != ["put", "get", "list", "delete"]:
            raise Failure(f"the store does {trial}")

    def refused(self, device, part, *words):
        """A command that must fail, say why, and say no password."""
        talk = device.talk(*words)
        status = talk.process.wait(60)
        said = talk.err.read_text() + talk.out.read_text()
        if status != 1 or part not in said:
            raise Failure(f"exit {status}, and no word of '{part}': {said.strip()}")
        return said

    def refusals(self):
        """A wrong password, and a certificate of an authority that is not trusted."""
        phone = self.devices[0]
        code = "401" if self.kind == "dav" else "403"
        self.refused(
            phone, code, "mailbox", "add", self.address, *self.account(password="wrong"))
        self.refused(
            phone, "did not prove who it is", "mailbox", "add", self.address,
            *self.account(ca=self.lab.facts["OTHER_CA"]))
        # The account that works is still the one in use.
        phone.call("mailbox", "sync")

    def write(self, device):
        for _ in range(self.chance.randrange(1, 4)):
            record = f"{device.name.lower()}-{self.chance.randrange(6)}"
            # Some go into the head, and some are large enough for a pack.
            notes = "x" * self.chance.choice((10, 10, 40_000))
            noise = os.urandom(len(notes) // 2).hex()
            self.expected[record] = f"{CANARY} {self.chance.randrange(10**6)}"
            device.write(record, f"name={self.expected[record]}", f"instructions={noise}")

    def look(self, device):
        """Looks, while a service of the store is killed, or is killed itself."""
        talk = device.talk("mailbox", "sync")
        time.sleep(self.chance.random() * 0.3)
        if self.chance.random() < 0.3:
            talk.kill()
            self.figures["commands_killed"] += 1
            return
        service = self.chance.choice(self.services)
        self.lab.call("kill", service)
        killed = self.figures["killed"]
        killed[service] = killed.get(service, 0) + 1
        status = talk.process.wait(120)
        if status not in (0, 1):
            raise Failure(f"exit {status} while {service} was killed: {talk.complaint()}")
        self.figures["failed_looks"] += status
        self.lab.call("start", service)

    def busy(self):
        """A store that asks to wait is told, and what was written meanwhile is not lost."""
        phone = self.devices[0]
        self.lab.call("refuse", "7")
        self.write(phone)
        self.refused(phone, "asks to wait for 7 s", "mailbox", "sync")
        self.lab.call("allow")

    def settle(self):
        """A store that works again: all shows everywhere after a few looks."""
        if self.kind == "s3":
            self.lab.call("settle")
        for number in range(1, 13):
            for device in self.devices:
                device.call("mailbox", "sync", seconds=180)
            if all(device.names() == self.expected for device in self.devices):
                self.figures["rounds_to_heal"] = number
                break
        else:
            for device in self.devices:
                differing = set(device.names().items()) ^ set(self.expected.items())
                say(f"{device.name}: {sorted(differing)}")
            raise Failure("the devices do not show what was written")
        if len({device.digest() for device in self.devices}) != 1:
            raise Failure("the same records have several digests")
        status = self.devices[0].call("mailbox", "status")[0]
        self.figures.update(requests=status["dayRequests"], bytes=status["dayBytes"])

    def secrecy(self):
        """No word in the store, and no password where a device left anything."""
        objects = self.lab.objects(self.kind)
        if not objects:
            raise Failure("the store holds nothing")
        words = [CANARY, *(device.name for device in self.devices), "medication"]
        for path in objects:
            content = path.read_bytes()
            for word in words:
                if word.encode() in content or word in path.name:
                    raise Failure(f"{path} holds {word}")
        secret = self.password.encode()
        for device in self.devices:
            for path in device.directory.rglob("*"):
                if path.is_file() and secret in path.read_bytes():
                    raise Failure(f"{path} holds the password")
        self.figures["objects"] = len(objects)

    def end(self):
        for device in self.devices:
            device.kill()


def make_bucket(lab):
    """The lab's bucket, made by curl, which signs by itself."""
    facts = lab.facts
    user = f"{urllib.request.quote(facts['S3_USER'], safe='')}:{facts['S3_PASSWORD']}"
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    place = facts["S3_PLAIN"].removeprefix("http://")
    done = subprocess.run(
        ["curl", "-sS", "-f", "-X", "PUT", "--aws-sigv4", "aws:amz:us-east-1:s3",
         "-H", f"x-amz-content-sha256: {empty}", f"http://{user}@{place}/linnet"],
        capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise Failure(f"no bucket: {done.stderr.strip()}")


def play_stores(directory, chance):
    """Plays each kind of store; returns the figures."""
    lab = Lab(directory)
    figures = {}
    try:
        lab.up()
        make_bucket(lab)
        for kind in KINDS:
            say(f"stores: {kind}")
            scene = StoreScene(kind, lab, directory, chance)
            try:
                scene.play()
            finally:
                scene.end()
            figures[kind] = scene.figures
    finally:
        lab.call("down")
    return figures
