extension CutWorld {
    var present: [Int] { devices.indices.filter { devices[$0].isThere && !out.has($0) } }

    /// All that can happen next.
    package func steps() -> [CutStep] {
        var steps: [CutStep] = []
        for one in present {
            if left.writes > 0 { steps.append(.write(one)) }
            for other in present where other != one {
                steps += [.tell(one, other), .send(one, other)]
            }
            let isVoter = votes(one)
            if left.cuts > 0 && isVoter { steps.append(.propose(one)) }
            for cut in cuts.indices {
                if canPromise(one, cut) { steps.append(.promise(one, cut)) }
                if canSettle(one, cut) { steps.append(.settle(one, cut)) }
                if canFold(one, cut) { steps.append(.fold(one, cut)) }
            }
            if left.troubles > 0 { steps += troubles(of: one) }
            if left.kinds.contains(.lapse) {
                for other in present where other != one && isLapsed(other, for: one) {
                    steps.append(.comeBack(one, other))
                }
            }
        }
        return steps
    }

    private func troubles(of one: Int) -> [CutStep] {
        var steps: [CutStep] = []
        let others = present.filter { $0 != one }
        // Two that shut each other out are the membership rule's to judge, before any cut.
        let everything = members(CutSet.max)
        let acts = votes(one) && everything.active.has(one) && !everything.lapsed.has(one)
        if left.kinds.contains(.newcomer) && acts {
            for place in devices.indices where !devices[place].isThere && !out.has(place) {
                steps.append(.admit(one, place))
                break
            }
        }
        for other in others where acts {
            if left.kinds.contains(.removal) { steps.append(.remove(one, other)) }
            if left.kinds.contains(.lapse) && !isLapsed(other, for: one) {
                steps.append(.lapse(one, other))
            }
        }
        if left.kinds.contains(.restoration) || left.kinds.contains(.rollback) {
            if images[one] == nil {
                steps.append(.copy(one))
            } else if images[one] != devices[one] {
                if left.kinds.contains(.restoration) && devices[one].life < 2 {
                    steps.append(.restore(one))
                }
                if left.kinds.contains(.rollback) && isWitnessed(one) {
                    steps.append(.rollBack(one))
                }
            }
        }
        if left.kinds.contains(.crash) && !keeps(.storesPromises) && devices[one].bound != 0 {
            steps.append(.forgetPromises(one))
        }
        return steps
    }

    /// True when somebody else remembers what a device would forget that is put back and does not
    /// notice: what it alone decided is beyond help.
    private func isWitnessed(_ one: Int) -> Bool {
        guard let image = images[one], image.records == devices[one].records else { return false }
        let forgotten = devices[one].promises & ~image.promises
        return promises.indices.allSatisfy { index in
            guard forgotten.has(index), Int(promises[index].author.device) == one else {
                return true
            }
            let voters = cuts[Int(promises[index].cut)].voters
            return present.contains {
                $0 != one && !disturbed.has($0) && voters & CutAuthor.all(of: $0) != 0
            }
        }
    }

    /// True when a device thinks that it may write and vote.
    func votes(_ one: Int) -> Bool {
        let (active, lapsed) = members(devices[one].records)
        return active.has(one) && !lapsed.has(one)
    }

    func isLapsed(_ other: Int, for one: Int) -> Bool {
        members(devices[one].records).lapsed.has(other)
    }

    func canPromise(_ one: Int, _ cut: Int) -> Bool {
        let device = devices[one]
        guard device.cuts.has(cut), votes(one), isOpen(cut, listed(device), late(device)) else {
            return false
        }
        let own = author(one)
        let has = promises.indices.contains {
            Int(promises[$0].cut) == cut && promises[$0].author == own && device.promises.has($0)
        }
        if has { return false }
        if keeps(.namesLives) && cuts[cut].voters & CutAuthor.all(of: one) & ~own.bit != 0 {
            return false
        }
        if keeps(.risesOnly) && device.base & ~cuts[cut].shows != 0 { return false }
        let has2 = keeps(.promisesWhatItShows) ? shown(device) : device.held | device.base
        return cuts[cut].shows & ~has2 == 0
    }

    func canSettle(_ one: Int, _ cut: Int) -> Bool {
        guard keeps(.signsSettlements), cuts[cut].proposer == author(one) else { return false }
        let device = devices[one]
        guard isOpen(cut, listed(device), late(device)) else { return false }
        return device.cuts.has(cut)
            && areEnough(device.promises & promises(of: cut), for: cut, lives: device.lives)
    }

    func canFold(_ one: Int, _ cut: Int) -> Bool {
        let device = devices[one]
        guard let list = listed(device)[cut], device.base != cuts[cut].shows else { return false }
        if keeps(.risesOnly) && device.base & ~cuts[cut].shows != 0 { return false }
        let shown = shown(device)
        let wanted = keeps(.foldsWhatIsListed) ? list | cuts[cut].shows : cuts[cut].shows
        return wanted & ~late(device) & ~shown == 0
    }
}
