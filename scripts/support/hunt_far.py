"""A hunt on many hosts: rounds of pieces until every seed has one record, then the stories."""

import base64
import hashlib
import json
import subprocess
import sys
import zlib
from pathlib import Path

from hunt_ledger import audit, key_of, put
from hunt_parallel import Parallel, note
from hunt_plan import Trouble, cut
from hunt_slurm import Slurm
from hunt_worker import versions

SUPPORT = Path(__file__).resolve().parent
# So often may a round bring nothing before the hunt gives up.
IDLE_ROUNDS = 3


class Bundle:
    """The program and what drives it on a host, named by what they hold."""

    def __init__(self, binary, patience):
        binary = Path(binary).resolve()
        self.files = [binary, SUPPORT / "hunt_worker.py", SUPPORT / "mutant_patience.py"]
        self.names = {binary: "simulate"}
        self.patience = patience
        self.program = hashlib.sha256(binary.read_bytes()).hexdigest()
        digest = hashlib.sha256()
        for path in self.files:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        self.name = digest.hexdigest()[:20]
        done = subprocess.run([str(binary), "--list"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Trouble(f"{binary} does not run: {done.stderr.strip()}")
        self.listing = done.stdout
        self.versions = versions(binary)

    def word(self, order):
        """An order as a single word without anything that a shell would read."""
        text = json.dumps({**order, "patience": self.patience, "versions": self.versions})
        return base64.b64encode(text.encode()).decode()


def transport(where, folder, bundle, jobs, options=()):
    """What `--on` names."""
    kind, _, hosts = where.partition(":")
    if kind == "parallel" and hosts:
        return Parallel(hosts, bundle, jobs)
    if where == "slurm":
        return Slurm(folder, bundle, jobs, options)
    raise Trouble(f"'--on {where}' is neither 'parallel:HOST,HOST…' nor 'slurm'")


class FarHunt:
    """Hands out what has no record, again and again, until nothing is left."""

    def __init__(self, ledger, carrier, size):
        self.ledger, self.carrier, self.size = ledger, carrier, size
        self.stories, self.trouble = [], ""

    def run(self):
        """Plays every seed; raises when hosts bring nothing any more."""
        self.carrier.adopt(self.take)
        idle = 0
        while self.ledger.missing():
            slots = self.carrier.prepare()
            left = self.ledger.missing()
            # Short pieces near the end, so that no host waits long for another.
            size = self.size or max(1, min(50, left // (4 * slots)))
            pieces = cut(self.ledger.strands, self.ledger.done, self.ledger.failed, size,
                         self.ledger.number, self.carrier.most)
            self.ledger.hand_out(pieces)
            note(f"{left} seeds left: {len(pieces)} pieces for {slots} at a time")
            self.carrier.run([piece.order(self.ledger.strands[piece.strand])
                              for piece in pieces], self.take)
            idle = idle + 1 if self.ledger.missing() == left else 0
            if idle == IDLE_ROUNDS:
                raise Trouble(f"{idle} rounds brought nothing; {left} seeds are left. "
                              f"The hosts said: {self.trouble or 'nothing'}")

    def take(self, line):
        """One line of a host."""
        try:
            line = json.loads(line)
        except ValueError:
            note(f"not understood: {line.strip()[:200]}")
            return
        if "trouble" in line:
            if line["trouble"] != self.trouble:
                note(f"{line['host']}: {line['trouble']}")
            self.trouble = line["trouble"]
        elif "story" in line:
            self.stories.append(line["story"])
        else:
            # The bug is that of the piece: it was asked for, and not said back.
            record = {"mutant": self.mutant_of(line["piece"]), **line["record"],
                      "piece": line["piece"], "host": line["host"]}
            known = not record.get("error") and key_of(record) in self.ledger.done
            self.ledger.take(record)
            if known:
                note(f"came twice: {record['scenario']} {record['seed']} from {record['host']}")
            elif record.get("error") or record["result"] != "ok":
                note(f"{record['scenario']} {record['seed']} # {sentence(record)}")

    def mutant_of(self, piece):
        if piece not in self.ledger.handed:
            raise Trouble(f"a host answers for piece {piece}, which was never handed out")
        return self.ledger.handed[piece]["mutant"]

    def tell(self, failures, most):
        """Has the stories of the first failing seeds told where they can be, and files them."""
        folder = self.ledger.folder
        wanted = [one for one in failures[:most]
                  if not (folder / f"{one['scenario']}-{one['seed']}.txt").exists()]
        for _ in range(IDLE_ROUNDS):
            if not wanted:
                break
            self.carrier.prepare()
            self.stories = []
            self.carrier.run([{"piece": 0, "story": True, "jobs": [f"{one['scenario']} "
                                                                   f"{one['seed']}"]}
                              for one in wanted], self.take)
            for story in self.stories:
                self.file(story)
            told = {(story["scenario"], story["seed"]) for story in self.stories}
            wanted = [one for one in wanted if (one["scenario"], one["seed"]) not in told]
        for one in wanted:
            note(f"no story of {one['scenario']} {one['seed']}: no host told it")
        if len(failures) > most:
            note(f"{len(failures) - most} further seeds failed; their stories were not asked for")

    def file(self, story):
        stem = self.ledger.folder / f"{story['scenario']}-{story['seed']}"
        html = unpacked(story["html"])
        if html:
            stem.with_suffix(".html").write_bytes(html)
            print(f"to look at: {stem.with_suffix('.html')}")
        put(stem.with_suffix(".txt"), unpacked(story["text"]).decode(errors="replace"))
        print(f"story of {story['scenario']} {story['seed']}: {stem.with_suffix('.txt')}")


def unpacked(text):
    return zlib.decompress(base64.b64decode(text))


def sentence(record):
    return record.get("error") or record.get("message") or record["result"]


def check(folder):
    """Prints what the audit finds; whether every seed has one record."""
    complaints, summary = audit(folder)
    for complaint in complaints[:20]:
        print(complaint)
    if len(complaints) > 20:
        print(f"… and {len(complaints) - 20} more")
    print(f"audit: {summary}: " + ("every seed once" if not complaints
                                   else f"{len(complaints)} complaints"), file=sys.stdout)
    return not complaints
