"""A cluster of Slurm, whose nodes share the folder of the hunt: each round is an array job."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from hunt_plan import Trouble

# Larger arrays are refused by Slurm unless it is set up for them (MaxArraySize).
LARGEST = 1000
PATIENCE_SECONDS = 120


class Slurm:
    """Submits, waits, and reads what the tasks wrote, also those of a coordinator that died."""

    def __init__(self, folder, bundle, jobs=None, options=()):
        if shutil.which("sbatch") is None:
            raise Trouble("Slurm is not installed: apt-get install slurm-client, and set it up")
        self.folder, self.bundle, self.jobs = Path(folder).resolve(), bundle, jobs
        self.options = list(options)
        # The folder's name in the queue: by it a later coordinator finds what still runs.
        self.name = f"linnet-{hashlib.sha256(str(self.folder).encode()).hexdigest()[:16]}"
        self.most = LARGEST

    def prepare(self):
        """Lays the program beside the records; how many tasks the cluster can run at a time."""
        place = self.folder / self.bundle.name
        if not place.exists():
            part = place.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            for path in self.bundle.files:
                shutil.copy(path, part / self.bundle.names.get(path, path.name))
            part.rename(place)
        states = self.ask("sinfo", "-h", "-o", "%T %C").splitlines()
        if not any("/" in line for line in states):
            raise Trouble("the cluster has no nodes: sinfo lists none")
        total = sum(int(line.split()[1].split("/")[3]) for line in states)
        return max(1, min(total, self.jobs or total))

    def run(self, orders, take):
        """One array job; its lines are read when it is over."""
        number = 1 + max((int(path.name[6:]) for path in self.rounds()), default=0)
        place = self.folder / f"round-{number}"
        place.mkdir()
        (place / "orders").write_text(
            "".join(self.bundle.word(order) + "\n" for order in orders), encoding="utf-8")
        script = place / "task"
        # A task writes as itself: what a requeued or a lost one says can be told apart.
        script.write_text(f"""#!/bin/sh
cd '{place}' || exit 1
order=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" orders)
exec python3 '{self.folder}/{self.bundle.name}/hunt_worker.py' "${{SLURMD_NODENAME:-slurm}}" \\
    "$order" >"said-$SLURM_ARRAY_TASK_ID" 2>"errors-$SLURM_ARRAY_TASK_ID"
""", encoding="utf-8")
        limit = f"%{self.jobs}" if self.jobs else ""
        self.ask("sbatch", "--parsable", f"--job-name={self.name}", "--no-requeue",
                 "--output=/dev/null", "--export=PATH", "--ntasks=1", "--cpus-per-task=1",
                 f"--array=0-{len(orders) - 1}{limit}", *self.options, str(script))
        self.take_round(place, take)

    def adopt(self, take):
        """Waits for what an earlier coordinator left running, and takes it over."""
        for place in self.rounds():
            if not (place / "taken").exists():
                self.take_round(place, take)

    def rounds(self):
        return sorted(self.folder.glob("round-*"), key=lambda path: int(path.name[6:]))

    def take_round(self, place, take):
        self.wait()
        for path in sorted(place.glob("said-*")):
            with open(path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    take(line)
        for path in sorted(place.glob("errors-*")):
            text = path.read_text(errors="replace").strip()
            if text:
                print(f"slurm: {path.name}: {text.splitlines()[-1]}", file=sys.stderr, flush=True)
        (place / "taken").touch()

    def wait(self):
        """Waits until no task of this hunt is in the queue."""
        shown = None
        while True:
            queue = self.ask("squeue", "-h", "-r", f"--name={self.name}", "-o", "%T %r")
            lines = queue.splitlines()
            if not lines:
                return
            waiting = {line.partition(" ")[2] for line in lines if line.startswith("PENDING")}
            state = f"{len(lines)} tasks left" + (
                f", waiting: {', '.join(sorted(waiting))}" if waiting else "")
            if state != shown:
                print(f"slurm: {state}", file=sys.stderr, flush=True)
                shown = state
            time.sleep(1)

    def ask(self, *words):
        """What a command of Slurm says; a controller that is away for a moment is waited for."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            done = subprocess.run(words, capture_output=True, text=True, check=False,
                                  env=os.environ)
            if done.returncode == 0:
                return done.stdout
            # Who submits twice would run seeds twice.
            if words[0] == "sbatch" or time.monotonic() > deadline:
                raise Trouble(f"{words[0]} failed: {done.stderr.strip()}; what was recorded is "
                              "kept, say the same again when Slurm answers")
            time.sleep(2)

