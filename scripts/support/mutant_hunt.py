"""Runs seeds against each planted bug until one finds it, and says how."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from mutant_files import SCENARIOS
from mutant_patience import Standstill, patient_lines


def say(text):
    print(text, file=sys.stderr, flush=True)


class Hunt:
    def __init__(self, binary, options):
        self.binary = binary
        self.options = options
        self.done = 0
        self.lock = threading.Lock()
        self.known = earlier(options.results)

    def control(self, mutants):
        """The same seeds with no bug switched on: none may find anything."""
        left = [mutant for mutant in mutants if not self.is_done(mutant.name)]
        for scenario in sorted({self.scenario(mutant) for mutant in left}):
            say(f"control: {self.options.seeds} seeds of {scenario} without a bug")
            found = self.look("", scenario, f"control of {scenario}")
            if found["caught"]:
                say(f"control: seed {self.options.first + found['seeds'] - 1} breaks "
                    f"{found['invariant']} without any bug: {found['detail']}")
                return False
        return True

    def scenario(self, mutant):
        """Where a bug is looked for: bugs of an application where people use it."""
        return self.options.scenario or mutant.scenario or SCENARIOS.get(mutant.group, "mixed")

    def all(self, mutants):
        """Hunts for every bug; how many were caught."""
        if not self.options.json:
            print(f"{'bug':40} {'group':9} {'seeds':>5}  {'caught by':10} expected", flush=True)
        with ThreadPoolExecutor(self.options.jobs) as pool:
            results = list(pool.map(lambda mutant: self.one(mutant, len(mutants)), mutants))
        caught = sum(result["caught"] for result in results)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        say(f"{used.ru_utime + used.ru_stime:.0f} processor seconds, those of the control too")
        self.close(len(mutants), caught)
        return caught

    def one(self, mutant, count):
        start = time.monotonic()
        found = self.look(mutant.name, self.scenario(mutant), mutant.name)
        with self.lock:
            self.done += 1
            say(f"[{self.done}/{count}] {mutant.name}: "
                f"{found['invariant'] or 'not caught'} after {found['seeds']} seeds, "
                f"{time.monotonic() - start:.0f} s")
            self.tell(mutant, found)
        return found

    def tell(self, mutant, found):
        """Prints the line of one bug."""
        if self.options.json:
            line = {"mutant": mutant.name, "group": mutant.group, "caught": found["caught"],
                    "seeds": found["seeds"], "invariant": found["invariant"]}
            print(json.dumps(line), flush=True)
        else:
            print(f"{mutant.name:40} {mutant.group:9} {found['seeds']:5}  "
                  f"{found['invariant'] or '-':10} {mutant.invariant}", flush=True)

    def close(self, planted, caught):
        """Prints the last line."""
        if self.options.json:
            print(json.dumps({"planted": planted, "caught": caught}), flush=True)
        else:
            print(f"{caught} of {planted} caught", flush=True)

    def is_done(self, key):
        """Neither a catch nor as many seeds as are asked for need another look."""
        found = self.known.get(key)
        return found is not None and (found["caught"] or found["seeds"] >= self.options.seeds)

    def look(self, name, scenario, key):
        """What became of a bug, with the seeds that no earlier hunt looked at."""
        if self.is_done(key):
            return self.known[key]
        before = self.known[key]["seeds"] if key in self.known else 0
        found = self.run(name, scenario, before)
        found["seeds"] += before
        with self.lock:
            self.keep(key, found)
        return found

    def keep(self, key, found):
        """Writes down what was found, for a hunt that goes on after this one."""
        self.known[key] = found
        if self.options.results is None:
            return
        with open(self.options.results, "a", encoding="utf-8") as file:
            file.write("\n" + json.dumps({"mutant": key, **found}) + "\n")

    def run(self, name, scenario, before):
        """Runs the swarm with one bug on; what caught it, and after how many more seeds."""
        # Line by line, so that a standstill shows and a trap loses no line.
        command = ["stdbuf", "-oL", str(self.binary),
                   "--swarm", str(self.options.seeds - before),
                   "--from", str(self.options.first + before), "--scenario", scenario,
                   "--stop-at-first-failure", "--json", "--jobs", "1"]
        environment = {**os.environ, "LINNET_MUTANT": name, "SWIFT_BACKTRACE": "enable=no"}
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                                       stderr=errors, text=True)
            seeds, failure, stood_still = self.follow(process)
            code = process.wait()
            errors.seek(0)
            detail = errors.read()[-600:].decode(errors="replace").strip()
        return verdict(seeds, failure, stood_still, code, detail)

    def follow(self, process):
        """Reads a line for each seed, until the end or a standstill."""
        seeds, failure = 0, None
        try:
            for line in patient_lines(process, self.options.patience):
                result = parsed(line)
                if result is None:
                    continue
                seeds += 1
                if result["result"] != "ok" and failure is None:
                    failure = result
        except Standstill:
            return seeds, failure, True
        return seeds, failure, False


def earlier(path):
    """What an earlier hunt wrote down, by the names of bugs; a line that broke off counts not."""
    if path is None or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        lines = [readable(line) for line in file]
    return {line.pop("mutant"): line for line in lines if line}


def readable(line):
    try:
        return json.loads(line)
    except ValueError:
        return None


def parsed(line):
    """The line of a seed; None for a summary or anything else."""
    result = readable(line)
    is_seed = isinstance(result, dict) and "seed" in result and "result" in result
    return result if is_seed else None


def verdict(seeds, failure, stood_still, code, detail):
    if failure and failure.get("message", "").endswith("signal 15"):
        raise SystemExit("mutants: somebody ended a process of the simulator")
    if failure:
        kind = {"liveness": "liveness", "crash": "I19"}.get(failure["result"])
        return {"caught": True, "seeds": seeds, "detail": failure.get("message", detail),
                "invariant": kind or failure.get("invariant") or failure["result"]}
    if stood_still:
        return {"caught": True, "seeds": seeds + 1, "invariant": "standstill", "detail": detail}
    if code < 0 or code in (132, 133, 134, 139):
        return {"caught": True, "seeds": seeds + 1, "invariant": "I19", "detail": detail}
    if code == 0:
        return {"caught": False, "seeds": seeds, "invariant": None, "detail": detail}
    if code in (2, 3):
        named = {2: "invariant", 3: "liveness"}[code]
        return {"caught": True, "seeds": max(seeds, 1), "invariant": named, "detail": detail}
    raise SystemExit(f"mutants: simulate ended with {code}: {detail}")
