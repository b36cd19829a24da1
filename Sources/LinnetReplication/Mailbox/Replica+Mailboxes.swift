import LinnetCRDT
package import LinnetStorage
package import LinnetWire

/// A mailbox as this device knows it.
package struct MailboxView: Equatable, Sendable {
    /// Its number.
    package let id: MailboxID
    /// The place, as it was added.
    package let address: String
    /// The time of the last whole round in Unix milliseconds; nil before the first.
    package let lastRoundMilliseconds: UInt64?
    /// The last round since the opening; nil before the first.
    package let lastRound: MailRound?
    /// The packs of this device that lie there, and their bytes.
    package let packs: MailAmount
    /// The devices whose heads were read since the opening, with the clock that each had then in
    /// Unix milliseconds; this device is not among them.
    package let heard: [(device: DeviceID, wallMilliseconds: UInt64)]

    /// True when both say the same.
    package static func == (left: MailboxView, right: MailboxView) -> Bool {
        (left.id, left.address, left.lastRound, left.packs)
            == (right.id, right.address, right.lastRound, right.packs)
            && left.lastRoundMilliseconds == right.lastRoundMilliseconds
            && left.heard.elementsEqual(right.heard, by: ==)
    }
}

extension Replica {
    /// The mailboxes of this home, in the order in which they were added.
    package var mailboxes: [MailboxView] {
        posts.posts.map { id, post in
            var packs = MailAmount()
            for pack in post.state.packs { packs.add(pack.bytes) }
            var heard = OrderedTable<DeviceID, UInt64>()
            for known in post.known.heads.values where known.head.device != device {
                heard[known.head.device] = max(
                    heard[known.head.device] ?? 0, known.head.wallMilliseconds)
            }
            return MailboxView(
                id: id, address: post.state.address,
                lastRoundMilliseconds: post.state.lastRound == 0 ? nil : post.state.lastRound,
                lastRound: posts.rounds[id], packs: packs,
                heard: heard.map { ($0.key, $0.value) })
        }
    }

    /// Adds a mailbox, or gives the one of that address another account.
    ///
    /// - Parameter access: the account, in the form of the shell; empty leaves what is known.
    package mutating func addMailbox(
        _ address: String, access: [UInt8] = [], at now: Moment
    ) throws(ReplicaError) -> (MailboxID, [Effect]) {
        guard group != nil else { throw .notAMember }
        let known = posts.place(address)
        if let known, access.isEmpty { return (known, []) }
        let id = known ?? posts.add(address)
        if !access.isEmpty { posts.setAccess(access, of: id) }
        return (id, try settleMail(at: now))
    }

    /// Returns the account with which the store behind a mailbox is asked, in the form of the
    /// shell; empty where there is none.
    package func mailAccess(_ id: MailboxID) -> [UInt8] { posts.places[id]?.access ?? [] }

    /// Returns what went over the network for a mailbox in the last day.
    package func mailTraffic(_ id: MailboxID, at now: Moment) -> MailTraffic {
        posts.places[id]?.lastDay(at: now.wallMilliseconds) ?? MailTraffic()
    }

    /// Forgets a mailbox; what lies there stays.
    package mutating func removeMailbox(
        _ id: MailboxID, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        posts.remove(id)
        return try settleMail(at: now)
    }

    /// True while a look into a mailbox goes on.
    package func isLooking(into id: MailboxID) -> Bool { posts[id]?.isIdle == false }

    /// Looks into the mailboxes by itself from now on, or does so no more.
    ///
    /// - Parameters:
    ///   - inlineBytes: the bytes of batches from which on they are left in a pack and not in a
    ///     head.
    ///   - smallPacks: the number of own small packs from which on they are made into a larger one.
    ///   - shelfBytes: the bytes of the names of packs in a head from which on they are left in a
    ///     list of their own.
    package mutating func runMailboxes(
        _ isRunning: Bool, packingFrom inlineBytes: Int = Limits.mailInlineBytes,
        mergingFrom smallPacks: Int = 16, shelvingFrom shelfBytes: Int = Limits.mailShelfBytes
    ) {
        posts.isRunning = isRunning
        posts.packing = Packing(
            inlineBytes: inlineBytes, smallPacks: smallPacks, shelfBytes: shelfBytes)
    }

    /// Returns the batches in a pack that this device names, put or is about to put into a mailbox;
    /// nil for any other.
    package func mailPack(
        _ name: MailName, in id: MailboxID
    ) throws(StorageError) -> [BatchID]? {
        let state = posts[id]?.state
        let packs = (state?.packs ?? []) + (state?.tried ?? [])
        guard let pack = packs.first(where: { $0.reference.name == name }),
            let held = try held(pack.reference)
        else { return nil }
        var batches: [BatchID] = []
        for gap in gaps(of: held.contents) {
            for seq in gap.first...gap.last {
                if let batch = try store.headID(of: gap.row, at: seq) { batches.append(batch) }
            }
        }
        return batches
    }

    /// True for a pack that this device names in a mailbox.
    package func namesPack(_ name: MailName, in id: MailboxID) -> Bool {
        posts[id]?.state.ownPacks.contains(name.hash) == true
            || posts[id]?.state.shelves.contains { $0.reference.name == name } == true
    }

    /// Looks into a mailbox now, takes what is new and leaves what it lacks.
    ///
    /// - Parameters:
    ///   - dry: true to take and leave nothing, and only say what would be.
    ///   - isAsked: true where a person asks, so that what did not open and what was left is tried
    ///     again.
    package mutating func beginMailRound(
        _ id: MailboxID, dry: Bool = false, isAsked: Bool = true, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        try beginMailRound(id, dry ? .dry : .whole, isAsked: isAsked, at: now)
    }

    /// Begins a look into a mailbox.
    mutating func beginMailRound(
        _ id: MailboxID, _ mode: Post.Mode, isAsked: Bool = true, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        let filter = scopeFilter
        if posts[id]?.isIdle == true { posts.began(id, at: now) }
        if isAsked { posts[id]?.hurry() }
        posts[id]?.begin(as: author.id, holding: filter, mode)
        do throws(StorageError) {
            try goOn(id, at: now)
        } catch {
            throw .storage(fail(error))
        }
        return try settleMail(at: now)
    }

    private mutating func settleMail(at now: Moment) throws(ReplicaError) -> [Effect] {
        if let failure { throw .storage(failure) }
        do throws(StorageError) {
            return try settle(at: now)
        } catch {
            throw .storage(fail(error))
        }
    }
}
