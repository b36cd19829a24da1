extension CutWorld {
    /// The world after a step.
    package func after(_ step: CutStep) -> CutWorld {
        var next = self
        next.take(step)
        return next
    }

    private mutating func take(_ step: CutStep) {
        switch step {
        case .write(let one):
            left.writes -= 1
            let past = shown(devices[one])
            devices[one].held |= 1 << CutSet(batches.count)
            batches.append(CutBatch(author: author(one), past: past))
        case .tell(let one, let other): tell(one, other)
        case .send(let one, let other): send(one, other)
        case .propose(let one): propose(one)
        case .promise(let one, let cut): promise(one, cut)
        case .settle(let one, let cut):
            let chosen = devices[one].promises & promises(of: cut)
            devices[one].settlements |= 1 << CutSet(settlements.count)
            settlements.append(CutSettlement(cut: Int8(cut), promises: chosen))
        case .fold(let one, let cut):
            devices[one].shownWhenFolded = shown(devices[one])
            devices[one].base = cuts[cut].shows
            devices[one].held &= ~cuts[cut].shows
            devices[one].floor = Int8(cut)
            devices[one].isFresh = false
        case .admit(let one, let place): admit(one, place)
        case .remove(let one, let other):
            left.troubles -= 1
            disturb(other, by: one)
            note(.removal, other, by: one)
            out |= 1 << CutSet(other)
        case .lapse(let one, let other):
            left.troubles -= 1
            disturb(other, by: one)
            note(.lapse, other, by: one)
        case .comeBack(let one, let other): comeBack(one, other)
        case .copy(let one): images[one] = devices[one]
        case .restore(let one): putBack(one, lives: true)
        case .rollBack(let one): putBack(one, lives: false)
        case .forgetPromises(let one):
            left.troubles -= 1
            devices[one].bound = 0
        }
    }

    /// Takes the vote from a device that loses it, and from those it let in without the word having
    /// spread.
    private mutating func disturb(_ other: Int, by one: Int) {
        disturbed |= 1 << CutSet(other)
        for (index, record) in records.enumerated()
        where devices[other].records.has(index) && !devices[one].records.has(index) {
            disturbed |= 1 << CutSet(record.target)
        }
    }

    private mutating func note(_ kind: CutRecord.Kind, _ target: Int, by one: Int) {
        devices[one].records |= 1 << CutSet(records.count)
        records.append(CutRecord(kind: kind, target: Int8(target)))
    }

    /// Cuts, promises and records travel before batches.
    mutating func tell(_ one: Int, _ other: Int) {
        let from = devices[one]
        devices[other].cuts |= from.cuts
        devices[other].promises |= from.promises
        devices[other].settlements |= from.settlements
        devices[other].records |= from.records
        devices[other].lives |= from.lives
        // Whoever hears of a later life of its own was put back, and begins another.
        let own = devices[other].lives & CutAuthor.all(of: other)
        let newest = Int8(31 - own.leadingZeroBitCount - other * 4)
        if own != 0 && newest > devices[other].life {
            devices[other].life = min(newest + 1, 3)
            devices[other].isFresh = true
            devices[other].lives |= author(other).bit
        }
    }

    mutating func send(_ one: Int, _ other: Int) {
        tell(one, other)
        let from = devices[one]
        var to = devices[other]
        if from.base & ~(to.held | to.base) != 0 {
            // What it folded can no longer be sent apart.
            to.base = from.base
            to.floor = from.floor
            to.shownWhenFolded = from.shownWhenFolded
            to.held &= ~from.base
        }
        to.held |= from.held & ~to.base
        devices[other] = to
    }

    private mutating func propose(_ one: Int) {
        left.cuts -= 1
        let device = devices[one]
        let number = cuts.indices.filter { device.cuts.has($0) }.map { cuts[$0].number }.max() ?? 0
        devices[one].cuts |= 1 << CutSet(cuts.count)
        cuts.append(
            ProposedCut(
                number: number + 1, proposer: author(one), shows: shown(device),
                records: device.records,
                voters: voters(known: device.records, lives: device.lives)))
    }

    private mutating func promise(_ one: Int, _ cut: Int) {
        let device = devices[one]
        devices[one].promises |= 1 << CutSet(promises.count)
        devices[one].bound |= 1 << CutSet(cut)
        promises.append(
            CutPromise(
                cut: Int8(cut), author: author(one), lists: shown(device),
                records: device.records, isFresh: device.isFresh))
    }

    private mutating func admit(_ one: Int, _ place: Int) {
        left.troubles -= 1
        note(.admission, place, by: one)
        if disturbed.has(one) { disturbed |= 1 << CutSet(place) }
        devices[place].isThere = true
        devices[place].isFresh = devices[one].isFresh
        devices[place].lives |= author(place).bit
        devices[one].lives |= author(place).bit
        send(one, place)
        devices[place].base = devices[one].base
        devices[place].floor = devices[one].floor
        devices[place].shownWhenFolded = devices[one].shownWhenFolded
        if keeps(.bindsNewcomers) { devices[place].bound = devices[one].bound }
    }

    private mutating func comeBack(_ one: Int, _ other: Int) {
        guard devices[other].life < 3 else { return }
        note(.comeback, other, by: one)
        devices[one].held |= devices[other].held & ~devices[one].base
        devices[other].life += 1
        devices[other].isFresh = devices[one].isFresh
        devices[one].lives |= author(other).bit
        devices[other].lives |= author(other).bit
        send(one, other)
        if keeps(.bindsNewcomers) { devices[other].bound = devices[one].bound }
    }

    private mutating func putBack(_ one: Int, lives: Bool) {
        guard let image = images[one] else { return }
        left.troubles -= 1
        disturbed |= 1 << CutSet(one)
        forgetful |= 1 << CutSet(one)
        let life = devices[one].life
        for (index, record) in records.enumerated()
        where devices[one].records.has(index) && !image.records.has(index) {
            disturbed |= 1 << CutSet(record.target)
        }
        devices[one] = image
        if lives {
            devices[one].life = life + 1
            devices[one].isFresh = true
            devices[one].lives |= author(one).bit
        }
    }
}
