"""A Slurm of one's own on loopback: munged, slurmctld and two nodes, as the user who runs this."""

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from devices import Failure, say
from mutant_patience import end_family
from sshd import free_port

PATIENCE_SECONDS = 60


class Slurm:
    """Its daemons; each keeps everything in the folder."""

    def __init__(self, folder, nodes):
        self.folder, self.nodes = Path(folder).resolve(), nodes
        self.folder.mkdir()
        self.daemons = {}
        user, host = getpass.getuser(), socket.gethostname().split(".")[0]
        (self.folder / "state").mkdir()
        lines = [
            "ClusterName=hunts", f"SlurmctldHost={host}(127.0.0.1)",
            f"SlurmctldPort={free_port()}", f"SlurmUser={user}", f"SlurmdUser={user}",
            "AuthType=auth/munge", f"AuthInfo=socket={self.folder}/munge.socket",
            "CredType=cred/munge",
            f"StateSaveLocation={self.folder}/state", f"SlurmdSpoolDir={self.folder}/spool-%n",
            f"SlurmctldPidFile={self.folder}/ctld.pid", f"SlurmdPidFile={self.folder}/%n.pid",
            f"SlurmctldLogFile={self.folder}/ctld.log", f"SlurmdLogFile={self.folder}/%n.log",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "MpiDefault=none",
            "SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU", "ReturnToService=2",
            "AccountingStorageType=accounting_storage/none",
            "JobAcctGatherType=jobacct_gather/none",
            # A node that says nothing for so long is taken for lost.
            "SlurmdTimeout=10", "SlurmctldTimeout=10", "InactiveLimit=0", "MinJobAge=300",
            "KillWait=2", "SchedulerParameters=sched_interval=2",
            "SlurmdParameters=config_overrides",
        ]
        for name in nodes:
            lines.append(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 "
                         f"Port={free_port()} CPUs=1 RealMemory=100")
        lines.append(f"PartitionName=all Nodes={','.join(nodes)} Default=YES MaxTime=INFINITE "
                     "State=UP")
        (self.folder / "slurm.conf").write_text("\n".join(lines)+ "\n")
        version = 2 if Path("/sys/fs/cgroup/cgroup.controllers").exists() else 1
        (self.folder / "cgroup.conf").write_text(f"CgroupPlugin=cgroup/v{version}\n")
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))

    def start(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}",
                    f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
                    f"--seed-file={self.folder}/munge.seed",
                    f"--log-file={self.folder}/munge.log")
        self.wait("munged answers", lambda: (self.folder / "munge.socket").exists())
        self.daemon("slurmctld", "-D", "-f", str(self.folder / "slurm.conf"))
        for name in self.nodes:
            self.start_node(name)
        self.wait("all nodes are idle", lambda: self.idle() == len(self.nodes))

    def start_node(self, name):
        (self.folder / f"spool-{name}").mkdir(exist_ok=True)
        self.daemon("slurmd", "-D", "-N", name, "-f", str(self.folder / "slurm.conf"), key=name)

    def daemon(self, program, *words, key=None):
        path = shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin")
        with open(self.folder / f"{key or program}.said", "ab") as said:
            self.daemons[key or program] = subprocess.Popen(
                [path, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                env=self.environment)

    def idle(self):
        done = subprocess.run(["sinfo", "-h", "-N", "-o", "%N %T"], capture_output=True, text=True,
                              env=self.environment, check=False)
        return sum(line.split()[1] == "idle" for line in done.stdout.splitlines())

    def wait(self, sentence, condition):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            dead = [name for name, one in self.daemons.items() if one.poll() is not None]
            if dead or time.monotonic() > deadline:
                for path in sorted([*self.folder.glob("*.said"), *self.folder.glob("*.log")]):
                    print(f"-- {path.name}\n" + path.read_text()[-1500:], file=sys.stderr)
                raise Failure(f"Slurm does not come up: not so: {sentence}; ended: {dead}")
            time.sleep(0.2)

    def lose(self, name):
        """Ends a node and all that runs on it. A step is no child of its slurmd any more."""
        daemon = self.daemons.pop(name)
        end_family(daemon.pid)
        daemon.wait()
        mark = f"SLURMD_NODENAME={name}".encode()
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                words = path.read_bytes().split(b"\0")
            except OSError:
                continue
            if mark in words and f"SLURM_CONF={self.folder}/slurm.conf".encode() in words:
                end_family(int(path.parent.name))
        for step in self.steps(name):
            end_family(step)

    def steps(self, name):
        """The processes that slurmd left behind to look after tasks of a node."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = path.read_bytes()
            except OSError:
                continue
            if line.startswith(b"slurmstepd: [") and self.is_ours(path.parent, name):
                found.append(int(path.parent.name))
        return found

    def is_ours(self, process, name):
        """Only steps whose open files lie in our spool are ours to end."""
        for link in process.glob("fd/*"):
            try:
                target = os.readlink(link)
            except OSError:
                continue
            if f"{self.folder}/{name}.log" in target or f"spool-{name}" in target:
                return True
        return False

    def stop(self):
        for name in self.nodes:
            if name in self.daemons:
                self.lose(name)
        for daemon in self.daemons.values():
            daemon.terminate()
            daemon.wait()


def over_slurm(binary, folder, alone, make, judge, canaries, again):
    """A hunt as array jobs, one node of two lost amid a piece, the coordinator killed once."""
    slurm = Slurm(folder / "slurm", ["one", "two"])
    try:
        slurm.start()
        # Long enough that a node is lost before it has done all of its seeds.
        swarm = make(binary, folder / "hunt", slurm.environment, "slurm", piece=6)
        swarm.start()
        said = folder / "hunt"
        swarm.wait_for("two is amid a piece", lambda: any(
            '"host": "two"' in path.read_text() for path in said.glob("round-1/said-*")))
        slurm.lose("two")
        say("   node two is lost amid a piece")
        # Whoever hands out is killed; the next one must find what still runs.
        swarm.process.kill()
        swarm.process.wait()
        swarm.start()
        swarm.finish(2)
        brought = sum(one["host"] == "two" for one in swarm.records())
        if not 0 < brought < 6:
            raise Failure(f"two was lost with {brought} of its 6 seeds done, and not amid them")
        judge(swarm, alone)
        canaries(swarm)
        again(swarm)
    finally:
        slurm.stop()
