import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// A warning whose cause is present now.
package struct WarningFact: Equatable, Sendable {
    /// The warning, with the newest of several examples.
    package let warning: Warning
    /// The number of times that it happened, or of things that it is about.
    package var count: UInt64 = 1
    /// The time at which it happened last, in Unix milliseconds; nil when it is not an event or the
    /// time is not known.
    package var wallMilliseconds: Int64?
    /// True when it stays until the person acknowledges it.
    package var isKept = false
    /// True when a command still has to tell it.
    package var isUntold = false
}

/// The clock of another device as it was found when that device was met last.
package struct ClockOpinion: Equatable, Sendable {
    /// The device.
    package let device: DeviceID
    /// Its clock minus ours as both are now, in milliseconds, unless its clock was set since.
    package let skewMilliseconds: Int64
    /// The time of the meeting in Unix milliseconds.
    package let wallMilliseconds: Int64
}

extension Replica {
    /// Returns the warnings whose causes are present, once for each kind and device.
    package func warningFacts(at now: Moment) throws(ReplicaError) -> [WarningFact] {
        var facts = noticeFacts()
        for opinion in clockOpinions(at: now)
        where opinion.skewMilliseconds.magnitude > UInt64(Limits.clockSkewMilliseconds) {
            facts.append(
                WarningFact(
                    warning: .clockSkew(
                        opinion.device, milliseconds: opinion.skewMilliseconds),
                    wallMilliseconds: opinion.wallMilliseconds))
        }
        for warning in group?.warnings ?? [] { facts.append(WarningFact(warning: warning)) }
        for device in sessions.flooders.elements {
            facts.append(WarningFact(warning: .flooded(device)))
        }
        facts += arrivals.notable(at: now).map { WarningFact(warning: $0) }
        return try storage { () throws(StorageError) in
            try facts + damageFacts() + quarantineFacts()
        }
    }

    private func noticeFacts() -> [WarningFact] {
        var facts: [WarningFact] = []
        var collisions: [Notice] = []
        for notice in notices.notices where !notice.isAcknowledged {
            let warning: Warning
            switch notice.matter {
            case .rotated(let reason): warning = .incarnationRotated(reason)
            case .renewed(let device): warning = .authorRenewed(device)
            case .forked(let device): warning = .authorForked(device)
            case .setAside(let key): warning = .recordSetAside(key)
            case .collided:
                collisions.append(notice)
                continue
            }
            facts.append(
                WarningFact(
                    warning: warning, count: notice.count, wallMilliseconds: notice.moment,
                    isKept: true, isUntold: !notice.isTold))
        }
        if let last = collisions.last, case .collided(let key) = last.matter {
            facts.append(
                WarningFact(
                    warning: .idCollision(key), count: UInt64(collisions.count),
                    wallMilliseconds: last.moment, isKept: true,
                    isUntold: collisions.contains { !$0.isTold }))
        }
        return facts
    }

    /// Returns the damaged batches, with those that this device wrote apart, since nobody else may
    /// have them.
    private func damageFacts() throws(StorageError) -> [WarningFact] {
        var facts: [WarningFact] = []
        for isOwn in [true, false] {
            var (count, example): (UInt64, BatchID?) = (0, nil)
            for (key, seqs) in chains.damaged.table {
                guard let row = chains[key], (row.device == device) == isOwn else { continue }
                count += UInt64(seqs.elements.count)
                guard let last = seqs.elements.last else { continue }
                example = try store.batchID(chain: row.index, seq: last) ?? example
            }
            guard count > 0, let example else { continue }
            facts.append(
                WarningFact(
                    warning: isOwn ? .damagedOwnBatch(example) : .damagedBatch(example),
                    count: count))
        }
        return facts
    }

    private func quarantineFacts() throws(StorageError) -> [WarningFact] {
        let count = UInt64(try store.quarantineCount())
        guard count > notices.quarantineKnown,
            let last = try store.quarantined(limit: 1).first
        else { return [] }
        return [
            WarningFact(
                warning: .quarantined(last.batch, operation: last.index),
                count: count - notices.quarantineKnown, isKept: true)
        ]
    }

    /// Returns the clocks of the other members beside ours, as found when they were met last.
    package func clockOpinions(at now: Moment) -> [ClockOpinion] {
        let members = OrderedSet(membership.members)
        return notices.meetings.compactMap { (device, meeting) in
            guard device != self.device, members.contains(device) else { return nil }
            // Our own clock may have been set meanwhile.
            let (wall, _) = now.wallMilliseconds.subtractingReportingOverflow(
                meeting.wallMilliseconds)
            let uptime = meeting.uptimeMilliseconds.map { now.uptimeMilliseconds - $0 }
            let moved = uptime.map { wall.subtractingReportingOverflow($0).partialValue } ?? 0
            let (skew, overflow) = meeting.skewMilliseconds.subtractingReportingOverflow(moved)
            return ClockOpinion(
                device: device, skewMilliseconds: overflow ? meeting.skewMilliseconds : skew,
                wallMilliseconds: meeting.wallMilliseconds)
        }
    }

    /// Notes that a command told the person of the notices that are kept for her.
    package mutating func markNoticesTold() throws(ReplicaError) {
        notices.markTold()
        try saveNotices()
    }

    /// Notes that the person knows of everything that is kept for her.
    package mutating func acknowledgeNotices() throws(ReplicaError) {
        let quarantined = try storage { () throws(StorageError) in try store.quarantineCount() }
        notices.acknowledge(quarantined: UInt64(quarantined))
        try saveNotices()
    }

    private mutating func saveNotices() throws(ReplicaError) {
        // If the application has a transaction open, its end keeps them.
        guard notices.isChanged, !store.isInTransaction else { return }
        if let failure { throw .storage(failure) }
        do throws(StorageError) {
            try store.begin(.full)
            try store.setValue(.notices, notices.encoded)
            try store.commit()
            notices.saved()
        } catch {
            store.rollback()
            throw .storage(error)
        }
    }

    /// Keeps the notices of this call in its transaction.
    mutating func keepNotices(at now: Moment) throws(StorageError) {
        for matter in turn.outbox.takeMatters() { notices.add(matter, at: now.wallMilliseconds) }
        if !sessions.flooders.isEmpty, store.pendingTotals.count == 0 {
            sessions.flooders = OrderedSet()
        }
        guard notices.isChanged else { return }
        if !store.isInTransaction { try turn.writing() }
        try store.setValue(.notices, notices.encoded)
        notices.saved()
    }

    /// Returns the book that was kept, or one of the forks that are there where an earlier release
    /// kept none.
    static func book(
        _ kept: [UInt8]?, _ chains: [ChainRow]
    ) -> NoticeBook {
        // A book that this version cannot read counts as none.
        if let kept, let book = try? NoticeBook(decoding: kept) { return book }
        var book = NoticeBook()
        for row in chains where row.forkedAt != nil { book.add(.forked(row.device), at: 0) }
        return book
    }
}

extension Notice {
    fileprivate var moment: Int64? { wallMilliseconds > 0 ? wallMilliseconds : nil }
}

extension Warning {
    /// True when `warningFacts` tells it as long as its cause is present.
    package var isFact: Bool {
        switch self {
        case .clockSkew, .authorForked, .authorRenewed, .admissionFrozen, .quarantined,
            .idCollision, .recordSetAside, .damagedBatch, .damagedOwnBatch, .incarnationRotated,
            .badEpoch,
            .keysNotUsed, .flooded, .sendsMuch:
            true
        case .rowRebuilt, .rowIncomplete, .showsOtherwise: false
        }
    }

    /// The event of the notice that is kept until the person knows; nil when none is kept.
    var matter: Notice.Matter? {
        switch self {
        case .incarnationRotated(let reason): .rotated(reason)
        case .authorRenewed(let device): .renewed(device)
        case .authorForked(let device): .forked(device)
        case .idCollision(let key): .collided(key)
        case .recordSetAside(let key): .setAside(key)
        default: nil
        }
    }
}
