"""Devices that never meet and share a relay of one's own."""

import os
import shutil
import signal
import sqlite3
import ssl
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from devices import Device, Failure, admit, say, wait_until
from relay_process import Putter, RelayProcess

CANARY = "Sumatriptan-canary"


class RelayScene:
    def __init__(self, directory, chance):
        self.directory, self.chance = Path(directory), chance
        self.figures = {}
        self.relay = RelayProcess(self.directory)
        self.devices = [self.device(name) for name in ("Phone", "Laptop", "Tablet")]
        self.others = [self.device(name) for name in ("Cousin", "Uncle")]
        self.expected = {}

    def device(self, name):
        return Device(self.directory / name.lower(), name, "laptop")

    def end(self):
        for device in self.devices + self.others:
            device.kill()
        self.relay.kill()

    def play(self, changes, kills):
        self.begin()
        self.refusals()
        self.waking(changes)
        self.killing(kills)
        self.filling()
        self.shutting_out()
        self.secrecy()
        self.renewing()
        self.returning()
        self.relay.stop()

    def group(self, devices):
        founder, *others = devices
        founder.call("init", "--name", founder.name, "--kind", "phone")
        founder.start("--listen", "127.0.0.1:0", "--no-discovery")
        for other in others:
            admit(founder, other, peer=f"127.0.0.1:{founder.port}")
        founder.stop()

    def join(self, device, place, quota="1GiB"):
        account = device.name.lower()
        _, path = self.relay.add(account, place, quota)
        device.call("mailbox", "add", self.relay.address, *self.account(device, path))

    def account(self, device, path=None):
        account = device.name.lower()
        return ["--user", account, "--password-file",
                str(path or self.directory / f"password-{account}")]

    def begin(self):
        """Two groups with one relay; the first has words to return by."""
        self.group(self.devices)
        self.group(self.others)
        phone = self.devices[0]
        made = phone.call("recovery", "create")
        self.words = self.directory / "words"
        self.words.write_text(" ".join(next(row["words"] for row in made if "words" in row)))
        self.words.chmod(0o600)
        self.relay.add("spare", "home")
        self.relay.start()
        for device in self.devices:
            self.join(device, "home")
        for device in self.others:
            self.join(device, "elsewhere")
        trial = phone.call("mailbox", "test", self.relay.address)[0]
        if trial["passed"] != ["put", "get", "list", "delete"]:
            raise Failure(f"the relay does {trial}")

    def refusals(self):
        """A wrong password, one relay too many, and no TLS for others."""
        phone = self.devices[0]
        wrong = self.directory / "wrong"
        wrong.write_text("wrong\n")
        wrong.chmod(0o600)
        phone.call(
            "mailbox", "add", self.relay.address, *self.account(phone, wrong), status=1)
        self.relay.call("run", "--listen", "127.0.0.1:0", status=1)
        self.relay.call("run", "--listen", "0.0.0.0:0", status=1)
        self.relay.call("add", "phone", "--place", "home", status=1)

    def write(self, device, record):
        self.expected[record] = f"{CANARY} {self.chance.randrange(10**6)}"
        device.write(record, f"name={self.expected[record]}")

    def waking(self, changes):
        """Each change is shown at another device; the time from the command's end is measured.
        All devices write at once, as people do."""
        for device in self.devices:
            device.start("--listen", "127.0.0.1:0", "--no-discovery")
        self.settle()
        times = []
        while len(times) < changes:
            with ThreadPoolExecutor(len(self.devices)) as pool:
                times += pool.map(self.change, range(len(times), len(times) + len(self.devices)))
        if any(device.connected() for device in self.devices):
            raise Failure("devices that should never meet are connected")
        times.sort()
        self.figures["latency"] = {
            "changes": len(times), "p50_s": round(times[len(times) // 2], 2),
            "p99_s": round(times[len(times) * 99 // 100], 2)}
        self.settle()

    def change(self, number):
        """Writes a record at one device, and returns how long the next one took to show it."""
        writer, reader = (
            self.devices[(number + step) % len(self.devices)] for step in (0, 1))
        record = f"change-{number}"
        watch = reader.talk("watch", f"medication/{record}")
        try:
            self.write(writer, record)
            began, expected = time.monotonic(), self.expected[record]
            watch.wait_for(f"{reader.name} shows {record}", lambda line: expected in str(line))
            return time.monotonic() - began
        finally:
            watch.kill()

    def settle(self, devices=None):
        devices = devices or self.devices
        for device in devices:
            wait_until(
                f"{device.name} shows {len(self.expected)} records",
                lambda: device.names() == self.expected)

    def killing(self, kills):
        """Whatever was acknowledged before a kill is there after it."""
        password, _ = self.relay.add("putter", "putting")
        kept = 0
        for number in range(kills):
            putter = Putter(self.relay.port, "putter", password, self.chance.random())
            putter.start()
            time.sleep(self.chance.random() * 0.25)
            self.relay.kill()
            putter.is_over = True
            putter.join(30)
            self.relay.start()
            putter.check()
            kept += len(putter.kept)
        self.relay.call("remove", "putter")
        self.figures["kills"] = {"relay": kills, "acknowledged": kept}
        # The devices wait again, and find what was left meanwhile.
        self.write(self.devices[0], "after-kills")
        for device in self.devices:
            device.call("mailbox", "sync")
        self.settle()

    def filling(self):
        """A quota that is full is told, loses nothing, and heals with more room."""
        tablet = self.devices[2]
        tablet.stop()
        self.relay.call("remove", "tablet")
        self.join(tablet, "home", quota="10KiB")
        record = "large"
        self.expected[record] = f"{CANARY} large"
        tablet.write(
            record, f"name={self.expected[record]}", f"instructions={os.urandom(10_000).hex()}")
        self.refused(tablet, "507", "mailbox", "sync")
        self.relay.call("remove", "tablet")
        self.join(tablet, "home")
        tablet.call("mailbox", "sync")
        self.settle()
        self.figures["full"] = True

    def refused(self, device, part, *words):
        talk = device.talk(*words)
        status = talk.process.wait(60)
        said = talk.err.read_text() + talk.out.read_text()
        if status != 1 or part not in said:
            raise Failure(f"exit {status}, and no word of '{part}': {said.strip()}")

    def shutting_out(self):
        """An account that is removed is refused at once, and the others go on."""
        phone, laptop, tablet = self.devices
        self.relay.call("remove", "tablet")
        self.refused(tablet, "401", "mailbox", "sync")
        self.write(phone, "without-tablet")
        wait_until(
            "the laptop shows it", lambda: laptop.names() == self.expected)
        if "without-tablet" in tablet.names():
            raise Failure("a device that is shut out reads what came later")
        self.join(tablet, "home")
        tablet.call("mailbox", "sync")
        self.settle()

    def renewing(self):
        """A certificate is renewed while the relay runs: new connections see it, after SIGHUP at
        once; a pair of files that do not fit together changes nothing."""
        place = self.directory / "secure"
        place.mkdir()
        relay = RelayProcess(place)
        names = ("certificate.pem", "key.pem")
        paths = [place / name for name in names]
        serials = [self.certificate(place, number, names) for number in (1, 2, 3)]
        for name in names:
            shutil.copy(place / f"1-{name}", place / name)
        relay.add("phone", "home")
        relay.start("--certificate", str(paths[0]), "--key", str(paths[1]))
        try:
            for number in (2, 3):
                for name, path in zip(names, paths):
                    shutil.copy(place / f"{number}-{name}", path)
                    looks = self.looks(relay)
                    relay.talk.process.send_signal(signal.SIGHUP)
                    wait_until("the relay reads its files",
                               lambda: self.looks(relay) > looks)
                    # The first of both without the other changes nothing.
                    expected = serials[number - 2 if name == names[0] else number - 1]
                    if self.shown(relay) != expected:
                        raise Failure(f"{expected} is not shown after {name} of {number}")
        finally:
            relay.stop()
        say("a renewed certificate is shown without a new start")

    def looks(self, relay):
        """The times that a relay said what became of its certificate."""
        return sum(line.get("event") == "certificate" for line in relay.talk.lines())

    def certificate(self, place, number, names):
        """Makes a certificate of 127.0.0.1 with openssl; returns its serial number."""
        certificate, key = (place / f"{number}-{name}" for name in names)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=linnet relay", "-addext",
             "subjectAltName=IP:127.0.0.1", "-set_serial", str(700 + number),
             "-keyout", str(key), "-out", str(certificate)],
            check=True, capture_output=True, timeout=60)
        return f"{700 + number:X}".rjust(4, "0")

    def shown(self, relay):
        """The serial number of the certificate that a new connection sees."""
        pem = ssl.get_server_certificate(("127.0.0.1", relay.port), timeout=10)
        done = subprocess.run(["openssl", "x509", "-noout", "-serial"], input=pem, text=True,
                              check=True, capture_output=True, timeout=60)
        return done.stdout.strip().partition("=")[2]

    def secrecy(self):
        """Another group sees nothing, and the relay's file has no word of anybody."""
        cousin, uncle = self.others
        cousin.write("theirs", f"name={CANARY} theirs")
        for device in (cousin, uncle, cousin):
            device.call("mailbox", "sync")
        if uncle.names() != {"theirs": f"{CANARY} theirs"}:
            raise Failure("the second group does not exchange")
        if "theirs" in self.devices[0].names():
            raise Failure("one group shows what another one wrote")
        look = cousin.call("mailbox", "sync")[0]
        if look["findings"]:
            raise Failure(f"the second group sees objects of the first: {look['findings']}")
        database = sqlite3.connect(f"file:{self.relay.state}/relay.sqlite?mode=ro", uri=True)
        objects = database.execute("SELECT count(*), sum(size) FROM objects").fetchone()
        database.close()
        self.figures["objects"], self.figures["bytes"] = objects
        passwords = [path.read_text().strip() for path in self.directory.glob("password-*")]
        words = [CANARY.encode(), b"medication", *[one.encode() for one in passwords]]
        for path in self.relay.state.iterdir():
            content = path.read_bytes()
            if any(word in content for word in words):
                raise Failure(f"{path.name} holds a word that nobody may read there")
        for path in self.directory.rglob("*.err"):
            if any(word in path.read_text(errors="replace") for word in passwords):
                raise Failure(f"a password stands in {path.name}")

    def returning(self):
        """All devices are lost; the words, the relay and an account bring one back."""
        for device in self.devices:
            device.stop()
            device.call("mailbox", "sync")
        for device in self.devices:
            shutil.rmtree(device.home)
        new = self.device("New")
        self.devices.append(new)
        _, path = self.relay.add("new", "home")
        new.call(
            "recovery", "use", "--mailbox", self.relay.address, *self.account(new, path),
            "--lost", "all", "--name", "New", "--kind", "laptop", "--words-file", str(self.words))
        if new.names() != self.expected:
            raise Failure("the new device does not show what the lost ones had")
        for account in ("phone", "laptop", "tablet"):
            self.relay.call("remove", account)
        new.write("again", f"name={CANARY} again")
        new.call("mailbox", "sync")
        say("the words and the relay brought a device back")
