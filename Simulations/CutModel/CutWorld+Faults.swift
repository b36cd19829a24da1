extension CutWorld {
    /// Names the fault of this world, if there is one.
    package func fault() -> String? {
        if isSplit { return nil }
        var all = self
        all.exchange()
        return all.disagreement() ?? all.injustice() ?? all.unmergeable() ?? all.lost()
    }

    /// Two devices with the same objects that show different things.
    private func disagreement() -> String? {
        let shows = present.map { shown(devices[$0], isBound: false) }
        guard let first = shows.first, let other = shows.first(where: { $0 != first }) else {
            return nil
        }
        return "after all was exchanged devices show \(String(first, radix: 2)) and "
            + String(other, radix: 2)
    }

    /// A late batch of a device to which nothing happened, or one that is folded already.
    private func injustice() -> String? {
        // A life that was put back and goes on unnoticed misleads whoever builds on it.
        let ofCopies = batches.indices.reduce(CutSet(0)) {
            forgetful.has(Int(batches[$1].author.device)) ? $0 | 1 << CutSet($1) : $0
        }
        for one in present {
            let late = late(devices[one])
            for (index, batch) in batches.enumerated() where late.has(index) {
                if !disturbed.has(Int(batch.author.device)) && batch.past & ofCopies == 0 {
                    return "batch \(index) of an undisturbed device is late"
                }
                if devices[one].base.has(index) { return "folded batch \(index) is late" }
            }
        }
        return nil
    }

    /// A batch beside a cut that is ordinary and came only after the cut was folded.
    private func unmergeable() -> String? {
        for one in present where devices[one].floor >= 0 {
            let cut = Int(devices[one].floor)
            let list = (listed(devices[one])[cut] ?? 0) & ~late(devices[one])
            let batch = batches.indices.first {
                list.has($0) && !devices[one].shownWhenFolded.has($0) && liesBeside($0, cut)
            }
            if let batch { return "batch \(batch) came after device \(one) had folded" }
        }
        return nil
    }

    /// A batch that an honest device acknowledged to its person and nobody holds.
    private func lost() -> String? {
        let kept = present.reduce(0) { $0 | devices[$1].held | devices[$1].base }
        for (index, batch) in batches.enumerated()
        where !kept.has(index) && !disturbed.has(Int(batch.author.device)) {
            return "batch \(index) is lost"
        }
        return nil
    }

    /// True when a settled cut has no voter left that remembers it, or two have none in common:
    /// each side let the other go, and no rule of cuts can join them.
    package var isSplit: Bool {
        let voices = settlements.map { settlement in
            promises.indices.reduce(CutSet(0)) {
                settlement.promises.has($1) && !forgetful.has(Int(promises[$1].author.device))
                    ? $0 | promises[$1].author.bit : $0
            }
        }
        return voices.contains(0)
            || voices.indices.contains { one in
                voices[..<one].contains { $0 & voices[one] == 0 }
            }
    }

    /// Everybody meets everybody until nothing is new.
    mutating func exchange() {
        comeBackUnremoved()
        let there = present
        while true {
            let before = devices
            for one in there { for other in there where one != other { send(one, other) } }
            if devices == before { return }
        }
    }

    /// A removal that nobody holds any more, since its author was put back, did not happen.
    private mutating func comeBackUnremoved() {
        let known = present.reduce(CutSet(0)) { $0 | devices[$1].records }
        let removed = records.indices.reduce(CutSet(0)) {
            known.has($1) && records[$1].kind == .removal
                ? $0 | 1 << CutSet(records[$1].target) : $0
        }
        out &= removed
    }

    /// Everything goes on calmly; then a new cut must be folded by all.
    package func stall() -> String? {
        if isSplit { return nil }
        var world = self
        world.left.troubles = 0
        world.settleDown()
        guard let one = world.present.first(where: { world.votes($0) }) else { return nil }
        world = world.after(.write(one))
        world = world.after(.propose(one))
        world.settleDown()
        let there = world.present.filter { world.votes($0) }
        // Where nobody remembers, a person decides.
        if keeps(.asksOneThatRemembers) && there.allSatisfy({ world.devices[$0].isFresh }) {
            return nil
        }
        let bases = Set(there.map { world.devices[$0].base })
        let cut = world.cuts[world.cuts.count - 1].shows
        let shows = Set(there.map { world.shown(world.devices[$0]) })
        if shows.count != 1 { return "after a new cut devices show different things" }
        if bases != [cut] { return "a new cut was not folded by all in a calm fleet" }
        return nil
    }

    private mutating func settleDown() {
        while true {
            let before = self
            exchange()
            for one in present {
                for cut in cuts.indices {
                    if canPromise(one, cut) { self = after(.promise(one, cut)) }
                    if canSettle(one, cut) { self = after(.settle(one, cut)) }
                }
            }
            exchange()
            for one in present {
                for cut in cuts.indices where canFold(one, cut) { self = after(.fold(one, cut)) }
            }
            for one in present where votes(one) {
                for other in present where other != one && isLapsed(other, for: one) {
                    self = after(.comeBack(one, other))
                }
            }
            if self == before { return }
        }
    }
}
