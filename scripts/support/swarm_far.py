"""Swarms of the simulator on many machines."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from hunt_far import Bundle, FarHunt, check, sentence, transport
from hunt_ledger import Ledger, put, read_lines
from hunt_parallel import note
from hunt_plan import Strand, Trouble, turns


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/swarm", allow_abbrev=False)
    parser.add_argument("--on", metavar="WHERE", help="parallel:HOST,HOST… or slurm")
    parser.add_argument("--audit", metavar="FOLDER", help="only hold a hunt's records against it")
    parser.add_argument("--seeds", type=int, help="how many")
    parser.add_argument("--from", dest="first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--scenario", default="all", help="of the simulator (all, in turn)")
    parser.add_argument("--jobs", type=int, help="seeds at a time on a host, or tasks of Slurm")
    parser.add_argument("--piece", type=int, help="seeds that a host is given at a time")
    parser.add_argument("--stories", type=int, default=20, help="most failures to tell about")
    parser.add_argument("--patience", type=int, default=600,
                        help="processor seconds that a seed may take (600)")
    parser.add_argument("--folder", help="where records are kept, and a stopped hunt goes on")
    parser.add_argument("--binary", help="a built simulate, instead of building one")
    parser.add_argument("--sbatch", action="append", default=[], metavar="OPTION",
                        help="a further option for sbatch, as --sbatch=--partition=night")
    return parser.parse_args()


def built():
    """A release build of the simulator."""
    command = ["swift", "build", "-c", "release", "--product", "simulate"]
    if subprocess.run(command, stdout=sys.stderr, check=False).returncode != 0:
        raise Trouble("the simulator does not build")
    place = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"],
                           capture_output=True, text=True, check=True).stdout.strip()
    return Path(place) / "simulate"


def main():
    options = arguments()
    if options.audit:
        return 0 if check(options.audit) else 1
    if options.seeds is None:
        raise Trouble("say how many seeds: --seeds K (hours differ from host to host)")
    if min(options.seeds, options.jobs or 1, options.piece or 1, options.patience) < 1 \
            or min(options.first, options.stories) < 0:
        raise Trouble("numbers of seeds, jobs and seconds are positive")
    bundle = Bundle(options.binary or built(), options.patience)
    every = turns(bundle.listing)
    known = set(every) | {line.split()[0] for line in bundle.listing.splitlines()
                          if line.startswith("  ")}
    if options.scenario != "all" and options.scenario not in known:
        raise Trouble(f"there is no scenario '{options.scenario}': simulate --list names them")
    names = every if options.scenario == "all" else (options.scenario,)
    strand = Strand(names, options.first, options.seeds)
    folder = Path(options.folder or f".build/swarm/{options.scenario}-{options.first}-"
                  f"{options.seeds}-{bundle.program[:8]}")
    ledger = Ledger(folder, bundle.program, [strand])
    try:
        hunt = FarHunt(ledger, transport(options.on, folder, bundle, options.jobs,
                                         options.sbatch), options.piece)
        hunt.run()
        failures = [record for record in read_lines(folder / "records.jsonl")
                    if record.get("error") or record["result"] != "ok"]
        failures.sort(key=lambda record: record["seed"])
        put(folder / "failures.txt", "".join(
            f"{one['scenario']} {one['seed']} # {sentence(one)}\n" for one in failures))
        hunt.tell([one for one in failures if not one.get("error")], options.stories)
    finally:
        ledger.close()
    whole = check(folder)
    print(json.dumps({"scenario": options.scenario, "from": options.first,
                      "seeds": options.seeds, "failures": len(failures),
                      "folder": str(folder)}))
    return 1 if not whole else 2 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        note(f"swarm: {trouble}")
        sys.exit(1)
    except KeyboardInterrupt:
        note("swarm: stopped; what was recorded is kept, and the same line goes on from there")
        sys.exit(130)
