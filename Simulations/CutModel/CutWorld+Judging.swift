extension CutWorld {
    func author(_ index: Int) -> CutAuthor {
        CutAuthor(device: Int8(index), life: devices[index].life)
    }

    /// The devices that are members by a set of records, and those of them that lapsed.
    func members(_ known: CutSet) -> (active: CutSet, lapsed: CutSet) {
        var active = founders
        var lapsed: CutSet = 0
        var removed: CutSet = 0
        for (index, record) in records.enumerated() where known.has(index) {
            let bit: CutSet = 1 << CutSet(record.target)
            switch record.kind {
            case .admission: active |= bit
            case .removal: removed |= bit
            case .lapse: lapsed |= bit
            case .comeback: lapsed &= ~bit
            }
        }
        return (active & ~removed, lapsed)
    }

    /// The lives that vote on a cut of this device.
    func voters(known: CutSet, lives: CutSet) -> CutSet {
        let (active, lapsed) = members(known)
        var result: CutSet = 0
        for index in devices.indices where active.has(index) {
            if keeps(.skipsLapsed) && lapsed.has(index) { continue }
            let own = lives & CutAuthor.all(of: index)
            let newest = own == 0 ? 0 : 31 - own.leadingZeroBitCount
            if own != 0 { result |= 1 << CutSet(newest) }
        }
        return result
    }

    /// True when these promises are enough for a cut: of all its voters, and of whom those let in.
    func areEnough(_ chosen: CutSet, for cut: Int, lives: CutSet) -> Bool {
        var wanted = cuts[cut].voters
        var given: CutSet = 0
        if keeps(.asksOneThatRemembers) {
            let remembers = promises.indices.contains { chosen.has($0) && !promises[$0].isFresh }
            if !remembers { return false }
        }
        for (index, promise) in promises.enumerated() where chosen.has(index) {
            given |= promise.author.bit
            guard keeps(.asksNewcomers) else { continue }
            for (place, record) in records.enumerated()
            where promise.records.has(place) && !cuts[cut].records.has(place) {
                guard record.kind == .admission || record.kind == .comeback else { continue }
                let of = CutAuthor.all(of: Int(record.target))
                if wanted & of == 0 {
                    let own = lives & of
                    wanted |=
                        own == 0 ? of & 0x1111_1111 : 1 << CutSet(31 - own.leadingZeroBitCount)
                }
            }
        }
        if keeps(.namesLives) { return wanted & ~given == 0 }
        return devices.indices.allSatisfy {
            wanted & CutAuthor.all(of: $0) == 0 || given & CutAuthor.all(of: $0) != 0
        }
    }

    /// The batches that settled cuts list, by cut; nil for those that are not settled as far as is
    /// known.
    func listed(_ device: CutDevice) -> [CutSet?] {
        cuts.indices.map { cut in
            guard device.cuts.has(cut) else { return nil }
            if keeps(.signsSettlements) {
                var list: CutSet?
                for (index, settlement) in settlements.enumerated()
                where device.settlements.has(index) && Int(settlement.cut) == cut {
                    list = (list ?? 0) | lists(settlement.promises)
                }
                return list
            }
            let known = device.promises & promises(of: cut)
            return areEnough(known, for: cut, lives: device.lives) ? lists(known) : nil
        }
    }

    func promises(of cut: Int) -> CutSet {
        promises.indices.reduce(0) { Int(promises[$1].cut) == cut ? $0 | 1 << CutSet($1) : $0 }
    }

    func lists(_ chosen: CutSet) -> CutSet {
        promises.indices.reduce(0) { chosen.has($1) ? $0 | promises[$1].lists : $0 }
    }

    /// True when a batch lies beside a cut: neither below it nor built on it.
    func liesBeside(_ batch: Int, _ cut: Int) -> Bool {
        let shows = cuts[cut].shows
        return !shows.has(batch) && shows & ~batches[batch].past != 0
    }

    /// The batches that are late by what a device knows.
    func late(_ device: CutDevice) -> CutSet {
        let settled = listed(device)
        var judges = cuts.indices.filter { settled[$0] != nil }
        if !keeps(.isLateByAny), let last = judges.max(by: { cuts[$0].number < cuts[$1].number }) {
            judges = [last]
        }
        var result: CutSet = 0
        for batch in batches.indices {
            let isLate = judges.contains { cut in
                liesBeside(batch, cut)
                    && !(keeps(.listedIsOrdinary) && (settled[cut] ?? 0).has(batch))
            }
            if isLate || (keeps(.spreadsLateness) && batches[batch].past & result != 0) {
                result |= 1 << CutSet(batch)
            }
        }
        return result
    }

    /// True when a cut still binds: it is not settled, holds nothing late, and stands on all that
    /// are settled.
    func isOpen(_ cut: Int, _ settled: [CutSet?], _ late: CutSet) -> Bool {
        guard settled[cut] == nil else { return false }
        return !keeps(.settledCutsFree)
            || cuts[cut].shows & late == 0
                && cuts.indices.allSatisfy {
                    settled[$0] == nil
                        || (cuts[$0].shows & ~cuts[cut].shows == 0
                            && cuts[$0].shows != cuts[cut].shows)
                }
    }

    /// The batches that voters of a cut said they show: their promises for this cut will list it.
    func vouched(_ device: CutDevice, _ cut: Int) -> CutSet {
        var result = lists(device.promises & promises(of: cut))
        guard keeps(.believesAnyWordOfVoters) else { return result }
        let voters = devices.indices.reduce(0) {
            cuts[cut].voters & CutAuthor.all(of: $1) == 0 ? $0 : $0 | CutAuthor.all(of: $1)
        }
        for (index, promise) in promises.enumerated()
        where device.promises.has(index) && voters & promise.author.bit != 0 {
            result |= promise.lists
        }
        for (index, other) in cuts.enumerated()
        where device.cuts.has(index) && voters & other.proposer.bit != 0 {
            result |= other.shows
        }
        return result
    }

    /// The batches that a device shows: a function of those that it holds.
    func shown(_ device: CutDevice, isBound: Bool = true) -> CutSet {
        let settled = listed(device)
        let late = late(device)
        let binding =
            isBound
            ? cuts.indices.filter { device.bound.has($0) && isOpen($0, settled, late) } : []
        var result = device.base
        for batch in batches.indices where device.held.has(batch) && !late.has(batch) {
            guard batches[batch].past & ~result == 0 else { continue }
            if keeps(.holdsTheUndecided) {
                let isUndecided = binding.contains { cut in
                    liesBeside(batch, cut) && !vouched(device, cut).has(batch)
                }
                if isUndecided { continue }
            }
            result |= 1 << CutSet(batch)
        }
        return result
    }
}
