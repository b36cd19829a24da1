"""The folder of a hunt: what it is to run, what was handed out, and one record for each seed."""

import fcntl
import json
import os
from collections import Counter
from pathlib import Path

from hunt_plan import Strand, Trouble, gaps, wanted, written


class Ledger:
    """Keeps records as they come, so that a hunt that is stopped goes on where it was."""

    def __init__(self, folder, program, strands):
        self.folder, self.strands = Path(folder), strands
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "lock", "w", encoding="utf-8")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Trouble(f"another hunt is at work in {folder}: wait for its end") from None
        self.agree({"program": program, "strands": written(strands)})
        self.done, self.failed, self.counts = set(), set(), Counter()
        for record in read_lines(self.folder / "records.jsonl"):
            self.learn(record)
        self.handed = {one["piece"]: one for one in read_lines(self.folder / "handed.jsonl")}
        self.number = 1 + max(self.handed, default=0)
        self.file = open(self.folder / "records.jsonl", "a", encoding="utf-8")
        # A line that broke off stays alone.
        self.file.write("\n")

    def agree(self, plan):
        """A folder belongs to one plan and one program: seeds of another build say nothing."""
        path = self.folder / "plan.json"
        if not path.exists():
            put(path, json.dumps(plan))
            return
        before = json.loads(path.read_text(encoding="utf-8"))
        if before["program"] != plan["program"]:
            raise Trouble(f"{self.folder} was begun with another build of simulate: finish it with "
                          "that one (--binary), or name another folder (--folder)")
        if not grown(before["strands"], plan["strands"]):
            raise Trouble(f"{self.folder} holds a hunt for other seeds: name another folder")
        put(path, json.dumps(plan))

    def learn(self, record):
        key = key_of(record)
        if record.get("error"):
            return
        self.counts[key] += 1
        self.done.add(key)
        if record["result"] != "ok":
            self.failed.add(key)

    def hand_out(self, pieces):
        """Writes down what is given away, before it is."""
        with open(self.folder / "handed.jsonl", "a", encoding="utf-8") as file:
            for piece in pieces:
                mutant, _, seed = self.strands[piece.strand].key(piece.offset)
                one = {"piece": piece.number, "mutant": mutant, "from": seed,
                       "count": piece.count}
                self.handed[piece.number] = one
                file.write(json.dumps(one) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.number += len(pieces)

    def take(self, record):
        """Keeps one record, also a second one of a seed: the audit is to see it."""
        self.file.write(json.dumps(record) + "\n")
        self.file.flush()
        self.learn(record)

    def missing(self):
        return sum(count for strand in self.strands
                   for _, count in gaps(strand, self.done, self.failed))

    def close(self):
        os.fsync(self.file.fileno())
        self.file.close()
        self.lock.close()


def grown(before, after):
    """A hunt may go on with more seeds, and with more strands."""
    if len(after) < len(before):
        return False
    return all({**old, "count": 0} == {**new, "count": 0} and old["count"] <= new["count"]
               for old, new in zip(before, after))


def key_of(record):
    return record["mutant"], record["scenario"], record["seed"]


def put(path, text):
    """Writes a file that is there as a whole or not at all."""
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def read_lines(path):
    """The JSON objects of a file, but for a line that broke off."""
    if not path.exists():
        return []
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
    return found


def audit(folder):
    """Holds the records against the plan, from the files alone; the complaints and a summary."""
    folder = Path(folder)
    if not (folder / "plan.json").exists():
        raise Trouble(f"there is no hunt in {folder}: it holds no plan.json")
    plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    strands = [Strand(**{**one, "scenarios": tuple(one["scenarios"])})
               for one in plan["strands"]]
    records = [one for one in read_lines(folder / "records.jsonl") if not one.get("error")]
    counts = Counter(key_of(record) for record in records)
    failed = {key_of(record) for record in records if record["result"] != "ok"}
    complaints = []
    expected = set()
    for strand in strands:
        keys = [strand.key(index) for index in range(wanted(strand, failed))]
        expected.update(keys)
        complaints += [f"skipped: {said(key)} has no record" for key in keys if not counts[key]]
    complaints += [f"doubled: {said(key)} has {count} records"
                   for key, count in sorted(counts.items()) if count > 1]
    complaints += [f"not asked for: {said(key)}" for key in sorted(set(counts) - expected)]
    complaints += wrongly_brought(folder, strands, records)
    given = read_lines(folder / "handed.jsonl")
    again = sum(piece["count"] for piece in given) - len(expected)
    hosts = Counter(record["host"] for record in records)
    shares = ", ".join(f"{count} from {host}" for host, count in sorted(hosts.items()))
    tail = f"; {again} were handed out again" if again > 0 and not strands[0].stops else ""
    return complaints, f"{len(expected)} seeds, {len(records)} records ({shares}){tail}"


def wrongly_brought(folder, strands, records):
    """The records that do not lie in the piece which they say that they belong to."""
    pieces = {piece["piece"]: piece for piece in read_lines(folder / "handed.jsonl")}
    complaints = []
    for record in records:
        piece = pieces.get(record["piece"])
        begin = piece and piece["from"]
        if (piece is None or record["mutant"] != piece["mutant"]
                or not begin <= record["seed"] < begin + piece["count"]):
            complaints.append(f"not handed out: {said(key_of(record))}, piece {record['piece']}")
    return complaints


def said(key):
    mutant, scenario, seed = key
    return f"{scenario} {seed}" + (f" with {mutant}" if mutant else "")
