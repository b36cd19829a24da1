"""This engine in the suite: a home and real processes for each device."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from devices import TOP, Device, Failure, linnet, remove
from mutant_patience import family
from sshd import free_port
from suite_play import Refused

SCHEMA = TOP / "Simulations/Suite/schema.json"
# A frozen wall clock must not freeze the time that waiting is measured with.
STILL = {"FAKETIME_DONT_FAKE_MONOTONIC": "1"}


class Linnet:
    name = "linnet"
    claims = {"values", "groups", "counters", "counts anew", "counts once", "sets", "texts",
              "several values", "logs", "orders", "deletes", "restores"}
    # Every round founds a group of its own, which takes seconds.
    rounds = 1

    @staticmethod
    def version():
        said = subprocess.run([linnet(), "--version"], capture_output=True, text=True, check=True)
        return re.search(r"\d+\.\d+\.\d+\S*", said.stdout).group(0)

    @staticmethod
    def begin(folder, names):
        return World(Path(folder), names)


class World:
    def __init__(self, folder, names):
        self.folder, self.devices, self.kept = folder, {}, {}
        self.founder = names[0]
        for name in names:
            self.join(name)

    def join(self, name):
        device = self.device(name)
        if name == self.founder:
            device.call("init", "--name", name, "--kind", "laptop", "--schema", str(SCHEMA))
            return
        # A newcomer is admitted, and then asks the founder for what there is.
        place = f"127.0.0.1:{free_port()}"
        offer = self.devices[self.founder].talk("pair", "--yes", "--no-discovery",
                                                "--listen", place)
        try:
            sight = offer.wait_for("a code is shown", lambda line: "code" in line)
            device.call("join", "--name", name, "--kind", "phone", "--code", sight["code"],
                        "--peer", place, "--no-discovery")
            offer.finish()
        finally:
            offer.kill()

    def device(self, name):
        device = Device(self.folder / name, name, environment=STILL)
        self.devices[name] = device
        return device

    def sync(self, one, other):
        host, guest = self.devices[one], self.devices[other]
        place = f"127.0.0.1:{free_port()}"
        try:
            host.start("--no-discovery", "--listen", place)
            guest.call("sync", "--no-discovery", "--peer", place)
            self.stop(host)
        except Failure as failure:
            raise Refused(str(failure)) from None
        finally:
            host.kill()

    @staticmethod
    def stop(device):
        """Ends the node itself: a signal to its group would end what fakes its clock before it."""
        node, device.node = device.node, None
        os.kill(family(node.process.pid)[-1], signal.SIGTERM)
        node.finish()

    def write(self, name, step):
        device = self.devices[name]
        try:
            for words in self.words(step):
                self.say(device, words)
        except Failure as failure:
            raise Refused(str(failure)) from None

    @staticmethod
    def say(device, words):
        done = subprocess.run(device._words(words), capture_output=True, text=True, check=False,
                              env=device.environment, timeout=60)
        # 4 is written and not shown, 5 is nothing to do: neither is a refusal.
        if done.returncode not in (0, 4, 5):
            raise Failure(f"linnet {' '.join(words)} ended with {done.returncode}: "
                          f"{done.stderr.strip()}")

    @staticmethod
    def words(step):
        """The commands of a step."""
        if "write" in step:
            plain, texts = [], []
            for field, value in step["fields"].items():
                if field == "notes":
                    texts.append(["edit", f"item/{step['write']}", "notes", "--insert", value])
                elif field == "dose" and value is not None:
                    plain += [f"amount={value['amount']}", f"unit={value['unit']}"]
                else:
                    plain.append(f"{field}={'' if value is None else value}")
            head = [["set", f"item/{step['write']}", *plain]] if plain else []
            return head + texts
        if "count" in step:
            sign = "+=" if step["by"] >= 0 else "-="
            key = f"@{step['key']}" if "key" in step else ""
            return [["set", f"item/{step['count']}", f"stock{sign}{abs(step['by'])}{key}"]]
        if "recount" in step:
            return [["set", f"item/{step['recount']}", f"stock={step['to']}"]]
        if "add" in step:
            return [["set", f"item/{step['add']}", f"tags+={step['tag']}"]]
        if "take" in step:
            return [["set", f"item/{step['take']}", f"tags-={step['tag']}"]]
        if "remark" in step:
            return [["set", f"item/{step['remark']}", f"remark={step['text']}"]]
        if "log" in step:
            return [["insert", f"event/{step['log']}", f"what={step['what']}"]]
        if "type" in step:
            return [["edit", f"item/{step['type']}", "notes",
                     *(["--at", str(step["at"])] if "at" in step else []),
                     *(["--delete", str(step["erase"])] if step.get("erase") else []),
                     *(["--insert", step["text"]] if step.get("text") else [])]]
        if "rewrite" in step:
            return [["set", f"item/{step['rewrite']}", f"notes={step['text']}"]]
        if "move" in step:
            where = ["--after", f"item/{step['after']}"] if "after" in step else \
                ["--first"] if step.get("first") else ["--last"]
            return [["move", f"item/{step['move']}", "--field", "place", *where]]
        verb = "delete" if "delete" in step else "undelete"
        return [[verb, f"item/{step[verb]}"]]

    def show(self, name):
        device = self.devices[name]
        records, order = {}, []
        for one in device.call("query", "item", "--sort", "place"):
            if "id" not in one:
                continue
            fields = dict(one["fields"])
            if isinstance(fields.get("remark"), str):
                fields["remark"] = [fields["remark"]]
            if fields.pop("place", None) is not None:
                order.append(one["id"])
            records[one["id"]] = fields
        log = {one["id"]: one["fields"].get("what") for one in device.call("list", "event")}
        return {"records": records, "order": order, "log": log}

    def restart(self, name):
        """Every command is a process of its own; a node is started and stopped, too."""
        device = self.devices[name]
        device.start("--no-discovery", "--listen", f"127.0.0.1:{free_port()}")
        self.stop(device)

    def kill(self, name):
        device = self.devices[name]
        device.start("--no-discovery", "--listen", f"127.0.0.1:{free_port()}")
        device.kill()

    def copy(self, name, other):
        twin = self.device(other)
        shutil.copytree(self.devices[name].home, twin.home)

    def keep(self, name):
        self.kept[name] = self.folder / f"kept-{name}"
        remove(self.kept[name])
        shutil.copytree(self.devices[name].home, self.kept[name])

    def restore(self, name):
        home = self.devices[name].home
        remove(home)
        shutil.copytree(self.kept[name], home)

    def clock(self, name, what):
        """`+3600s` and the like is wrong by so much; a date stands still there."""
        self.devices[name].prefix = ["faketime", "-f", what] if what else []

    def end(self):
        for device in self.devices.values():
            device.kill()
        remove(self.folder)

