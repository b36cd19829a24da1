"""Hosts that GNU parallel reaches over ssh. $PARALLEL_SSH names another ssh, as it does there."""

import io
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor

from hunt_plan import Trouble

# A host that vanished without a word is given up after this many seconds.
SILENCE = ["-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3",
           "-o", "ConnectTimeout=10", "-o", "BatchMode=yes"]


def note(text):
    print(text, file=sys.stderr, flush=True)


class Parallel:
    """Gives each host as many pieces at a time as it has cores, or as `4/host` says."""

    def __init__(self, hosts, bundle, jobs=None):
        if shutil.which("parallel") is None:
            raise Trouble("GNU parallel is not installed: apt-get install parallel")
        self.hosts = [host.strip() for host in hosts.split(",") if host.strip()]
        if not self.hosts or len(set(self.hosts)) != len(self.hosts):
            raise Trouble("--on parallel:HOST,HOST… names hosts as ssh knows them, each once")
        self.bundle, self.jobs = bundle, jobs
        self.ssh = shlex.split(os.environ.get("PARALLEL_SSH", "ssh")) + SILENCE
        self.folder = f".cache/linnet-hunt/{bundle.name}"
        # Pieces of a round: some for each host, so that a fast one is not left idle.
        self.most = 200

    def prepare(self):
        """Brings the program to every host that answers; how many pieces run at a time."""
        with ThreadPoolExecutor(len(self.hosts)) as pool:
            found = [one for one in pool.map(self.equip, self.hosts) if one]
        if not found:
            raise Trouble("no host can be reached: what was recorded is kept; say the same again "
                          f"when ssh works with one of {', '.join(self.hosts)}")
        self.logins = found
        return sum(int(login.split("/")[0]) for login in found)

    def equip(self, host):
        """The host as parallel wants it, with its cores; none when it cannot be reached."""
        cores, _, login = host.rpartition("/")
        if not self.run_on(login, f"test -x {self.folder}/simulate").ok:
            # Two hosts may share a home: whoever comes second finds it there.
            came = self.run_on(
                login, f"mkdir -p {self.folder} && part=$(mktemp -d {self.folder}.XXXXXX) && "
                f"tar -xf - -C $part && mv -f $part/*.py {self.folder} && "
                f"mv -f $part/simulate {self.folder} && rmdir $part", self.packed())
            if not came.ok:
                note(f"{login}: left out: {came.why}")
                return None
        asked = self.run_on(login, f"python3 --version >/dev/null && nproc && "
                            f"{self.folder}/simulate --list >/dev/null")
        if not asked.ok:
            note(f"{login}: left out: the program does not run there: {asked.why}")
            return None
        return f"{self.jobs or cores or asked.output.split()[0]}/{login}"

    def run_on(self, login, command, data=b""):
        # Words of the login may be options of ssh, as with parallel.
        done = subprocess.run([*self.ssh, *shlex.split(login), command], input=data,
                              capture_output=True, check=False)
        return Done(done.returncode == 0, done.stdout.decode(errors="replace"),
                    (done.stderr.decode(errors="replace").strip().splitlines() or
                     [f"exit {done.returncode}"])[-1])

    def packed(self):
        """The program and what drives it, as a tar file."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as tar:
            for path in self.bundle.files:
                tar.add(path, arcname=self.bundle.names.get(path, path.name))
        return buffer.getvalue()

    def run(self, orders, take):
        """Runs all orders that a host carries out; hands on each line as it comes."""
        words = "\n".join(self.bundle.word(order) for order in orders) + "\n"
        command = ["parallel", "--will-cite", "--no-notice", "--line-buffer", "--jobs", "100%",
                   "--ssh", shlex.join(self.ssh)]
        for login in self.logins:
            command += ["--sshlogin", login]
        command += ["--rpl", '{sshlogin} 1 $_="\\${PARALLEL_SSHLOGIN}";uq()',
                    f"python3 {self.folder}/hunt_worker.py {{sshlogin}} {{}}"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        with process, ThreadPoolExecutor(2) as pool:
            pool.submit(self.feed, process, words)
            pool.submit(self.complain, process)
            try:
                for line in process.stdout:
                    take(line)
            except BaseException:
                # Asked to end, it would wait for its jobs; these end when nobody reads them.
                process.kill()
                raise

    @staticmethod
    def feed(process, words):
        try:
            process.stdin.write(words)
            process.stdin.close()
        except BrokenPipeError:
            pass

    @staticmethod
    def complain(process):
        """Says once what a host complained of, however many pieces it lost."""
        said = set()
        for line in process.stderr:
            line = line.strip()
            if line and line not in said:
                said.add(line)
                note(f"parallel: {line}")

    def adopt(self, take):
        """Nothing goes on without us."""


class Done:
    def __init__(self, ok, output, why):
        self.ok, self.output, self.why = ok, output, why
