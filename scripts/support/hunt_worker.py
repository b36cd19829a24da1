"""Runs on a host of a hunt: plays the seeds of one piece, or tells the story of one seed.

python3 hunt_worker.py HOST ORDER, beside the program `simulate`. ORDER is JSON in base64. One JSON
object a line goes to standard output as soon as its seed is done, so that a host that is lost
takes along no more than the seed it was at."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from mutant_patience import Standstill, patient_lines  # noqa: E402

SIMULATE = Path(__file__).resolve().parent / "simulate"
TRAPS = (-4, -5, -6, -11, 132, 133, 134, 139)


def tell(order, host, **what):
    print(json.dumps({"piece": order["piece"], "host": host, **what}), flush=True)


def environment(order):
    return {**os.environ, "LINNET_MUTANT": order.get("mutant", ""),
            "SWIFT_BACKTRACE": "enable=no"}


def play(order, host):
    """All seeds of a piece; what stands still or traps is recorded, and the rest goes on."""
    left = list(order["jobs"])
    while left:
        done, end = play_some(order, host, left)
        left = left[done:]
        if not left or end is None:
            return
        # The seed that it was at.
        scenario, seed = left.pop(0).split()
        tell(order, host, record={"scenario": scenario, "seed": int(seed), "traceHash": None,
                                  "result": end[0], "invariant": "I19", "message": end[1]})
        if order["stops"]:
            return


def play_some(order, host, jobs):
    """Plays until the simulator ends: how many seeds it did, and what ended it before its time."""
    done, failed = 0, False
    with tempfile.TemporaryFile() as errors, tempfile.NamedTemporaryFile("w") as file:
        file.write("".join(f"{job}\n" for job in jobs))
        file.flush()
        command = ["stdbuf", "-oL", str(SIMULATE), "--regressions", file.name, "--json",
                   "--jobs", "1"] + (["--stop-at-first-failure"] if order["stops"] else [])
        process = subprocess.Popen(command, env=environment(order), stdout=subprocess.PIPE,
                                   stderr=errors, text=True)
        try:
            for line in patient_lines(process, order["patience"]):
                record = seed_of(line)
                if record is None:
                    continue
                if "error" not in record:
                    done += 1
                    failed = failed or record["result"] != "ok"
                tell(order, host, record=record)
        except Standstill:
            return done, ("standstill", f"no end after {order['patience']} processor seconds")
        code = process.wait()
        errors.seek(0)
        detail = errors.read()[-600:].decode(errors="replace").strip()
    if code in TRAPS:
        return done, ("crash", f"simulate ended with {code}: {detail}")
    if done < len(jobs) and not (order["stops"] and failed):
        tell(order, host, trouble=f"simulate ended with {code}: {detail}")
    return done, None


def seed_of(line):
    """The record of a seed; none for a summary or anything else."""
    try:
        line = json.loads(line)
    except ValueError:
        return None
    if "scenario" not in line or "seed" not in line:
        return None
    # A seed of 64 bits is printed with a sign.
    line["seed"] %= 1 << 64
    return line


def story(order, host):
    """The shrunken plan of a failing seed as text and, unless it traps, as a page."""
    scenario, seed = order["jobs"][0].split()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "story.html"
        done = subprocess.run(
            [str(SIMULATE), "--scenario", scenario, "--seed", seed, "--minimise",
             "--html", str(page)], env=environment(order), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        html = page.read_bytes() if page.exists() else b""
    tell(order, host, story={"scenario": scenario, "seed": int(seed), "text": packed(done.stdout),
                             "html": packed(html)})


def packed(data):
    return base64.b64encode(zlib.compress(data)).decode()


def versions(program):
    """Swift and the libraries, as a program names them before it plays no seeds at all. The commit
    that it names is that of the folder in which it lies; the program is known by its hash."""
    done = subprocess.run([str(program), "--regressions", "/dev/null", "--json"], check=False,
                          capture_output=True, text=True)
    for line in done.stderr.splitlines():
        if line.startswith("simulate at commit "):
            return line.partition(", ")[2]
    return f"no versions, but exit {done.returncode}: {done.stderr.strip()[-300:]}"


def main():
    given = json.loads(base64.b64decode(sys.argv[2]))
    here = versions(SIMULATE)
    if here != given["versions"]:
        tell(given, sys.argv[1], trouble=f"{sys.argv[1]} would play other seeds: it has {here}, "
             f"and who asks {given['versions']}; install the same libraries or leave it out")
        return
    (story if given.get("story") else play)(given, sys.argv[1])


if __name__ == "__main__":
    main()
