"""A session bus of one's own, on which nothing is started, and the server of notifications on it."""

import json
import os
import subprocess
import sys
from pathlib import Path

from devices import Failure, wait_until

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
SERVER = Path(__file__).resolve().parent / "notification_server.py"
# Debian's own Python has the modules for D-Bus, whatever python3 is in the path.
PYTHON = "/usr/bin/python3"


def missing():
    """What cannot be run here, and why; nothing when all is there."""
    if not Path(PYTHON).exists() or subprocess.run(
            [PYTHON, "-c", "import dbus, gi"], stderr=subprocess.DEVNULL).returncode:
        return "apt-get install python3-dbus python3-gi"
    return None


class SessionBus:
    """The bus; the variable that leads to it is `environment`."""

    def __init__(self, directory):
        self.socket = Path(directory) / "bus"
        configuration = Path(directory) / "bus.conf"
        configuration.write_text(CONFIGURATION.format(socket=self.socket))
        self.process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile"])
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.socket}"}
        self.server = None
        wait_until("the bus listens", self.socket.exists)

    def start_server(self, *capabilities):
        self.server = subprocess.Popen(
            [PYTHON, str(SERVER), *capabilities], env=dict(os.environ, **self.environment))
        wait_until("there is a server of notifications", lambda: self.call("Count") is not None)

    def stop_server(self):
        if self.server:
            self.server.kill()
            self.server.wait()
            self.server = None

    def stop(self):
        self.stop_server()
        self.process.kill()
        self.process.wait()

    def call(self, method, *arguments):
        """Calls the server, with arguments as `gdbus` writes them; nothing when there is none."""
        script = (
            "import dbus, json, sys\n"
            "bus = dbus.SessionBus()\n"
            f"server = bus.get_object('{'org.freedesktop.Notifications'}', "
            "'/org/freedesktop/Notifications', introspect=False)\n"
            "words = json.loads(sys.argv[2])\n"
            "if words: words[0] = dbus.UInt32(words[0])\n"
            "method = server.get_dbus_method(sys.argv[1], 'org.freedesktop.Notifications')\n"
            "print(json.dumps(method(*words)))\n")
        done = subprocess.run(
            [PYTHON, "-c", script, method, json.dumps(arguments)], capture_output=True, text=True,
            env=dict(os.environ, **self.environment))
        return json.loads(done.stdout) if done.returncode == 0 else None

    def shown(self):
        """The notifications by their numbers."""
        text = self.call("Shown")
        if text is None:
            raise Failure("the server of notifications does not answer")
        return {int(number): one for number, one in json.loads(text).items()}

    def find(self, words):
        """The number of a notification whose title has these words; nothing without one."""
        for number, one in self.shown().items():
            if words in one["title"]:
                return number
        return None

    def wait_for(self, words):
        number = wait_until(f"a notification says '{words}'", lambda: self.find(words))
        return number, self.shown()[number]

    def wait_gone(self, number):
        wait_until(f"notification {number} is gone", lambda: number not in self.shown())
