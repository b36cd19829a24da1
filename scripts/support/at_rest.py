"""What a device leaves behind that is protected, killed, backed up, locked and wiped."""

import os
from pathlib import Path

from devices import Failure, say, wait_until
from memory import Unreadable, found_in_memory


class AtRest:
    """The second part of a device's story; its canaries go into `canaries`."""

    def __init__(self, device, canaries, directory):
        self.device, self.canaries = device, canaries
        self.words = [canaries.plant("passphrase", what) for what in ("first passphrase", "second")]
        self.files = []
        for number, word in enumerate(self.words):
            path = Path(directory) / f"passphrase-{number}"
            path.write_text(word + "\n")
            path.chmod(0o600)
            self.files.append(str(path))
        self.memory = None

    def play(self, secrets, inspect):
        """Plays the part; `inspect` searches the files, `secrets` are those of this device."""
        device, (first, second) = self.device, self.files
        device.call("passphrase", "set", "--new-passphrase-file", first)
        self._run(first)
        for number in range(5):
            record = self.canaries.plant("record", f"record at rest {number}")
            device.write(record, f"name={self.canaries.plant('value', f'value at rest {number}')}")
        device.call("backup", str(device.directory / "running.backup"))
        device.kill()
        inspect()
        self._run(first)
        device.call(
            "passphrase", "change", "--passphrase-file", first, "--new-passphrase-file", second)
        self._look_into_memory(secrets)
        device.call("unlock", "--passphrase-file", second)
        device.stop()
        device.call(
            "backup", str(device.directory / "closed.backup"), "--passphrase-file", second)
        inspect()
        device.call("wipe", "--yes")
        if device.home.exists():
            raise Failure(f"wiping left {sorted(path.name for path in device.home.iterdir())}")

    def _run(self, passphrase):
        self.device.start("--log-level", "debug", "--passphrase-file", passphrase)

    def _look_into_memory(self, secrets):
        """Keys are in an unlocked node's memory, which proves the search, and not in a locked."""
        process = int((self.device.home / "lock").read_text().split()[0])
        needles = [(what, secret) for what, secret in secrets if "device secrets" in what]
        words = [(f"passphrase {number}", word.encode()) for number, word in enumerate(self.words)]
        try:
            before = found_in_memory(process, needles)
            self.device.call("lock")
            wait_until("it is locked", lambda: self.device.status()["locked"])
            after = found_in_memory(process, needles + words)
        except Unreadable as problem:
            say(f"memory not searched: {problem}")
            self.device.call("lock")
            return
        self.memory = {
            "keysFoundWhileUnlocked": len(before), "foundWhileLocked": sorted(after)}

    def missed(self):
        """What the search of the memory should have found and did not."""
        if self.memory is None or os.geteuid() != 0:
            return []
        return [] if self.memory["keysFoundWhileUnlocked"] else ["memory: keys of a running node"]
