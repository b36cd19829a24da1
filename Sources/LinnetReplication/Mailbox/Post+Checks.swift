import LinnetCRDT
import LinnetWire

// Objects may be damaged where they lie: they are looked at again, and then count as lacking.
extension Post {
    var ownHead: MailName { MailName(.head, state.head) }

    /// The own objects that were damaged in this round and have no successor of the same name.
    var spoiled: [MailName] {
        let packs = OrderedSet(
            state.packs.map(\.reference.name) + state.shelves.map(\.reference.name))
        return work.spoiled.filter { $0 != ownHead && !packs.contains($0) }
    }

    /// The listed objects that are looked at again, the last one first: the own head, and in turn
    /// the own packs and all that others may rely on in place of this device.
    mutating func toCheck(
        _ made: [MailObject], but wanted: [WantedPack]
    ) -> [MailChecks.Object] {
        var objects = made.map(MailChecks.Object.made)
        objects += state.packs.map { .pack($0.reference) }
        objects += state.shelves.map { .pack($0.reference) }
        for newest in known.heads.values where newest.isMember && newest.missed < 2 {
            objects.append(.head(MailName(.head, newest.hash)))
            objects += (newest.head.packs.filter(\.isShelf) + packs(of: newest)).map(
                MailChecks.Object.pack)
        }
        var seen = work.looked
        for wanted in wanted { seen.insert(wanted.pack.name) }
        let isOwnFirst = state.isConfirmed && listing.shows(ownHead) && seen.insert(ownHead)
        objects = objects.filter { listing.shows($0.name) && seen.insert($0.name) }
        return checks.order(objects, start: state.lastRound)
            + (isOwnFirst ? [.head(ownHead)] : [])
    }

    /// Takes what the store gave for an object that is looked at again.
    mutating func check(_ object: MailChecks.Object, _ bytes: [UInt8]?) -> Arrival? {
        checks.note(bytes?.count ?? 0, isInTurn: object.name != ownHead)
        guard let bytes else {
            note(object.name, isWhole: false)
            return nil
        }
        round.checked.add(bytes.count)
        return .checked(object, bytes)
    }

    /// Notes whether a listed object was given as it was left.
    mutating func note(_ name: MailName, isWhole: Bool) {
        if isWhole { listing.noteWhole(name) } else { noteNotWhole(name) }
    }

    /// Notes that a listed object is not given as it was left: an own one is left anew, and for
    /// one of others nothing stands any more.
    mutating func noteNotWhole(_ name: MailName) {
        guard !isDry else { return }
        if name == ownHead {
            guard state.isConfirmed else { return }
            state.isConfirmed = false
        } else if state.packs.contains(where: { $0.reference.name == name }) {
            dropPacks(OrderedSet([name.hash]))
        } else if state.shelves.contains(where: { $0.reference.name == name }) {
            state.dropShelves { $0.reference.name == name }
        } else {
            return listing.noteDamaged(name)
        }
        work.spoiled.append(name)
        note(.lacking)
    }

    /// Forgets own packs, so that what is in them is left anew.
    mutating func dropPacks(_ hashes: OrderedSet<Bytes16>) {
        state.dropPacks(hashes)
        note(.lacking)
    }
}
