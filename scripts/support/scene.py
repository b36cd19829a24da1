"""One attack: a group of its own, the attack, what it cost, and whether the honest go on."""

import time

from attempts import TriedDevice, happens
from devices import Failure, admit
from saboteur import Identity, Session
from ward import resident_kib

SYNC_SECONDS = 60
MEMORY_KIB = 64 * 1024
DISK_FACTOR = 8
DISK_SLACK = 8 << 20


def peak_kib(pid):
    """The largest resident memory since `forget_peak`."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)


def forget_peak(pid):
    with open(f"/proc/{pid}/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


class Scene:
    """`laptop` is attacked by `tablet`, a member, and meets `phone`, an honest one."""

    def __init__(self, directory, report, dice):
        self.report, self.dice = report, dice
        self.laptop, self.phone, self.tablet = (
            TriedDevice(directory, name, kind=kind)
            for name, kind in (("laptop", "laptop"), ("phone", "phone"), ("tablet", "other")))
        self.devices = [self.laptop, self.phone, self.tablet]
        self.bytes = self.decoded = self.writes = 0

    def prepare(self):
        self.laptop.call("init", "--name", "laptop", "--kind", "laptop")
        self.laptop.run()
        for newcomer in (self.phone, self.tablet):
            admit(self.laptop, newcomer, peer=self.laptop.address)
        self.sync()
        self.who = Identity(self.tablet.home)
        self.meds, self.device_scope = self.who.scope("meds"), self.who.scope("devices")

    @property
    def pid(self):
        return self.laptop.node.process.pid

    def session(self, **words):
        return Session(self.who, self.laptop.own_port).open(**words)

    def disk(self):
        return sum(path.stat().st_size for path in self.laptop.home.iterdir() if path.is_file())

    def sync(self):
        answer = self.phone.attempt(
            "sync", "--peer", self.laptop.address, "--timeout", str(SYNC_SECONDS),
            seconds=SYNC_SECONDS + 20)
        return answer.code == 0

    def converse(self):
        """Whether changes pass in both directions, and how long that took."""
        began = time.monotonic()
        self.writes += 1
        value = f"value {self.writes}"
        self.laptop.attempt("set", "medication/laptop", f"name={value}")
        self.phone.attempt("set", "medication/phone", f"name={value}")
        passed = happens(lambda: self.sync() and self._shows(value), SYNC_SECONDS, pause=0.5)
        return bool(passed), round(time.monotonic() - began, 1)

    def _shows(self, value):
        wanted = {"laptop": value, "phone": value}
        return all(
            {name: records[name].get("name") for name in wanted if name in records} == wanted
            for records in (device.records() or {} for device in (self.laptop, self.phone)))

    def play(self, attack):
        self.prepare()
        before, disk = resident_kib(self.pid), self.disk()
        forget_peak(self.pid)
        began = time.monotonic()
        said = attack(self) or {}
        figures = {"attackSeconds": round(time.monotonic() - began, 1), "sentBytes": self.bytes,
                   "decodedBytes": self.decoded, **said}
        alive = self.laptop.node.process.poll() is None
        if not alive:
            figures["end"] = self.laptop.node.complaint()
            self.report.case(False, f"{attack.name}: the process lives", figures["end"])
            return figures
        passed, seconds = self.converse()
        alive = self.laptop.node.process.poll() is None
        figures.update(
            endOfNode=None if alive else self.laptop.node.complaint(),
            residentBeforeKiB=before, residentPeakKiB=peak_kib(self.pid) if alive else None,
            diskGrowth=self.disk() - disk, syncSeconds=seconds)
        self.report.case(
            passed and alive, f"{attack.name}: the honest exchange changes",
            self.laptop.node.complaint())
        self._judge(attack, figures, before)
        try:
            self._restart(attack, figures, before)
        except Failure as failure:
            self.report.case(False, f"{attack.name}: and after a restart", str(failure))
        warnings = self.laptop.attempt("status").first.get("warnings", [])
        figures["warnings"] = sorted({warning.get("kind", "") for warning in warnings})
        return figures

    def _judge(self, attack, figures, before):
        grown = (figures["residentPeakKiB"] or 0) - before
        self.report.case(
            grown <= MEMORY_KIB, f"{attack.name}: memory stays within 64 MiB of what it was",
            f"it grew by {grown} KiB")
        allowed = DISK_FACTOR * max(self.bytes, self.decoded) + DISK_SLACK
        self.report.case(
            figures["diskGrowth"] <= allowed, f"{attack.name}: the disk follows what was received",
            f"it grew by {figures['diskGrowth']} bytes, allowed are {allowed}")

    def _restart(self, attack, figures, before):
        self.laptop.attempt("status")
        self.laptop.kill()
        began = time.monotonic()
        self.laptop.run()
        figures["restartSeconds"] = round(time.monotonic() - began, 1)
        passed, _ = self.converse()
        figures["residentRestartedKiB"] = peak_kib(self.pid)
        self.report.case(passed, f"{attack.name}: and after a restart", "no exchange")
        grown = figures["residentRestartedKiB"] - before
        self.report.case(
            grown <= MEMORY_KIB, f"{attack.name}: a restart takes no more memory",
            f"it takes {grown} KiB more")
