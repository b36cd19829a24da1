"""A household for the dashboard's check: devices with real homes, medicines, and a collection with
a field of every kind."""

import json
import os
import re
import subprocess

from devices import Device, Failure, admit, linnet, wait_connected, wait_until

# What somebody may plant anywhere. Each would leave a mark in the page, if it ever became markup.
MARKUP = "<img src=x onerror=\"window.planted='image'\"><script>window.planted='script'</script>"

COLLECTION = {
    "id": 2000, "name": "item", "scope": "household", "fields": [
        {"id": 1, "name": "name", "type": "text", "index": "clear"},
        {"id": 2, "name": "price", "group": [
            {"name": "amount", "type": "decimal"}, {"name": "per", "choice": ["piece", "box"]}]},
        {"id": 3, "name": "tags", "kind": "set", "type": "text"},
        {"id": 4, "name": "count", "kind": "tally", "type": "int"},
        {"id": 5, "name": "notes", "kind": "text"},
        {"id": 6, "name": "place", "kind": "order"},
        {"id": 7, "name": "shelf", "kind": "mv", "type": "text"},
        {"id": 8, "name": "highest", "kind": "max", "type": "int"},
        {"id": 9, "name": "earliest", "kind": "min", "type": "date"},
        {"id": 10, "name": "frozen", "type": "bool"}]}
LOG = {
    "id": 2001, "name": "purchase", "kind": "log", "scope": "purchases", "fields": [
        {"id": 1, "name": "of", "reference": "item"}, {"id": 2, "name": "day", "type": "date"}]}
MEDICINES = [
    {"builtIn": name} for name in (
        "medication", "stock", "schedule", "doseEvent", "timeZoneEvent", "scheduleAdjustment",
        "doseTotal")]

LOOPBACK = ("--listen", "127.0.0.1:0", "--no-discovery")


class Host(Device):
    """A device whose dashboard is looked at."""

    def link(self):
        """A link that opens the dashboard once."""
        words = [linnet(), "dashboard", "--home", str(self.home), "--print"]
        done = subprocess.run(words, capture_output=True, text=True, env=self.environment)
        found = re.search(r"http://127\.0\.0\.1:\d+/open#[0-9a-f]+", done.stdout)
        if not found:
            raise Failure(f"{self.name}: no link: {done.stdout} {done.stderr}")
        return found[0]

    def fields(self, record, collection="item"):
        """What the node itself says that a record holds."""
        return self.call("get", f"{collection}/{record}")[0]["fields"]

    def processor(self):
        """Milliseconds of processor that the node has used."""
        with open(f"/proc/{self.node.process.pid}/stat") as stat:
            user, system = stat.read().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK")

    def resident(self):
        """KiB of memory of the node."""
        with open(f"/proc/{self.node.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def schema(directory):
    path = directory / "schema.json"
    path.write_text(json.dumps({"version": 5, "collections": [*MEDICINES, COLLECTION, LOG]}))
    return str(path)


def host(directory, name="Laptop", kind="laptop", start=True):
    """A device that founded its group, alone."""
    device = Host(directory / name.lower(), name, kind)
    device.call("init", "--name", name, "--kind", kind, "--schema", schema(device.directory))
    if start:
        device.start(*LOOPBACK)
    return device


def joined(first, directory, name, kind, start=True):
    """A further device of the group, connected with the first."""
    place = f"127.0.0.1:{first.port}"
    device = Host(directory / name.lower(), name, kind)
    admit(first, device, peer=place)
    if start:
        device.start(*LOOPBACK, "--peer", place)
        wait_connected([first, device])
    return device


def fill(device):
    """Records of every kind, with long and hostile words among them."""
    device.call("set", "item/i1", "name=Rice", "amount=2.5", "per=box", "count=3", "shelf=left")
    device.call("set", "item/i2", f"name={MARKUP}", f"shelf={MARKUP}", f"notes={MARKUP}")
    device.call("set", "item/i3", "name=" + "Donaudampfschifffahrtsgesellschaft" * 4)
    device.call("set", "item/i4", "name=\u202eevil \u0627\u0644\u0633\u0644\u0627\u0645 \U0001f9c2")


def medicines(device):
    """Several medicines with times around the present."""
    plans = (
        ("Metformin", "500", "mg", "08:00,20:00", "30", "40"),
        ("Acetylsalicylic acid (low dose, gastro-resistant, in the morning)", "100", "mg",
         "07:30", "90", "10"),
        ("Levothyroxine", "75", "mg", "06:30", "12", "14"),
        ("Ramipril", "2.5", "mg", "00:10,12:00,23:50", "60", "10"),
        (MARKUP[:40], "1", "tablets", "09:00", "5", "2"))
    for name, amount, unit, times, stock, minimum in plans:
        device.call(
            "med", "add", name, "--amount", amount, "--unit", unit, "--times", times,
            "--stock", stock, "--minimum", minimum)


def holds(device, record, field, value, collection="item"):
    """Waits until the node shows a value."""
    wait_until(
        f"{device.name} shows {field} = {value!r} of {record}",
        lambda: device.fields(record, collection).get(field) == value)
