import LinnetCRDT
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
        var facts = notices.facts()
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
        if hasNoRoomForFiles { facts.append(WarningFact(warning: .filesDoNotFit)) }
        facts += arrivals.notable(at: now).map { WarningFact(warning: $0) }
        return try storage { () throws(StorageError) in
            try facts + chains.damaged.facts(chains.index, in: store)
                + notices.quarantineFacts(in: store)
        }
    }

    /// Returns the clocks of the other members beside ours, as found when they were met last.
    package func clockOpinions(at now: Moment) -> [ClockOpinion] {
        notices.opinions(of: membership.members.filter { $0 != device }, at: now)
    }

    /// Notes that a command told the person of the notices that are kept for her.
    package mutating func markNoticesTold() throws(ReplicaError) {
        notices.markTold()
        if notices.isChanged, let failure { throw .storage(failure) }
        try notices.save(to: store)
    }

    /// Notes that the person knows of everything that is kept for her.
    package mutating func acknowledgeNotices() throws(ReplicaError) {
        let quarantined = try storage { () throws(StorageError) in try store.quarantineCount() }
        notices.acknowledge(quarantined: UInt64(quarantined))
        if notices.isChanged, let failure { throw .storage(failure) }
        try notices.save(to: store)
    }

    /// Keeps the notices of this call, and the questions to the person, in its transaction.
    mutating func keepNotices(at now: Moment) throws(StorageError) {
        if !sessions.flooders.isEmpty, store.pendingTotals.count == 0 {
            sessions.flooders = OrderedSet()
        }
        try notices.keep(turn.outbox.takeMatters(), &turn, at: now)
        try membership.questions.keep(&turn)
    }
}

extension Warning {
    /// True when `warningFacts` tells it as long as its cause is present.
    package var isFact: Bool {
        switch self {
        case .clockSkew, .authorForked, .authorRenewed, .admissionFrozen,
            .scopesNotUnderstood, .quarantined, .overruled,
            .idCollision, .recordSetAside, .damagedBatch, .damagedOwnBatch, .batchesRestated,
            .incarnationRotated, .badEpoch, .keysNotUsed, .flooded, .sendsMuch,
            .filesDoNotFit:
            true
        case .rowRebuilt, .rowIncomplete, .showsOtherwise, .basesDiffer,
            .historyPassedOver:
            false
        }
    }

    /// The event of the notice that is kept until the person knows; nil when none is kept.
    var matter: Notice.Matter? {
        switch self {
        case .incarnationRotated(let reason): .rotated(reason)
        case .authorRenewed(let device): .renewed(device)
        case .authorForked(let device): .forked(device)
        case .overruled(let device, let author, let isRole):
            .overruled(device, by: author, isRole: isRole)
        case .idCollision(let key): .collided(key)
        case .batchesRestated(let report): .restated(report)
        case .recordSetAside(let key): .setAside(key)
        default: nil
        }
    }
}
