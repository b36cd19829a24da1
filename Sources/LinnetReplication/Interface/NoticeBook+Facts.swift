import LinnetCRDT
import LinnetStorage
import LinnetWire

extension NoticeBook {
    /// Returns the warnings of the events that the person does not know of yet.
    func facts() -> [WarningFact] {
        var facts: [WarningFact] = []
        var collisions: [Notice] = []
        for notice in notices where !notice.isAcknowledged {
            let warning: Warning
            switch notice.matter {
            case .rotated(let reason): warning = .incarnationRotated(reason)
            case .renewed(let device): warning = .authorRenewed(device)
            case .forked(let device): warning = .authorForked(device)
            case .overruled(let device, let author, let isRole):
                warning = .overruled(device, by: author, isRole: isRole)
            case .restated(let report): warning = .batchesRestated(report)
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

    /// Returns a warning of the operations without effect that the person does not know of.
    func quarantineFacts(in store: any Store) throws(StorageError) -> [WarningFact] {
        let count = UInt64(try store.quarantineCount())
        guard count > quarantineKnown,
            let last = try store.quarantined(limit: 1).first
        else { return [] }
        return [
            WarningFact(
                warning: .quarantined(last.batch, operation: last.index),
                count: count - quarantineKnown, isKept: true)
        ]
    }

    /// Returns the clocks of devices beside ours, as found when they were met last.
    func opinions(of devices: [DeviceID], at now: Moment) -> [ClockOpinion] {
        let members = OrderedSet(devices)
        return meetings.compactMap { (device, meeting) in
            guard members.contains(device) else { return nil }
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

    /// Writes what is new in a transaction of its own. If the application has one open, its end
    /// keeps this.
    mutating func save(to store: any Store) throws(ReplicaError) {
        guard isChanged, !store.isInTransaction else { return }
        do throws(StorageError) {
            try store.begin(.full)
            try store.setValue(.notices, encoded)
            try store.commit()
            saved()
        } catch {
            store.rollback()
            throw .storage(error)
        }
    }

    /// Adds the events of a call, and keeps them in its transaction.
    mutating func keep(
        _ matters: [Notice.Matter], _ turn: inout Turn, at now: Moment
    ) throws(StorageError) {
        for matter in matters { add(matter, at: now.wallMilliseconds) }
        guard isChanged else { return }
        if !turn.store.isInTransaction { try turn.writing() }
        try turn.store.setValue(.notices, encoded)
        saved()
    }

    /// Takes the book that was kept, or makes one of the forks that are there where an earlier
    /// release kept none.
    init(kept: [UInt8]?, _ chains: [ChainRow]) {
        // A book that this version cannot read counts as none.
        if let kept, let book = try? NoticeBook(decoding: kept) {
            self = book
            return
        }
        self.init()
        for row in chains where row.forkedAt != nil { add(.forked(row.device), at: 0) }
    }
}

extension Notice {
    fileprivate var moment: Int64? { wallMilliseconds > 0 ? wallMilliseconds : nil }
}
