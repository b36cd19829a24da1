"""A hunt for planted bugs on many machines: each bug is a strand of seeds that ends when caught."""

from pathlib import Path

from hunt_far import Bundle, FarHunt, check, transport
from hunt_ledger import Ledger, read_lines
from hunt_plan import Strand, wanted
from mutant_hunt import Hunt, say


class FarMutants:
    """The same verdicts as a hunt on this machine, from the records of many."""

    def __init__(self, binary, options):
        self.bundle = Bundle(binary, options.patience)
        self.options = options
        self.local = Hunt(binary, options)
        self.folder = Path(options.folder or
                           f".build/mutant-hunts/{options.first}-{self.bundle.program[:8]}")

    def strand(self, mutant, scenario):
        # Without a bug all seeds are to be looked at, wherever there is room.
        return Strand((scenario,), self.options.first, self.options.seeds, mutant,
                      stops=bool(mutant))

    def hunt(self, strands, folder):
        """Plays these strands to their ends; the failing records by bug and scenario."""
        ledger = Ledger(folder, self.bundle.program, strands)
        try:
            FarHunt(ledger, transport(self.options.on, folder, self.bundle, self.options.jobs),
                    None).run()
            failed = ledger.failed
        finally:
            ledger.close()
        self.whole = check(folder)
        failures = {(one["mutant"], one["scenario"]): one
                    for one in read_lines(Path(folder) / "records.jsonl")
                    if not one.get("error") and one["result"] != "ok"}
        return [(strand, wanted(strand, failed), failures.get((strand.mutant,
                                                               strand.scenarios[0])))
                for strand in strands]

    def control(self, mutants):
        """The same seeds with no bug switched on: none may find anything."""
        scenarios = sorted({self.local.scenario(mutant) for mutant in mutants})
        strands = [self.strand("", scenario) for scenario in scenarios]
        for strand, _, failure in self.hunt(strands, self.folder / "control"):
            if failure:
                say(f"control: seed {failure['seed']} of {strand.scenarios[0]} breaks "
                    f"{failure['invariant']} without any bug: {failure.get('message')}")
                return False
        return self.whole

    def all(self, mutants):
        """Hunts for every bug; how many were caught, and none when the records are not whole."""
        strands = [self.strand(mutant.name, self.local.scenario(mutant)) for mutant in mutants]
        caught = 0
        for mutant, (_, seeds, failure) in zip(mutants, self.hunt(strands, self.folder)):
            found = {"caught": failure is not None, "seeds": seeds,
                     "invariant": kind(failure), "detail": (failure or {}).get("message") or ""}
            caught += found["caught"]
            self.local.keep(mutant.name, found)
            self.local.tell(mutant, found)
        self.local.close(len(mutants), caught)
        return caught if self.whole else 0


def kind(failure):
    """What a failing seed is counted as."""
    if failure is None:
        return None
    named = {"liveness": "liveness", "crash": "I19", "standstill": "standstill"}
    return named.get(failure["result"]) or failure.get("invariant") or failure["result"]
