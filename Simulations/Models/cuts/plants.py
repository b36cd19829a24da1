"""Mistakes that can be planted in the rule, and the fleets in which each is looked for."""

from .world import Plan

# name: (what is done wrong, devices, troubles, writes, cuts, times, a seed that finds it)
PLANTS = {}


def plant(name, sentence, devices=2, troubles="", seed=1, writes=6, cuts=3, times=2):
    """Adds one mistake."""
    PLANTS[name] = (sentence, devices, troubles.split(), writes, cuts, times, seed)


def plan_of(name):
    """The fleet in which a mistake is looked for, which makes it."""
    _, devices, troubles, writes, cuts, times, _ = PLANTS[name]
    return Plan(devices, writes, cuts, troubles, times if troubles else 0, 1, plant=name)


def sentence_of(name):
    """What is done wrong."""
    return PLANTS[name][0]


def seed_of(name):
    """A seed that finds it."""
    return PLANTS[name][6]


plant("minimum-alone", "each home takes the least of what it heard others hold for its floor")
plant("stored-promised", "a promise is given for what is stored, though it does not show", 2,
      "key")
plant("promise-unstored", "a promise is said before it is on the disk", 3,
      "crash lapse")
plant("dropped-at-once", "what a cut closes is dropped when that cut is folded", 2, "item")
plant("closed-by-own-view", "a fold closes by what its home knows, not by the cut alone", 2, "item")
plant("floor-unnamed", "a batch that covers a cut counts, whatever floor its author names", 3,
      "item restore", writes=7, cuts=4, times=2)
plant("late-before-removal", "lateness is judged before the frontier of a removal", 3,
      "removal")
plant("extend-after-cut", "an extend reaches batches beside a cut whose voters had them out", 3,
      "removal extend")
plant("passed-named", "a batch names what its author passed over among what it builds on", 2,
      "removal extend")
plant("removal-frees", "a removal of the moment frees who promised a cut with what it hides", 4,
      "removal turn lapse", times=3)
plant("bond-unnamed", "a batch does not build on a cut that binds, where a removal hides a part", 3,
      "removal turn")
plant("under-late", "what listed batches build on is late though they were shown without it", 3,
      "removal extend", times=3)
plant("turn-shows", "what a promise had out shows again before the cut is settled", 3,
      "removal turn", times=3)
plant("removal-undoes", "a removal leaves out what a settled cut lists", 3,
      "removal turn")
plant("removed-listed", "a cut lists what a removal leaves out that its voters knew", 3,
      "removal extend")
plant("lapse-at-once", "a lapse makes batches late before a cut is settled without the device", 3,
      "lapse")
plant("lapsed-votes", "a lapsed device is waited for", 2, "lapse")
plant("inside-commit", "a cut ends inside a commit", 2, "parts mail")
plant("votes-counted", "promises are counted, so that two lives of one device are two voters", 3,
      "clone")
plant("promises-anew", "the voters are devices: a restored one promises anew, and otherwise", 3,
      "restore")
plant("batches-first", "batches come before the cuts and promises", 3,
      "lapse")
plant("undecided-shown", "who has promised goes on to show what lies beside the cut", 3,
      "lapse")
plant("lists-ignored", "what promises list is late unless it covers the cut", 2, "")
plant("folded-first", "a home promises only once it folded every settled cut that it knows", 2)
plant("folded-early", "a home folds before it shows all that is listed", 2, "")
plant("floor-falls", "a home promises and folds cuts that are not above its floor", 2, "")
plant("no-settlement", "all promises count that one knows, in place of those that are named", 3,
      "rollback")
plant("any-settlement", "of two settlements of one proposer the lists add up", 3,
      "rollback lapse")
plant("newcomers-unasked", "devices that a voter had let in are not asked", 2, "newcomer")
plant("unheard-skipped", "a device of which no life is known yet is no voter", 3,
      "newcomer removal")
plant("newcomers-free", "a newcomer is not bound by what binds who let it in", 3,
      "newcomer lapse")
plant("bonds-added", "who returns keeps its own bonds beside those of who lets it back", 2,
      "lapse key")
plant("late-alone", "what builds on a late batch counts", 3,
      "lapse")
plant("chain-goes-on", "a life goes on after a batch of it was late", 2, "restore")
plant("open-for-ever", "an open cut binds though a cut above it is settled", 2, "restore")
plant("copies-settle", "lives that began with a copy settle among themselves", 2,
      "restore newcomer", times=3)
plant("words-unheard", "only promises for a cut say what will be listed", 3, "")
plant("any-life-believed", "the word of a life that forgot is taken for that of the named one", 3,
      "restore lapse")
plant("never-given-up", "a proposer never gives up a cut that names a life which ended", 2,
      "restore newcomer", writes=8, cuts=8, times=3)
plant("bonds-outlive", "a life that forgot is bound by what its disk had promised before", 2,
      "twin removal turn", times=3)
plant("vectors-forgotten", "of a folded chain its known vector is not kept", 2, "")
plant("forks-forgotten", "of a folded chain only the last header is kept, no fork", 2,
      "rollback newcomer")
plant("sequences-alone", "a cut names sequences without identifiers", 2,
      "rollback")
plant("deleted-first", "folded batches are deleted before the floor is raised", 2, "")
plant("inbox-deleted", "a fold deletes what is late", 2, "restore")
plant("rewritten-twice", "a late batch that is said again has no place of its own", 3,
      "lapse rewrite clone", times=3)
