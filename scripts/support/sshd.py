"""Hosts of one's own: sshd on loopback, each with its port, keys, configuration and home."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from mutant_patience import end_family


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Host:
    """One sshd that lets in this user alone, with the key of its folder."""

    def __init__(self, folder, name):
        self.name, self.folder = name, Path(folder) / name
        self.port = free_port()
        self.process = None
        home = self.folder / "home"
        home.mkdir(parents=True)
        keygen(self.folder / "host")
        keygen(self.folder / "login")
        enter = self.folder / "enter"
        enter.write_text(f"#!/bin/sh\nexport HOME='{home}'\ncd '{home}' || exit 1\n"
                         'exec sh -c "$SSH_ORIGINAL_COMMAND"\n')
        enter.chmod(0o755)
        (self.folder / "config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\n"
            f"PidFile {self.folder}/pid\nAuthorizedKeysFile {self.folder}/login.pub\n"
            "PasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\n"
            "StrictModes no\nPermitRootLogin prohibit-password\n"
            f"MaxStartups 100\nForceCommand {enter}\n")

    def client(self):
        """What a client writes into its configuration."""
        return (f"Host {self.name}\n    HostName 127.0.0.1\n    Port {self.port}\n"
                f"    IdentityFile {self.folder}/login\n    IdentitiesOnly yes\n"
                f"    UserKnownHostsFile {self.folder}/known\n"
                "    StrictHostKeyChecking accept-new\n    LogLevel ERROR\n")

    def start(self):
        # Debian's sshd wants this folder when root starts it.
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)
        program = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen([program, "-D", "-e", "-f", self.folder / "config"],
                                            stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        print((self.folder / "log").read_text(), file=sys.stderr)
        raise SystemExit(f"sshd {self.name} does not start")

    def lose(self):
        """Ends it and all that runs on it, as a power cut would."""
        if self.process:
            end_family(self.process.pid)
            self.process.wait()
            self.process = None


def keygen(path):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
