import LinnetWire

// Packs that this device left are noted, give way to larger ones, and are forgotten where they are
// gone.
extension PostState {
    /// The most packs that gave way of which a device remembers that they may go, should the store
    /// bring them back.
    private static let mostReplaced = 512
    /// The most packs that were put and not read back.
    private static let mostTried = 32

    /// The hashes of the own packs.
    var ownPacks: OrderedSet<Bytes16> { OrderedSet(packs.map(\.reference.hash)) }

    /// The own packs that are on no shelf.
    var unshelved: [OwnPack] {
        let shelved = OrderedSet(shelves.flatMap(\.packs))
        return packs.filter { !shelved.contains($0.reference.hash) }
    }

    /// Notes, before it is put, a pack that this device makes.
    mutating func tries(_ reference: PackReference, _ object: MailObject) {
        keepAsTried([OwnPack(reference: reference, bytes: object.bytes.count)])
    }

    /// Remembers packs that may lie there.
    private mutating func keepAsTried(_ packs: [OwnPack]) {
        let hashes = OrderedSet(packs.map(\.reference.hash))
        tried.removeAll { hashes.contains($0.reference.hash) }
        tried = (tried + packs).suffix(Self.mostTried)
    }

    /// Takes a pack that was read back as an own one, and those that are given as giving way to it.
    mutating func own(_ pack: OwnPack, for retiring: [Bytes16]) {
        let hash = pack.reference.hash
        packs.removeAll { $0.reference.hash == hash }
        packs.append(pack)
        tried.removeAll { $0.reference.hash == hash }
        replaced.removeAll { $0.old == hash }
        areNamed = false
        giveWay(retiring, to: hash)
    }

    /// Notes that packs give way to an own one.
    mutating func giveWay(_ retiring: [Bytes16], to hash: Bytes16) {
        let retiring = OrderedSet(retiring.filter { $0 != hash })
        guard !retiring.isEmpty else { return }
        if packs.contains(where: { retiring.contains($0.reference.hash) }) { areNamed = false }
        packs.removeAll { retiring.contains($0.reference.hash) }
        tried.removeAll { retiring.contains($0.reference.hash) }
        replaced.removeAll { retiring.contains($0.old) }
        // Those that gave way to one of these gave way to this one, which holds all of both.
        for index in replaced.indices where retiring.contains(replaced[index].new) {
            replaced[index].new = hash
        }
        replaced += retiring.elements.map { .init(old: $0, new: hash) }
        replaced = replaced.suffix(Self.mostReplaced)
        dropBrokenShelves()
    }

    /// Forgets own packs, so that what is in them is left anew.
    mutating func dropPacks(_ hashes: OrderedSet<Bytes16>) {
        // They may show later, and are named again then or give way.
        keepAsTried(packs.filter { hashes.contains($0.reference.hash) })
        packs.removeAll { hashes.contains($0.reference.hash) }
        dropBrokenShelves()
        areNamed = false
    }

    /// Takes a shelf that was read back as an own one.
    mutating func own(_ shelf: OwnShelf) {
        let hash = shelf.reference.hash
        let packs = OrderedSet(shelf.packs)
        shelves.removeAll { $0.reference.hash == hash }
        // What was on another one is on this one.
        dropShelves { $0.packs.contains(where: packs.contains) }
        shelves.append(shelf)
        dropBrokenShelves()
        tried.removeAll { $0.reference.hash == hash }
        replaced.removeAll { $0.old == hash }
        areNamed = false
    }

    /// Forgets the own shelves with packs that are own ones no more.
    private mutating func dropBrokenShelves() {
        guard !shelves.isEmpty else { return }
        let own = ownPacks
        dropShelves { !$0.packs.allSatisfy(own.contains) }
    }

    /// Forgets own shelves: they are no packs, so that any pack takes their place.
    mutating func dropShelves(_ isGone: (OwnShelf) -> Bool) {
        let gone = shelves.filter(isGone)
        guard !gone.isEmpty else { return }
        keepAsTried(gone.map { OwnPack(reference: $0.reference, bytes: $0.bytes) })
        shelves.removeAll(where: isGone)
        areNamed = false
    }
}
