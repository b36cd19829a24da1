package import LinnetWire

/// The log of a group, its newcomer's admission included, in messages that follow each other.
package struct WelcomePages: Sendable {
    private let group: GroupID
    private let records: [MemberRecord]
    private var next = 0

    /// Divides a log as it is now.
    package init(log: MembershipLog) {
        group = log.group
        records = log.records
    }

    /// The next page; nil after the last one.
    package mutating func nextPage() -> PairWelcome? {
        guard next < records.count else { return nil }
        var (page, bytes): ([[UInt8]], Int) = ([], 0)
        while next < records.count {
            bytes += records[next].encoded.count
            guard bytes <= Limits.messageBytes - PairWelcome.headBytes else { break }
            page.append(records[next].encoded)
            next += 1
        }
        return PairWelcome(group: group, records: page, remaining: UInt64(records.count - next))
    }
}

/// A member's message to a newcomer: records of the log, all of them or a page.
package struct PairWelcome: Equatable, Sendable {
    /// The membership of a newcomer after a welcome that holds.
    package struct Admission: Sendable {
        /// The group's log.
        package let log: MembershipLog
        /// The keys that the log seals to this device.
        package let ring: KeyRing
    }

    /// Bound on what stands around the records.
    static let headBytes = 64

    /// The group.
    package let group: GroupID
    /// Records, parents first.
    package private(set) var records: [[UInt8]]
    /// The number of records that follow in further messages.
    package private(set) var remaining: UInt64 = 0

    init(group: GroupID, records: [[UInt8]], remaining: UInt64) {
        self.group = group
        self.records = records
        self.remaining = remaining
    }

    /// A welcome with all records of a log.
    package init(log: MembershipLog) {
        self.init(group: log.group, records: log.records.map(\.encoded), remaining: 0)
    }

    /// The message body; throws ``MembershipError/welcomeTooLarge`` when it exceeds one message.
    package func encode() throws(MembershipError) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(remaining == 0 ? 2 : 3)
        writer.bytes(group)
        writer.array(records.count)
        for record in records { writer.raw(record) }
        if remaining > 0 { writer.unsigned(remaining) }
        guard writer.bytes.count <= Limits.messageBytes else { throw .welcomeTooLarge }
        return writer.bytes
    }

    /// Reads a message body; the records are judged by ``admit(_:by:)``.
    package init(decoding body: [UInt8]) throws(MembershipError) {
        guard body.count <= Limits.messageBytes else { throw .welcomeTooLarge }
        (group, records, remaining) = try CanonicalForm.read(body, maxItems: body.count) {
            (reader) throws(WireError) in
            let count = try reader.array(max: 3)
            guard count >= 2 else { throw .badLength }
            let group = try reader.bytes32()
            let records = try reader.list(max: Limits.memberRecordsHeld) {
                (reader) throws(WireError) in
                try reader.rawItem()
            }
            let remaining = count == 3 ? try reader.unsigned() : 0
            guard count == 2 || remaining > 0 else { throw .nonCanonical }
            return (group, records, remaining)
        }
    }

    /// Joins a page to those before it.
    ///
    /// Throws ``MembershipError/wrongGroup`` for a page of another group, and
    /// ``MembershipError/noRoom`` for one that brings nothing or more than a device keeps.
    package mutating func append(_ next: PairWelcome) throws(MembershipError) {
        guard next.group == group else { throw .wrongGroup }
        guard !next.records.isEmpty,
            records.count + next.records.count <= Limits.memberRecordsHeld
        else { throw .noRoom }
        records += next.records
        remaining = next.remaining
    }

    /// Verifies the whole log from its genesis on, and opens the keys sealed to the newcomer.
    ///
    /// Throws what is wrong with a record, or ``MembershipError/incompleteWelcome`` when the log is
    /// another group's, or does not hold the newcomer's certificate, keys for it, and the member
    /// that sent it.
    package func admit(
        _ keys: borrowing DeviceKeys, by sender: DeviceID
    ) throws(MembershipError) -> Admission {
        let log = try MembershipLog(records: records)
        let ring = KeyRing(log: log, keys: keys)
        guard
            log.group == group, log.state.member(sender) != nil,
            let own = log.state.member(keys.device), own.certificate == keys.certificate,
            ring.holdsKeys(for: own.role)
        else { throw .incompleteWelcome }
        return Admission(log: log, ring: ring)
    }
}
