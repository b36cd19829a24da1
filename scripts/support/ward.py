"""The attacked device with its group, and what must hold after every attack."""

import time

from attempts import TriedDevice, happens
from devices import Failure, admit
from relay import Relay
from wire import Sources, Stranger, preface

MEMORY_MARGIN_KIB = 4096
MEMORY_SECONDS = 30
SYNC_SECONDS = 10


def resident_kib(pid):
    """Resident memory; 0 when the process is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return 0


def is_back(pid, baseline_kib, seconds=MEMORY_SECONDS):
    """Whether resident memory comes back to at most 4 MiB above the baseline within the time."""
    return happens(
        lambda: 0 < resident_kib(pid) <= baseline_kib + MEMORY_MARGIN_KIB, seconds, pause=0.5)


class Ward:
    """`laptop` is attacked, `phone` stays connected to it, `watch` comes and goes.

    `tablet` knows the laptop by the relay's address only: all it says goes through the relay.
    """

    def __init__(self, directory, report):
        self.report, self.directory = report, directory
        self.sources = Sources()
        self.devices = []
        self.laptop = self.device("laptop")
        self.phone = self.device("phone")
        self.watch = self.device("watch")
        self.tablet = self.device("tablet", kind="other")
        self.writes = 0
        self.slowest_sync = 0.0

    def device(self, name, kind=None):
        """A device of its own, ended with the ward."""
        device = TriedDevice(self.directory, name, kind=kind or name)
        self.devices.append(device)
        return device

    def prepare(self):
        self.laptop.call("init", "--name", "laptop", "--kind", "laptop")
        self.laptop.run()
        for newcomer in (self.phone, self.watch):
            admit(self.laptop, newcomer, peer=self.laptop.address)
        self.phone.run([self.laptop.address])
        self.relay = Relay(self.laptop.own_port, self.sources)
        admit(self.laptop, self.tablet, peer=self.relay.address)
        # Buffers and caches that a device has after some use are no growth.
        for _ in range(10):
            if not self.sync():
                raise Failure("the members do not synchronise before any attack")
        for _ in range(100):
            with self.stranger() as stranger:
                stranger.send(preface())
                stranger.read(24)
        self.pid = self.laptop.node.process.pid
        self.baseline = resident_kib(self.pid)
        self.report.figures["baselineKiB"] = self.baseline

    def stranger(self):
        return self.stranger_at(self.laptop)

    def stranger_at(self, device):
        return Stranger(device.own_port, self.sources.take())

    def sync(self):
        """Whether a member connects and comes in step within the bound."""
        began = time.monotonic()
        answer = self.watch.attempt(
            "sync", "--peer", self.laptop.address, "--timeout", str(SYNC_SECONDS))
        self.slowest_sync = max(self.slowest_sync, time.monotonic() - began)
        return answer.code == 0

    def connections(self):
        """How many sessions the attacked device has opened so far."""
        return len(self.laptop.events("peer-connected"))

    def pushes(self):
        """Whether a write on the attacked device reaches its connected member."""
        self.writes += 1
        value = f"value {self.writes}"
        self.laptop.attempt("set", "medication/ward", f"name={value}")
        return happens(
            lambda: self.phone.attempt("get", "medication/ward").first.get("fields", {})
            .get("name") == value, SYNC_SECONDS)

    def is_well(self, after):
        """The process lives, members connect, writes arrive, memory is back."""
        alive = self.laptop.node.process.poll() is None and self.laptop.node.process.pid == self.pid
        if not alive:
            log = self.laptop.node.complaint()
            return self.report.case(False, f"the process lives after {after}", log)
        syncs = happens(self.sync, SYNC_SECONDS)
        pushed = self.pushes()
        back = is_back(self.pid, self.baseline)
        now = resident_kib(self.pid)
        self.report.figures["residentKiB"] = now
        return self.report.case(
            syncs and pushed and back,
            f"after {after} a member connects and synchronises, and memory is back",
            f"sync {bool(syncs)}, push {bool(pushed)}, resident {now} KiB,"
            f" baseline {self.baseline} KiB")
